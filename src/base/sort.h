/* Numbers in order. */
#ifndef GPULAB_BASE_SORT_H
#define GPULAB_BASE_SORT_H

#include <stddef.h>

void sort_numbers(double *numbers, size_t n); /* the smallest first; none is a NaN */

#endif
