/* Numbers in order. */
#ifndef GPULAB_BASE_SORT_H
#define GPULAB_BASE_SORT_H

#include <stddef.h>

/* The smallest first; none is a NaN. */
void sort_by_number(void *items, size_t n, size_t each); /* structures whose first member is a double */
static inline void sort_numbers(double *numbers, size_t n) {
	sort_by_number(numbers, n, sizeof *numbers);
}

#endif
