/* ask.h: launches as plain numbers and bytes. */
#include <assert.h>
#include <string.h>

#include "base/limits.h"
#include "device/ask/ask.h"
#include "device/contents/uses.h"

static uint32_t timeout_of(const Device *device, const Launch *launch, bool shadow) {
	if (launch->config.timeout_ms) return launch->config.timeout_ms;
	return limit_milliseconds(shadow || device->info.can & CAN_EMULATE ? LIMIT_EMULATOR_TIME : LIMIT_GPU_TIME);
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

/* --- arguments ---------------------------------------------------------------------------------------------------- */

static uint64_t address_of(const Device *device, Buffer buffer, size_t offset, bool shadow) {
	const Slot *slot = &device->slots.data[buffer.slot];
	assert(slot->live && slot->generation == buffer.generation);
	return (shadow ? slot->shadow.addr : slot->place.addr) + offset;
}

/* An argument's bytes as the kernel sees them. */
static void pack_arg(const Device *device, const Arg *arg, bool shadow, size_t bytes, uint8_t *to) {
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

/* --- items -------------------------------------------------------------------------------------------------------- */

static void pack_launch(Device *device, const Launch *launch, bool shadow, Arena *arena, BackendLaunch *out) {
	const DeviceKernel *kernel = launch->kernel;
	const DeviceModule *module = kernel->module;
	uint8_t *params = arena_alloc(arena, kernel->function->param_bytes + 1);
	for (uint32_t i = 0; i < launch->nargs; i++)
		pack_arg(device, &launch->args[i], shadow, kernel->places[i].size, params + kernel->places[i].offset);
	*out = (BackendLaunch){.module = shadow ? module->shadow_number : module->number,
						   .linked_name = kernel->linked,
						   .config = launch->config,
						   .params = params,
						   .param_bytes = kernel->function->param_bytes,
						   .places = kernel->places,
						   .nparams = kernel->function->nparams,
						   .assembled = kernel->assembled,
						   .nassembled = kernel->nassembled};
	out->config.timeout_ms = timeout_of(device, launch, shadow);
	out->config.heap_bytes = heap_of(device, launch, shadow);
}

static void pack_library(const Device *device, const LibraryCall *call, BackendCall *out) {
	*out = (BackendCall){.routine = call->routine, .timeout_ms = limit_milliseconds(LIMIT_GPU_TIME)};
	for (uint32_t i = 0; i < library_info(call->routine)->nbuffers; i++) {
		out->addrs[i] = address_of(device, call->buffers[i], 0, false);
		out->bytes = device->slots.data[call->buffers[i].slot].bytes;
	}
	memcpy(out->extents, call->extents, sizeof out->extents);
}

void item_pack(Device *device, const LaunchItem *item, bool shadow, Arena *arena, BackendItem *out) {
	*out = (BackendItem){0};
	if (is_launch(item))
		pack_launch(device, &item->launch, shadow, arena, &out->launch);
	else
		pack_library(device, &item->library, &out->call);
}

/* --- submissions -------------------------------------------------------------------------------------------------- */

static bool is_fresh(const Slot *slot) {
	return slot->contents == CONTENTS_DEFINED && (slot->define.kind == DEFINE_SENTINEL || slot->uploaded.len);
}

/* Buffers that no kernel wrote to yet, and that were not filled: from their first launch under a checker on they know
 * which of their bytes were written. */
static void add_fresh(const ListPlan *plan, bool shadow, Arena *arena, Submission *s) {
	Number *fresh = arena_array(arena, plan->uses.len + 1, sizeof *fresh);
	size_t nwritten = 0;
	for (size_t i = 0; i < plan->uses.len; i++) nwritten += plan->uses.data[i].slot->uploaded.len;
	Gap *written = arena_array(arena, nwritten + 1, sizeof *written);
	for (size_t i = 0; i < plan->uses.len; i++) {
		const PlanUse *use = &plan->uses.data[i];
		const uint64_t base = shadow ? use->slot->shadow.base : use->slot->place.base;
		if (!use->uses || !base || !is_fresh(use->slot)) continue;
		fresh[s->nfresh++] = (Number){base};
		for (size_t k = 0; k < use->slot->uploaded.len; k++) {
			const Gap *range = &use->slot->uploaded.data[k];
			written[s->nwritten++] = (Gap){base + range->at, range->bytes};
		}
	}
	s->fresh = fresh;
	s->written = written;
}

Submission list_pack(Device *device, const ListPlan *plan, const Ask *ask, bool shadow, Arena *arena) {
	const LaunchList *list = plan->list;
	BackendItem *items = arena_array(arena, list->nitems, sizeof *items);
	for (uint32_t i = 0; i < list->nitems; i++) item_pack(device, &list->items[i], shadow, arena, &items[i]);
	Submission s = {.ask = *ask, .items = items, .nitems = list->nitems};
	if (ask->mode != MODE_CHECK) return s;
	s.ask.rules = emulated_gpu(device);
	add_fresh(plan, shadow, arena, &s);
	return s;
}

static bool add_variables(Device *device, const LaunchList *list, Number *out, uint32_t *n, Err *err) {
	for (uint32_t i = 0; i < list->nitems; i++) {
		const DeviceModule *module = list->items[i].launch.kernel->module;
		for (uint32_t v = 0; v < module->ptx->nglobals; v++) {
			if (!variable_may_change(module, v)) continue;
			if (!variable_place(device, module, v, &out[*n].value, err)) return false;
			++*n;
		}
	}
	return true;
}

bool list_pack_restore(Device *device, const ListPlan *plan, Arena *arena, Submission *s, Err *err) {
	const LaunchList *list = plan->list;
	size_t most = plan->uses.len + 1;
	for (uint32_t i = 0; i < list->nitems; i++) most += list->items[i].launch.kernel->module->ptx->nglobals;
	Number *restore = arena_array(arena, most, sizeof *restore);
	for (size_t i = 0; i < plan->uses.len; i++)
		if (plan->uses.data[i].uses & USE_WRITE) restore[s->nrestore++] = (Number){plan->uses.data[i].slot->place.base};
	s->restore = restore;
	return add_variables(device, list, restore, &s->nrestore, err);
}

bool backend_ask(Backend *b, const LaunchList *list, Submission s, Arena *arena, Report *out, Err *err) {
	b->events.print = list->print;
	b->events.user = list->user;
	b->arena = arena;
	const bool ok = backend_submit(b, s, out, err);
	b->arena = NULL;
	b->events = (BackendEvents){0};
	return ok;
}
