/* Arithmetic that is too seldom to have handlers of its own: a function of one lane's operands, called lane by lane. Which forms of which
 * instructions these are: lower_seldom.c. */
#ifndef GPULAB_EMU_SELDOM_H
#define GPULAB_EMU_SELDOM_H

#include "emu/program.h"

/* x: the operands' bits, predicates as 0 or 1. The result's bits; where there is a predicate as well, it is bit 32. */
typedef uint64_t (*Seldom)(const PtxInstr *in, int64_t imm, const uint64_t x[4]);

/* Behind Op.aux. */
typedef struct {
	Seldom fn;
	uint8_t d, x[4]; /* bytes a lane of result and operands; 1: a predicate; 0: none */
	bool negated[4]; /* predicates */
} SeldomCall;

uint64_t seldom_add_pair(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t seldom_extreme_u16x2(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t seldom_extreme_s16x2(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t seldom_mad24_hi_sat(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t seldom_lop3(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t seldom_set_pair(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t seldom_xorsign(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t seldom_fma_oob(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t seldom_satfinite(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t seldom_to_fp8(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t seldom_from_fp8(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t seldom_video(const PtxInstr *in, int64_t imm, const uint64_t x[4]);
uint64_t seldom_pack(const PtxInstr *in, int64_t imm, const uint64_t x[4]);

#endif
