/* measure.h: when to stop sampling. Stop when the interquartile range is small, or has stopped shrinking, but not
 * before the minimum number and time, nor before the median itself is known well enough; and in any case when the
 * time is up or the maximum number is reached. */
#include <math.h>

#include "base/proc.h"
#include "measure/measure.h"

enum { SAMPLES_WITHOUT_GAIN = 40 }; /* samples without a closer spread */

StopRule stop_rule_default(void) {
	return (StopRule){.wall_cap_s = 2,
					  .wall_least_s = 0.1,
					  .min_samples = 11,
					  .max_samples = 1000,
					  .relative_spread = 0.005,
					  .relative_error = 0.0025};
}

void stop_rule_start(StopRule *rule) {
	rule->seen = 0;
	rule->started_s = seconds_now();
	rule->best_spread = 0;
	rule->since_better = 0;
}

static double relative_spread(const double *sorted, uint32_t n) {
	const double median = quantile(sorted, n, 0.5);
	return median > 0 ? (quantile(sorted, n, 0.75) - quantile(sorted, n, 0.25)) / median : 0;
}

/* Half the width of the median's 95 % interval over the median: the samples whose ranks are 0.98 √n below and above
 * the middle bound it, whatever their distribution. */
static double relative_error(const double *sorted, uint32_t n) {
	const double median = quantile(sorted, n, 0.5), reach = 0.98 * sqrt(n) / n;
	if (median <= 0 || reach >= 0.5) return median > 0 ? HUGE_VAL : 0;
	return (quantile(sorted, n, 0.5 + reach) - quantile(sorted, n, 0.5 - reach)) / 2 / median;
}

bool stop_rule_enough(StopRule *rule, const double *sorted, uint32_t n, double now_s) {
	const uint32_t fresh = n - rule->seen;
	if (n == 0) return false;
	const double spread = relative_spread(sorted, n);
	if (rule->seen == 0 || spread < rule->best_spread) {
		rule->best_spread = spread;
		rule->since_better = 0;
	} else {
		rule->since_better += fresh;
	}
	rule->seen = n;
	if (n >= rule->max_samples) return true;
	if (now_s - rule->started_s >= rule->wall_cap_s) return true;
	if (n < rule->min_samples || now_s - rule->started_s < rule->wall_least_s) return false;
	if (rule->relative_error > 0 && relative_error(sorted, n) > rule->relative_error) return false;
	return spread <= rule->relative_spread || rule->since_better >= SAMPLES_WITHOUT_GAIN;
}
