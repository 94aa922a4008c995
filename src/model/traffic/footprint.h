/* Which 32-byte sectors of global memory a launch has touched: a bit each for read and written, in regions of 128 KB
 * that are allocated when first touched. Memory grows with the footprint (1/128 of it), not with the number of
 * accesses. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "emu/observer.h"
#include "gpu/pattern.h"

enum { SECTOR_BITS = 12, REGION_WORDS = (1 << SECTOR_BITS) / 64, RECENT_REGIONS = 32 };
_Static_assert(REGION_WORDS == 64, "Region.touched has a bit for each");

typedef struct {
	uint64_t number;  /* sector >> SECTOR_BITS */
	uint64_t touched; /* bit i: words i are not all 0 */
	uint64_t read[REGION_WORDS], written[REGION_WORDS];
} Region;

typedef struct {
	NumberMap index; /* by number: index in regions + 1 */
	VEC(Region *) regions;
	Region *recent[RECENT_REGIONS]; /* by number: most accesses come back to a few */
} Footprint;

/* Lines of sectors from origin on. */
void footprint_touch(Footprint *f, uint64_t origin, const TouchedLine *lines, uint32_t n, bool store);
/* The first lines of a row, from 0 on; the row becomes what is left of it. */
enum { ROW_LINES = 32 };
uint32_t footprint_lines(BulkRow *row, TouchedLine *lines);
/* Adds what `from` has, which is empty then. */
void footprint_join(Footprint *to, Footprint *from);
/* pairs_read: aligned pairs of sectors of which one was read at least; blind: written sectors that were not read. */
void footprint_count(const Footprint *f, uint64_t *sectors_read, uint64_t *pairs_read, uint64_t *sectors_written,
					 uint64_t *blind);
void footprint_free(Footprint *f); /* empty again, ready for use */
