/* Registers that hold one value per thread for the whole launch: written once, unguarded, with an immediate, a
 * special register that does not change, a kernel parameter, the address of a variable, or a sum of such. They become
 * constant slots. */
#include <string.h>

#include "emu/lower/lower.h"

static bool steady(PtxSpecial sr) {
	return sr < SR_CLOCK || (sr >= SR_DYNAMIC_SMEM_SIZE && sr < SR_OTHER);
}

static bool differs_by_block(PtxSpecial sr) {
	return (sr >= SR_CTAID && sr < SR_CTAID + 3) || sr == SR_SMID || sr == SR_CLUSTER_CTARANK ||
		   (sr >= SR_CLUSTERID && sr < SR_CLUSTERID + 3) || (sr >= SR_CLUSTER_CTAID && sr < SR_CLUSTER_CTAID + 3);
}

static uint64_t literal(const PtxOperand *o, uint32_t container) {
	if (o->kind == OPERAND_INT) return o->bits;
	if (container == 8) {
		if (!o->is_f32) return o->bits;
		float f;
		uint32_t b32 = (uint32_t)o->bits;
		memcpy(&f, &b32, 4);
		double d = f;
		uint64_t bits;
		memcpy(&bits, &d, 8);
		return bits;
	}
	if (o->is_f32) return o->bits;
	double d;
	memcpy(&d, &o->bits, 8);
	float f = (float)d;
	uint32_t bits;
	memcpy(&bits, &f, 4);
	return bits;
}

static bool is_param(PtxVar *const *vars, uint32_t n, const PtxVar *v) {
	for (uint32_t i = 0; i < n; i++)
		if (vars[i] == v) return true;
	return false;
}

static bool symbol_value(const Lower *L, const PtxVar *v, int64_t offset, uint32_t container, Fill *out) {
	*out = (Fill){.kind = FILL_BITS, .container = (uint8_t)container, .bits = (uint64_t)offset};
	switch (v->space) {
	case SPACE_GLOBAL:
	case SPACE_CONST:
		if (v->owner || v->index >= L->module->ptx->nglobals || !L->module->globals[v->index]) return false;
		out->bits += L->module->globals[v->index]->base;
		return true;
	case SPACE_SHARED:
		out->kind = FILL_SHARED;
		out->var = v;
		return true;
	case SPACE_LOCAL:
		if (!v->owner) return false;
		out->kind = FILL_LOCAL;
		out->bits += v->offset;
		return true;
	case SPACE_PARAM:
		if (!L->ptx->entry || !is_param(L->ptx->params, L->ptx->nparams, v)) return false;
		out->bits += v->offset;
		return true;
	default: return false;
	}
}

bool constant_operand(const Lower *L, const PtxOperand *o, uint32_t container, Fill *out) {
	if (o->negated) return false;
	switch (o->kind) {
	case OPERAND_REG:
		if (!L->constant[o->reg].container || L->constant[o->reg].container != container) return false;
		*out = L->constant[o->reg];
		return true;
	case OPERAND_INT:
	case OPERAND_FLOAT:
		*out = (Fill){.kind = FILL_BITS, .container = (uint8_t)container, .bits = literal(o, container)};
		if (container < 8) out->bits &= ((uint64_t)1 << 8 * container) - 1;
		return true;
	case OPERAND_SPECIAL:
		if (!steady(o->special)) return false;
		*out = (Fill){.kind = FILL_SPECIAL,
					  .container = (uint8_t)container,
					  .bits = o->special,
					  .per_block = differs_by_block(o->special)};
		return true;
	case OPERAND_SYMBOL: return symbol_value(L, o->symbol, o->offset, container, out);
	case OPERAND_FUNCTION:
		if (o->function->external) return false;
		*out = (Fill){.kind = FILL_BITS,
					  .container = (uint8_t)container,
					  .bits = FUNCTION_WINDOW + 16 * (uint64_t)o->function->index};
		return true;
	default: return false;
	}
}

bool window_of(PtxSpace s, uint64_t *window) {
	switch (s) {
	case SPACE_GLOBAL:
	case SPACE_CONST: *window = 0; return true;
	case SPACE_SHARED: *window = SHARED_WINDOW; return true;
	case SPACE_LOCAL: *window = LOCAL_WINDOW; return true;
	case SPACE_PARAM: *window = PARAM_WINDOW; return true;
	default: return false;
	}
}

static bool shift_by(Fill *f, uint64_t by) {
	if (by == 0) return true;
	if (f->kind == FILL_PARAM || f->kind == FILL_SPECIAL) return false;
	f->bits += by;
	if (f->kind == FILL_BITS && f->container < 8) f->bits &= ((uint64_t)1 << 8 * f->container) - 1;
	return true;
}

static bool load_of_param(const Lower *L, const PtxInstr *in, uint32_t container, Fill *out) {
	const PtxOperand *a = &in->operands[1];
	if (!L->ptx->entry || in->space != SPACE_PARAM || a->kind != OPERAND_ADDRESS || a->has_base || !a->symbol)
		return false;
	if (!is_param(L->ptx->params, L->ptx->nparams, a->symbol) || in->vector > 1) return false;
	size_t bytes = ptx_type_bytes(in->types[0]), at = a->symbol->offset + (size_t)a->offset;
	if (bytes > container || at > L->ptx->param_bytes || bytes > L->ptx->param_bytes - at) return false;
	*out = (Fill){.kind = FILL_PARAM,
				  .container = (uint8_t)container,
				  .bytes = (uint8_t)bytes,
				  .sign = type_signed(in->types[0]),
				  .bits = at};
	return true;
}

static bool sum_of_constants(const Lower *L, const PtxInstr *in, uint32_t container, Fill *out) {
	Fill b;
	if (in->noperands != 3 || in->mods || ptx_type_bytes(in->types[0]) != container) return false;
	if (!constant_operand(L, &in->operands[1], container, out) || !constant_operand(L, &in->operands[2], container, &b))
		return false;
	if (b.kind != FILL_BITS) {
		Fill t = *out;
		*out = b;
		b = t;
	}
	return b.kind == FILL_BITS && out->kind != FILL_PARAM && out->kind != FILL_SPECIAL && shift_by(out, b.bits);
}

static bool constant_result(const Lower *L, const PtxInstr *in, uint32_t container, Fill *out) {
	uint64_t window;
	switch (in->op) {
	case OP_MOV: return in->noperands == 2 && constant_operand(L, &in->operands[1], container, out);
	case OP_LD: return in->noperands == 2 && load_of_param(L, in, container, out);
	case OP_CVTA:
		if (container != 8 || in->noperands != 2 || !window_of(in->space, &window)) return false;
		return constant_operand(L, &in->operands[1], container, out) &&
			   shift_by(out, in->mods & MOD_TO ? 0 - window : window);
	case OP_ADD: return !type_float(in->types[0]) && sum_of_constants(L, in, container, out);
	default: return false;
	}
}

static void count_write(void *data, uint32_t reg) {
	uint8_t *writes = data;
	if (writes[reg] < 2) writes[reg]++;
}

void find_constants(Lower *L) {
	AUTO_FREE uint8_t *writes = xcalloc(L->ptx->nregs + 1, 1);
	for (uint32_t i = 0; i < L->ptx->ninstrs; i++) ptx_each_written(&L->ptx->instrs[i], count_write, writes);
	for (uint32_t i = 0; i < L->ptx->ninstrs; i++) {
		const PtxInstr *in = &L->ptx->instrs[i];
		if (in->guarded || !in->noperands) continue;
		const PtxOperand *d = &in->operands[0];
		if (d->kind != OPERAND_REG || writes[d->reg] != 1 || d->has_pair) continue;
		uint32_t container = register_bytes(L, d->reg);
		Fill f;
		if (container && container <= 8 && constant_result(L, in, container, &f)) L->constant[d->reg] = f;
	}
}
