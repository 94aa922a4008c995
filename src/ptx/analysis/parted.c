#include "ptx/analysis/parted.h"

#include "base/vec.h"

bool ptx_lanes_meet(const PtxInstr *in) {
	return in->op == OP_BAR || in->op == OP_BARRIER || ptx_op_cost(in->op) == COST_SHUFFLE;
}

/* From instruction i on, which is in the block. */
static void run_alone_from(const PtxCfg *cfg, uint32_t block, uint32_t i, bool meet, bool *alone) {
	AUTO_FREE bool *seen = xcalloc(cfg->nblocks + 1, sizeof *seen);
	VEC(uint32_t) open = {0};
	for (;;) {
		const PtxBlock *at = &cfg->blocks[block];
		while (i < at->end && !(meet && ptx_lanes_meet(&cfg->function->instrs[i]))) alone[i++] = true;
		for (uint32_t k = 0; i == at->end && k < at->nsucc; k++)
			if (!seen[at->succ[k]]) {
				seen[at->succ[k]] = true;
				vec_push(&open, at->succ[k]);
			}
		if (!open.len) break;
		block = open.data[--open.len];
		i = cfg->blocks[block].first;
	}
	vec_free(&open);
}

void ptx_run_alone(const PtxCfg *cfg, uint32_t block, bool meet, bool *alone) {
	run_alone_from(cfg, block, cfg->blocks[block].first, meet, alone);
}

void ptx_each_callee(const PtxModule *module, const PtxInstr *call, void (*visit)(void *, const PtxFunction *),
					 void *data) {
	const PtxOperand *callee = &call->operands[1];
	if (callee->kind == OPERAND_FUNCTION) {
		visit(data, callee->function);
		return;
	}
	for (uint32_t f = 0; f < module->nfunctions; f++)
		if (!module->functions[f]->entry) visit(data, module->functions[f]);
}

static void look_for_yield(void *data, const PtxFunction *callee) {
	bool *yields = data;
	for (uint32_t i = 0; i < callee->ninstrs; i++) {
		const PtxInstr *in = &callee->instrs[i];
		*yields |= in->op == OP_ATOM || (in->op == OP_LD && in->sem > SEM_WEAK);
	}
}

CallParts ptx_call_parts(const PtxCfg *cfg, const PtxModule *module, const bool *varying, uint32_t call, bool *alone) {
	const PtxInstr *in = &cfg->function->instrs[call];
	const PtxOperand *callee = &in->operands[1];
	bool yields = false;
	CallParts parts = CALL_STAYS;
	ptx_each_callee(module, in, look_for_yield, &yields);
	if (!yields) return CALL_STAYS;
	for (uint32_t b = 0; b < cfg->nblocks; b++) {
		const PtxBlock *block = &cfg->blocks[b];
		const PtxInstr *last = &cfg->function->instrs[block->end - 1];
		if (block->nsucc < 2 || !last->guarded || !varying[last->guard] || block->ipdom == CFG_EXIT) continue;
		AUTO_FREE bool *between = xcalloc(cfg->nblocks + 1, sizeof *between);
		if (!ptx_between(cfg, block, block->ipdom, between) || !between[cfg->block_of[call]]) continue;
		ptx_run_alone(cfg, block->ipdom, false, alone);
		parts = CALL_PARTS;
	}
	if (!(callee->kind == OPERAND_REG && varying[callee->reg]) && !(in->guarded && varying[in->guard])) return parts;
	run_alone_from(cfg, cfg->block_of[call], call + 1, false, alone);
	return CALL_SCATTERS;
}
