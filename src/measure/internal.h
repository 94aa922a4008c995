/* What measuring and comparing share. */
#pragma once

#include "base/cancel.h"
#include "device/device.h"
#include "measure/measure.h"

bool measure_cancelled(LaunchOutcome *outcome, Err *err); /* says so; returns true */
/* True with outcome and err after Ctrl-C. */
static inline bool measure_interrupted(LaunchOutcome *outcome, Err *err) {
	return atomic_load(&cancel_flag) && measure_cancelled(outcome, err);
}

/* Launches a sample of a kernel that takes each_ms alone: 1 unless it is too short for that. */
uint32_t measure_batch(double each_ms);
/* False with outcome and err unless it ends well; then the answer is to be freed. */
bool measure_ask(Device *device, const LaunchList *list, const Ask *question, Answer *answer, LaunchOutcome *outcome,
				 Err *err);
/* Once, and samples[config->count]. False with outcome and err unless it ends well. */
bool measure_run(Device *device, const LaunchList *list, LaunchOutcome *outcome, Err *err);
bool measure_sample(Device *device, const LaunchList *list, const SampleConfig *config, Sample *samples,
					LaunchOutcome *outcome, Err *err);
const char *measure_batch_of(const LaunchList *list); /* what a batch consists of: "launches", "rounds" */

/* One emulated run with a model of each GPU. predictions[nmodels] are of the whole list; false with outcome and err
 * unless it ends well. */
bool predict_list(Device *device, const LaunchList *list, const Gpu *const *models, size_t nmodels,
				  Prediction *predictions, LaunchOutcome *outcome, Err *err);

/* Adds to a note, after what it says already. */
void measure_note(char *note, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
Measurement measurement_predicted(const Prediction *prediction);

/* The GPU's lock (device/lock.h) as measurements take it: without one they still run, and the result says so. False for
 * Ctrl-C while waiting, with outcome and err filled, and for a connection that was lost. */
bool timing_lock(Device *device, const LockMode *mode, GpuLock *out, LaunchOutcome *outcome, Err *err);
/* Notes what the result has to say of it: nothing, "measured without the lock ...", "waited 3 s for the GPU". True: it
 * was taken without. */
bool timing_unlock(Device *device, const LockMode *mode, GpuLock *lock, char *note, size_t size);

double median_of(const double *values, size_t n); /* in any order; n >= 1 */
/* The fastest clock of all, and samples at one clearly below it. */
double best_clock(const Sample *samples, size_t n);
bool is_throttled(const Sample *sample, double best);
