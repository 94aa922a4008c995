/* early_use.h. Forward data flow: a register that a product writes is in flight; its age is how many groups were
 * committed since. wgmma.wait_group N ends the flight of those older than N. Where paths join, the younger counts. */
#include "emu/check/early_use.h"

#include <string.h>

#include "base/arena.h"

enum { LANDED = 255, OLDEST = 100 };

typedef struct {
	const LaunchInfo *info;
	const PtxFunction *f;
	uint8_t *ages;      /* [block][reg]: where the block begins */
	uint8_t *now;       /* [reg] */
	uint32_t *products; /* [reg]: the last to write it, in the order of the text */
	uint32_t instr;
	EarlyUses *uses; /* NULL: not yet */
} Flight;

static void take_off(void *data, uint32_t reg) {
	Flight *x = data;
	x->now[reg] = 0;
	x->products[reg] = x->instr;
}

static void land(void *data, uint32_t reg) {
	((Flight *)data)->now[reg] = LANDED;
}

static void look(void *data, uint32_t reg) {
	const Flight *x = data;
	if (x->now[reg] == LANDED) return;
	const EarlyUse use = {x->instr, x->products[reg]};
	if (x->uses->len && vec_last(x->uses).instr == x->instr) return;
	vec_push(x->uses, use);
}

static void commit(Flight *x) {
	for (uint32_t r = 0; r < x->f->nregs; r++)
		if (x->now[r] < OLDEST) x->now[r]++;
}

static void wait(Flight *x, const PtxInstr *in) {
	const uint64_t keep = in->noperands && in->operands[0].kind == OPERAND_INT ? in->operands[0].bits : 0;
	for (uint32_t r = 0; r < x->f->nregs; r++)
		if (x->now[r] != LANDED && x->now[r] > keep) x->now[r] = LANDED;
}

static bool copies(const PtxInstr *in) {
	return in->op == OP_MOV && in->noperands == 2 && in->operands[0].kind == OPERAND_REG &&
		   in->operands[1].kind == OPERAND_REG;
}

static void step(Flight *x, const PtxInstr *in) {
	const bool wgmma = in->op == OP_WGMMA;
	if (wgmma && in->shape) {
		ptx_each_written(in, take_off, x);
	} else if (wgmma && in->mods & MOD_COMMIT) {
		commit(x);
	} else if (wgmma && in->mods & MOD_WAIT) {
		wait(x, in);
	} else if (copies(in)) {
		const uint32_t to = in->operands[0].reg, from = in->operands[1].reg;
		x->now[to] = in->guarded && x->now[to] < x->now[from] ? x->now[to] : x->now[from];
		x->products[to] = x->products[from];
	} else {
		if (x->uses) ptx_each_read(in, look, x);
		if (!in->guarded) ptx_each_written(in, land, x);
	}
}

static void through(Flight *x, uint32_t block) {
	const PtxBlock *b = &x->info->cfg->blocks[block];
	memcpy(x->now, x->ages + (size_t)block * x->f->nregs, x->f->nregs);
	for (x->instr = b->first; x->instr < b->end; x->instr++) step(x, &x->f->instrs[x->instr]);
}

/* True: where a successor begins changed. */
static bool pass_on(Flight *x, uint32_t block) {
	const PtxBlock *b = &x->info->cfg->blocks[block];
	bool changed = false;
	for (uint32_t k = 0; k < b->nsucc; k++) {
		uint8_t *to = x->ages + (size_t)b->succ[k] * x->f->nregs;
		for (uint32_t r = 0; r < x->f->nregs; r++) {
			changed |= x->now[r] < to[r];
			to[r] = x->now[r] < to[r] ? x->now[r] : to[r];
		}
	}
	return changed;
}

static bool has_products(const PtxFunction *f) {
	for (uint32_t i = 0; i < f->ninstrs; i++)
		if (f->instrs[i].op == OP_WGMMA) return true;
	return false;
}

EarlyUses early_uses(const LaunchInfo *info) {
	EarlyUses uses = {0};
	Flight x = {.info = info, .f = info->functions[0]};
	const size_t nregs = x.f->nregs, nblocks = info->cfg->nblocks;
	if (!has_products(x.f)) return uses;
	AUTO_ARENA Arena *arena = arena_new();
	x.ages = arena_array(arena, nblocks, nregs);
	x.now = arena_alloc(arena, nregs);
	x.products = arena_array(arena, nregs, sizeof *x.products);
	memset(x.ages, LANDED, nblocks * nregs);
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t b = 0; b < nblocks; b++) {
			through(&x, b);
			changed |= pass_on(&x, b);
		}
	}
	x.uses = &uses;
	for (uint32_t b = 0; b < nblocks; b++) through(&x, b);
	return uses;
}
