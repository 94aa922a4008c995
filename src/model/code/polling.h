/* Loops in which a warp waits for what another thread stores.
 *
 * A polling loop is one between whose basic blocks in the text there are at most jumps, and that
 *   - reads what others may write: a load that is volatile, relaxed or acquire, an atomic compare-and-swap, or a wait
 *     for an mbarrier;
 *   - changes nothing else: no store, other atomic, barrier, call or shuffle;
 *   - needs nothing of its last iteration: it writes no register that it reads before. A wait for an mbarrier may, if
 *     nothing after the loop does, as that of the CUDA headers counts and looks at the time to sleep between its tries.
 * How often a warp goes around depends on how the emulator takes turns among warps and says nothing about a GPU. So
 * the models of cc >= 2.0 count successive iterations by one warp as one: its instructions, its accesses, and its visit
 * in a trace. The time that a warp really waits there is predicted for mbarriers alone, by replay. */
#pragma once

#include "base/map.h"
#include "emu/observer.h"

/* [ninstrs] by global number: that of the loop's first instruction + 1; 0: in no such loop. NULL where there is none;
 * the caller frees. */
uint32_t *poll_loops(const LaunchInfo *info);

/* Is it made in an iteration other than the first, so that it does not count? The first one's instructions are added
 * to issued[ninstrs]: counts of blocks have those of all iterations. last: of each warp, all zeros at first. */
bool poll_again(const uint32_t *loops, NumberMap *last, const Access *access, uint64_t *issued);
