#include "base/sort.h"

#include <stdlib.h>

static int by_size(const void *a, const void *b) {
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

void sort_numbers(double *numbers, size_t n) {
	if (n) qsort(numbers, n, sizeof *numbers, by_size);
}
