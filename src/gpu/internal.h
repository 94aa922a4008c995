/* What the files of gpu/ share. */
#ifndef GPULAB_GPU_INTERNAL_H
#define GPULAB_GPU_INTERNAL_H

#include <stdbool.h>

#include "gpu/derive.h"

/* Is anything left of a name without vendor's words, blanks and hyphens? */
bool gpu_name_plain(const char *name);
/* May a derived GPU have this? False with err naming the limits. */
bool figure_fits(const FigureChange *change, Err *err);

enum { MOST_DERIVED = 1000, LONGEST_NAME = 40 };

typedef struct {
	Gpu gpu;
	char name[LONGEST_NAME + 1];
	bool hidden; /* a younger one took its name */
} Derived;

bool gpu_derived_full(void);
void gpu_derived_add(Derived *gpu, const Gpu *namesake); /* which its name means no more; NULL: none */

#endif
