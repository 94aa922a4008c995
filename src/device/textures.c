/* device.h: textures and surfaces. One is a slot like a buffer's whose memory is the backend's texture: `base` is its number there,
 * `addr` what a kernel takes for it. Its content goes to and fro by way of a piece of plain memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "device/internal.h"

bool texture_allocate(Device *device, Slot *slot, Err *err) {
	const BackendOps *ops = device->backend->ops;
	if (!ops->texture) return err_set(err, ERR_SETUP, "%s has no textures", device->info.name);
	return ops->texture(device->backend, slot->texture, slot->name, &slot->base, &slot->addr, err);
}

void texture_give_back(Device *device, const Slot *slot) {
	device->backend->ops->texture_free(device->backend, slot->base, NULL);
}

/* --- content ---------------------------------------------------------------------------------------------------------- */

/* Memory of the device to stand in between; 0 with err. */
static uint64_t between(Device *device, const Slot *slot, Err *err) {
	uint64_t addr = 0;
	return device->backend->ops->alloc(device->backend, slot->bytes, slot->name, &addr, err) ? addr : 0;
}

static bool pieces(Device *device, uint64_t addr, uint8_t *data, size_t bytes, bool up, Err *err) {
	const BackendOps *ops = device->backend->ops;
	for (size_t done = 0, n; done < bytes; done += n) {
		n = bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES;
		if (done && atomic_load(&device_cancel)) return err_set(err, ERR_INTERRUPTED, "interrupted");
		if (!(up ? ops->upload(device->backend, addr + done, data + done, n, err)
				 : ops->download(device->backend, addr + done, data + done, n, err)))
			return false;
	}
	return true;
}

bool texture_write(Device *device, const Slot *slot, const uint8_t *data, Err *err) {
	const BackendOps *ops = device->backend->ops;
	const uint64_t addr = between(device, slot, err);
	if (!addr) return false;
	bool ok = pieces(device, addr, (uint8_t *)data, slot->bytes, true, err) &&
			  ops->texture_copy(device->backend, slot->base, addr, true, err);
	ops->free(device->backend, addr, NULL);
	return ok;
}

bool texture_read(Device *device, const Slot *slot, uint8_t *data, Err *err) {
	const BackendOps *ops = device->backend->ops;
	const uint64_t addr = between(device, slot, err);
	if (!addr) return false;
	bool ok = ops->texture_copy(device->backend, slot->base, addr, false, err) &&
			  pieces(device, addr, data, slot->bytes, false, err);
	ops->free(device->backend, addr, NULL);
	return ok;
}

/* --- making, updating --------------------------------------------------------------------------------------------------- */

static bool fits(const TextureDesc *desc, const Slot *from, Err *err) {
	if (from->texture) return err_set(err, ERR_USAGE, "a texture is made of a buffer, not of another texture");
	if (from->type != desc->type)
		return err_set(err, ERR_USAGE, "'%s' holds %s, the texture %s", from->name, elem_name(from->type),
					   elem_name(desc->type));
	if (from->count == texture_count(desc)) return true;
	err_set(err, ERR_USAGE, "'%s' has %zu elements, the texture %zu", from->name, from->count, texture_count(desc));
	return err_hint(err, "width times height (times depth or layers, times channels) is the number of elements");
}

/* The buffer's content goes into the texture on the device, and into our copy where the device could lose its own. */
static bool copy_from(Device *device, Slot *slot, Buffer buffer, Err *err) {
	const BackendOps *ops = device->backend->ops;
	const Slot *from = slot_get(device, buffer, err);
	if (!from || !slot_not_stale(from, err)) return false;
	uint8_t *copy = ops->restart ? xmalloc(slot->bytes) : NULL;
	if ((copy && !pieces(device, from->addr, copy, slot->bytes, false, err)) ||
		!ops->texture_copy(device->backend, slot->base, from->addr, true, err)) {
		free(copy);
		return false;
	}
	free(slot->copy);
	slot->copy = copy;
	return true;
}

static bool make(Device *device, Slot *slot, Buffer from, Err *err) {
	return device_ready(device, err) && texture_allocate(device, slot, err) && copy_from(device, slot, from, err);
}

bool device_texture(Device *device, const TextureDesc *desc, Buffer from, const char *name, Buffer *out, Err *err) {
	Err local = ERR_INIT;
	if (!err) err = &local;
	const Slot *source = slot_get(device, from, err);
	if (!source || !texture_check(desc, err) || !fits(desc, source, err)) return false;
	Slot *slot = slot_take(device);
	slot->texture = xmalloc(sizeof *desc);
	*slot->texture = *desc;
	slot->type = desc->type;
	slot->count = texture_count(desc);
	slot->bytes = texture_bytes(desc);
	slot->define = (Define){.kind = DEFINE_DATA};
	source = slot_get(device, from, NULL); /* slots may have moved */
	if (name && *name)
		snprintf(slot->name, sizeof slot->name, "%s", name);
	else
		snprintf(slot->name, sizeof slot->name, "%.50s's %s", source->name, desc->surface ? "surface" : "texture");
	bool ok = make(device, slot, from, err);
	if (!ok && device_try_again(device, err)) {
		slot->base = slot->addr = 0;
		ok = make(device, slot, from, err);
	}
	if (!ok) {
		if (slot->base && device_check_alive(device)) texture_give_back(device, slot);
		slot_release(slot);
		return false;
	}
	slot->live = true;
	*out = (Buffer){.slot = (uint32_t)(slot - device->slots.data), .generation = slot->generation};
	return true;
}

static bool update(Device *device, Slot *slot, Buffer from, Err *err) {
	return device_ready(device, err) && copy_from(device, slot, from, err);
}

bool device_texture_update(Device *device, Buffer texture, Buffer from, Err *err) {
	Err local = ERR_INIT;
	if (!err) err = &local;
	Slot *slot = slot_get(device, texture, err);
	const Slot *source = slot ? slot_get(device, from, err) : NULL;
	if (!source) return false;
	if (!slot->texture) return err_set(err, ERR_USAGE, "'%s' is no texture", slot->name);
	if (!fits(slot->texture, source, err)) return false;
	bool ok = update(device, slot, from, err);
	if (!ok && device_try_again(device, err)) ok = update(device, slot, from, err);
	if (ok) slot->written = slot->stale = false;
	return ok;
}
