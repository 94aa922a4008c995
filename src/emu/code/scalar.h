/* The scalar fallback: arithmetic too uncommon for handlers of its own is a function of one lane's operands, called
 * lane by lane. Which forms these are: instructions.def. */
#pragma once

#include "emu/code/program.h"

/* x: the operands' bits, predicates as 0 or 1. The result's bits; where there is a predicate as well, it is bit 32. */
typedef uint64_t ScalarFunction(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
typedef ScalarFunction *ScalarFn;

/* Behind Op.aux. */
typedef struct {
	ScalarFn fn;
	uint8_t d, x[4]; /* bytes per lane of result and operands; 1: a predicate; 0: none */
	bool negated[4]; /* predicates */
} ScalarCall;

ScalarFunction scalar_extreme_s16x2, scalar_fma_oob, scalar_from_fp8, scalar_lop3, scalar_mad24_hi_sat, scalar_pack,
	scalar_satfinite, scalar_set_pair, scalar_to_fp8, scalar_video, scalar_xorsign;
