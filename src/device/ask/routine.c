/* ask.h: library routines in a list. */
#include "device/ask/ask.h"

bool device_has_library(Device *device, LibraryRoutine routine, Err *err) {
	if (!(device->info.can & CAN_TIME)) return library_missing(routine, err);
	const LibraryRequest request = {routine};
	return ON_WORKER(device, err, backend_has_library(device->main.backend, request, NULL, err));
}

static bool same_buffer(Buffer a, Buffer b) {
	return a.slot == b.slot && a.generation == b.generation;
}

static bool check_sizes(const LibraryCall *call, Slot *const *slots, Err *err) {
	const LibraryInfo *info = library_info(call->routine);
	uint64_t elements;
	if (!library_elements(call->routine, call->extents, &elements))
		return err_set(err, ERR_USAGE, "%s: rows and columns are numbers from 1 to 2147483647", info->name);
	for (uint32_t i = 0; i < info->nbuffers; i++) {
		const Slot *slot = slots[i];
		const ElemType type = i ? info->reads : info->writes;
		if (elements && slot->type != type)
			return err_set(err, ERR_USAGE, "%s %s %s; '%s' holds %s", info->name, i ? "reads" : "writes",
						   elem_name(type), slot->name, elem_name(slot->type));
		if (elements && slot->count < elements)
			return err_set(err, ERR_USAGE, "%s needs %llu elements in '%s', which has %zu", info->name,
						   (unsigned long long)elements, slot->name, slot->count);
	}
	if (call->routine == LIBRARY_MEMCPY && slots[0]->bytes != slots[1]->bytes) {
		err_set(err, ERR_USAGE, "memcpy copies whole buffers: '%s' has %zu bytes, '%s' has %zu", slots[0]->name,
				slots[0]->bytes, slots[1]->name, slots[1]->bytes);
		return err_hint(err, "make both the same size");
	}
	return true;
}

bool library_check(Device *device, const LibraryCall *call, Slot **slots, Err *err) {
	const LibraryInfo *info = library_info(call->routine);
	for (uint32_t i = 0; i < info->nbuffers; i++) {
		slots[i] = slot_get(device, call->buffers[i], err);
		if (!slots[i] || !slot_is_plain(slots[i], err)) return false;
		if (i > 0 && same_buffer(call->buffers[0], call->buffers[i]))
			return err_set(err, ERR_USAGE, "%s cannot write to '%s' while it reads it", info->name, slots[i]->name);
	}
	return check_sizes(call, slots, err) && device_has_library(device, call->routine, err);
}
