/* The scalar fallback: arithmetic too uncommon for handlers of its own is a function of one lane's operands, called
 * lane by lane. Which forms these are: instructions.def. */
#ifndef GPULAB_EMU_SCALAR_H
#define GPULAB_EMU_SCALAR_H

#include "emu/code/program.h"

/* x: the operands' bits, predicates as 0 or 1. The result's bits; where there is a predicate as well, it is bit 32. */
typedef uint64_t (*ScalarFn)(const PtxInstr *in, int64_t imm, const uint64_t x[4]);

/* Behind Op.aux. */
typedef struct {
	ScalarFn fn;
	uint8_t d, x[4]; /* bytes per lane of result and operands; 1: a predicate; 0: none */
	bool negated[4]; /* predicates */
} ScalarCall;

uint64_t scalar_extreme_s16x2(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t scalar_mad24_hi_sat(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t scalar_lop3(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t scalar_set_pair(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t scalar_xorsign(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t scalar_fma_oob(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t scalar_satfinite(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t scalar_to_fp8(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t scalar_from_fp8(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t scalar_video(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t scalar_pack(const PtxInstr *in, int64_t imm, const uint64_t x[4]);

#endif
