/* What cuda_transfer.c gives the CUDA backend. */
#ifndef GPULAB_DEVICE_CUDA_TRANSFER_H
#define GPULAB_DEVICE_CUDA_TRANSFER_H

#include "device/cuda.h"

bool cuda_alloc_mapped(Backend *b, size_t bytes, const char *name, uint64_t *addr, Err *err);
/* The host's own pointer to so many bytes in mapped memory; NULL: they lie elsewhere, or some of them do. */
void *cuda_mapped(const CudaBackend *c, uint64_t addr, size_t bytes);
/* False: addr begins no mapped memory. Else it is freed, and *ok says how that went. */
bool cuda_free_mapped(CudaBackend *c, uint64_t addr, bool *ok, Err *err);
bool cuda_copy(Backend *b, const Copy *copy, uint32_t count, CopyTimes *out, Err *err);
bool cuda_pipeline(Backend *b, const BackendPipeline *pipeline, PipelineTimes *out, LaunchOutcome *outcome, bool *begun,
				   Err *err);
void cuda_copier_free(Copier *copier); /* NULL: nothing */

#endif
