/* sparse.h */
#include "emu/exec/sparse.h"

#include "emu/warp/warp.h"

/* Two bits of a row's metadata. A row's first 16 bits are in one thread's word, next to those of the row eight below;
 * of elements of 8 and 4 bits, a word has 32 bits of one row. */
static u32 place_of_kept(const Warp *w, const Sparsity *s, u32 row, u32 bit) {
	const u32 each = s->bits == 4 ? 1 : s->bits == 32 ? 4 : 2;
	const u32 words = s->stored * each / 16, below = row / 8;
	const u32 word = s->bits >= 16 ? bit / 16 : bit / 32 * 2 + below;
	const u32 shift = s->bits >= 16 ? bit % 16 + 16 * below : bit % 32;
	const u32 lane = row % 8 * 4 + s->selector * words + word;
	return ((const u32 *)(w->regs + s->metadata))[lane] >> shift & 3;
}

u32 sparse_partner(const Warp *w, const Sparsity *s, u32 row, u32 i) {
	switch (s->bits) {
	case 32: return 2 * i + place_of_kept(w, s, row, 4 * i) / 2;
	case 4: return 2 * (i / 4 * 4 + place_of_kept(w, s, row, i / 2 * 2)) + i % 2;
	default: return i / 2 * 4 + place_of_kept(w, s, row, 2 * i);
	}
}
