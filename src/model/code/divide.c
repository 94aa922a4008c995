/* Integer divisions by what does not change in a loop. ptxas computes the divisor's reciprocal once, before it; what is
 * left of each division are products and corrections of the quotient, without the special function units. Read off
 * SASS of ptxas 13.0 for cc 9.0, where loops are unrolled by four: the instructions of one. */
#include "base/arena.h"
#include "model/code/code.h"
#include "ptx/analysis/loops.h"

enum { QUOTIENT_UNSIGNED = 9, QUOTIENT_SIGNED = 14, REMAINDER = 1 /* more */ };

typedef struct {
	const PtxCfg *cfg;
	InstrCost *costs;
	bool *written; /* [nregs] in the loop that is looked at */
} Divisions;

static void note_written(void *data, uint32_t reg) {
	((bool *)data)[reg] = true;
}

static bool divides(const PtxInstr *in) {
	const PtxType t = in->ntypes ? in->types[0] : T_NONE;
	return (in->op == OP_DIV || in->op == OP_REM) && (t == T_S32 || t == T_U32) && in->noperands == 3;
}

static void look_at_loop(void *data, const bool *inside) {
	Divisions *d = data;
	const PtxFunction *f = d->cfg->function;
	for (uint32_t r = 0; r < f->nregs; r++) d->written[r] = false;
	for (uint32_t b = 0; b < d->cfg->nblocks; b++)
		for (uint32_t i = d->cfg->blocks[b].first; inside[b] && i < d->cfg->blocks[b].end; i++)
			ptx_each_written(&f->instrs[i], note_written, d->written);
	for (uint32_t b = 0; b < d->cfg->nblocks; b++)
		for (uint32_t i = d->cfg->blocks[b].first; inside[b] && i < d->cfg->blocks[b].end; i++) {
			const PtxInstr *in = &f->instrs[i];
			if (!divides(in) || in->operands[2].kind != OPERAND_REG || d->written[in->operands[2].reg]) continue;
			InstrCost *cost = &d->costs[i];
			cost->issue =
				(in->types[0] == T_S32 ? QUOTIENT_SIGNED : QUOTIENT_UNSIGNED) + (in->op == OP_REM ? REMAINDER : 0);
			cost->pipe = PIPE_INT;
			cost->pipe_use = cost->issue;
		}
}

void code_divisions(const PtxCfg *cfg, InstrCost *costs) {
	const PtxFunction *f = cfg->function;
	bool any = false;
	for (uint32_t i = 0; i < f->ninstrs; i++) any |= divides(&f->instrs[i]);
	if (!any) return;
	AUTO_FREE bool *written = xcalloc(f->nregs + 1, sizeof *written);
	Divisions d = {cfg, costs, written};
	ptx_each_loop(cfg, look_at_loop, &d);
}
