/* internal.h: lists run and sampled, where only the good end is of interest. */
#include <stdio.h>
#include <string.h>

#include "device/describe.h"
#include "measure/internal.h"

bool measure_not_cancelled(LaunchOutcome *outcome, Err *err) {
	return !atomic_load(&device_cancel) || measure_cancelled(outcome, err);
}

bool measure_cancelled(LaunchOutcome *outcome, Err *err) {
	*outcome = (LaunchOutcome){.status = LAUNCH_INTERRUPTED};
	snprintf(outcome->message, sizeof outcome->message, "Interrupted while measuring.");
	return launch_error(outcome, err);
}

static bool ask(Device *device, const LaunchList *list, const Ask *question, Answer *answer, LaunchOutcome *outcome,
				Err *err) {
	if (!measure_not_cancelled(outcome, err) || !device_submit(device, list, question, answer, err)) return false;
	*outcome = answer->outcome;
	if (outcome->status == LAUNCH_OK) return true;
	answer_free(answer);
	return launch_error(outcome, err);
}

bool measure_run(Device *device, const LaunchList *list, LaunchOutcome *outcome, Err *err) {
	Answer answer = {0};
	const bool ok = ask(device, list, &(Ask){.mode = MODE_RUN}, &answer, outcome, err);
	answer_free(&answer);
	return ok;
}

bool measure_sample(Device *device, const LaunchList *list, const SampleConfig *config, Sample *samples,
					LaunchOutcome *outcome, Err *err) {
	Answer answer = {0};
	const Ask question = {.mode = MODE_TIME, .sampling = *config};
	const bool ok = ask(device, list, &question, &answer, outcome, err);
	if (ok) memcpy(samples, answer.samples, answer.nsamples * sizeof *samples);
	answer_free(&answer);
	return ok;
}
