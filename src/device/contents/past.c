/* contents.h: what buffers held before, for those that were launched with it (device/inputs.h). */
#include <stdlib.h>

#include "device/contents/contents.h"

bool slot_is_defined(const Slot *slot) {
	return slot->contents == CONTENTS_DEFINED && slot->define.kind != DEFINE_DATA && !slot->texture && !slot->npointers;
}

static Past *find(const Device *device, const Slot *slot) {
	const Buffer buffer = slot_handle(device, slot);
	for (size_t i = device->past.len; i-- > 0;) {
		Past *p = device->past.data[i];
		if (p->buffer.slot == buffer.slot && p->buffer.generation == buffer.generation && p->version == slot->version)
			return p;
	}
	return NULL;
}

Past *past_of(Device *device, const Slot *slot) {
	Past *p = find(device, slot);
	if (!p) {
		p = xcalloc(1, sizeof *p);
		*p = (Past){.buffer = slot_handle(device, slot),
					.version = slot->version,
					.bytes = slot->bytes,
					.defined = slot_is_defined(slot),
					.define = slot->define};
		vec_push(&device->past, p);
	}
	p->users++;
	return p;
}

static void drop_copy(Device *device, Past *p) {
	if (p->copy) device->past_bytes -= p->bytes;
	free(p->copy);
	p->copy = NULL;
}

void past_drop(Device *device, Past *past) {
	if (--past->users) return;
	size_t i = 0;
	while (device->past.data[i] != past) i++;
	for (device->past.len--; i < device->past.len; i++) device->past.data[i] = device->past.data[i + 1];
	drop_copy(device, past);
	free(past);
}

void past_forget(Device *device) {
	for (size_t i = 0; i < device->past.len; i++) {
		free(device->past.data[i]->copy);
		free(device->past.data[i]);
	}
	vec_free(&device->past);
}

static void make_room(Device *device, size_t bytes) {
	for (size_t i = 0; i < device->past.len && device->past_bytes + bytes > PAST_ALL_BYTES; i++)
		drop_copy(device, device->past.data[i]);
}

/* Where it cannot be read nothing is kept: whoever wants it is told that it is gone. */
static void copy_contents(Device *device, const Slot *slot, Past *p) {
	if (slot->contents == CONTENTS_STALE || slot->npointers || slot->bytes > PAST_ONE_BYTES) return;
	uint8_t *copy = xmalloc(slot->bytes);
	if (!place_read(&device->main, slot, &slot->place, 0, copy, slot->bytes, NULL)) {
		free(copy);
		return;
	}
	make_room(device, slot->bytes);
	device->past_bytes += slot->bytes;
	p->copy = copy;
}

void slot_changes(Device *device, Slot *slot) {
	if (device->in_past) return;
	Past *p = find(device, slot);
	if (p && !p->defined && !p->copy) copy_contents(device, slot, p);
	slot->version = ++device->versions;
}
