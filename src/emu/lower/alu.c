/* Arithmetic and logic: the name of an instruction to that of its handler in alu.def. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "emu/exec/lanes.h"
#include "emu/lower/lower.h"

static bool half_type(PtxType t) {
	return t == T_F16 || t == T_F16X2 || t == T_BF16 || t == T_BF16X2;
}
static bool nearest(PtxRound r) {
	return r == ROUND_NONE || r == ROUND_RN;
}

/* --- emitting ----------------------------------------------------------------------------------------------------- */

/* d = h(a, b, c ...): the destination has dn bytes per lane, source k has sn[k]. */
static bool plain(Lower *L, const PtxInstr *in, HandlerId h, uint32_t dn, const uint32_t *sn, uint32_t nsources) {
	uint32_t slots[4] = {NO_SLOT, NO_SLOT, NO_SLOT, NO_SLOT};
	if (h == H_none || in->noperands < 1 + nsources) return false;
	uint32_t d = destination(L, &in->operands[0], dn);
	if (d == NO_SLOT) return false;
	for (uint32_t k = 0; k < nsources; k++) {
		slots[k] = source(L, &in->operands[1 + k], sn[k]);
		if (slots[k] == NO_SLOT) return false;
	}
	Op *op = emit(L, h);
	op->d = d;
	op->a = slots[0];
	op->b = slots[1];
	op->c = slots[2];
	op->e = slots[3];
	return true;
}

static bool same(Lower *L, const PtxInstr *in, HandlerId h, uint32_t n, uint32_t nsources) {
	const uint32_t sn[4] = {n, n, n, n};
	return plain(L, in, h, n, sn, nsources);
}

/* --- by name ------------------------------------------------------------------------------------------------------ */

/* A handler of alu.def: its sizes are those of a lane's destination and sources, in bytes. */
typedef struct {
	const char *name;
	HandlerId id;
	uint32_t nsources;
	uint32_t bytes[5];
} Arithmetic;

static const Arithmetic arithmetic[] = {
#define OP1(name, D, A, expr) {#name, H_##name, 1, {sizeof(D), sizeof(A)}},
#define OP2(name, D, A, B, expr) {#name, H_##name, 2, {sizeof(D), sizeof(A), sizeof(B)}},
#define OP3(name, D, A, B, C, expr) {#name, H_##name, 3, {sizeof(D), sizeof(A), sizeof(B), sizeof(C)}},
#define OP4(name, D, A, B, C, E, expr) {#name, H_##name, 4, {sizeof(D), sizeof(A), sizeof(B), sizeof(C), sizeof(E)}},
#define TINY2(name, expr, exact) {#name, H_##name, 2, {4, 4, 4}},
#define TINY3(name, expr, exact) {#name, H_##name, 3, {4, 4, 4, 4}},
#define CMP(name, A, expr)
#define SEL(name, D)
#include "emu/code/alu.def"
#undef OP1
#undef OP2
#undef OP3
#undef OP4
#undef TINY2
#undef TINY3
#undef CMP
#undef SEL
};

enum { ARITHMETIC = sizeof arithmetic / sizeof *arithmetic, BUCKETS = 2048 };

static uint16_t buckets[BUCKETS]; /* open addressing: index in arithmetic + 1 */

static uint32_t bucket_of(const char *name) {
	uint32_t hash = 2166136261u;
	for (; *name; name++) hash = (hash ^ (uint8_t)*name) * 16777619u;
	return hash % BUCKETS;
}

static void fill_buckets(void) {
	for (int i = 0; i < ARITHMETIC; i++) {
		uint32_t at = bucket_of(arithmetic[i].name);
		while (buckets[at]) at = (at + 1) % BUCKETS;
		buckets[at] = (uint16_t)(i + 1);
	}
}

static const Arithmetic *named(const char *name) {
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, fill_buckets);
	for (uint32_t at = bucket_of(name); buckets[at]; at = (at + 1) % BUCKETS)
		if (!strcmp(arithmetic[buckets[at] - 1].name, name)) return &arithmetic[buckets[at] - 1];
	return NULL;
}

/* The words that a handler's name can have, in its order. */
static const struct {
	uint32_t mod;
	const char *text;
} name_words[] = {{MOD_LEFT, "_l"},  {MOD_RIGHT, "_r"},       {MOD_WRAP, "_wrap"}, {MOD_CLAMP, "_clamp"},
				  {MOD_LO, "_lo"},   {MOD_HI, "_hi"},         {MOD_WIDE, "_wide"}, {MOD_RELU, "_relu"},
				  {MOD_NAN, "_nan"}, {MOD_APPROX, "_approx"}, {MOD_FTZ, "_ftz"},   {MOD_SAT, "_sat"}};

/* With the last type as written, then with its bits (add.s32 is add_32), then unsigned (shr.b32 is shr_u32), then with
 * none (shf.l.wrap.b32). */
static const Arithmetic *with_type(const char *stem, PtxType t) {
	const uint32_t bits = 8 * (uint32_t)ptx_type_bytes(t);
	const Arithmetic *found = NULL;
	char name[80];
	for (unsigned way = 0; way < 4 && !found; way++) {
		switch (way) {
		case 0: snprintf(name, sizeof name, "%s_%s", stem, ptx_type_name(t)); break;
		case 1: snprintf(name, sizeof name, "%s_%u", stem, bits); break;
		case 2: snprintf(name, sizeof name, "%s_u%u", stem, bits); break;
		default: snprintf(name, sizeof name, "%s", stem); break;
		}
		found = named(name);
		if (type_float(t) || half_type(t)) break;
	}
	return found;
}

/* The handler whose name an instruction spells: min.ftz.NaN.f32 is min_nan_ftz_f32. Where there is none with .approx or
 * .ftz, that has one way or no effect: rcp.approx.f32 is rcp_f32, add.ftz.f16 is add_f16 between two Ops that flush. */
static const Arithmetic *handler_of(const PtxInstr *in) {
	static const uint32_t without[] = {0, MOD_APPROX, MOD_FTZ, MOD_APPROX | MOD_FTZ};
	const bool real = type_float(in->types[0]) || half_type(in->types[0]);
	const char *op = in->op == OP_MAD && real ? "fma" : ptx_op_name(in->op);
	const Arithmetic *found = NULL;
	for (unsigned k = 0; k < sizeof without / sizeof *without && !found; k++) {
		const uint32_t mods =
			in->mods & ~(without[k] | (real ? MOD_SAT : 0)); /* floats saturate in an Op of their own */
		char stem[64];
		size_t len = (size_t)snprintf(stem, sizeof stem, "%s", op);
		for (size_t i = 0; i < sizeof name_words / sizeof *name_words; i++)
			if (mods & name_words[i].mod)
				len += (size_t)snprintf(stem + len, sizeof stem - len, "%s", name_words[i].text);
		found = with_type(stem, in->types[0]);
	}
	return found;
}

static bool by_name(Lower *L, const PtxInstr *in) {
	const Arithmetic *a = handler_of(in);
	return a && in->noperands == 1 + a->nsources && plain(L, in, a->id, a->bytes[0], a->bytes + 1, a->nsources);
}

/* One more step on the destination, in place. */
static bool then(Lower *L, HandlerId h) {
	const uint32_t d = vec_last(&L->ops).d;
	Op *op = emit(L, h);
	op->d = op->a = d;
	return true;
}

/* --- predicates --------------------------------------------------------------------------------------------------- */

static bool predicates(Lower *L, const PtxInstr *in) {
	HandlerId h = in->op == OP_AND   ? H_pand
				  : in->op == OP_OR  ? H_por
				  : in->op == OP_XOR ? H_pxor
				  : in->op == OP_NOT ? H_pnot
									 : H_none;
	if (h == H_none || in->noperands < 2) return false;
	uint32_t d = predicate(L, &in->operands[0]), a = predicate(L, &in->operands[1]), b = NO_SLOT;
	if (in->noperands > 2) b = predicate(L, &in->operands[2]);
	if (d == NO_SLOT || a == NO_SLOT || (h != H_pnot && b == NO_SLOT)) return false;
	Op *op = emit(L, h);
	op->d = d;
	op->a = a;
	op->b = b;
	op->kind = (uint16_t)(in->operands[1].negated | (in->noperands > 2 && in->operands[2].negated ? 2 : 0));
	return true;
}

/* --- floats ---------------------------------------------------------------------------------------------------- */

static bool rounds(PtxOp op) {
	return op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_FMA || op == OP_MAD || op == OP_DIV ||
		   op == OP_RCP || op == OP_SQRT;
}

static bool floats(Lower *L, const PtxInstr *in) {
	const bool wide = in->types[0] == T_F64;
	if (!by_name(L, in)) return false;
	Op *op = &vec_last(&L->ops);
	if (!nearest(in->round)) op->run = handler(wide ? H_round_f64 : H_round_f32);
	if (!nearest(in->round)) return rounds(in->op);
	return wide || !(in->mods & MOD_SAT) || then(L, H_sat_f32);
}

static bool halves_op(Lower *L, const PtxInstr *in) {
	const PtxType t = in->types[0];
	const bool brain = t == T_BF16 || t == T_BF16X2, packed = t == T_F16X2 || t == T_BF16X2;
	if (!nearest(in->round) || !by_name(L, in)) return false;
	if ((in->mods & MOD_FTZ) && !brain) {
		/* Subnormal sources become zero: through copies, so that the registers keep their values. */
		Op last = vec_last(&L->ops);
		L->ops.len--;
		uint32_t *const slots[3] = {&last.a, &last.b, &last.c};
		for (unsigned k = 0; k + 1 < in->noperands; k++) {
			Op *op = emit(L, packed ? H_ftz_f16x2 : H_ftz_f16);
			op->a = *slots[k];
			op->d = *slots[k] = temp_slot(L, k);
		}
		vec_push(&L->ops, last);
		then(L, packed ? H_ftz_f16x2 : H_ftz_f16);
	}
	if (in->mods & MOD_SAT) return !brain && then(L, packed ? H_sat_f16x2 : H_sat_f16);
	return true;
}

/* --- integers ----------------------------------------------------------------------------------------------------- */

static bool carries(Lower *L, const PtxInstr *in) {
	const uint32_t n = (uint32_t)ptx_type_bytes(in->types[0]);
	if (n < 4 || !same(L, in, H_carry, n, in->op == OP_MAD || in->op == OP_MADC ? 3 : 2)) return false;
	if (L->carry == NO_SLOT) L->carry = frame_take(L, 4);
	Op *op = &vec_last(&L->ops);
	op->extra[0] = L->carry;
	op->bytes = (uint8_t)n;
	return true;
}

/* The sum after the product of mad24; without one, the product alone. */
static bool multiply24(Lower *L, const PtxInstr *in) {
	const bool sign = type_signed(in->types[0]), hi = in->mods & MOD_HI;
	const HandlerId h = hi ? (sign ? H_mul24_hi_s32 : H_mul24_hi_u32) : sign ? H_mul24_lo_s32 : H_mul24_lo_u32;
	if ((in->mods & MOD_SAT) || in->noperands != 4) return false;
	const uint32_t d = destination(L, &in->operands[0], 4), a = source(L, &in->operands[1], 4),
				   b = source(L, &in->operands[2], 4), c = source(L, &in->operands[3], 4);
	if (d == NO_SLOT || a == NO_SLOT || b == NO_SLOT || c == NO_SLOT) return false;
	Op *op = emit(L, h);
	op->d = temp_slot(L, 0);
	op->a = a;
	op->b = b;
	op = emit(L, H_add_32);
	op->d = d;
	op->a = L->temp[0];
	op->b = c;
	return true;
}

static bool with_imm(Lower *L, bool done, int64_t imm) {
	if (done) vec_last(&L->ops).imm = imm;
	return done;
}

static bool lop3_table(Lower *L, const PtxInstr *in) {
	uint64_t table;
	if (in->noperands != 5 || in->operands[0].has_pair || !constant_bits(L, &in->operands[4], &table)) return false;
	const uint32_t sn[3] = {4, 4, 4};
	return with_imm(L, plain(L, in, H_lop3_32, 4, sn, 3), (int64_t)table);
}

static bool dot(Lower *L, const PtxInstr *in) {
	const bool a = in->types[0] == T_S32, b = in->types[1] == T_S32;
	static const HandlerId four[] = {H_dp4a_uu, H_dp4a_us, H_dp4a_su, H_dp4a_ss};
	static const HandlerId two[] = {H_dp2a_uu, H_dp2a_us, H_dp2a_su, H_dp2a_ss};
	return with_imm(L, same(L, in, (in->op == OP_DP4A ? four : two)[2 * a + b], 4, 3), in->mods & MOD_HI ? 1 : 0);
}

static bool integers(Lower *L, const PtxInstr *in) {
	switch (in->op) {
	case OP_ADD:
	case OP_SUB:
	case OP_MAD: return in->mods & MOD_CC ? carries(L, in) : by_name(L, in);
	case OP_ADDC:
	case OP_SUBC:
	case OP_MADC: return carries(L, in);
	case OP_MAD24: return multiply24(L, in);
	case OP_LOP3: return lop3_table(L, in);
	case OP_BFIND: return with_imm(L, by_name(L, in), in->mods & MOD_SHIFTAMT ? 1 : 0);
	case OP_DP4A:
	case OP_DP2A: return dot(L, in);
	default: return by_name(L, in);
	}
}

static bool prmt(Lower *L, const PtxInstr *in) {
	static const PtxWord modes[] = {WORD_F4E, WORD_B4E, WORD_RC8, WORD_ECL, WORD_ECR, WORD_RC16};
	int mode = 0;
	for (int i = 0; i < 6; i++)
		if (ptx_has(in, modes[i])) mode = 1 + i;
	return with_imm(L, same(L, in, H_prmt_32, 4, 3), mode);
}

bool lower_alu(Lower *L, const PtxInstr *in) {
	const PtxType t = in->ntypes ? in->types[0] : T_NONE;
	if (!t) return false;
	if (in->op == OP_PRMT) return prmt(L, in);
	if (t == T_PRED) return predicates(L, in);
	if (type_float(t)) return floats(L, in);
	if (half_type(t)) return halves_op(L, in);
	return integers(L, in);
}
