/* internal.h: contents kept on the device, so that a buffer is filled a second time by a copy there. A lab's buffers are filled
 * anew before every run; made on the host and sent, 64 MB take 70 ms, copied on an H200 0.03 ms. */
#include "device/internal.h"

enum { SHARE = 16 }; /* of the device's memory that may hold such contents */

static bool same(const Pristine *p, const Slot *slot) {
	return p->type == slot->type && p->count == slot->count && p->define.kind == slot->define.kind &&
		   p->define.value == slot->define.value && p->define.seed == slot->define.seed;
}

static const Pristine *find(const Device *device, const Slot *slot) {
	for (size_t i = 0; i < device->pristine.len; i++)
		if (same(&device->pristine.data[i], slot)) return &device->pristine.data[i];
	return NULL;
}

/* Worth it for what has to be made element by element, where the device can copy and would lose what it holds. */
bool pristine_possible(const Device *device, const Slot *slot) {
	const BackendOps *ops = device->backend->ops;
	const bool made = slot->define.kind == DEFINE_IOTA || slot->define.kind == DEFINE_RANDOM;
	return made && ops->restart && ops->library && ops->has_library && !slot->mapped && !slot->texture &&
		   slot->bytes <= device->info.memory_bytes / SHARE / 2;
}

void pristine_drop(Device *device) {
	for (size_t i = 0; i < device->pristine.len; i++)
		device->backend->ops->free(device->backend, device->pristine.data[i].addr, NULL);
	pristine_lost(device);
}

void pristine_lost(Device *device) {
	device->pristine.len = 0;
	device->pristine_bytes = 0;
}

static const Pristine *keep(Device *device, const Slot *slot, Err *err) {
	Pristine p = {.type = slot->type, .count = slot->count, .define = slot->define};
	Slot there = *slot;
	if (device->pristine_bytes + slot->bytes > device->info.memory_bytes / SHARE) pristine_drop(device);
	if (!device->backend->ops->alloc(device->backend, slot->bytes, "a content kept", &p.addr, err)) return NULL;
	there.addr = p.addr;
	if (!slot_upload_definition(device, &there, err)) {
		if (device_check_alive(device)) device->backend->ops->free(device->backend, p.addr, NULL);
		return NULL;
	}
	vec_push(&device->pristine, p);
	device->pristine_bytes += slot->bytes;
	return &vec_last(&device->pristine);
}

bool pristine_fill(Device *device, const Slot *slot, Err *err) {
	Err local = ERR_INIT;
	LaunchOutcome outcome = {0};
	if (!device->backend->ops->has_library(device->backend, LIBRARY_MEMCPY, &local)) return false;
	const Pristine *p = find(device, slot);
	if (!p) p = keep(device, slot, err);
	if (!p) return false;
	const BackendCall call = {.routine = LIBRARY_MEMCPY,
							  .addrs = {slot->addr, p->addr},
							  .bytes = slot->bytes,
							  .timeout_ms = DEVICE_TIMEOUT_GPU_MS};
	return device->backend->ops->library(device->backend, &call, &outcome, err) && outcome.status == LAUNCH_OK;
}
