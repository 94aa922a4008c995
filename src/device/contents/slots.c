/* contents.h: slots, and the handles that name them. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "device/contents/contents.h"

void (*device_waiting)(const char *text);

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

Slot *slot_take(Device *device) {
	const OrderedEntry *unused = ordered_first(&device->unused);
	const size_t i = unused ? unused->key : device->slots.len;
	if (unused) ordered_remove(&device->unused, i);
	if (i == device->slots.len) vec_push(&device->slots, (Slot){.generation = 1});
	assert(i < device->slots.len);
	Slot *slot = &device->slots.data[i];
	assert(!slot->live && slot->generation && !slot->copy && !slot->texture && !slot->pointers);
	*slot = (Slot){.generation = slot->generation};
	return slot;
}

void slot_release(Device *device, Slot *slot) {
	assert(slot >= device->slots.data && slot < device->slots.data + device->slots.len);
	ordered_at(&device->unused, (size_t)(slot - device->slots.data));
	free(slot->copy);
	free(slot->texture);
	free(slot->pointers);
	vec_free(&slot->uploaded);
	const uint32_t next = slot->generation + 1;
	*slot = (Slot){.generation = next ? next : 1};
}

Buffer slot_handle(const Device *device, const Slot *slot) {
	return (Buffer){.slot = (uint32_t)(slot - device->slots.data), .generation = slot->generation};
}

bool slot_not_stale(const Slot *slot, Err *err) {
	if (slot->contents != CONTENTS_STALE) return true;
	err_set(err, ERR_FAULT, "stale: '%s' lost its contents when the worker crashed", slot->name);
	return err_hint(err, "fill it again, or run the kernel that wrote it again");
}

bool slot_is_plain(const Slot *slot, Err *err) {
	if (!slot->texture) return true;
	err_set(err, ERR_USAGE, "'%s' is a texture", slot->name);
	return err_hint(err, "fill the buffer it was made from, then update the texture: t:update()");
}

bool same_define(Define a, Define b) {
	return a.kind == b.kind && a.value == b.value && a.seed == b.seed;
}

const Gpu *emulated_gpu(const Device *device) {
	return device->info.gpu ? device->info.gpu : gpu_nearest(device->info.cc);
}

/* --- elements ----------------------------------------------------------------------------------------------------- */

void fault_name_element(Fault *fault, const Slot *slot) {
	fault->elem_bytes = (uint32_t)elem_bytes(slot->type);
	snprintf(fault->elem_type, sizeof fault->elem_type, "%s", elem_name(slot->type));
	snprintf(fault->buffer, sizeof fault->buffer, "%s", slot->name);
	fault->buffer_bytes = slot->bytes;
}

void fault_find_element(const Device *device, Fault *fault, bool shadow) {
	const uint64_t first = fault->address - (uint64_t)fault->offset;
	if (!*fault->buffer) return;
	for (size_t i = 0; i < device->slots.len; i++) {
		const Slot *slot = &device->slots.data[i];
		const Place *place = shadow ? &slot->shadow : &slot->place;
		if (slot->live && place->base && place->addr == first) fault_name_element(fault, slot);
	}
}
