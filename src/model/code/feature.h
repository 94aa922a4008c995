/* What a launch and its kernel's instructions need that older GPUs lack: atomics from cc 1.1 on, votes from 1.2,
 * doubles from 1.3, shuffles from 3.0, half precision from 5.3, cooperative launches from 6.0. */
#pragma once

#include "emu/observer.h"
#include "gpu/gpu.h"

typedef struct {
	uint32_t cc;      /* the first that has it; 0: every GPU */
	const char *name; /* "atomics in shared memory", a constant */
} Feature;

/* The first feature of the launch's functions that the GPU lacks; cc 0 where it lacks none. */
Feature feature_missing(const LaunchInfo *info, const Gpu *gpu);
