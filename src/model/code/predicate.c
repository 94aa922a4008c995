/* Branches that ptxas leaves out: around a few instructions, which get the condition as a predicate instead.
 *
 *     @!%p bra $J;  ld.global %f1, [..];  $J: st.shared [..], %f1;      @P LDG R1, [..];  STS [..], R1;
 *
 * What comes before, behind, and between is then one block of code, in which the loads of all conditions are issued
 * together. Otherwise each would wait for the one before. */
#include "base/arena.h"
#include "model/code/code.h"
#include "model/code/sequence.h"

/* So many instructions at most get a predicate; estimate. */
enum { MOST_PREDICATED = 8 };

static bool takes_predicate(const PtxInstr *in) {
	uint32_t n;
	return !in->guarded && !code_ends_block(in) && in->op != OP_CALL && ptx_op_cost(in->op) != COST_ATOMIC &&
		   !code_sequence(in, &n);
}

static bool is_load(const PtxInstr *in) {
	return in->op == OP_LD || in->op == OP_LDU;
}

/* A few instructions, with a load among them: of others nothing is gained that a measurement shows. */
static bool is_guarded_load(const PtxCfg *cfg, const InstrCost *costs, const PtxBlock *b) {
	uint32_t n = 0, loads = 0;
	for (uint32_t i = b->first; i < b->end; i++) {
		const PtxInstr *in = &cfg->function->instrs[i];
		if (!takes_predicate(in)) return false;
		n += costs[i].issue > 0;
		loads += is_load(in);
	}
	return loads && n <= MOST_PREDICATED;
}

/* The block ends with a branch over the next one, which nothing else reaches, to where only these two meet. */
static bool skips_next(const PtxCfg *cfg, uint32_t b) {
	const PtxBlock *block = &cfg->blocks[b];
	if (b + 2 >= cfg->nblocks || block->nsucc != 2) return false;
	const PtxBlock *next = &cfg->blocks[b + 1], *meet = &cfg->blocks[b + 2];
	return block->succ[0] == b + 1 && block->succ[1] == b + 2 && next->npred == 1 && next->nsucc == 1 &&
		   next->succ[0] == b + 2 && meet->npred == 2;
}

bool *code_predicated(const PtxCfg *cfg, const InstrCost *costs) {
	bool *predicated = xcalloc(cfg->function->ninstrs + 1, sizeof *predicated);
	for (uint32_t b = 0; b < cfg->nblocks; b++)
		predicated[cfg->blocks[b].end - 1] = skips_next(cfg, b) && is_guarded_load(cfg, costs, &cfg->blocks[b + 1]);
	return predicated;
}
