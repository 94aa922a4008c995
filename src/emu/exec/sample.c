/* Texture and surface instructions, lane by lane. */
#include <stdio.h>
#include <string.h>

#include "emu/code/texture_call.h"
#include "emu/exec/async.h"
#include "emu/exec/lanes.h"
#include "emu/exec/out_of_line.h"
#include "emu/exec/texture.h"

/* The sectors of the texels that a warp accessed: collected only if there is an observer. */
enum { SECTOR = 32, PLACES = LANES * TEXELS_MOST };
typedef struct {
	uint64_t at[PLACES];
	uint32_t n;
} Places;

static AccessKind access_kind(TextureAction action) {
	return action == SURFACE_STORE ? ACCESS_STORE : action == SURFACE_REDUCE ? ACCESS_ATOMIC : ACCESS_LOAD;
}

static void report(Warp *w, const Op *op, const TextureCall *call, const Texture *t, uint32_t mask, Places *places) {
	uint32_t n = 0;
	for (uint32_t i = 0; i < places->n; i++) {
		const uint64_t sector = places->at[i] / SECTOR;
		uint32_t k = 0;
		while (k < n && places->at[k] != sector) k++;
		places->at[k] = sector;
		if (k == n) n++;
	}
	const TextureAccess access = {.instr = w->first_instr + op->instr,
								  .kind = access_kind(call->action),
								  .surface = t->desc.surface,
								  .mask = mask,
								  .texel_bytes = (uint32_t)texture_texel_bytes(&t->desc),
								  .texture = t->handle,
								  .sectors = places->at,
								  .nsectors = n,
								  .block = w->block->number,
								  .warp = w->number};
	const Worker *k = w->worker;
	NOTIFY(k, texture, &access);
}

/* --- what may go wrong -------------------------------------------------------------------------------------------- */

static const char *const surface_kind = "surface object", *const texture_kind = "texture object";

static const Op *no_object(Warp *w, const Op *op, const TextureCall *call, uint32_t lane, uint64_t handle,
						   const Texture *t) {
	const bool wants_surface = takes_surface(call->action);
	const char *wanted = wants_surface ? surface_kind : texture_kind;
	if (!t)
		return fault_at(w, op, 1u << lane, FAULT_OUT_OF_BOUNDS,
						"0x%llx is not a %s: pass the object that gpu.%s returns.", (unsigned long long)handle, wanted,
						wants_surface ? "surface" : "texture");
	if (!t->host) return fault_at(w, op, 1u << lane, FAULT_FREED, "The %s \"%s\" was freed.", wanted, t->name);
	return fault_at(w, op, 1u << lane, FAULT_WRONG_SPACE, "\"%s\" is a %s, and this instruction takes a %s.", t->name,
					t->desc.surface ? surface_kind : texture_kind, wanted);
}

static const Op *wrong_fetch(Warp *w, const Op *op, uint32_t lane, const Texture *t) {
	if (t->desc.linear_memory)
		return fault_at(w, op, 1u << lane, FAULT_INSTRUCTION,
						"\"%s\" is in linear memory, which only tex1Dfetch(t, i) reads.", t->name);
	return fault_at(w, op, 1u << lane, FAULT_INSTRUCTION,
					"tex1Dfetch reads linear memory; \"%s\" is an array: make it with layout = \"linear\".", t->name);
}

static const Op *wrong_dimensions(Warp *w, const Op *op, const TextureCall *call, uint32_t lane, const Texture *t) {
	const TextureDesc *d = &t->desc;
	const uint32_t n = texture_dimensions(d);
	char takes[32], has[32];
	snprintf(takes, sizeof takes, "%u coordinates", call->dimensions);
	snprintf(has, sizeof has, "has %u dimension%s", n, n == 1 ? "" : "s");
	return fault_at(w, op, 1u << lane, FAULT_INSTRUCTION, "This instruction takes %s%s; \"%s\" %s%s.",
					call->cube ? "a direction" : takes, call->layered ? " and a layer" : "", t->name,
					d->cube ? "is a cube map" : has,
					!d->layers ? ""
					: d->cube  ? " with layers"
							   : " and layers");
}

/* sured.p takes the sign from the format. */
static bool is_integer_format(const TextureCall *call, const Texture *t) {
	return texture_texel_bytes(&t->desc) == call->bytes && (t->desc.type == ELEM_U32 || t->desc.type == ELEM_I32);
}

static const Op *wrong_format(Warp *w, const Op *op, const TextureCall *call, uint32_t lane, const Texture *t) {
	return fault_at(w, op, 1u << lane, FAULT_INSTRUCTION,
					"sured.p with %u bits takes texels of one %u-bit integer; those of \"%s\" are %u of type %s.",
					call->bytes * 8, call->bytes * 8, t->name, t->desc.channels, elem_name(t->desc.type));
}

static uint32_t layer_of(const Warp *w, const TextureCall *call, uint32_t lane) {
	return call->layered ? (uint32_t)lane_get(w, call->layer, 4, lane) : 0;
}

/* A surface of cube maps has their faces as layers. */
static uint32_t layers_of(const Texture *t) {
	return t->desc.surface && t->desc.cube ? texture_slices(&t->desc) : t->desc.layers;
}

static const Op *no_layer(Warp *w, const Op *op, uint32_t lane, const Texture *t, uint32_t layer) {
	return fault_at(w, op, 1u << lane, FAULT_OUT_OF_BOUNDS, "There is no layer %d in \"%s\": it has %u.", (int)layer,
					t->name, layers_of(t));
}

/* --- surfaces ----------------------------------------------------------------------------------------------------- */

static const Op *outside(Warp *w, const Op *op, const TextureCall *call, uint32_t lane, const Texture *t,
						 const int64_t x[3]) {
	const uint32_t n = call->bytes * call->nvalues;
	const TextureDesc *d = &t->desc;
	char place[96], shape[64];
	const int64_t unit = call->samples ? (int64_t)texture_texel_bytes(d) : 1;
	int used =
		snprintf(place, sizeof place, "x = %lld %s", (long long)(x[0] / unit), call->samples ? "texels" : "bytes");
	if (call->dimensions > 1)
		used += snprintf(place + used, sizeof place - (size_t)used, ", y = %lld", (long long)x[1]);
	if (call->dimensions > 2) snprintf(place + used, sizeof place - (size_t)used, ", z = %lld", (long long)x[2]);
	used = snprintf(shape, sizeof shape, "%zu bytes", d->width * texture_texel_bytes(d));
	if (d->height) used += snprintf(shape + used, sizeof shape - (size_t)used, " by %u rows", d->height);
	if (d->depth) snprintf(shape + used, sizeof shape - (size_t)used, " by %u", d->depth);
	static const char *const verbs[] = {
		[SURFACE_LOAD] = "reads", [SURFACE_STORE] = "writes", [SURFACE_REDUCE] = "updates"};
	const char *verb = verbs[call->action];
	if (x[0] % n)
		return fault_at(w, op, 1u << lane, FAULT_MISALIGNED,
						"The thread %s %u bytes of the surface \"%s\" at %s, which is not a multiple of %u.", verb, n,
						t->name, place, n);
	return fault_at(w, op, 1u << lane, FAULT_OUT_OF_BOUNDS,
					"The thread %s %u bytes of the surface \"%s\" at %s: it has %s%s.", verb, n, t->name, place, shape,
					call->samples ? "" : " (x counts bytes)");
}

/* The bytes meant; NULL: outside. Clamping goes to the nearest place that holds them all. */
static uint8_t *surface_bytes(const Texture *t, const TextureCall *call, int64_t x[3]) {
	const TextureDesc *d = &t->desc;
	const int64_t n = call->bytes * call->nvalues, row = (int64_t)(d->width * texture_texel_bytes(d)),
				  rows = d->height ? d->height : 1, most[3] = {row - n, rows - 1, texture_slices(d) - 1};
	for (uint32_t k = 0; k < 3; k++) {
		if (x[k] >= 0 && x[k] <= most[k]) continue;
		if (call->outside != OUTSIDE_CLAMP || most[k] < 0) return NULL;
		x[k] = x[k] < 0 ? 0 : most[k];
	}
	if (x[0] % n) return NULL;
	return t->host + (x[2] * rows + x[1]) * row + x[0];
}

/* Other host threads may change the same texels. */
static void reduce(Warp *w, const Op *op, const TextureCall *call, const Texture *t, uint32_t l, uint8_t *p) {
	const PtxInstr *in = instr_of(w, op);
	Run *run = w->worker->run;
	const bool is_signed = t->desc.type == ELEM_I32;
	PtxType type = call->type;
	uint64_t v = 0;
	if (call->samples) type = call->bytes == 8 ? (is_signed ? T_S64 : T_U64) : is_signed ? T_S32 : T_U32;
	if (run->nworkers > 1) pthread_mutex_lock(&run->wide);
	memcpy(&v, p, call->bytes);
	v = atomic_result(in, type, v, lane_get(w, call->values[0], call->container, l));
	memcpy(p, &v, call->bytes);
	if (run->nworkers > 1) pthread_mutex_unlock(&run->wide);
}

static void load_values(Warp *w, const TextureCall *call, uint32_t l, const uint8_t *p) {
	for (uint32_t i = 0; i < call->nvalues; i++) {
		uint64_t v = 0;
		if (p) memcpy(&v, p + i * call->bytes, call->bytes);
		if (call->values[i] != NO_SLOT) lane_set(w, call->values[i], call->container, l, v);
	}
}

static void store_values(const Warp *w, const TextureCall *call, uint32_t l, uint8_t *p) {
	for (uint32_t i = 0; i < call->nvalues; i++) {
		const uint64_t v = lane_get(w, call->values[i], call->container, l);
		memcpy(p + i * call->bytes, &v, call->bytes);
	}
}

static bool surface_lane(Warp *w, const Op *op, const TextureCall *call, const Texture *t, uint32_t l, int64_t x[3],
						 Places *places) {
	uint8_t *p = surface_bytes(t, call, x);
	const size_t texel = texture_texel_bytes(&t->desc);
	if (!p && (call->outside == OUTSIDE_TRAP || x[0] % (int64_t)(call->bytes * call->nvalues))) return false;
	if (call->action == SURFACE_LOAD)
		load_values(w, call, l, p);
	else if (p && call->action == SURFACE_STORE)
		store_values(w, call, l, p);
	else if (p)
		reduce(w, op, call, t, l, p);
	if (p && places)
		places->at[places->n++] =
			texture_offset(&t->desc, (uint32_t)((size_t)x[0] / texel), (uint32_t)x[1], (uint32_t)x[2]);
	return true;
}

/* --- textures ----------------------------------------------------------------------------------------------------- */

static uint32_t answer(const Texture *t, TextureQuery what) {
	switch (what) {
	case QUERY_WIDTH: return t->desc.width;
	case QUERY_HEIGHT: return t->desc.height;
	case QUERY_DEPTH: return t->desc.depth;
	case QUERY_NORMALIZED: return t->desc.normalized;
	default: return t->desc.filter;
	}
}

static void texture_lane(Warp *w, const TextureCall *call, const Texture *t, uint32_t l, Places *places) {
	uint32_t out[4] = {0}, raw[3] = {0};
	float x[3];
	uint64_t *at = places ? &places->at[places->n] : NULL;
	uint32_t read = 0;
	for (uint32_t k = 0; k < call->dimensions; k++) raw[k] = (uint32_t)lane_get(w, call->coordinates[k], 4, l);
	memcpy(x, raw, sizeof x);
	switch (call->action) {
	case TEXTURE_ELEMENT: read = texture_element(t, (int32_t)raw[0], out, at); break;
	case TEXTURE_GATHER: read = texture_gather(t, x, layer_of(w, call, l), call->component, out, at); break;
	case TEXTURE_QUERY: out[0] = answer(t, call->query); break;
	default: read = texture_fetch(t, x, layer_of(w, call, l), out, at); break;
	}
	if (places) places->n += read;
	for (uint32_t i = 0; i < call->nvalues; i++)
		if (call->values[i] != NO_SLOT) lane_set(w, call->values[i], 4, l, out[i]);
}

static bool has_shape(const TextureCall *call, const Texture *t) {
	const bool cube = t->desc.cube && !t->desc.surface;
	return call->cube == cube && (cube || texture_dimensions(&t->desc) == call->dimensions) &&
		   call->layered == (layers_of(t) != 0);
}

/* NULL: *fault is the instruction's fault. */
static const Texture *object_of(Warp *w, const Op *op, const TextureCall *call, uint32_t l, const Op **fault) {
	const bool surface = takes_surface(call->action);
	const uint64_t handle = lane_get(w, op->a, 8, l);
	const Texture *t = texture_of(w->worker->run->textures, handle);
	const bool either = call->action == TEXTURE_QUERY;
	if (!t || !t->host || (!either && t->desc.surface != surface))
		*fault = no_object(w, op, call, l, handle, t);
	else if (!surface && !either && t->desc.linear_memory != (call->action == TEXTURE_ELEMENT))
		*fault = wrong_fetch(w, op, l, t);
	else if (!either && !has_shape(call, t))
		*fault = wrong_dimensions(w, op, call, l, t);
	else if (call->samples && !is_integer_format(call, t))
		*fault = wrong_format(w, op, call, l, t);
	else
		return t;
	return NULL;
}

const Op *run_texture(Warp *w, const Op *op) {
	const TextureCall *call = op->aux;
	const bool surface = takes_surface(call->action);
	Places room = {.n = 0}, *places = w->reports.accesses && call->action != TEXTURE_QUERY ? &room : NULL;
	const Texture *t = NULL, *last = NULL;
	uint32_t same = 0;
	FOR_LANES(l, w->mask) {
		const Op *fault;
		t = object_of(w, op, call, l, &fault);
		if (!t) return fault;
		if (places && last && t != last) { /* lanes of other objects form another request */
			report(w, op, call, last, same, places);
			places->n = same = 0;
		}
		last = t;
		same |= 1u << l;
		const uint32_t layer = layer_of(w, call, l);
		if (call->layered && layer >= layers_of(t)) return no_layer(w, op, l, t, layer);
		if (!surface) {
			texture_lane(w, call, t, l, places);
			continue;
		}
		int64_t x[3] = {0};
		for (uint32_t k = 0; k < call->dimensions; k++) x[k] = (int32_t)lane_get(w, call->coordinates[k], 4, l);
		if (call->layered) x[2] = layer;
		if (call->samples) x[0] *= (int64_t)texture_texel_bytes(&t->desc);
		if (!surface_lane(w, op, call, t, l, x, places)) return outside(w, op, call, l, t, x);
	}
	if (places && last) report(w, op, call, last, same, places);
	return op + 1;
}
