/* The CUDA runtime that this program was built with. */
#ifndef GPULAB_DEVICE_REMOTE_TOOLKIT_H
#define GPULAB_DEVICE_REMOTE_TOOLKIT_H

#include <stddef.h>

void toolkit_name(char *out, size_t size); /* "13.0" */

#endif
