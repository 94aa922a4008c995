/* What measuring and comparing share. */
#ifndef GPULAB_MEASURE_INTERNAL_H
#define GPULAB_MEASURE_INTERNAL_H

#include "measure/measure.h"

/* False with outcome and err after Ctrl-C. */
bool measure_not_cancelled(LaunchOutcome *outcome, Err *err);
bool measure_cancelled(LaunchOutcome *outcome, Err *err); /* says so; returns false */

/* Launches a sample of a kernel that takes each_ms alone: 1 unless it is too short for that. */
uint32_t measure_batch(double each_ms);
/* Once, and samples[config->count]. False with outcome and err unless it ends well. */
bool measure_run(Device *device, const LaunchList *list, LaunchOutcome *outcome, Err *err);
bool measure_sample(Device *device, const LaunchList *list, const SampleConfig *config, Sample *samples,
					LaunchOutcome *outcome, Err *err);
const char *measure_batch_of(const LaunchList *list); /* what a batch consists of: "launches", "rounds" */

/* One emulated run with a model of each GPU. predictions[nmodels] are of the whole list; false with outcome and err
 * unless it ends well. */
bool predict_list(Device *device, const LaunchList *list, const Gpu *const *models, size_t nmodels,
				  Prediction *predictions, LaunchOutcome *outcome, Err *err);

#endif
