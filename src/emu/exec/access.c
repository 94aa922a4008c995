/* The loads and stores without a handler of their own. */
#include "emu/exec/out_of_line.h"

/* Splits the lanes of a generic access by the space they point to: those of the first lane's space, addr made relative
 * to it. */
static uint32_t same_space(uint64_t *addr, uint32_t mask, PtxSpace *space) {
	uint32_t group = 0;
	uint64_t first = addr[first_lane(mask)];
	*space = generic_space(&first);
	FOR_LANES(l, mask) {
		uint64_t a = addr[l];
		if (generic_space(&a) == *space) {
			addr[l] = a;
			group |= 1u << l;
		}
	}
	return group;
}

static const Op *access_group(Warp *w, const Op *op, PtxSpace space, const uint64_t *addr, uint32_t mask, bool store) {
	const uint32_t width = (uint32_t)op->bytes * op->vector;
	const AccessKind kind = store ? ACCESS_STORE : ACCESS_LOAD;
	const bool look_first = store && w->reports.accesses; /* observers see a store before memory changes */
	uint8_t bytes[LANES][32], before[32];
	uint32_t bad = 0;
	FOR_STORES(l, mask, width) {
		if (store) lane_elements(w, op, l, bytes[l], true);
		if ((addr[l] & (width - 1)) ||
			!space_copy(w, op, space, l, addr[l], look_first ? before : bytes[l], width, store && !look_first))
			bad |= 1u << l;
	}
	if (bad) return fault_access(w, op, space, kind, addr, bad);
	if (look_first) {
		report_access(w, op, kind, space, mask, addr);
		FOR_STORES(l, mask, width) {
			if (!space_copy(w, op, space, l, addr[l], bytes[l], width, true)) bad |= 1u << l;
		}
		if (bad) return fault_access(w, op, space, kind, addr, bad);
	}
	if (space == SPACE_GLOBAL && store)
		FOR_LANES(l, mask) mark_stored(w, op, addr[l], width);
	if (w->reports.accesses && !store) report_access(w, op, kind, space, mask, addr);
	if (!store)
		FOR_LANES(l, mask) lane_elements(w, op, l, bytes[l], false);
	return op + 1;
}

static const Op *access_any(Warp *w, const Op *op, bool store) {
	uint64_t addr[LANES];
	op_addresses(w, op, addr);
	if (op->flags & OPF_SYNC) w->spinning.sync_ops++;
	if (op->space != SPACE_GENERIC) return access_group(w, op, (PtxSpace)op->space, addr, w->mask, store);
	for (uint32_t left = w->mask; left;) {
		PtxSpace space;
		uint32_t group = same_space(addr, left, &space);
		if (!access_group(w, op, space, addr, group, store)) return NULL;
		left &= ~group;
	}
	return op + 1;
}

const Op *run_ld_any(Warp *w, const Op *op) {
	return access_any(w, op, false);
}
const Op *run_st_any(Warp *w, const Op *op) {
	return access_any(w, op, true);
}

/* 16 bytes as one: no other such access comes between its halves. */
static const Op *access_wide(Warp *w, const Op *op, bool store) {
	Run *run = w->worker->run;
	if (run->nworkers == 1) return access_any(w, op, store);
	pthread_mutex_lock(&run->wide);
	const Op *next = access_any(w, op, store);
	pthread_mutex_unlock(&run->wide);
	return next;
}

const Op *run_ld_b128(Warp *w, const Op *op) {
	return access_wide(w, op, false);
}
const Op *run_st_b128(Warp *w, const Op *op) {
	return access_wide(w, op, true);
}
