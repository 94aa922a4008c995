/* Memory and registers as handlers reach them: addresses to bytes, bytes to lanes, and the events that observers get
 * of both. */
#pragma once

#include "emu/warp/warp.h"

/* --- bytes.c: addresses to bytes ---------------------------------------------------------------------------------- */

/* addr becomes the address within the space it points to. */
PtxSpace generic_space(uint64_t *addr);
/* Moves n bytes between a lane's view of a space and `bytes`; false: outside all memory. */
bool space_copy(Warp *warp, const Op *op, PtxSpace space, uint32_t lane, uint64_t addr, void *bytes, size_t n,
				bool store);
void op_addresses(const Warp *warp, const Op *op, uint64_t *addr);
/* Global memory counts as written at the bytes that a store by op has just put there. */
void mark_stored(Warp *warp, const Op *op, uint64_t addr, uint64_t bytes);
/* The block whose shared memory contains the address, which becomes the offset there; NULL: none of the cluster, or
 * one that has exited. */
Block *cluster_owner(const Warp *warp, uint64_t *addr);
/* The bytes of shared memory, the block's or another one's of its cluster; NULL: outside all memory. */
uint8_t *shared_at(const Warp *warp, uint64_t addr, uint64_t bytes);
/* The byte behind a generic address, for strings and argument lists of one lane; false: outside all memory. */
bool generic_read(Warp *warp, uint32_t lane, uint64_t addr, void *to, size_t bytes);
bool generic_write(Warp *warp, uint32_t lane, uint64_t addr, const void *from, size_t bytes); /* no observer sees it */
/* One lane's elements between its registers and the bytes in memory. */
void lane_elements(Warp *warp, const Op *op, uint32_t lane, uint8_t *bytes, bool store);
void fill_sentinel(Warp *warp, const Op *op, uint32_t mask); /* ones as what a load gives these lanes */

/* --- report.c: events --------------------------------------------------------------------------------------------- */

void report_branch(Warp *warp, const Op *op, uint32_t taken);
void report_visit(Warp *warp, const Op *op);
void report_speculation(Warp *warp, const Op *op);
/* Reports an access to the observers after its bounds check. Shared addresses are offsets in the memory of one block,
 * never addresses in the cluster's window. */
void report_access(Warp *warp, const Op *op, AccessKind kind, PtxSpace space, uint32_t mask, const uint64_t *addr);
/* The same of global memory, and of shared memory where all lanes are known to end in the block's own. form: as in
 * Access. */
void report_inside(Warp *warp, const Op *op, AccessKind kind, PtxSpace space, uint32_t mask, const uint64_t *addr,
				   uint64_t form);
/* The same of what does not store its registers as they are: element i of lane l is at regs + slots[i] +
 * l * container. */
typedef struct {
	const uint8_t *regs;
	const uint32_t *slots;
	uint32_t elements, container;
	uint32_t passed; /* as of Access */
} AccessValues;
void report_values(Warp *warp, const Op *op, AccessKind kind, PtxSpace space, uint32_t mask, const uint64_t *addr,
				   const AccessValues *values);
/* The same of a piece of a bulk copy, for those observers that do not take its rows; and a row, for the others. */
void report_piece(Warp *warp, const Op *op, AccessKind kind, PtxSpace space, uint32_t lane, uint64_t at);
void report_row(Warp *warp, const Op *op, BulkRow row);
void report_printf(Warp *warp, const Op *op, const PrintfCall *call);
/* The same where each lane has a space of its own. */
void report_spaces(Warp *warp, const Op *op, AccessKind kind, const PtxSpace *spaces, uint32_t mask,
				   const uint64_t *addr, const AccessValues *values);

/* --- lanes -------------------------------------------------------------------------------------------------------- */

/* A lane's value in a lane array of 2, 4 or 8 bytes per lane. */
static inline uint64_t lane_get(const Warp *w, uint32_t slot, uint32_t container, uint32_t lane) {
	const uint8_t *at = w->regs + slot;
	return container == 8   ? ((const uint64_t *)at)[lane]
		   : container == 4 ? ((const uint32_t *)at)[lane]
							: ((const uint16_t *)at)[lane];
}
static inline void lane_set(Warp *w, uint32_t slot, uint32_t container, uint32_t lane, uint64_t v) {
	uint8_t *at = w->regs + slot;
	if (container == 8)
		((uint64_t *)at)[lane] = v;
	else if (container == 4)
		((uint32_t *)at)[lane] = (uint32_t)v;
	else
		((uint16_t *)at)[lane] = (uint16_t)v;
}
static inline uint32_t pred_get(const Warp *w, uint32_t slot, bool negated) {
	uint32_t p = *(const uint32_t *)(w->regs + slot);
	return negated ? ~p : p;
}
static inline void pred_set(Warp *w, uint32_t slot, uint32_t value) {
	uint32_t *p = (uint32_t *)(w->regs + slot);
	*p = (*p & ~w->mask) | (value & w->mask);
}

/* Where the lane's local memory ends: what lies beyond belongs to no call that is running. */
static inline uint64_t stack_end(const Frame *f, uint32_t lane) {
	return f->stack_end ? f->stack_end[lane] : f->local_base + f->function->local_bytes;
}

static inline uint8_t *local_at(Warp *w, uint64_t off, uint32_t lane) {
	return w->local.bytes + (off >> 2) * SLOT32 + lane * 4 + (off & 3);
}

/* The bytes at [addr, addr + bytes) if they lie in the allocation this op used last, else NULL. */
static inline uint8_t *cached_bytes(Worker *k, const Op *op, bool store, uint64_t addr, uint64_t bytes) {
	const Allocation *a = k->cache[store][op->cache_slot];
	/* Read once: another thread may free an object of the heap at any time. */
	const uint64_t at = addr - a->base, reach = __atomic_load_n(&a->reach, __ATOMIC_RELAXED);
	return at <= reach && bytes <= reach - at ? a->host + at : NULL;
}
/* Looks the address up and caches the allocation; NULL: unmapped, freed, or (store) constant memory. */
uint8_t *find_bytes(Worker *worker, const Op *op, bool store, uint64_t addr, uint64_t bytes);
static inline uint8_t *global_bytes(Worker *k, const Op *op, bool store, uint64_t addr, uint64_t bytes) {
	uint8_t *p = cached_bytes(k, op, store, addr, bytes);
	return p ? p : find_bytes(k, op, store, addr, bytes);
}

/* The space of a lane's address, which becomes the address within it. */
static inline PtxSpace space_of(PtxSpace space, uint64_t *addr) {
	return space == SPACE_GENERIC ? generic_space(addr) : space;
}

static inline const PtxInstr *instr_of(const Warp *w, const Op *op) {
	return &w->frame->function->ptx->instrs[op->instr];
}
