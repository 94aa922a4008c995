/* The device memory of a GPU as its driver describes it. No rule and no model uses this: bandwidths are in gpu.h. */
#pragma once

#include "gpu/gpu.h"

typedef struct {
	uint32_t bus_bits;
	uint32_t mebibytes; /* as sold; drivers report up to a tenth less */
	uint32_t khz;       /* of the memory's command clock, two transfers per cycle: what gives dram_gbps with this bus */
} GpuMemory;

/* Of the GPU, or of what it was derived from; all zero if it is not known. */
GpuMemory gpu_memory(const Gpu *gpu);
