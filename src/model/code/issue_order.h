/* PTX as what an SM issues (replay/replay.h): straight code per basic block, in the order an assembler would choose.
 *
 * PTX is not what runs. What code.h says of the cost of an instruction holds here: moves, arguments and conversions of
 * addresses take no slot, neighboring words of shared memory are one load, a division is a sequence. Beyond that the
 * instructions of a block of code are put in the order of their latencies, loads first, as assemblers do; no load moves
 * across a store to the same memory, nothing across a barrier or call. A loop that ptxas unrolls (unroll.h) has a
 * second block of code, for several iterations at once. A few instructions behind a condition (predicate.c) are part of
 * the block of code that asks for it, and their loads are put first with all others. */
#pragma once

#include "emu/observer.h"
#include "model/code/code.h"
#include "replay/replay.h"

typedef struct {
	ReplayCode code;
	uint32_t *block_at; /* [ninstrs] block of code that begins at this global number; UINT32_MAX: none */
	uint32_t *unrolled; /* [code.nblocks] the block that stands for UNROLL visits of this one; UINT32_MAX: none */
	Arena *arena;
} Lifted;

/* costs: code_costs of the same launch. */
Lifted *lift(const Gpu *gpu, const LaunchInfo *info, const InstrCost *costs);
void lift_free(Lifted *lifted); /* NULL is allowed */
