/* internal.h: the launch on an emulator beside the device. The twin holds the buffers that are passed, for the launch; a launch
 * that ended well leaves them for the next one to use. Its addresses are its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "device/internal.h"
#include "device/uses.h"

enum { MOST_KEPT = 1 << 30 }; /* bytes */

typedef struct {
	const Slot *slot;
	uint64_t addr; /* in the twin */
	bool whole;    /* holds what the slot's definition says */
	uint8_t uses;  /* the work's */
} Pair;

typedef struct {
	Device *device;
	VEC(Pair) pairs;
	const char *unknown;
} Twins;

/* The device's own generation, or the youngest known one that is no younger. */
static const Gpu *twin_gpu(const DeviceInfo *info) {
	const Gpu *best = NULL, *gpu;
	if (info->gpu) return info->gpu;
	for (size_t i = 0; (gpu = gpu_at(i)); i++)
		if (gpu->cc <= info->cc && (!best || gpu->cc >= best->cc)) best = gpu;
	return best ? best : gpu_default();
}

static bool ready(Device *device, DeviceModule *module, Err *err) {
	if (!device->twin) device->twin = machine_open(twin_gpu(&device->info), 0);
	return module->twin || machine_load(device->twin, module->ptx, &module->twin, err);
}

void twin_close(Device *device) {
	if (device->twin) machine_close(device->twin);
	device->twin = NULL;
	vec_free(&device->twin_buffers);
	device->twin_bytes = 0;
}

static uint64_t address_in_twin(void *user, const Slot *slot) {
	const Twins *t = user;
	for (size_t i = 0; i < t->pairs.len; i++)
		if (t->pairs.data[i].slot == slot) return t->pairs.data[i].addr;
	return 0;
}

/* --- kept buffers ----------------------------------------------------------------------------------------------------- */

static void forget(Device *device, size_t i) {
	device->twin_bytes -= device->twin_buffers.data[i].bytes;
	device->twin_buffers.data[i] = device->twin_buffers.data[--device->twin_buffers.len];
}

static void drop(Device *device, size_t i) {
	machine_release(device->twin, device->twin_buffers.data[i].addr, NULL);
	forget(device, i);
}

static void drop_all(Device *device) {
	while (device->twin_buffers.len) drop(device, device->twin_buffers.len - 1);
}

static bool same_definition(const TwinBuffer *b, const Slot *slot) {
	return b->type == slot->type && b->define.kind == slot->define.kind && b->define.value == slot->define.value &&
		   b->define.seed == slot->define.seed && slot->define.kind != DEFINE_DATA;
}

/* One whose content is right, or will not be read. */
static bool take_kept(Device *device, const Slot *slot, uint8_t uses, Pair *out) {
	const bool parted = slot->written || slot->stale;
	for (size_t i = 0; i < device->twin_buffers.len; i++) {
		const TwinBuffer *b = &device->twin_buffers.data[i];
		if (&device->slots.data[b->slot] != slot || b->generation != slot->generation) continue;
		const bool whole = b->whole && !parted && same_definition(b, slot);
		if (whole || !(uses & USE_READ)) {
			*out = (Pair){.slot = slot, .addr = b->addr, .whole = whole, .uses = uses};
			forget(device, i);
			return true;
		}
		drop(device, i);
		return false;
	}
	return false;
}

static void keep(Device *device, const Pair *p) {
	const Slot *slot = p->slot;
	const uint32_t index = (uint32_t)(slot - device->slots.data);
	if (slot->mapped || device->twin_bytes + slot->bytes > MOST_KEPT) {
		machine_release(device->twin, p->addr, NULL);
		return;
	}
	vec_push(&device->twin_buffers, (TwinBuffer){.slot = index,
												 .generation = slot->generation,
												 .bytes = slot->bytes,
												 .type = slot->type,
												 .define = slot->define,
												 .whole = p->whole && !(p->uses & USE_WRITE),
												 .addr = p->addr});
	device->twin_bytes += slot->bytes;
}

/* --- contents ---------------------------------------------------------------------------------------------------------- */

static bool copy_present(Twins *t, const Slot *slot, uint64_t addr, uint8_t *piece, Err *err) {
	Backend *b = t->device->backend;
	for (size_t done = 0, n; done < slot->bytes; done += n) {
		n = slot->bytes - done < PIECE_BYTES ? slot->bytes - done : PIECE_BYTES;
		if (atomic_load(&device_cancel)) return err_set(err, ERR_INTERRUPTED, "interrupted");
		if (!b->ops->download(b, slot->addr + done, piece, n, err)) return false;
		if (!machine_write(t->device->twin, addr + done, piece, n, err)) return false;
	}
	return true;
}

static bool copy_definition(Twins *t, const Slot *slot, uint64_t addr, uint8_t *piece, Err *err) {
	const size_t size = elem_bytes(slot->type), most = PIECE_BYTES / size;
	if (slot->define.kind == DEFINE_DATA && slot->copy)
		return machine_write(t->device->twin, addr, slot->copy, slot->bytes, err);
	if (slot->define.kind == DEFINE_POISON || slot->define.kind == DEFINE_DATA) return true; /* as fresh memory is */
	for (size_t first = 0, n; first < slot->count; first += n) {
		n = slot->count - first < most ? slot->count - first : most;
		define_elements(slot->define, slot->type, first, n, piece);
		if (!machine_write(t->device->twin, addr + first * size, piece, n * size, err)) return false;
	}
	return true;
}

/* What the kernel never reads need not be right. */
static bool fill_twin(Twins *t, const Slot *slot, uint64_t addr, uint8_t uses, bool present, Err *err) {
	const bool parted = slot->written || slot->stale; /* content and definition differ */
	uint8_t *piece = xmalloc(PIECE_BYTES);
	bool ok = true;
	if (!parted) {
		ok = copy_definition(t, slot, addr, piece, err);
	} else if (uses & USE_READ) {
		if (present && slot->written) {
			ok = copy_present(t, slot, addr, piece, err);
		} else {
			t->unknown = slot->name;
			ok = copy_definition(t, slot, addr, piece, err);
		}
	}
	free(piece);
	return ok;
}

static uint8_t uses_of_slot(const Device *device, const Work *work, const Slot *slot) {
	uint8_t uses = 0;
	for (uint32_t n = 0; n < work->nitems; n++) {
		const Launch *launch = &work->items[n].launch;
		for (uint32_t i = 0; i < launch->nargs; i++)
			if (launch->args[i].kind == ARG_BUFFER && slot_get(device, launch->args[i].buffer, NULL) == slot)
				uses |= launch->kernel->uses[i];
	}
	return uses;
}

static bool make_texture(Twins *t, const Slot *slot, uint8_t uses, bool present, Err *err) {
	const bool parted = slot->written || slot->stale;
	uint64_t handle;
	if (!machine_texture(t->device->twin, slot->texture, slot->name, &handle, err)) return false;
	vec_push(&t->pairs, (Pair){.slot = slot, .addr = handle});
	uint8_t *host = machine_texture_host(t->device->twin, handle, NULL);
	if (present && slot->written && uses & USE_READ) return texture_read(t->device, slot, host, err);
	if (parted && uses & USE_READ) t->unknown = slot->name;
	if (slot->copy) memcpy(host, slot->copy, slot->bytes);
	return true;
}

static void release_pairs(Twins *t, bool may_keep) {
	for (size_t i = 0; i < t->pairs.len; i++) {
		const Pair *p = &t->pairs.data[i];
		if (p->slot->texture)
			machine_texture_free(t->device->twin, p->addr, NULL);
		else if (may_keep)
			keep(t->device, p);
		else
			machine_release(t->device->twin, p->addr, NULL);
	}
	vec_free(&t->pairs);
}

static bool make_buffers(Twins *t, const Work *work, const Launch *launch, bool present, Err *err) {
	for (uint32_t i = 0; i < launch->nargs; i++) {
		if (launch->args[i].kind != ARG_BUFFER) continue;
		const Slot *slot = slot_get(t->device, launch->args[i].buffer, err);
		if (!slot) return false;
		if (address_in_twin(t, slot)) continue; /* passed twice */
		const uint8_t uses = uses_of_slot(t->device, work, slot);
		Pair pair = {.slot = slot, .uses = uses, .whole = !slot->written && !slot->stale};
		if (slot->texture) {
			if (!make_texture(t, slot, uses, present, err)) return false;
			continue;
		}
		if (take_kept(t->device, slot, uses, &pair)) {
			vec_push(&t->pairs, pair);
			continue;
		}
		if (!(slot->mapped ? machine_alloc_mapped : machine_alloc)(t->device->twin, slot->bytes, slot->name, &pair.addr,
																   err))
			return false;
		vec_push(&t->pairs, pair);
		if (!fill_twin(t, slot, pair.addr, uses, present, err)) return false;
	}
	return true;
}

static void name_element(const Twins *t, Fault *fault) {
	if (!*fault->buffer) return;
	for (size_t i = 0; i < t->pairs.len; i++)
		if (t->pairs.data[i].addr == fault->address - (uint64_t)fault->offset)
			fault_name_element(fault, t->pairs.data[i].slot);
}

static uint32_t timeout_of(const Launch *launch, const TwinRun *run) {
	if (run->timeout_ms) return run->timeout_ms;
	return launch->config.timeout_ms ? launch->config.timeout_ms : DEVICE_TIMEOUT_EMU_MS;
}

static bool run_launch(Twins *t, const Launch *launch, const TwinRun *run, const Listeners *listeners,
					   LaunchOutcome *out, Err *err) {
	const DeviceKernel *kernel = launch->kernel;
	uint8_t *params = NULL;
	EmuLaunch call = {.config = launch->config,
					  .observers = listeners ? listeners->observers : NULL,
					  .nobservers = listeners ? listeners->nobservers : 0,
					  .cancel = &device_cancel,
					  .print = launch->print,
					  .user = launch->user};
	call.config.timeout_ms = timeout_of(launch, run);
	launch_pack(t->device, launch, address_in_twin, t, &params, &call.param_bytes);
	call.params = params;
	bool ok = machine_launch(t->device->twin, emu_kernel(kernel->module->twin, kernel->linked), &call, out, err);
	free(params);
	if (ok && out->status == LAUNCH_FAULT) {
		snprintf(out->fault.kernel, sizeof out->fault.kernel, "%s", kernel->name);
		name_element(t, &out->fault);
	}
	return ok;
}

static bool make_ready(Twins *t, const Work *work, const TwinRun *run, Err *err) {
	for (uint32_t n = 0; n < work->nitems; n++) {
		const WorkItem *item = &work->items[n];
		if (item->library.routine != LIBRARY_NONE) return library_missing(item->library.routine, err);
		if (!ready(t->device, item->launch.kernel->module, err) ||
			!symbols_fill_twin(t->device, item->launch.kernel->module, run->present, err))
			return false;
		if (n == 0) machine_track_written(t->device->twin, run->track);
		if (!make_buffers(t, work, &item->launch, run->present, err)) return false;
	}
	return true;
}

bool twin_work(Device *device, const Work *work, const TwinRun *run, LaunchOutcome *out, const char **unknown,
			   Err *err) {
	Twins t = {.device = device};
	LaunchOutcome outcome = {0};
	double milliseconds = 0;
	const bool plain = run->present && !run->track; /* else it matters who wrote what, and which memory is nobody's */
	if (!plain) drop_all(device);
	bool ok = make_ready(&t, work, run, err);
	drop_all(device); /* what this work does not take would be memory to go astray into */
	for (uint32_t n = 0; ok && n < work->nitems && outcome.status == LAUNCH_OK; n++) {
		ok = run_launch(&t, &work->items[n].launch, run, run->listeners ? &run->listeners[n] : NULL, &outcome, err);
		milliseconds += outcome.milliseconds;
	}
	outcome.milliseconds = milliseconds;
	if (ok) *out = outcome;
	if (ok && unknown) *unknown = t.unknown;
	release_pairs(&t, ok && plain && outcome.status == LAUNCH_OK);
	return ok;
}
