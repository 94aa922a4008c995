/* Products that may be fused into the sums of any block (contract.c): those with a constant factor, which needs no
 * register in SASS. That is a literal, a parameter, __constant__ memory at a fixed address, or the negative or the
 * absolute value of one.
 *
 * The emulator reads the factors from their registers again where the sum is. So the product's register is written
 * once, before it is read, and the factors' are not written while the product is needed. */
#include <stdlib.h>

#include "emu/lower/lower.h"

/* --- products and sums -------------------------------------------------------------------------------------------- */

static bool rounds_freely(const PtxInstr *in) {
	const PtxType t = in->types[0];
	const bool real = t == T_F32 || t == T_F64 || t == T_F16 || t == T_F16X2 || t == T_BF16 || t == T_BF16X2;
	return real && in->round == ROUND_NONE && !in->unknown && in->noperands == 3;
}

bool is_product(const PtxInstr *in) {
	return in->op == OP_MUL && rounds_freely(in) && !(in->mods & ~MOD_FTZ) && !in->guarded &&
		   in->operands[0].kind == OPERAND_REG;
}

bool is_sum(const PtxInstr *in) {
	return (in->op == OP_ADD || in->op == OP_SUB) && rounds_freely(in) && !(in->mods & ~(MOD_FTZ | MOD_SAT));
}

bool passes_on(const PtxInstr *in) {
	const bool neg = in->op == OP_NEG && type_float(in->types[0]) && !(in->mods & MOD_FTZ);
	return (in->op == OP_MOV || neg) && !in->guarded && in->noperands == 2 && in->operands[0].kind == OPERAND_REG &&
		   in->operands[1].kind == OPERAND_REG;
}

/* --- constants ---------------------------------------------------------------------------------------------------- */

typedef struct {
	const Lower *lower;
	uint8_t *writes; /* by register: 0, 1, more */
	bool *constant;  /* by register */
	Movable *movable;
} Search;

static void count_write(void *data, uint32_t reg) {
	Search *s = data;
	if (s->writes[reg] < 2) s->writes[reg]++;
}

static bool is_constant(const Search *s, const PtxOperand *o) {
	return o->kind == OPERAND_REG ? s->constant[o->reg] : o->kind == OPERAND_INT || o->kind == OPERAND_FLOAT;
}

static bool in_constant_bank(const Search *s, const PtxInstr *in) {
	const PtxOperand *a = &in->operands[1];
	if (in->noperands != 2 || a->kind != OPERAND_ADDRESS || in->sem == SEM_VOLATILE) return false;
	if (a->has_base && s->lower->constant[a->reg].kind != FILL_BITS) return false;
	if (a->has_base && !s->lower->constant[a->reg].container) return false;
	return in->space == SPACE_CONST || (in->space == SPACE_PARAM && s->lower->ptx->entry);
}

static bool gives_constant(const Search *s, const PtxInstr *in) {
	if (in->guarded || !in->noperands) return false;
	switch (in->op) {
	case OP_MOV:
	case OP_NEG:
	case OP_ABS: return in->noperands == 2 && is_constant(s, &in->operands[1]);
	case OP_LD: return in_constant_bank(s, in);
	default: return false;
	}
}

static void is_written_by_it(void *data, uint32_t reg) {
	Search *s = data;
	if (s->writes[reg] == 1) s->constant[reg] = true;
}

static bool live(const uint64_t *set, uint32_t reg) {
	return set[reg / 64] >> reg % 64 & 1;
}

/* One write, before all reads. */
static bool has_one_value(const Search *s, uint32_t reg) {
	return s->writes[reg] == 1 && !live(s->lower->cfg->live_in, reg);
}

static void find_products(Search *s) {
	for (uint32_t i = 0; i < s->lower->ptx->ninstrs; i++) {
		const PtxInstr *in = &s->lower->ptx->instrs[i];
		if (!is_product(in) || !has_one_value(s, in->operands[0].reg)) continue;
		if (is_constant(s, &in->operands[1]) || is_constant(s, &in->operands[2]))
			s->movable[in->operands[0].reg].mul = i + 1;
	}
}

/* Copies and negatives, of each other, too. */
static void find_copies(Search *s) {
	for (bool more = true; more;) {
		more = false;
		for (uint32_t i = 0; i < s->lower->ptx->ninstrs; i++) {
			const PtxInstr *in = &s->lower->ptx->instrs[i];
			if (!passes_on(in) || !has_one_value(s, in->operands[0].reg)) continue;
			const Movable *from = &s->movable[in->operands[1].reg];
			Movable *to = &s->movable[in->operands[0].reg];
			if (!from->mul || to->mul) continue;
			*to = (Movable){from->mul, from->negative != (in->op == OP_NEG)};
			more = true;
		}
	}
}

static bool is_needed_after(const Search *s, uint32_t reg, uint32_t instr) {
	const PtxCfg *cfg = s->lower->cfg;
	const uint32_t block = cfg->block_of[instr];
	for (uint32_t i = instr + 1; i < cfg->blocks[block].end; i++) {
		if (ptx_reads(&s->lower->ptx->instrs[i], reg)) return true;
		if (ptx_writes(&s->lower->ptx->instrs[i], reg)) return false;
	}
	return live(cfg->live_out + (size_t)block * cfg->live_words, reg);
}

static bool keeps_factor(const Search *s, const PtxOperand *factor, uint32_t holder) {
	if (factor->kind != OPERAND_REG || s->writes[factor->reg] == 1) return true;
	for (uint32_t i = 0; i < s->lower->ptx->ninstrs; i++)
		if (ptx_writes(&s->lower->ptx->instrs[i], factor->reg) && is_needed_after(s, holder, i)) return false;
	return true;
}

/* Products whose factors do not keep their registers stay where they are. */
static void drop_overwritten(Search *s) {
	const uint32_t nregs = s->lower->ptx->nregs;
	AUTO_FREE bool *dropped = xcalloc(s->lower->ptx->ninstrs + 1, sizeof *dropped); /* by mul + 1 */
	for (uint32_t r = 0; r < nregs; r++) {
		const uint32_t mul = s->movable[r].mul;
		const PtxOperand *operands = mul ? s->lower->ptx->instrs[mul - 1].operands : NULL;
		if (mul && !(keeps_factor(s, &operands[1], r) && keeps_factor(s, &operands[2], r))) dropped[mul] = true;
	}
	for (uint32_t r = 0; r < nregs; r++)
		if (dropped[s->movable[r].mul]) s->movable[r].mul = 0;
}

Movable *find_movable(const Lower *L) {
	const PtxFunction *f = L->ptx;
	Search s = {.lower = L,
				.writes = xcalloc(f->nregs + 1, sizeof *s.writes),
				.constant = xcalloc(f->nregs + 1, sizeof *s.constant),
				.movable = xcalloc(f->nregs + 1, sizeof *s.movable)};
	for (uint32_t i = 0; i < f->ninstrs; i++) ptx_each_written(&f->instrs[i], count_write, &s);
	for (uint32_t i = 0; i < f->ninstrs; i++)
		if (gives_constant(&s, &f->instrs[i])) ptx_each_written(&f->instrs[i], is_written_by_it, &s);
	find_products(&s);
	find_copies(&s);
	drop_overwritten(&s);
	free(s.writes);
	free(s.constant);
	return s.movable;
}
