/* origin.h */
#include "emu/code/origin.h"

#include <string.h>

#include "base/arena.h"

static Origin either(Origin a, Origin b) {
	if (a.kind == ORIGIN_NEVER) return b;
	if (b.kind == ORIGIN_NEVER) return a;
	if (a.kind == b.kind && (a.kind != ORIGIN_KNOWN || (a.space == b.space && a.low == b.low && a.high == b.high)))
		return a;
	return (Origin){.kind = ORIGIN_UNKNOWN};
}

static Origin sum(Origin a, Origin b) {
	if (a.kind == ORIGIN_NEVER || b.kind == ORIGIN_NEVER) return (Origin){.kind = ORIGIN_NEVER};
	if (a.kind == ORIGIN_NUMBER) return b;
	if (b.kind == ORIGIN_NUMBER) return a;
	return (Origin){.kind = ORIGIN_UNKNOWN};
}

static Origin of_symbol(const LaunchInfo *info, const PtxVar *v) {
	const Origin unknown = {.kind = ORIGIN_UNKNOWN};
	if (v->space != SPACE_SHARED) return unknown;
	const uint64_t low = v->owner ? info->function_shared[v->owner->index] + v->offset : info->global_shared[v->index];
	if (low == UINT64_MAX) return unknown;
	return (Origin){.kind = ORIGIN_KNOWN,
					.space = SPACE_SHARED,
					.low = low,
					.high = v->bytes ? low + v->bytes : info->shared_bytes};
}

/* Only variables of the kernel itself: what a call in it returns is a variable of this space, too. */
static bool is_parameter(const PtxFunction *kernel, const PtxVar *v) {
	return v && v->owner == kernel && v->index < kernel->nparams && kernel->params[v->index] == v;
}

static Origin of_parameter(const LaunchInfo *info, const PtxInstr *in, const PtxOperand *from) {
	const Origin number = {.kind = ORIGIN_NUMBER};
	const PtxFunction *kernel = info->functions[0];
	if (from->kind != OPERAND_ADDRESS || from->has_base || !is_parameter(kernel, from->symbol)) return number;
	if (ptx_type_bytes(in->types[0]) != 8 || in->vector > 1 || !info->params) return number;
	const uint64_t at = from->symbol->offset + (uint64_t)from->offset;
	uint64_t value;
	if (at > kernel->param_bytes || kernel->param_bytes - at < 8) return number;
	memcpy(&value, info->params + at, 8);
	const Allocation *a = memory_find(info->memory, value);
	if (!a || memory_is_hidden(a)) return number;
	return (Origin){.kind = ORIGIN_KNOWN, .space = SPACE_GLOBAL, .low = a->base, .high = a->base + a->bytes};
}

static Origin of_operand(const LaunchInfo *info, const Origin *regs, const PtxOperand *o) {
	switch (o->kind) {
	case OPERAND_REG: return regs[o->reg];
	case OPERAND_SYMBOL: return of_symbol(info, o->symbol);
	case OPERAND_INT:
	case OPERAND_FLOAT:
	case OPERAND_SPECIAL: return (Origin){.kind = ORIGIN_NUMBER};
	default: return (Origin){.kind = ORIGIN_UNKNOWN};
	}
}

/* What an instruction leaves in its destination. */
static Origin result(const LaunchInfo *info, const Origin *regs, const PtxInstr *in) {
	const PtxOperand *o = in->operands;
	const Origin number = {.kind = ORIGIN_NUMBER};
	switch (in->op) {
	case OP_MOV:
	case OP_CVTA:
	case OP_MAPA:
	case OP_CVT: return in->noperands > 1 ? of_operand(info, regs, &o[1]) : number;
	case OP_ADD:
	case OP_SUB:
	case OP_AND:
	case OP_OR:
	case OP_XOR:
		if (in->noperands < 3) return number;
		return sum(of_operand(info, regs, &o[1]), of_operand(info, regs, &o[2]));
	case OP_MAD:
		if (in->noperands < 4) return number;
		return sum(sum(of_operand(info, regs, &o[1]), of_operand(info, regs, &o[2])), of_operand(info, regs, &o[3]));
	case OP_SELP:
		if (in->noperands < 3) return number;
		return either(of_operand(info, regs, &o[1]), of_operand(info, regs, &o[2]));
	case OP_LD:
		if (in->space == SPACE_PARAM && in->noperands > 1) return of_parameter(info, in, &o[1]);
		return number;
	default: return number;
	}
}

typedef struct {
	Origin *regs;
	Origin now;
	bool changed;
} Update;

static void update(void *data, uint32_t reg) {
	Update *u = data;
	const Origin joined = either(u->regs[reg], u->now);
	u->changed |= joined.kind != u->regs[reg].kind;
	u->regs[reg] = joined;
}

/* Kinds only grow, so this ends. */
static void settle(const LaunchInfo *info, const PtxFunction *f, Origin *regs) {
	Update u = {.regs = regs, .changed = true};
	while (u.changed) {
		u.changed = false;
		for (uint32_t i = 0; i < f->ninstrs; i++) {
			u.now = result(info, regs, &f->instrs[i]);
			ptx_each_written(&f->instrs[i], update, &u);
		}
	}
}

static const PtxOperand *address_of(const PtxInstr *in) {
	switch (in->op) {
	case OP_LD:
	case OP_ST:
	case OP_ATOM:
	case OP_RED: break;
	default: return NULL;
	}
	for (uint32_t i = 0; i < in->noperands; i++)
		if (in->operands[i].kind == OPERAND_ADDRESS) return &in->operands[i];
	return NULL;
}

const Allocation *origin_of_access(const LaunchInfo *info, const PtxFunction *f, uint32_t instr) {
	AUTO_FREE Origin *regs = xcalloc(f->nregs + 1, sizeof *regs);
	settle(info, f, regs);
	const PtxOperand *o = instr < f->ninstrs ? address_of(&f->instrs[instr]) : NULL;
	const Origin *s = o && o->has_base ? &regs[o->reg] : NULL;
	return s && s->kind == ORIGIN_KNOWN && s->space == SPACE_GLOBAL ? memory_find(info->memory, s->low) : NULL;
}

void origins_of_accesses(const LaunchInfo *info, const PtxFunction *f, Origin *of_instr) {
	AUTO_FREE Origin *regs = xcalloc(f->nregs + 1, sizeof *regs);
	settle(info, f, regs);
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxOperand *o = address_of(&f->instrs[i]);
		if (!o) continue;
		if (o->has_base)
			of_instr[i] = regs[o->reg];
		else if (o->symbol)
			of_instr[i] = of_symbol(info, o->symbol);
	}
}
