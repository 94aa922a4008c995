/* What the two files of the CUDA backend share. Only they (and worker.c) live where a GPU is touched. */
#ifndef GPULAB_DEVICE_CUDA_H
#define GPULAB_DEVICE_CUDA_H

#include <cuda_runtime_api.h>

#include "base/vec.h"
#include "device/backend.h"

typedef struct {
	Backend base;
	int ordinal;
	bool broken; /* a fault has ended the context: nothing works here any more */
	DeviceInfo info;
	size_t shared_default; /* per block without opting in */
	uint32_t max_grid[3], max_block[3];
	cudaStream_t stream;
	cudaEvent_t start, stop;
	VEC(cudaLibrary_t) libraries; /* number n is libraries[n - 1]; NULL: unloaded */
	int out;                      /* what the device prints lands in this file in memory */
	/* for sampling, made at the first sample */
	void *scratch; /* twice the L2: writing it all leaves nothing of the kernel's data in the cache */
	size_t scratch_bytes;
	cudaLibrary_t clock_library;
	cudaKernel_t stamp; /* NULL: the driver could not load it; clocks are unknown then */
	void *readings;     /* two ClockReadings on the device */
	bool ready_to_sample;
} CudaBackend;

/* False with err, made for people, for anything but success. A fault of a kernel that surfaces here marks the backend broken. */
bool cuda_ok(CudaBackend *c, cudaError_t status, const char *doing, Err *err);
cudaKernel_t cuda_find_kernel(CudaBackend *c, uint64_t module, const char *name, Err *err);

/* cuda_launch.c */
bool cuda_kernel_info(Backend *b, uint64_t module, const char *linked_name, KernelInfo *out, Err *err);
bool cuda_occupancy(Backend *b, uint64_t module, const char *linked_name, uint32_t threads, size_t shared,
					Occupancy *out, Err *err);
bool cuda_launch(Backend *b, const BackendLaunch *launch, LaunchOutcome *out, Err *err);
bool cuda_sample(Backend *b, const BackendLaunch *launch, const SampleConfig *config, Sample *samples,
				 LaunchOutcome *out, Err *err);

#endif
