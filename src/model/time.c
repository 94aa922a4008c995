#include "model/time.h"

#include <math.h>

double predicted_time(const Prediction *p) {
	if (p->replayed_ms <= 0) return p->counted_ms;
	double ms = sqrt(p->counted_ms * p->replayed_ms);
	for (int i = 0; i < LIMIT_COUNT; i++) ms = fmax(ms, p->limits[i]);
	return ms;
}
