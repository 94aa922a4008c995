/* inputs.h: what launches are given, kept and put in place again. */
#include "device/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "device/ask/ask.h"
#include "device/contents/uses.h"

/* What a buffer holds besides its place. */
typedef struct {
	bool saved, defined; /* defined: as the definition makes it; else the copy, or nothing that can be had */
	Define define;
	uint8_t *copy;
	Contents contents;
	uint64_t version;
} Present;

typedef struct {
	Past *past;
	uint8_t uses;
	Present present; /* while the past is in place */
} Given;

typedef struct {
	DeviceModule *module;
	uint32_t number;
	uint8_t *given, *present; /* given: NULL of one that is too large; present: NULL, or what it holds otherwise */
	uint64_t launches;        /* of the module, then */
} GivenVariable;

struct Inputs {
	VEC(Given) given;
	VEC(GivenVariable) variables;
	bool in_place;
};

/* --- keeping ------------------------------------------------------------------------------------------------------ */

static bool keep_variable(Device *device, DeviceModule *module, uint32_t i, Inputs *inputs, Err *err) {
	const size_t bytes = module->ptx->globals[i]->bytes;
	GivenVariable v = {.module = module, .number = i, .launches = module->launches};
	if (bytes <= PAST_ONE_BYTES) v.given = xmalloc(bytes);
	const bool ok = !v.given || variable_read(device, module, i, v.given, err);
	if (ok)
		vec_push(&inputs->variables, v);
	else
		free(v.given);
	return ok;
}

static bool keep_variables(Device *device, DeviceModule *module, Inputs *inputs, Err *err) {
	for (size_t i = 0; i < inputs->variables.len; i++)
		if (inputs->variables.data[i].module == module) return true;
	for (uint32_t i = 0; i < module->ptx->nglobals; i++)
		if (variable_is_kept(module, i) && !ON_WORKER(device, err, keep_variable(device, module, i, inputs, err)))
			return false;
	return true;
}

static bool keep(Device *device, const LaunchList *list, const ListPlan *plan, Inputs *inputs, Err *err) {
	for (size_t i = 0; i < plan->uses.len; i++) {
		const PlanUse *use = &plan->uses.data[i];
		vec_push(&inputs->given, (Given){.past = past_of(device, use->slot), .uses = use->uses});
	}
	for (uint32_t i = 0; i < list->nitems; i++)
		if (is_launch(&list->items[i]) && !keep_variables(device, list->items[i].launch.kernel->module, inputs, err))
			return false;
	return true;
}

bool inputs_keep(Device *device, const LaunchList *list, Inputs **out, Err *err) {
	ListPlan plan = {0};
	Inputs *inputs = xcalloc(1, sizeof *inputs);
	const bool ok = list_plan(device, list, false, &plan, err) && list_not_stale(&plan, err) &&
					keep(device, list, &plan, inputs, err);
	list_plan_free(&plan);
	if (ok)
		*out = inputs;
	else
		inputs_free(device, inputs);
	return ok;
}

void inputs_free(Device *device, Inputs *inputs) {
	if (!inputs) return;
	if (device) inputs_put_back(device, inputs, NULL);
	for (size_t i = 0; i < inputs->given.len; i++) {
		if (device) past_drop(device, inputs->given.data[i].past);
		free(inputs->given.data[i].present.copy);
	}
	for (size_t i = 0; i < inputs->variables.len; i++) {
		free(inputs->variables.data[i].given);
		free(inputs->variables.data[i].present);
	}
	vec_free(&inputs->given);
	vec_free(&inputs->variables);
	free(inputs);
}

/* --- buffers in place and back ------------------------------------------------------------------------------------ */

static bool is_unchanged(const Slot *slot, const Past *past) {
	return slot->version == past->version && slot->contents != CONTENTS_STALE;
}

/* Addresses of other buffers among the elements are the same ones: they stay noted. */
static bool put(Device *device, Slot *slot, bool defined, Define define, const uint8_t *copy, Err *err) {
	const Buffer buffer = slot_handle(device, slot);
	ArgPointer *pointers = slot->pointers;
	const uint32_t npointers = slot->npointers;
	slot->pointers = NULL;
	slot->npointers = 0;
	bool ok;
	if (defined)
		ok = device_define(device, buffer, define, err);
	else if (slot->texture)
		ok = ON_WORKER(device, err, place_write(&device->main, slot, &slot->place, 0, copy, slot->bytes, err));
	else
		ok = device_upload(device, buffer, 0, copy, slot->count, err);
	slot->pointers = pointers;
	slot->npointers = npointers;
	return ok;
}

static bool save(Device *device, Slot *slot, Present *out, Err *err) {
	*out = (Present){.saved = true,
					 .defined = slot_is_defined(slot),
					 .define = slot->define,
					 .contents = slot->contents,
					 .version = slot->version};
	if (out->defined || slot->contents == CONTENTS_STALE) return true;
	out->copy = xmalloc(slot->bytes);
	if (ON_WORKER(device, err, place_read(&device->main, slot, &slot->place, 0, out->copy, slot->bytes, err)))
		return true;
	free(out->copy);
	*out = (Present){0};
	return false;
}

static bool restore_buffer(Device *device, Given *g, Err *err) {
	Slot *slot = slot_get(device, g->past->buffer, err);
	if (!slot) return false;
	const bool unchanged = is_unchanged(slot, g->past);
	if (unchanged && !(g->uses & USE_WRITE)) return true;
	if (!save(device, slot, &g->present, err)) return false;
	if (unchanged || (!g->past->defined && !g->past->copy)) return true;
	if (!put(device, slot, g->past->defined, g->past->define, g->past->copy, err)) return false;
	slot->version = g->past->version;
	return true;
}

static bool put_buffer_back(Device *device, Given *g, Err *err) {
	Present *p = &g->present;
	Slot *slot = p->saved ? slot_get(device, g->past->buffer, NULL) : NULL;
	bool ok = true;
	if (slot && (p->defined || p->copy)) ok = put(device, slot, p->defined, p->define, p->copy, err);
	if (slot && ok) {
		slot->version = p->version;
		if (p->contents == CONTENTS_STALE) slot->contents = CONTENTS_STALE;
	}
	free(p->copy);
	*p = (Present){0};
	return ok;
}

/* --- variables ---------------------------------------------------------------------------------------------------- */

static bool read_variable(Device *device, const GivenVariable *v, uint8_t *data, Err *err) {
	return ON_WORKER(device, err, variable_read(device, v->module, v->number, data, err));
}

static bool restore_variable(Device *device, GivenVariable *v, Err *err) {
	const size_t bytes = v->module->ptx->globals[v->number]->bytes;
	if (!v->given) return true;
	v->present = xmalloc(bytes);
	if (read_variable(device, v, v->present, err))
		return device_symbol_upload(device, v->module, v->number, 0, v->given, bytes, err);
	free(v->present);
	v->present = NULL;
	return false;
}

static bool put_variable_back(Device *device, GivenVariable *v, Err *err) {
	const bool ok = !v->present || device_symbol_upload(device, v->module, v->number, 0, v->present,
														v->module->ptx->globals[v->number]->bytes, err);
	free(v->present);
	v->present = NULL;
	return ok;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* Of one that is too large to be kept it is only known that no kernel of the module has run since. */
static bool can_restore_variables(const Inputs *inputs, Err *err) {
	for (size_t i = 0; i < inputs->variables.len; i++) {
		const GivenVariable *v = &inputs->variables.data[i];
		SymbolInfo info;
		if (v->given || v->module->launches == v->launches) continue;
		device_symbol_info(v->module, v->number, &info);
		return err_set(err, ERR_USAGE, "the variable \"%s\" of %zu bytes may have changed and is too large to be kept",
					   info.name, info.bytes);
	}
	return true;
}

static bool can_restore(Device *device, const Inputs *inputs, Err *err) {
	for (size_t i = 0; i < inputs->given.len; i++) {
		const Given *g = &inputs->given.data[i];
		const Slot *slot = slot_get(device, g->past->buffer, err);
		if (!slot) return false;
		if (is_unchanged(slot, g->past) || g->past->defined || g->past->copy || !(g->uses & USE_READ)) continue;
		err_set(err, ERR_USAGE, "'%s' has changed since the launch, and its earlier contents are not kept", slot->name);
		return err_hint(err, "fill it and launch again; buffers up to %d MiB are kept, the latest %d MiB",
						PAST_ONE_BYTES >> 20, PAST_ALL_BYTES >> 20);
	}
	return can_restore_variables(inputs, err);
}

static bool restore(Device *device, Inputs *inputs, Err *err) {
	for (size_t i = 0; i < inputs->given.len; i++)
		if (!restore_buffer(device, &inputs->given.data[i], err)) return false;
	for (size_t i = 0; i < inputs->variables.len; i++)
		if (!restore_variable(device, &inputs->variables.data[i], err)) return false;
	return true;
}

bool inputs_restore(Device *device, Inputs *inputs, Err *err) {
	if (!inputs_put_back(device, inputs, err) || !can_restore(device, inputs, err)) return false;
	inputs->in_place = true;
	device->in_past++;
	const bool ok = restore(device, inputs, err);
	if (!ok) inputs_put_back(device, inputs, NULL);
	return ok;
}

bool inputs_put_back(Device *device, Inputs *inputs, Err *err) {
	bool ok = true; /* one that fails keeps none of the others */
	if (!inputs->in_place) return true;
	for (size_t i = 0; i < inputs->given.len; i++)
		ok = put_buffer_back(device, &inputs->given.data[i], ok ? err : NULL) && ok;
	for (size_t i = 0; i < inputs->variables.len; i++)
		ok = put_variable_back(device, &inputs->variables.data[i], ok ? err : NULL) && ok;
	inputs->in_place = false;
	device->in_past--;
	return ok;
}
