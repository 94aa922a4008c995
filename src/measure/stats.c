/* measure.h: quantiles; internal.h: medians, and samples at a throttled clock. */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "measure/internal.h"

double quantile(const double *sorted, size_t n, double q) {
	const double place = q * (double)(n - 1); /* in ranks, from 0 */
	const double below = floor(place);
	const size_t i = (size_t)below;
	if (i + 1 >= n) return sorted[n - 1];
	return sorted[i] + (place - below) * (sorted[i + 1] - sorted[i]);
}

double median_of(const double *values, size_t n) {
	AUTO_FREE double *sorted = memcpy(xcalloc(n, sizeof *sorted), values, n * sizeof *sorted);
	sort_numbers(sorted, n);
	return quantile(sorted, n, 0.5);
}

double best_clock(const Sample *samples, size_t n) {
	double best = 0;
	for (size_t i = 0; i < n; i++) best = fmax(best, samples[i].clock_ghz);
	return best;
}

bool is_throttled(const Sample *sample, double best) {
	static const double THROTTLED = 0.95;
	return sample->clock_ghz > 0 && sample->clock_ghz < THROTTLED * best;
}
