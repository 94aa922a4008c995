/* code/async.h */
#include "emu/exec/async.h"

#include <stdio.h>
#include <string.h>

#include "emu/exec/lanes.h"

u64 async_address(const Warp *w, const AsyncAddress *a, u32 lane, PtxSpace *space) {
	u64 addr = a->narrow ? (u32)(((const u32 *)(w->regs + a->slot))[lane] + (u32)a->offset)
						 : ((const u64 *)(w->regs + a->slot))[lane] + (u64)a->offset;
	*space = space_of(a->space, &addr);
	return addr;
}

static u32 value32(const Warp *w, u32 slot, u32 lane) {
	return ((const u32 *)(w->regs + slot))[lane];
}

const Op *async_bad_access(Warp *w, const Op *op, PtxSpace space, AccessKind kind, u64 at, u32 lane) {
	u64 addr[LANES] = {0};
	addr[lane] = at;
	return fault_access(w, op, space, kind, addr, 1u << lane);
}

/* --- mbarrier ----------------------------------------------------------------------------------------------------- */

typedef struct {
	u32 phase, pending, expected;
	s64 bytes;
} State;

static State unpack(u64 v) {
	return (State){.phase = v & 1, .pending = v >> 1 & 0xfffff, .expected = v >> 21 & 0xfffff, .bytes = (s64)v >> 41};
}
static u64 pack_state(State s) {
	return s.phase | (u64)(s.pending & 0xfffff) << 1 | (u64)(s.expected & 0xfffff) << 21 | (u64)s.bytes << 41;
}

static u64 settled(State s) {
	if (s.pending == 0 && s.bytes == 0) {
		s.phase ^= 1;
		s.pending = s.expected;
	}
	return pack_state(s);
}

static u8 *barrier_at(const Warp *w, PtxSpace space, u64 addr) {
	return space == SPACE_SHARED && addr % 8 == 0 ? shared_at(w, addr, 8) : NULL;
}

static const Op *too_many(Warp *w, const Op *op, u32 lane, u32 count, u32 pending) {
	return fault_at(w, op, 1u << lane, FAULT_BARRIER,
					"%u threads arrive at an mbarrier that waits for %u more in this phase.", count, pending);
}

/* What the object becomes; NULL: a fault was recorded. */
static const Op *change(Warp *w, const Op *op, const MbarrierOp *b, u32 lane, u64 *object) {
	const u32 count = b->count == NO_SLOT ? 1 : value32(w, b->count, lane), arrivals = b->expects ? 1 : count;
	State s = unpack(*object);
	switch (b->kind) {
	case MBARRIER_INIT: s = (State){.pending = count, .expected = count}; break;
	case MBARRIER_ARRIVE:
	case MBARRIER_DROP:
		if (arrivals > s.pending) return too_many(w, op, lane, arrivals, s.pending);
		if (b->expects) s.bytes += count;
		s.pending -= arrivals;
		if (b->kind == MBARRIER_DROP) s.expected -= arrivals;
		*object = settled(s);
		return op;
	/* all copies are complete: with .noinc this is an arrival, without it the arrival that it added itself */
	case MBARRIER_COPIES:
		if (!b->expects) return op;
		if (!s.pending) return too_many(w, op, lane, 1, 0);
		s.pending--;
		*object = settled(s);
		return op;
	case MBARRIER_EXPECT: s.bytes += count; break;
	case MBARRIER_COMPLETE:
		s.bytes -= count;
		*object = settled(s);
		return op;
	default: return op;
	}
	*object = pack_state(s);
	return op;
}

/* Whether the phase that a lane waits for is over. */
static bool phase_is_over(const Warp *w, const MbarrierOp *b, u32 lane, u64 object) {
	const u32 waited = b->kind == MBARRIER_WAIT ? lane_get(w, b->state, 8, lane) & 1 : value32(w, b->count, lane) & 1;
	return unpack(object).phase != waited;
}

/* Where nothing happened in the phase, the wait may be for the wrong one. */
void mbarrier_cause(u64 object, bool by_parity, char *out, size_t size) {
	const State s = unpack(object);
	char phases[96] = "";
	if (by_parity && s.pending == s.expected && !s.bytes)
		snprintf(phases, sizeof phases,
				 " They wait for the current phase, of parity %u; the one before, of parity %u, is complete.",
				 (u32)s.phase, (u32)!s.phase);
	if (s.pending)
		snprintf(out, size, "Threads wait at an mbarrier whose phase never ends: %u of %u arrivals are missing.%s",
				 s.pending, s.expected, phases);
	else if (s.bytes < 0)
		snprintf(out, size,
				 "Threads wait at an mbarrier whose phase never ends: its byte count is %lld: more bytes arrived than "
				 "were announced.",
				 (long long)s.bytes);
	else
		snprintf(out, size, "Threads wait at an mbarrier whose phase never ends: copies that it expects are missing.");
}

static void answer(Warp *w, const Op *op, const MbarrierOp *b, u32 lane, u64 before) {
	switch (b->kind) {
	case MBARRIER_ARRIVE:
	case MBARRIER_DROP:
		if (op->d != NO_SLOT) lane_set(w, op->d, 8, lane, before);
		return;
	case MBARRIER_WAIT:
	case MBARRIER_PARITY: break;
	default: return;
	}
	const bool done = phase_is_over(w, b, lane, before);
	w->spinning.tests = !done;
	w->spinning.tested = before;
	w->spinning.by_parity = b->kind == MBARRIER_PARITY;
	u32 *p = (u32 *)(w->regs + op->d);
	*p = (*p & ~(1u << lane)) | (u32)done << lane;
}

static void report_mbarrier(Warp *w, const Op *op, const MbarrierOp *b, const u64 *addr, u8 *const *at) {
	AccessValues values = {.regs = w->regs, .slots = &op->b, .elements = op->vector, .container = op->container};
	FOR_LANES(l, mbarrier_tests(b) ? w->mask : 0) {
		u64 object;
		memcpy(&object, at[l], 8);
		if (phase_is_over(w, b, l, object)) values.passed |= 1u << l;
	}
	report_values(w, op, ACCESS_ATOMIC, SPACE_SHARED, w->mask, addr, &values);
}

static AsyncKind event_of(const MbarrierOp *b) {
	switch (b->kind) {
	case MBARRIER_INIT: return ASYNC_INIT;
	case MBARRIER_COPIES: return ASYNC_ARRIVE_LATER;
	case MBARRIER_WAIT:
	case MBARRIER_PARITY: return ASYNC_TEST;
	default: return ASYNC_ARRIVE;
	}
}

static void note_parity(const Warp *w, const MbarrierOp *b, AsyncEvent *e) {
	if (b->kind != MBARRIER_PARITY) return;
	FOR_LANES(l, e->mask) {
		const u32 parity = value32(w, b->count, l);
		if (parity <= e->parity[0]) continue;
		e->parity[0] = parity;
		e->parity[1] = l;
	}
}

/* Lanes with one mbarrier together. */
static void report_phases(Warp *w, const Op *op, const MbarrierOp *b, const u64 *addr, u8 *const *at) {
	if (b->kind == MBARRIER_INVAL || b->kind == MBARRIER_EXPECT) return;
	for (u32 left = w->mask; left;) {
		const u32 first = first_lane(left);
		u32 mask = 0;
		u64 object;
		FOR_LANES(l, left) mask |= (u32)(at[l] == at[first]) << l;
		memcpy(&object, at[first], 8);
		AsyncEvent e = {.kind = event_of(b),
						.mask = mask,
						.addr = addr,
						.barrier = addr[first],
						.phase = unpack(object).phase,
						.over = event_of(b) == ASYNC_TEST && phase_is_over(w, b, first, object)};
		note_parity(w, b, &e);
		async_report(w, op, &e);
		left &= ~mask;
	}
}

const Op *run_mbarrier(Warp *w, const Op *op) {
	const MbarrierOp *b = op->aux;
	w->spinning.sync_ops++;
	if (b->kind == MBARRIER_COUNT) {
		FOR_LANES(l, w->mask) lane_set(w, op->d, 4, l, unpack(lane_get(w, b->state, 8, l)).pending);
		return op + 1;
	}
	u64 addr[LANES] = {0};
	u8 *at[LANES];
	FOR_LANES(l, w->mask) {
		PtxSpace space;
		addr[l] = async_address(w, &b->at, l, &space);
		if (!(at[l] = barrier_at(w, space, addr[l]))) return async_bad_access(w, op, space, ACCESS_ATOMIC, addr[l], l);
	}
	if (w->reports.accesses) {
		report_mbarrier(w, op, b, addr, at);
		report_phases(w, op, b, addr, at);
	}
	FOR_LANES(l, w->mask) {
		u64 object, before;
		memcpy(&object, at[l], 8);
		before = object;
		if (!change(w, op, b, l, &object)) return NULL;
		memcpy(at[l], &object, 8);
		answer(w, op, b, l, before);
	}
	if (w->spinning.tests && mbarrier_tests(b)) slice_cut(w);
	return op + 1;
}

void async_report(Warp *w, const Op *op, const AsyncEvent *event) {
	if (!w->reports.accesses) return;
	AsyncEvent e = *event;
	u64 addr[LANES] = {0};
	e.instr = w->first_instr + op->instr;
	e.block = e.owner = w->block->number;
	if (e.kind >= ASYNC_BULK && e.kind <= ASYNC_TEST) {
		const u32 l = first_lane(e.mask);
		addr[l] = e.addr[l];
		const Block *owner = cluster_owner(w, &addr[l]);
		if (owner) e.owner = owner->number;
		e.addr = addr;
		e.barrier %= CLUSTER_STRIDE;
	}
	e.warp = w->number;
	const Worker *k = w->worker;
	NOTIFY(k, async, &e);
}

const Op *run_async_group(Warp *w, const Op *op) {
	async_report(w, op, &(AsyncEvent){.kind = op->d ? ASYNC_WAIT : ASYNC_COMMIT, .mask = w->mask, .keep = op->b});
	return op + 1;
}

/* --- cp.async ----------------------------------------------------------------------------------------------------- */

typedef struct {
	u64 from[LANES], to[LANES];
	PtxSpace from_space, to_space;
} Ends;

static Op seen_as(const Op *op, const AsyncCopy *c, u32 size) {
	Op seen = *op;
	seen.bytes = (uint8_t)(size > 8 ? 8 : size);
	seen.vector = (uint8_t)(size / seen.bytes);
	seen.container = 8;
	seen.b = c->data[0];
	if (seen.vector > 1) seen.list = c->list;
	return seen;
}

/* Before the copy, since observers compare with the old contents. */
static void describe(Warp *w, const Op *op, const AsyncCopy *c, u32 size, const Ends *ends, u32 mask, u32 read) {
	if (!w->reports.accesses) return;
	const Op seen = seen_as(op, c, size);
	if (read) report_access(w, &seen, ACCESS_LOAD, ends->from_space, read, ends->from);
	report_access(w, &seen, ACCESS_STORE, ends->to_space, mask, ends->to);
}

const Op *run_cp_async(Warp *w, const Op *op) {
	const AsyncCopy *c = op->aux;
	Ends ends = {0};
	u32 read = 0, size = 0;
	FOR_LANES(l, w->mask) {
		u8 data[16] = {0};
		size = value32(w, c->size, l);
		u32 taken = c->source_size == NO_SLOT ? size : value32(w, c->source_size, l);
		if (taken > size) taken = size;
		ends.to[l] = async_address(w, &c->to, l, &ends.to_space);
		ends.from[l] = async_address(w, &c->from, l, &ends.from_space);
		if (ends.from[l] % size || (taken && !space_copy(w, op, ends.from_space, l, ends.from[l], data, taken, false)))
			return async_bad_access(w, op, ends.from_space, ACCESS_LOAD, ends.from[l], l);
		u8 there[16];
		if (ends.to[l] % size || !space_copy(w, op, ends.to_space, l, ends.to[l], there, size, false))
			return async_bad_access(w, op, ends.to_space, ACCESS_STORE, ends.to[l], l);
		for (u32 k = 0; k < 2; k++) {
			u64 v;
			memcpy(&v, data + 8 * k, 8);
			lane_set(w, c->data[k], 8, l, v);
		}
		if (taken) read |= 1u << l;
	}
	describe(w, op, c, size, &ends, w->mask, read);
	async_report(w, op, &(AsyncEvent){.kind = ASYNC_COPY, .mask = w->mask, .bytes = size, .addr = ends.to});
	FOR_LANES(l, w->mask) {
		const u64 data[2] = {lane_get(w, c->data[0], 8, l), lane_get(w, c->data[1], 8, l)};
		if (!space_copy(w, op, ends.to_space, l, ends.to[l], (void *)data, size, true))
			return async_bad_access(w, op, ends.to_space, ACCESS_STORE, ends.to[l], l);
	}
	return op + 1;
}

bool async_complete(Warp *w, const Op *op, u32 lane, PtxSpace space, u64 at, u32 bytes, const u64 *to) {
	u8 *p = barrier_at(w, space, at);
	u64 object;
	if (!p) return async_bad_access(w, op, space, ACCESS_ATOMIC, at, lane) != NULL;
	memcpy(&object, p, 8);
	State s = unpack(object);
	async_report(
		w, op,
		&(AsyncEvent){
			.kind = ASYNC_BULK, .mask = 1u << lane, .bytes = bytes, .addr = to, .barrier = at, .phase = s.phase});
	s.bytes -= bytes;
	object = settled(s);
	memcpy(p, &object, 8);
	return true;
}

u32 async_blocks(Warp *w, const Op *op, u32 slot, u32 lane) {
	const u32 blocks = (u32)lane_get(w, slot, 2, lane), size = w->block->cluster->size;
	if (blocks && !(blocks >> size)) return blocks;
	fault_at(w, op, 1u << lane, FAULT_INSTRUCTION, "A multicast to the blocks 0x%x of a cluster of %u.", blocks, size);
	return 0;
}

static void reduce_piece(Warp *w, const Op *op, const AsyncCopy *c, PtxSpace space, u64 to, const u64 data[2]) {
	const u32 each = (u32)ptx_type_bytes(c->type);
	for (u32 i = 0; i < 16; i += each) {
		u64 with = 0;
		memcpy(&with, (const u8 *)data + i, each);
		atomic_update(w, op, space, to + i, c->type, with);
	}
}

static AccessKind writes_by(const AsyncCopy *c) {
	return c->reduces ? ACCESS_ATOMIC : ACCESS_STORE;
}

/* A copy is one row. Between the memories of two blocks it is read and written. */
static void describe_bulk(Warp *w, const Op *op, const AsyncCopy *c, u64 from, PtxSpace from_space, u64 to,
						  PtxSpace to_space, u32 size) {
	const bool loads = from_space == SPACE_GLOBAL, stores = to_space == SPACE_GLOBAL;
	if (!w->reports.accesses) return;
	report_row(w, op,
			   (BulkRow){.kind = loads ? ACCESS_LOAD : writes_by(c),
						 .addr = loads ? from : to,
						 .bytes = loads || stores ? size : 0,
						 .shared_bytes = loads || stores ? size : 2 * size});
}

/* One thread's copy of many bytes, in pieces of 16. */
static const Op *bulk_of(Warp *w, const Op *op, const AsyncCopy *c, u32 lane, u64 to, PtxSpace to_space) {
	const u32 size = value32(w, c->size, lane);
	const Op piece = seen_as(op, c, 16);
	PtxSpace from_space;
	const u64 from = async_address(w, &c->from, lane, &from_space);
	if (size % 16)
		return fault_at(w, op, 1u << lane, FAULT_MISALIGNED, "A bulk copy of %u bytes; it must be a multiple of 16.",
						size);
	for (u32 at = 0; at < size; at += 16) {
		u64 data[2], there[2];
		if (from % 16 || !space_copy(w, op, from_space, lane, from + at, data, 16, false))
			return async_bad_access(w, op, from_space, ACCESS_LOAD, from + at, lane);
		if (to % 16 || !space_copy(w, op, to_space, lane, to + at, there, 16, false))
			return async_bad_access(w, op, to_space, ACCESS_STORE, to + at, lane);
		for (u32 k = 0; k < 2; k++) lane_set(w, c->data[k], 8, lane, data[k]);
		if (w->reports.accesses) {
			report_piece(w, &piece, ACCESS_LOAD, from_space, lane, from + at);
			report_piece(w, &piece, writes_by(c), to_space, lane, to + at);
		}
		if (c->reduces)
			reduce_piece(w, op, c, to_space, to + at, data);
		else if (!space_copy(w, op, to_space, lane, to + at, data, 16, true))
			return async_bad_access(w, op, to_space, ACCESS_STORE, to + at, lane);
		if (to_space == SPACE_GLOBAL) mark_stored(w, op, to + at, 16);
	}
	describe_bulk(w, op, c, from, from_space, to, to_space, size);
	return op;
}

/* Copies to one block, whose mbarrier, if there is one, learns of it. */
static bool bulk_to(Warp *w, const Op *op, const AsyncCopy *c, u32 lane, u32 rank, bool multicast) {
	PtxSpace space, to_space;
	u64 to[LANES] = {0};
	to[lane] = shared_of(async_address(w, &c->to, lane, &to_space), rank, multicast);
	if (!bulk_of(w, op, c, lane, to[lane], to_space)) return false;
	if (c->barrier.slot == NO_SLOT) return true;
	const u64 at = shared_of(async_address(w, &c->barrier, lane, &space), rank, multicast);
	return async_complete(w, op, lane, space, at, value32(w, c->size, lane), to);
}

const Op *run_cp_bulk(Warp *w, const Op *op) {
	const AsyncCopy *c = op->aux;
	const bool multicast = c->blocks != NO_SLOT;
	w->spinning.sync_ops++;
	FOR_LANES(l, w->mask) {
		u32 blocks = multicast ? async_blocks(w, op, c->blocks, l) : 1;
		if (!blocks) return NULL;
		for (; blocks; blocks &= blocks - 1)
			if (!bulk_to(w, op, c, l, first_lane(blocks), multicast)) return NULL;
	}
	return op + 1;
}
