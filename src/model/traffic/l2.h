/* What L2 still has when a launch comes back to it.
 *
 * The emulator runs blocks one after the other, a GPU many at once, so how long ago a line was used follows from no
 * order of events. A warp's uses are placed by how far the warp was: those of neighboring blocks that are on the GPU
 * together, a wave, by the part of its lines that each warp had asked for. In that order L2 keeps the lines that were
 * used last. A sample of the lines is followed, in a cache that is smaller in the same proportion (Waldspurger et al.,
 * "Efficient MRC Construction with SHARDS", FAST 2015). */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "gpu/gpu.h"
#include "gpu/pattern.h"

typedef struct {
	uint64_t line, at; /* lines that the warp had asked for before */
	uint32_t block;
	uint8_t warp, sectors;
	bool store;
} L2Use;

enum { L2_WARPS = 32 /* of a block */ };

typedef struct {
	uint32_t level;           /* one of 2^level lines is followed */
	uint32_t block;           /* the current one */
	uint32_t followed;        /* bit i: its warp i has used a followed line */
	uint64_t asked[L2_WARPS]; /* lines that its warps have asked for */
	NumberMap warps;          /* lines that a warp asked for, those in `followed` alone, and followed + 1 by block */
	VEC(L2Use) uses;
} L2;

/* How many sectors of the followed lines DRAM delivered and took, over how many different ones were read and written:
 * 1 and 1 unless L2 lost some and the launch came back to them, or reads what it has written. Before them: how often
 * pages of DRAM were opened, over how many these bytes fill. */
typedef struct {
	double pages, reads, writes;
} L2Repeats;

L2 l2_new(size_t bytes);
L2 l2_like(const L2 *l2); /* nothing used yet */
void l2_free(L2 *l2);
/* What is used next is of that block; blocks may take turns. UINT32_MAX: of none. */
void l2_begin(L2 *l2, uint32_t block);
/* Lines count from that of the sector `origin` on. */
void l2_use(L2 *l2, uint32_t warp, uint64_t origin, const TouchedLine *lines, uint32_t n, bool store);
void l2_join(L2 *to, L2 *from); /* between blocks; `from` is empty then */
/* With so many neighboring blocks in a wave, and with an L2 that keeps so many bytes for them. halves: lines that are
 * read by blocks of both halves of the GPU take twice their bytes. */
L2Repeats l2_repeats(const L2 *l2, uint64_t wave, double bytes, bool halves);
