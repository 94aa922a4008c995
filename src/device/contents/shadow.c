/* contents.h: the shadow device. It is an emulator of the device's own generation that holds the buffers launches are
 * given, filled with what the device holds now, or with what they were defined as. What a launch did not change stays
 * there for the next one. */

#include "device/contents/contents.h"
#include "device/contents/uses.h"

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

bool shadow_open(Device *device, Err *err) {
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

bool shadow_load(Device *device, DeviceModule *module, Err *err) {
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
static bool fill(Device *device, Slot *slot, uint8_t uses, bool present, const char **unknown, Err *err) {
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

static bool shadow_place(Device *device, Slot *slot, Err *err) {
	if (slot->shadow.base) return true;
	if (!place_make(&device->shadow, slot, &slot->shadow, false, err)) return false;
	device->shadow_bytes += slot->bytes;
	return true;
}

bool shadow_hold(Device *device, Slot *slot, uint8_t uses, bool present, const char **unknown, Err *err) {
	return shadow_place(device, slot, err) && fill(device, slot, uses, present, unknown, err);
}

void shadow_make_room(Device *device) {
	if (device->shadow_bytes > MOST_KEPT) shadow_forget_all(device);
}

void shadow_forget_all(Device *device) {
	for (size_t i = 0; i < device->slots.len; i++) shadow_forget(device, &device->slots.data[i]);
}
