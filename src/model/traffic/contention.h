/* What the atomic operations of a launch ask of L2.
 *
 * L2 changes words of one sector that a warp instruction names together, in one operation; lanes that name the same
 * word take one operation each. An instruction is as many operations as its sectors have lanes on their busiest word.
 *
 *     32 lanes, one word: 32      32 neighboring words: 4 (sectors)      64 random bins: about 13
 *
 * L2 is divided into slices that each do one operation at a time, and a piece of 256 bytes is in one slice. So few
 * pieces keep few slices busy. Which slice has a piece is not known: of many pieces in use at the same time the busiest
 * slice has its share and a few pieces more. */
#pragma once

#include "base/map.h"
#include "gpu/gpu.h"

/* All zeros but for `part`: nothing seen yet. */
typedef struct {
	uint64_t part;        /* neighboring blocks that count together, at least 1 */
	NumberMap words;      /* updates, by address and whether of floating-point numbers */
	NumberMap places;     /* operations, by part and piece */
	uint64_t most;        /* updates of the word that gets the most */
	uint64_t most_floats; /* the same of words that floating-point operations change */
	uint64_t operations;
} Contention;

/* One warp instruction: its operations. Beyond a million different words or places new ones are no longer told apart:
 * that many do not wait for each other. */
uint32_t contention_add(Contention *c, uint64_t block, const uint64_t *addresses, uint32_t lanes, bool floats);
void contention_merge(Contention *to, const Contention *from);
void contention_free(Contention *c);

/* What they take where so many blocks are on the GPU at the same time: whatever takes longest of one word, the busiest
 * slice, and L2 as a whole. */
double contention_ns(const Contention *c, const Gpu *gpu, double blocks);
