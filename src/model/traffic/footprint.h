/* Which 32-byte sectors of global memory a launch has touched: a bit each for read and written, in regions of 128 KB
 * that are allocated when first touched. Memory grows with the footprint (1/128 of it), not with the number of
 * accesses. */
#ifndef GPULAB_MODEL_FOOTPRINT_H
#define GPULAB_MODEL_FOOTPRINT_H

#include "base/map.h"
#include "base/vec.h"
#include "emu/observer.h"
#include "gpu/gpu.h"
#include <stdbool.h>

enum { REGION_SHIFT = 17, REGION_WORDS = (1 << REGION_SHIFT) / 32 / 64 };

typedef struct {
	uint64_t number; /* address >> REGION_SHIFT */
	uint64_t read[REGION_WORDS], written[REGION_WORDS];
} Region;

typedef struct {
	NumberMap index; /* by number: index in regions + 1 */
	VEC(Region *) regions;
	Region *last; /* most accesses come back to it */
} Footprint;

uint32_t segments_lines(const Segment *segments, uint32_t n); /* of adjacent sectors of one line, each once */
uint32_t segments_sectors(const Segment *segments, uint32_t n);

/* Sectors or lines. */
void footprint_touch(Footprint *f, const Segment *segments, uint32_t n, bool store);
/* The first lines of a row, each with its sectors; the row becomes what is left of it. */
enum { ROW_LINES = 32 };
uint32_t footprint_lines(BulkRow *row, Segment *lines);
void footprint_merge(Footprint *to, const Footprint *from);
/* pairs_read: aligned pairs of sectors of which one was read at least; blind: written sectors that were not read. */
void footprint_count(const Footprint *f, uint64_t *sectors_read, uint64_t *pairs_read, uint64_t *sectors_written,
					 uint64_t *blind);
void footprint_free(Footprint *f); /* empty again, ready for use */

#endif
