/* cp.async and mbarrier. */
#include "emu/code/async.h"
#include "emu/lower/lower.h"

static bool place(Lower *L, const PtxOperand *o, PtxSpace space, AsyncAddress *out) {
	uint8_t flags = 0;
	*out = (AsyncAddress){.space = space};
	if (!lower_address(L, o, &out->slot, &out->offset, &flags)) return false;
	out->narrow = flags & OPF_ADDR32;
	return true;
}

/* --- cp.async ----------------------------------------------------------------------------------------------------- */

static bool scratch(Lower *L, AsyncCopy *c) {
	for (unsigned k = 0; k < 2; k++) c->list[k] = c->data[k] = temp_slot(L, k);
	return true;
}

bool lower_copy(Lower *L, const PtxInstr *in, const Match *match) {
	AsyncCopy *c = arena_alloc(L->arena, sizeof *c);
	uint64_t size;
	const PtxOperand *o = in->operands;
	if (!constant_bits(L, &o[2], &size) || (size != 4 && size != 8 && size != 16)) return false;
	c->source_size = c->barrier.slot = NO_SLOT;
	if (!place(L, &o[0], SPACE_SHARED, &c->to) || !place(L, &o[1], SPACE_GLOBAL, &c->from)) return false;
	c->size = bits_slot(L, size, 4);
	if (in->noperands > 3 && !match->choice) {
		if (operand_bytes(L, &o[3], 4) != 4) return false; /* a predicate: ignore-src */
		c->source_size = source(L, &o[3], 4);
		if (c->source_size == NO_SLOT) return false;
	} else if (in->noperands > 4)
		return false;
	if (!scratch(L, c)) return false;
	Op *op = emit(L, H_cp_async);
	op->aux = c;
	op->bytes = (uint8_t)size;
	op->cache_slot = (uint8_t)(L->memory_ops++ % 16);
	return true;
}

bool lower_bulk_copy(Lower *L, const PtxInstr *in, const Match *match) {
	AsyncCopy *c = arena_alloc(L->arena, sizeof *c);
	const PtxOperand *o = in->operands;
	const int kind = match->row->kind;
	const bool inward = kind != BULK_OUTWARD && kind != BULK_REDUCE_OUTWARD;
	const bool loads = kind == BULK_INWARD || kind == BULK_MULTICAST;
	c->source_size = c->barrier.slot = c->blocks = NO_SLOT;
	c->reduces = kind == BULK_REDUCE_ACROSS || kind == BULK_REDUCE_OUTWARD;
	if (c->reduces) c->type = in->types[in->ntypes - 1];
	if (!place(L, &o[0], inward ? SPACE_SHARED : SPACE_GLOBAL, &c->to) ||
		!place(L, &o[1], loads ? SPACE_GLOBAL : SPACE_SHARED, &c->from))
		return false;
	if (kind == BULK_MULTICAST && (c->blocks = source(L, &o[4], 2)) == NO_SLOT) return false;
	c->size = source(L, &o[2], 4);
	if (c->size == NO_SLOT || (inward && !place(L, &o[3], SPACE_SHARED, &c->barrier)) || !scratch(L, c)) return false;
	Op *op = emit(L, H_cp_bulk);
	op->aux = c;
	op->bytes = 16;
	op->cache_slot = (uint8_t)(L->memory_ops++ % 16);
	return true;
}

/* [map, {x, y}] */
static bool coordinates(Lower *L, const PtxOperand *o, TensorCopy *c) {
	const PtxOperand *list = o->nitems == 1 && o->items[0].kind == OPERAND_VECTOR ? &o->items[0] : NULL;
	const PtxOperand *items = list ? list->items : o->items;
	if ((list ? list->nitems : o->nitems) != c->rank) return false;
	for (uint32_t i = 0; i < c->rank; i++)
		if ((c->coordinates[i] = source(L, &items[i], 4)) == NO_SLOT) return false;
	PtxOperand map = *o;
	map.nitems = 0;
	return place(L, &map, SPACE_GENERIC, &c->map);
}

static bool offsets(Lower *L, const PtxOperand *o, TensorCopy *c) {
	c->noffsets = c->rank - 2;
	if (o->kind != OPERAND_VECTOR || o->nitems != c->noffsets) return false;
	for (uint32_t i = 0; i < c->noffsets; i++)
		if ((c->offsets[i] = source(L, &o->items[i], 2)) == NO_SLOT) return false;
	return true;
}

/* Choice: the dimensions, of which an im2col map has at least 3. */
bool lower_tensor_copy(Lower *L, const PtxInstr *in, const Match *match) {
	TensorCopy *c = arena_alloc(L->arena, sizeof *c);
	const PtxOperand *o = in->operands;
	const bool im2col = match->row->kind & TENSOR_IM2COL;
	*c = (TensorCopy){.action = (TensorAction)(match->row->kind & ~TENSOR_IM2COL),
					  .im2col = im2col,
					  .rank = (uint32_t)match->choice + (im2col ? 3 : 1),
					  .blocks = NO_SLOT};
	const bool several = c->action == TENSOR_MULTICAST, load = several || c->action == TENSOR_LOAD;
	const bool alone = c->action == TENSOR_PREFETCH;
	uint32_t at = load ? 3 : 1;
	if (!coordinates(L, &o[load ? 1 : 0], c)) return false;
	if (!alone && !place(L, &o[load ? 0 : 1], SPACE_SHARED, &c->shared)) return false;
	if (load && !place(L, &o[2], SPACE_SHARED, &c->barrier)) return false;
	if (im2col && (load || alone) && !offsets(L, &o[at++], c)) return false;
	if (several && (c->blocks = source(L, &o[at], 2)) == NO_SLOT) return false;
	if (several) c->action = TENSOR_LOAD;
	for (unsigned k = 0; k < 2; k++) c->list[k] = c->data[k] = temp_slot(L, k);
	Op *op = emit(L, H_tensor_copy);
	op->aux = c;
	op->bytes = 16;
	op->cache_slot = (uint8_t)(L->memory_ops++ % 16);
	return true;
}

/* commit_group, wait_all, and wait_group with its number. The groups of bulk copies out of shared memory concern no
 * reader here. */
bool lower_copy_group(Lower *L, const PtxInstr *in, const Match *match) {
	uint64_t keep = ASYNC_ALL;
	if (in->noperands && !constant_bits(L, &in->operands[0], &keep)) return false;
	emit_on(L, H_async_group, in->noperands || match->choice, NO_SLOT, (uint32_t)keep, NO_SLOT);
	return true;
}

/* --- mbarrier ----------------------------------------------------------------------------------------------------- */

/* The place of the state, if the instruction gives one: before the address. */
static bool arrival(Lower *L, const PtxInstr *in, uint32_t *d) {
	const PtxOperand *o = in->operands;
	if (o[0].kind == OPERAND_ADDRESS) return false;
	return o[0].kind == OPERAND_SINK || (*d = destination(L, &o[0], 8)) != NO_SLOT;
}

static bool wait(Lower *L, const PtxInstr *in, MbarrierOp *b, uint32_t *d, bool parity) {
	const PtxOperand *o = in->operands;
	if ((*d = predicate(L, &o[0])) == NO_SLOT) return false;
	if (!parity) return (b->state = source(L, &o[2], 8)) != NO_SLOT;
	b->kind = MBARRIER_PARITY;
	return (b->count = source(L, &o[2], 4)) != NO_SLOT;
}

static Op *emit_barrier(Lower *L, const MbarrierOp *b, uint32_t d) {
	MbarrierOp *kept = arena_alloc(L->arena, sizeof *kept);
	*kept = *b;
	Op *op = emit(L, H_mbarrier);
	op->d = d;
	op->aux = kept;
	op->bytes = op->container = 8;
	op->b = temp_slot(L, 0);
	return op;
}

bool lower_pending_count(Lower *L, const PtxInstr *in, const Match *match) {
	const uint32_t d = destination(L, &in->operands[0], 4);
	const MbarrierOp b = {.kind = MBARRIER_COUNT, .count = NO_SLOT, .state = source(L, &in->operands[1], 8)};
	return d != NO_SLOT && b.state != NO_SLOT && emit_barrier(L, &b, d);
}

/* expects: .noinc of an arrival of copies, .expect_tx of any other. */
bool lower_mbarrier(Lower *L, const PtxInstr *in, const Match *match) {
	MbarrierOp b = {.kind = (MbarrierKind)match->row->kind, .count = NO_SLOT, .state = NO_SLOT};
	const bool waits = b.kind == MBARRIER_WAIT, arrives = b.kind == MBARRIER_ARRIVE || b.kind == MBARRIER_DROP;
	const uint32_t at = waits || arrives;
	uint32_t d = NO_SLOT;
	if (waits && !wait(L, in, &b, &d, match->choice)) return false;
	if (arrives && !arrival(L, in, &d)) return false;
	b.expects = !waits && match->choice;
	if (!place(L, &in->operands[at], in->space == SPACE_SHARED ? SPACE_SHARED : SPACE_GENERIC, &b.at)) return false;
	if (!waits && in->noperands > at + 1 && (b.count = source(L, &in->operands[at + 1], 4)) == NO_SLOT) return false;
	return emit_barrier(L, &b, d);
}
