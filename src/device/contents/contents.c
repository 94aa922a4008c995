/* contents.h: memory for a slot on one side, and what is in it. */
#include <assert.h>
#include <string.h>

#include "base/cancel.h"

#include "device/contents/contents.h"

/* --- memory ------------------------------------------------------------------------------------------------------- */

static bool make_texture(const Side *side, const Slot *slot, Place *place, Err *err) {
	TextureMade made;
	if (!backend_texture(side->backend, (TextureRequest){*slot->texture, slot->name}, &made, err)) return false;
	*place = (Place){.base = made.number, .addr = made.object};
	return true;
}

static bool make_guards(const Side *side, const Slot *slot, const Place *place, Err *err) {
	return backend_fill(side->backend, (Fill){place->base, GUARD_BEFORE, GUARD_BYTE}, NULL, err) &&
		   backend_fill(side->backend, (Fill){place->addr + slot->bytes, GUARD_AFTER, GUARD_BYTE}, NULL, err);
}

bool place_make(const Side *side, const Slot *slot, Place *place, bool again, Err *err) {
	Alloc request = {.bytes = slot->bytes, .name = slot->name, .mapped = slot->mapped, .shared = NOT_SHARED};
	Number addr;
	if (slot->texture) return make_texture(side, slot, place, err);
	request.again = again ? place->base : slot->at;
	if (side->guards) request.bytes += GUARD_BEFORE + GUARD_AFTER;
	if (!backend_alloc(side->backend, request, &addr, err)) return false;
	*place = (Place){.base = addr.value, .addr = addr.value};
	if (!side->guards) return true;
	place->addr += GUARD_BEFORE;
	return make_guards(side, slot, place, err);
}

void place_drop(const Side *side, const Slot *slot, Place *place) {
	if (!place->base) return;
	if (slot->texture)
		backend_texture_free(side->backend, (Number){place->base}, NULL, NULL);
	else
		backend_free(side->backend, (Number){place->base}, NULL, NULL);
	*place = (Place){0};
}

/* --- bytes -------------------------------------------------------------------------------------------------------- */

static bool pieces(const Side *side, uint64_t addr, void *to, const void *from, size_t bytes, Err *err) {
	for (size_t done = 0, n; done < bytes; done += n) {
		n = bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES;
		if (done && !not_cancelled(err)) return false;
		if (!(to ? backend_download(side->backend, addr + done, (uint8_t *)to + done, n, err)
				 : backend_upload(side->backend, addr + done, (const uint8_t *)from + done, n, err)))
			return false;
	}
	return true;
}

/* A texture's contents come and go by way of a piece of plain memory. */
static bool through_plain(const Side *side, const Slot *slot, const Place *place, uint8_t *to, const uint8_t *from,
						  Err *err) {
	Number plain;
	const Alloc request = {.bytes = slot->bytes, .name = slot->name, .shared = NOT_SHARED};
	if (!backend_alloc(side->backend, request, &plain, err)) return false;
	const TextureCopy copy = {place->base, plain.value, from != NULL};
	const bool ok = from ? pieces(side, plain.value, NULL, from, slot->bytes, err) &&
							   backend_texture_copy(side->backend, copy, NULL, err)
						 : backend_texture_copy(side->backend, copy, NULL, err) &&
							   pieces(side, plain.value, to, NULL, slot->bytes, err);
	if (backend_alive(side->backend) || side->backend->shares) backend_free(side->backend, plain, NULL, NULL);
	return ok;
}

bool place_write(const Side *side, const Slot *slot, const Place *place, size_t offset, const void *data, size_t bytes,
				 Err *err) {
	assert(place->base && offset <= slot->bytes && bytes <= slot->bytes - offset);
	if (slot->texture) return through_plain(side, slot, place, NULL, data, err);
	return pieces(side, place->addr + offset, NULL, data, bytes, err);
}

bool place_read(const Side *side, const Slot *slot, const Place *place, size_t offset, void *data, size_t bytes,
				Err *err) {
	assert(place->base && offset <= slot->bytes && bytes <= slot->bytes - offset);
	if (!slot->texture) return pieces(side, place->addr + offset, data, NULL, bytes, err);
	AUTO_FREE uint8_t *all = xmalloc(slot->bytes);
	const bool ok = through_plain(side, slot, place, all, NULL, err);
	if (ok) memcpy(data, all + offset, bytes);
	return ok;
}

/* --- definitions -------------------------------------------------------------------------------------------------- */

/* Made where they belong if that can be reached from here, else made here and sent. */
static bool make_elements(const Side *side, const Slot *slot, const Place *place, Err *err) {
	const DefineElements request = {place->addr, slot->count, slot->type, slot->define};
	const BackendOps *ops = side->backend->ops;
	return (ops->define && slot->define.kind != DEFINE_DATA ? ops->define : define_fill)(side->backend, &request, err);
}

bool place_define(const Side *side, const Slot *slot, const Place *place, Err *err) {
	uint8_t byte;
	if (slot->texture) return !slot->copy || through_plain(side, slot, place, NULL, slot->copy, err);
	if (slot->define.kind == DEFINE_DATA && slot->copy)
		return pieces(side, place->addr, NULL, slot->copy, slot->bytes, err);
	if (define_is_byte(slot->define, slot->type, &byte))
		return backend_fill(side->backend, (Fill){place->addr, slot->bytes, byte}, NULL, err);
	return make_elements(side, slot, place, err);
}

/* --- addresses of other buffers ----------------------------------------------------------------------------------- */

/* What is in the memory of a side are that side's addresses, so they are written again whenever a side is filled. */

void slot_forget_pointers(Slot *slot, size_t from, size_t end) {
	uint32_t kept = 0;
	for (uint32_t i = 0; i < slot->npointers; i++) {
		const ArgPointer p = slot->pointers[i];
		if (p.at + 8 <= from || p.at >= end) slot->pointers[kept++] = p;
	}
	slot->npointers = kept;
}

bool slot_write_pointers(const Device *device, const Side *side, const Slot *slot, bool shadow, Err *err) {
	for (uint32_t i = 0; i < slot->npointers; i++) {
		const ArgPointer *p = &slot->pointers[i];
		const Slot *to = slot_get(device, p->buffer, NULL);
		const uint64_t base = !to ? 0 : shadow ? to->shadow.addr : to->place.addr, addr = base ? base + p->offset : 0;
		if (!place_write(side, slot, shadow ? &slot->shadow : &slot->place, p->at, &addr, sizeof addr, err))
			return false;
	}
	return true;
}
