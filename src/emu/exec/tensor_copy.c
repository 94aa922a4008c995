/* The Tensor Memory Accelerator: boxes of tensors, or pixels of images, between global and shared memory, row by row. A
 * copy is done when it is issued, like all others here (code/async.h). Sources: PTX ISA, "Data Movement and Conversion
 * Instructions: Tensor copy", "Im2col mode", and "Swizzling modes". */
#include <string.h>

#include "emu/exec/async.h"
#include "emu/exec/lanes.h"
#include "gpu/tensor_map.h"

enum { PIECE = 16, SHARED_ALIGN = 128, MOST_ROW = 256 * 8 };

typedef struct {
	Warp *w;
	const Op *op;
	const TensorCopy *c;
	u32 lane;
	TensorMap map;
	s64 at[TENSOR_DIMS];    /* of the box, or of the first pixel, in the tensor, innermost first */
	s64 pixel[TENSOR_DIMS]; /* im2col: the current one, without offsets */
	u32 offsets[TENSOR_DIMS];
	PtxSpace space;
	u64 shared; /* of the tile */
	u64 barrier;
	u32 row_bytes, each;
} Box;

/* A row of the box: where in global memory, and which elements of it are inside the tensor. */
typedef struct {
	u64 global; /* of element 0 of the row, which may be outside */
	u32 first, end;
} Row;

/* --- what is asked for -------------------------------------------------------------------------------------------- */

static bool refuse(Box *b, FaultKind kind, const char *what) {
	fault_at(b->w, b->op, 1u << b->lane, kind, "%s", what);
	return false;
}

static bool take_map(Box *b) {
	PtxSpace space;
	const u64 at = async_address(b->w, &b->c->map, b->lane, &space);
	if (at % TENSOR_MAP_ALIGN)
		return refuse(
			b, FAULT_MISALIGNED,
			"A tensor map that is not aligned to 64 bytes. Pass it as a const __grid_constant__ CUtensorMap.");
	if (!space_copy(b->w, b->op, space, b->lane, at, &b->map, sizeof b->map, false))
		return async_bad_access(b->w, b->op, space, ACCESS_LOAD, at, b->lane) != NULL;
	if (!tensor_map_is(&b->map))
		return refuse(b, FAULT_INSTRUCTION,
					  "There is no tensor map at the address. Make one with gpu.tensor_map or cuTensorMapEncodeTiled, "
					  "and pass it as a const __grid_constant__ CUtensorMap.");
	Err err = ERR_INIT;
	if (!tensor_map_make(&b->map, &err)) return refuse(b, FAULT_INSTRUCTION, err.what); /* changed by the kernel */
	if (b->map.rank != b->c->rank) {
		fault_at(b->w, b->op, 1u << b->lane, FAULT_INSTRUCTION, "A copy of %u dimensions with a tensor map of %u.",
				 b->c->rank, b->map.rank);
		return false;
	}
	if (b->map.im2col == b->c->im2col) return true;
	return refuse(b, FAULT_INSTRUCTION,
				  b->c->im2col ? "An im2col copy with a tensor map of tiles, which cuTensorMapEncodeTiled makes."
							   : "A copy of a tile with an im2col tensor map, which cuTensorMapEncodeIm2col makes.");
}

static bool take_shared(Box *b) {
	const u32 span = swizzle_bytes((Swizzle)b->map.swizzle);
	b->each = tensor_type_bytes((TensorType)b->map.type);
	b->row_bytes = b->map.box[0] * b->each;
	if (b->c->action == TENSOR_PREFETCH) return true;
	b->shared = async_address(b->w, &b->c->shared, b->lane, &b->space);
	if (b->shared % SHARED_ALIGN) {
		fault_at(
			b->w, b->op, 1u << b->lane, FAULT_MISALIGNED,
			"A tensor copy with a tile at byte %llu of shared memory; it must be a multiple of %d. Declare the tile "
			"alignas(%d).",
			(unsigned long long)b->shared, SHARED_ALIGN, SHARED_ALIGN);
		return false;
	}
	if (!span || b->row_bytes == span) return true;
	fault_at(b->w, b->op, 1u << b->lane, FAULT_INSTRUCTION,
			 "The box has rows of %u bytes and a swizzle of %u. The emulator runs only rows as long as the swizzle.",
			 b->row_bytes, span);
	return false;
}

/* Where a box may begin, as an H100 has it: elsewhere it stops the kernel ("illegal instruction"). */
static bool begins_where_it_may(Box *b) {
	if (b->at[0] * (s64)b->each % PIECE) {
		fault_at(b->w, b->op, 1u << b->lane, FAULT_INSTRUCTION,
				 "The box of a tensor copy begins at byte %lld of a row; it must be a multiple of %d.",
				 (long long)b->at[0] * b->each, PIECE);
		return false;
	}
	for (u32 i = 0; i < b->c->rank && b->c->action != TENSOR_LOAD; i++) {
		if (b->at[i] >= 0) continue;
		fault_at(b->w, b->op, 1u << b->lane, FAULT_INSTRUCTION,
				 "A tensor copy stores a box that begins at %lld in dimension %u; only one that is loaded may begin "
				 "before the tensor.",
				 (long long)b->at[i], i + 1);
		return false;
	}
	return true;
}

/* They go with the coordinates of dimensions 1.. in as many bits as the window's corners. */
static bool take_offsets(Box *b) {
	const u32 most = (1u << tensor_offset_bits(b->c->rank)) - 1;
	for (u32 i = 0; i < b->c->noffsets; i++) {
		b->offsets[i + 1] = (u32)lane_get(b->w, b->c->offsets[i], 2, b->lane);
		if (b->offsets[i + 1] <= most) continue;
		fault_at(b->w, b->op, 1u << b->lane, FAULT_INSTRUCTION,
				 "An im2col copy with the offset %u in dimension %u; with %u dimensions it can be 0 to %u.",
				 b->offsets[i + 1], i + 2, b->c->rank, most);
		return false;
	}
	return true;
}

static bool take_box(Box *b) {
	if (!take_map(b) || !take_shared(b) || !take_offsets(b)) return false;
	for (u32 i = 0; i < b->c->rank; i++) b->at[i] = (s32)lane_get(b->w, b->c->coordinates[i], 4, b->lane);
	return b->c->action == TENSOR_PREFETCH || begins_where_it_may(b);
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static void place_in_tile(const Box *b, u32 number, s64 *x) {
	for (u32 i = 1; i < b->map.rank; i++) {
		const u32 count = tensor_box_count(&b->map, i);
		x[i] = b->at[i] + (s64)(number % count) * b->map.steps[i];
		number /= count;
	}
}

/* The pixel after the current one: in the window's next row, image... behind the end of one. */
static void next_pixel(Box *b) {
	const TensorMap *m = &b->map;
	for (u32 i = 1; i < m->rank; i++) {
		b->pixel[i] += m->steps[i];
		if (i + 1 == m->rank || b->pixel[i] < tensor_window_end(m, i)) return;
		b->pixel[i] = m->lower[i - 1];
	}
}

/* Rows are asked for one after the other. */
static void place_of_pixel(Box *b, u32 number, s64 *x) {
	if (number)
		next_pixel(b);
	else
		memcpy(b->pixel, b->at, sizeof b->pixel);
	for (u32 i = 1; i < b->map.rank; i++) x[i] = b->pixel[i] + b->offsets[i];
}

static Row row_of(Box *b, u32 number) {
	const TensorMap *m = &b->map;
	Row r = {.global = m->address};
	s64 x[TENSOR_DIMS];
	bool inside = true;
	if (m->im2col)
		place_of_pixel(b, number, x);
	else
		place_in_tile(b, number, x);
	for (u32 i = 1; i < m->rank; i++) {
		inside &= x[i] >= 0 && (u64)x[i] < m->dims[i];
		r.global += (u64)x[i] * m->strides[i - 1];
	}
	r.global += (u64)b->at[0] * b->each;
	const s64 left = (s64)m->dims[0] - b->at[0], first = b->at[0] < 0 ? -b->at[0] : 0;
	const s64 end = left < m->box[0] ? left : m->box[0];
	if (inside && first < end) {
		r.first = (u32)first;
		r.end = (u32)end;
	}
	return r;
}

static u32 rows_of(const Box *b) {
	u32 n = b->map.im2col ? b->map.pixels : 1;
	for (u32 i = 1; i < b->map.rank; i++) n *= tensor_box_count(&b->map, i);
	return n;
}

/* In 16 bits the NaN that fma.oob knows. The GPU's bits in wider elements are not known: here any NaN. */
static void fill(const Box *b, u8 *row) {
	const u64 nan = b->each == 2 ? 0x7ff7 : b->each == 4 ? 0x7fffffff : UINT64_C(0x7fffffffffffffff);
	memset(row, 0, b->row_bytes);
	for (u32 i = 0; b->map.nan_fill && i < b->row_bytes; i += b->each) memcpy(row + i, &nan, b->each);
}

/* Copies the part of a row that is inside the tensor, between global memory and a row here. */
static bool global_copy(Box *b, const Row *r, u8 *row, bool store) {
	const u64 from = r->global + (u64)r->first * b->each;
	const u32 bytes = (r->end - r->first) * b->each;
	if (!bytes) return true;
	if (!space_copy(b->w, b->op, SPACE_GLOBAL, b->lane, from, row + (u64)r->first * b->each, bytes, store)) {
		u8 one[8];
		u64 bad = from; /* the first element that is not there */
		while (bad < from + bytes && space_copy(b->w, b->op, SPACE_GLOBAL, b->lane, bad, one, b->each, false))
			bad += b->each;
		return async_bad_access(b->w, b->op, SPACE_GLOBAL, store ? ACCESS_STORE : ACCESS_LOAD, bad, b->lane) != NULL;
	}
	if (store) mark_stored(b->w, b->op, from, bytes);
	return true;
}

/* As accesses of at most 16 bytes each; the last bytes of a row are 8, 4, 2, and 1. */
static void report_bytes(Box *b, PtxSpace space, AccessKind kind, u64 at, const u8 *bytes, u32 n) {
	for (u32 size = PIECE; n; size = size > n ? size / 2 : size) {
		Op seen = *b->op;
		u64 data[2] = {0};
		if (size > n) continue;
		memcpy(data, bytes, size);
		for (u32 k = 0; k < 2; k++) lane_set(b->w, b->c->data[k], 8, b->lane, data[k]);
		seen.bytes = (u8)(size > 8 ? 8 : size);
		seen.vector = (u8)(size / seen.bytes);
		seen.container = 8;
		seen.b = b->c->data[0];
		if (seen.vector > 1) seen.list = b->c->list;
		report_piece(b->w, &seen, kind, space, b->lane, at);
		at += size;
		bytes += size;
		n -= size;
	}
}

static void report_global(Box *b, const Row *r, const u8 *row, AccessKind kind) {
	const u32 first = r->first * b->each, end = r->end * b->each;
	if (!b->w->reports.accesses) return;
	report_row(b->w, b->op, (BulkRow){.kind = kind, .addr = r->global + first, .bytes = end - first});
	for (u32 i = first; i < end; i += PIECE - (r->global + i) % PIECE) {
		const u32 rest = PIECE - (u32)((r->global + i) % PIECE), n = rest < end - i ? rest : end - i;
		report_bytes(b, SPACE_GLOBAL, kind, r->global + i, row + i, n);
	}
}

/* --- shared memory ------------------------------------------------------------------------------------------------ */

/* Stores the whole row; of one that is loaded, only the part inside the tensor matters. */
static bool shared_row(Box *b, u64 tile, u32 number, const Row *r, u8 *row, bool store) {
	const u32 first = store ? 0 : r->first * b->each, end = store ? b->row_bytes : r->end * b->each;
	if (b->w->reports.accesses) report_row(b->w, b->op, (BulkRow){.shared_bytes = end - first});
	for (u32 i = 0; i < b->row_bytes; i += PIECE) {
		const u64 at = swizzled(tile + (u64)number * b->row_bytes + i, (Swizzle)b->map.swizzle);
		const u32 n = end < i + PIECE ? end - i : PIECE;
		u8 there[PIECE];
		if (!space_copy(b->w, b->op, SPACE_SHARED, b->lane, at, store ? there : row + i, PIECE, false))
			return async_bad_access(b->w, b->op, SPACE_SHARED, store ? ACCESS_STORE : ACCESS_LOAD, at, b->lane) != NULL;
		if (first <= i && i < end && b->w->reports.accesses)
			report_bytes(b, SPACE_SHARED, store ? ACCESS_STORE : ACCESS_LOAD, at, row + i, n);
		if (store) space_copy(b->w, b->op, SPACE_SHARED, b->lane, at, row + i, PIECE, true);
	}
	return true;
}

static bool load_into(Box *b, u64 tile, u64 barrier, bool report) {
	const u32 rows = rows_of(b), bytes = tensor_box_bytes(&b->map);
	u8 row[MOST_ROW];
	u64 to[LANES] = {0};
	for (u32 i = 0; i < rows; i++) {
		const Row r = row_of(b, i);
		fill(b, row);
		if (!global_copy(b, &r, row, false)) return false;
		if (report) report_global(b, &r, row, ACCESS_LOAD);
		if (!shared_row(b, tile, i, &r, row, true)) return false;
	}
	to[b->lane] = tile;
	return async_complete(b->w, b->op, b->lane, SPACE_SHARED, barrier, bytes, to);
}

static bool load(Box *b) {
	PtxSpace space;
	const u64 barrier = async_address(b->w, &b->c->barrier, b->lane, &space);
	if (b->c->blocks == NO_SLOT) return load_into(b, b->shared, barrier, true);
	const u32 blocks = async_blocks(b->w, b->op, b->c->blocks, b->lane);
	for (u32 m = blocks; m; m &= m - 1) {
		const u32 rank = first_lane(m);
		if (!load_into(b, shared_of(b->shared, rank, true), shared_of(barrier, rank, true), m == blocks)) return false;
	}
	return blocks != 0;
}

/* --- out of shared memory ----------------------------------------------------------------------------------------- */

static PtxType element_type(TensorType t) {
	static const PtxType of[TENSOR_TYPES] = {
		[TENSOR_U8] = T_U8,       [TENSOR_U16] = T_U16,   [TENSOR_U32] = T_U32,     [TENSOR_S32] = T_S32,
		[TENSOR_U64] = T_U64,     [TENSOR_S64] = T_S64,   [TENSOR_F16] = T_F16,     [TENSOR_F32] = T_F32,
		[TENSOR_F64] = T_F64,     [TENSOR_BF16] = T_BF16, [TENSOR_F32_FTZ] = T_F32, [TENSOR_TF32] = T_F32,
		[TENSOR_TF32_FTZ] = T_F32};
	return of[t];
}

/* Each element by itself: other blocks may change the same ones. */
static void reduce(Box *b, const Row *r, const u8 *row) {
	const PtxType type = element_type((TensorType)b->map.type);
	for (u32 i = r->first; i < r->end; i++) {
		u64 with = 0;
		memcpy(&with, row + (size_t)i * b->each, b->each);
		atomic_update(b->w, b->op, SPACE_GLOBAL, r->global + (u64)i * b->each, type, with);
	}
}

/* Which operations a type has: PTX ISA, "cp.reduce.async.bulk.tensor". */
static bool reducible(Box *b) {
	const PtxAtomic kind = b->w->frame->function->ptx->instrs[b->op->instr].atomic;
	const TensorType t = (TensorType)b->map.type;
	const bool is_float = tensor_type_is_float(t), bits = kind == ATOM_AND || kind == ATOM_OR || kind == ATOM_XOR;
	bool ok = b->each >= 4 && !is_float;
	if (is_float) ok = kind == ATOM_ADD || ((t == TENSOR_F16 || t == TENSOR_BF16) && !bits);
	if (kind == ATOM_INC || kind == ATOM_DEC) ok = t == TENSOR_U32;
	if (ok) return true;
	fault_at(b->w, b->op, 1u << b->lane, FAULT_INSTRUCTION, "A tensor of %s has no such reduction.",
			 tensor_type_name(t));
	return false;
}

/* An H100 stores whole pieces of 16 bytes: one that begins inside the tensor goes beyond its end, where that is memory
 * of the same allocation. */
static void end_with_a_piece(Box *b, Row *r) {
	const u32 whole = PIECE / b->each, end = (r->end + whole - 1) / whole * whole;
	u8 there[PIECE];
	if (end > r->end && space_copy(b->w, b->op, SPACE_GLOBAL, b->lane, r->global + (u64)r->end * b->each, there,
								   (end - r->end) * b->each, false))
		r->end = end;
}

static bool store(Box *b) {
	const u32 rows = rows_of(b);
	const bool reduces = b->c->action == TENSOR_REDUCE;
	u8 row[MOST_ROW], there[MOST_ROW];
	if (reduces && !reducible(b)) return false;
	for (u32 i = 0; i < rows; i++) {
		Row r = row_of(b, i);
		if (!shared_row(b, b->shared, i, &r, row, false)) return false;
		end_with_a_piece(b, &r);
		if (!global_copy(b, &r, there, false)) return false;
		report_global(b, &r, row, reduces ? ACCESS_ATOMIC : ACCESS_STORE);
		if (reduces)
			reduce(b, &r, row);
		else if (!global_copy(b, &r, row, true))
			return false;
	}
	return true;
}

const Op *run_tensor_copy(Warp *w, const Op *op) {
	const TensorCopy *c = op->aux;
	w->spinning.sync_ops++;
	FOR_LANES(l, w->mask) {
		Box b = {.w = w, .op = op, .c = c, .lane = l};
		if (!take_box(&b)) return NULL;
		if (c->action == TENSOR_PREFETCH) continue;
		if (!(c->action == TENSOR_LOAD ? load(&b) : store(&b))) return NULL;
	}
	return op + 1;
}
