/* value_uses.h: passes over the function. */
#include "ptx/analysis/value_uses.h"

#include <stdlib.h>

#include "base/arena.h"
#include "ptx/analysis/cfg.h"

static ValueUse more(ValueUse a, ValueUse b) {
	if (a == VALUE_USED || b == VALUE_USED) return VALUE_USED;
	return a == VALUE_SELECTED || b == VALUE_SELECTED ? VALUE_SELECTED : VALUE_IGNORED;
}

typedef struct {
	const PtxFunction *f;
	const PtxInstr *in;
	uint8_t *uses; /* [nregs] ValueUse */
} Uses;

static void note_use(void *data, uint32_t reg) {
	Uses *u = data;
	const bool selects = u->in->op == OP_SELP && u->f->regs[reg].type != T_PRED;
	u->uses[reg] = (uint8_t)more(u->uses[reg], selects ? VALUE_SELECTED : VALUE_USED);
}

static uint8_t *uses_of_registers(const PtxFunction *f) {
	Uses u = {.f = f, .uses = xcalloc(f->nregs + 1, 1)};
	for (uint32_t r = 0; r < f->nregs; r++) u.uses[r] = VALUE_IGNORED;
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		u.in = &f->instrs[i];
		ptx_each_read(u.in, note_use, &u);
	}
	return u.uses;
}

static ValueUse use_of_result(const uint8_t *uses, const PtxInstr *in) {
	if (!in->noperands) return VALUE_USED;
	const PtxOperand *to = &in->operands[0];
	if (to->kind == OPERAND_SINK) return VALUE_IGNORED;
	if (to->kind == OPERAND_REG) return uses[to->reg];
	ValueUse use = VALUE_IGNORED;
	for (uint32_t i = 0; to->kind == OPERAND_VECTOR && i < to->nitems; i++)
		if (to->items[i].kind == OPERAND_REG) use = more(use, uses[to->items[i].reg]);
	return to->kind == OPERAND_VECTOR ? use : VALUE_USED;
}

ValueUse value_use(const PtxFunction *f, const PtxInstr *in) {
	AUTO_FREE uint8_t *uses = uses_of_registers(f);
	return use_of_result(uses, in);
}

/* --- speculative values ------------------------------------------------------------------------------------------- */

typedef struct {
	uint32_t *numbers; /* [nregs] */
	uint32_t n;
	bool reads_one;
} Found;

static void number(void *data, uint32_t reg) {
	Found *found = data;
	if (!found->numbers[reg]) found->numbers[reg] = ++found->n;
}

static void look(void *data, uint32_t reg) {
	Found *found = data;
	found->reads_one |= found->numbers[reg] != 0;
}

/* What is selected or moved from one is one, too, until no more are found. */
static void follow(const PtxFunction *f, Found *found) {
	for (uint32_t before = 0; before < found->n;) {
		before = found->n;
		for (uint32_t i = 0; i < f->ninstrs; i++) {
			const PtxInstr *in = &f->instrs[i];
			if (in->op != OP_SELP && in->op != OP_MOV) continue;
			found->reads_one = false;
			ptx_each_read(in, look, found);
			if (found->reads_one) ptx_each_written(in, number, found);
		}
	}
}

static bool has_loads(const PtxFunction *f) {
	for (uint32_t i = 0; i < f->ninstrs; i++)
		if (f->instrs[i].op == OP_LD && f->instrs[i].space != SPACE_PARAM) return true;
	return false;
}

uint32_t *ptx_speculative(const PtxFunction *f, uint32_t *count) {
	*count = 0;
	if (!has_loads(f)) return NULL;
	AUTO_FREE uint8_t *uses = uses_of_registers(f);
	Found found = {.numbers = xcalloc(f->nregs + 1, sizeof *found.numbers)};
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		if (in->op == OP_LD && in->space != SPACE_PARAM && in->space != SPACE_CONST &&
			use_of_result(uses, in) == VALUE_SELECTED)
			ptx_each_written(in, number, &found);
	}
	follow(f, &found);
	*count = found.n;
	if (found.n) return found.numbers;
	free(found.numbers);
	return NULL;
}
