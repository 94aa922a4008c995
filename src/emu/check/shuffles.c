/* shuffles.h */
#include "emu/check/shuffles.h"

#include <stdlib.h>

#include "base/arena.h"
#include "gpu/lanes.h"

/* --- the code ----------------------------------------------------------------------------------------------------- */

typedef struct {
	const PtxFunction *f;
	uint8_t *made; /* [nregs] by shuffles */
	uint32_t reg;
	bool found, changed;
} Search;

static void look_for(void *data, uint32_t reg) {
	Search *s = data;
	s->found |= reg == s->reg;
}

static void look_for_made(void *data, uint32_t reg) {
	Search *s = data;
	s->found |= s->made[reg];
}

static void make(void *data, uint32_t reg) {
	Search *s = data;
	if (s->made[reg] || s->f->regs[reg].type == T_PRED) return;
	s->made[reg] = 1;
	s->changed = true;
}

static bool reads(const PtxFunction *f, const PtxInstr *in, uint32_t reg) {
	Search s = {.f = f, .reg = reg};
	ptx_each_read(in, look_for, &s);
	return s.found;
}

static bool leaves(const PtxFunction *f, uint32_t from, uint32_t to) {
	if (to < from) return true;
	for (uint32_t i = from; i < to; i++)
		if (f->instrs[i].op == OP_BRA || f->instrs[i].op == OP_BRX) return true;
	for (uint32_t i = 0; i < f->nlabels; i++)
		if (f->labels[i].at > from && f->labels[i].at <= to) return true;
	return false;
}

/* Only where a condition holds: it is selected, read by a guarded instruction, or behind a branch. Of what is computed
 * from it (deep), only the selection counts. */
static bool is_conditional(const PtxFunction *f, uint32_t from, uint32_t reg, bool deep) {
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		if (!reads(f, in, reg)) continue;
		if (in->op == OP_SELP || (!deep && (in->guarded || leaves(f, from, i)))) return true;
		const bool computes = !deep && in->noperands && in->operands[0].kind == OPERAND_REG && in->op != OP_SHFL;
		if (computes && is_conditional(f, i, in->operands[0].reg, true)) return true;
	}
	return false;
}

static bool is_read(const PtxFunction *f, uint32_t reg) {
	for (uint32_t i = 0; i < f->ninstrs; i++)
		if (reads(f, &f->instrs[i], reg)) return true;
	return false;
}

/* The pair says whether the source is in range: who asks for it decides by it. */
static bool is_direct(const PtxFunction *f, uint32_t i) {
	const PtxInstr *in = &f->instrs[i];
	const PtxOperand *to = in->noperands ? &in->operands[0] : NULL;
	return in->op == OP_SHFL && to->kind == OPERAND_REG && !(to->has_pair && is_read(f, to->pair)) &&
		   !is_conditional(f, i, to->reg, false);
}

static bool stores_made(const PtxInstr *in, const uint8_t *made) {
	if (in->op != OP_ST && in->op != OP_ATOM && in->op != OP_RED) return false;
	for (uint32_t o = in->op == OP_ATOM; o < in->noperands; o++) {
		const PtxOperand *x = &in->operands[o];
		if (x->kind == OPERAND_REG && made[x->reg]) return true;
		for (uint32_t k = 0; x->kind == OPERAND_VECTOR && k < x->nitems; k++)
			if (x->items[k].kind == OPERAND_REG && made[x->items[k].reg]) return true;
	}
	return false;
}

static bool computes(PtxOp op) {
	return op != OP_LD && op != OP_ATOM && op != OP_CALL && op != OP_ST && op != OP_RED;
}

static bool look_at_function(const PtxFunction *f, uint8_t *direct, uint8_t *stores) {
	AUTO_FREE uint8_t *made = xcalloc(f->nregs + 1, 1);
	Search s = {.f = f, .made = made};
	bool any = false;
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		direct[i] = is_direct(f, i);
		if (direct[i]) made[f->instrs[i].operands[0].reg] = 1;
		any |= direct[i];
	}
	for (s.changed = any; s.changed;) {
		s.changed = false;
		for (uint32_t i = 0; i < f->ninstrs; i++) {
			s.found = false;
			if (computes(f->instrs[i].op)) ptx_each_read(&f->instrs[i], look_for_made, &s);
			if (s.found) ptx_each_written(&f->instrs[i], make, &s);
		}
	}
	for (uint32_t i = 0; any && i < f->ninstrs; i++) stores[i] = stores_made(&f->instrs[i], made);
	return any;
}

Shuffles shuffles_of(const LaunchInfo *info) {
	Shuffles s = {false, xcalloc(info->ninstrs + 1, 1), xcalloc(info->ninstrs + 1, 1)};
	for (uint32_t i = 0; i < info->nfunctions; i++)
		s.any |= look_at_function(info->functions[i], s.direct + info->first[i], s.stores + info->first[i]);
	return s;
}

void shuffles_free(Shuffles *s) {
	free(s->direct);
	free(s->stores);
	*s = (Shuffles){0};
}

/* --- a warp ------------------------------------------------------------------------------------------------------- */

static uint32_t distance_of(const WarpSync *y) {
	uint32_t most = 0;
	FOR_LANES(l, y->mask) {
		const uint32_t d = y->source[l] > l ? y->source[l] - l : l - y->source[l];
		if (d > most) most = d;
	}
	return most;
}

void shuffle_note(const Shuffles *s, ShuffledWarp *w, const WarpSync *y, const PtxInstr *in) {
	if (!s->direct[y->instr]) return;
	const uint32_t distance = distance_of(y);
	uint32_t undefined = 0;
	const int direction = !w->distance ? 0 : (distance > w->distance) - (distance < w->distance);
	const bool goes_on = y->instr >= w->instr && direction && (!w->direction || direction == w->direction);
	if (!goes_on) w->undefined = 0;
	w->direction = goes_on ? direction : 0;
	w->instr = y->instr;
	w->distance = distance;
	FOR_LANES(l, y->mask) {
		const uint32_t from = y->source[l];
		const bool inactive = !(y->mask >> from & 1), unnamed = !(y->member[l] >> from & 1);
		if (from == l) continue;
		if (inactive || unnamed || w->undefined >> from & 1) undefined |= 1u << l;
		if ((inactive || unnamed) && !w->undefined && !(undefined & (undefined - 1)))
			w->first_instr = y->instr, w->lane = l, w->source = from, w->member = y->member[l], w->inactive = inactive;
	}
	w->undefined = in->shuffle == SHFL_IDX ? (w->undefined & ~y->mask) | undefined : w->undefined | undefined;
}
