/* internal.h: lists run and sampled, where only the good end is of interest, and under the GPU's lock. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "measure/internal.h"

bool measure_cancelled(LaunchOutcome *outcome, Err *err) {
	*outcome = (LaunchOutcome){.status = LAUNCH_INTERRUPTED};
	snprintf(outcome->message, sizeof outcome->message, "Interrupted while measuring.");
	launch_error(outcome, err);
	return true;
}

bool measure_ask(Device *device, const LaunchList *list, const Ask *question, Answer *answer, LaunchOutcome *outcome,
				 Err *err) {
	if (measure_interrupted(outcome, err) || !device_submit(device, list, question, answer, err)) return false;
	*outcome = answer->outcome;
	if (outcome->status == LAUNCH_OK) return true;
	answer_free(answer);
	return launch_error(outcome, err);
}

bool measure_run(Device *device, const LaunchList *list, LaunchOutcome *outcome, Err *err) {
	Answer answer = {0};
	const bool ok = measure_ask(device, list, &(Ask){.mode = MODE_RUN}, &answer, outcome, err);
	answer_free(&answer);
	return ok;
}

bool measure_sample(Device *device, const LaunchList *list, const SampleConfig *config, Sample *samples,
					LaunchOutcome *outcome, Err *err) {
	Answer answer = {0};
	const Ask question = {.mode = MODE_TIME, .sampling = *config};
	const bool ok = measure_ask(device, list, &question, &answer, outcome, err);
	if (ok) memcpy(samples, answer.samples, answer.nsamples * sizeof *samples);
	answer_free(&answer);
	return ok;
}

void measure_note(char *note, size_t size, const char *fmt, ...) {
	va_list args;
	size_t used = strlen(note);
	if (used) used += (size_t)snprintf(note + used, size - used, "; ");
	va_start(args, fmt);
	if (used < size) vsnprintf(note + used, size - used, fmt, args);
	va_end(args);
}

Measurement measurement_predicted(const Prediction *p) {
	const double ms = p->known ? p->milliseconds : 0;
	return (Measurement){.kind = RATE_PREDICTED,
						 .samples = 1,
						 .batch = 1,
						 .median_ms = ms,
						 .q1_ms = ms,
						 .q3_ms = ms,
						 .min_ms = ms,
						 .prediction = *p};
}

/* --- the GPU's lock ----------------------------------------------------------------------------------------------- */

bool timing_lock(Device *device, const LockMode *mode, GpuLock *out, LaunchOutcome *outcome, Err *err) {
	const LockWait wait = {.waiting = mode->waiting, .user = mode->user};
	Err local = ERR_INIT;
	*out = (GpuLock){.fd = -1};
	if (mode->none || device_lock(device, &wait, out, &local)) return true;
	if (local.kind == ERR_INTERRUPTED) return !measure_cancelled(outcome, err);
	if (err) *err = local;
	return false;
}

bool timing_unlock(Device *device, const LockMode *mode, GpuLock *lock, char *note, size_t size) {
	device_unlock(device, lock);
	if (mode->none)
		measure_note(note, size, "measured without the GPU's lock: others may have been using it");
	else if (*lock->without)
		measure_note(note, size, "measured without the GPU's lock (%s)", lock->without);
	else if (lock->waited_s >= 1)
		measure_note(note, size, "waited %.0f s for the GPU", lock->waited_s);
	return mode->none || *lock->without;
}
