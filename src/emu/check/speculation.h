/* Values that a warp loaded ahead of a condition from memory that was not written, followed through selections and
 * moves until they are discarded or used. */
#pragma once

#include "emu/observer.h"

/* What one lane's register holds. */
typedef struct {
	uint32_t load; /* global number of the load + 1; 0: nothing of interest */
	uint32_t depth, width;
	PtxSpace space;
	uint64_t addr;
} Unwritten;

typedef struct {
	Unwritten (*values)[LANES]; /* [n], by number */
	uint32_t n;
	Shadow *shadow; /* the limit on its memory */
} SpeculativeValues;

void speculative_free(SpeculativeValues *values);
void speculative_forget(SpeculativeValues *values);
/* number: NOT_SPECULATIVE is allowed */
void speculative_set(SpeculativeValues *values, uint32_t number, uint32_t lane, const Unwritten *value);
/* Calls `used` for each lane whose value this instruction uses, once. */
typedef void (*SpeculativeUse)(void *data, const Speculation *step, uint32_t lane, const Unwritten *value);
void speculative_step(SpeculativeValues *values, const Speculation *step, SpeculativeUse used, void *data);
