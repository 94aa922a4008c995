/* Control flow, calls, and instructions across lanes and blocks. */
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
	vec_push(&L->fixups,
			 (Fixup){.op = (uint32_t)L->ops.len - 1, .target = target, .rejoin = L->cfg->blocks[here].ipdom});
	return true;
}

bool lower_brx(Lower *L, const PtxInstr *in, const Match *match) {
	uint32_t index = source(L, &in->operands[0], 4);
	if (index == NO_SLOT || in->guarded) return false;
	emit(L, H_brx)->a = index;
	vec_push(&L->fixups, (Fixup){.op = (uint32_t)L->ops.len - 1,
								 .rejoin = L->cfg->blocks[L->cfg->block_of[L->instr]].ipdom,
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
	const HandlerId h = match->row->kind;
	const bool gives = h != H_stackrestore, saves = h == H_stacksave;
	const uint32_t n = (uint32_t)ptx_type_bytes(in->types[0]), first = gives ? 1 : 0;
	uint64_t align = ALIGN_LEAST;
	if (in->noperands == 3 &&
		(!constant_bits(L, &in->operands[2], &align) || !align || (align & (align - 1)) || align > ALIGN_MOST))
		return false;
	const uint32_t d = gives ? destination(L, &in->operands[0], n) : NO_SLOT;
	const uint32_t a = saves ? NO_SLOT : source(L, &in->operands[first], n);
	if ((gives && d == NO_SLOT) || (!saves && a == NO_SLOT)) return false;
	Op *op = emit_on(L, h, d, a, NO_SLOT, NO_SLOT);
	op->imm = (int64_t)(align < ALIGN_LEAST ? ALIGN_LEAST : align);
	op->container = (uint8_t)n;
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

static const EmuFunction *callee_of(const Lower *L, const PtxFunction *f) {
	for (uint32_t i = 0; i < L->module->ptx->nfunctions; i++)
		if (L->module->ptx->functions[i] == f) return L->module->functions[i];
	return NULL;
}

bool lower_call(Lower *L, const PtxInstr *in, const Match *match) {
	if (in->noperands < 3 || (in->noperands == 4 && in->operands[3].kind != OPERAND_FUNCTION)) return false;
	CallSite *site = arena_alloc(L->arena, sizeof *site);
	const PtxOperand *callee = &in->operands[1];
	site->target = NO_SLOT;
	site->nrets = in->operands[0].nitems;
	site->nargs = in->operands[2].nitems;
	if (!argument_slots(L, &in->operands[0], &site->rets) || !argument_slots(L, &in->operands[2], &site->args))
		return false;
	if (callee->kind == OPERAND_FUNCTION) {
		site->name = callee->function->name;
		site->callee = callee->function->external ? NULL : callee_of(L, callee->function);
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

/* --- across lanes ------------------------------------------------------------------------------------------------- */

static uint32_t pair_slot(const Lower *L, const PtxOperand *d) {
	return d->has_pair ? L->slot[d->pair] : NO_SLOT;
}

/* The member mask of a .sync form, or NO_SLOT for the older forms; false: it cannot be read. */
static bool member_slot(Lower *L, const PtxInstr *in, uint32_t at, uint32_t *out) {
	*out = NO_SLOT;
	if (!(in->mods & MOD_SYNC)) return true;
	if (in->noperands <= at) return false;
	*out = source(L, &in->operands[at], 4);
	return *out != NO_SLOT;
}

bool lower_shfl(Lower *L, const PtxInstr *in, const Match *match) {
	uint32_t member;
	if (!member_slot(L, in, 4, &member)) return false;
	const PtxOperand *o = in->operands;
	uint32_t d = o[0].kind == OPERAND_SINK ? NO_SLOT : destination(L, &o[0], 4);
	uint32_t a = source(L, &o[1], 4), b = source(L, &o[2], 4), c = source(L, &o[3], 4);
	if ((d == NO_SLOT && o[0].kind != OPERAND_SINK) || a == NO_SLOT || b == NO_SLOT || c == NO_SLOT) return false;
	Op *op = emit_on(L, H_shfl, d, a, b, c);
	op->e = member;
	op->extra[0] = pair_slot(L, &o[0]);
	op->kind = (uint16_t)in->shuffle;
	return true;
}

bool lower_vote(Lower *L, const PtxInstr *in, const Match *match) {
	uint32_t member;
	if (!member_slot(L, in, 2, &member)) return false;
	uint32_t d = in->vote == VOTE_BALLOT ? destination(L, &in->operands[0], 4) : predicate(L, &in->operands[0]);
	uint32_t a = predicate(L, &in->operands[1]);
	if (d == NO_SLOT || a == NO_SLOT) return false;
	Op *op = emit_on(L, H_vote, d, a, NO_SLOT, NO_SLOT);
	op->e = member;
	op->kind = (uint16_t)in->vote;
	op->flags = in->operands[1].negated ? OPF_NEGATED : 0;
	return true;
}

bool lower_match(Lower *L, const PtxInstr *in, const Match *match) {
	const uint32_t n = (uint32_t)ptx_type_bytes(in->types[0]);
	uint32_t member;
	if (!member_slot(L, in, 2, &member)) return false;
	const PtxOperand *o = in->operands;
	uint32_t d = o[0].kind == OPERAND_SINK ? NO_SLOT : destination(L, &o[0], 4), a = source(L, &o[1], n);
	if (a == NO_SLOT || (d == NO_SLOT && o[0].kind != OPERAND_SINK)) return false;
	Op *op = emit_on(L, H_match, d, a, NO_SLOT, NO_SLOT);
	op->e = member;
	op->extra[0] = pair_slot(L, &o[0]);
	op->container = (uint8_t)n;
	op->kind = (uint16_t)match->choice;
	return true;
}

bool lower_redux(Lower *L, const PtxInstr *in, const Match *match) {
	uint32_t member;
	if (!member_slot(L, in, 2, &member)) return false;
	uint32_t d = destination(L, &in->operands[0], 4), a = source(L, &in->operands[1], 4);
	if (d == NO_SLOT || a == NO_SLOT) return false;
	Op *op = emit_on(L, H_redux, d, a, NO_SLOT, NO_SLOT);
	op->e = member;
	return true;
}

bool lower_elect(Lower *L, const PtxInstr *in, const Match *match) {
	uint32_t member;
	if (!member_slot(L, in, 1, &member)) return false;
	const PtxOperand *d = &in->operands[0];
	const uint32_t slot = d->kind == OPERAND_SINK ? NO_SLOT : destination(L, d, 4);
	if (slot == NO_SLOT && d->kind != OPERAND_SINK) return false;
	Op *op = emit(L, H_elect);
	op->d = slot;
	op->e = member;
	op->extra[0] = pair_slot(L, d);
	return true;
}

bool lower_activemask(Lower *L, const PtxInstr *in, const Match *match) {
	const uint32_t d = destination(L, &in->operands[0], 4);
	if (d == NO_SLOT) return false;
	emit(L, H_activemask)->d = d;
	return true;
}

/* --- barriers and fences ------------------------------------------------------------------------------------------ */

bool lower_warp_sync(Lower *L, const PtxInstr *in, const Match *match) {
	const uint32_t member = source(L, &in->operands[0], 4);
	if (member == NO_SLOT) return false;
	emit(L, H_warp_sync)->e = member;
	return true;
}

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
