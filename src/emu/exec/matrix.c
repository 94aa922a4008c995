/* matrix.h: handlers. Integer products are exact, sums of doubles are a chain of fused operations, and sums of the
 * shorter floats are those of the tensor cores of an H200 (docs/reference/exactness.md). */
#include "emu/code/matrix.h"

#include <limits.h>
#include <string.h>

#include "emu/exec/lanes.h"
#include "emu/exec/out_of_line.h"

enum { MATRIX = 8, MOST_A = 16 * 256, MOST_B = 256 * 8, MOST_C = 16 * 16, MOST_K = 256 };

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
		space = SPACE_SHARED;
		if (op->space == SPACE_GENERIC) space = generic_space(&addr[l]);
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

static f64 as_number(PtxType t, u64 raw) {
	switch (t) {
	case T_F64: return bits_f64(raw);
	case T_F32: return bits_f32((u32)raw);
	case T_TF32: return bits_f32((u32)raw & 0xffffe000u);
	case T_F16: return half((u16)raw);
	case T_BF16: return bf((u16)raw);
	case T_U8: return (u8)raw;
	case T_S8: return (s8)raw;
	case T_U4: return (f64)(raw & 15);
	case T_S4: return (f64)((s64)(raw << 60) >> 60);
	case T_B1: return (f64)(raw & 1);
	default: return (s32)raw;
	}
}

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

/* Where element e of lane l lies. An operand's register spans four lanes of a row; further registers hold the row
 * eight below (only of a), then the next columns. */
static u32 place_a(const MatrixProduct *p, u32 e, u32 l) {
	const u32 bits = element_bits(p->a), each = bits > 32 ? 1 : 32 / bits, reg = e / each, tall = p->m / 8;
	const u32 row = l / 4 + reg % tall * 8, column = reg / tall * 4 * each + l % 4 * each + e % each;
	return row * p->k + column;
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
				as_number(p->a, get_element(w, a, p->a, e, l));
		for (u32 e = 0; e < nb; e++)
			x->b[own ? place_whole(e, l, p->k * p->n) : place_b(p, e, l)] =
				as_number(p->b, get_element(w, b, p->b, e, l));
		for (u32 e = 0; e < nc; e++)
			x->c[p->whole ? place_whole(e, l, p->m * p->n) : place_c(p, e, l)] =
				as_number(p->c, get_element(w, c, p->c, e, l));
	}
}

static int exponent_of(PtxType t, f64 x) {
	const int e = ilogb(x), least = t == T_F16 ? -14 : -126;
	return e < least ? least : e;
}

/* A tensor core's sum, as an H200's results show it: products are exact; all terms are cut off (toward zero) at 25 bits
 * below the largest exponent among them, where a product has the sum of its factors' exponents, and added exactly. */
static f64 aligned_sum(const MatrixProduct *p, const Matrices *x, u32 row, u32 column) {
	const f64 c = x->c[row * p->n + column];
	f64 rough = c, terms[MOST_K];
	int top = c == 0 ? INT_MIN : exponent_of(p->c, c);
	for (u32 i = 0; i < p->k; i++) {
		const f64 a = x->a[row * p->k + i], b = x->b[i * p->n + column];
		rough += terms[i] = a * b;
		if (terms[i] == 0 || !(fabs(terms[i]) < INFINITY)) continue;
		const int e = exponent_of(p->a, a) + exponent_of(p->b, b);
		if (e > top) top = e;
	}
	if (!(fabs(rough) < INFINITY) || top == INT_MIN) return rough;
	const f64 scale = ldexp(1, 25 - top);
	s64 sum = (s64)(c * scale);
	for (u32 i = 0; i < p->k; i++) sum += (s64)(terms[i] * scale);
	return ldexp((f64)sum, top - 25);
}

static f64 chain(const MatrixProduct *p, const Matrices *x, u32 row, u32 column) {
	f64 sum = x->c[row * p->n + column];
	for (u32 i = 0; i < p->k; i++) sum = FMA(x->a[row * p->k + i], x->b[i * p->n + column], sum);
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

static u64 dot_product(const MatrixProduct *p, const Matrices *x, u32 row, u32 column) {
	f64 sum;
	switch (p->d) {
	case T_F64: return f64_bits(chain(p, x, row, column));
	case T_F16: return to_half(odd_f32(aligned_sum(p, x, row, column)));
	case T_F32:
		sum = aligned_sum(p, x, row, column);
		if (!(fabs(sum) < 0x1p128)) return f32_bits(canon((f32)sum));
		return f32_bits((f32)round_narrow(sum, 24, -125, 0x1.fffffep127, ROUND_RZ));
	default: /* integers: exact in double, and in its chain */
		sum = p->a == T_B1 ? counted(p, x, row, column) : chain(p, x, row, column);
		if (p->saturate) return (u32)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (s32)sum);
		return (u32)(s64)sum;
	}
}

const Op *run_mma(Warp *w, const Op *op) {
	const MatrixProduct *p = op->aux;
	Matrices x;
	if (w->mask != ~0u) return not_whole(w, op);
	take(w, p, &x);
	const u32 nd = elements_of(p->d, p->nd);
	for (u32 l = 0; l < LANES; l++)
		for (u32 e = 0; e < nd; e++) {
			const u32 at = p->whole ? place_whole(e, l, p->m * p->n) : place_c(p, e, l);
			set_element(w, p->slots, p->d, e, l, dot_product(p, &x, at / p->n, at % p->n));
		}
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
		space = (PtxSpace)op->space;
		if (space == SPACE_GENERIC) space = generic_space(&addr[l]);
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
		if (spaces[l] != SPACE_GLOBAL) continue;
		Allocation *a = memory_find_cached(w, op, addr[l]);
		if (a && a->written) allocation_mark(a, addr[l] - a->base, bytes);
	}
	return true;
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
			spaces[l] = (PtxSpace)op->space;
			if (spaces[l] == SPACE_GENERIC) spaces[l] = generic_space(&addr[l]);
			if (addr[l] % bytes || !space_copy(w, op, spaces[l], l, addr[l], &v, bytes, false))
				return fault_access(w, op, spaces[l], store ? ACCESS_STORE : ACCESS_LOAD, addr, 1u << l);
			if (!store) set_element(w, x->slots, x->type, e, l, v);
			if (store) stored[l] = get_element(w, x->slots, x->type, e, l);
			if (32 * e + l < total) mask |= 1u << l;
		}
		const AccessValues values = {(const u8 *)stored, &first_place, 1, 8, 0};
		if (w->reports.accesses && mask)
			report_spaces(w, op, store ? ACCESS_STORE : ACCESS_LOAD, spaces, mask, addr, &values);
		if (store && !store_elements(w, op, bytes, stored, spaces, addr)) return NULL;
	}
	return op + 1;
}
