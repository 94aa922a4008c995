/* Numbers in order. */
#pragma once

#include <stddef.h>

/* The smallest first; none is a NaN. */
void sort_by_number(void *items, size_t n, size_t each); /* structures whose first member is a double */
static inline void sort_numbers(double *numbers, size_t n) {
	sort_by_number(numbers, n, sizeof *numbers);
}
