/* Loops that ptxas unrolls: what PTX shows as four iterations is one in SASS, with one test, one branch, and the loads
 * of all four together. The rule is read off SASS of ptxas 12.9 and 13.0 for cc 5.0 to 9.0: a loop of one block that
 * counts by a constant, in 32 bits, without barriers or calls, and with at most 18 other instructions is unrolled by
 * four, unless it has a `.pragma "nounroll"`. Loops whose number of iterations is a constant are unrolled more
 * often or altogether; they are taken for the same. */
#pragma once

#include "model/code/code.h"

enum { UNROLL = 4, UNROLL_SINCE = 50 /* cc */, UNROLL_MOST = 96 /* instructions of PTX, most of which cost nothing */ };

typedef enum {
	UNROLL_NOT,
	UNROLL_COPIED, /* once for each iteration */
	UNROLL_ONCE    /* counts, tests, or goes back */
} UnrollRole;

/* [ninstrs]; the caller frees. All UNROLL_NOT: of older GPUs, too. */
uint8_t *code_unrolled(const Gpu *gpu, const PtxCfg *cfg, const InstrCost *costs);
