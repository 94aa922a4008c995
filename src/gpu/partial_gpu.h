/* A GPU that is not whole, as the driver and the machine report: a MIG slice, or one behind an MPS server. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "gpu/gpu.h"

/* "MIG slice 1g.10gb" from the name that the driver reports; "MPS" where a server's pipe is in the folder (NULL: the
 * usual one), and "MPS, 66 of 132 SMs" where the server allows this process fewer than the GPU has; else "". */
void gpu_share(const char *gpu_name, uint32_t sms, const char *mps_folder, char *out, size_t size);

/* The record of the GPU, or of the slice, that a driver names so and that has as many SMs as the driver reports. NULL:
 * there is none, and the whole GPU's would be wrong for a part of it. */
const Gpu *gpu_record(const char *name, uint32_t cc, uint32_t sms);
