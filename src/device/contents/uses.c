/* uses.h: a taint analysis without control flow. Every register carries the set of parameters whose value it may
 * contain; the sets only grow; the analysis iterates to a fixed point. An address made from a parameter's set uses
 * those parameters. A value loaded from memory carries nothing: a pointer that went through memory was marked when it
 * was stored. */
#include "device/contents/uses.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { MAX_TRACKED = 64 }; /* bits in a set; kernels with more parameters are taken to use them all */

typedef struct {
	const PtxFunction *f;
	uint64_t *sets; /* by register */
	uint64_t reads, writes;
	bool changed;
} Walk;

static void grow(Walk *w, uint64_t *set, uint64_t by) {
	if ((*set | by) == *set) return;
	*set |= by;
	w->changed = true;
}

static uint64_t all_params(const Walk *w) {
	return w->f->nparams >= 64 ? UINT64_MAX : (UINT64_C(1) << w->f->nparams) - 1;
}

/* The parameter a ld.param reads. */
static uint64_t param_of(const Walk *w, const PtxOperand *address) {
	if (address->kind != OPERAND_ADDRESS || address->has_base || !address->symbol) return all_params(w);
	for (uint32_t i = 0; i < w->f->nparams; i++)
		if (w->f->params[i] == address->symbol) return UINT64_C(1) << i;
	return 0; /* a variable of a call sequence */
}

/* Parameters in the value of an operand. The address of one parameter reaches all: parameters are adjacent in
 * memory. */
static uint64_t set_of(const Walk *w, const PtxOperand *o) {
	uint64_t set = 0;
	if (o->kind == OPERAND_REG || (o->kind == OPERAND_ADDRESS && o->has_base)) set |= w->sets[o->reg];
	for (uint32_t i = 0; i < o->nitems; i++) set |= set_of(w, &o->items[i]);
	return set;
}

static bool takes_param_address(const Walk *w, const PtxOperand *o) {
	for (uint32_t i = 0; i < w->f->nparams; i++)
		if (o->symbol == w->f->params[i]) return true;
	return false;
}

static void assign(Walk *w, const PtxOperand *o, uint64_t set) {
	if (o->kind == OPERAND_REG) {
		grow(w, &w->sets[o->reg], set);
		if (o->has_pair) grow(w, &w->sets[o->pair], set);
	}
	for (uint32_t i = 0; i < o->nitems; i++) assign(w, &o->items[i], set);
}

/* Only the object matters: coordinates are numbers, and what is read carries nothing. */
static bool walk_texture(Walk *w, const PtxInstr *in) {
	switch (in->op) {
	case OP_TEX:
	case OP_TLD4:
	case OP_TXQ:
	case OP_SUQ:
	case OP_SULD:
	case OP_SUST:
	case OP_SURED: break;
	default: return false;
	}
	for (uint32_t i = 0; i < in->noperands; i++) {
		const PtxOperand *o = &in->operands[i];
		if (o->kind != OPERAND_ADDRESS || !o->has_base) continue;
		if (in->op != OP_SUST) grow(w, &w->reads, w->sets[o->reg]);
		if (in->op == OP_SUST || in->op == OP_SURED) grow(w, &w->writes, w->sets[o->reg]);
	}
	return true;
}

static void walk_memory(Walk *w, const PtxInstr *in) {
	if (walk_texture(w, in)) return;
	uint64_t address = 0, data = 0;
	for (uint32_t i = 0; i < in->noperands; i++)
		if (in->operands[i].kind == OPERAND_ADDRESS)
			address |= set_of(w, &in->operands[i]);
		else
			data |= set_of(w, &in->operands[i]);
	switch (in->op) {
	case OP_LD:
	case OP_LDU:
		if (in->space == SPACE_PARAM && in->noperands == 2)
			assign(w, &in->operands[0], param_of(w, &in->operands[1]));
		else
			grow(w, &w->reads, address);
		return;
	case OP_ST:
		grow(w, &w->writes, address | data); /* data: a pointer that goes to memory can be used from there */
		grow(w, &w->reads, data);
		return;
	case OP_ATOM:
		data = 0; /* the destination is among the operands; a stored pointer is its own parameter's affair */
		for (uint32_t i = 1; i < in->noperands; i++)
			if (in->operands[i].kind != OPERAND_ADDRESS) data |= set_of(w, &in->operands[i]);
		break;
	default: break;
	}
	grow(w, &w->reads, address | data);
	grow(w, &w->writes, address | data);
}

static void walk_instr(Walk *w, const PtxInstr *in) {
	bool memory = false;
	uint64_t sources = 0;
	for (uint32_t i = 0; i < in->noperands; i++) {
		const PtxOperand *o = &in->operands[i];
		if (o->kind == OPERAND_ADDRESS && in->op != OP_MOV && in->op != OP_CVTA) memory = true;
		if (i > 0) sources |= set_of(w, o);
		if ((in->op == OP_MOV || in->op == OP_CVTA) && o->symbol && takes_param_address(w, o)) {
			grow(w, &w->reads, all_params(w));
			grow(w, &w->writes, all_params(w));
		}
	}
	if (memory) {
		walk_memory(w, in);
	} else if (in->op == OP_CALL || in->op == OP_UNKNOWN) {
		if (in->noperands > 0) sources |= set_of(w, &in->operands[0]);
		grow(w, &w->reads, sources);
		grow(w, &w->writes, sources);
	} else if (in->noperands > 0) {
		assign(w, &in->operands[0], sources);
	}
}

void kernel_uses(const PtxFunction *kernel, uint8_t *uses) {
	if (kernel->nparams > MAX_TRACKED) {
		memset(uses, USE_READ | USE_WRITE, kernel->nparams);
		return;
	}
	Walk w = {.f = kernel, .sets = xcalloc(kernel->nregs, sizeof *w.sets)};
	do {
		w.changed = false;
		for (uint32_t i = 0; i < kernel->ninstrs; i++) walk_instr(&w, &kernel->instrs[i]);
	} while (w.changed);
	for (uint32_t i = 0; i < kernel->nparams; i++)
		uses[i] = (uint8_t)((w.reads >> i & 1 ? USE_READ : 0) | (w.writes >> i & 1 ? USE_WRITE : 0));
	free(w.sets);
}
