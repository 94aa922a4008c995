/* internal.h: the shadow device. It is an emulator of the device's own generation that holds the buffers launches are
 * given, filled with what the device holds now, or with what they were defined as. What a launch did not change stays
 * there for the next one. */

#include "device/contents/uses.h"
#include "device/internal.h"

enum { MOST_KEPT = 1 << 30 }; /* bytes */

/* --- life --------------------------------------------------------------------------------------------------------- */

static void forget_all(Device *device) {
	for (size_t i = 0; i < device->slots.len; i++) device->slots.data[i].shadow = (Place){0};
	for (DeviceModule *m = device->modules; m; m = m->next) m->shadow_loaded = false;
	device->shadow_bytes = 0;
}

static bool is_alive(Device *device) {
	Side *s = &device->shadow;
	if (s->backend && backend_alive(s->backend)) return true;
	if (s->backend) shadow_close(device);
	return false;
}

static bool open_shadow(Device *device, Err *err) {
	const Gpu *gpu = emulated_gpu(device);
	const DeviceInfo info = emu_info(gpu);
	return is_alive(device) || backend_proxy_open(info.name, gpu, &device->shadow.backend, err);
}

void shadow_close(Device *device) {
	if (device->shadow.backend) device->shadow.backend->ops->close(device->shadow.backend);
	device->shadow.backend = NULL;
	forget_all(device);
}

void shadow_forget(Device *device, Slot *slot) {
	if (!slot->shadow.base || !is_alive(device)) return;
	device->shadow_bytes -= slot->bytes;
	place_drop(&device->shadow, slot, &slot->shadow);
}

/* --- contents ----------------------------------------------------------------------------------------------------- */

static bool load_module(Device *device, DeviceModule *module, Err *err) {
	const Compiled *c = module->compiled;
	Number number;
	if (module->shadow_loaded) return true;
	if (!backend_load(device->shadow.backend, (ModuleCode){.ptx = c->ptx, .cc = c->cc}, &number, err)) return false;
	module->shadow_number = number.value;
	return module->shadow_loaded = true;
}

static bool copy_present(Device *device, const Slot *slot, Err *err) {
	const Side *to = &device->shadow;
	uint8_t *view = slot->texture ? NULL : backend_view(to->backend, slot->shadow.addr, slot->bytes);
	AUTO_FREE uint8_t *room = view ? NULL : xmalloc(slot->bytes);
	return place_read(&device->main, slot, &slot->place, 0, view ? view : room, slot->bytes, err) &&
		   place_write(to, slot, &slot->shadow, 0, view ? view : room, slot->bytes, err);
}

/* What the kernels never read need not be right. */
static bool fill(Device *device, const LaunchList *list, Slot *slot, bool present, const char **unknown, Err *err) {
	const uint8_t uses = list_uses(device, list, slot);
	const bool defined = slot->contents == CONTENTS_DEFINED;
	bool ok = true;
	if (!(uses & USE_READ) || (defined && slot->shadow.whole)) {
		/* of no matter, or right */
	} else if (!defined && present && slot->contents == CONTENTS_WRITTEN) {
		ok = copy_present(device, slot, err);
	} else {
		if (!defined) *unknown = slot->name;
		ok = place_define(&device->shadow, slot, &slot->shadow, err);
	}
	slot->shadow.whole = ok && defined && !(uses & USE_WRITE);
	return ok;
}

static bool place(Device *device, Slot *slot, Err *err) {
	if (slot->shadow.base) return true;
	if (!place_make(&device->shadow, slot, &slot->shadow, false, err)) return false;
	device->shadow_bytes += slot->bytes;
	return true;
}

static bool fill_all(Device *device, const LaunchList *list, bool present, const char **unknown, Err *err) {
	for (size_t i = 0; i < device->slots.len; i++) {
		Slot *slot = &device->slots.data[i];
		if (!slot->live) continue;
		bool named = false;
		for (uint32_t n = 0; n < list->nitems && !named; n++)
			for (SlotUse at = {0}; !named && launch_next_slot(device, &list->items[n].launch, &at);)
				named = at.slot == slot;
		/* What is not passed would be memory to go astray into. */
		if (!named && slot->contents != CONTENTS_DEFINED) shadow_forget(device, slot);
		if (named && (!place(device, slot, err) || !fill(device, list, slot, present, unknown, err))) return false;
	}
	for (size_t i = 0; i < device->slots.len; i++) {
		const Slot *slot = &device->slots.data[i];
		if (slot->live && slot->shadow.base && !slot_write_pointers(device, &device->shadow, slot, true, err))
			return false;
	}
	return true;
}

static bool make_ready(Device *device, const LaunchList *list, bool present, const char **unknown, Err *err) {
	if (!open_shadow(device, err)) return false;
	if (device->shadow_bytes > MOST_KEPT)
		for (size_t i = 0; i < device->slots.len; i++) shadow_forget(device, &device->slots.data[i]);
	for (uint32_t n = 0; n < list->nitems; n++) {
		const LaunchItem *item = &list->items[n];
		if (!is_launch(item)) return library_missing(item->library.routine, err);
		if (!load_module(device, item->launch.kernel->module, err) ||
			!variables_fill_shadow(device, item->launch.kernel->module, present, err))
			return false;
	}
	if (!fill_all(device, list, present, unknown, err)) return false;
	for (uint32_t n = 0; n < list->nitems; n++)
		if (!variables_point_in_shadow(device, list->items[n].launch.kernel->module, err)) return false;
	return true;
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static bool submit(Device *device, const LaunchList *list, const Ask *ask, Arena *arena, Report *out, Err *err) {
	const Submission s = list_prepare(device, list, ask, true, arena);
	if (!list_submit(device->shadow.backend, list, s, arena, out, err)) return false;
	if (out->outcome.status == LAUNCH_FAULT) fault_find_element(device, &out->outcome.fault, true);
	return true;
}

bool shadow_submit(Device *device, const LaunchList *list, const Ask *ask, bool present, Arena *arena, Report *out,
				   const char **unknown, Err *err) {
	*unknown = NULL;
	const bool ok = make_ready(device, list, present, unknown, err) && submit(device, list, ask, arena, out, err);
	/* After a fault nothing there is what it was. */
	if (!ok || out->outcome.status != LAUNCH_OK)
		for (size_t i = 0; i < device->slots.len; i++) shadow_forget(device, &device->slots.data[i]);
	return ok;
}
