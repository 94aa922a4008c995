/* device.h: buffers that hold addresses of buffers. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "device/internal.h"

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
