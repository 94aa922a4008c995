/* A launch in parts, for whoever runs its blocks himself: step.c. machine_launch is all of them, one after the
 * other. */
#pragma once

#include "emu/warp/run.h"

typedef enum {
	LAUNCH_INVALID, /* err says why */
	LAUNCH_REFUSED, /* the GPU does not allow it: the outcome says why */
	LAUNCH_OPEN
} LaunchStart;

/* Fills *run for the launch, which outlives it. */
LaunchStart launch_open(Run *run, Machine *machine, const EmuKernel *kernel, const EmuLaunch *launch,
						LaunchOutcome *out, Err *err);
/* The only worker of a run whose blocks the caller runs; launch_end_worker frees it. */
Worker *launch_one_worker(Run *run);
void launch_end_worker(Run *run);
void launch_extend(Run *run); /* its time limit counts from now on */
void launch_close(Run *run);
