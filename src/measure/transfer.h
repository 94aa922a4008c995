/* How long does a copy between host and GPU take, or a pipeline of copies and launches? Samples on a GPU, under its
 * lock; on the emulator, and for any other GPU, what the figures of its link and the models of its kernels make of it
 * (model/transfer.h). */
#pragma once

#include "device/transfer.h"
#include "measure/measure.h"

typedef struct {
	Measurement times;
	bool host_clock; /* measured from the call to the end; else between events around the copy */
	double host_write_gbps,
		host_read_gbps; /* one core of the host on such memory; 0: not known (nothing was measured) */
} CopyMeasurement;
/* config's min_bytes and warmup mean nothing here. */
bool measure_copy(Device *device, const Copy *copy, const MeasureConfig *config, CopyMeasurement *out,
				  LaunchOutcome *outcome, Err *err);
/* The same copy on another GPU, by its figures. */
Prediction predict_copy(const Gpu *gpu, const Copy *copy);

typedef struct {
	RateKind kind;
	bool known;       /* false: no model of this GPU's kernels; then there are no spans, and note says so */
	uint32_t samples; /* measured: how many; the reported one is the median by its total time */
	double q1_ms, q3_ms;
	bool unlocked;
	PipelineTimes times;
	char note[300];
	char bound[64]; /* predicted: what takes longest */
} PipelineMeasurement;
/* Launches once one by one (a fault is reported as for any launch), then as a pipeline. predicted[nmodels] (may be
 * NULL where nmodels is 0) are for other GPUs, from one emulated run of the launches. */
bool measure_pipeline(Device *device, const PipelineJob *job, const MeasureConfig *config, const Gpu *const *models,
					  size_t nmodels, PipelineMeasurement *out, PipelineMeasurement *predicted, LaunchOutcome *outcome,
					  Err *err);
