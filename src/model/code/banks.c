/* Register banks, from cc 7.0 on two for each scheduler, each of which delivers one register per cycle to a warp
 * (Huerta et al., Analyzing Modern NVIDIA GPU Cores, 2025). An instruction that reads three different registers reads
 * two from one bank, and takes two cycles. Where FP32 takes two cycles anyway this has no effect; from cc 8.6 on it
 * takes one.
 *
 * The operands of an instruction stay in a reuse cache: the next one of the same warp does not read the same register
 * again for the same operand. For that it has to follow immediately, so it must not wait for the result. One operand
 * can be a constant inside the instruction. */
#include <stdlib.h>

#include "base/arena.h"
#include "model/code/code.h"

enum { MOST = 3 };

typedef struct {
	uint32_t regs[MOST]; /* by operand */
	bool valid[MOST];
	uint32_t written; /* NONE: nothing */
} Reads;

#define NONE UINT32_MAX

static bool has_three(const PtxInstr *in) {
	return in->op == OP_FMA || in->op == OP_MAD || in->op == OP_LOP3;
}

static Reads reads_of(const PtxInstr *in, const bool *constant) {
	Reads r = {.written = in->noperands && in->operands[0].kind == OPERAND_REG ? in->operands[0].reg : NONE};
	bool has_constant = false;
	for (uint32_t k = 0; k < MOST && k + 1 < in->noperands; k++) {
		const PtxOperand *o = &in->operands[k + 1];
		if (o->kind != OPERAND_REG) continue;
		if (constant[o->reg] && !has_constant)
			has_constant = true;
		else
			r.regs[k] = o->reg, r.valid[k] = true;
	}
	return r;
}

static bool reads_register(const Reads *r, uint32_t reg) {
	for (uint32_t k = 0; k < MOST; k++)
		if (r->valid[k] && r->regs[k] == reg) return true;
	return false;
}

/* Factors can change places. */
static bool is_there(const Reads *before, uint32_t k, uint32_t reg) {
	if (k == 2) return before->valid[2] && before->regs[2] == reg;
	return (before->valid[0] && before->regs[0] == reg) || (before->valid[1] && before->regs[1] == reg);
}

static uint32_t registers_to_read(const Reads *r, const Reads *before) {
	const bool at_once = before->written != NONE && !reads_register(r, before->written);
	uint32_t n = 0;
	for (uint32_t k = 0; k < MOST; k++) {
		bool again = false;
		for (uint32_t j = 0; j < k; j++) again |= r->valid[j] && r->regs[j] == r->regs[k];
		if (r->valid[k] && !again && !(at_once && is_there(before, k, r->regs[k]))) n++;
	}
	return n;
}

/* --- constants ---------------------------------------------------------------------------------------------------- */

static void count_write(void *data, uint32_t reg) {
	((uint32_t *)data)[reg]++;
}

/* [nregs] written once, with a number; the caller frees. */
static bool *find_constants(const PtxFunction *f) {
	bool *constant = xcalloc(f->nregs + 1, sizeof *constant);
	uint32_t *writes = xcalloc(f->nregs + 1, sizeof *writes);
	for (uint32_t i = 0; i < f->ninstrs; i++) ptx_each_written(&f->instrs[i], count_write, writes);
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		if (in->op != OP_MOV || in->noperands != 2 || in->operands[0].kind != OPERAND_REG) continue;
		const PtxOperandKind kind = in->operands[1].kind;
		constant[in->operands[0].reg] =
			writes[in->operands[0].reg] == 1 && (kind == OPERAND_INT || kind == OPERAND_FLOAT);
	}
	free(writes);
	return constant;
}

void code_bank_conflicts(const PtxFunction *f, const bool *leader, InstrCost *costs) {
	Reads before = {.written = NONE};
	bool *constant = find_constants(f);
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		if (leader[i]) before = (Reads){.written = NONE};
		if (costs[i].issue <= 0) continue;
		const Reads reads = reads_of(in, constant);
		if (has_three(in) && ptx_type_bytes(in->types[0]) == 4 && registers_to_read(&reads, &before) == MOST)
			costs[i].bank_conflicts = 1;
		before = reads;
	}
	free(constant);
}
