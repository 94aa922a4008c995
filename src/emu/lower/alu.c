/* Arithmetic and logic: what the rows of alu.def say, and what it takes to make some forms of them. */
#include "emu/lower/lower.h"

static bool half_type(PtxType t) {
	return t == T_F16 || t == T_F16X2 || t == T_BF16 || t == T_BF16X2;
}
static bool nearest(PtxRound r) {
	return r == ROUND_NONE || r == ROUND_RN;
}

/* One more step on the destination, in place. */
static bool then(Lower *L, HandlerId h) {
	const uint32_t d = vec_last(&L->ops).d;
	Op *op = emit(L, h);
	op->d = op->a = d;
	return true;
}

/* Subnormal sources become zero: through copies, so that the registers keep their values. So does the result. */
static void flush_halves(Lower *L, const PtxInstr *in, HandlerId h) {
	Op last = vec_last(&L->ops);
	L->ops.len--;
	uint32_t *const slots[3] = {&last.a, &last.b, &last.c};
	for (unsigned k = 0; k + 1 < in->noperands; k++) {
		Op *op = emit(L, h);
		op->a = *slots[k];
		op->d = *slots[k] = temp_slot(L, k);
	}
	vec_push(&L->ops, last);
	then(L, h);
}

static bool arithmetic(Lower *L, const PtxInstr *in, const uint8_t bytes[5], HandlerId h, int64_t imm) {
	const PtxType t = in->types[0];
	const bool half = half_type(t), single = t == T_F32, packed = t == T_F16X2;
	Op *op = emit_operands(L, h, in, bytes);
	if (!op) return false;
	op->imm = imm;
	if (in->op == OP_CVT) return true;
	if (!nearest(in->round)) {
		op->run = handler(single ? H_round_f32 : H_round_f64);
		return true;
	}
	if ((t == T_F16 || packed) && (in->mods & MOD_FTZ)) flush_halves(L, in, packed ? H_ftz_f16x2 : H_ftz_f16);
	if ((half || single) && (in->mods & MOD_SAT)) then(L, single ? H_sat_f32 : packed ? H_sat_f16x2 : H_sat_f16);
	return true;
}

/* --- sums that ptxas fuses with a product ------------------------------------------------------------------------- */

static HandlerId negation(PtxType t) {
	switch (t) {
	case T_F32: return H_neg_f32;
	case T_F64: return H_neg_f64;
	case T_F16: return H_neg_f16;
	case T_F16X2: return H_neg_f16x2;
	case T_BF16: return H_neg_bf16;
	default: return H_neg_bf16x2;
	}
}

static HandlerId product_and_sum(PtxType t, bool flush) {
	switch (t) {
	case T_F32: return flush ? H_fma_ftz_f32 : H_fma_f32;
	case T_F64: return H_fma_f64;
	case T_F16: return flush ? H_fma_ftz_f16 : H_fma_f16;
	case T_F16X2: return flush ? H_fma_ftz_f16x2 : H_fma_f16x2;
	case T_BF16: return H_fma_bf16;
	default: return H_fma_bf16x2;
	}
}

/* The place of an operand's negative. */
static uint32_t negative(Lower *L, PtxType t, const PtxOperand *o, unsigned temp) {
	const uint32_t from = source(L, o, (uint32_t)ptx_type_bytes(t));
	emit_on(L, negation(t), temp_slot(L, temp), from, NO_SLOT, NO_SLOT);
	return L->temp[temp];
}

/* A sum as a * b + c with the signs that it has. Single and double precision have handlers for one minus; else the
 * negative is computed first and the Op that reads it comes last. */
static bool fused_sum(Lower *L, const PtxInstr *in, const Fused *fused) {
	const PtxType t = in->types[0];
	const PtxInstr *mul = &L->ptx->instrs[fused->product - 1];
	PtxOperand operands[4] = {in->operands[0], mul->operands[1], mul->operands[2], in->operands[fused->addend]};
	PtxInstr fma = *in;
	fma.op = OP_FMA;
	fma.operands = operands;
	fma.noperands = 4;
	const uint32_t first = (uint32_t)L->ops.len;
	const uint8_t n = (uint8_t)ptx_type_bytes(t), bytes[5] = {n, n, n, n};
	if (!arithmetic(L, &fma, bytes, product_and_sum(t, in->mods & MOD_FTZ), 0)) return false;
	if (!fused->minus_product && !fused->minus_addend) return true;
	Op *op = &L->ops.data[first];
	const bool one = fused->minus_product != fused->minus_addend;
	if (one && (op->run == handler(H_fma_f32) || op->run == handler(H_fma_f64))) {
		const HandlerId product = t == T_F32 ? H_fnma_f32 : H_fnma_f64, addend = t == T_F32 ? H_fms_f32 : H_fms_f64;
		op->run = handler(fused->minus_product ? product : addend);
		return true;
	}
	VEC(Op) rest = {0};
	for (size_t k = first; k < L->ops.len; k++) vec_push(&rest, L->ops.data[k]);
	L->ops.len = first;
	const bool copies = rest.len > 3 && half_type(t); /* .ftz: the first three Ops copy the operands */
	if (fused->minus_product) rest.data[0].a = negative(L, t, &operands[1], copies ? 3 : 2);
	if (fused->minus_addend) *(copies ? &rest.data[2].a : &rest.data[0].c) = negative(L, t, &operands[3], 3);
	for (size_t k = 0; k < rest.len; k++) vec_push(&L->ops, rest.data[k]);
	vec_free(&rest);
	return true;
}

bool lower_arithmetic(Lower *L, const PtxInstr *in, const Match *match) {
	const Fused *fused = &L->fused[L->instr];
	if (fused->product) return fused_sum(L, in, fused);
	return arithmetic(L, in, match->row->bytes, match->row->kind, match->choice);
}

/* --- other operands ----------------------------------------------------------------------------------------------- */

bool lower_select(Lower *L, const PtxInstr *in, const Match *match) {
	Op *op = emit_operands(L, match->row->kind, in, match->row->bytes);
	if (op) op->flags = in->operands[3].negated ? OPF_NEGATED : 0;
	return op;
}

bool lower_predicates(Lower *L, const PtxInstr *in, const Match *match) {
	Op *op = emit_places(L, match->row->kind, in, match->row->operands);
	if (op) op->kind = (uint16_t)(in->operands[1].negated | (in->noperands > 2 && in->operands[2].negated ? 2 : 0));
	return op;
}

bool lower_carry(Lower *L, const PtxInstr *in, const Match *match) {
	Op *op = emit_places(L, H_carry, in, match->row->operands);
	if (!op) return false;
	if (L->carry == NO_SLOT) L->carry = frame_take(L, 4);
	op->extra[0] = L->carry;
	op->bytes = op->container;
	return true;
}

/* The product, then the sum. */
bool lower_mad24(Lower *L, const PtxInstr *in, const Match *match) {
	Op *product = emit_places(L, match->row->kind, in, match->row->operands);
	if (!product) return false;
	const uint32_t d = product->d, c = product->c;
	product->d = temp_slot(L, 0);
	product->c = NO_SLOT;
	emit_on(L, H_add_32, d, L->temp[0], c, NO_SLOT);
	return true;
}

bool lower_lop3(Lower *L, const PtxInstr *in, const Match *match) {
	uint64_t table;
	if (in->operands[0].has_pair || !constant_bits(L, &in->operands[4], &table)) return false;
	Op *op = emit_operands(L, H_lop3_32, in, (const uint8_t[5]){4, 4, 4, 4});
	if (op) op->imm = (int64_t)table;
	return op;
}

bool lower_register_limit(Lower *L, const PtxInstr *in, const Match *match) {
	uint64_t count;
	if (!constant_bits(L, &in->operands[0], &count)) return false;
	Op *op = emit(L, H_setmaxnreg);
	op->imm = (int64_t)count;
	op->kind = (uint16_t)match->choice;
	return true;
}

bool lower_bare(Lower *L, const PtxInstr *in, const Match *match) {
	return emit(L, match->row->kind) != NULL;
}
