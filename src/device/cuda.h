/* What the files of the CUDA backend share. Only they (and worker.c) live where a GPU is touched. */
#ifndef GPULAB_DEVICE_CUDA_H
#define GPULAB_DEVICE_CUDA_H

#include <cuda_runtime_api.h>

#include "base/vec.h"
#include "device/backend.h"

typedef struct Sampler Sampler;
typedef struct CudaTexture CudaTexture; /* cuda_texture.c */
typedef struct CudaLibrary CudaLibrary;
typedef struct Copier Copier; /* cuda_transfer.c */

typedef struct {
	void *host;
	uint64_t addr; /* the same memory for kernels */
	size_t bytes;
} MappedBlock;

typedef struct {
	Backend base;
	int ordinal;
	bool broken; /* a fault has ended the context: nothing works here any more */
	DeviceInfo info;
	size_t shared_default; /* per block without opting in */
	uint32_t max_grid[3], max_block[3];
	cudaStream_t stream;
	cudaEvent_t start, stop;
	VEC(CudaTexture *) textures;  /* number n is textures[n - 1]; NULL: freed */
	VEC(cudaLibrary_t) libraries; /* number n is libraries[n - 1]; NULL: unloaded */
	int out;                      /* what the device prints lands in this file in memory */
	Sampler *sampler;             /* cuda_sample.c; made at the first sample */
	CudaLibrary *library;         /* cuda_library.c; made when cuBLAS is first asked for */
	Copier *copier;               /* cuda_transfer.c; made at the first copy */
	VEC(MappedBlock) mapped;      /* host memory that kernels reach */
} CudaBackend;

/* False with err, made for people, for anything but success. A fault of a kernel that surfaces here marks the backend broken. */
bool cuda_ok(CudaBackend *c, cudaError_t status, const char *doing, Err *err);
cudaKernel_t cuda_find_kernel(CudaBackend *c, uint64_t module, const char *name, Err *err);

/* cuda_launch.c */
typedef struct {
	cudaKernel_t kernel;
	cudaLaunchConfig_t config;
	bool cooperative;
	void **args; /* the caller frees them */
} Prepared;
/* False: see out (a limit) or err. */
bool cuda_prepare(CudaBackend *c, const BackendLaunch *launch, Prepared *p, LaunchOutcome *out, Err *err);
cudaError_t cuda_enqueue(const Prepared *p);
/* Waits for what was queued. Errors of the launch itself leave the context intact; errors of the running kernel end it. */
bool cuda_conclude(CudaBackend *c, cudaError_t queued, LaunchOutcome *out, Err *err);
void cuda_forward_output(CudaBackend *c, const BackendLaunch *launch);
bool cuda_kernel_info(Backend *b, uint64_t module, const char *linked_name, KernelInfo *out, Err *err);
bool cuda_occupancy(Backend *b, uint64_t module, const char *linked_name, uint32_t threads, size_t shared,
					Occupancy *out, Err *err);
bool cuda_launch(Backend *b, const BackendLaunch *launch, LaunchOutcome *out, Err *err);
/* cuda_texture.c */
bool cuda_texture(Backend *b, const TextureDesc *desc, const char *name, uint64_t *number, uint64_t *object, Err *err);
bool cuda_texture_free(Backend *b, uint64_t number, Err *err);
bool cuda_texture_copy(Backend *b, uint64_t number, uint64_t addr, bool into, Err *err);
/* cuda_symbol.c */
bool cuda_symbol(Backend *b, uint64_t module, const char *name, uint64_t *addr, size_t *bytes, Err *err);
/* cuda_sample.c */
bool cuda_sample(Backend *b, const BackendItem *items, uint32_t nitems, const SampleConfig *config, Sample *samples,
				 LaunchOutcome *out, Err *err);
void cuda_sampler_free(Sampler *s); /* its memory on the GPU goes with the process */
/* cuda_nvml.c; bus: DeviceInfo's */
void cuda_nvml_driver(char *out, size_t size); /* leaves out as it is where it is not known */
double cuda_nvml_temperature(const char *bus); /* °C; 0: not known */
size_t cuda_nvml_processes(const char *bus, uint32_t *pids, size_t most); /* that compute there */
/* cuda_library.c */
bool cuda_has_library(Backend *b, LibraryRoutine routine, Err *err);
bool cuda_library(Backend *b, const BackendCall *call, LaunchOutcome *out, Err *err);
/* False with err: the routine is not there or refused. True: see *queued. */
bool cuda_library_enqueue(CudaBackend *c, const BackendCall *call, cudaError_t *queued, Err *err);
void cuda_library_free(CudaLibrary *l);

#endif
