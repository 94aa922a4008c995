/* device.h: buffers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "device/contents/contents.h"
#include "device/transfer.h"

/* --- making ------------------------------------------------------------------------------------------------------- */

static bool make_place(Device *device, Slot *slot, Err *err) {
	bool ok = place_make(&device->main, slot, &slot->place, false, err);
	if (ok || !device->cache.len || !device_works(device)) return ok;
	cache_drop(device); /* what is only kept makes room */
	return place_make(&device->main, slot, &slot->place, false, err);
}

static bool make_filled(Device *device, Slot *slot, Err *err) {
	return device_ready(device, err) && make_place(device, slot, err) &&
		   place_define(&device->main, slot, &slot->place, err);
}

/* With a dead worker its memory is gone, but for the part that is shared. */
static void drop_place(Device *device, Slot *slot) {
	if (device_works(device) || device->main.backend->shares)
		place_drop(&device->main, slot, &slot->place);
	else
		slot->place = (Place){0};
}

static bool make_buffer(Device *device, ElemType type, size_t count, const char *name, Define define, bool mapped,
						uint64_t at, Buffer *out, Err *err) {
	size_t bytes;
	if (count == 0) return err_set(err, ERR_USAGE, "a buffer needs at least one element");
	if (__builtin_mul_overflow(count, elem_bytes(type), &bytes) || bytes > SIZE_MAX / 2 - GUARD_BEFORE - GUARD_AFTER)
		return err_set(err, ERR_USAGE, "%zu elements of %s are more than any memory holds", count, elem_name(type));
	if (!device_ready(device, err)) return false;

	Slot *slot = slot_take(device);
	slot->type = type;
	slot->count = count;
	slot->bytes = bytes;
	slot->define = define;
	slot->mapped = mapped;
	slot->at = at;
	slot->place = (Place){0};
	if (name && *name)
		snprintf(slot->name, sizeof slot->name, "%s", name);
	else
		snprintf(slot->name, sizeof slot->name, "buffer %u", slot_handle(device, slot).slot);
	bool ok = make_filled(device, slot, err);
	if (!ok && device_try_again(device, err)) {
		drop_place(device, slot);
		ok = make_filled(device, slot, err);
	}
	if (!ok) {
		drop_place(device, slot);
		slot_release(device, slot);
		return false;
	}
	slot->live = true;
	*out = slot_handle(device, slot);
	return true;
}

bool device_buffer(Device *device, ElemType type, size_t count, const char *name, Define define, Buffer *out,
				   Err *err) {
	return make_buffer(device, type, count, name, define, false, 0, out, err);
}

bool device_buffer_mapped(Device *device, ElemType type, size_t count, const char *name, Define define, Buffer *out,
						  Err *err) {
	return make_buffer(device, type, count, name, define, true, 0, out, err);
}

bool device_buffer_at(Device *device, uint64_t address, ElemType type, size_t count, const char *name, Define define,
					  Buffer *out, Err *err) {
	if (!device->main.backend->shares)
		return err_set(err, ERR_USAGE, "only an emulator has buffers at addresses of the caller's choice");
	return make_buffer(device, type, count, name, define, false, address, out, err);
}

bool device_free(Device *device, Buffer buffer, Err *err) {
	Slot *slot = slot_get(device, buffer, err);
	if (!slot) return false;
	if (slot->at) {
		FreedAt freed = {.at = slot->at, .bytes = slot->bytes};
		memcpy(freed.name, slot->name, sizeof freed.name);
		vec_push(&device->freed, freed);
	}
	shadow_forget(device, slot);
	drop_place(device, slot);
	slot_release(device, slot);
	return true;
}

/* --- contents ----------------------------------------------------------------------------------------------------- */

static bool fill(Device *device, Slot *slot, bool again, Err *err) {
	if (!device_ready(device, err)) return false;
	/* What is filled a second time will be filled a third time: that is worth memory. */
	if (again && cache_possible(device, slot) && cache_fill(device, slot, NULL)) return true;
	return device_ready(device, err) && place_define(&device->main, slot, &slot->place, err);
}

/* The new definition stands whatever happens now: filling again would fill by it. */
bool device_define(Device *device, Buffer buffer, Define define, Err *err) {
	Slot *slot = slot_get(device, buffer, err);
	if (!slot || !slot_is_plain(slot, err) || !device_ready(device, err)) return false;
	const bool again = same_define(slot->define, define);
	slot_changes(device, slot);
	if (!again) shadow_forget(device, slot);
	free(slot->copy);
	slot->copy = NULL;
	slot->npointers = 0;
	slot->uploaded.len = 0;
	slot->define = define;
	slot->contents = CONTENTS_DEFINED;
	bool ok = fill(device, slot, again, err);
	if (!ok && device_try_again(device, err)) ok = fill(device, slot, false, err);
	slot->contents = ok ? CONTENTS_DEFINED : CONTENTS_STALE;
	return ok;
}

static bool in_range(const Slot *slot, size_t first, size_t count, Err *err) {
	if (first <= slot->count && count <= slot->count - first) return true;
	err_set(err, ERR_USAGE, "elements %zu to %zu of '%s', which has %zu", first, first + count, slot->name,
			slot->count);
	return err_hint(err, "indices start at 0 and end at %zu", slot->count - 1);
}

/* Which bytes of a buffer that was never filled are data. */
static void remember_range(Slot *slot, size_t at, size_t bytes) {
	const size_t n = slot->uploaded.len;
	Gap *last = n ? &slot->uploaded.data[n - 1] : NULL;
	const bool unfilled = slot->contents == CONTENTS_DEFINED && (n || slot->define.kind == DEFINE_SENTINEL);
	if (!unfilled || bytes == slot->bytes || n == MOST_UPLOADED)
		slot->uploaded.len = 0;
	else if (last && last->at + last->bytes == at)
		last->bytes += bytes;
	else
		vec_push(&slot->uploaded, ((Gap){at, bytes}));
}

/* Once its own data was put into it, a buffer is defined by data; a copy is kept where the device could lose it. */
static void remember(Device *device, Slot *slot, size_t first, const void *elements, size_t count) {
	const Backend *b = device->main.backend;
	const size_t size = elem_bytes(slot->type);
	const bool whole = count == slot->count;
	shadow_forget(device, slot);
	slot_forget_pointers(slot, first * size, (first + count) * size);
	remember_range(slot, first * size, count * size);
	if (whole) slot->contents = CONTENTS_DEFINED;
	if (slot->contents == CONTENTS_DEFINED && b->ops->restart && !b->shares) {
		if (!slot->copy) {
			slot->copy = xmalloc(slot->bytes);
			if (!whole) define_elements(slot->define, slot->type, 0, slot->count, slot->copy);
		}
		memcpy(slot->copy + first * size, elements, count * size);
	}
	if (slot->contents == CONTENTS_DEFINED || !b->ops->restart) slot->define = (Define){.kind = DEFINE_DATA};
}

bool device_upload(Device *device, Buffer buffer, size_t first, const void *elements, size_t count, Err *err) {
	Slot *slot = slot_get(device, buffer, err);
	if (!slot || !slot_is_plain(slot, err) || !in_range(slot, first, count, err)) return false;
	if (count == 0) return true;
	const Side *side = &device->main;
	const size_t size = elem_bytes(slot->type);
	slot_changes(device, slot);
	const bool ok =
		ON_WORKER(device, err, place_write(side, slot, &slot->place, first * size, elements, count * size, err));
	if (ok)
		remember(device, slot, first, elements, count);
	else if (device_works(device) || device->main.backend->shares)
		slot->contents = CONTENTS_STALE; /* broken off: partly old, partly new */
	return ok;
}

bool device_upload_pointers(Device *device, Buffer buffer, const ArgPointer *pointers, uint32_t n, Err *err) {
	Slot *slot = slot_get(device, buffer, err);
	if (!slot || !slot_is_plain(slot, err)) return false;
	for (uint32_t i = 0; i < n; i++) {
		const Slot *to = slot_get(device, pointers[i].buffer, err);
		if (!to) return false;
		if (pointers[i].at > slot->bytes || slot->bytes - pointers[i].at < 8 || pointers[i].offset > to->bytes)
			return err_set(err, ERR_USAGE, "a pointer at byte %zu of '%s', which has %zu bytes", pointers[i].at,
						   slot->name, slot->bytes);
	}
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t addr = slot_get(device, pointers[i].buffer, NULL)->place.addr + pointers[i].offset;
		if (!device_upload(device, buffer, pointers[i].at / elem_bytes(slot->type), &addr, 8 / elem_bytes(slot->type),
						   err))
			return false;
		slot->pointers = xrealloc(slot->pointers, (slot->npointers + 1) * sizeof *slot->pointers);
		slot->pointers[slot->npointers++] = pointers[i];
	}
	return true;
}

bool device_download(Device *device, Buffer buffer, size_t first, void *elements, size_t count, Err *err) {
	Slot *slot = slot_get(device, buffer, err);
	if (!slot || !in_range(slot, first, count, err)) return false;
	const Side *side = &device->main;
	const size_t size = elem_bytes(slot->type);
	return ON_WORKER(device, err,
					 slot_not_stale(slot, err) &&
						 place_read(side, slot, &slot->place, first * size, elements, count * size, err));
}

const void *device_look(Device *device, Buffer buffer, size_t first, size_t count, void *room, Err *err) {
	Slot *slot = slot_get(device, buffer, err);
	if (!slot || !in_range(slot, first, count, err)) return NULL;
	Backend *b = device->main.backend;
	const size_t size = elem_bytes(slot->type), bytes = count * size;
	if (bytes <= LOOK_BYTES && !slot->texture && b->ops->look && device_ready(device, err) &&
		slot->contents != CONTENTS_STALE) {
		const void *there = b->ops->look(b, slot->place.addr + first * size, bytes, err);
		if (there) return there;
		if (err) *err = (Err)ERR_INIT; /* a worker that died, say: the long way reports it, or tries again */
	}
	return device_download(device, buffer, first, room, count, err) ? room : NULL;
}

bool device_buffer_info(const Device *device, Buffer buffer, BufferInfo *out, Err *err) {
	const Slot *slot = slot_get(device, buffer, err);
	if (!slot) return false;
	*out = (BufferInfo){.type = slot->type,
						.count = slot->count,
						.stale = slot->contents == CONTENTS_STALE,
						.written = slot->contents == CONTENTS_WRITTEN,
						.mapped = slot->mapped};
	snprintf(out->name, sizeof out->name, "%s", slot->name);
	return true;
}
