/* contents.h: a worker that died, and the fresh start. */
#include "device/contents/contents.h"

/* What a finished kernel left cannot be made again, nor what was uploaded and of which there is no copy; everything
 * else can. */
static void slot_lost(const Device *device, Slot *slot) {
	const bool uncopied = slot->define.kind == DEFINE_DATA && !slot->copy && device->main.backend->shares;
	if (slot->contents == CONTENTS_WRITTEN || (uncopied && !slot->texture)) slot->contents = CONTENTS_STALE;
	slot->lost = true;
	slot->at_risk = false;
}

static void all_lost(Device *device) {
	device->filled = false;
	device->main.heap_bytes = 0;
	for (size_t i = 0; i < device->slots.len; i++) {
		Slot *slot = &device->slots.data[i];
		const bool kept = device->main.backend->shares && !slot->at_risk && !slot->texture;
		if (slot->live && !kept) slot_lost(device, slot);
	}
	cache_lost(device);
	device->digester.loaded = false;
	for (DeviceModule *m = device->modules; m; m = m->next) {
		variables_lost(m);
		m->loaded = false;
	}
}

bool device_works(Device *device) {
	if (device->filled && backend_alive(device->main.backend)) return true;
	if (device->filled) all_lost(device);
	return false;
}

bool device_try_again(Device *device, const Err *err) {
	return !(err && err->kind == ERR_INTERRUPTED) && !device_works(device) && !device->unreachable;
}

bool module_load(Device *device, DeviceModule *module, Err *err) {
	const Compiled *c = module->compiled;
	const ModuleCode code = {.cubin = c->cubin,
							 .cubin_bytes = c->cubin_bytes,
							 .ptx = c->ptx,
							 .cc = c->cc,
							 .by_sass = c->by_sass,
							 .keep_registers = device->keeps_registers};
	Number number;
	module->loaded = backend_load(device->main.backend, code, &number, err);
	if (module->loaded) module->number = number.value;
	return module->loaded && variables_fill(device, module, err);
}

/* What is still there needs its old address, so that comes before anything new takes it. Places that are gone are
 * forgotten first: this may break off, and begin again with other memory. */
static bool keep_slots(Device *device, bool kept, Err *err) {
	for (size_t i = 0; i < device->slots.len; i++) {
		Slot *slot = &device->slots.data[i];
		if (!slot->live || (kept && !slot->texture)) continue;
		if (!slot->lost) slot_lost(device, slot); /* not even shared memory is left */
		slot->place = (Place){0};
	}
	for (size_t i = 0; i < device->slots.len; i++) {
		Slot *slot = &device->slots.data[i];
		if (slot->live && slot->place.base && !place_make(&device->main, slot, &slot->place, true, err)) return false;
	}
	return true;
}

static bool fill_slots(Device *device, Err *err) {
	for (size_t i = 0; i < device->slots.len; i++) {
		Slot *slot = &device->slots.data[i];
		if (!slot->live || !slot->lost) continue;
		if (!slot->place.base && !place_make(&device->main, slot, &slot->place, false, err)) return false;
		if (!place_define(&device->main, slot, &slot->place, err)) return false;
		slot->lost = false;
	}
	for (size_t i = 0; i < device->slots.len; i++) {
		const Slot *slot = &device->slots.data[i];
		if (slot->live && slot->contents == CONTENTS_DEFINED &&
			!slot_write_pointers(device, &device->main, slot, false, err))
			return false;
	}
	return true;
}

static bool fill_again(Device *device, bool kept, Err *err) {
	if (!keep_slots(device, kept, err) || !fill_slots(device, err)) return false;
	for (DeviceModule *m = device->modules; m; m = m->next)
		if (!module_load(device, m, err)) return false;
	return true;
}

/* What a place elsewhere has is known once its worker has answered. */
static bool learn(Device *device, Err *err) {
	Backend *b = device->main.backend;
	return !b->ops->define || b->ops->info(b, &device->info, err);
}

/* A start that broke off halfway leaves filled false: the next operation starts again. */
bool device_ready(Device *device, Err *err) {
	bool kept;
	if (device_works(device)) return true;
	Backend *b = device->main.backend;
	if (!b->ops->restart) return err_set(err, ERR_SETUP, "the device %s stopped working", device->info.name);
	device->unreachable = !b->ops->restart(b, &kept, err);
	if (device->unreachable || !learn(device, err) || !fill_again(device, kept, err)) return false;
	device->filled = true;
	return true;
}
