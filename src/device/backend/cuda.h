/* What the files of the CUDA backend share. Only they (and worker.c) live where a GPU is touched. */
#pragma once

#include <cuda_runtime_api.h>

#include "base/vec.h"
#include "device/backend/backend.h"

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
	bool broken;    /* a fault has ended the context: every call fails from then on */
	double limit_s; /* of what is queued, on the GPU, which no other work of the host slows down */
	DeviceInfo info;
	size_t shared_default; /* per block without opting in */
	size_t heap_bytes;     /* as last set: the driver rounds it; 0: never set */
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

/* cuda_core.c. False with err, made for people, for anything but success. A fault of a kernel that surfaces here marks
 * the backend broken. */
bool cuda_ok(CudaBackend *c, cudaError_t status, const char *doing, Err *err);
cudaLibrary_t *cuda_module(CudaBackend *c, uint64_t module, Err *err); /* NULL with err: it is not loaded */
void cuda_version_text(int version, char *out, size_t size);           /* "13.0" */
cudaKernel_t cuda_find_kernel(CudaBackend *c, uint64_t module, const char *name, Err *err);

/* cuda_tensor_map.c: out, aligned to 64 bytes, takes the driver's encoding of our tensor map. */
bool cuda_tensor_map(CudaBackend *c, const void *ours, void *out, Err *err);

/* cuda_launch.c */
typedef struct {
	cudaKernel_t kernel;
	cudaLaunchConfig_t config;
	bool cooperative;
	uint32_t cluster[3];
	void **args; /* the caller frees them */
} Prepared;
/* False: see out (a limit) or err. */
bool cuda_prepare(CudaBackend *c, const BackendLaunch *launch, Prepared *p, LaunchOutcome *out, Err *err);
cudaError_t cuda_enqueue(const Prepared *p);
/* Waits for what was queued, at most c->limit_s. Errors of the launch itself leave the context intact; errors of the
 * running kernel, and its limit, end it. */
bool cuda_conclude(CudaBackend *c, cudaError_t queued, LaunchOutcome *out, Err *err);
void cuda_forward_output(CudaBackend *c); /* what kernels printed, to the backend's events */
bool cuda_kernel_info(Backend *b, const KernelRequest *request, KernelInfo *out, Err *err);
bool cuda_occupancy(Backend *b, const KernelRequest *request, Occupancy *out, Err *err);
bool cuda_launch(CudaBackend *c, const BackendLaunch *launch, LaunchOutcome *out, Err *err); /* once */
/* cuda_texture.c */
bool cuda_texture(Backend *b, const TextureRequest *request, TextureMade *out, Err *err);
bool cuda_texture_free(Backend *b, const Number *number, Nothing *out, Err *err);
bool cuda_texture_copy(Backend *b, const TextureCopy *request, Nothing *out, Err *err);
/* cuda_sample.c */
bool cuda_sample(CudaBackend *c, const Submission *submission, Sample *samples, LaunchOutcome *out, Err *err);
void cuda_sampler_free(Sampler *s); /* its memory on the GPU goes with the process */
/* cuda_nvml.c; bus: DeviceInfo's */
void cuda_nvml_driver(char *out, size_t size); /* leaves out as it is where it is not known */
double cuda_nvml_temperature(const char *bus); /* °C; 0: not known */
size_t cuda_nvml_processes(const char *bus, uint32_t *pids, size_t most); /* that compute there */
/* cuda_library.c */
bool cuda_has_library(Backend *b, const LibraryRequest *request, Nothing *out, Err *err);
bool cuda_library(CudaBackend *c, const BackendCall *call, LaunchOutcome *out, Err *err);
/* False with err: the routine is not there or refused. True: see *queued. */
bool cuda_library_enqueue(CudaBackend *c, const BackendCall *call, cudaError_t *queued, Err *err);
void cuda_library_free(CudaLibrary *l);
/* cuda_transfer.c */
bool cuda_alloc_mapped(CudaBackend *c, size_t bytes, const char *name, uint64_t *addr, Err *err);
/* The host's own pointer to so many bytes in mapped memory; NULL: they, or some of them, are elsewhere. */
void *cuda_mapped(const CudaBackend *c, uint64_t addr, size_t bytes);
/* False: addr begins no mapped memory. Else it is freed, and *ok says how that went. */
bool cuda_free_mapped(CudaBackend *c, uint64_t addr, bool *ok, Err *err);
bool cuda_copy(Backend *b, const CopyRequest *request, CopyTimes *out, Err *err);
bool cuda_pipeline(Backend *b, const BackendPipeline *pipeline, PipelineReport *out, Err *err);
void cuda_copier_free(Copier *copier); /* NULL: nothing */
