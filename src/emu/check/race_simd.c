/* race.h: the common accesses: a whole warp, one word per lane, ordered after the previous accesses. Loops over lanes
 * without branches, compiled for several instruction sets; all others take the general path (race_shadow.c). */
#include <string.h>

#include "emu/check/lanes.h"
#include "emu/check/race.h"

#define THREAD_BITS (UINT64_C(1023) << THREAD_SHIFT)
#define WARP_BITS (UINT64_C(31) << (THREAD_SHIFT + 5))
#define EACH_LANE for (uint32_t l = 0; l < LANES; l++)
#define EACH_HALF for (uint32_t h = 0; h < 2; h++)
#define EACH_OF_HALF for (uint32_t l = 0; l < HALF; l++)

/* All of the following are all ones or zero, and all in 64 bits, so that eight lanes are one comparison. */
static inline uint64_t yes(bool x) {
	return -(uint64_t)x;
}

/* Unused, or ordered because its time is this block's and before the floor. */
static inline uint64_t past(Cell c, uint64_t own, uint64_t floor) {
	const uint64_t t = c & UINT32_MAX;
	return yes(t == 0) | (yes(t >= own) & yes(t < floor));
}

/* This thread's own, at this block's current time. */
static inline uint64_t self(Cell c, Cell mine, uint64_t own) {
	return yes(((c ^ mine) & (THREAD_BITS | CELL_SEVERAL)) == 0) & yes((c & UINT32_MAX) >= own);
}

/* Two warps of this block are recorded as readers since the floor, neither is this one: a third adds nothing. */
static inline uint64_t remembered(Cell read, Cell other, Cell mine, uint64_t low) {
	return yes((read & UINT32_MAX) >= low) & yes((other & UINT32_MAX) >= low) & yes(((read ^ other) & WARP_BITS) != 0) &
		   yes(((read ^ mine) & WARP_BITS) != 0);
}

typedef struct {
	Cell *half[2]; /* HALF cells each */
} Lanes;

/* The recorded reader is of another block: it moves to CELL_OTHER. */
static inline uint64_t moves(Cell read, uint64_t own) {
	const uint64_t t = read & UINT32_MAX;
	return yes(t != 0) & yes(t < own);
}

static inline bool load_cells(const SimdAccess *q, Lanes write, Lanes read, Lanes other) {
	const uint64_t own = q->own, floor = q->floor, low = own > floor ? own : floor, mine0 = q->mine;
	const uint64_t room = yes(q->room_for_other);
	uint64_t fine = ~UINT64_C(0), moved = 0;
	Cell next[LANES], next_other[LANES];
	EACH_HALF EACH_OF_HALF {
		const Cell mine = mine0 + ((Cell)(HALF * h + l) << THREAD_SHIFT);
		const Cell r = read.half[h][l], w = write.half[h][l], o = other.half[h][l];
		const uint64_t move = moves(r, own) & room, take = past(r, own, floor) | self(r, mine, own) | move;
		fine &= past(w, own, floor) | self(w, mine, own);
		fine &= take | remembered(r, o, mine, low);
		moved |= move;
		next[HALF * h + l] = r ^ ((r ^ mine) & take);
		next_other[HALF * h + l] = o ^ ((o ^ r) & move);
	}
	if (!fine) return false;
	EACH_HALF memcpy(read.half[h], next + HALF * h, HALF * sizeof *next);
	if (moved) EACH_HALF memcpy(other.half[h], next_other + HALF * h, HALF * sizeof *next_other);
	return true;
}

static inline bool store_cells(const SimdAccess *q, Lanes write, Lanes read, Lanes other) {
	const uint64_t own = q->own, floor = q->floor, mine0 = q->mine;
	uint64_t fine = ~UINT64_C(0);
	EACH_HALF EACH_OF_HALF {
		const Cell mine = mine0 + ((Cell)(HALF * h + l) << THREAD_SHIFT);
		const Cell w = write.half[h][l], r = read.half[h][l], o = other.half[h][l];
		fine &= past(w, own, floor) | self(w, mine, own);
		fine &= past(r, own, floor) | self(r, mine, own);
		fine &= past(o, own, floor) | self(o, mine, own);
	}
	if (!fine) return false;
	EACH_HALF EACH_OF_HALF write.half[h][l] = mine0 + ((Cell)(HALF * h + l) << THREAD_SHIFT);
	return true;
}

static inline Lanes in_place(const SimdAccess *q, unsigned kind) {
	return (Lanes){{q->cells[0][kind], q->cells[1][kind]}};
}

static inline Lanes gather(const SimdAccess *q, unsigned kind, Cell *to) {
	const Cell *cells = q->cells[0][kind];
	EACH_LANE to[l] = cells[q->index[l]];
	return (Lanes){{to, to + HALF}};
}

MANY_ISAS bool race_simd_load(const SimdAccess *q) {
	if (!q->index) return load_cells(q, in_place(q, CELL_WRITE), in_place(q, CELL_READ), in_place(q, CELL_OTHER));
	Cell w[LANES], r[LANES], o[LANES], *read = q->cells[0][CELL_READ];
	if (!load_cells(q, gather(q, CELL_WRITE, w), gather(q, CELL_READ, r), gather(q, CELL_OTHER, o))) return false;
	EACH_LANE read[q->index[l]] = r[l];
	/* Lanes that share one word: the last one is marked "several". */
	uint64_t met = 0;
	EACH_LANE met |= read[q->index[l]] ^ r[l];
	if (met) EACH_LANE if (read[q->index[l]] != r[l]) read[q->index[l]] |= CELL_SEVERAL;
	return true;
}

MANY_ISAS bool race_simd_store(const SimdAccess *q, bool *twice) {
	if (!q->index) return store_cells(q, in_place(q, CELL_WRITE), in_place(q, CELL_READ), in_place(q, CELL_OTHER));
	Cell w[LANES], r[LANES], o[LANES], *write = q->cells[0][CELL_WRITE];
	if (!store_cells(q, gather(q, CELL_WRITE, w), gather(q, CELL_READ, r), gather(q, CELL_OTHER, o))) return false;
	EACH_LANE write[q->index[l]] = w[l];
	uint64_t met = 0;
	EACH_LANE met |= write[q->index[l]] ^ w[l];
	*twice = met != 0;
	return true;
}

bool race_simd_broadcast(const SimdAccess *q) {
	Cell *read = q->cells[0][CELL_READ];
	const Cell other = *q->cells[0][CELL_OTHER];
	if (!past(*q->cells[0][CELL_WRITE], q->own, q->floor)) return false;
	if (past(*read, q->own, q->floor)) {
		*read = q->mine | CELL_SEVERAL;
		return true;
	}
	const bool again = (uint32_t)*read >= q->own && !((*read ^ q->mine) & WARP_BITS) && (*read & CELL_SEVERAL) &&
					   (*read >> BYTES_SHIFT & 15) == 15;
	if (again) *read = q->mine | CELL_SEVERAL;
	return again || remembered(*read, other, q->mine, q->own > q->floor ? q->own : q->floor);
}

/* Two readers are recorded, at least one of which conflicts with any writer: of two blocks, or of two warps of this
 * one since the floor. */
static bool two_readers(const SimdAccess *q, Cell read, Cell other, Cell mine) {
	if (!(uint32_t)other) return false;
	if (q->block_of[(uint32_t)read] != q->block_of[(uint32_t)other]) return true;
	return remembered(read, other, mine, q->own > q->floor ? q->own : q->floor) != 0;
}

bool race_simd_line(const SimdAccess *q, Cell *const cells[CELLS], Cell mine, bool load) {
	Cell *write = cells[CELL_WRITE], *read = cells[CELL_READ], *other = cells[CELL_OTHER];
	const uint64_t own = q->own, floor = q->floor;
	const uint64_t free_read = past(*read, own, floor) | self(*read, mine, own);
	if (!(past(*write, own, floor) | self(*write, mine, own))) return false;
	if (load) {
		if (free_read) {
			*read = mine;
		} else if (!two_readers(q, *read, *other, mine)) {
			*other = *read;
			*read = mine;
		}
		return true;
	}
	if (!free_read || !(past(*other, own, floor) | self(*other, mine, own))) return false;
	*write = mine;
	return true;
}
