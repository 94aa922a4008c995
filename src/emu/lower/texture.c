/* tex, tld4, txq, suld, sust, suq: for texture and surface objects, of arrays of one to three dimensions or of layers
 * of one or two, without mip entries or cube faces. */
#include <string.h>

#include "emu/code/texture_call.h"
#include "emu/lower/lower.h"

static uint32_t dimensions(const PtxInstr *in, bool *layered) {
	static const PtxWord names[] = {WORD_1D, WORD_2D, WORD_3D, WORD_A1D, WORD_A2D};
	for (uint32_t i = 0; i < 5; i++)
		if (ptx_has(in, names[i])) return *layered = i >= 3, i % 3 + 1;
	return 0;
}

/* [object, {x, y}] or [object, {layer, x, y}]: the places of object and coordinates. */
static bool object(Lower *L, const PtxOperand *o, TextureCall *call, uint32_t *slot) {
	if (o->kind != OPERAND_ADDRESS || !o->has_base || o->offset || register_bytes(L, o->reg) != 8) return false;
	const PtxOperand reg = {.kind = OPERAND_REG, .reg = o->reg};
	*slot = source(L, &reg, 8);
	if (*slot == NO_SLOT) return false;
	if (!call->dimensions) return true; /* a query */
	if (o->nitems != 1) return false;
	const PtxOperand *list = o->items[0].kind == OPERAND_VECTOR ? o->items[0].items : &o->items[0];
	const uint32_t n = o->items[0].kind == OPERAND_VECTOR ? o->items[0].nitems : 1;
	if (n < call->dimensions + call->layered) return false;
	if (call->layered) {
		call->layer = source(L, list++, 4);
		if (call->layer == NO_SLOT) return false;
	}
	for (uint32_t i = 0; i < call->dimensions; i++) {
		call->coordinates[i] = source(L, &list[i], 4);
		if (call->coordinates[i] == NO_SLOT) return false;
	}
	return true;
}

static bool values(Lower *L, const PtxOperand *o, TextureCall *call, bool results) {
	const PtxOperand *list = o->kind == OPERAND_VECTOR ? o->items : o;
	const uint32_t n = o->kind == OPERAND_VECTOR ? o->nitems : 1;
	if (n != call->nvalues || o->has_pair) return false;
	for (uint32_t i = 0; i < n; i++) {
		call->values[i] = NO_SLOT;
		if (results && list[i].kind == OPERAND_SINK) continue;
		call->values[i] = results ? destination(L, &list[i], call->container) : source(L, &list[i], call->container);
		if (call->values[i] == NO_SLOT) return false;
	}
	return true;
}

static void emit_call(Lower *L, const TextureCall *call, uint32_t handle) {
	TextureCall *kept = arena_alloc(L->arena, sizeof *kept);
	*kept = *call;
	Op *op = emit(L, H_texture);
	op->a = handle;
	op->aux = kept;
	op->bytes = (uint8_t)(call->bytes * call->nvalues); /* a surface access: an adversarial schedule may switch here */
}

/* A level of detail or gradients choose among mip entries; a texture here has one. */
static bool fetch(Lower *L, const PtxInstr *in) {
	const bool leveled = ptx_has(in, WORD_LEVEL) || ptx_has(in, WORD_GRAD);
	TextureCall call = {.nvalues = 4, .container = 4};
	uint32_t handle;
	call.dimensions = dimensions(in, &call.layered);
	if (!call.dimensions || in->vector != 4 || in->ntypes != 2) return false;
	if (in->noperands != 2 + (leveled ? ptx_has(in, WORD_GRAD) ? 2u : 1u : 0u)) return false;
	if (in->types[1] == T_S32 && (call.dimensions != 1 || call.layered || leveled)) return false;
	call.action = in->types[1] == T_S32 ? TEXTURE_ELEMENT : TEXTURE_FETCH;
	if (in->types[1] != T_S32 && in->types[1] != T_F32) return false;
	if (!object(L, &in->operands[1], &call, &handle) || !values(L, &in->operands[0], &call, true)) return false;
	emit_call(L, &call, handle);
	return true;
}

static bool gather(Lower *L, const PtxInstr *in) {
	static const PtxWord components[] = {WORD_R, WORD_G, WORD_B, WORD_A};
	TextureCall call = {.action = TEXTURE_GATHER, .nvalues = 4, .container = 4};
	uint32_t handle;
	call.dimensions = dimensions(in, &call.layered);
	while (call.component < 4 && !ptx_has(in, components[call.component])) call.component++;
	if (call.dimensions != 2 || call.layered || call.component == 4 || in->noperands != 2 || in->vector != 4)
		return false;
	if (in->ntypes != 2 || in->types[1] != T_F32) return false;
	if (!object(L, &in->operands[1], &call, &handle) || !values(L, &in->operands[0], &call, true)) return false;
	emit_call(L, &call, handle);
	return true;
}

static bool query(Lower *L, const PtxInstr *in) {
	static const PtxWord names[] = {WORD_WIDTH, WORD_HEIGHT, WORD_DEPTH, WORD_NORMALIZED_COORDS, WORD_FILTER_MODE};
	TextureCall call = {.action = TEXTURE_QUERY, .nvalues = 1, .container = 4};
	uint32_t handle, i = 0;
	while (i < 5 && !ptx_has(in, names[i])) i++;
	if (i == 5 || (in->op == OP_SUQ && i > 2) || ptx_has(in, WORD_LEVEL) || in->noperands != 2) return false;
	call.query = (TextureQuery)i;
	if (!object(L, &in->operands[1], &call, &handle) || !values(L, &in->operands[0], &call, true)) return false;
	emit_call(L, &call, handle);
	return true;
}

static bool surface(Lower *L, const PtxInstr *in) {
	const bool load = in->op == OP_SULD;
	TextureCall call = {.action = load ? SURFACE_LOAD : SURFACE_STORE,
						.nvalues = in->vector,
						.bytes = (uint32_t)ptx_type_bytes(in->types[0])};
	uint32_t handle;
	call.dimensions = dimensions(in, &call.layered);
	if (!call.dimensions || !ptx_has(in, WORD_B) || in->ntypes != 1 || in->noperands != 2) return false;
	if (!call.bytes || call.bytes > 8 || call.bytes * call.nvalues > 16 || call.nvalues > 4) return false;
	call.container = call.bytes < 2 ? 2 : call.bytes;
	call.outside = in->mods & MOD_CLAMP ? OUTSIDE_CLAMP : ptx_has(in, WORD_ZERO) ? OUTSIDE_ZERO : OUTSIDE_TRAP;
	if (call.outside == OUTSIDE_TRAP && !ptx_has(in, WORD_TRAP)) return false;
	if (!object(L, &in->operands[load ? 1 : 0], &call, &handle)) return false;
	if (!values(L, &in->operands[load ? 0 : 1], &call, load)) return false;
	emit_call(L, &call, handle);
	return true;
}

bool lower_texture(Lower *L, const PtxInstr *in) {
	switch (in->op) {
	case OP_TEX: return fetch(L, in);
	case OP_TLD4: return gather(L, in);
	case OP_TXQ:
	case OP_SUQ: return query(L, in);
	case OP_SULD:
	case OP_SUST: return surface(L, in);
	default: return false;
	}
}
