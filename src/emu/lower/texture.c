/* tex, tld4, txq, suld, sust, sured, suq: for texture and surface objects, of arrays of one to three dimensions, of
 * layers of one or two, or of cubes, without mip entries. */
#include "emu/code/texture_call.h"
#include "emu/lower/lower.h"

/* The alternatives 1d, 2d, 3d, a1d, a2d, cube, acube. */
static void dimensions(TextureCall *call, int choice) {
	call->cube = choice >= 5;
	call->layered = call->cube ? choice == 6 : choice >= 3;
	call->dimensions = call->cube ? 3 : (uint32_t)choice % 3 + 1;
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
bool lower_texture(Lower *L, const PtxInstr *in, const Match *match) {
	TextureCall call = {.action = (TextureAction)match->row->kind, .nvalues = 4, .container = 4};
	uint32_t handle;
	if (call.action == TEXTURE_QUERY) {
		call.nvalues = 1;
		call.query = (TextureQuery)match->choice;
	} else {
		dimensions(&call, match->choice);
	}
	if (!object(L, &in->operands[1], &call, &handle) || !values(L, &in->operands[0], &call, true)) return false;
	emit_call(L, &call, handle);
	return true;
}

/* kind: the component. */
bool lower_gather(Lower *L, const PtxInstr *in, const Match *match) {
	static const int choices[] = {1, 4, 5, 6};
	TextureCall call = {
		.action = TEXTURE_GATHER, .component = (uint32_t)match->row->kind, .nvalues = 4, .container = 4};
	uint32_t handle;
	dimensions(&call, choices[match->choice]);
	if (!object(L, &in->operands[1], &call, &handle) || !values(L, &in->operands[0], &call, true)) return false;
	emit_call(L, &call, handle);
	return true;
}

static bool surface(Lower *L, const PtxInstr *in, const Match *match, TextureAction action, bool samples) {
	const bool load = action == SURFACE_LOAD;
	TextureCall call = {.action = action,
						.nvalues = in->vector,
						.type = in->types[0],
						.samples = samples,
						.bytes = (uint32_t)ptx_type_bytes(in->types[0]),
						.outside = (Outside)match->row->kind};
	uint32_t handle;
	dimensions(&call, match->choice);
	if (call.bytes * call.nvalues > 16) return false;
	call.container = call.bytes < 2 ? 2 : call.bytes;
	if (!object(L, &in->operands[load ? 1 : 0], &call, &handle)) return false;
	if (!values(L, &in->operands[load ? 0 : 1], &call, load)) return false;
	emit_call(L, &call, handle);
	return true;
}

bool lower_load_surface(Lower *L, const PtxInstr *in, const Match *match) {
	return surface(L, in, match, SURFACE_LOAD, false);
}

bool lower_store_surface(Lower *L, const PtxInstr *in, const Match *match) {
	return surface(L, in, match, SURFACE_STORE, false);
}

bool lower_reduce_surface(Lower *L, const PtxInstr *in, const Match *match) {
	return surface(L, in, match, SURFACE_REDUCE, false);
}

bool lower_reduce_samples(Lower *L, const PtxInstr *in, const Match *match) {
	return surface(L, in, match, SURFACE_REDUCE, true);
}
