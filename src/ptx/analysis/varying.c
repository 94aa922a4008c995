/* varying.h. A value varies if it is a thread's or a lane's own, or computed from one that does. So does a register
 * that several instructions write, if a branch on a varying value decides which of them was last: lanes that took
 * different ways, or left a loop in different iterations, hold different values. */
#include "ptx/analysis/varying.h"

#include "base/arena.h"

typedef struct {
	const PtxCfg *cfg;
	bool *varies;
	uint32_t *writers; /* [nregs] how many instructions write it */
	bool *split;       /* [nblocks] between a branch on a varying value and where its ways meet */
	bool now, split_now, changed;
} Search;

static void count_writer(void *data, uint32_t reg) {
	((uint32_t *)data)[reg]++;
}

static void look(void *data, uint32_t reg) {
	Search *s = data;
	s->now |= s->varies[reg];
}

static void mark(void *data, uint32_t reg) {
	Search *s = data;
	if (s->varies[reg] || !(s->now || (s->split_now && s->writers[reg] > 1))) return;
	s->varies[reg] = true;
	s->changed = true;
}

static bool is_own(const PtxOperand *o) {
	if (o->kind != OPERAND_SPECIAL) return false;
	return o->special < SR_NTID || o->special == SR_LANEID ||
		   (o->special >= SR_LANEMASK_EQ && o->special <= SR_LANEMASK_GT) || o->special == SR_OTHER;
}

/* A variable of the thread's own: in local memory, a parameter of a function that is not a kernel, or of a call. */
static bool reads_own(const PtxFunction *f, const PtxInstr *in) {
	if (in->space == SPACE_LOCAL || in->space == SPACE_GENERIC) return true;
	return in->space == SPACE_PARAM &&
		   !(f->entry && in->noperands > 1 && in->operands[1].kind == OPERAND_ADDRESS && in->operands[1].symbol &&
			 in->operands[1].symbol->owner == f && in->operands[1].symbol->index < f->nparams &&
			 f->params[in->operands[1].symbol->index] == in->operands[1].symbol);
}

/* Whatever its operands are, the result is the lane's own. */
static bool varies_by_itself(const PtxFunction *f, const PtxInstr *in) {
	switch (in->op) {
	case OP_LD: return reads_own(f, in);
	case OP_VOTE:
	case OP_REDUX:
	case OP_ACTIVEMASK: return false;
	default: break;
	}
	const PtxCost cost = ptx_op_cost(in->op);
	if (cost == COST_ATOMIC || cost == COST_SHUFFLE || cost == COST_MATRIX || in->op == OP_CALL) return true;
	for (uint32_t k = 0; k < in->noperands; k++)
		if (is_own(&in->operands[k])) return true;
	return false;
}

static void visit(Search *s, uint32_t i) {
	const PtxInstr *in = &s->cfg->function->instrs[i];
	s->now = varies_by_itself(s->cfg->function, in);
	if (in->op != OP_VOTE && in->op != OP_REDUX) ptx_each_read(in, look, s);
	s->split_now = s->split[s->cfg->block_of[i]];
	ptx_each_written(in, mark, s);
}

static bool branches_on_varying(Search *s, const PtxBlock *block) {
	s->now = false;
	if (block->nsucc > 1) ptx_each_read(&s->cfg->function->instrs[block->end - 1], look, s);
	return s->now;
}

static void split(Search *s, const PtxBlock *block, bool *between) {
	ptx_between(s->cfg, block, block->ipdom, between);
	for (uint32_t b = 0; b < s->cfg->nblocks; b++) {
		s->changed |= between[b] && !s->split[b];
		s->split[b] |= between[b];
	}
}

bool *ptx_varying(const PtxCfg *cfg) {
	const PtxFunction *f = cfg->function;
	AUTO_FREE uint32_t *writers = xcalloc(f->nregs + 1, sizeof *writers);
	AUTO_FREE bool *split_blocks = xcalloc(cfg->nblocks + 1, sizeof *split_blocks);
	AUTO_FREE bool *between = xcalloc(cfg->nblocks + 1, sizeof *between);
	Search s = {.cfg = cfg, .writers = writers, .split = split_blocks};
	s.varies = xcalloc(f->nregs + 1, sizeof *s.varies);
	for (uint32_t i = 0; i < f->ninstrs; i++) ptx_each_written(&f->instrs[i], count_writer, writers);
	do {
		s.changed = false;
		for (uint32_t i = 0; i < f->ninstrs; i++) visit(&s, i);
		for (uint32_t b = 0; b < cfg->nblocks; b++)
			if (branches_on_varying(&s, &cfg->blocks[b])) split(&s, &cfg->blocks[b], between);
	} while (s.changed);
	return s.varies;
}
