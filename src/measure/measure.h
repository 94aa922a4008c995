/* The time of a launch list (device.h) and its spread: median and quartiles of cold samples on a GPU, hot ones
 * separately; on the emulator the time its model predicts. Results are checked by the caller before and after (bind/,
 * lab.lua).
 *
 * What a sample is (device/cuda_sample.c):
 *   - The L2 is flushed by *reading* twice its size of other data. Flushing by writing leaves lines that have to go to
 * memory while the sample runs, and made a copy of 8192² look 3 % slower, a reduction 8 %, a transpose of 4000² 14 %.
 *   - Two CUDA events enclose one launch. Without one, in the same state of the stream, they measure an overhead
 *     (1.3 µs on an H200), subtracted from every sample and recorded in overhead_ms. What remains is the time from the
 *     launch's start to its end on the GPU, which is what Nsight Compute calls gpu__time_duration;
 *     docs/reference/measuring.md compares.
 *   - A kernel shorter than 5 µs is too short for events with a resolution of 32 ns: many launches run as one CUDA
 * graph, hot, and the result is their mean. Launches overlap a little there: an empty one takes 0.5 µs in a graph, 1.4
 * µs alone. Sampling continues until the median is known to a quarter of a percent, or time is up. */
#pragma once

#include "device/device.h"
#include "model/model.h"

/* A stopping rule: start it, add every sample, check whether to continue. */
typedef struct {
	double wall_cap_s;   /* 2 at the prompt */
	double wall_least_s; /* not before: short kernels give many samples in it */
	uint32_t min_samples, max_samples;
	double relative_spread; /* stop when the interquartile range over the median is below */
	double relative_error;  /* but not before the median's own 95 % interval is within ± this of it; 0: off */
	/* state */
	uint32_t seen;
	double started_s, best_spread;
	uint32_t since_better; /* samples since the spread last fell */
} StopRule;
StopRule stop_rule_default(void);
void stop_rule_start(StopRule *rule);
bool stop_rule_enough(StopRule *rule, const double *sorted, uint32_t n, double now_s);

typedef enum { RATE_MEASURED, RATE_PREDICTED } RateKind;

typedef struct {
	RateKind kind;
	uint32_t samples, discarded;
	double median_ms, q1_ms, q3_ms,
		min_ms;            /* cold; batched ones (batch > 1) are not. 0: nothing can be predicted, see note */
	double hot_ms;         /* median without the flush; 0: not taken */
	uint32_t batch;        /* launches per sample */
	bool as_graph;         /* the batch was one CUDA graph */
	double cold_ms;        /* where batch > 1: median of a few cold samples of one launch each */
	double overhead_ms;    /* already subtracted: what the events measure without a launch */
	double launch_ms;      /* what a launch that does nothing takes: it is in every time. 0: not known */
	double clock_ghz;      /* median SM clock; 0 unknown */
	double temperature;    /* of the GPU at the last sample, °C; 0 unknown */
	bool throttled;        /* some samples ran at a clock clearly below the others' */
	bool unlocked;         /* taken without the GPU's lock; note says why */
	bool impossible;       /* faster than the floor: min_bytes over peak bandwidth */
	char note[500];        /* anything suspicious, in words; "" otherwise */
	Prediction prediction; /* RATE_PREDICTED: where it came from */
} Measurement;

/* How the GPU's lock (lock.h) is to be taken. */
typedef struct {
	bool none; /* measure anyway, and mark the result */
	void (*waiting)(void *user,
					const char *text); /* called when one has to wait, and again while one does; may be NULL */
	void *user;
} LockMode;

typedef struct {
	double min_bytes;  /* DRAM bytes the launch cannot do without; 0: no floor is checked */
	double wall_cap_s; /* 0: default */
	uint32_t warmup;   /* launches, default 3 */
	bool once;         /* one cold sample and no launch besides: of what finds other data when it runs again */
	LockMode lock;
} MeasureConfig;

/* outcome describes a failed launch; then the measurement is untouched and false is returned with err filled from it.
 * A list with a library routine is ERR_SETUP where the routine is missing; on the emulator it always is. */
bool measure(Device *device, const LaunchList *list, const MeasureConfig *config, Measurement *out,
			 LaunchOutcome *outcome, Err *err);

/* Median, quartiles (linear interpolation between closest ranks) of sorted[n]; n >= 1. */
double quantile(const double *sorted, size_t n, double q);

/* --- counting ----------------------------------------------------------------------------------------------------- */

/* One emulated run of a list with counters by the rules of a GPU and predictions for each of models. */
typedef struct {
	Answer answer;           /* its items have the counters */
	Prediction *predictions; /* one per model, of the whole list: see prediction_sum */
	size_t npredictions;
	double emulator_ms;
	uint64_t blocks_run, blocks; /* where a sample was requested: of all launches; else both 0 */
	LaunchConfig sampled;        /* of a list of one launch, of which a sample ran: which blocks (launch_block_of) */
	double sample_error;         /* of a prediction, the difference between the sample's halves; 0: none requested */
} CountReport;
/* The part of each launch that runs, spread over its grid; counters and times are scaled to the whole grid. */
typedef struct {
	uint64_t blocks;       /* at least, all where there are no more (launch.h); 0: all */
	uint64_t instructions; /* of warps: fewer blocks where those would run more, 60 at least; 0: no matter */
	bool reach;            /* with all blocks: also what each launch reached */
	uint64_t follow;       /* the timeline of that block, + 1; what kernels write is put back; 0: none */
} SampleSize;

/* sample: NULL: all blocks. Buffers hold what the blocks wrote that ran. outcome (may be NULL) describes how the
 * emulated list ended; false with err filled from it unless it succeeded. */
bool count_launches(Device *device, const LaunchList *list, const Gpu *rules, const Gpu *const *models, size_t nmodels,
					const SampleSize *sample, CountReport *out, LaunchOutcome *outcome, Err *err);
void count_report_free(CountReport *report);
Counts count_report_total(const CountReport *report);

/* Launches one after the other: times add up, all else is that of the one that takes longest. Unknown if one of them
 * is. n >= 1 */
Prediction prediction_sum(const Prediction *predictions, size_t n);
