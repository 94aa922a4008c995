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

static bool small_copy(Lower *L, const PtxInstr *in) {
	AsyncCopy *c = arena_alloc(L->arena, sizeof *c);
	uint64_t size;
	const PtxOperand *o = in->operands;
	if (in->noperands < 3 || !constant_bits(L, &o[2], &size) || (size != 4 && size != 8 && size != 16)) return false;
	c->source_size = c->barrier.slot = NO_SLOT;
	if (!place(L, &o[0], SPACE_SHARED, &c->to) || !place(L, &o[1], SPACE_GLOBAL, &c->from)) return false;
	c->size = bits_slot(L, size, 4);
	if (in->noperands > 3 && !ptx_has(in, WORD_L2_CACHE_HINT)) {
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

static bool bulk_copy(Lower *L, const PtxInstr *in) {
	AsyncCopy *c = arena_alloc(L->arena, sizeof *c);
	const PtxOperand *o = in->operands;
	const bool inward = ptx_has(in, WORD_MBARRIER_COMPLETE_TX_BYTES), shared_source = ptx_has(in, WORD_SHARED_CTA);
	if (in->noperands < (inward ? 4u : 3u)) return false;
	c->source_size = c->barrier.slot = NO_SLOT;
	/* in: from global to shared memory; across: to another block's; out: from shared to global */
	const bool across = inward && shared_source && ptx_has(in, WORD_SHARED_CLUSTER);
	if (ptx_has(in, WORD_GLOBAL) == across || (!inward && !shared_source)) return false;
	if (!place(L, &o[0], inward ? SPACE_SHARED : SPACE_GLOBAL, &c->to) ||
		!place(L, &o[1], inward && !across ? SPACE_GLOBAL : SPACE_SHARED, &c->from))
		return false;
	c->size = source(L, &o[2], 4);
	if (c->size == NO_SLOT || (inward && !place(L, &o[3], SPACE_SHARED, &c->barrier)) || !scratch(L, c)) return false;
	Op *op = emit(L, H_cp_bulk);
	op->aux = c;
	op->bytes = 16;
	op->cache_slot = (uint8_t)(L->memory_ops++ % 16);
	return true;
}

static bool arrive_of_copies(Lower *L, const PtxInstr *in) {
	MbarrierOp *b = arena_alloc(L->arena, sizeof *b);
	*b = (MbarrierOp){.kind = MBARRIER_COPIES, .count = NO_SLOT, .state = NO_SLOT, .expects = ptx_has(in, WORD_NOINC)};
	if (in->noperands != 1 || !place(L, &in->operands[0], in->space, &b->at)) return false;
	Op *op = emit(L, H_mbarrier);
	op->aux = b;
	op->bytes = op->container = 8;
	op->b = temp_slot(L, 0);
	return true;
}

/* The groups of bulk copies out of shared memory concern no reader here. */
static bool group(Lower *L, const PtxInstr *in) {
	uint64_t keep = ASYNC_ALL;
	if (ptx_has(in, WORD_BULK)) return emit(L, H_nop) != NULL;
	if (ptx_has(in, WORD_WAIT_GROUP) && (in->noperands != 1 || !constant_bits(L, &in->operands[0], &keep)))
		return false;
	Op *op = emit(L, H_async_group);
	op->d = !ptx_has(in, WORD_COMMIT_GROUP);
	op->b = (uint32_t)keep;
	return true;
}

static bool copies(Lower *L, const PtxInstr *in) {
	if (!ptx_has(in, WORD_ASYNC)) return false;
	if (ptx_has(in, WORD_COMMIT_GROUP) || ptx_has(in, WORD_WAIT_GROUP) || ptx_has(in, WORD_WAIT_ALL))
		return group(L, in);
	if (ptx_has(in, WORD_MBARRIER)) return arrive_of_copies(L, in);
	if (ptx_has(in, WORD_BULK)) return bulk_copy(L, in);
	return small_copy(L, in);
}

/* --- mbarrier ----------------------------------------------------------------------------------------------------- */

static bool kind_of(const PtxInstr *in, MbarrierKind *kind) {
	static const struct {
		PtxWord word;
		MbarrierKind kind;
	} kinds[] = {
		{WORD_INIT, MBARRIER_INIT},           {WORD_INVAL, MBARRIER_INVAL},      {WORD_ARRIVE, MBARRIER_ARRIVE},
		{WORD_ARRIVE_DROP, MBARRIER_DROP},    {WORD_TEST_WAIT, MBARRIER_WAIT},   {WORD_TRY_WAIT, MBARRIER_WAIT},
		{WORD_PENDING_COUNT, MBARRIER_COUNT}, {WORD_EXPECT_TX, MBARRIER_EXPECT}, {WORD_COMPLETE_TX, MBARRIER_COMPLETE}};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (!ptx_has(in, kinds[i].word)) continue;
		*kind = kinds[i].kind;
		return true;
	}
	return false;
}

/* The place of the state, if the instruction gives one: before the address. */
static bool arrival(Lower *L, const PtxInstr *in, MbarrierOp *b, uint32_t *d, uint32_t *at) {
	const PtxOperand *o = in->operands;
	*d = NO_SLOT;
	*at = 0;
	if (in->noperands && o[0].kind != OPERAND_ADDRESS) {
		if (o[0].kind != OPERAND_SINK && (*d = destination(L, &o[0], 8)) == NO_SLOT) return false;
		*at = 1;
	}
	b->expects = ptx_has(in, WORD_EXPECT_TX);
	return true;
}

static bool wait(Lower *L, const PtxInstr *in, MbarrierOp *b, uint32_t *d) {
	const PtxOperand *o = in->operands;
	if (in->noperands < 3 || (*d = predicate(L, &o[0])) == NO_SLOT) return false;
	if (ptx_has(in, WORD_PARITY)) {
		b->kind = MBARRIER_PARITY;
		return (b->count = source(L, &o[2], 4)) != NO_SLOT;
	}
	return (b->state = source(L, &o[2], 8)) != NO_SLOT;
}

static bool barriers(Lower *L, const PtxInstr *in) {
	MbarrierOp *b = arena_alloc(L->arena, sizeof *b);
	const PtxOperand *o = in->operands;
	uint32_t d = NO_SLOT, at = 0;
	*b = (MbarrierOp){.count = NO_SLOT, .state = NO_SLOT};
	if (!kind_of(in, &b->kind)) return false;
	switch (b->kind) {
	case MBARRIER_COUNT:
		if (in->noperands != 2 || (d = destination(L, &o[0], 4)) == NO_SLOT ||
			(b->state = source(L, &o[1], 8)) == NO_SLOT)
			return false;
		break;
	case MBARRIER_WAIT:
		at = 1;
		if (!wait(L, in, b, &d)) return false;
		break;
	case MBARRIER_ARRIVE:
	case MBARRIER_DROP:
		if (!arrival(L, in, b, &d, &at)) return false;
		break;
	default: break;
	}
	if (b->kind != MBARRIER_COUNT &&
		(in->noperands <= at ||
		 !place(L, &o[at], in->space == SPACE_SHARED || ptx_has(in, WORD_SHARED_CLUSTER) ? SPACE_SHARED : SPACE_GENERIC,
				&b->at)))
		return false;
	if (b->kind != MBARRIER_COUNT && b->kind != MBARRIER_WAIT && b->kind != MBARRIER_PARITY && in->noperands > at + 1 &&
		(b->count = source(L, &o[at + 1], 4)) == NO_SLOT)
		return false;
	Op *op = emit(L, H_mbarrier);
	op->d = d;
	op->aux = b;
	op->bytes = op->container = 8;
	op->b = temp_slot(L, 0);
	return true;
}

bool lower_async(Lower *L, const PtxInstr *in) {
	return in->op == OP_CP ? copies(L, in) : barriers(L, in);
}
