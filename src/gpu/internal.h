/* What the files of gpu/ share. */
#ifndef GPULAB_GPU_INTERNAL_H
#define GPULAB_GPU_INTERNAL_H

#include <stdbool.h>

/* Is anything left of a name without vendor's words, blanks and hyphens? */
bool gpu_name_plain(const char *name);

#endif
