/* Is one launch faster than another? Their samples are taken in turn, a b b a a b ..., so that changes of the GPU's
 * state affect both alike; each pair gives one ratio of times. Over all pairs the estimate is the median of the means
 * of two logarithms (Hodges and Lehmann), its interval that of Wilcoxon's signed rank test: no assumption about how
 * times are distributed, only that two equal kernels give ratios as often above 1 as below. The number of pairs is
 * fixed before the first of them: optional stopping would raise the error rate. */
#pragma once

#include "measure/measure.h"

typedef enum { COMPARE_FASTER, COMPARE_SLOWER, COMPARE_CANNOT_TELL } Verdict;

/* A difference smaller than this is none that would survive another day. */
#define COMPARE_MARGIN 0.005
#define COMPARE_CONFIDENCE 0.99

typedef struct {
	Verdict verdict; /* of b: faster than a, slower, or undecided */
	RateKind kind;   /* RATE_PREDICTED: two numbers without a spread; low and high are ratio */
	double ratio;    /* b's time over a's */
	double low, high;
	double a_ms, b_ms; /* medians */
	uint32_t pairs, discarded, batch;
	bool as_graph;
	bool unlocked;  /* taken without the GPU's lock; note says why */
	double margin;  /* a difference smaller than this is none: COMPARE_MARGIN, or what predictions can tell apart */
	double error;   /* RATE_PREDICTED: known error of the model, 0: unknown */
	char note[500]; /* how it was taken, where that matters; "" otherwise */
} Comparison;

typedef struct {
	double wall_cap_s; /* 0: 1 s for the samples */
	LockMode lock;
} CompareConfig;

/* As measure(): false with outcome and err where one of the launches does not end well, or nothing can be predicted for
 * one. */
bool compare(Device *device, const LaunchList *a, const LaunchList *b, const CompareConfig *config, Comparison *out,
			 LaunchOutcome *outcome, Err *err);

/* Compares two known predictions, of the same GPU or not, by their times, errors, and orders. */
void compare_predictions(const Prediction *a, const Prediction *b, Comparison *out);

/* The statistics alone: n pairs of times, n >= 1. Fills verdict, ratio, low, high, a_ms, b_ms and pairs. */
void compare_pairs(const double *a, const double *b, uint32_t n, Comparison *out);

extern const char *const verdict_names[]; /* "faster", "slower", "cannot tell"; NULL */
