/* Shuffles that read a lane which does not take part, or is not in the reader's mask: what they give is undefined. A
 * sum that lanes without data throw away is no mistake; it is one where a value that came from such a lane is stored.
 * So each warp has a set of lanes whose value is undefined: it grows with a shuffle, as values are passed on by it, and
 * begins again with another chain of shuffles, whose distances only grow, or only shrink. Which stores depend on a
 * shuffle is known from the code. */
#pragma once

#include "emu/observer.h"

/* Indexed by the global number of an instruction. */
typedef struct {
	bool any;
	uint8_t *direct; /* a shuffle whose value is used whatever it is: not only where a condition selects it */
	uint8_t *stores; /* a store or atomic of what such shuffles made */
} Shuffles;

typedef struct {
	uint32_t undefined;       /* lanes */
	uint32_t instr, distance; /* of the last shuffle */
	int direction;            /* of its distance, against the one before: -1, 1; 0: it is the first of a chain */
	uint32_t first_instr, lane, source, member; /* the first that read an undefined value */
	bool inactive;                              /* its source took no part; else it is not in the mask */
} ShuffledWarp;

Shuffles shuffles_of(const LaunchInfo *info);
void shuffles_free(Shuffles *shuffles);
void shuffle_note(const Shuffles *shuffles, ShuffledWarp *warp, const WarpSync *sync, const PtxInstr *instr);
