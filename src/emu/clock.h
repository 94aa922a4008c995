/* Clocks of the race checker: what somebody knows of others, as a map from a key (a thread, a warp, a block) to a time.
 * Unknown keys have time 0. A Clock never changes: setting and joining give a new one that shares what it can with the old,
 * so that a million threads may know nearly the same for the price of one.
 *
 * A binary trie over the keys' bits (Morrison's Patricia; joined as in Okasaki & Gill, "Fast mergeable integer maps", 1998):
 * a leaf holds one key, a branch two tries that differ first in its bit. NULL is the empty clock.
 * Ownership: every function returns a reference of the caller's own; clock_drop gives one back. */
#ifndef GPULAB_EMU_CLOCK_H
#define GPULAB_EMU_CLOCK_H

#include <stdint.h>

typedef struct Clock Clock;

uint32_t clock_get(const Clock *clock, uint64_t key);
/* Both take over the references given. The later time of a key wins. */
Clock *clock_set(Clock *clock, uint64_t key, uint32_t time);
Clock *clock_join(Clock *a, Clock *b);
Clock *clock_keep(Clock *clock); /* another reference */
void clock_drop(Clock *clock);

#endif
