#include "base/sort.h"

#include <stdlib.h>

static int by_number(const void *a, const void *b) {
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

void sort_by_number(void *items, size_t n, size_t each) {
	if (n) qsort(items, n, each, by_number);
}
