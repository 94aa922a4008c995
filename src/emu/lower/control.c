/* Control flow, calls, votes, and barriers of blocks. */
#include <string.h>

#include "emu/lower/lower.h"

/* --- branches ----------------------------------------------------------------------------------------------------- */

static bool ends_at_once(const Lower *L, uint32_t block) {
	if (block == CFG_EXIT) return true;
	const PtxBlock *b = &L->cfg->blocks[block];
	const PtxInstr *last = &L->ptx->instrs[b->end - 1];
	return (last->op == OP_RET || last->op == OP_EXIT) && !last->guarded && b->end - b->first <= 4;
}

bool lower_bra(Lower *L, const PtxInstr *in, const Match *match) {
	const uint32_t to = in->operands[0].target, here = L->cfg->block_of[L->instr];
	const uint32_t target = to < L->ptx->ninstrs ? L->cfg->block_of[to] : CFG_EXIT;
	if (in->guarded && to == L->instr + 1) return emit(L, H_nop) != NULL;
	Op *op = emit(L, in->guarded ? H_bra_if : H_bra);
	if (in->guarded) {
		op->a = L->slot[in->guard];
		op->flags = (uint8_t)((in->guard_negated ? OPF_NEGATED : 0) | (ends_at_once(L, target) ? OPF_EXIT_FIRST : 0));
	}
	vec_push(&L->fixups, (Fixup){.op = (uint32_t)L->ops.len - 1,
								 .target = target,
								 .rejoin = L->cfg->blocks[here].meet,
								 .out = L->cfg->blocks[here].ipdom});
	return true;
}

bool lower_brx(Lower *L, const PtxInstr *in, const Match *match) {
	uint32_t index = source(L, &in->operands[0], 4);
	if (index == NO_SLOT || in->guarded) return false;
	const PtxBlock *block = &L->cfg->blocks[L->cfg->block_of[L->instr]];
	emit(L, H_brx)->a = index;
	vec_push(&L->fixups, (Fixup){.op = (uint32_t)L->ops.len - 1,
								 .rejoin = block->meet,
								 .out = block->ipdom,
								 .list = (uint32_t)in->operands[1].bits + 1});
	return true;
}

bool lower_leave(Lower *L, const PtxInstr *in, const Match *match) {
	Op *op = emit(L, match->row->kind);
	if (in->guarded) {
		op->a = L->slot[in->guard];
		op->flags = (uint8_t)(OPF_GUARDED | (in->guard_negated ? OPF_NEGATED : 0));
	}
	return true;
}

enum { ALIGN_LEAST = 8, ALIGN_MOST = 1 << 23 };

bool lower_stack(Lower *L, const PtxInstr *in, const Match *match) {
	uint64_t align = ALIGN_LEAST;
	if (in->noperands == 3 &&
		(!constant_bits(L, &in->operands[2], &align) || !align || (align & (align - 1)) || align > ALIGN_MOST))
		return false;
	Op *op = emit_places(L, match->row->kind, in, match->row->operands);
	if (!op) return false;
	op->imm = (int64_t)(align < ALIGN_LEAST ? ALIGN_LEAST : align);
	L->fn->grows = true;
	return true;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static Builtin builtin_named(const char *name) {
	if (!strcmp(name, "vprintf")) return BUILTIN_VPRINTF;
	if (!strcmp(name, "__assertfail")) return BUILTIN_ASSERTFAIL;
	if (!strcmp(name, "malloc")) return BUILTIN_MALLOC;
	if (!strcmp(name, "__cuda_syscall_aligned_malloc")) return BUILTIN_MALLOC; /* every allocation is aligned to 256 */
	if (!strcmp(name, "free")) return BUILTIN_FREE;
	if (!strcmp(name, "cudaGraphSetConditional")) return BUILTIN_SET_CONDITIONAL;
	return BUILTIN_OTHER;
}

static bool argument_slots(Lower *L, const PtxOperand *list, ParamSlot **out) {
	*out = arena_array(L->arena, list->nitems + 1, sizeof **out);
	for (uint32_t i = 0; i < list->nitems; i++) {
		const PtxOperand *o = &list->items[i];
		bool found = false;
		for (uint32_t k = 0; k < L->ptx->nlocals && o->kind == OPERAND_SYMBOL && !found; k++) {
			found = L->ptx->locals[k] == o->symbol && o->symbol->space == SPACE_PARAM;
			if (found) (*out)[i] = L->locals[k];
		}
		if (!found) return false;
	}
	return true;
}

bool lower_call(Lower *L, const PtxInstr *in, const Match *match) {
	if (in->noperands < 3 || (in->noperands == 4 && in->operands[3].kind != OPERAND_FUNCTION)) return false;
	CallSite *site = arena_alloc(L->arena, sizeof *site);
	const PtxOperand *callee = &in->operands[1];
	site->target = NO_SLOT;
	site->instr = in;
	site->nrets = in->operands[0].nitems;
	site->nargs = in->operands[2].nitems;
	if (!argument_slots(L, &in->operands[0], &site->rets) || !argument_slots(L, &in->operands[2], &site->args))
		return false;
	if (callee->kind == OPERAND_FUNCTION) {
		site->name = callee->function->name;
		site->callee = callee->function->external ? NULL : L->module->functions[callee->function->index];
		if (site->callee)
			vec_push(&L->callees, site->callee->index);
		else
			site->builtin = builtin_named(site->name);
	} else {
		site->target = source(L, callee, 8);
		if (site->target == NO_SLOT) return false;
		L->fn->indirect = true;
	}
	emit(L, H_call)->aux = site;
	return true;
}

bool lower_vote(Lower *L, const PtxInstr *in, const Match *match) {
	Op *op = emit_places(L, H_vote, in, match->row->operands);
	if (!op) return false;
	op->kind = (uint16_t)in->vote;
	op->flags = in->operands[1].negated ? OPF_NEGATED : 0;
	return true;
}

/* --- barriers and fences ------------------------------------------------------------------------------------------ */

/* Kind: BAR_SYNC and so on. */
bool lower_barrier(Lower *L, const PtxInstr *in, const Match *match) {
	const int kind = match->row->kind;
	const bool reduces = kind >= BAR_POPC, aligned = in->op == OP_BAR || (in->mods & MOD_ALIGNED);
	const PtxOperand *o = in->operands, *last = &o[in->noperands - 1];
	uint32_t d = NO_SLOT, p = NO_SLOT;
	if (reduces) {
		d = kind == BAR_POPC ? destination(L, &o[0], 4) : predicate(L, &o[0]);
		p = predicate(L, last);
		if (d == NO_SLOT || p == NO_SLOT) return false;
	}
	const bool counts = in->noperands == (reduces ? 4 : 2);
	const uint32_t id = source(L, &o[reduces], 4), count = counts ? source(L, &o[reduces + 1], 4) : NO_SLOT;
	if (id == NO_SLOT || (counts && count == NO_SLOT)) return false;
	Op *op = emit_on(L, H_bar, d, id, count, p);
	op->kind = (uint16_t)kind;
	op->flags = (uint8_t)((reduces && last->negated ? OPF_NEGATED : 0) | (aligned ? OPF_ALIGNED : 0));
	return true;
}
