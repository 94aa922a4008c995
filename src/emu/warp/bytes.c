/* Addresses to bytes, and bytes to lanes of registers. */
#include <string.h>

#include "emu/warp/access.h"

uint8_t *find_bytes(Worker *k, const Op *op, bool store, uint64_t addr, uint64_t bytes) {
	Allocation *a = memory_find(k->run->info.memory, addr);
	if (!a || a->freed || (store && a->kind == ALLOC_CONST)) return NULL;
	k->cache[store][op->cache_slot] = a;
	return cached_bytes(k, op, store, addr, bytes);
}

void mark_stored(Warp *w, const Op *op, uint64_t addr, uint64_t bytes) {
	Allocation *a = w->worker->cache[1][op->cache_slot];
	if (!a->written) return;
	if (addr - a->base >= a->bytes) a = memory_find(w->worker->run->info.memory, addr);
	if (a) allocation_mark(a, addr - a->base, bytes); /* else another thread has just freed it */
}

/* --- state spaces ------------------------------------------------------------------------------------------------- */

/* Where a generic address points; addr becomes the address within that space. */
PtxSpace generic_space(uint64_t *addr) {
	if (*addr - SHARED_WINDOW < WINDOW_BYTES) {
		*addr -= SHARED_WINDOW;
		return SPACE_SHARED;
	}
	if (*addr - LOCAL_WINDOW < WINDOW_BYTES) {
		*addr -= LOCAL_WINDOW;
		return SPACE_LOCAL;
	}
	if (*addr - PARAM_WINDOW < WINDOW_BYTES) {
		*addr -= PARAM_WINDOW;
		return SPACE_PARAM;
	}
	return SPACE_GLOBAL;
}

/* Local memory is [word][lane]: one lane's bytes are contiguous only within a word. */
static void local_copy(Warp *w, uint32_t lane, uint64_t at, uint8_t *bytes, size_t n, bool store) {
	for (size_t i = 0; i < n;) {
		size_t step = 4 - ((at + i) & 3);
		if (step > n - i) step = n - i;
		uint8_t *p = local_at(w, at + i, lane);
		if (store)
			memcpy(p, bytes + i, step);
		else
			memcpy(bytes + i, p, step);
		i += step;
	}
}

static bool inside(uint64_t addr, uint64_t bytes, uint64_t size) {
	return addr <= size && bytes <= size - addr;
}

Block *cluster_owner(const Warp *w, uint64_t *addr) {
	if (*addr < CLUSTER_STRIDE) return w->block;
	const uint64_t rank = *addr / CLUSTER_STRIDE - 1;
	const Cluster *c = w->block->cluster;
	if (rank >= c->size || !c->block[rank]->threads_alive) return NULL;
	*addr %= CLUSTER_STRIDE;
	return c->block[rank];
}

uint8_t *shared_at(const Warp *w, uint64_t addr, uint64_t bytes) {
	if (inside(addr, bytes, w->shared_bytes)) return w->shared + addr;
	const Block *owner = addr < CLUSTER_STRIDE ? NULL : cluster_owner(w, &addr);
	return owner && inside(addr, bytes, w->shared_bytes) ? owner->shared + addr : NULL;
}

bool space_copy(Warp *w, const Op *op, PtxSpace space, uint32_t lane, uint64_t addr, void *bytes, size_t n,
				bool store) {
	const uint8_t *p = NULL;
	switch (space) {
	case SPACE_SHARED: p = shared_at(w, addr, n); break;
	case SPACE_LOCAL:
		if (!inside(addr, n, stack_end(w->frame, lane))) return false;
		local_copy(w, lane, addr, bytes, n, store);
		return true;
	case SPACE_PARAM:
		if (!store && inside(addr, n, w->worker->run->launch->param_bytes)) p = w->worker->run->launch->params + addr;
		break;
	default: p = global_bytes(w->worker, op, store, addr, n); break;
	}
	if (!p) return false;
	if (store)
		memcpy((uint8_t *)p, bytes, n);
	else
		memcpy(bytes, p, n);
	return true;
}

static const Op any_op; /* for lookups that belong to no instruction */

bool generic_read(Warp *w, uint32_t lane, uint64_t addr, void *to, size_t bytes) {
	PtxSpace space = generic_space(&addr);
	return space_copy(w, &any_op, space, lane, addr, to, bytes, false);
}

bool generic_write(Warp *w, uint32_t lane, uint64_t addr, const void *from, size_t bytes) {
	PtxSpace space = generic_space(&addr);
	if (!space_copy(w, &any_op, space, lane, addr, (void *)from, bytes, true)) return false;
	if (space == SPACE_GLOBAL) mark_stored(w, &any_op, addr, bytes);
	return true;
}

/* --- elements of a vector ----------------------------------------------------------------------------------------- */

void op_addresses(const Warp *w, const Op *op, uint64_t *addr) {
	const uint8_t *base = w->regs + op->a;
	for (uint32_t l = 0; l < LANES; l++)
		addr[l] = op->flags & OPF_ADDR32 ? (uint32_t)(((const uint32_t *)base)[l] + (uint32_t)op->imm)
										 : ((const uint64_t *)base)[l] + (uint64_t)op->imm;
}

#define TAKE(U, S)                                                                                                     \
	do {                                                                                                               \
		U v;                                                                                                           \
		memcpy(&v, from, sizeof v);                                                                                    \
		return sign ? (uint64_t)(int64_t)(S)v : v;                                                                     \
	} while (0)

/* A size that is known to the compiler: a copy of any other goes through memory and stalls. */
static uint64_t take(const void *from, uint32_t bytes, bool sign) {
	switch (bytes) {
	case 1: TAKE(uint8_t, int8_t);
	case 2: TAKE(uint16_t, int16_t);
	case 4: TAKE(uint32_t, int32_t);
	default: TAKE(uint64_t, int64_t);
	}
}

static void put(void *to, uint64_t v, uint32_t bytes) {
	switch (bytes) {
	case 1: memcpy(to, &v, 1); break;
	case 2: memcpy(to, &v, 2); break;
	case 4: memcpy(to, &v, 4); break;
	default: memcpy(to, &v, 8); break;
	}
}

static uint32_t element_slot(const Op *op, uint32_t i) {
	return op->vector == 1 ? (op->b == NO_SLOT ? op->d : op->b) : op->list[i];
}

/* One lane's elements between its registers and the bytes in memory. */
void lane_elements(Warp *w, const Op *op, uint32_t l, uint8_t *bytes, bool store) {
	for (uint32_t i = 0; i < op->vector; i++) {
		uint32_t slot = element_slot(op, i);
		if (slot == NO_SLOT) continue;
		uint8_t *reg = w->regs + slot + l * op->container;
		if (store)
			put(bytes + i * op->bytes, take(reg, op->bytes, false), op->bytes);
		else
			put(reg, take(bytes + i * op->bytes, op->bytes, op->flags & OPF_SIGNED), op->container);
	}
}

void fill_sentinel(Warp *w, const Op *op, uint32_t mask) {
	uint8_t bytes[32];
	memset(bytes, 0xff, sizeof bytes);
	FOR_LANES(l, mask) lane_elements(w, op, l, bytes, false);
}
