/* ldmatrix, stmatrix, mma, wmma, wgmma. */
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

/* --- ldmatrix, stmatrix ------------------------------------------------------------------------------------------- */

bool lower_matrix_access(Lower *L, const PtxInstr *in, const Match *match) {
	const bool store = match->row->kind == H_stmatrix;
	uint32_t slots[64], n = 0;
	if (!registers(L, &in->operands[store ? 1 : 0], 4, !store, slots, &n) || (n != 1 && n != 2 && n != 4)) return false;
	Op *op = emit_access(L, match->row->kind, in, &in->operands[store ? 0 : 1], 16 / n, n);
	if (!op) return false;
	op->list = keep_slots(L, slots, n);
	op->container = 4;
	op->kind = (uint16_t)match->choice;
	op->extra[0] = n;
	return true;
}

/* --- mma ---------------------------------------------------------------------------------------------------------- */

static MatrixProduct shape(const PtxInstr *in) {
	return (MatrixProduct){.m = in->shape & 1023, .n = in->shape >> 10 & 1023, .k = in->shape >> 20};
}

static uint32_t words(PtxType t, uint32_t elements) { /* registers of a lane */
	return t == T_F64 ? elements : elements * element_bits(t) / 32;
}

/* A row's metadata takes 2 bits for each element kept, 4 of tf32, 1 of 4 bits; the 16 rows' words are those of some of
 * four threads. o: the register, and which threads'. */
static bool metadata(Lower *L, const PtxOperand *o, PtxType a, uint32_t k, Sparsity *kept) {
	const uint32_t bits = element_bits(a), words_of_four = k / 2 * (bits == 4 ? 1 : bits == 32 ? 4 : 2) / 16;
	uint64_t selector;
	*kept = (Sparsity){.bits = bits, .stored = k / 2, .metadata = source(L, &o[0], 4)};
	if (kept->metadata == NO_SLOT || !constant_bits(L, &o[1], &selector)) return false;
	kept->selector = (uint32_t)selector;
	return selector < 4 / words_of_four;
}

/* Kind 1: wmma, where two types are those of d and c, and a and b are halves. 2: a is sparse. */
bool lower_mma(Lower *L, const PtxInstr *in, const Match *match) {
	const bool whole = match->row->kind == 1, halves = in->ntypes == 2;
	MatrixProduct p = shape(in);
	uint32_t slots[64], n = 0;
	p.d = in->types[0];
	p.a = halves ? T_F16 : in->types[1];
	p.b = halves ? T_F16 : in->types[2];
	p.c = halves ? in->types[1] : in->types[3];
	p.combine = in->combine;
	p.whole = whole;
	p.saturate = (in->mods & MOD_SATFINITE) != 0;
	p.sparse = match->row->kind == 2;
	const uint32_t container = p.a == T_F64 ? 8 : 4;
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
	if (!whole && (p.na != words(p.a, p.m * p.k / (p.sparse ? 64 : 32)) || p.nb != words(p.b, p.k * p.n / 32) ||
				   p.nc != words(p.c, p.m * p.n / 32) || p.nd != words(p.d, p.m * p.n / 32)))
		return false;
	if (p.sparse && !metadata(L, &in->operands[4], p.a, p.k, &p.kept)) return false;
	MatrixProduct *kept = arena_alloc(L->arena, sizeof *kept);
	p.slots = keep_slots(L, slots, n);
	*kept = p;
	emit(L, H_mma)->aux = kept;
	return true;
}

/* --- wmma --------------------------------------------------------------------------------------------------------- */

/* Kind 2: of the sum; 3: to be stored; else of a or b, by the choice. */
bool lower_fragment(Lower *L, const PtxInstr *in, const Match *match) {
	const bool store = match->row->kind == 3, sum = match->row->kind, b = !sum && match->choice, a = !sum && !b;
	const MatrixProduct p = shape(in);
	const PtxType t = in->types[0];
	const bool packed = element_bits(t) < 8;
	uint32_t slots[64], n = 0, stride = NO_SLOT;
	if (!registers(L, &in->operands[store ? 1 : 0], t == T_F64 ? 8 : 4, !store, slots, &n) || !n) return false;
	if (in->noperands > 2 && (stride = source(L, &in->operands[2], 4)) == NO_SLOT) return false;
	if (packed && (n != 1 || ((in->mods & MOD_COL) != 0) == a)) return false;
	MatrixAccess *x = arena_alloc(L->arena, sizeof *x);
	*x = (MatrixAccess){.rows = b ? p.k : p.m,
						.columns = a ? p.k : p.n,
						.type = t,
						.by_column = (in->mods & MOD_COL) != 0,
						.nregs = n,
						.slots = keep_slots(L, slots, n),
						.stride = stride};
	Op *op =
		emit_access(L, H_wmma_access, in, &in->operands[store ? 0 : 1], packed ? 4 : (uint32_t)ptx_type_bytes(t), 1);
	if (!op) return false;
	op->container = t == T_F64 ? 8 : 4;
	op->b = slots[0];
	op->kind = store;
	op->aux = x;
	return true;
}

/* --- wgmma -------------------------------------------------------------------------------------------------------- */

static bool literal(Lower *L, const PtxInstr *in, uint32_t *at, int64_t *value) {
	uint64_t bits;
	if (*at >= in->noperands || !constant_bits(L, &in->operands[(*at)++], &bits)) return false;
	*value = (int64_t)(int32_t)bits;
	return true;
}

/* Behind scale-d: the signs of a and b if they are floats, and, of 16 bits, the order of those in shared memory. */
static bool scales(Lower *L, const PtxInstr *in, uint32_t at, GroupProduct *p) {
	const bool floats = p->d != T_S32;
	int64_t v;
	for (uint32_t i = 0; floats && i < 2; i++) {
		if (!literal(L, in, &at, &v) || (v != 1 && v != -1)) return false;
		p->negate[i] = v < 0;
	}
	for (uint32_t i = p->na ? 1 : 0; floats && element_bits(p->a) == 16 && i < 2; i++) {
		if (!literal(L, in, &at, &v) || (v != 0 && v != 1)) return false;
		p->by_column[i] = v;
	}
	return at == in->noperands;
}

/* d, a, b, scale-d, ...; kind 1: a is sparse, and before scale-d are its metadata and their selector. */
bool lower_wgmma(Lower *L, const PtxInstr *in, const Match *match) {
	const MatrixProduct s = shape(in);
	GroupProduct p = {.n = s.n, .k = s.k, .d = in->types[0], .a = in->types[1], .b = in->types[2]};
	const PtxOperand *o = in->operands;
	uint32_t slots[GROUP_MOST_COLUMNS / 2 + 4], n = 0;
	p.sparse = match->row->kind == 1;
	const uint32_t scale = p.sparse ? 5 : 3;
	if (in->noperands <= scale || o[0].kind != OPERAND_VECTOR || o[0].nitems != words(p.d, GROUP_ROWS * p.n / 128))
		return false;
	for (uint32_t i = 0; i < o[0].nitems; i++)
		if ((slots[n++] = destination(L, &o[0].items[i], 4)) == NO_SLOT) return false;
	p.nd = n;
	if (o[1].kind == OPERAND_VECTOR) {
		if (o[1].nitems != 4) return false;
		for (uint32_t i = 0; i < 4; i++)
			if ((slots[n++] = source(L, &o[1].items[i], 4)) == NO_SLOT) return false;
		p.na = 4;
	}
	if (!p.na && (p.descriptor[0] = source(L, &o[1], 8)) == NO_SLOT) return false;
	if ((p.descriptor[1] = source(L, &o[2], 8)) == NO_SLOT) return false;
	p.saturate = (in->mods & MOD_SATFINITE) != 0;
	p.negated_adds = o[scale].negated;
	if ((p.adds = predicate(L, &o[scale])) == NO_SLOT || !scales(L, in, scale + 1, &p)) return false;
	p.kept.stored = p.k;
	if (p.sparse && !metadata(L, &o[3], p.a, p.k, &p.kept)) return false;
	GroupProduct *kept = arena_alloc(L->arena, sizeof *kept);
	p.slots = keep_slots(L, slots, n);
	*kept = p;
	emit(L, H_wgmma)->aux = kept;
	return true;
}

/* Kind 0: commit; 1: wait for all but the last groups. */
bool lower_wgmma_group(Lower *L, const PtxInstr *in, const Match *match) {
	uint64_t keep = 0;
	if (in->noperands && !constant_bits(L, &in->operands[0], &keep)) return false;
	emit_on(L, H_wgmma_group, (uint32_t)match->row->kind, NO_SLOT, (uint32_t)keep, NO_SLOT);
	return true;
}
