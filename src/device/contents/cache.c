/* contents.h: the fill cache. A lab's buffers are filled again before every run; made on the host and sent, 64 MB take
 * 70 ms, copied on an H200 0.03 ms. */
#include "device/contents/contents.h"

enum { SHARE = 16 }; /* of the device's memory that may hold such contents */

static const CachedFill *find(const Device *device, const Slot *slot) {
	for (size_t i = 0; i < device->cache.len; i++) {
		const CachedFill *c = &device->cache.data[i];
		if (c->type == slot->type && c->count == slot->count && same_define(c->define, slot->define)) return c;
	}
	return NULL;
}

/* Worth it for what has to be made element by element, where the device can copy and is not reached from here. */
bool cache_possible(const Device *device, const Slot *slot) {
	const Backend *b = device->main.backend;
	const bool made = slot->define.kind == DEFINE_IOTA || slot->define.kind == DEFINE_RANDOM;
	return made && !b->shares && b->ops->restart && device->info.can & CAN_TIME && !slot->mapped && !slot->texture &&
		   slot->bytes <= device->info.memory_bytes / SHARE / 2;
}

void cache_drop(Device *device) {
	for (size_t i = 0; i < device->cache.len; i++)
		backend_free(device->main.backend, (Number){device->cache.data[i].addr}, NULL, NULL);
	cache_lost(device);
}

void cache_lost(Device *device) {
	device->cache.len = 0;
	device->cache_bytes = 0;
}

static const CachedFill *keep(Device *device, const Slot *slot, Err *err) {
	CachedFill c = {.type = slot->type, .count = slot->count, .define = slot->define};
	Number addr;
	if (device->cache_bytes + slot->bytes > device->info.memory_bytes / SHARE) cache_drop(device);
	const Alloc request = {.bytes = slot->bytes, .name = "contents kept to fill from", .shared = NOT_SHARED};
	if (!backend_alloc(device->main.backend, request, &addr, err)) return NULL;
	c.addr = addr.value;
	if (!place_define(&device->main, slot, &(Place){.base = c.addr, .addr = c.addr}, err)) {
		if (backend_alive(device->main.backend)) backend_free(device->main.backend, addr, NULL, NULL);
		return NULL;
	}
	vec_push(&device->cache, c);
	device->cache_bytes += slot->bytes;
	return &vec_last(&device->cache);
}

bool cache_fill(Device *device, const Slot *slot, Err *err) {
	Backend *b = device->main.backend;
	Report report = {0};
	if (!backend_has_library(b, (LibraryRequest){LIBRARY_MEMCPY}, NULL, NULL)) return false;
	const CachedFill *c = find(device, slot);
	if (!c) c = keep(device, slot, err);
	if (!c) return false;
	const BackendItem copy = {.call = {.routine = LIBRARY_MEMCPY,
									   .addrs = {slot->place.addr, c->addr},
									   .bytes = slot->bytes,
									   .timeout_ms = DEVICE_TIMEOUT_GPU_MS}};
	return backend_submit(b, (Submission){.ask.mode = MODE_RUN, .items = &copy, .nitems = 1}, &report, err) &&
		   report.outcome.status == LAUNCH_OK;
}
