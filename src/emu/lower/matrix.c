/* ldmatrix, stmatrix, movmatrix, mma, wmma. */
#include <string.h>

#include "emu/code/matrix.h"
#include "emu/lower/lower.h"

static const uint32_t *registers(Lower *L, const PtxOperand *o, uint32_t container, bool dest, uint32_t *slots,
								 uint32_t *n) {
	const PtxOperand *items = o->kind == OPERAND_VECTOR ? o->items : o;
	const uint32_t count = o->kind == OPERAND_VECTOR ? o->nitems : 1;
	for (uint32_t i = 0; i < count && *n < 64; i++, ++*n) {
		slots[*n] = dest ? destination(L, &items[i], container) : source(L, &items[i], container);
		if (slots[*n] == NO_SLOT) return NULL;
	}
	return slots;
}

static const uint32_t *keep_slots(Lower *L, const uint32_t *slots, uint32_t n) {
	uint32_t *list = arena_array(L->arena, n ? n : 1, sizeof *list);
	memcpy(list, slots, n * sizeof *list);
	return list;
}

/* --- ldmatrix, stmatrix, movmatrix -------------------------------------------------------------------------------- */

static bool squares(Lower *L, const PtxInstr *in, bool store) {
	uint32_t slots[64], n = 0, address;
	int64_t offset;
	uint8_t flags = 0;
	if (in->noperands != 2 || !ptx_has(in, WORD_M8N8) || in->types[0] != T_B16) return false;
	if (!registers(L, &in->operands[store ? 1 : 0], 4, !store, slots, &n) || (n != 1 && n != 2 && n != 4)) return false;
	if (!lower_address(L, &in->operands[store ? 0 : 1], &address, &offset, &flags)) return false;
	Op *op = emit(L, store ? H_stmatrix : H_ldmatrix);
	op->a = address;
	op->imm = offset;
	op->list = keep_slots(L, slots, n);
	op->flags = flags;
	op->space = (uint8_t)in->space;
	op->bytes = 16 / (uint8_t)n;
	op->vector = (uint8_t)n;
	op->container = 4;
	op->kind = ptx_has(in, WORD_TRANS);
	op->extra[0] = n;
	return true;
}

static bool transpose(Lower *L, const PtxInstr *in) {
	if (in->noperands != 2 || in->types[0] != T_B16) return false;
	const uint32_t d = destination(L, &in->operands[0], 4), a = source(L, &in->operands[1], 4);
	if (d == NO_SLOT || a == NO_SLOT) return false;
	Op *op = emit(L, H_movmatrix);
	op->d = d;
	op->a = a;
	return true;
}

/* --- mma ---------------------------------------------------------------------------------------------------------- */

/* .m16n8k16 */
static bool shape(const PtxInstr *in, MatrixProduct *p) {
	p->m = in->shape & 1023;
	p->n = in->shape >> 10 & 1023;
	p->k = in->shape >> 20;
	return in->shape;
}

/* The shapes there are, by the bits of an element of a and b. */
static bool shape_exists(const MatrixProduct *p, bool whole, uint32_t bits) {
	static const struct {
		uint32_t bits, m, n, k;
		bool whole;
	} shapes[] = {{64, 8, 8, 4, false},   {64, 16, 8, 4, false}, {64, 16, 8, 8, false}, {64, 16, 8, 16, false},
				  {32, 16, 8, 4, false},  {32, 16, 8, 8, false}, {16, 16, 8, 8, false}, {16, 16, 8, 16, false},
				  {8, 8, 8, 16, false},   {8, 16, 8, 16, false}, {8, 16, 8, 32, false}, {4, 8, 8, 32, false},
				  {4, 16, 8, 32, false},  {4, 16, 8, 64, false}, {1, 8, 8, 128, false}, {1, 16, 8, 128, false},
				  {1, 16, 8, 256, false}, {64, 8, 8, 4, true},   {32, 16, 16, 8, true}, {16, 16, 16, 16, true},
				  {16, 32, 8, 16, true},  {16, 8, 32, 16, true}, {8, 16, 16, 16, true}, {8, 32, 8, 16, true},
				  {8, 8, 32, 16, true},   {4, 8, 8, 32, true},   {1, 8, 8, 128, true}};
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		if (shapes[i].whole == whole && shapes[i].m == p->m && shapes[i].n == p->n && shapes[i].k == p->k &&
			(!bits || shapes[i].bits == bits))
			return true;
	return false;
}

static bool product_types(const PtxInstr *in, MatrixProduct *p) {
	if (in->ntypes == 2 && in->op == OP_WMMA) { /* d and c; a and b are halves */
		*p = (MatrixProduct){
			.m = p->m, .n = p->n, .k = p->k, .d = in->types[0], .a = T_F16, .b = T_F16, .c = in->types[1]};
		return true;
	}
	if (in->ntypes != 4) return false;
	p->d = in->types[0];
	p->a = in->types[1];
	p->b = in->types[2];
	p->c = in->types[3];
	return true;
}

static bool float_operands(const MatrixProduct *p) {
	if (p->a != p->b) return false;
	if (p->a == T_F64) return p->d == T_F64 && p->c == T_F64;
	if (p->a == T_F16) return (p->d == T_F16 || p->d == T_F32) && (p->c == T_F16 || p->c == T_F32);
	return (p->a == T_BF16 || p->a == T_TF32) && p->d == T_F32 && p->c == T_F32;
}
static bool integer_operands(const MatrixProduct *p) {
	const bool bytes = (p->a == T_U8 || p->a == T_S8) && (p->b == T_U8 || p->b == T_S8),
			   halves = (p->a == T_U4 || p->a == T_S4) && (p->b == T_U4 || p->b == T_S4),
			   bits = p->a == T_B1 && p->b == T_B1 && p->combine;
	return (bytes || halves || bits) && p->d == T_S32 && p->c == T_S32;
}

/* .xor.popc, .and.popc: of bits */
static PtxBool combination(const PtxInstr *in) {
	return ptx_has(in, WORD_POPC) ? in->combine : BOOL_NONE;
}

static uint32_t words(PtxType t, uint32_t elements) { /* registers of a lane */
	return t == T_F64 ? elements : elements * element_bits(t) / 32;
}

static bool product(Lower *L, const PtxInstr *in, bool whole) {
	MatrixProduct p = {0};
	uint32_t slots[64], n = 0, container;
	if (in->noperands < 4 || !shape(in, &p) || !product_types(in, &p)) return false;
	p.combine = combination(in);
	if (!float_operands(&p) && !integer_operands(&p)) return false;
	if ((p.combine && p.a != T_B1) || !shape_exists(&p, whole, element_bits(p.a))) return false;
	if ((!whole || element_bits(p.a) < 8) && (!ptx_has(in, WORD_ROW) || !ptx_has(in, WORD_COL))) return false;
	container = p.a == T_F64 ? 8 : 4;
	p.whole = whole;
	p.saturate = ptx_has(in, WORD_SATFINITE) && p.d == T_S32;
	if (ptx_has(in, WORD_SATFINITE) && p.d != T_S32) return false;
	uint32_t counts[4], before = 0;
	for (uint32_t i = 0; i < 4; i++) {
		if (!registers(L, &in->operands[i], container, i == 0, slots, &n)) return false;
		counts[i] = n - before;
		before = n;
	}
	p.nd = counts[0];
	p.na = counts[1];
	p.nb = counts[2];
	p.nc = counts[3];
	if (!whole && (p.na != words(p.a, p.m * p.k / 32) || p.nb != words(p.b, p.k * p.n / 32) ||
				   p.nc != words(p.c, p.m * p.n / 32) || p.nd != words(p.d, p.m * p.n / 32)))
		return false;
	MatrixProduct *kept = arena_alloc(L->arena, sizeof *kept);
	p.slots = keep_slots(L, slots, n);
	*kept = p;
	emit(L, H_mma)->aux = kept;
	return true;
}

/* --- wmma --------------------------------------------------------------------------------------------------------- */

static bool fragment(Lower *L, const PtxInstr *in, bool store) {
	MatrixProduct p = {0};
	uint32_t slots[64], n = 0, address, stride = NO_SLOT;
	int64_t offset;
	uint8_t flags = 0;
	const PtxType t = in->ntypes ? in->types[0] : T_NONE;
	if (!shape(in, &p) || in->noperands < 2 || !t) return false;
	if (!registers(L, &in->operands[store ? 1 : 0], t == T_F64 ? 8 : 4, !store, slots, &n)) return false;
	if (!lower_address(L, &in->operands[store ? 0 : 1], &address, &offset, &flags)) return false;
	if (in->noperands > 2 && (stride = source(L, &in->operands[2], 4)) == NO_SLOT) return false;
	MatrixAccess *x = arena_alloc(L->arena, sizeof *x);
	const bool a = ptx_has(in, WORD_A), b = ptx_has(in, WORD_B), packed = element_bits(t) < 8;
	if (!n || !shape_exists(&p, true, a || b ? element_bits(t) : 0)) return false;
	if (packed && (store || n != 1 || !ptx_has(in, a ? WORD_ROW : WORD_COL) || !(a || b))) return false;
	*x = (MatrixAccess){.rows = b ? p.k : p.m,
						.columns = a ? p.k : p.n,
						.type = t,
						.by_column = ptx_has(in, WORD_COL),
						.nregs = n,
						.slots = keep_slots(L, slots, n),
						.stride = stride};
	if (x->type != T_F16 && x->type != T_BF16 && x->type != T_TF32 && x->type != T_F32 && x->type != T_F64 &&
		x->type != T_S32 && x->type != T_S8 && x->type != T_U8 && !packed)
		return false;
	Op *op = emit(L, H_wmma_access);
	op->a = address;
	op->imm = offset;
	op->flags = flags;
	op->space = (uint8_t)in->space;
	op->bytes = packed ? 4 : (uint8_t)ptx_type_bytes(t);
	op->container = t == T_F64 ? 8 : 4;
	op->b = slots[0];
	op->kind = store;
	op->aux = x;
	return true;
}

bool lower_matrix(Lower *L, const PtxInstr *in) {
	switch (in->op) {
	case OP_LDMATRIX: return squares(L, in, false);
	case OP_STMATRIX: return squares(L, in, true);
	case OP_MOVMATRIX: return transpose(L, in);
	case OP_MMA: return product(L, in, false);
	default: break;
	}
	if (ptx_has(in, WORD_LOAD)) return fragment(L, in, false);
	if (ptx_has(in, WORD_STORE)) return fragment(L, in, true);
	return product(L, in, true);
}
