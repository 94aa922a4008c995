/* Moves, packing, selection, conversions between types and address spaces. */
#include "emu/lower/lower.h"

static HandlerId mover(uint32_t n) {
	return n == 2 ? H_mov_16 : n == 4 ? H_mov_32 : H_mov_64;
}

static bool move(Lower *L, uint32_t d, uint32_t a, uint32_t n) {
	if (d == NO_SLOT || a == NO_SLOT) return false;
	Op *op = emit(L, mover(n));
	op->d = d;
	op->a = a;
	return true;
}

static bool move_predicate(Lower *L, const PtxInstr *in) {
	const PtxOperand *o = &in->operands[1];
	uint32_t d = predicate(L, &in->operands[0]);
	if (d == NO_SLOT) return false;
	if (o->kind == OPERAND_INT) {
		Op *op = emit(L, H_pconst);
		op->d = d;
		op->imm = o->bits != 0;
		return true;
	}
	uint32_t a = predicate(L, o);
	if (a == NO_SLOT) return false;
	Op *op = emit(L, H_pmov);
	op->d = d;
	op->a = a;
	op->kind = o->negated;
	return true;
}

static Op *join_parts(Lower *L, HandlerId h, uint32_t d, uint32_t a, uint32_t b) {
	Op *op = emit(L, h);
	op->d = d;
	op->a = a;
	op->b = b;
	return op;
}

/* mov.b64 %rd, {%r1, %r2}; also four 16-bit parts, or two into 32 bits */
static bool pack(Lower *L, const PtxOperand *to, const PtxOperand *from) {
	const uint32_t dn = operand_bytes(L, to, 0), n = from->nitems, part = n ? dn / n : 0;
	uint32_t d = destination(L, to, dn), s[4];
	if (d == NO_SLOT || (n != 2 && n != 4) || part < 2) return false;
	for (uint32_t i = 0; i < n; i++)
		if ((s[i] = source(L, &from->items[i], part)) == NO_SLOT) return false;
	if (n == 2) return join_parts(L, dn == 8 ? H_pack_64_32 : H_pack_32_16, d, s[0], s[1]);
	const uint32_t lo = temp_slot(L, 0), hi = temp_slot(L, 1);
	join_parts(L, H_pack_32_16, lo, s[0], s[1]);
	join_parts(L, H_pack_32_16, hi, s[2], s[3]);
	return join_parts(L, H_pack_64_32, d, lo, hi);
}

/* mov.b64 {%r1, %r2}, %rd. Through copies: a part's place may be the source's. */
static bool unpack(Lower *L, const PtxOperand *to, const PtxOperand *from) {
	const uint32_t n = to->nitems, first = n ? operand_bytes(L, &to->items[0], 0) : 0;
	uint32_t sn = operand_bytes(L, from, 0);
	if (!sn) sn = first * n;
	uint32_t a = source(L, from, sn);
	if (a == NO_SLOT || (n != 2 && n != 4) || (sn != 4 && sn != 8)) return false;
	const uint32_t part = sn / n;
	if (part < 2) return false;
	for (uint32_t i = 0; i < n; i++) {
		if (to->items[i].kind == OPERAND_SINK) continue;
		uint32_t d = destination(L, &to->items[i], part), from_slot = a;
		if (d == NO_SLOT) return false;
		HandlerId h = sn == 8 ? (i ? H_high_64 : H_low_64) : i ? H_high_32 : H_low_32;
		if (n == 4) {
			from_slot = temp_slot(L, i / 2);
			join_parts(L, i / 2 ? H_high_64 : H_low_64, from_slot, a, NO_SLOT);
			h = i & 1 ? H_high_32 : H_low_32;
		}
		join_parts(L, h, d, from_slot, NO_SLOT);
	}
	return true;
}

static bool clock_move(Lower *L, const PtxInstr *in, uint32_t n) {
	const PtxSpecial sr = in->operands[1].special;
	const bool known = sr == SR_CLOCK || sr == SR_CLOCK_HI || sr == SR_CLOCK64 || sr == SR_GLOBALTIMER ||
					   sr == SR_GLOBALTIMER_LO || sr == SR_GLOBALTIMER_HI;
	uint32_t d = destination(L, &in->operands[0], n);
	if (!known || d == NO_SLOT) return false;
	Op *op = emit(L, H_clock);
	op->d = d;
	op->kind = (uint16_t)sr;
	op->container = (uint8_t)n;
	return true;
}

static bool mov(Lower *L, const PtxInstr *in) {
	if (in->noperands != 2) return false;
	const PtxOperand *d = &in->operands[0], *a = &in->operands[1];
	if (in->types[0] == T_PRED) return move_predicate(L, in);
	if (d->kind == OPERAND_VECTOR) return a->kind != OPERAND_VECTOR && unpack(L, d, a);
	if (a->kind == OPERAND_VECTOR) return pack(L, d, a);
	const uint32_t n = operand_bytes(L, d, 0);
	if (n != 2 && n != 4 && n != 8) return false;
	if (a->kind == OPERAND_SPECIAL && a->special >= SR_CLOCK && a->special < SR_DYNAMIC_SMEM_SIZE)
		return clock_move(L, in, n);
	return move(L, destination(L, d, n), source(L, a, n), n);
}

static bool selp(Lower *L, const PtxInstr *in) {
	if (in->noperands != 4) return false;
	const PtxOperand *p = &in->operands[3];
	uint32_t c = predicate(L, p);
	if (in->types[0] == T_PRED) return false;
	const uint32_t n = (uint32_t)ptx_type_bytes(in->types[0]);
	uint32_t d = destination(L, &in->operands[0], n), a = source(L, &in->operands[1], n),
			 b = source(L, &in->operands[2], n);
	if (c == NO_SLOT || d == NO_SLOT || a == NO_SLOT || b == NO_SLOT) return false;
	Op *op = emit(L, n == 2 ? H_selp_16 : n == 4 ? H_selp_32 : H_selp_64);
	op->d = d;
	op->a = a;
	op->b = b;
	op->c = c;
	op->flags = p->negated ? OPF_NEGATED : 0;
	return true;
}

static bool slct(Lower *L, const PtxInstr *in) {
	if (in->noperands != 4 || in->ntypes != 2) return false;
	const uint32_t n = (uint32_t)ptx_type_bytes(in->types[0]);
	const bool f = in->types[1] == T_F32;
	uint32_t d = destination(L, &in->operands[0], n), a = source(L, &in->operands[1], n),
			 b = source(L, &in->operands[2], n);
	uint32_t c = source(L, &in->operands[3], 4);
	if (d == NO_SLOT || a == NO_SLOT || b == NO_SLOT || c == NO_SLOT || (n != 2 && n != 4 && n != 8)) return false;
	if (f && (in->mods & MOD_FTZ)) { /* a negative subnormal counts as zero */
		const uint32_t flushed = temp_slot(L, 0);
		Op *flush = emit(L, H_ftz_f32);
		flush->a = c;
		flush->d = c = flushed;
	}
	Op *op = emit(L, f ? (n == 2   ? H_slct_f_16
						  : n == 4 ? H_slct_f_32
								   : H_slct_f_64)
					   : (n == 2   ? H_slct_s_16
						  : n == 4 ? H_slct_s_32
								   : H_slct_s_64));
	op->d = d;
	op->a = a;
	op->b = b;
	op->c = c;
	return true;
}

/* --- address spaces ----------------------------------------------------------------------------------------------- */

static bool cvta(Lower *L, const PtxInstr *in) {
	if (in->noperands != 2) return false;
	uint64_t window = 0;
	switch (in->space) {
	case SPACE_GLOBAL:
	case SPACE_CONST: break;
	case SPACE_SHARED: window = SHARED_WINDOW; break;
	case SPACE_LOCAL: window = LOCAL_WINDOW; break;
	case SPACE_PARAM: window = PARAM_WINDOW; break;
	default: return false;
	}
	const uint32_t n = operand_bytes(L, &in->operands[0], 8);
	uint32_t sn = operand_bytes(L, &in->operands[1], n);
	uint32_t d = destination(L, &in->operands[0], n), a = source(L, &in->operands[1], sn);
	if (d == NO_SLOT || a == NO_SLOT || n < 4) return false;
	if (window == 0 && n == sn) return move(L, d, a, n);
	Op *op = emit(L, H_cvta);
	op->d = d;
	op->a = a;
	op->imm = (int64_t)(in->mods & MOD_TO ? 0 - window : window);
	op->kind = (uint16_t)(n | sn << 8);
	return true;
}

static bool isspacep(Lower *L, const PtxInstr *in) {
	if (in->noperands != 2) return false;
	uint32_t d = predicate(L, &in->operands[0]), a = source(L, &in->operands[1], 8);
	if (d == NO_SLOT || a == NO_SLOT) return false;
	Op *op = emit(L, H_isspacep);
	op->d = d;
	op->a = a;
	op->kind = (uint16_t)in->space;
	op->imm = ptx_has(in, WORD_SHARED_CLUSTER);
	return true;
}

bool lower_move(Lower *L, const PtxInstr *in) {
	switch (in->op) {
	case OP_MOV: return mov(L, in);
	case OP_SELP: return selp(L, in);
	case OP_SLCT: return slct(L, in);
	case OP_CVTA: return cvta(L, in);
	default: return isspacep(L, in);
	}
}

/* --- conversions -------------------------------------------------------------------------------------------------- */

enum { ANY_ROUND = 255 };

/* Conversions with a handler of their own: to, from, bytes per lane of both registers. Unsigned stands for signed too
 * where no bit depends on it. */
static const struct {
	PtxType to, from;
	uint8_t dn, sn, round;
	HandlerId h;
} direct[] = {
	{T_U64, T_U32, 8, 4, ANY_ROUND, H_cvt_u64_u32},     {T_S64, T_U32, 8, 4, ANY_ROUND, H_cvt_u64_u32},
	{T_S64, T_S32, 8, 4, ANY_ROUND, H_cvt_s64_s32},     {T_U64, T_S32, 8, 4, ANY_ROUND, H_cvt_s64_s32},
	{T_U32, T_U64, 4, 8, ANY_ROUND, H_cvt_u32_u64},     {T_U32, T_S64, 4, 8, ANY_ROUND, H_cvt_u32_u64},
	{T_S32, T_U64, 4, 8, ANY_ROUND, H_cvt_u32_u64},     {T_S32, T_S64, 4, 8, ANY_ROUND, H_cvt_u32_u64},
	{T_U32, T_U16, 4, 2, ANY_ROUND, H_cvt_u32_u16},     {T_S32, T_U16, 4, 2, ANY_ROUND, H_cvt_u32_u16},
	{T_S32, T_S16, 4, 2, ANY_ROUND, H_cvt_s32_s16},     {T_U32, T_S16, 4, 2, ANY_ROUND, H_cvt_s32_s16},
	{T_U16, T_U32, 2, 4, ANY_ROUND, H_cvt_u16_u32},     {T_S16, T_S32, 2, 4, ANY_ROUND, H_cvt_u16_u32},
	{T_U16, T_S32, 2, 4, ANY_ROUND, H_cvt_u16_u32},     {T_S16, T_U32, 2, 4, ANY_ROUND, H_cvt_u16_u32},
	{T_U16, T_U64, 2, 8, ANY_ROUND, H_cvt_u16_u64},     {T_U64, T_U16, 8, 2, ANY_ROUND, H_cvt_u64_u16},
	{T_S64, T_S16, 8, 2, ANY_ROUND, H_cvt_s64_s16},     {T_U32, T_U8, 4, 4, ANY_ROUND, H_cvt_u32_u8in32},
	{T_S32, T_S8, 4, 4, ANY_ROUND, H_cvt_s32_s8in32},   {T_U32, T_U16, 4, 4, ANY_ROUND, H_cvt_u32_u16in32},
	{T_S32, T_S16, 4, 4, ANY_ROUND, H_cvt_s32_s16in32}, {T_U32, T_U8, 4, 2, ANY_ROUND, H_cvt_u32_u8in16},
	{T_S32, T_S8, 4, 2, ANY_ROUND, H_cvt_s32_s8in16},   {T_U16, T_U8, 2, 2, ANY_ROUND, H_cvt_u16_u8in16},
	{T_S16, T_S8, 2, 2, ANY_ROUND, H_cvt_s16_s8in16},   {T_F32, T_S32, 4, 4, ROUND_RN, H_cvt_f32_s32},
	{T_F32, T_U32, 4, 4, ROUND_RN, H_cvt_f32_u32},      {T_F32, T_U64, 4, 8, ROUND_RN, H_cvt_f32_u64},
	{T_F32, T_S64, 4, 8, ROUND_RN, H_cvt_f32_s64},      {T_F64, T_S32, 8, 4, ANY_ROUND, H_cvt_f64_s32},
	{T_F64, T_U32, 8, 4, ANY_ROUND, H_cvt_f64_u32},     {T_F64, T_U64, 8, 8, ROUND_RN, H_cvt_f64_u64},
	{T_F64, T_S64, 8, 8, ROUND_RN, H_cvt_f64_s64},      {T_F64, T_F32, 8, 4, ROUND_NONE, H_cvt_f64_f32},
	{T_F32, T_F64, 4, 8, ROUND_RN, H_cvt_f32_f64},      {T_F32, T_F16, 4, 2, ROUND_NONE, H_cvt_f32_f16},
	{T_F16, T_F32, 2, 4, ROUND_RN, H_cvt_f16_f32},      {T_F32, T_BF16, 4, 2, ROUND_NONE, H_cvt_f32_bf16},
	{T_BF16, T_F32, 2, 4, ROUND_RN, H_cvt_bf16_f32},    {T_S32, T_F32, 4, 4, ROUND_RZI, H_cvt_rzi_s32_f32},
	{T_S32, T_F32, 4, 4, ROUND_RNI, H_cvt_rni_s32_f32}, {T_S32, T_F32, 4, 4, ROUND_RMI, H_cvt_rmi_s32_f32},
	{T_S32, T_F32, 4, 4, ROUND_RPI, H_cvt_rpi_s32_f32}, {T_U32, T_F32, 4, 4, ROUND_RZI, H_cvt_rzi_u32_f32},
	{T_U32, T_F32, 4, 4, ROUND_RNI, H_cvt_rni_u32_f32}, {T_F32, T_F32, 4, 4, ROUND_RNI, H_cvt_rni_f32_f32},
	{T_F32, T_F32, 4, 4, ROUND_RZI, H_cvt_rzi_f32_f32}, {T_F32, T_F32, 4, 4, ROUND_RMI, H_cvt_rmi_f32_f32},
	{T_F32, T_F32, 4, 4, ROUND_RPI, H_cvt_rpi_f32_f32}, {T_F64, T_F64, 8, 8, ROUND_RNI, H_cvt_rni_f64_f64},
	{T_F64, T_F64, 8, 8, ROUND_RZI, H_cvt_rzi_f64_f64}, {T_F64, T_F64, 8, 8, ROUND_RMI, H_cvt_rmi_f64_f64},
	{T_F64, T_F64, 8, 8, ROUND_RPI, H_cvt_rpi_f64_f64},
};

static HandlerId find_direct(const PtxInstr *in, uint32_t dn, uint32_t sn) {
	/* Subnormals vanish on the way to an integer in these roundings, so flushing them first changes nothing. */
	const bool flushes = (in->mods & MOD_FTZ) && in->round != ROUND_RZI && in->round != ROUND_RNI;
	if ((in->mods & (MOD_SAT | MOD_RELU)) || flushes) return H_none;
	for (size_t i = 0; i < sizeof direct / sizeof *direct; i++)
		if (direct[i].to == in->types[0] && direct[i].from == in->types[1] && direct[i].dn == dn &&
			direct[i].sn == sn && (direct[i].round == ANY_ROUND || direct[i].round == in->round))
			return direct[i].h;
	return H_none;
}

static bool known_type(PtxType t) {
	return (t >= T_U8 && t <= T_S64) || t == T_F16 || t == T_BF16 || t == T_F32 || t == T_F64;
}

bool lower_convert(Lower *L, const PtxInstr *in) {
	const bool packed =
		in->noperands == 3 && (in->types[0] == T_F16X2 || in->types[0] == T_BF16X2) && in->types[1] == T_F32;
	if (in->ntypes != 2 || (in->noperands != 2 && !packed)) return false;
	if (!packed && !(known_type(in->types[0]) || in->types[0] == T_TF32)) return false;
	if (!known_type(in->types[1])) return false;
	const uint32_t dn = operand_bytes(L, &in->operands[0], 0);
	uint32_t sn = operand_bytes(L, &in->operands[1], 0);
	if (!sn) sn = ptx_type_bytes(in->types[1]) <= 2 ? 2 : (uint32_t)ptx_type_bytes(in->types[1]);
	uint32_t d = destination(L, &in->operands[0], dn), a = source(L, &in->operands[1], sn);
	uint32_t b = packed ? source(L, &in->operands[2], sn) : NO_SLOT;
	if (d == NO_SLOT || a == NO_SLOT || (packed && b == NO_SLOT) || dn < ptx_type_bytes(in->types[0]) ||
		sn < ptx_type_bytes(in->types[1]))
		return false;
	const HandlerId h = find_direct(in, dn, sn);
	Op *op = emit(L, h != H_none ? h : H_cvt_any);
	op->d = d;
	op->a = a;
	op->b = b;
	op->kind = (uint16_t)(dn | sn << 8);
	return true;
}
