/* What measuring and comparing share. */
#ifndef GPULAB_MEASURE_INTERNAL_H
#define GPULAB_MEASURE_INTERNAL_H

#include "measure/measure.h"

/* False with outcome and err after Ctrl-C. */
bool measure_not_cancelled(LaunchOutcome *outcome, Err *err);

/* Launches a sample of a kernel that takes each_ms alone: 1 unless it is too short for that. */
uint32_t measure_batch(double each_ms);

#endif
