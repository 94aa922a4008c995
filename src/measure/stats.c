/* measure.h: quantiles. */
#include <math.h>

#include "measure/measure.h"

double quantile(const double *sorted, size_t n, double q) {
	const double place = q * (double)(n - 1); /* in ranks, from 0 */
	const double below = floor(place);
	const size_t i = (size_t)below;
	if (i + 1 >= n) return sorted[n - 1];
	return sorted[i] + (place - below) * (sorted[i + 1] - sorted[i]);
}
