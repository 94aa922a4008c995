/* Atomics and reductions: one lane after another, each atomic on the host where another host thread may access the
 * same memory. */
#include <string.h>

#include "emu/exec/async.h"
#include "emu/exec/lanes.h"

/* Sums of single precision flush subnormals in global memory, not in shared memory (PTX ISA, "atom"). A NaN of double
 * precision passes as it is. */
static u64 add_floats(PtxType t, u64 x, u64 y, bool flush) {
	switch (t) {
	case T_F32: {
		f32 a = bits_f32((u32)x), b = bits_f32((u32)y);
		return f32_bits(canon(flush ? ftz(ftz(a) + ftz(b)) : a + b));
	}
	case T_F64: {
		f64 a = bits_f64(x), b = bits_f64(y);
		if (!flush) return f64_bits(nan2(b, a, a + b));
		return b != b ? y : a != a ? x : f64_bits(valid(a + b));
	}
	case T_F16: return to_half(half((u16)x) + half((u16)y));
	case T_BF16: return bf_fma((u16)x, 0x3f80, (u16)y);
	case T_F16X2: return pair(to_half(half(LO(x)) + half(LO(y))), to_half(half(HI(x)) + half(HI(y))));
	default: return pair(bf_fma(LO(x), 0x3f80, LO(y)), bf_fma(HI(x), 0x3f80, HI(y)));
	}
}

static u64 extreme(PtxType t, u64 x, u64 y, bool max) {
	switch (t) {
	case T_S32: return ((s32)x < (s32)y) == max ? y : x;
	case T_S64: return ((s64)x < (s64)y) == max ? y : x;
	case T_U32:
	case T_B32: return ((u32)x < (u32)y) == max ? y : x;
	case T_F16: return max ? half_max((u16)x, (u16)y, 0) : half_min((u16)x, (u16)y, 0);
	case T_BF16: return max ? bf_max((u16)x, (u16)y, 0) : bf_min((u16)x, (u16)y, 0);
	case T_F16X2:
		return max ? pair(half_max(LO(x), LO(y), 0), half_max(HI(x), HI(y), 0))
				   : pair(half_min(LO(x), LO(y), 0), half_min(HI(x), HI(y), 0));
	case T_BF16X2:
		return max ? pair(bf_max(LO(x), LO(y), 0), bf_max(HI(x), HI(y), 0))
				   : pair(bf_min(LO(x), LO(y), 0), bf_min(HI(x), HI(y), 0));
	default: return (x < y) == max ? y : x;
	}
}

/* The new contents of memory. */
static u64 change(const PtxInstr *in, PtxType t, u64 old, u64 b, u64 c, bool global) {
	switch (in->atomic) {
	case ATOM_AND: return old & b;
	case ATOM_OR: return old | b;
	case ATOM_XOR: return old ^ b;
	case ATOM_EXCH: return b;
	case ATOM_CAS: return old == b ? c : old;
	case ATOM_INC: return (u32)old >= (u32)b ? 0 : (u32)old + 1;
	case ATOM_DEC: return (u32)old == 0 || (u32)old > (u32)b ? (u32)b : (u32)old - 1;
	case ATOM_MIN: return extreme(t, old, b, false);
	case ATOM_MAX: return extreme(t, old, b, true);
	default: break;
	}
	if (t == T_F32 || t == T_F64 || t == T_F16 || t == T_BF16 || t == T_F16X2 || t == T_BF16X2)
		return add_floats(t, old, b, global);
	return old + b;
}

u64 atomic_result(const PtxInstr *in, PtxType t, u64 old, u64 b) {
	return change(in, t, old, b, 0, true);
}

static u64 read_cell(const void *at, u32 bytes) {
	switch (bytes) {
	case 2: return __atomic_load_n((const u16 *)at, __ATOMIC_SEQ_CST);
	case 4: return __atomic_load_n((const u32 *)at, __ATOMIC_SEQ_CST);
	default: return __atomic_load_n((const u64 *)at, __ATOMIC_SEQ_CST);
	}
}

static bool swap_cell(void *at, u32 bytes, u64 *old, u64 next) {
	u16 o16 = (u16)*old;
	u32 o32 = (u32)*old;
	bool ok;
	switch (bytes) {
	case 2:
		ok = __atomic_compare_exchange_n((u16 *)at, &o16, (u16)next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		*old = o16;
		return ok;
	case 4:
		ok = __atomic_compare_exchange_n((u32 *)at, &o32, (u32)next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		*old = o32;
		return ok;
	default: return __atomic_compare_exchange_n((u64 *)at, old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	}
}

static u64 change_alone(const PtxInstr *in, PtxType t, void *at, u32 bytes, u64 b, u64 c, bool global) {
	u64 old = 0;
	memcpy(&old, at, bytes);
	u64 next = change(in, t, old, b, c, global);
	memcpy(at, &next, bytes);
	return old;
}

static u64 change_shared_by_all(const PtxInstr *in, PtxType t, void *at, u32 bytes, u64 b, u64 c, bool global) {
	if (in->atomic == ATOM_ADD && bytes == 4 && (t == T_U32 || t == T_S32))
		return __atomic_fetch_add((u32 *)at, (u32)b, __ATOMIC_SEQ_CST);
	u64 old = read_cell(at, bytes);
	while (!swap_cell(at, bytes, &old, change(in, t, old, b, c, global))) {
	}
	return old;
}

/* The bytes an atomic works on; local memory counts too, where a generic address leads there. */
static u8 *cell(Warp *w, const Op *op, PtxSpace *space, u32 lane, u64 *addr, u32 bytes) {
	*space = space_of(*space, addr);
	switch (*space) {
	case SPACE_SHARED: return shared_at(w, *addr, bytes);
	case SPACE_LOCAL: {
		const u64 end = stack_end(w->frame, lane);
		return bytes <= 4 && *addr <= end && bytes <= end - *addr ? local_at(w, *addr, lane) : NULL;
	}
	case SPACE_GLOBAL: return global_bytes(w->worker, op, true, *addr, bytes);
	default: return NULL;
	}
}

typedef struct {
	u64 addr[LANES];
	PtxSpace spaces[LANES];
	u8 *at[LANES];
} Cells;

/* Where the old values go; NO_SLOT: nowhere. */
typedef struct {
	const u32 *slots;
	u32 n, container;
} Results;

/* Ones as the old values of these lanes, as a bad load gives. */
static void fill_results(Warp *w, const Op *op, const Results *to, u32 mask) {
	for (u32 i = 0; i < to->n && (op->flags & OPF_RESULT); i++) {
		if (to->slots[i] == NO_SLOT) continue;
		FOR_LANES(l, mask) lane_set(w, to->slots[i], to->container, l, ~(u64)0);
	}
}

/* The lanes that have no cell, as far as they are in the space of the first of them. */
static u32 bad_lanes(const Warp *w, const Cells *c) {
	u32 bad = 0;
	FOR_LANES(l, w->mask)
		if (!c->at[l] && (!bad || c->spaces[l] == c->spaces[first_lane(bad)])) bad |= 1u << l;
	return bad;
}

/* The addresses of the lanes' cells, reported to observers. False: some are bad, and *next is what runs now; if the
 * launch goes on, the other lanes are done. */
static bool find_cells(Warp *w, const Op *op, const Results *results, Cells *c, const Op **next) {
	const u32 wide = (u32)op->bytes * op->vector;
	op_addresses(w, op, c->addr);
	w->spinning.sync_ops++;
	FOR_LANES(l, w->mask) {
		c->spaces[l] = space_of((PtxSpace)op->space, &c->addr[l]);
		c->at[l] = c->addr[l] & (wide - 1) ? NULL : cell(w, op, &c->spaces[l], l, &c->addr[l], wide);
	}
	const u32 bad = bad_lanes(w, c);
	if (bad) {
		fill_results(w, op, results, bad);
		*next = fault_access(w, op, c->spaces[first_lane(bad)], ACCESS_ATOMIC, c->addr, bad);
		return false;
	}
	const AccessValues values = {w->regs, op->vector > 1 ? op->list : &op->b, op->vector, op->container, 0};
	if (w->reports.accesses) report_spaces(w, op, ACCESS_ATOMIC, c->spaces, w->mask, c->addr, &values);
	return true;
}

static void mark_cell(Warp *w, const Op *op, const Cells *c, u32 lane) {
	if (c->spaces[lane] == SPACE_GLOBAL) mark_stored(w, op, c->addr[lane], (u64)op->bytes * op->vector);
}

void atomic_update(Warp *w, const Op *op, PtxSpace space, u64 addr, PtxType type, u64 b) {
	const PtxInstr *in = &w->frame->function->ptx->instrs[op->instr];
	const u32 bytes = (u32)ptx_type_bytes(type);
	u8 *at = cell(w, op, &space, 0, &addr, bytes);
	if (!at) return;
	if (w->worker->run->nworkers == 1 || space != SPACE_GLOBAL)
		change_alone(in, type, at, bytes, b, 0, type != T_F32);
	else
		change_shared_by_all(in, type, at, bytes, b, 0, type != T_F32);
}

/* kind: PtxType of the cell. list: elements of a vector (red.v2.f32); b, c: operands; d: old value. */
const Op *run_atom(Warp *w, const Op *op) {
	const PtxInstr *in = instr_of(w, op);
	const PtxType t = (PtxType)op->kind;
	const u32 bytes = op->bytes;
	Cells cells;
	const Op *next;
	const Results results = {op->vector == 1 ? &op->d : op->list + op->vector, op->vector, op->container};
	if (!find_cells(w, op, &results, &cells, &next)) return next;
	const bool alone = w->worker->run->nworkers == 1;
	FOR_LANES(l, w->mask) {
		for (u32 i = 0; i < op->vector; i++) {
			u32 slot = op->vector == 1 ? op->b : op->list[i];
			u64 b = lane_get(w, slot, op->container, l),
				c = op->c == NO_SLOT ? 0 : lane_get(w, op->c, op->container, l);
			u8 *at = cells.at[l] + i * bytes;
			const bool global = cells.spaces[l] == SPACE_GLOBAL;
			u64 old = alone || !global ? change_alone(in, t, at, bytes, b, c, global)
									   : change_shared_by_all(in, t, at, bytes, b, c, true);
			if (w->spinning.polled) w->spinning.changed |= change(in, t, old, b, c, global) != old;
			u32 d = op->vector == 1 ? op->d : op->list[op->vector + i];
			if ((op->flags & OPF_RESULT) && d != NO_SLOT) lane_set(w, d, op->container, l, old);
		}
		mark_cell(w, op, &cells, l);
	}
	return op + 1;
}

/* list: halves of b, then of the result; c, e: halves of what cas puts in. */
static void change_b128(Warp *w, const Op *op, bool cas, u8 *at, u32 lane) {
	const u64 b[2] = {lane_get(w, op->list[0], 8, lane), lane_get(w, op->list[1], 8, lane)};
	u64 old[2], next[2] = {b[0], b[1]};
	memcpy(old, at, sizeof old);
	if (cas) {
		const bool same = old[0] == b[0] && old[1] == b[1];
		next[0] = same ? lane_get(w, op->c, 8, lane) : old[0];
		next[1] = same ? lane_get(w, op->e, 8, lane) : old[1];
	}
	memcpy(at, next, sizeof next);
	for (u32 i = 0; i < 2 && (op->flags & OPF_RESULT); i++) lane_set(w, op->list[2 + i], 8, lane, old[i]);
}

const Op *run_atom_b128(Warp *w, const Op *op) {
	const bool cas = instr_of(w, op)->atomic == ATOM_CAS;
	Run *run = w->worker->run;
	Cells cells;
	const Op *next;
	const Results results = {op->list + 2, 2, 8};
	if (!find_cells(w, op, &results, &cells, &next)) return next;
	if (run->nworkers > 1) pthread_mutex_lock(&run->wide);
	FOR_LANES(l, w->mask) {
		change_b128(w, op, cas, cells.at[l], l);
		mark_cell(w, op, &cells, l);
	}
	if (run->nworkers > 1) pthread_mutex_unlock(&run->wide);
	return op + 1;
}
