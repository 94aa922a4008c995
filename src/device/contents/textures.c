/* device.h: textures and surfaces. One is a slot like a buffer's whose memory is the backend's texture. */
#include <stdio.h>
#include <stdlib.h>

#include "device/contents/contents.h"

static bool fits(const TextureDesc *desc, const Slot *from, Err *err) {
	if (from->texture) return err_set(err, ERR_USAGE, "a texture is made from a buffer, not from another texture");
	if (from->type != desc->type)
		return err_set(err, ERR_USAGE, "'%s' holds %s, the texture %s", from->name, elem_name(from->type),
					   elem_name(desc->type));
	if (from->count == texture_count(desc)) return true;
	err_set(err, ERR_USAGE, "'%s' has %zu elements, the texture %zu", from->name, from->count, texture_count(desc));
	return err_hint(err, "width times height (times depth, layers, six faces, and channels) is the number of elements");
}

/* The buffer's contents go into the texture on the device, and into our copy where the device could lose its own. */
static bool copy_from(Device *device, Slot *slot, Buffer buffer, Err *err) {
	const Side *side = &device->main;
	const Slot *from = slot_get(device, buffer, err);
	if (!from || !slot_not_stale(from, err)) return false;
	uint8_t *copy = side->backend->ops->restart ? xmalloc(slot->bytes) : NULL;
	if ((copy && !place_read(side, from, &from->place, 0, copy, slot->bytes, err)) ||
		!backend_texture_copy(side->backend, (TextureCopy){slot->place.base, from->place.addr, true}, NULL, err)) {
		free(copy);
		return false;
	}
	free(slot->copy);
	slot->copy = copy;
	return true;
}

static bool make(Device *device, Slot *slot, Buffer from, Err *err) {
	slot->place = (Place){0};
	return place_make(&device->main, slot, &slot->place, false, err) && copy_from(device, slot, from, err);
}

bool device_texture(Device *device, const TextureDesc *desc, Buffer from, const char *name, Buffer *out, Err *err) {
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
	if (!ON_WORKER(device, err, make(device, slot, from, err))) {
		if (device_works(device)) place_drop(&device->main, slot, &slot->place);
		slot_release(device, slot);
		return false;
	}
	slot->live = true;
	*out = slot_handle(device, slot);
	return true;
}

bool device_texture_update(Device *device, Buffer texture, Buffer from, Err *err) {
	Slot *slot = slot_get(device, texture, err);
	const Slot *source = slot ? slot_get(device, from, err) : NULL;
	if (!source) return false;
	if (!slot->texture) return err_set(err, ERR_USAGE, "'%s' is not a texture", slot->name);
	if (!fits(slot->texture, source, err)) return false;
	slot_changes(device, slot);
	if (!ON_WORKER(device, err, copy_from(device, slot, from, err))) return false;
	shadow_forget(device, slot);
	slot->contents = CONTENTS_DEFINED;
	return true;
}
