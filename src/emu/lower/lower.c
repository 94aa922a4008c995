/* The driver: blocks in text order, instructions within them, guards, and branches once every Op has its place. */
#include <stdlib.h>
#include <string.h>

#include "emu/lower/lower.h"

/* --- one instruction ---------------------------------------------------------------------------------------------- */

/* The first row that takes the instruction translates it; the Ops of one that does not are dropped. */
static bool translate(Lower *L, const PtxInstr *in) {
	const char *form = L->module->ptx->forms[in->form];
	const size_t mark = L->ops.len, fixed = L->fixups.len;
	for (Match m = L->module->forms[in->form]; m.row; m = match_next(&m, form)) {
		if (match_takes(&m, in) && m.row->translate(L, in, &m)) return true;
		L->ops.len = mark;
		L->fixups.len = fixed;
	}
	return false;
}

static bool takes_guard_itself(PtxOp op) {
	return op == OP_BRA || op == OP_RET || op == OP_EXIT;
}

/* A register that became a constant needs no instruction at its one definition. */
static bool became_constant(const Lower *L, const PtxInstr *in) {
	if (in->guarded || !in->noperands || (in->op != OP_MOV && in->op != OP_LD && in->op != OP_CVTA && in->op != OP_ADD))
		return false;
	const PtxOperand *d = &in->operands[0];
	return d->kind == OPERAND_REG && L->constant[d->reg].container;
}

static void lower_instruction(Lower *L, uint32_t i) {
	const PtxInstr *in = &L->ptx->instrs[i];
	L->instr = i;
	if (became_constant(L, in)) return;
	const bool skips = in->guarded && !takes_guard_itself(in->op);
	uint32_t skip = (uint32_t)L->ops.len;
	if (skips) {
		Op *op = emit(L, H_skip_if);
		op->a = L->slot[in->guard];
		op->flags = in->guard_negated ? 0 : OPF_NEGATED; /* jumps if the guard is false */
	}
	if (L->speculative) lower_speculation(L, in);
	if (in->unknown || !translate(L, in)) emit(L, H_uncovered);
	if (skips) {
		vec_push(&L->fixups,
				 (Fixup){.op = skip, .target = (uint32_t)L->ops.len, .rejoin = (uint32_t)L->ops.len, .local = true});
		emit(L, H_join);
	}
}

/* --- branches ----------------------------------------------------------------------------------------------------- */

static uint32_t block_op(const Lower *L, uint32_t block) {
	return block == CFG_EXIT ? L->fn->nops - 1 : L->fn->op_of_block[block];
}
static uint32_t instr_block(const Lower *L, uint32_t instr) {
	return instr < L->ptx->ninstrs ? L->cfg->block_of[instr] : CFG_EXIT;
}

static const JumpTable *jump_table(Lower *L, const Fixup *f) {
	const uint32_t list = f->list - 1, n = L->ptx->nbranch_targets[list];
	JumpTable *t = arena_alloc(L->arena, sizeof *t);
	int32_t *distance = arena_array(L->arena, n, sizeof *distance);
	for (uint32_t i = 0; i < n; i++)
		distance[i] = (int32_t)block_op(L, instr_block(L, L->ptx->branch_targets[list][i])) - (int32_t)f->op;
	*t = (JumpTable){.distance = distance, .count = n};
	if (f->rejoin != CFG_EXIT) t->rejoin = L->fn->ops + block_op(L, f->rejoin);
	if (f->rejoin != f->out) t->out = L->fn->ops + block_op(L, f->out);
	return t;
}

static void settle_branches(Lower *L) {
	for (size_t i = 0; i < L->fixups.len; i++) {
		const Fixup *f = &L->fixups.data[i];
		Op *op = &L->fn->ops[f->op];
		if (f->list) {
			op->jumps = jump_table(L, f);
			continue;
		}
		uint32_t target = f->local ? f->target : block_op(L, f->target);
		op->imm = (int64_t)target - (int64_t)f->op;
		op->out = 0;
		if (f->local) {
			op->rejoin = L->fn->ops + f->rejoin;
			continue;
		}
		op->rejoin = f->rejoin == CFG_EXIT ? NULL : L->fn->ops + block_op(L, f->rejoin);
		if (f->rejoin != f->out) op->out = (int32_t)block_op(L, f->out) - (int32_t)f->op;
	}
}

/* --- one function ------------------------------------------------------------------------------------------------- */

static void *keep(Arena *arena, const void *data, size_t count, size_t size) {
	void *copy = arena_array(arena, count ? count : 1, size);
	if (count) memcpy(copy, data, count * size);
	return copy;
}
#define KEEP(L, vec, count)                                                                                            \
	(*(count) = (uint32_t)(vec).len, keep((L)->arena, (vec).data, (vec).len, sizeof *(vec).data))

/* Parameters of device functions, and the parameters of calls made here, are words of 32 lanes in the frame. */
static ParamSlot param_slot(Lower *L, const PtxVar *v) {
	uint32_t words = v->bytes > 4096 ? 0 : (uint32_t)(v->bytes + 3) / 4;
	return (ParamSlot){.slot = frame_take(L, words * SLOT32), .words = words};
}

static ParamSlot *param_slots(Lower *L, PtxVar *const *vars, uint32_t n) {
	ParamSlot *slots = arena_array(L->arena, n ? n : 1, sizeof *slots);
	for (uint32_t i = 0; i < n; i++) slots[i] = param_slot(L, vars[i]);
	return slots;
}

static void measure_variables(Lower *L) {
	EmuFunction *fn = L->fn;
	L->locals = arena_array(L->arena, L->ptx->nlocals + 1, sizeof *L->locals);
	for (uint32_t i = 0; i < L->ptx->nlocals; i++) {
		const PtxVar *v = L->ptx->locals[i];
		size_t end = v->offset + v->bytes;
		if (v->space == SPACE_PARAM) L->locals[i] = param_slot(L, v);
		if (v->space == SPACE_LOCAL && end > fn->local_bytes) fn->local_bytes = end;
		if (v->space == SPACE_SHARED && end > fn->shared_bytes) fn->shared_bytes = end;
	}
	if (L->ptx->entry) return;
	fn->params = param_slots(L, L->ptx->params, L->ptx->nparams);
	fn->returns = param_slots(L, L->ptx->returns, L->ptx->nreturns);
}

/* The blocks to which lanes go that leave others which meet before (reconvergence.c) begin with an Op for that. */
static void find_ways_out(const PtxCfg *cfg, bool *out) {
	for (uint32_t b = 0; b < cfg->nblocks; b++)
		if (cfg->blocks[b].meet != cfg->blocks[b].ipdom) out[cfg->blocks[b].ipdom] = true;
}

static void lower_blocks(Lower *L) {
	AUTO_FREE bool *out = xcalloc(L->cfg->nblocks + 1, sizeof *out);
	find_ways_out(L->cfg, out);
	L->fn->op_of_block = arena_array(L->arena, L->cfg->nblocks + 1, sizeof *L->fn->op_of_block);
	for (uint32_t b = 0; b < L->cfg->nblocks; b++) {
		const PtxBlock *block = &L->cfg->blocks[b];
		L->fn->op_of_block[b] = (uint32_t)L->ops.len;
		L->instr = block->first;
		if (out[b]) emit(L, H_leave);
		emit_on(L, H_block, NO_SLOT, b, block->end - block->first, NO_SLOT);
		for (uint32_t i = block->first; i < block->end; i++) lower_instruction(L, i);
	}
	L->instr = L->ptx->ninstrs ? L->ptx->ninstrs - 1 : 0;
	emit(L, H_ret); /* running off the end returns */
}

static int per_block_first(const void *a, const void *b) {
	return ((const Fill *)b)->per_block - ((const Fill *)a)->per_block;
}

void lower_function(EmuModule *module, EmuFunction *fn) {
	Lower L = {.module = module,
			   .fn = fn,
			   .ptx = fn->ptx,
			   .cfg = fn->cfg,
			   .arena = module->arena,
			   .carry = NO_SLOT,
			   .temp_pred = NO_SLOT};
	for (unsigned i = 0; i < 4; i++) L.temp[i] = NO_SLOT;
	L.slot = xcalloc(fn->ptx->nregs + 1, sizeof *L.slot);
	L.constant = xcalloc(fn->ptx->nregs + 1, sizeof *L.constant);
	L.fused = xcalloc(fn->ptx->ninstrs + 1, sizeof *L.fused);
	find_constants(&L);
	contract_products(&L);
	find_speculation(&L);
	place_registers(&L);
	measure_variables(&L);
	lower_blocks(&L);
	if (module->keeps_registers) keep_places(&L);
	fn->ops = KEEP(&L, L.ops, &fn->nops);
	settle_branches(&L);
	fn->fills = KEEP(&L, L.fills, &fn->nfills);
	qsort(fn->fills, fn->nfills, sizeof *fn->fills, per_block_first);
	while (fn->nblock_fills < fn->nfills && fn->fills[fn->nblock_fills].per_block) fn->nblock_fills++;
	fn->frame_bytes = L.frame;
	fn->callees = KEEP(&L, L.callees, &fn->ncallees);
	fn->shared_refs = KEEP(&L, L.shared_refs, &fn->nshared_refs);
	vec_free(&L.ops);
	vec_free(&L.fills);
	vec_free(&L.fixups);
	vec_free(&L.kept);
	vec_free(&L.callees);
	vec_free(&L.shared_refs);
	free(L.slot);
	free(L.constant);
	free(L.fused);
	free(L.speculative);
}
