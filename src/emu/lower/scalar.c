/* Uncommon forms, lowered to a function of one lane (scalar.h). */
#include <string.h>

#include "emu/code/scalar.h"
#include "emu/lower/lower.h"

enum { PREDICATE = 1 };

static bool call(Lower *L, const PtxInstr *in, ScalarFn fn, int64_t imm, uint8_t d, const uint8_t x[4]) {
	uint32_t slots[4] = {NO_SLOT, NO_SLOT, NO_SLOT, NO_SLOT}, n = 0, at = 1;
	ScalarCall *c = arena_alloc(L->arena, sizeof *c);
	c->fn = fn;
	c->d = d;
	const PtxOperand *o = in->operands;
	for (uint32_t k = 0; k < 4; k++) n += x[k] != 0;
	const bool sink = in->noperands && o[0].kind == OPERAND_SINK;
	if (in->noperands < 1 + n) return false;
	for (uint32_t k = 0; k < 4; k++) {
		if (!x[k]) continue;
		if (fn == scalar_lop3 && k == 3) at++; /* the table is between */
		if (at >= in->noperands) return false;
		c->x[k] = x[k];
		c->negated[k] = x[k] == PREDICATE && o[at].negated;
		slots[k] = x[k] == PREDICATE ? predicate(L, &o[at]) : source(L, &o[at], x[k]);
		if (slots[k] == NO_SLOT) return false;
		at++;
	}
	const uint32_t dest = sink ? NO_SLOT : destination(L, &o[0], d);
	if (dest == NO_SLOT && !sink) return false;
	Op *op = emit(L, H_scalar);
	op->d = dest;
	op->a = slots[0];
	op->b = slots[1];
	op->c = slots[2];
	op->e = slots[3];
	op->imm = imm;
	op->aux = c;
	if (o[0].has_pair) op->extra[0] = L->slot[o[0].pair];
	return true;
}

static bool pair_type(PtxType t) {
	return t == T_U16X2 || t == T_S16X2;
}

static bool pairs(Lower *L, const PtxInstr *in) {
	static const uint8_t two[4] = {4, 4};
	const bool sign = in->types[0] == T_S16X2;
	if (!pair_type(in->types[0])) return false;
	if (in->op == OP_ADD) return call(L, in, scalar_add_pair, 0, 4, two);
	return call(L, in, sign ? scalar_extreme_s16x2 : scalar_extreme_u16x2, 0, 4, two);
}

static uint8_t bytes_of(PtxType t) {
	return t == T_F16 || t == T_BF16 ? 2 : 4;
}

static bool extremes(Lower *L, const PtxInstr *in) {
	if (!ptx_has(in, WORD_XORSIGN)) return pairs(L, in);
	const uint8_t n = bytes_of(in->types[0]), two[4] = {n, n};
	return in->noperands == 3 && call(L, in, scalar_xorsign, 0, n, two);
}

static bool fma_oob(Lower *L, const PtxInstr *in) {
	const uint8_t n = bytes_of(in->types[0]), three[4] = {n, n, n};
	return in->types[0] != T_F32 && call(L, in, scalar_fma_oob, 0, n, three);
}

static bool lop3_predicate(Lower *L, const PtxInstr *in) {
	static const uint8_t x[4] = {4, 4, 4, PREDICATE};
	uint64_t table;
	if (in->noperands != 6 || in->combine == BOOL_XOR || !constant_bits(L, &in->operands[4], &table)) return false;
	return call(L, in, scalar_lop3, (int64_t)table, 4, x);
}

static bool set_pair(Lower *L, const PtxInstr *in) {
	const uint8_t x[4] = {4, 4, in->noperands > 3 ? PREDICATE : 0};
	return in->ntypes == 2 && (in->noperands == 3 || in->combine) && call(L, in, scalar_set_pair, 0, 4, x);
}

static bool pack(Lower *L, const PtxInstr *in) {
	static const struct {
		PtxType type;
		int64_t imm; /* bits, +32: signed */
	} types[] = {{T_U16, 16}, {T_S16, 48}, {T_U8, 8}, {T_S8, 40}, {T_U4, 4}, {T_S4, 36}, {T_U2, 2}, {T_S2, 34}};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		if (in->types[0] != types[i].type) continue;
		const uint8_t x[4] = {4, 4, types[i].imm & 15 ? 4 : 0};
		return call(L, in, scalar_pack, types[i].imm, 4, x);
	}
	return false;
}

static bool fp8_type(PtxType t) {
	return t == T_E4M3X2 || t == T_E5M2X2;
}

static bool fp8_conversion(Lower *L, const PtxInstr *in) {
	const bool wide = in->types[0] == T_E5M2X2 || in->types[1] == T_E5M2X2;
	if (in->types[0] == T_F16X2) return call(L, in, scalar_from_fp8, wide, 4, (const uint8_t[4]){2});
	if (in->types[1] == T_F16X2) return call(L, in, scalar_to_fp8, wide | 2, 2, (const uint8_t[4]){4});
	return in->types[1] == T_F32 && in->noperands == 3 && call(L, in, scalar_to_fp8, wide, 2, (const uint8_t[4]){4, 4});
}

static bool conversions(Lower *L, const PtxInstr *in) {
	if (in->ntypes < 2) return false;
	if (ptx_has(in, WORD_PACK)) return pack(L, in);
	if (fp8_type(in->types[0]) || fp8_type(in->types[1])) return fp8_conversion(L, in);
	if (!ptx_has(in, WORD_SATFINITE) || in->types[1] != T_F32) return false;
	const bool packed = in->types[0] == T_F16X2 || in->types[0] == T_BF16X2;
	const uint8_t d = bytes_of(in->types[0]), x[4] = {4, packed ? 4 : 0};
	return in->noperands == (packed ? 3u : 2u) && call(L, in, scalar_satfinite, 0, d, x);
}

/* Plain, .sat or .add on whole registers; selectors and masks of parts are not done. */
static bool video(Lower *L, const PtxInstr *in, int64_t parts) {
	if (in->ntypes != 3 || in->noperands != 4) return false;
	return call(L, in, scalar_video, parts, 4, (const uint8_t[4]){4, 4, 4});
}

static bool is_video(PtxOp op, int64_t *parts) {
	switch (op) {
	case OP_VABSDIFF2:
	case OP_VADD2:
	case OP_VAVRG2:
	case OP_VMAX2:
	case OP_VMIN2:
	case OP_VSUB2: *parts = 2; return true;
	case OP_VABSDIFF4:
	case OP_VADD4:
	case OP_VAVRG4:
	case OP_VMAX4:
	case OP_VMIN4:
	case OP_VSUB4: *parts = 4; return true;
	default: return false;
	}
}

/* A policy is a hint to caches that the emulator does not have: any value will do. */
static bool policy(Lower *L, const PtxInstr *in) {
	const uint32_t d = in->noperands ? destination(L, &in->operands[0], 8) : NO_SLOT;
	if (d == NO_SLOT) return false;
	Op *op = emit(L, H_mov_64);
	op->d = d;
	op->a = bits_slot(L, 0, 8);
	return true;
}

/* Without a space an address is a generic one. */
static bool cluster_address(Lower *L, const PtxInstr *in) {
	const bool maps = in->op == OP_MAPA;
	const uint32_t n = (uint32_t)ptx_type_bytes(in->types[0]);
	if (in->noperands != (maps ? 3u : 2u) || in->ntypes != 1 || (n != 4 && n != 8)) return false;
	if (in->space != SPACE_GENERIC && in->space != SPACE_SHARED) return false;
	const uint32_t d = destination(L, &in->operands[0], maps ? n : 4), a = source(L, &in->operands[1], n);
	const uint32_t rank = maps ? source(L, &in->operands[2], 4) : NO_SLOT;
	if (d == NO_SLOT || a == NO_SLOT || (maps && rank == NO_SLOT)) return false;
	Op *op = emit(L, maps ? H_mapa : H_getctarank);
	op->d = d;
	op->a = a;
	op->b = rank;
	op->container = (uint8_t)n;
	op->space = (uint8_t)in->space;
	return true;
}

bool lower_scalar(Lower *L, const PtxInstr *in) {
	int64_t parts;
	if (is_video(in->op, &parts)) return video(L, in, parts);
	switch (in->op) {
	case OP_ADD: return pairs(L, in);
	case OP_MIN:
	case OP_MAX: return extremes(L, in);
	case OP_FMA: return fma_oob(L, in);
	case OP_MAD24: return call(L, in, scalar_mad24_hi_sat, 0, 4, (const uint8_t[4]){4, 4, 4});
	case OP_LOP3: return lop3_predicate(L, in);
	case OP_SET: return set_pair(L, in);
	case OP_CVT: return conversions(L, in);
	case OP_CREATEPOLICY: return policy(L, in);
	case OP_MAPA:
	case OP_GETCTARANK: return cluster_address(L, in);
	default: return false;
	}
}

bool is_scalar_fallback(const PtxInstr *in) {
	int64_t parts;
	if (is_video(in->op, &parts)) return true;
	switch (in->op) {
	case OP_ADD: return pair_type(in->types[0]);
	case OP_MIN:
	case OP_MAX: return pair_type(in->types[0]) || ptx_has(in, WORD_XORSIGN);
	case OP_FMA: return ptx_has(in, WORD_OOB);
	case OP_CVT:
		return ptx_has(in, WORD_PACK) || ptx_has(in, WORD_SATFINITE) || fp8_type(in->types[0]) ||
			   fp8_type(in->types[1]);
	case OP_CREATEPOLICY:
	case OP_MAPA:
	case OP_GETCTARANK: return true;
	case OP_MAD24: return (in->mods & MOD_SAT) != 0;
	case OP_LOP3: return in->noperands > 5 || (in->noperands && in->operands[0].has_pair);
	case OP_SET: return in->ntypes == 2 && (in->types[1] == T_F16X2 || in->types[1] == T_BF16X2);
	default: return false;
	}
}
