/* What measuring and comparing share. */
#ifndef GPULAB_MEASURE_INTERNAL_H
#define GPULAB_MEASURE_INTERNAL_H

#include "measure/measure.h"

/* False with outcome and err after Ctrl-C. */
bool measure_not_cancelled(LaunchOutcome *outcome, Err *err);

/* Launches a sample of a kernel that takes each_ms alone: 1 unless it is too short for that. */
uint32_t measure_batch(double each_ms);
const char *measure_batch_of(const Work *work); /* what a batch consists of: "launches", "rounds" */

/* One emulated run with a model of each GPU listening to each launch, and with counters (one an item; NULL: none) beside them.
 * predictions[nmodels] are filled if the outcome is LAUNCH_OK. */
bool predict_work(Device *device, const Work *work, const Gpu *const *models, size_t nmodels, Prediction *predictions,
				  LaunchOutcome *outcome, CountReport *counted, Err *err);

#endif
