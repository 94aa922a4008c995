/* race.h: the accesses nearly all are: a whole warp, a word a lane, in good order with what was there before. Loops over lanes without
 * branches, compiled for several instruction sets; whatever is not plain goes the long way (race_shadow.c). */
#include <string.h>

#include "emu/check_lanes.h"
#include "emu/race.h"

#define THREAD_BITS (UINT64_C(1023) << THREAD_SHIFT)
#define WARP_BITS (UINT64_C(31) << (THREAD_SHIFT + 5))
#define EACH_LANE for (uint32_t l = 0; l < LANES; l++)

/* All of the following are all ones or zero, and all in 64 bits, so that eight lanes are one comparison. */
static inline uint64_t yes(bool x) {
	return -(uint64_t)x;
}

/* Nobody's, or in order because its time is this block's and before the floor. */
static inline uint64_t past(Cell c, uint64_t own, uint64_t floor) {
	const uint64_t t = c & UINT32_MAX;
	return yes(t == 0) | (yes(t >= own) & yes(t < floor));
}

/* This very thread's, in this block's present. */
static inline uint64_t self(Cell c, Cell mine, uint64_t own) {
	return yes(((c ^ mine) & (THREAD_BITS | CELL_SEVERAL)) == 0) & yes((c & UINT32_MAX) >= own);
}

/* Two warps of this block are remembered as readers since the floor, neither is this one: a third adds nothing. */
static inline uint64_t remembered(Cell read, Cell other, Cell mine, uint64_t low) {
	return yes((read & UINT32_MAX) >= low) & yes((other & UINT32_MAX) >= low) & yes(((read ^ other) & WARP_BITS) != 0) &
		   yes(((read ^ mine) & WARP_BITS) != 0);
}

static inline bool load_cells(const QuickAccess *q, const Cell *write, Cell *read, const Cell *other) {
	const uint64_t own = q->own, floor = q->floor, low = own > floor ? own : floor, mine0 = q->mine;
	uint64_t fine = ~UINT64_C(0);
	Cell next[LANES];
	EACH_LANE {
		const Cell mine = mine0 + ((Cell)l << THREAD_SHIFT), r = read[l], w = write[l];
		const uint64_t take = past(r, own, floor) | self(r, mine, own);
		fine &= past(w, own, floor) | self(w, mine, own);
		fine &= take | remembered(r, other[l], mine, low);
		next[l] = r ^ ((r ^ mine) & take);
	}
	if (!fine) return false;
	memcpy(read, next, sizeof next);
	return true;
}

static inline bool store_cells(const QuickAccess *q, Cell *write, const Cell *read, const Cell *other) {
	const uint64_t own = q->own, floor = q->floor, mine0 = q->mine;
	uint64_t fine = ~UINT64_C(0);
	EACH_LANE {
		const Cell mine = mine0 + ((Cell)l << THREAD_SHIFT);
		fine &= past(write[l], own, floor) | self(write[l], mine, own);
		fine &= past(read[l], own, floor) | self(read[l], mine, own);
		fine &= past(other[l], own, floor) | self(other[l], mine, own);
	}
	if (!fine) return false;
	EACH_LANE write[l] = mine0 + ((Cell)l << THREAD_SHIFT);
	return true;
}

static inline void gather(const Cell *cells, const uint32_t *index, Cell *to) {
	EACH_LANE to[l] = cells[index[l]];
}

MANY_ISAS bool race_quick_load(const QuickAccess *q) {
	Cell *write = q->cells[CELL_WRITE], *read = q->cells[CELL_READ], *other = q->cells[CELL_OTHER];
	if (!q->index) return load_cells(q, write, read, other);
	Cell w[LANES], r[LANES], o[LANES];
	gather(write, q->index, w);
	gather(read, q->index, r);
	gather(other, q->index, o);
	if (!load_cells(q, w, r, o)) return false;
	EACH_LANE read[q->index[l]] = r[l];
	/* Lanes that met in one word: the last one stands for several. */
	uint64_t met = 0;
	EACH_LANE met |= read[q->index[l]] ^ r[l];
	if (met) EACH_LANE if (read[q->index[l]] != r[l]) read[q->index[l]] |= CELL_SEVERAL;
	return true;
}

MANY_ISAS bool race_quick_store(const QuickAccess *q, bool *twice) {
	Cell *write = q->cells[CELL_WRITE], *read = q->cells[CELL_READ], *other = q->cells[CELL_OTHER];
	if (!q->index) return store_cells(q, write, read, other);
	Cell w[LANES], r[LANES], o[LANES];
	gather(write, q->index, w);
	gather(read, q->index, r);
	gather(other, q->index, o);
	if (!store_cells(q, w, r, o)) return false;
	EACH_LANE write[q->index[l]] = w[l];
	uint64_t met = 0;
	EACH_LANE met |= write[q->index[l]] ^ w[l];
	*twice = met != 0;
	return true;
}

bool race_quick_broadcast(const QuickAccess *q) {
	Cell *read = q->cells[CELL_READ];
	const Cell other = *q->cells[CELL_OTHER];
	if (!past(*q->cells[CELL_WRITE], q->own, q->floor)) return false;
	if (past(*read, q->own, q->floor)) {
		*read = q->mine | CELL_SEVERAL;
		return true;
	}
	const bool again = (uint32_t)*read >= q->own && !((*read ^ q->mine) & WARP_BITS) && (*read & CELL_SEVERAL) &&
					   (*read >> BYTES_SHIFT & 15) == 15;
	if (again) *read = q->mine | CELL_SEVERAL;
	return again || remembered(*read, other, q->mine, q->own > q->floor ? q->own : q->floor);
}

/* Two readers are remembered one of whom will disturb any writer: of two blocks, or of two warps of this one since the floor. */
static bool two_readers(const QuickAccess *q, Cell read, Cell other) {
	if (!(uint32_t)other) return false;
	if (q->block_of[(uint32_t)read] != q->block_of[(uint32_t)other]) return true;
	return remembered(read, other, q->mine, q->own > q->floor ? q->own : q->floor) != 0;
}

bool race_quick_line(const QuickAccess *q, bool load) {
	Cell *write = q->cells[CELL_WRITE], *read = q->cells[CELL_READ], *other = q->cells[CELL_OTHER];
	const uint64_t own = q->own, floor = q->floor;
	const uint64_t free_read = past(*read, own, floor) | self(*read, q->mine, own);
	if (!(past(*write, own, floor) | self(*write, q->mine, own))) return false;
	if (load) {
		if (free_read) {
			*read = q->mine;
		} else if (!two_readers(q, *read, *other)) {
			*other = *read;
			*read = q->mine;
		}
		return true;
	}
	if (!free_read || !(past(*other, own, floor) | self(*other, q->mine, own))) return false;
	*write = q->mine;
	return true;
}
