/* Products that ptxas fuses into sums. PTX lets it make one FMA of `mul` and `add` or `sub` where both leave the
 * rounding open; NVVM has already fused most of them, but leaves c - a * b, for one. The rule here is read off the
 * SASS of ptxas 13.0 for sm_90 (docs/reference/exactness.md):
 *
 * - A product is fused only if everything that reads it is such a sum in the same basic block, with the same type and
 *   the same .ftz. Copies and `neg` in between do not count. A sum of a product with itself is none.
 * - An instruction that ptxas expands to several basic blocks, such as div.rn or a fence, ends the block here, too.
 * - A product with a constant factor may be in another block than the sums, also before a loop (movable.c).
 * - First come the products that are read once, then the others, both times in the order of the sums. Of two products
 *   that could be fused into one sum, the first operand is. The other one is then read by an FMA, and is itself no
 *   longer fused into sums that are still to come.
 *
 * The product is still computed: its register may be shown, and the counters are those of the PTX text. */
#include <stdlib.h>

#include "emu/lower/lower.h"

enum { ANY_PART = UINT32_MAX }; /* of a movable product */

typedef struct {
	uint32_t instr, part; /* the mul; the part of a block that it is in */
	uint32_t uses;        /* sums that read it */
	bool other;           /* something else reads it */
	bool fused;
	uint32_t a_at, b_at; /* how often the registers of its factors were written before */
} Product;

/* What a register holds at the instruction being read. */
typedef struct {
	uint32_t product; /* index + 1; 0: none of this block */
	bool negative;
	bool movable;    /* holds it in all blocks */
	uint32_t writes; /* so far, in the function */
} Held;

typedef struct {
	uint32_t instr;
	Held operand[2];
	bool done;
} Sum;

typedef struct {
	Lower *lower;
	Held *held;    /* by register */
	uint32_t part; /* of a block */
	VEC(Product) products;
	VEC(Sum) sums;
	VEC(uint32_t) holders; /* registers that held a product of this block */
} Contract;

static const PtxInstr *instr_at(const Contract *c, uint32_t i) {
	return &c->lower->ptx->instrs[i];
}

/* --- reading a block ---------------------------------------------------------------------------------------------- */

static Held held_by(const Contract *c, const PtxOperand *o) {
	return o->kind == OPERAND_REG ? c->held[o->reg] : (Held){0};
}

static void read_otherwise(void *data, uint32_t reg) {
	Contract *c = data;
	if (c->held[reg].product) c->products.data[c->held[reg].product - 1].other = true;
}

static void write_register(void *data, uint32_t reg) {
	Contract *c = data;
	if (!c->held[reg].movable) c->held[reg].product = 0;
	c->held[reg].writes++;
}

static void hold(Contract *c, uint32_t reg, uint32_t product, bool negative) {
	if (c->held[reg].movable) return;
	c->held[reg].product = product;
	c->held[reg].negative = negative;
	vec_push(&c->holders, reg);
}

/* Does ptxas make branches of it? */
static bool branches(const PtxInstr *in) {
	const PtxCost cost = ptx_op_cost(in->op);
	switch (in->op) {
	case OP_DIV:
	case OP_REM: return !(in->mods & (MOD_APPROX | MOD_FULL)) && in->types[0] != T_U32;
	case OP_RCP:
	case OP_SQRT: return in->round != ROUND_NONE;
	case OP_RSQRT: return in->types[0] == T_F64 && !(in->mods & MOD_FTZ);
	case OP_FENCE:
	case OP_MEMBAR:
	case OP_TRAP:
	case OP_BRKPT:
	case OP_CALL: return true;
	default: break;
	}
	return in->guarded && (cost == COST_MEMORY || cost == COST_ATOMIC || cost == COST_CONTROL || cost == COST_BARRIER);
}

/* The product has the same kind, and its factors are still in their registers. */
static bool fits(const Contract *c, const PtxInstr *sum, const Product *p) {
	const PtxInstr *mul = instr_at(c, p->instr);
	if (mul->types[0] != sum->types[0] || (mul->mods & MOD_FTZ) != (sum->mods & MOD_FTZ)) return false;
	if (p->part == ANY_PART) return true;
	return p->part == c->part && held_by(c, &mul->operands[1]).writes == p->a_at &&
		   held_by(c, &mul->operands[2]).writes == p->b_at;
}

static void read_sum(Contract *c, uint32_t i) {
	const PtxInstr *in = instr_at(c, i);
	const Sum s = {.instr = i, .operand = {held_by(c, &in->operands[1]), held_by(c, &in->operands[2])}};
	const bool twice = s.operand[0].product == s.operand[1].product;
	for (unsigned k = 0; k < 2; k++) {
		if (!s.operand[k].product) continue;
		Product *p = &c->products.data[s.operand[k].product - 1];
		p->uses++;
		if (twice || !fits(c, in, p)) p->other = true;
	}
	vec_push(&c->sums, s);
}

static void read_instruction(Contract *c, uint32_t i) {
	const PtxInstr *in = instr_at(c, i);
	const Held passed = passes_on(in) ? held_by(c, &in->operands[1]) : (Held){0};
	Product product = {.instr = i, .part = c->part};
	if (is_product(in)) {
		product.a_at = held_by(c, &in->operands[1]).writes;
		product.b_at = held_by(c, &in->operands[2]).writes;
	}
	if (branches(in)) c->part++;
	if (is_sum(in))
		read_sum(c, i);
	else if (!passed.product)
		ptx_each_read(in, read_otherwise, c);
	if (in->guarded) ptx_each_written(in, read_otherwise, c); /* other lanes keep what was there */
	ptx_each_written(in, write_register, c);
	if (is_product(in) && !c->held[in->operands[0].reg].movable) {
		vec_push(&c->products, product);
		hold(c, in->operands[0].reg, (uint32_t)c->products.len, false);
	} else if (passed.product) {
		hold(c, in->operands[0].reg, passed.product, passed.negative != (in->op == OP_NEG));
	}
}

static void leave_block(Contract *c, uint32_t block) {
	const PtxCfg *cfg = c->lower->cfg;
	const uint64_t *live = cfg->live_out + (size_t)block * cfg->live_words;
	for (size_t k = 0; k < c->holders.len; k++) {
		const uint32_t reg = c->holders.data[k];
		if (live[reg / 64] >> reg % 64 & 1) read_otherwise(c, reg);
		c->held[reg].product = 0;
	}
	c->holders.len = 0;
	c->part++;
}

/* --- choosing ----------------------------------------------------------------------------------------------------- */

static bool fuse(Contract *c, Sum *s, unsigned k, bool once) {
	const Held h = s->operand[k], addend = s->operand[!k];
	if (!h.product) return false;
	Product *p = &c->products.data[h.product - 1];
	if (p->other || (once && p->uses != 1)) return false;
	p->fused = true;
	if (addend.product) c->products.data[addend.product - 1].other = true;
	const bool minus = instr_at(c, s->instr)->op == OP_SUB;
	c->lower->fused[s->instr] = (Fused){.product = p->instr + 1,
										.addend = (uint8_t)(2 - k),
										.minus_product = h.negative != (minus && k == 1),
										.minus_addend = minus && k == 0};
	return true;
}

static void choose(Contract *c, bool once) {
	for (size_t i = 0; i < c->sums.len; i++) {
		Sum *s = &c->sums.data[i];
		if (!s->done) s->done = fuse(c, s, 0, once) || fuse(c, s, 1, once);
	}
}

/* --- products of all blocks --------------------------------------------------------------------------------------- */

static void hold_movable(Contract *c, const Movable *movable) {
	const PtxFunction *f = c->lower->ptx;
	for (uint32_t r = 0; r < f->nregs; r++) {
		if (!movable[r].mul) continue;
		const uint32_t first = instr_at(c, movable[r].mul - 1)->operands[0].reg;
		Held *of = &c->held[first];
		if (!of->movable) {
			vec_push(&c->products, ((Product){.instr = movable[r].mul - 1, .part = ANY_PART}));
			*of = (Held){.product = (uint32_t)c->products.len, .movable = true};
		}
		c->held[r] = (Held){.product = of->product, .negative = movable[r].negative, .movable = true};
	}
}

/* The factors of those that are fused keep their registers as long as the product does. */
static void keep_factors(Contract *c) {
	for (uint32_t r = 0; r < c->lower->ptx->nregs; r++) {
		const Held *h = &c->held[r];
		if (!h->movable || !c->products.data[h->product - 1].fused) continue;
		const PtxInstr *mul = instr_at(c, c->products.data[h->product - 1].instr);
		for (unsigned k = 1; k < 3; k++)
			if (mul->operands[k].kind == OPERAND_REG)
				vec_push(&c->lower->kept, ((Kept){.reg = mul->operands[k].reg, .with = r}));
	}
}

void contract_products(Lower *L) {
	Contract c = {.lower = L, .held = xcalloc(L->ptx->nregs + 1, sizeof *c.held)};
	AUTO_FREE Movable *movable = find_movable(L);
	hold_movable(&c, movable);
	for (uint32_t b = 0; b < L->cfg->nblocks; b++) {
		for (uint32_t i = L->cfg->blocks[b].first; i < L->cfg->blocks[b].end; i++) read_instruction(&c, i);
		leave_block(&c, b);
	}
	choose(&c, true);
	choose(&c, false);
	keep_factors(&c);
	vec_free(&c.products);
	vec_free(&c.sums);
	vec_free(&c.holders);
	free(c.held);
}
