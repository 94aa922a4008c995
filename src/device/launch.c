/* internal.h: items of a list, checked against what they name, and packed for a backend. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "device/contents/uses.h"
#include "device/internal.h"

/* --- arguments ---------------------------------------------------------------------------------------------------- */

static bool check_shape(const LaunchConfig *config, Err *err) {
	for (int i = 0; i < 3; i++)
		if (!config->grid[i] || !config->block[i])
			return err_set(err, ERR_USAGE, "the %s has no extent in %c: every dimension is at least 1",
						   config->grid[i] ? "block" : "grid", 'x' + i);
	return true;
}

static bool check_reference(const Device *device, Buffer buffer, size_t offset, Err *err) {
	const Slot *slot = slot_get(device, buffer, err);
	if (!slot) return false;
	if (offset <= (slot->texture ? 0 : slot->bytes)) return true;
	return err_set(err, ERR_USAGE, "offset %zu is outside '%s', which has %zu bytes", offset, slot->name, slot->bytes);
}

static bool check_pointers(const Device *device, const Arg *arg, size_t bytes, Err *err) {
	for (uint32_t i = 0; i < arg->npointers; i++) {
		const ArgPointer *p = &arg->pointers[i];
		if (p->at > bytes || bytes - p->at < 8)
			return err_set(err, ERR_USAGE, "a buffer at byte %zu of a structure of %zu bytes", p->at, bytes);
		if (!check_reference(device, p->buffer, p->offset, err)) return false;
	}
	return true;
}

static bool check_arg(const Device *device, const DeviceKernel *kernel, const Arg *arg, uint32_t i, Err *err) {
	const PtxVar *param = kernel->function->params[i];
	if (arg->kind == ARG_BYTES) return check_pointers(device, arg, param->bytes, err);
	if (arg->kind == ARG_VALUE) {
		if (param->bytes <= sizeof arg->value) return true;
		return err_set(err, ERR_USAGE, "parameter %u of %s is a structure of %zu bytes, not a number", i + 1,
					   kernel->name, param->bytes);
	}
	if (param->bytes != 8) {
		err_set(err, ERR_USAGE, "parameter %u of %s takes a value of %zu bytes (.%s), not a buffer", i + 1,
				kernel->name, param->bytes, ptx_type_name(param->type));
		return err_hint(err, "pass a number there; is the order of the arguments right?");
	}
	return check_reference(device, arg->buffer, arg->offset, err);
}

bool launch_check(const Device *device, const Launch *launch, Err *err) {
	const DeviceKernel *kernel = launch->kernel;
	if (!check_shape(&launch->config, err)) return false;
	if (launch->nargs != kernel->function->nparams)
		return err_set(err, ERR_USAGE, "%s takes %u argument%s, %u given", kernel->name, kernel->function->nparams,
					   kernel->function->nparams == 1 ? "" : "s", launch->nargs);
	for (uint32_t i = 0; i < launch->nargs; i++)
		if (!check_arg(device, kernel, &launch->args[i], i, err)) return false;
	return true;
}

bool is_launch(const LaunchItem *item) {
	return item->library.routine == LIBRARY_NONE;
}

/* --- library routines --------------------------------------------------------------------------------------------- */

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
		if (elements && slot->type != ELEM_F32)
			return err_set(err, ERR_USAGE, "%s works on float; '%s' holds %s", info->name, slot->name,
						   elem_name(slot->type));
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

bool library_check(Device *device, const LibraryCall *call, Err *err) {
	const LibraryInfo *info = library_info(call->routine);
	Slot *slots[LIBRARY_BUFFERS];
	for (uint32_t i = 0; i < info->nbuffers; i++) {
		slots[i] = slot_get(device, call->buffers[i], err);
		if (!slots[i] || !slot_is_plain(slots[i], err)) return false;
		if (i > 0 && same_buffer(call->buffers[0], call->buffers[i]))
			return err_set(err, ERR_USAGE, "%s cannot write to '%s' while it reads it", info->name, slots[i]->name);
	}
	return check_sizes(call, slots, err);
}

/* --- what an item does to a slot ---------------------------------------------------------------------------------- */

/* What a table of pointers refers to may be read and written, whatever the table is used for. */
static bool next_of_table(const Device *device, SlotUse *at) {
	while (at->table && at->inner < at->table->npointers) {
		at->slot = slot_get(device, at->table->pointers[at->inner++].buffer, NULL);
		at->uses = USE_READ | USE_WRITE;
		if (at->slot) return true;
	}
	at->table = NULL;
	at->inner = 0;
	return false;
}

/* What the module's variables refer to may be, too. */
static bool next_of_variables(const Device *device, const DeviceModule *module, SlotUse *at) {
	for (; at->variable < module->ptx->nglobals; at->variable++, at->pointer = 0) {
		ArgPointer pointer;
		while (variable_pointer(module, at->variable, at->pointer, &pointer)) {
			at->pointer++;
			at->slot = slot_get(device, pointer.buffer, NULL);
			at->uses = USE_READ | USE_WRITE;
			at->table = at->slot;
			if (at->slot) return true;
		}
	}
	return false;
}

bool launch_next_slot(const Device *device, const Launch *launch, SlotUse *at) {
	if (next_of_table(device, at)) return true;
	for (; at->arg < launch->nargs; at->arg++, at->pointer = 0) {
		const Arg *arg = &launch->args[at->arg];
		const uint32_t n = arg->kind == ARG_BUFFER ? 1 : arg->kind == ARG_BYTES ? arg->npointers : 0;
		while (at->pointer < n) {
			const Buffer buffer = arg->kind == ARG_BUFFER ? arg->buffer : arg->pointers[at->pointer].buffer;
			at->pointer++;
			at->slot = slot_get(device, buffer, NULL);
			at->uses = launch->kernel->uses[at->arg];
			at->table = at->slot;
			if (at->slot) return true;
		}
	}
	return next_of_variables(device, launch->kernel->module, at);
}

bool launch_not_stale(Device *device, const Launch *launch, Err *err) {
	for (SlotUse at = {0}; launch_next_slot(device, launch, &at);)
		if (at.uses & USE_READ && !slot_not_stale(at.slot, err)) return false;
	return true;
}

uint8_t item_uses(const Device *device, const LaunchItem *item, const Slot *slot) {
	uint8_t uses = 0;
	if (is_launch(item)) {
		for (SlotUse at = {0}; launch_next_slot(device, &item->launch, &at);)
			if (at.slot == slot) uses |= at.uses;
		return uses;
	}
	for (uint32_t i = 0; i < library_info(item->library.routine)->nbuffers; i++)
		if (slot_get(device, item->library.buffers[i], NULL) == slot) uses |= i ? USE_READ : USE_WRITE;
	return uses;
}

uint8_t list_uses(const Device *device, const LaunchList *list, const Slot *slot) {
	uint8_t uses = 0;
	for (uint32_t i = 0; slot->live && i < list->nitems; i++) uses |= item_uses(device, &list->items[i], slot);
	return uses;
}

/* --- for a backend ------------------------------------------------------------------------------------------------ */

static uint32_t milliseconds(LimitId id) {
	return (uint32_t)ceil(limit_of(id) * 1000);
}

static uint32_t timeout_of(const Device *device, const Launch *launch, bool shadow) {
	if (launch->config.timeout_ms) return launch->config.timeout_ms;
	return milliseconds(shadow || device->info.can & CAN_EMULATE ? LIMIT_EMULATOR_TIME : LIMIT_GPU_TIME);
}

/* The launch's own; else the limit, once, so that what an earlier launch asked for holds on. 0: as it is. */
static size_t heap_of(Device *device, const Launch *launch, bool shadow) {
	Side *side = shadow ? &device->shadow : &device->main;
	if (launch->config.heap_bytes) return launch->config.heap_bytes;
	const size_t wish = limit_is_set(LIMIT_HEAP) ? (size_t)limit_of(LIMIT_HEAP) : 0;
	if (wish == side->heap_bytes) return 0;
	side->heap_bytes = wish;
	return wish ? wish : (size_t)limit_row(LIMIT_HEAP)->usual;
}

static uint64_t address(const Slot *slot, bool shadow) {
	return shadow ? slot->shadow.addr : slot->place.addr;
}

static uint64_t address_of(const Device *device, Buffer buffer, size_t offset, bool shadow) {
	const Slot *slot = slot_get(device, buffer, NULL);
	return slot ? address(slot, shadow) + offset : 0;
}

/* An argument's bytes as the kernel sees them. */
static void pack(const Device *device, const Arg *arg, bool shadow, size_t bytes, uint8_t *to) {
	if (arg->kind == ARG_BUFFER) {
		const uint64_t addr = address_of(device, arg->buffer, arg->offset, shadow);
		memcpy(to, &addr, sizeof addr);
		return;
	}
	memcpy(to, arg->kind == ARG_BYTES ? arg->bytes : arg->value, bytes);
	for (uint32_t i = 0; arg->kind == ARG_BYTES && i < arg->npointers; i++) {
		const ArgPointer *p = &arg->pointers[i];
		const uint64_t addr = address_of(device, p->buffer, p->offset, shadow);
		memcpy(to + p->at, &addr, sizeof addr);
	}
}

static void prepare_launch(Device *device, const Launch *launch, bool shadow, Arena *arena, BackendLaunch *out) {
	const DeviceKernel *kernel = launch->kernel;
	const DeviceModule *module = kernel->module;
	uint8_t *params = arena_alloc(arena, kernel->function->param_bytes + 1);
	for (uint32_t i = 0; i < launch->nargs; i++)
		pack(device, &launch->args[i], shadow, kernel->places[i].size, params + kernel->places[i].offset);
	*out = (BackendLaunch){.module = shadow ? module->shadow_number : module->number,
						   .linked_name = kernel->linked,
						   .config = launch->config,
						   .params = params,
						   .param_bytes = kernel->function->param_bytes,
						   .places = kernel->places,
						   .nparams = kernel->function->nparams};
	out->config.timeout_ms = timeout_of(device, launch, shadow);
	out->config.heap_bytes = heap_of(device, launch, shadow);
}

static void prepare_library(Device *device, const LibraryCall *call, BackendCall *out) {
	*out = (BackendCall){.routine = call->routine, .timeout_ms = milliseconds(LIMIT_GPU_TIME)};
	for (uint32_t i = 0; i < library_info(call->routine)->nbuffers; i++) {
		const Slot *slot = slot_get(device, call->buffers[i], NULL);
		out->addrs[i] = slot->place.addr;
		out->bytes = slot->bytes;
	}
	memcpy(out->extents, call->extents, sizeof out->extents);
}

void item_prepare(Device *device, const LaunchItem *item, bool shadow, Arena *arena, BackendItem *out) {
	*out = (BackendItem){0};
	if (is_launch(item))
		prepare_launch(device, &item->launch, shadow, arena, &out->launch);
	else
		prepare_library(device, &item->library, &out->call);
}

/* Buffers nothing was written to yet: from their first launch under a checker on they know which of their bytes
 * were. */
static void add_fresh(const Device *device, const LaunchList *list, bool shadow, Arena *arena, Submission *s) {
	Number *fresh = arena_array(arena, device->slots.len, sizeof *fresh);
	for (size_t i = 0; i < device->slots.len; i++) {
		const Slot *slot = &device->slots.data[i];
		const uint64_t base = shadow ? slot->shadow.base : slot->place.base;
		if (slot->live && base && slot->define.kind == DEFINE_SENTINEL && slot->contents == CONTENTS_DEFINED &&
			list_uses(device, list, slot))
			fresh[s->nfresh++] = (Number){base};
	}
	s->fresh = fresh;
}

Submission list_prepare(Device *device, const LaunchList *list, const Ask *ask, bool shadow, Arena *arena) {
	BackendItem *items = arena_array(arena, list->nitems, sizeof *items);
	for (uint32_t i = 0; i < list->nitems; i++) item_prepare(device, &list->items[i], shadow, arena, &items[i]);
	Submission s = {.ask = *ask, .items = items, .nitems = list->nitems};
	if (ask->mode != MODE_CHECK) return s;
	s.ask.rules = emulated_gpu(device);
	add_fresh(device, list, shadow, arena, &s);
	return s;
}

bool list_submit(Backend *b, const LaunchList *list, Submission s, Arena *arena, Report *out, Err *err) {
	b->events.print = list->print;
	b->events.user = list->user;
	b->arena = arena;
	const bool ok = backend_submit(b, s, out, err);
	b->arena = NULL;
	b->events = (BackendEvents){0};
	return ok;
}
