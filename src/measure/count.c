/* measure.h: one emulated run with counters and models listening. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/proc.h"
#include "device/describe.h"
#include "measure/measure.h"

void count_report_free(CountReport *report) {
	if (!report) return;
	if (report->counters) counters_free(report->counters);
	free(report->predictions);
	memset(report, 0, sizeof *report);
}

bool count_launch(Device *device, const Launch *launch, const Gpu *rules, const Gpu *const *models, size_t nmodels,
				  CountReport *out, LaunchOutcome *outcome, Err *err) {
	LaunchOutcome ended = {0};
	CountReport report = {.npredictions = nmodels};
	Model **listening = xcalloc(nmodels, sizeof *listening);
	Observer **observers = xcalloc(nmodels + 1, sizeof *observers);

	report.counters = counters_new(rules);
	observers[0] = &report.counters->base;
	for (size_t i = 0; i < nmodels; i++) {
		listening[i] = model_new(models[i]);
		observers[i + 1] = model_observer(listening[i]);
	}
	const double begun = seconds_now();
	bool ok = device_emulate(device, launch, observers, nmodels + 1, &ended, &report.from_definitions, err);
	report.emulator_ms = (seconds_now() - begun) * 1e3;
	if (ok && outcome) *outcome = ended;
	if (ok && ended.status != LAUNCH_OK) ok = launch_error(&ended, err);
	if (ok) {
		report.predictions = xcalloc(nmodels, sizeof *report.predictions);
		for (size_t i = 0; i < nmodels; i++) report.predictions[i] = model_predict(listening[i]);
		*out = report;
	} else {
		count_report_free(&report);
	}
	for (size_t i = 0; i < nmodels; i++) model_free(listening[i]);
	free(listening);
	free(observers);
	return ok;
}
