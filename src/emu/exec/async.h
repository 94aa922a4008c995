/* What asynchronous copies of all kinds share (async.c). */
#pragma once

#include "emu/code/async.h"
#include "emu/exec/out_of_line.h"

/* A lane's address, and the space it is in; in that space. */
uint64_t async_address(const Warp *warp, const AsyncAddress *address, uint32_t lane, PtxSpace *space);
const Op *async_bad_access(Warp *warp, const Op *op, PtxSpace space, AccessKind kind, uint64_t at, uint32_t lane);
/* Tells the mbarrier at `at` (shared memory) that so many bytes are there, at to[lane]; false: a fault was recorded. */
bool async_complete(Warp *warp, const Op *op, uint32_t lane, PtxSpace space, uint64_t at, uint32_t bytes,
					const uint64_t *to);
void async_report(Warp *warp, const Op *op, const AsyncEvent *event);
/* The block, or block `rank` of the cluster for each bit of a multicast. */
static inline uint64_t shared_of(uint64_t addr, uint32_t rank, bool multicast) {
	return multicast ? addr % CLUSTER_STRIDE + CLUSTER_STRIDE * (uint64_t)(rank + 1) : addr;
}
/* The blocks of a multicast, by rank; 0: a fault was recorded. */
uint32_t async_blocks(Warp *warp, const Op *op, uint32_t slot, uint32_t lane);

/* atomic.c: what `in` makes of the contents old of memory with the operand b, as an atomic of global memory; and an
 * element of memory that is there changed by a bulk copy, whose sums of single precision keep subnormals. */
uint64_t atomic_result(const PtxInstr *in, PtxType type, uint64_t old, uint64_t b);
void atomic_update(Warp *warp, const Op *op, PtxSpace space, uint64_t addr, PtxType type, uint64_t b);
