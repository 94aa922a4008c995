/* What cuda_transfer.c gives the CUDA backend. */
#ifndef GPULAB_DEVICE_BACKEND_CUDA_TRANSFER_H
#define GPULAB_DEVICE_BACKEND_CUDA_TRANSFER_H

#include "device/backend/cuda.h"

bool cuda_alloc_mapped(CudaBackend *c, size_t bytes, const char *name, uint64_t *addr, Err *err);
/* The host's own pointer to so many bytes in mapped memory; NULL: they, or some of them, are elsewhere. */
void *cuda_mapped(const CudaBackend *c, uint64_t addr, size_t bytes);
/* False: addr begins no mapped memory. Else it is freed, and *ok says how that went. */
bool cuda_free_mapped(CudaBackend *c, uint64_t addr, bool *ok, Err *err);
bool cuda_copy(Backend *b, const CopyRequest *request, CopyTimes *out, Err *err);
bool cuda_pipeline(Backend *b, const BackendPipeline *pipeline, PipelineReport *out, Err *err);
void cuda_copier_free(Copier *copier); /* NULL: nothing */

#endif
