/* device.h: buffers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "device/internal.h"
#include "device/transfer.h"

/* --- handles --------------------------------------------------------------------------------------------------------- */

Slot *slot_get(const Device *device, Buffer buffer, Err *err) {
	Slot *slot = buffer.slot < device->slots.len ? &device->slots.data[buffer.slot] : NULL;
	if (slot && slot->live && slot->generation == buffer.generation) return slot;
	if (slot && buffer.generation && buffer.generation < slot->generation)
		err_set(err, ERR_USAGE, "this buffer was freed");
	else
		err_set(err, ERR_USAGE, "this is not a buffer of %s", device->info.name);
	err_hint(err, "make a new one with gpu.buffer");
	return NULL;
}

static uint32_t take_slot(Device *device) {
	for (uint32_t i = 0; i < device->slots.len; i++)
		if (!device->slots.data[i].live) return i;
	vec_push(&device->slots, (Slot){.generation = 1});
	return (uint32_t)device->slots.len - 1;
}

Slot *slot_take(Device *device) {
	const uint32_t index = take_slot(device); /* the slots may move */
	Slot *slot = &device->slots.data[index];
	*slot = (Slot){.generation = slot->generation};
	return slot;
}

void slot_release(Slot *slot) {
	free(slot->copy);
	free(slot->texture);
	uint32_t next = slot->generation + 1;
	*slot = (Slot){.generation = next ? next : 1};
}

bool slot_not_stale(const Slot *slot, Err *err) {
	if (!slot->stale) return true;
	err_set(err, ERR_FAULT, "stale: '%s' lost its content when the worker died", slot->name);
	return err_hint(err, "fill it again, or run again the kernel that wrote it");
}

/* What a finished kernel left in it cannot be made again; everything else can. */
void slot_lost(Slot *slot) {
	if (slot->written) slot->stale = true;
	slot->written = false;
	slot->base = slot->addr = 0;
}

/* --- filling --------------------------------------------------------------------------------------------------------- */

static bool interrupted(Err *err) {
	if (!atomic_load(&device_cancel)) return false;
	err_set(err, ERR_INTERRUPTED, "interrupted");
	return true;
}

static bool upload_pieces(Device *device, uint64_t addr, const uint8_t *data, size_t bytes, Err *err) {
	for (size_t done = 0, n; done < bytes; done += n) {
		n = bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES;
		if (done && interrupted(err)) return false;
		if (!device->backend->ops->upload(device->backend, addr + done, data + done, n, err)) return false;
	}
	return true;
}

bool slot_upload_definition(Device *device, const Slot *slot, Err *err) {
	const size_t size = elem_bytes(slot->type), most = PIECE_BYTES / size;
	uint8_t *piece = xmalloc((slot->count < most ? slot->count : most) * size);
	bool ok = true;
	for (size_t first = 0, n; ok && first < slot->count; first += n) {
		n = slot->count - first < most ? slot->count - first : most;
		define_elements(slot->define, slot->type, first, n, piece);
		ok = !(first && interrupted(err)) &&
			 device->backend->ops->upload(device->backend, slot->addr + first * size, piece, n * size, err);
	}
	free(piece);
	return ok;
}

static bool fill(Device *device, const Slot *slot, Err *err) {
	uint8_t byte;
	if (slot->texture) return !slot->copy || texture_write(device, slot, slot->copy, err);
	if (slot->define.kind == DEFINE_DATA && slot->copy)
		return upload_pieces(device, slot->addr, slot->copy, slot->bytes, err);
	if (define_is_byte(slot->define, slot->type, &byte))
		return device->backend->ops->fill(device->backend, slot->addr, byte, slot->bytes, err);
	return slot_upload_definition(device, slot, err);
}

static bool allocate(Device *device, Slot *slot, Err *err) {
	const BackendOps *ops = device->backend->ops;
	bool (*const alloc)(Backend *, size_t, const char *, uint64_t *, Err *) =
		slot->mapped ? ops->alloc_mapped : ops->alloc;
	uint64_t base;
	if (slot->texture) return texture_allocate(device, slot, err);
	if (!alloc) return err_set(err, ERR_SETUP, "%s cannot map host memory", device->info.name);
	if (device->exact) {
		if (!alloc(device->backend, slot->bytes, slot->name, &base, err)) return false;
		slot->base = slot->addr = base;
		return true;
	}
	const size_t bytes = GUARD_BEFORE + slot->bytes + GUARD_AFTER;
	bool ok = alloc(device->backend, bytes, slot->name, &base, err);
	if (!ok && device->pristine.len && device_check_alive(device)) {
		pristine_drop(device); /* what is only kept makes room */
		ok = alloc(device->backend, bytes, slot->name, &base, err);
	}
	if (!ok) return false;
	slot->base = base;
	slot->addr = base + GUARD_BEFORE;
	return ops->fill(device->backend, base, GUARD_BYTE, GUARD_BEFORE, err) &&
		   ops->fill(device->backend, slot->addr + slot->bytes, GUARD_BYTE, GUARD_AFTER, err);
}

bool slot_fill_again(Device *device, Slot *slot, Err *err) {
	return allocate(device, slot, err) && fill(device, slot, err);
}

/* --- the public face --------------------------------------------------------------------------------------------------- */

static bool make_buffer(Device *device, ElemType type, size_t count, const char *name, Define define, bool mapped,
						Buffer *out, Err *err) {
	Err local = ERR_INIT;
	if (!err) err = &local;
	size_t bytes;
	if (count == 0) return err_set(err, ERR_USAGE, "a buffer needs at least one element");
	if (__builtin_mul_overflow(count, elem_bytes(type), &bytes) || bytes > SIZE_MAX / 2 - GUARD_BEFORE - GUARD_AFTER)
		return err_set(err, ERR_USAGE, "%zu elements of %s are more than any memory holds", count, elem_name(type));
	if (!device_ready(device, err)) return false;

	uint32_t index = take_slot(device);
	Slot *slot = &device->slots.data[index];
	*slot = (Slot){.generation = slot->generation,
				   .type = type,
				   .count = count,
				   .bytes = bytes,
				   .define = define,
				   .mapped = mapped};
	if (name && *name)
		snprintf(slot->name, sizeof slot->name, "%s", name);
	else
		snprintf(slot->name, sizeof slot->name, "buffer %u", index);
	bool ok = slot_fill_again(device, slot, err);
	if (!ok && device_try_again(device, err)) {
		slot->base = slot->addr = 0;
		ok = device_ready(device, err) && slot_fill_again(device, slot, err);
	}
	if (!ok) {
		if (slot->base && device_check_alive(device)) device->backend->ops->free(device->backend, slot->base, NULL);
		slot_release(slot);
		return false;
	}
	slot->live = true;
	*out = (Buffer){.slot = index, .generation = slot->generation};
	return true;
}

bool device_buffer(Device *device, ElemType type, size_t count, const char *name, Define define, Buffer *out,
				   Err *err) {
	return make_buffer(device, type, count, name, define, false, out, err);
}

bool device_buffer_mapped(Device *device, ElemType type, size_t count, const char *name, Define define, Buffer *out,
						  Err *err) {
	return make_buffer(device, type, count, name, define, true, out, err);
}

bool device_free(Device *device, Buffer buffer, Err *err) {
	Slot *slot = slot_get(device, buffer, err);
	if (!slot) return false;
	if (device_check_alive(device) && slot->base) {
		if (slot->texture)
			texture_give_back(device, slot);
		else
			device->backend->ops->free(device->backend, slot->base, NULL);
	}
	slot_release(slot); /* with a dead worker its memory is gone anyway */
	return true;
}

bool slot_is_plain(const Slot *slot, Err *err) {
	if (!slot->texture) return true;
	err_set(err, ERR_USAGE, "'%s' is a texture", slot->name);
	return err_hint(err, "give the buffer it was made of, then update the texture: t:update()");
}

/* The new definition stands whatever happens now: filling again would fill by it. */
bool device_define(Device *device, Buffer buffer, Define define, Err *err) {
	Err local = ERR_INIT;
	if (!err) err = &local;
	Slot *slot = slot_get(device, buffer, err);
	if (!slot || !slot_is_plain(slot, err) || !device_ready(device, err)) return false;
	const bool again =
		slot->define.kind == define.kind && slot->define.value == define.value && slot->define.seed == define.seed;
	free(slot->copy);
	slot->copy = NULL;
	slot->define = define;
	slot->written = false;
	/* What is filled a second time will be filled a third time: that is worth memory. */
	bool ok =
		again && device_ready(device, err) && pristine_possible(device, slot) && pristine_fill(device, slot, NULL);
	ok = ok || (device_ready(device, err) && fill(device, slot, err));
	if (!ok && device_try_again(device, err)) ok = device_ready(device, err) && fill(device, slot, err);
	slot->stale = !ok;
	return ok;
}

static bool in_range(const Slot *slot, size_t first, size_t count, Err *err) {
	if (first <= slot->count && count <= slot->count - first) return true;
	err_set(err, ERR_USAGE, "elements %zu to %zu of '%s', which has %zu", first, first + count, slot->name,
			slot->count);
	return err_hint(err, "indices start at 0 and end at %zu", slot->count - 1);
}

/* Keeps what was uploaded where the device could lose it. A part of a buffer becomes a part of its definition, which is then
 * held as data; but not where a kernel has written since: definition and content have parted then. */
static void remember(const Device *device, Slot *slot, size_t first, const void *elements, size_t count) {
	const size_t size = elem_bytes(slot->type);
	const bool whole = count == slot->count;
	if (whole) slot->written = slot->stale = false;
	if (!device->backend->ops->restart) {
		slot->define = (Define){.kind = DEFINE_DATA};
		return;
	}
	if (slot->written || slot->stale) return;
	if (!slot->copy) {
		slot->copy = xmalloc(slot->bytes);
		if (!whole) define_elements(slot->define, slot->type, 0, slot->count, slot->copy);
	}
	slot->define = (Define){.kind = DEFINE_DATA};
	memcpy(slot->copy + first * size, elements, count * size);
}

bool device_upload(Device *device, Buffer buffer, size_t first, const void *elements, size_t count, Err *err) {
	Err local = ERR_INIT;
	if (!err) err = &local;
	Slot *slot = slot_get(device, buffer, err);
	if (!slot || !slot_is_plain(slot, err) || !in_range(slot, first, count, err)) return false;
	if (count == 0) return true;
	if (!device_ready(device, err)) return false;
	const size_t size = elem_bytes(slot->type);
	bool ok =
		device_ready(device, err) && upload_pieces(device, slot->addr + first * size, elements, count * size, err);
	if (!ok && device_try_again(device, err))
		ok = device_ready(device, err) && upload_pieces(device, slot->addr + first * size, elements, count * size, err);
	if (ok)
		remember(device, slot, first, elements, count);
	else if (device_check_alive(device))
		slot->stale = true; /* broken off: partly old, partly new */
	return ok;
}

static bool download_texture(Device *device, const Slot *slot, size_t offset, uint8_t *data, size_t bytes, Err *err) {
	uint8_t *all = xmalloc(slot->bytes);
	bool ok = texture_read(device, slot, all, err);
	if (ok) memcpy(data, all + offset, bytes);
	free(all);
	return ok;
}

static bool download_pieces(Device *device, const Slot *slot, size_t offset, uint8_t *data, size_t bytes, Err *err) {
	if (!slot_not_stale(slot, err)) return false;
	if (slot->texture) return download_texture(device, slot, offset, data, bytes, err);
	for (size_t done = 0, n; done < bytes; done += n) {
		n = bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES;
		if (done && interrupted(err)) return false;
		if (!device->backend->ops->download(device->backend, slot->addr + offset + done, data + done, n, err))
			return false;
	}
	return true;
}

bool device_download(Device *device, Buffer buffer, size_t first, void *elements, size_t count, Err *err) {
	Err local = ERR_INIT;
	if (!err) err = &local;
	Slot *slot = slot_get(device, buffer, err);
	if (!slot || !in_range(slot, first, count, err)) return false;
	const size_t size = elem_bytes(slot->type);
	bool ok = device_ready(device, err) && download_pieces(device, slot, first * size, elements, count * size, err);
	if (!ok && device_try_again(device, err))
		ok = device_ready(device, err) && download_pieces(device, slot, first * size, elements, count * size, err);
	return ok;
}

const void *device_look(Device *device, Buffer buffer, size_t first, size_t count, void *room, Err *err) {
	Err local = ERR_INIT;
	if (!err) err = &local;
	Slot *slot = slot_get(device, buffer, err);
	if (!slot || !in_range(slot, first, count, err)) return NULL;
	const size_t size = elem_bytes(slot->type), bytes = count * size;
	if (bytes <= LOOK_BYTES && !slot->texture && !slot->stale && device->backend->ops->look &&
		device_ready(device, err) && !slot->stale) {
		const void *there = device->backend->ops->look(device->backend, slot->addr + first * size, bytes, err);
		if (there) return there;
		*err = (Err)ERR_INIT; /* a worker that died, say: the long way tells, or tries again */
	}
	return device_download(device, buffer, first, room, count, err) ? room : NULL;
}

bool device_buffer_info(const Device *device, Buffer buffer, BufferInfo *out, Err *err) {
	const Slot *slot = slot_get(device, buffer, err);
	if (!slot) return false;
	*out = (BufferInfo){.type = slot->type,
						.count = slot->count,
						.stale = slot->stale,
						.written = slot->written,
						.mapped = slot->mapped};
	snprintf(out->name, sizeof out->name, "%s", slot->name);
	return true;
}

/* --- guards ------------------------------------------------------------------------------------------------------------ */

/* The damage nearest to the elements: scanned away from them. */
static bool nearest_damage(const uint8_t *guard, size_t bytes, bool backwards, size_t *distance) {
	for (size_t i = 0; i < bytes; i++) {
		if (guard[backwards ? bytes - 1 - i : i] == GUARD_BYTE) continue;
		*distance = i;
		return true;
	}
	return false;
}

bool slot_check_guards(Device *device, Slot *slot, bool *damaged, int64_t *offset, Err *err) {
	const BackendOps *ops = device->backend->ops;
	Backend *b = device->backend;
	uint8_t guard[GUARD_AFTER];
	const uint64_t end = slot->addr + slot->bytes;
	size_t distance;

	*damaged = false;
	if (device->exact || slot->texture) return true;
	if (!ops->download(b, slot->base, guard, GUARD_BEFORE, err)) return false;
	if (nearest_damage(guard, GUARD_BEFORE, true, &distance)) {
		*damaged = true;
		*offset = -1 - (int64_t)distance;
		if (!ops->fill(b, slot->base, GUARD_BYTE, GUARD_BEFORE, err)) return false;
	}
	if (!ops->download(b, end, guard, GUARD_AFTER, err)) return false;
	if (nearest_damage(guard, GUARD_AFTER, false, &distance)) {
		*damaged = true;
		*offset = (int64_t)(slot->bytes + distance);
		if (!ops->fill(b, end, GUARD_BYTE, GUARD_AFTER, err)) return false;
	}
	return true;
}
