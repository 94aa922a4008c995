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
enum { MOST_PREDICATED = 8, MOST_SKIPPED = 4 /* blocks and the meeting */ };

static bool takes_predicate(const PtxInstr *in) {
	uint32_t n;
	return !in->guarded && !code_ends_block(in) && in->op != OP_CALL && ptx_op_cost(in->op) != COST_ATOMIC &&
		   !code_sequence(in, &n);
}

static bool is_load(const PtxInstr *in) {
	return in->op == OP_LD || in->op == OP_LDU;
}

/* A few instructions, up to `end`. */
static bool is_guarded(const PtxCfg *cfg, const InstrCost *costs, uint32_t first, uint32_t end, uint32_t *loads) {
	uint32_t n = 0;
	for (uint32_t i = first; i < end; i++) {
		const PtxInstr *in = &cfg->function->instrs[i];
		if (!takes_predicate(in)) return false;
		n += costs[i].issue > 0;
		*loads += is_load(in);
	}
	return n <= MOST_PREDICATED;
}

/* The block ends with a branch over the next ones to where only these meet, and so may each of them: conditions of one
 * load. Returns how many blocks further that is; 0: it does not, or no load is skipped, which gains nothing that a
 * measurement shows. */
static uint32_t skipped(const PtxCfg *cfg, const InstrCost *costs, uint32_t b) {
	const PtxBlock *block = &cfg->blocks[b];
	if (block->nsucc != 2 || block->succ[0] != b + 1 || block->succ[1] <= b + 1 || block->succ[1] - b > MOST_SKIPPED)
		return 0;
	const uint32_t meet = block->succ[1];
	uint32_t loads = 0;
	if (cfg->blocks[meet].npred != meet - b) return 0;
	for (uint32_t k = b + 1; k < meet; k++) {
		const PtxBlock *next = &cfg->blocks[k];
		const bool last = k + 1 == meet, leaves = next->nsucc == 2 && next->succ[0] == k + 1 && next->succ[1] == meet;
		if (next->npred != 1 || !(last ? next->nsucc == 1 && next->succ[0] == meet : leaves)) return 0;
		if (!is_guarded(cfg, costs, next->first, last ? next->end : next->end - 1, &loads)) return 0;
	}
	return loads ? meet - b : 0;
}

uint8_t *code_predicated(const PtxCfg *cfg, const InstrCost *costs) {
	uint8_t *predicated = xcalloc(cfg->function->ninstrs + 1, sizeof *predicated);
	for (uint32_t b = 0; b < cfg->nblocks; b++) {
		const uint32_t n = skipped(cfg, costs, b);
		for (uint32_t k = 0; k < n; k++)
			if (cfg->blocks[b + k].nsucc == 2) predicated[cfg->blocks[b + k].end - 1] = (uint8_t)(n - k);
	}
	return predicated;
}
