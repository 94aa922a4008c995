/* 64-bit integers of which only the low half is read. Addresses of shared memory have 32 bits in SASS, and ptxas drops
 * what computes the rest of those that have 64 in PTX, as NVRTC 13.0 and older write them. Read off SASS of ptxas 13.0
 * for cc 9.0. */
#include <stdlib.h>

#include "model/code/code.h"
#include "ptx/analysis/cfg.h"

typedef struct {
	bool *low; /* [nregs] */
	bool changed;
} Halves;

static void needs_all(void *data, uint32_t reg) {
	Halves *h = data;
	h->changed |= h->low[reg];
	h->low[reg] = false;
}

static void operand_needs_all(Halves *h, const PtxOperand *o) {
	if (o->kind == OPERAND_REG) needs_all(h, o->reg);
	for (uint32_t i = 0; o->kind == OPERAND_VECTOR && i < o->nitems; i++) operand_needs_all(h, &o->items[i]);
}

static bool accesses_shared(const PtxInstr *in) {
	return (in->op == OP_LD || in->op == OP_ST || in->op == OP_ATOM || in->op == OP_RED) && in->space == SPACE_SHARED;
}

/* The low half of the result follows from the low halves of what is read. */
static bool keeps_low_half(const PtxInstr *in) {
	switch (in->op) {
	case OP_ADD:
	case OP_SUB:
	case OP_MOV:
	case OP_AND:
	case OP_OR:
	case OP_XOR:
	case OP_SHL:
	case OP_SELP: return true;
	case OP_MUL:
	case OP_MAD: return !(in->mods & MOD_HI);
	default: return false;
	}
}

static bool result_is_low(const Halves *h, const PtxInstr *in) {
	return in->noperands && in->operands[0].kind == OPERAND_REG && h->low[in->operands[0].reg];
}

static void look(Halves *h, const PtxInstr *in) {
	if (accesses_shared(in)) {
		for (uint32_t k = in->op == OP_LD || in->op == OP_ATOM; k < in->noperands; k++)
			operand_needs_all(h, &in->operands[k]);
	} else if (!keeps_low_half(in) || !result_is_low(h, in)) {
		ptx_each_read(in, needs_all, h);
	}
}

bool *code_low_halves(const PtxFunction *f) {
	Halves h = {xcalloc(f->nregs + 1, sizeof(bool)), true};
	for (uint32_t r = 0; r < f->nregs; r++) {
		const PtxType t = f->regs[r].type;
		h.low[r] = t == T_B64 || t == T_U64 || t == T_S64;
	}
	while (h.changed) {
		h.changed = false;
		for (uint32_t i = f->ninstrs; i-- > 0;) look(&h, &f->instrs[i]);
	}
	return h.low;
}
