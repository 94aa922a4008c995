/* device.h: several items in a row: run, sampled, emulated. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "device/internal.h"
#include "device/uses.h"

static bool is_launch(const WorkItem *item) {
	return item->library.routine == LIBRARY_NONE;
}

static bool not_empty(const Work *work, Err *err) {
	return work->nitems > 0 || err_set(err, ERR_USAGE, "a work needs at least one item");
}

/* --- library routines -------------------------------------------------------------------------------------------------- */

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

static bool library_not_stale(Device *device, const LibraryCall *call, Err *err) {
	for (uint32_t i = 1; i < library_info(call->routine)->nbuffers; i++)
		if (!slot_not_stale(slot_get(device, call->buffers[i], NULL), err)) return false;
	return true;
}

static void library_prepare(Device *device, const LibraryCall *call, BackendCall *out) {
	*out = (BackendCall){.routine = call->routine, .timeout_ms = DEVICE_TIMEOUT_GPU_MS};
	for (uint32_t i = 0; i < library_info(call->routine)->nbuffers; i++) {
		const Slot *slot = slot_get(device, call->buffers[i], NULL);
		out->addrs[i] = slot->addr;
		out->bytes = slot->bytes;
	}
	memcpy(out->extents, call->extents, sizeof out->extents);
}

static bool ask_library(Device *device, LibraryRoutine routine, Err *err) {
	const BackendOps *ops = device->backend->ops;
	if (!ops->has_library || !ops->library) return library_missing(routine, err);
	return ops->has_library(device->backend, routine, err);
}

bool device_has_library(Device *device, LibraryRoutine routine, Err *err) {
	Err local = ERR_INIT;
	if (!err) err = &local;
	if (!device_ready(device, err)) return false;
	if (ask_library(device, routine, err)) return true;
	return device_try_again(device, err) && device_ready(device, err) && ask_library(device, routine, err);
}

static bool run_library(Device *device, const WorkItem *item, LaunchOutcome *out, Err *err) {
	BackendCall call;
	LaunchOutcome outcome = {0};
	if (!library_check(device, &item->library, err) || !device_has_library(device, item->library.routine, err) ||
		!library_not_stale(device, &item->library, err))
		return false;
	library_prepare(device, &item->library, &call);
	if (!device->backend->ops->library(device->backend, &call, &outcome, err)) return false;
	if (!work_conclude(device, &(Work){item, 1}, &outcome, err)) return false;
	*out = outcome;
	return true;
}

/* --- one after the other ------------------------------------------------------------------------------------------------- */

/* All of it before any of it runs: a mistake in the last item would leave the work half done. */
static bool check_all(Device *device, const Work *work, Err *err) {
	if (!not_empty(work, err)) return false;
	for (uint32_t i = 0; i < work->nitems; i++) {
		const WorkItem *item = &work->items[i];
		if (is_launch(item) ? !launch_check(device, &item->launch, err)
							: !library_check(device, &item->library, err) ||
								  !device_has_library(device, item->library.routine, err))
			return false;
	}
	return true;
}

bool device_work(Device *device, const Work *work, LaunchOutcome *out, Err *err) {
	LaunchOutcome outcome = {0};
	double milliseconds = 0;
	if (!check_all(device, work, err)) return false;
	for (uint32_t i = 0; i < work->nitems && outcome.status == LAUNCH_OK; i++) {
		const WorkItem *item = &work->items[i];
		if (is_launch(item) ? !device_launch(device, &item->launch, &outcome, err)
							: !run_library(device, item, &outcome, err))
			return false;
		milliseconds += outcome.milliseconds;
	}
	outcome.milliseconds = milliseconds;
	*out = outcome;
	return true;
}

/* --- samples --------------------------------------------------------------------------------------------------------------- */

/* Does the item use the buffer so (USE_READ, USE_WRITE)? */
static bool item_uses(const WorkItem *item, Buffer buffer, uint8_t how) {
	if (!is_launch(item)) {
		const uint32_t first = how == USE_WRITE ? 0 : 1, end = how == USE_WRITE ? 1 : LIBRARY_BUFFERS;
		for (uint32_t i = first; i < end; i++)
			if (same_buffer(item->library.buffers[i], buffer)) return true;
		return false;
	}
	for (uint32_t i = 0; i < item->launch.nargs; i++)
		if (item->launch.args[i].kind == ARG_BUFFER && same_buffer(item->launch.args[i].buffer, buffer) &&
			item->launch.kernel->uses[i] & how)
			return true;
	return false;
}

/* Nothing that was lost is read before an earlier item has written it. */
static bool none_stale(Device *device, const Work *work, Err *err) {
	for (uint32_t index = 0; index < device->slots.len; index++) {
		const Slot *slot = &device->slots.data[index];
		if (!slot->live || !slot->stale) continue;
		const Buffer buffer = {.slot = index, .generation = slot->generation};
		for (uint32_t i = 0; i < work->nitems; i++) {
			if (item_uses(&work->items[i], buffer, USE_READ)) return slot_not_stale(slot, err);
			if (item_uses(&work->items[i], buffer, USE_WRITE)) break;
		}
	}
	return true;
}

static BackendItem *prepare_items(Device *device, const Work *work, uint8_t ***params) {
	BackendItem *items = xcalloc(work->nitems, sizeof *items);
	*params = xcalloc(work->nitems, sizeof **params);
	for (uint32_t i = 0; i < work->nitems; i++)
		if (is_launch(&work->items[i]))
			launch_prepare(device, &work->items[i].launch, &items[i].launch, &(*params)[i]);
		else
			library_prepare(device, &work->items[i].library, &items[i].call);
	return items;
}

bool device_sample(Device *device, const Work *work, const SampleConfig *config, Sample *samples, LaunchOutcome *out,
				   Err *err) {
	LaunchOutcome outcome = {0};
	uint8_t **params;
	if (!device->info.can_time) {
		err_set(err, ERR_USAGE, "%s cannot time a kernel", device->info.name);
		return err_hint(err, "the emulator predicts times from counts; measuring needs a GPU: --device cuda");
	}
	if (config->count == 0 || config->batch == 0)
		return err_set(err, ERR_USAGE, "samples and launches a sample: at least 1");
	if (!check_all(device, work, err) || !device_ready(device, err) || !none_stale(device, work, err)) return false;
	BackendItem *items = prepare_items(device, work, &params);
	bool ok = device->backend->ops->sample(device->backend, items, work->nitems, config, samples, &outcome, err);
	for (uint32_t i = 0; i < work->nitems; i++) free(params[i]);
	free(params);
	free(items);
	if (!ok || !work_conclude(device, work, &outcome, err)) return false;
	*out = outcome;
	return true;
}

/* --- on the emulator --------------------------------------------------------------------------------------------------------- */

static bool any_wants_written(const Listeners *listeners, uint32_t n) {
	bool any = false;
	for (uint32_t i = 0; i < n; i++)
		for (size_t k = 0; k < listeners[i].nobservers; k++) any |= listeners[i].observers[k]->ops->wants_written;
	return any;
}

/* Buffers nobody gave a content yet: from their first launch under a checker on they know which bytes have one. */
static void track_poisoned(Device *device, const Launch *launch) {
	for (uint32_t i = 0; i < launch->nargs; i++) {
		if (launch->args[i].kind != ARG_BUFFER) continue;
		const Slot *slot = slot_get(device, launch->args[i].buffer, NULL);
		if (slot && slot->define.kind == DEFINE_POISON && !slot->written)
			backend_emu_track_fresh(device->backend, slot->base);
	}
}

static bool check_launches(const Device *device, const Work *work, Err *err) {
	if (!not_empty(work, err)) return false;
	for (uint32_t i = 0; i < work->nitems; i++) {
		const WorkItem *item = &work->items[i];
		if (!is_launch(item)) return library_missing(item->library.routine, err);
		if (!launch_check(device, &item->launch, err)) return false;
	}
	return true;
}

static bool observe_work(Device *device, const Work *work, const Listeners *listeners, bool track, LaunchOutcome *out,
						 Err *err) {
	LaunchOutcome outcome = {0};
	double milliseconds = 0;
	for (uint32_t i = 0; i < work->nitems && outcome.status == LAUNCH_OK; i++) {
		const Launch *launch = &work->items[i].launch;
		if (track) track_poisoned(device, launch);
		if (!launch_observed(device, launch, &listeners[i], &outcome, err)) return false;
		milliseconds += outcome.milliseconds;
	}
	outcome.milliseconds = milliseconds;
	*out = outcome;
	return true;
}

bool device_emulate_work(Device *device, const Work *work, const Listeners *listeners, LaunchOutcome *out,
						 bool *from_definitions, Err *err) {
	Err local = ERR_INIT;
	if (!err) err = &local;
	if (from_definitions) *from_definitions = false;
	if (!check_launches(device, work, err)) return false;
	const bool track = any_wants_written(listeners, work->nitems);
	if (backend_is_emu(device->backend)) return observe_work(device, work, listeners, track, out, err);

	const char *unknown = NULL;
	LaunchOutcome outcome = {0};
	const TwinRun twin = {.present = true, .track = track, .listeners = listeners};
	bool ok = device_ready(device, err) && twin_work(device, work, &twin, &outcome, &unknown, err);
	if (!ok && device_try_again(device, err))
		ok = device_ready(device, err) && twin_work(device, work, &twin, &outcome, &unknown, err);
	if (!ok) return false;
	if (from_definitions) *from_definitions = unknown != NULL;
	*out = outcome;
	return true;
}

static bool save_what_it_writes(Device *device, const Launch *launch, Snapshot *snapshot, Err *err) {
	for (uint32_t i = 0; i < launch->nargs; i++) {
		if (launch->args[i].kind != ARG_BUFFER || !(launch->kernel->uses[i] & USE_WRITE)) continue;
		const Slot *slot = slot_get(device, launch->args[i].buffer, NULL);
		if (!snapshot_add(snapshot, slot->base, err)) return false;
	}
	return symbols_save(device, launch->kernel->module, snapshot, err);
}

bool device_rehearse_work(Device *device, const Work *work, const Listeners *listeners, LaunchOutcome *out, Err *err) {
	Err local = ERR_INIT;
	if (!err) err = &local;
	if (!backend_is_emu(device->backend)) return device_emulate_work(device, work, listeners, out, NULL, err);
	if (!check_launches(device, work, err)) return false;
	Snapshot *snapshot = backend_emu_snapshot(device->backend);
	bool ok = true;
	for (uint32_t i = 0; ok && i < work->nitems; i++)
		ok = save_what_it_writes(device, &work->items[i].launch, snapshot, err);
	ok = ok && device_emulate_work(device, work, listeners, out, NULL, err);
	snapshot_put_back(snapshot);
	return ok;
}

bool device_emulate(Device *device, const Launch *launch, Observer **observers, size_t nobservers, LaunchOutcome *out,
					bool *from_definitions, Err *err) {
	const Listeners listeners = {observers, nobservers};
	return device_emulate_work(device, WORK_OF(launch), &listeners, out, from_definitions, err);
}
