/* Loads, stores, atomics, and the parameters of functions. */
#include "emu/lower/lower.h"

enum { MAX_ELEMENTS = 8 };

/* The address operand: a register or a constant, and an offset. */
bool lower_address(Lower *L, const PtxOperand *o, uint32_t *slot, int64_t *offset, uint8_t *flags) {
	if (o->kind != OPERAND_ADDRESS || o->nitems) return false;
	*offset = o->offset;
	if (o->has_base) {
		const uint32_t n = register_bytes(L, o->reg);
		const PtxOperand reg = {.kind = OPERAND_REG, .reg = o->reg};
		if (n != 4 && n != 8) return false;
		if (n == 4) *flags |= OPF_ADDR32;
		*slot = source(L, &reg, n);
		return *slot != NO_SLOT;
	}
	if (!o->symbol) { /* [1024] */
		*slot = bits_slot(L, 0, 8);
		return true;
	}
	const PtxOperand symbol = {.kind = OPERAND_SYMBOL, .symbol = o->symbol};
	*slot = source(L, &symbol, 8);
	return *slot != NO_SLOT;
}

Op *emit_access(Lower *L, HandlerId id, const PtxInstr *in, const PtxOperand *where, uint32_t bytes, uint32_t n) {
	uint8_t flags = synchronizes(in) ? OPF_SYNC : 0;
	uint32_t slot;
	int64_t offset;
	if (!lower_address(L, where, &slot, &offset, &flags)) return NULL;
	Op *op = emit(L, id);
	op->a = slot;
	op->imm = offset;
	op->bytes = op->container = (uint8_t)bytes;
	op->vector = (uint8_t)n;
	op->flags = flags;
	op->space = (uint8_t)in->space;
	op->cache_slot = (uint8_t)(L->memory_ops++ % 16);
	return op;
}

/* The registers of a scalar or vector operand; all of the same width. */
static bool elements(Lower *L, const PtxOperand *o, uint32_t n, bool load, uint32_t bytes, uint32_t *slots,
					 uint32_t *container) {
	const PtxOperand *items = n == 1 && o->kind != OPERAND_VECTOR ? o : o->items;
	if (n > MAX_ELEMENTS || (items != o && o->nitems != n)) return false;
	*container = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t c = operand_bytes(L, &items[i], 0);
		if (c > *container) *container = c;
	}
	if (!*container) *container = bytes <= 2 ? 2 : bytes;
	if (*container > 8 || *container < bytes) return false;
	for (uint32_t i = 0; i < n; i++) {
		if (load && items[i].kind == OPERAND_SINK) {
			slots[i] = NO_SLOT;
			continue;
		}
		slots[i] = load ? destination(L, &items[i], *container) : source(L, &items[i], *container);
		if (slots[i] == NO_SLOT) return false;
	}
	return true;
}

static const uint32_t *keep_list(Lower *L, const uint32_t *slots, uint32_t n) {
	uint32_t *list = arena_array(L->arena, n, sizeof *list);
	for (uint32_t i = 0; i < n; i++) list[i] = slots[i];
	return list;
}

static bool has_sink(const uint32_t *slots, uint32_t n) {
	for (uint32_t i = 0; i < n; i++)
		if (slots[i] == NO_SLOT) return true;
	return false;
}

static HandlerId fast_handler(const PtxInstr *in, uint32_t bytes, uint32_t container, uint8_t flags, bool load) {
	enum { ONE_32, ONE_64, TWO_32, FOUR_32, SHAPES };
	enum { GLOBAL, SHARED, SHARED_AT_32, PLACES };
	static const HandlerId handlers[PLACES][2][SHAPES] = {
		[GLOBAL] = {{H_st_global_32, H_st_global_64, H_st_global_v2_32, H_st_global_v4_32},
					{H_ld_global_32, H_ld_global_64, H_ld_global_v2_32, H_ld_global_v4_32}},
		[SHARED] = {{H_st_shared_32, H_st_shared_64, H_st_shared_v2_32, H_st_shared_v4_32},
					{H_ld_shared_32, H_ld_shared_64, H_ld_shared_v2_32, H_ld_shared_v4_32}},
		[SHARED_AT_32] = {{H_st_shared_32_at_32, H_st_shared_64_at_32, H_st_shared_v2_32, H_st_shared_v4_32},
						  {H_ld_shared_32_at_32, H_ld_shared_64_at_32, H_ld_shared_v2_32, H_ld_shared_v4_32}}};
	const bool shared = in->space == SPACE_SHARED, narrow = flags & OPF_ADDR32;
	if ((in->space != SPACE_GLOBAL && !shared) || (in->mods & MOD_SHARED_CLUSTER)) return H_none;
	if (bytes != container || (narrow && !shared)) return H_none;
	const HandlerId *of = handlers[narrow ? SHARED_AT_32 : shared ? SHARED : GLOBAL][load];
	if (in->vector == 1) return bytes == 4 ? of[ONE_32] : bytes == 8 ? of[ONE_64] : H_none;
	if (bytes != 4) return H_none;
	return in->vector == 2 ? of[TWO_32] : in->vector == 4 ? of[FOUR_32] : H_none;
}

static bool access(Lower *L, const PtxInstr *in, bool load) {
	const PtxOperand *value = &in->operands[load ? 0 : 1], *where = &in->operands[load ? 1 : 0];
	const uint32_t bytes = (uint32_t)ptx_type_bytes(in->types[0]), n = in->vector;
	uint32_t slots[MAX_ELEMENTS], container;
	if (bytes == 0 || bytes > 8 || bytes * n > 32 || !elements(L, value, n, load, bytes, slots, &container))
		return false;
	Op *op = emit_access(L, load ? H_ld_any : H_st_any, in, where, bytes, n);
	if (!op) return false;
	const HandlerId fast = has_sink(slots, n) ? H_none : fast_handler(in, bytes, container, op->flags, load);
	if (fast != H_none) op->run = handler(fast);
	*(load ? &op->d : &op->b) = slots[0];
	if (n > 1) op->list = keep_list(L, slots, n);
	op->container = (uint8_t)container;
	if (type_signed(in->types[0])) op->flags |= OPF_SIGNED;
	return true;
}

/* --- parameters --------------------------------------------------------------------------------------------------- */

static bool find_param(const Lower *L, const PtxVar *v, ParamSlot *out) {
	const PtxFunction *f = L->ptx;
	for (uint32_t i = 0; i < f->nlocals; i++)
		if (f->locals[i] == v) return *out = L->locals[i], true;
	if (f->entry) return false;
	for (uint32_t i = 0; i < f->nparams; i++)
		if (f->params[i] == v) return *out = L->fn->params[i], true;
	for (uint32_t i = 0; i < f->nreturns; i++)
		if (f->returns[i] == v) return *out = L->fn->returns[i], true;
	return false;
}

/* [symbol + 8] */
static bool call_param(const Lower *L, const PtxOperand *o, ParamSlot *slot, int64_t *offset) {
	if (o->kind != OPERAND_ADDRESS || o->has_base || !o->symbol) return false;
	*offset = o->offset;
	return find_param(L, o->symbol, slot);
}

static bool param_access(Lower *L, const PtxInstr *in, bool load) {
	const PtxOperand *value = &in->operands[load ? 0 : 1], *where = &in->operands[load ? 1 : 0];
	const uint32_t bytes = (uint32_t)ptx_type_bytes(in->types[0]), n = in->vector;
	uint32_t slots[MAX_ELEMENTS], container;
	ParamSlot param;
	int64_t offset;
	if (!call_param(L, where, &param, &offset)) return L->ptx->entry && load && access(L, in, true);
	if (bytes == 0 || bytes > 8 || offset < 0 || (uint64_t)offset + bytes * n > (uint64_t)param.words * 4) return false;
	if (!elements(L, value, n, load, bytes, slots, &container)) return false;
	/* just a lane array */
	const bool whole = n == 1 && bytes == 4 && container == 4 && offset % 4 == 0 && slots[0] != NO_SLOT;
	Op *op = emit(L, whole ? H_mov_32 : load ? H_ld_callparam : H_st_callparam);
	const uint32_t word = param.slot + (uint32_t)offset / 4 * SLOT32;
	if (whole) {
		op->d = load ? slots[0] : word;
		op->a = load ? word : slots[0];
		return true;
	}
	op->a = param.slot;
	op->imm = offset;
	op->d = slots[0];
	if (n > 1) op->list = keep_list(L, slots, n);
	op->bytes = (uint8_t)bytes;
	op->vector = (uint8_t)n;
	op->container = (uint8_t)container;
	op->flags = type_signed(in->types[0]) ? OPF_SIGNED : 0;
	return true;
}

/* --- atomics ------------------------------------------------------------------------------------------------------ */

bool lower_atomic(Lower *L, const PtxInstr *in, const Match *match) {
	const bool result = in->op == OP_ATOM, cas = in->atomic == ATOM_CAS;
	const uint32_t first = result ? 1 : 0, n = in->vector, bytes = (uint32_t)ptx_type_bytes(in->types[0]);
	const bool used = result && in->operands[0].kind != OPERAND_SINK;
	uint32_t list[2 * MAX_ELEMENTS], container, dc, c = NO_SLOT;
	if (!elements(L, &in->operands[first + 1], n, false, bytes, list, &container) ||
		container != (bytes <= 2 ? 2 : bytes))
		return false;
	for (uint32_t i = 0; i < n; i++) list[n + i] = NO_SLOT;
	if (used && (!elements(L, &in->operands[0], n, true, bytes, list + n, &dc) || dc != container)) return false;
	if (cas && (c = source(L, &in->operands[first + 2], container)) == NO_SLOT) return false;
	Op *op = emit_access(L, H_atom, in, &in->operands[first], bytes, n);
	if (!op) return false;
	op->b = list[0];
	op->c = c;
	op->d = list[n];
	if (n > 1) op->list = keep_list(L, list, 2 * n);
	op->container = (uint8_t)container;
	if (used) op->flags |= OPF_RESULT;
	op->kind = (uint16_t)in->types[0];
	return true;
}

bool lower_memory(Lower *L, const PtxInstr *in, const Match *match) {
	const bool load = match->row->kind == H_ld_any;
	return in->space == SPACE_PARAM ? param_access(L, in, load) : access(L, in, load);
}
