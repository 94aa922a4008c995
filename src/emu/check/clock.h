/* Vector clocks of the race checker: a map from a key (a thread, a warp, a block) to the time up to which it is
 * known. Unknown keys have time 0. A Clock is immutable: setting and joining return a new one that shares nodes with
 * the old, so that a million threads with nearly equal clocks cost little more than one.
 *
 * A binary trie over the keys' bits (Morrison's Patricia; joined as in Okasaki & Gill, "Fast mergeable integer maps",
 * 1998): a leaf holds one key, a branch two tries that differ first in its bit. NULL is the empty clock.
 * Ownership: every function returns a new reference; clock_drop releases one. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct Clock Clock;

uint32_t clock_get(const Clock *clock, uint64_t key);
/* Both consume the references passed. The later time of a key wins. */
Clock *clock_set(Clock *clock, uint64_t key, uint32_t time);
Clock *clock_join(Clock *a, Clock *b);
Clock *clock_keep(Clock *clock); /* another reference */
void clock_drop(Clock *clock);
size_t clock_bytes(void); /* of all live clocks of this host thread */
