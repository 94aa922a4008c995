/* device.h: the one way to ask. */
#include <stdlib.h>
#include <string.h>

#include "device/contents/uses.h"
#include "device/internal.h"

/* --- before ------------------------------------------------------------------------------------------------------- */

bool device_has_library(Device *device, LibraryRoutine routine, Err *err) {
	if (!(device->info.can & CAN_TIME)) return library_missing(routine, err);
	const LibraryRequest request = {routine};
	return ON_WORKER(device, err, backend_has_library(device->main.backend, request, NULL, err));
}

/* All of it before any of it runs: a mistake in the last item would leave the list half done. */
static bool check_items(Device *device, const LaunchList *list, bool emulated, Err *err) {
	if (!list->nitems) return err_set(err, ERR_USAGE, "a list of launches needs at least one item");
	for (uint32_t i = 0; i < list->nitems; i++) {
		const LaunchItem *item = &list->items[i];
		if (is_launch(item)) {
			if (!launch_check(device, &item->launch, err)) return false;
		} else if (emulated) {
			return library_missing(item->library.routine, err);
		} else if (!library_check(device, &item->library, err) ||
				   !device_has_library(device, item->library.routine, err)) {
			return false;
		}
	}
	return true;
}

/* Nothing that was lost is read before an earlier item has written it. */
static bool none_stale(Device *device, const LaunchList *list, Err *err) {
	for (size_t k = 0; k < device->slots.len; k++) {
		const Slot *slot = &device->slots.data[k];
		if (!slot->live || slot->contents != CONTENTS_STALE) continue;
		for (uint32_t i = 0; i < list->nitems; i++) {
			const uint8_t uses = item_uses(device, &list->items[i], slot);
			if (uses & USE_READ) return slot_not_stale(slot, err);
			if (uses & USE_WRITE) break;
		}
	}
	return true;
}

static bool check_mode(const Device *device, const Ask *ask, Err *err) {
	if (ask->mode != MODE_TIME) return true;
	if (!(device->info.can & CAN_TIME)) {
		err_set(err, ERR_USAGE, "%s cannot time a kernel", device->info.name);
		return err_hint(err, "the emulator predicts times from counts; measuring needs a GPU: --device cuda");
	}
	return (ask->sampling.count && ask->sampling.batch) ||
		   err_set(err, ERR_USAGE, "samples and launches per sample: at least 1");
}

/* --- on the device ------------------------------------------------------------------------------------------------ */

static void set_at_risk(Device *device, const LaunchList *list, bool at_risk) {
	for (size_t i = 0; i < device->slots.len; i++) {
		Slot *slot = &device->slots.data[i];
		if (list_uses(device, list, slot) & USE_WRITE) slot->at_risk = at_risk;
	}
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

/* What the launches may write to. */
static bool add_restore(Device *device, const LaunchList *list, Arena *arena, Submission *s, Err *err) {
	size_t most = device->slots.len;
	for (uint32_t i = 0; i < list->nitems; i++) most += list->items[i].launch.kernel->module->ptx->nglobals;
	Number *restore = arena_array(arena, most, sizeof *restore);
	for (size_t i = 0; i < device->slots.len; i++) {
		const Slot *slot = &device->slots.data[i];
		if (list_uses(device, list, slot) & USE_WRITE) restore[s->nrestore++] = (Number){slot->place.base};
	}
	s->restore = restore;
	return add_variables(device, list, restore, &s->nrestore, err);
}

static bool ask_once(Device *device, const LaunchList *list, const Ask *ask, Arena *arena, Report *out, Err *err) {
	if (!none_stale(device, list, err)) return false;
	Submission s = list_prepare(device, list, ask, false, arena);
	if (ask->rehearse && !add_restore(device, list, arena, &s, err)) return false;
	set_at_risk(device, list, true);
	bool ok = list_submit(device->main.backend, list, s, arena, out, err);
	/* Of a rehearsed check nothing is left, unless it ended badly: then contents may be lost. */
	const bool leaves_nothing = ask->mode == MODE_CHECK && ask->rehearse && out->outcome.status == LAUNCH_OK;
	if (ok && !leaves_nothing) ok = list_conclude(device, list, &out->outcome, err);
	set_at_risk(device, list, false);
	return ok;
}

/* One question to the device's own backend. One whose worker turns out to have died before is asked again: what is
 * known here is filled in again, and what is not is stale, which none_stale reports. */
static bool ask_device(Device *device, const LaunchList *list, const Ask *ask, Arena *arena, Report *out, Err *err) {
	return ON_WORKER(device, err, ask_once(device, list, ask, arena, out, err));
}

/* Each by itself: guards are looked at after each, and the first that goes wrong is the last. */
static bool run_each(Device *device, const LaunchList *list, const Ask *ask, Arena *arena, Report *out, Err *err) {
	double milliseconds = 0;
	for (uint32_t i = 0; i < list->nitems && out->outcome.status == LAUNCH_OK; i++) {
		const LaunchList one = {&list->items[i], 1, list->print, list->user};
		if (!ask_device(device, &one, ask, arena, out, err)) return false;
		milliseconds += out->outcome.milliseconds;
	}
	out->outcome.milliseconds = milliseconds;
	return true;
}

static bool ask_shadow(Device *device, const LaunchList *list, const Ask *ask, Arena *arena, Report *out,
					   const char **unknown, Err *err) {
	return ON_WORKER(device, err, shadow_submit(device, list, ask, true, arena, out, unknown, err));
}

/* --- adversarial orders ------------------------------------------------------------------------------------------- */

static bool ask_emulator(Device *device, const LaunchList *list, const Ask *ask, Arena *arena, Report *out,
						 const char **unknown, Err *err) {
	if (device->info.can & CAN_EMULATE) return ask_device(device, list, ask, arena, out, err);
	return ask_shadow(device, list, ask, arena, out, unknown, err);
}

static bool has_findings(const Report *r) {
	for (uint32_t i = 0; i < r->nitems; i++)
		if (r->items[i].nfindings) return true;
	return false;
}

static bool has_schedule(const LaunchList *list) {
	for (uint32_t i = 0; i < list->nitems; i++)
		if (list->items[i].launch.config.schedule) return true;
	return false;
}

/* The first of the orders in which something is found, and what; 0: none, or the list ended early. */
static bool check_orders(Device *device, const LaunchList *list, const Ask *ask, Arena *arena, Report *found,
						 uint32_t *order, Err *err) {
	LaunchItem *items = arena_array(arena, list->nitems, sizeof *items);
	const LaunchList silent = {.items = items, .nitems = list->nitems};
	Ask rehearsal = *ask;
	const char *unknown;
	memcpy(items, list->items, list->nitems * sizeof *items);
	rehearsal.rehearse = true;
	for (uint32_t seed = 1; seed <= ask->orders; seed++) {
		*found = (Report){0};
		for (uint32_t i = 0; i < list->nitems; i++) items[i].launch.config.schedule = seed;
		if (!ask_emulator(device, &silent, &rehearsal, arena, found, &unknown, err)) return false;
		if (has_findings(found)) *order = seed;
		if (*order || found->outcome.status != LAUNCH_OK) return true;
	}
	return true;
}

/* The ordinary order comes last, since its results stay. What it shows by itself needs no other. */
static bool check(Device *device, const LaunchList *list, const Ask *ask, Arena *arena, Report *out,
				  const char **unknown, uint32_t *order, Err *err) {
	Report other = {0};
	if (ask->orders && !has_schedule(list) && !check_orders(device, list, ask, arena, &other, order, err)) return false;
	if (!ask_emulator(device, list, ask, arena, out, unknown, err)) return false;
	if (has_findings(out) || out->outcome.status != LAUNCH_OK) *order = 0;
	if (!*order) return true;
	out->items = other.items;
	out->nitems = other.nitems;
	return true;
}

/* --- the question ------------------------------------------------------------------------------------------------- */

static void name_models(const Ask *ask, Report *report) {
	for (uint32_t i = 0; i < report->nitems; i++)
		for (uint32_t k = 0; k < report->items[i].npredictions && k < ask->nmodels; k++)
			report->items[i].predictions[k].gpu = ask->models[k];
}

/* A list that stopped early, or whose worker died, still has rows. */
static void complete(const LaunchList *list, const Ask *ask, Arena *arena, Report *report) {
	if (ask->mode == MODE_RUN || ask->mode == MODE_TIME || report->nitems == list->nitems) return;
	report->items = arena_array(arena, list->nitems, sizeof *report->items);
	report->nitems = list->nitems;
}

bool device_submit(Device *device, const LaunchList *list, const Ask *ask, Answer *answer, Err *err) {
	const bool emulated = ask->mode != MODE_RUN && ask->mode != MODE_TIME;
	const char *unknown = NULL;
	Report report = {0};
	if (!check_mode(device, ask, err) || !check_items(device, list, emulated, err)) return false;
	Arena *arena = arena_new();
	uint32_t order = 0;
	const bool ok = ask->mode == MODE_CHECK ? check(device, list, ask, arena, &report, &unknown, &order, err)
					: emulated              ? ask_emulator(device, list, ask, arena, &report, &unknown, err)
					: ask->mode == MODE_RUN ? run_each(device, list, ask, arena, &report, err)
											: ask_device(device, list, ask, arena, &report, err);
	if (!ok) {
		arena_free(arena);
		return false;
	}
	complete(list, ask, arena, &report);
	name_models(ask, &report);
	*answer = (Answer){.outcome = report.outcome,
					   .from_definitions = unknown != NULL,
					   .samples = report.samples,
					   .nsamples = report.nsamples,
					   .items = report.items,
					   .nitems = report.nitems,
					   .order = order,
					   .arena = arena};
	return true;
}

void answer_free(Answer *answer) {
	arena_free(answer->arena);
	*answer = (Answer){0};
}
