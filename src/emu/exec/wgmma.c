/* Products of a warpgroup: four warps, of which the first has a number divisible by 4. The warps wait for each other at
 * wgmma.mma_async, and the last to arrive executes the product for all. It is done when it is issued, which PTX allows:
 * it may complete at any time before it is waited for.
 *
 * A descriptor says where the elements of a matrix are in shared memory. They are in pieces of 16 bytes, and eight
 * pieces or eight rows of pieces are a core matrix. Source: PTX ISA 9.0, "Asynchronous Warpgroup Level Matrix
 * Multiply-Accumulate Instructions". */
#include <string.h>

#include "emu/code/matrix.h"
#include "emu/exec/async.h"
#include "emu/exec/sparse.h"
#include "emu/exec/tensor_sum.h"

/* In bytes. A line is the k of a row of a or of a column of b: as many elements as are multiplied, or, of b by a sparse
 * a, twice as many. */
enum {
	PIECE = 16,
	CORE = 8,
	LINE = 32,
	MOST_LINE = 2 * LINE,
	MOST_PIECES = (GROUP_ROWS * LINE + GROUP_MOST_COLUMNS * MOST_LINE) / PIECE
};

/* --- the warps meet ----------------------------------------------------------------------------------------------- */

static Split *waiting(const Warp *w) {
	for (u32 k = 0; k < w->splits.len; k++)
		if (w->splits.data[k]->state == SPLIT_BARRIER && w->splits.data[k]->barrier == WARPGROUP)
			return w->splits.data[k];
	return NULL;
}

static u32 line_of(const Warp *w, const Op *op) {
	return w->frame->function->ptx->instrs[op->instr].line;
}

static bool is_group(Warp *w, const Op *op, const Warp *group) {
	const Block *b = w->block;
	u32 alive = 0;
	if ((w->number | 3) >= b->nwarps || group[3].lanes != ~0u) {
		fault_at(
			w, op, w->mask, FAULT_INSTRUCTION,
			"wgmma is executed by a warpgroup: 128 threads, of which the first has a number divisible by 128. "
			"These threads have no complete warpgroup; make the number of threads of the block a multiple of 128.");
		return false;
	}
	for (u32 i = 0; i < GROUP_WARPS; i++) alive += count_lanes(group[i].alive);
	if (alive == GROUP_WARPS * LANES && w->mask == ~0u) return true;
	fault_at(
		w, op, w->mask, FAULT_INSTRUCTION,
		"wgmma needs all 128 threads of a warpgroup together; %u of this warp are here, and %u of the warpgroup have "
		"ended.",
		count_lanes(w->mask), GROUP_WARPS * LANES - alive);
	return false;
}

/* How many of the group's warps are here, this one included; 0: a fault was recorded. */
static u32 arrived(Warp *w, const Op *op, const Warp *group) {
	u32 n = 1;
	for (u32 i = 0; i < GROUP_WARPS; i++) {
		const Split *s = &group[i] == w ? NULL : waiting(&group[i]);
		if (s && s->pc != op) {
			fault_at(
				w, op, w->mask, FAULT_INSTRUCTION,
				"The warps of a warpgroup execute different wgmma instructions: one is here, another at line %u. All "
				"128 threads must execute the same.",
				line_of(&group[i], s->pc));
			return 0;
		}
		n += s != NULL;
	}
	return n;
}

bool wgmma_deadlock(const Block *b) {
	for (u32 i = 0; i < b->nwarps; i++) {
		Warp *w = &b->warps[i];
		Split *s = waiting(w);
		u32 n = 0;
		if (!s) continue;
		for (u32 k = 0; k < GROUP_WARPS; k++) n += waiting(&b->warps[(i & ~3u) + k]) != NULL;
		warp_switch(w, s);
		fault_at(
			w, s->pc, w->mask, FAULT_BARRIER,
			"%u of the 4 warps of a warpgroup wait at a wgmma instruction forever: the others do not execute it. All "
			"128 threads must.",
			n);
		return true;
	}
	return false;
}

static void release(Warp *w, Warp *group) {
	for (u32 i = 0; i < GROUP_WARPS; i++) {
		Split *s = &group[i] == w ? NULL : waiting(&group[i]);
		if (!s) continue;
		w->block->waiting--;
		s->state = SPLIT_READY;
		s->pc++;
	}
}

/* --- descriptors -------------------------------------------------------------------------------------------------- */

typedef struct {
	u32 start, leading, stride; /* bytes */
	u32 base;
	u32 swizzle; /* bytes of a row: 128, 64, 32; 0: no swizzle */
} Descriptor;

static Descriptor descriptor_of(u64 bits) {
	static const u32 spans[] = {0, 128, 64, 32};
	return (Descriptor){.start = (bits & 0x3fff) << 4,
						.leading = (bits >> 16 & 0x3fff) << 4,
						.stride = (bits >> 32 & 0x3fff) << 4,
						.base = bits >> 49 & 7,
						.swizzle = spans[bits >> 62]};
}

/* The pieces of a row of 128 bytes are permuted by the row's number, from `base` on. */
static u32 swizzle(const Descriptor *d, u32 at) {
	const u32 pieces = d->swizzle / PIECE;
	if (!pieces) return at;
	return at ^ (((at >> 7) - d->base) & (pieces - 1)) << 4;
}

/* Where piece (line, column) begins. By row: lines are rows of a or columns of b, and a column is 16 bytes along k. By
 * column: lines are along k, and a column is eight rows of a or columns of b. */
static u32 piece_at(const Descriptor *d, bool by_column, u32 line, u32 column) {
	const u32 inner = line % CORE, outer = line / CORE, span = d->swizzle / PIECE;
	if (!span && by_column) return d->start + inner * PIECE + outer * d->leading + column * d->stride;
	if (!span) return d->start + inner * PIECE + outer * d->stride + column * d->leading;
	if (!by_column) return swizzle(d, d->start + inner * d->swizzle + outer * d->stride + column * PIECE);
	return swizzle(d, d->start + inner * d->swizzle + outer * d->stride + column / span * d->leading +
						  column % span * PIECE);
}

/* --- a matrix ----------------------------------------------------------------------------------------------------- */

typedef struct {
	u8 bytes[GROUP_MOST_COLUMNS][MOST_LINE]; /* k of each row of a, or column of b */
} Lines;

typedef struct {
	u32 at[MOST_PIECES], n;
} Pieces;

static bool same_everywhere(Warp *w, const Op *op, const Warp *group, u32 slot, u64 *value) {
	*value = lane_get(w, slot, 8, 0);
	for (u32 i = 0; i < GROUP_WARPS; i++)
		for (u32 l = 0; l < LANES; l++) {
			if (((const u64 *)(group[i].regs + slot))[l] == *value) continue;
			fault_at(
				w, op, 1u << l, FAULT_INSTRUCTION,
				"The matrix descriptors of wgmma differ between the threads of the warpgroup; they must be the same.");
			return false;
		}
	return true;
}

static const u8 *piece(Warp *w, const Op *op, u32 at, u32 which, Pieces *pieces) {
	pieces->at[pieces->n++] = at;
	if (at + PIECE <= w->shared_bytes) return w->shared + at;
	fault_at(
		w, op, w->mask, FAULT_OUT_OF_BOUNDS,
		"wgmma reads byte %u of shared memory by the descriptor of %s; the block has %zu bytes. Check the descriptor's "
		"start address and offsets.",
		at, which ? "b" : "a", w->shared_bytes);
	return NULL;
}

/* Elements of a line. */
static u32 depth(const GroupProduct *p, u32 which) {
	return which ? p->k : p->kept.stored;
}

static bool read_matrix(Warp *w, const Op *op, const GroupProduct *p, u32 which, const Descriptor *d, Lines *lines,
						Pieces *pieces) {
	const u32 rows = which ? p->n : GROUP_ROWS, line = which && p->sparse ? MOST_LINE : LINE;
	const u32 nlines = p->by_column[which] ? depth(p, which) : rows;
	const u32 columns = p->by_column[which] ? rows / CORE : line / PIECE;
	for (u32 i = 0; i < nlines; i++)
		for (u32 j = 0; j < columns; j++) {
			const u8 *from = piece(w, op, piece_at(d, p->by_column[which], i, j), which, pieces);
			if (!from) return false;
			if (!p->by_column[which]) memcpy(lines->bytes[i] + j * PIECE, from, PIECE);
			for (u32 k = 0; p->by_column[which] && k < CORE; k++)
				memcpy(lines->bytes[j * CORE + k] + 2 * i, from + 2 * k, 2);
		}
	return true;
}

/* Register r of lane l: row l / 4, or the eighth below; each lane has 4 bytes of the first or second 16. */
static void gather_a(const Warp *group, const GroupProduct *p, Lines *lines) {
	for (u32 i = 0; i < GROUP_ROWS / 16; i++)
		for (u32 r = 0; r < 4; r++)
			for (u32 l = 0; l < LANES; l++)
				memcpy(lines->bytes[16 * i + l / 4 + r % 2 * 8] + r / 2 * PIECE + l % 4 * 4,
					   (const u32 *)(group[i].regs + p->slots[p->nd + r]) + l, 4);
}

/* --- sums --------------------------------------------------------------------------------------------------------- */

static u64 element(const u8 *line, PtxType t, u32 i) {
	u32 v = 0;
	const u32 bytes = element_bits(t) / 8;
	memcpy(&v, line + i * bytes, bytes);
	return v;
}

static f64 number(const GroupProduct *p, u32 which, const u8 *line, u32 i) {
	const PtxType t = which ? p->b : p->a;
	const f64 x = element_number(t, element(line, t, i));
	return p->negate[which] ? -x : x;
}

static void take_factors(Factors *f, const GroupProduct *p, u32 which, const u8 *line) {
	f->special = false;
	for (u32 i = 0; i < depth(p, which); i++) factors_set(f, i, which ? p->b : p->a, number(p, which, line, i));
}

static u32 float_sum(const GroupProduct *p, const Factors *a, const Factors *b, u32 c) {
	const bool bytes = element_bits(p->a) == 8;
	const f64 sum = tensor_sum(a, b, p->kept.stored, bytes ? POINT_OF_BYTES : POINT, p->d, element_number(p->d, c));
	return p->d == T_F16 ? rounded_f16(sum) : truncated_f32(sum, bytes ? POINT_OF_BYTES + 1 : 24);
}

static u32 integer_sum(const GroupProduct *p, const u8 *a, const u8 *b, u32 c) {
	s64 sum = (s32)c;
	if (p->a == T_B1)
		for (u32 i = 0; i < LINE; i++) sum += __builtin_popcount(a[i] & b[i]);
	else
		for (u32 i = 0; i < p->kept.stored; i++)
			sum += (p->a == T_S8 ? (s8)a[i] : a[i]) * (p->b == T_S8 ? (s8)b[i] : b[i]);
	if (p->saturate) sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
	return (u32)sum;
}

/* Element (row, column) of the sum: in the group's warp row / 16. */
static u32 *sum_at(Warp *group, const GroupProduct *p, u32 row, u32 column, u32 *shift) {
	const u32 lane = row % 8 * 4 + column % 8 / 2, e = column / 8 * 4 + row / 8 % 2 * 2 + column % 2;
	const bool packed = p->d == T_F16;
	*shift = packed ? e % 2 * 16 : 0;
	return (u32 *)(group[row / 16].regs + p->slots[packed ? e / 2 : e]) + lane;
}

/* Which elements of a column of b each row's elements are multiplied with. */
typedef u8 Partners[GROUP_ROWS][MOST_FACTORS];

static void take_partners(const Warp *group, const GroupProduct *p, Partners partners) {
	for (u32 i = 0; i < GROUP_ROWS; i++)
		for (u32 k = 0; k < p->kept.stored; k++)
			partners[i][k] = (u8)sparse_partner(&group[i / 16], &p->kept, i % 16, k);
}

static const Factors *picked_factors(const Factors *column, const u8 *partners, u32 n, Factors *picked) {
	picked->special = false;
	for (u32 k = 0; k < n; k++) {
		picked->number[k] = column->number[partners[k]];
		picked->exponent[k] = column->exponent[partners[k]];
		picked->special |= column->special && !(fabs(picked->number[k]) < INFINITY);
	}
	return picked;
}

static const u8 *picked_bytes(const u8 *line, const u8 *partners, u32 n, u8 *picked) {
	for (u32 k = 0; k < n; k++) picked[k] = line[partners[k]];
	return picked;
}

static void multiply(Warp *group, const GroupProduct *p, const Lines *a, const Lines *b) {
	const bool floats = p->d != T_S32;
	const u32 keep = p->d == T_F16 ? 0xffff : ~0u, n = p->kept.stored;
	Factors rows[GROUP_ROWS], column, some;
	Partners partners;
	u8 bytes[MOST_FACTORS];
	for (u32 i = 0; floats && i < GROUP_ROWS; i++) take_factors(&rows[i], p, 0, a->bytes[i]);
	if (p->sparse) take_partners(group, p, partners);
	for (u32 j = 0; j < p->n; j++) {
		if (floats) take_factors(&column, p, 1, b->bytes[j]);
		for (u32 i = 0; i < GROUP_ROWS; i++) {
			const Factors *factors = p->sparse && floats ? picked_factors(&column, partners[i], n, &some) : &column;
			const u8 *line = p->sparse && !floats ? picked_bytes(b->bytes[j], partners[i], n, bytes) : b->bytes[j];
			u32 shift, *at = sum_at(group, p, i, j, &shift);
			const u32 adds = pred_get(&group[i / 16], p->adds, p->negated_adds) & 1, c = adds ? *at >> shift & keep : 0;
			const u32 sum = floats ? float_sum(p, &rows[i], factors, c) : integer_sum(p, a->bytes[i], line, c);
			*at = (*at & ~(keep << shift)) | sum << shift;
		}
	}
}

/* --- the instructions --------------------------------------------------------------------------------------------- */

static bool product(Warp *w, const Op *op, Warp *group) {
	const GroupProduct *p = op->aux;
	Lines a, b;
	Pieces pieces = {.n = 0};
	u64 bits;
	if (p->na) {
		gather_a(group, p, &a);
	} else {
		if (!same_everywhere(w, op, group, p->descriptor[0], &bits)) return false;
		const Descriptor d = descriptor_of(bits);
		if (!read_matrix(w, op, p, 0, &d, &a, &pieces)) return false;
	}
	if (!same_everywhere(w, op, group, p->descriptor[1], &bits)) return false;
	const Descriptor d = descriptor_of(bits);
	if (!read_matrix(w, op, p, 1, &d, &b, &pieces)) return false;
	async_report(w, op, &(AsyncEvent){.kind = ASYNC_PRODUCT, .mask = ~0u, .pieces = pieces.at, .npieces = pieces.n});
	multiply(group, p, &a, &b);
	return true;
}

const Op *run_wgmma(Warp *w, const Op *op) {
	Warp *group = &w->block->warps[w->number & ~3u];
	if (!warp_gathered(w, op, ~0u)) return NULL;
	if (!is_group(w, op, group)) return NULL;
	const u32 here = arrived(w, op, group);
	if (here == GROUP_WARPS) {
		if (!product(w, op, group)) return NULL;
		release(w, group);
		return op + 1;
	}
	if (!here) return NULL;
	Split *s = w->split;
	s->state = SPLIT_BARRIER;
	s->barrier = WARPGROUP;
	s->pc = op;
	w->block->waiting++;
	return NULL;
}

const Op *run_wgmma_group(Warp *w, const Op *op) {
	async_report(
		w, op,
		&(AsyncEvent){.kind = op->d ? ASYNC_PRODUCT_WAIT : ASYNC_PRODUCT_COMMIT, .mask = w->mask, .keep = op->b});
	return op + 1;
}
