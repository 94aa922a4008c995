/* What the files of gpu/ share. */
#ifndef GPULAB_GPU_INTERNAL_H
#define GPULAB_GPU_INTERNAL_H

#include <stdbool.h>

#include "gpu/derive.h"

/* Is anything left of a name without vendor's words, blanks and hyphens? */
bool gpu_name_plain(const char *name);
/* May a derived GPU have this? False with err naming the limits. */
bool figure_fits(const FigureChange *change, Err *err);

#endif
