/* A GPU that is not whole, as the driver and the machine report: a MIG slice, or one behind an MPS server. */
#ifndef GPULAB_GPU_SHARE_H
#define GPULAB_GPU_SHARE_H

#include <stddef.h>
#include <stdint.h>

#include "gpu/gpu.h"

/* "MIG slice 1g.10gb" from the name that the driver reports; "MPS" where a server's pipe is in the folder (NULL: the
 * usual one); else "". */
void gpu_share(const char *gpu_name, const char *mps_folder, char *out, size_t size);

/* The record of the GPU that a driver names so. NULL: there is none; nor is there one of a slice, since the whole GPU's
 * would be wrong for it. */
const Gpu *gpu_record(const char *name, uint32_t cc);

#endif
