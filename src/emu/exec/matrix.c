/* matrix.h: handlers. Integer products are exact, sums of doubles are a chain of fused operations, and sums of the
 * shorter floats are those of the tensor cores of an H200 (docs/reference/exactness.md). */
#include "emu/code/matrix.h"

#include <string.h>

#include "emu/exec/lanes.h"
#include "emu/exec/out_of_line.h"
#include "emu/exec/sparse.h"
#include "emu/exec/tensor_sum.h"

enum { MATRIX = 8, MOST_A = 16 * 256, MOST_B = 256 * 8, MOST_C = 16 * 16, MOST_K = 256, MOST_N = 32 };

static const Op *not_whole(Warp *w, const Op *op) {
	return fault_at(w, op, w->mask, FAULT_INSTRUCTION,
					"A matrix instruction needs all 32 threads of a warp together; only %u are here.",
					count_lanes(w->mask));
}

static u32 lane32(const Warp *w, u32 slot, u32 lane) {
	return ((const u32 *)(w->regs + slot))[lane];
}
static void set_lane32(Warp *w, u32 slot, u32 lane, u32 v) {
	((u32 *)(w->regs + slot))[lane] = v;
}

/* --- 8 x 8 matrices of 16-bit elements; lane l holds elements 2 (l mod 4) and the next of row l / 4 --------------- */

typedef u16 Square[MATRIX][MATRIX];

static void spread(Warp *w, u32 slot, Square m, bool transposed) {
	for (u32 l = 0; l < LANES; l++) {
		const u32 row = l / 4, column = l % 4 * 2;
		const u16 first = transposed ? m[column][row] : m[row][column];
		const u16 second = transposed ? m[column + 1][row] : m[row][column + 1];
		set_lane32(w, slot, l, pair(first, second));
	}
}

static void collect(const Warp *w, u32 slot, Square m, bool transposed) {
	for (u32 l = 0; l < LANES; l++) {
		const u32 row = l / 4, column = l % 4 * 2, v = lane32(w, slot, l);
		*(transposed ? &m[column][row] : &m[row][column]) = LO(v);
		*(transposed ? &m[column + 1][row] : &m[row][column + 1]) = HI(v);
	}
}

/* Lane 8 i + r has the address of row r of matrix i. kind: 1 transposed; list: the registers. */
static const Op *matrices(Warp *w, const Op *op, bool store) {
	const u32 n = op->extra[0];
	const u32 users = n == 4 ? ~0u : (1u << 8 * n) - 1;
	u64 addr[LANES], rows[2][LANES]; /* the new contents of each lane's row */
	static const u32 halves[] = {0, LANES * sizeof(u64)};
	const AccessValues values = {(const u8 *)rows, halves, 2, 8, 0};
	PtxSpace space = SPACE_SHARED;
	Square m;
	if (w->mask != ~0u) return not_whole(w, op);
	op_addresses(w, op, addr);
	for (u32 l = 0; l < 8 * n; l++) {
		space = space_of((PtxSpace)op->space, &addr[l]);
		if (space != SPACE_SHARED || addr[l] % 16 || addr[l] > w->shared_bytes || w->shared_bytes - addr[l] < 16)
			return fault_access(w, op, space, store ? ACCESS_STORE : ACCESS_LOAD, addr, 1u << l);
	}
	for (u32 i = 0; store && i < n; i++) {
		collect(w, op->list[i], m, op->kind);
		for (u32 r = 0; r < MATRIX; r++)
			for (u32 half = 0; half < 2; half++) memcpy(&rows[half][8 * i + r], &m[r][4 * half], 8);
	}
	if (w->reports.accesses)
		report_values(w, op, store ? ACCESS_STORE : ACCESS_LOAD, SPACE_SHARED, users, addr, &values);
	for (u32 i = 0; i < n; i++) {
		for (u32 r = 0; r < MATRIX; r++) {
			u8 *at = w->shared + addr[8 * i + r];
			for (u32 half = 0; store && half < 2; half++) memcpy(at + 8 * half, &rows[half][8 * i + r], 8);
			if (!store) memcpy(m[r], at, 16);
		}
		if (!store) spread(w, op->list[i], m, op->kind);
	}
	return op + 1;
}

const Op *run_ldmatrix(Warp *w, const Op *op) {
	return matrices(w, op, false);
}
const Op *run_stmatrix(Warp *w, const Op *op) {
	return matrices(w, op, true);
}

const Op *run_movmatrix(Warp *w, const Op *op) {
	Square m;
	if (w->mask != ~0u) return not_whole(w, op);
	collect(w, op->a, m, false);
	spread(w, op->d, m, true);
	return op + 1;
}

/* --- elements in registers ---------------------------------------------------------------------------------------- */

/* Element e of the n that a lane holds in registers of 32 bits (64 for f64). */
static u64 get_element(const Warp *w, const u32 *slots, PtxType t, u32 e, u32 lane) {
	const u32 bits = element_bits(t);
	if (bits == 64) return ((const u64 *)(w->regs + slots[e]))[lane];
	const u32 each = 32 / bits, v = lane32(w, slots[e / each], lane);
	return v >> bits * (e % each) & (bits == 32 ? ~0u : (1u << bits) - 1);
}

static void set_element(Warp *w, const u32 *slots, PtxType t, u32 e, u32 lane, u64 v) {
	const u32 bits = element_bits(t);
	if (bits == 64) {
		((u64 *)(w->regs + slots[e]))[lane] = v;
		return;
	}
	const u32 each = 32 / bits, at = bits * (e % each), keep = bits == 32 ? 0 : ~(((1u << bits) - 1) << at);
	u32 *reg = (u32 *)(w->regs + slots[e / each]) + lane;
	*reg = (*reg & keep) | (u32)v << at;
}

/* --- products ----------------------------------------------------------------------------------------------------- */

typedef struct {
	f64 a[MOST_A], b[MOST_B], c[MOST_C]; /* by row: m x k, k x n, m x n */
} Matrices;

/* Columns of a as they are stored. */
static u32 stored(const MatrixProduct *p) {
	return p->sparse ? p->k / 2 : p->k;
}

/* Where element e of lane l lies. An operand's register spans four lanes of a row; further registers hold the row
 * eight below (only of a), then the next columns. */
static u32 place_a(const MatrixProduct *p, u32 e, u32 l) {
	const u32 bits = element_bits(p->a), each = bits > 32 ? 1 : 32 / bits, reg = e / each, tall = p->m / 8;
	const u32 row = l / 4 + reg % tall * 8, column = reg / tall * 4 * each + l % 4 * each + e % each;
	return row * stored(p) + column;
}
static u32 place_b(const MatrixProduct *p, u32 e, u32 l) {
	const u32 bits = element_bits(p->b), each = bits > 32 ? 1 : 32 / bits;
	const u32 row = e / each * 4 * each + l % 4 * each + e % each, column = l / 4;
	return row * p->n + column;
}
static u32 place_c(const MatrixProduct *p, u32 e, u32 l) {
	return (l / 4 + e / 2 * 8) * p->n + l % 4 * 2 + e % 2;
}
/* A fragment of wmma: element e of lane l is number 32 e + l of the matrix; there are more places than elements in
 * some. */
static u32 place_whole(u32 e, u32 l, u32 total) {
	return (32 * e + l) % total;
}

static u32 elements_of(PtxType t, u32 nregs) {
	const u32 bits = element_bits(t);
	return bits == 64 ? nregs : nregs * (32 / bits);
}

static void take(const Warp *w, const MatrixProduct *p, Matrices *x) {
	const u32 *a = p->slots + p->nd, *b = a + p->na, *c = b + p->nb;
	const bool own = p->whole && element_bits(p->a) >= 8;
	const u32 na = elements_of(p->a, p->na), nb = elements_of(p->b, p->nb), nc = elements_of(p->c, p->nc);
	for (u32 l = 0; l < LANES; l++) {
		for (u32 e = 0; e < na; e++)
			x->a[own ? place_whole(e, l, p->m * p->k) : place_a(p, e, l)] =
				element_number(p->a, get_element(w, a, p->a, e, l));
		for (u32 e = 0; e < nb; e++)
			x->b[own ? place_whole(e, l, p->k * p->n) : place_b(p, e, l)] =
				element_number(p->b, get_element(w, b, p->b, e, l));
		for (u32 e = 0; e < nc; e++)
			x->c[p->whole ? place_whole(e, l, p->m * p->n) : place_c(p, e, l)] =
				element_number(p->c, get_element(w, c, p->c, e, l));
	}
}

/* The row of b that stored element i of a row of a is multiplied with. */
static u32 partner(const Warp *w, const MatrixProduct *p, u32 row, u32 i) {
	return p->sparse ? sparse_partner(w, &p->kept, row, i) : i;
}

/* --- sums --------------------------------------------------------------------------------------------------------- */

/* Floats of 8 bits are computed as halves, in two instructions: of four stored elements the first two, then the
 * others. */
typedef Factors Parts[2];

static u32 part_of(const MatrixProduct *p, u32 i) {
	return element_bits(p->a) == 8 ? i / 2 % 2 : 0;
}
static PtxType computed_as(PtxType t) {
	return t == T_E4M3 || t == T_E5M2 ? T_F16 : t;
}

static void take_row(const MatrixProduct *p, const Matrices *x, u32 row, Parts parts) {
	u32 n[2] = {0};
	parts[0].special = parts[1].special = false;
	for (u32 i = 0; i < stored(p); i++) {
		const u32 part = part_of(p, i);
		factors_set(&parts[part], n[part]++, computed_as(p->a), x->a[row * stored(p) + i]);
	}
}

static void take_column(const MatrixProduct *p, const Matrices *x, const u32 *partners, u32 column, Parts parts) {
	u32 n[2] = {0};
	parts[0].special = parts[1].special = false;
	for (u32 i = 0; i < stored(p); i++) {
		const u32 part = part_of(p, i);
		factors_set(&parts[part], n[part]++, computed_as(p->b), x->b[partners[i] * p->n + column]);
	}
}

static u64 float_product(const MatrixProduct *p, const Parts a, const Parts b, f64 c) {
	if (element_bits(p->a) == 8) {
		const f64 first = tensor_sum(&a[0], &b[0], stored(p) / 2, POINT, T_F32, 0);
		const f64 both = tensor_sum(&a[1], &b[1], stored(p) / 2, POINT, T_F32, bits_f32(truncated_f32(first, 24)));
		return f32_bits(canon((f32)c + bits_f32(truncated_f32(both, 24))));
	}
	const f64 sum = tensor_sum(&a[0], &b[0], stored(p), POINT, p->c, c);
	return p->d == T_F16 ? rounded_f16(sum) : truncated_f32(sum, 24);
}

static f64 chain(const MatrixProduct *p, const Matrices *x, const u32 *partners, u32 row, u32 column) {
	f64 sum = x->c[row * p->n + column];
	for (u32 i = 0; i < stored(p); i++) sum = FMA(x->a[row * stored(p) + i], x->b[partners[i] * p->n + column], sum);
	return sum;
}

/* Bits: how many of the row and the column are both set, or differ. */
static f64 counted(const MatrixProduct *p, const Matrices *x, u32 row, u32 column) {
	f64 sum = x->c[row * p->n + column];
	for (u32 i = 0; i < p->k; i++) {
		const bool a = x->a[row * p->k + i] != 0, b = x->b[i * p->n + column] != 0;
		sum += p->combine == BOOL_XOR ? a != b : a && b;
	}
	return sum;
}

/* Integers: exact in double, and in its chain. */
static u32 integer_product(const MatrixProduct *p, const Matrices *x, const u32 *partners, u32 row, u32 column) {
	const f64 sum = p->a == T_B1 ? counted(p, x, row, column) : chain(p, x, partners, row, column);
	if (p->saturate) return (u32)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (s32)sum);
	return (u32)(s64)sum;
}

static void multiply(const Warp *w, const MatrixProduct *p, const Matrices *x, u64 *sums) {
	const bool floats = p->d == T_F16 || p->d == T_F32;
	Parts a, b[MOST_N];
	u32 partners[MOST_K];
	for (u32 row = 0; row < p->m; row++) {
		for (u32 i = 0; i < stored(p); i++) partners[i] = partner(w, p, row, i);
		if (floats) take_row(p, x, row, a);
		for (u32 column = 0; column < p->n; column++) {
			u64 *sum = &sums[row * p->n + column];
			if (floats && (!row || p->sparse)) take_column(p, x, partners, column, b[column]);
			if (floats)
				*sum = float_product(p, a, b[column], x->c[row * p->n + column]);
			else if (p->d == T_F64)
				*sum = f64_bits(chain(p, x, partners, row, column));
			else
				*sum = integer_product(p, x, partners, row, column);
		}
	}
}

const Op *run_mma(Warp *w, const Op *op) {
	const MatrixProduct *p = op->aux;
	Matrices x;
	u64 sums[MOST_C];
	if (w->mask != ~0u) return not_whole(w, op);
	take(w, p, &x);
	multiply(w, p, &x, sums);
	const u32 nd = elements_of(p->d, p->nd);
	for (u32 l = 0; l < LANES; l++)
		for (u32 e = 0; e < nd; e++)
			set_element(w, p->slots, p->d, e, l, sums[p->whole ? place_whole(e, l, p->m * p->n) : place_c(p, e, l)]);
	return op + 1;
}

/* --- wmma: fragments and memory ----------------------------------------------------------------------------------- */

static const u32 first_place; /* of values in an array of their own */
static const AccessValues no_values = {NULL, &first_place, 1, 4, 0};

static const Op *packed_access(Warp *w, const Op *op, const MatrixAccess *x, u64 *addr) {
	const u32 bits = element_bits(x->type), line = x->by_column ? x->rows : x->columns;
	const u64 stride = x->stride == NO_SLOT ? line : lane32(w, x->stride, 0);
	PtxSpace space, spaces[LANES];
	for (u32 l = 0; l < LANES; l++) {
		u32 word;
		addr[l] += l / 4 * (stride * bits / 8) + l % 4 * 4;
		space = space_of((PtxSpace)op->space, &addr[l]);
		if (addr[l] % 4 || !space_copy(w, op, space, l, addr[l], &word, 4, false))
			return fault_access(w, op, space, ACCESS_LOAD, addr, 1u << l);
		set_lane32(w, x->slots[0], l, word);
		spaces[l] = space;
	}
	if (w->reports.accesses) report_spaces(w, op, ACCESS_LOAD, spaces, w->mask, addr, &no_values);
	return op + 1;
}

/* After the observers' event, since they compare with the old contents. */
static bool store_elements(Warp *w, const Op *op, u32 bytes, const u64 *v, const PtxSpace *spaces, const u64 *addr) {
	for (u32 l = 0; l < LANES; l++) {
		if (!space_copy(w, op, spaces[l], l, addr[l], (void *)&v[l], bytes, true)) {
			fault_access(w, op, spaces[l], ACCESS_STORE, addr, 1u << l);
			return false;
		}
		if (spaces[l] == SPACE_GLOBAL) mark_stored(w, op, addr[l], bytes);
	}
	return true;
}

/* Which lane has an element of a fragment is not specified. So observers are told of another lane than the one that
 * would have it by its number, which is the lane that code with the same order of elements reads it with. */
static void report_elements(Warp *w, const Op *op, u32 e, const PtxSpace *spaces, u32 mask, const u64 *addr,
							const u64 *stored) {
	u64 addr_of[LANES], stored_of[LANES] = {0};
	PtxSpace spaces_of[LANES];
	u32 lanes = 0;
	for (u32 l = 0; l < LANES; l++) {
		const u32 other = (l + 1 + e) % LANES;
		addr_of[other] = addr[l];
		spaces_of[other] = spaces[l];
		if (op->kind) stored_of[other] = stored[l];
		lanes |= (mask >> l & 1) << other;
	}
	const AccessValues values = {(const u8 *)stored_of, &first_place, 1, 8, 0};
	report_spaces(w, op, op->kind ? ACCESS_STORE : ACCESS_LOAD, spaces_of, lanes, addr_of, &values);
}

const Op *run_wmma_access(Warp *w, const Op *op) {
	const MatrixAccess *x = op->aux;
	const bool store = op->kind;
	const u32 bytes = element_bits(x->type) / 8, total = x->rows * x->columns, n = elements_of(x->type, x->nregs);
	u64 base[LANES];
	if (w->mask != ~0u) return not_whole(w, op);
	op_addresses(w, op, base);
	if (element_bits(x->type) < 8) return packed_access(w, op, x, base);
	const u32 stride = x->stride == NO_SLOT ? (x->by_column ? x->rows : x->columns) : lane32(w, x->stride, 0);
	for (u32 e = 0; e < n; e++) {
		u64 addr[LANES], stored[LANES];
		PtxSpace spaces[LANES];
		u32 mask = 0;
		for (u32 l = 0; l < LANES; l++) {
			const u32 at = place_whole(e, l, total), row = at / x->columns, column = at % x->columns;
			u64 v = 0;
			addr[l] = base[l] + (u64)bytes * (x->by_column ? (u64)column * stride + row : (u64)row * stride + column);
			spaces[l] = space_of((PtxSpace)op->space, &addr[l]);
			if (addr[l] % bytes || !space_copy(w, op, spaces[l], l, addr[l], &v, bytes, false))
				return fault_access(w, op, spaces[l], store ? ACCESS_STORE : ACCESS_LOAD, addr, 1u << l);
			if (!store) set_element(w, x->slots, x->type, e, l, v);
			if (store) stored[l] = get_element(w, x->slots, x->type, e, l);
			if (32 * e + l < total) mask |= 1u << l;
		}
		if (w->reports.accesses && mask) report_elements(w, op, e, spaces, mask, addr, stored);
		if (store && !store_elements(w, op, bytes, stored, spaces, addr)) return NULL;
	}
	return op + 1;
}
