/* ask.h: how a list ended. A GPU reports that something went wrong; guards and a replay find out
 * what and where. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/mangled.h"
#include "device/ask/ask.h"
#include "device/contents/uses.h"

enum { REPLAY_TIMEOUT_MS = 20000 };

/* --- faults ------------------------------------------------------------------------------------------------------- */

/* Appends a sentence to the outcome's message. */
static void add_sentence(LaunchOutcome *out, const char *sentence) {
	size_t used = strlen(out->message);
	snprintf(out->message + used, sizeof out->message - used, "%s%s", used ? " " : "", sentence);
}

static bool fits(FaultKind seen, FaultKind replayed) {
	return seen == replayed || seen == FAULT_UNKNOWN || seen == FAULT_TRAP || replayed == FAULT_FREED;
}

static bool is_emulatable(const LaunchList *list, Err *err) {
	for (uint32_t i = 0; i < list->nitems; i++)
		if (!is_launch(&list->items[i])) return library_missing(list->items[i].library.routine, err);
	return true;
}

/* The GPU says only that something went wrong; the same launch on the emulator says what and where. Where the emulator
 * finds nothing, or something else, that is said. */
static void replay(Device *device, const ListPlan *plan, LaunchOutcome *out) {
	static const Ask ask = {.mode = MODE_RUN};
	const LaunchList *list = plan->list;
	const char *unknown = NULL;
	Report report = {0};
	Err err = ERR_INIT;
	char text[400];
	Arena *arena = arena_new();
	LaunchItem *items = arena_array(arena, list->nitems, sizeof *items);
	const LaunchList silent = {.items = items, .nitems = list->nitems};
	memcpy(items, list->items, list->nitems * sizeof *items);
	for (uint32_t i = 0; i < list->nitems; i++) items[i].launch.config.timeout_ms = REPLAY_TIMEOUT_MS;
	ListPlan again_plan = *plan;
	again_plan.list = &silent;
	const bool ok =
		is_emulatable(list, &err) && shadow_submit(device, &again_plan, &ask, false, arena, &report, &unknown, &err);
	const LaunchOutcome again = report.outcome;
	arena_free(arena);
	if (!ok) {
		snprintf(text, sizeof text, "It could not be replayed on the emulator to find the place: %.250s.", err.what);
		add_sentence(out, text);
		return;
	}
	if (again.status != LAUNCH_FAULT) {
		const char *found = again.status == LAUNCH_OK        ? "found nothing wrong"
							: again.status == LAUNCH_TIMEOUT ? "did not get to it within its time limit"
							: again.status == LAUNCH_LIMIT   ? "was refused by a limit"
															 : "was interrupted";
		snprintf(text, sizeof text, "A replay on the emulator %s, so the place is not known.", found);
		add_sentence(out, text);
	} else {
		const FaultKind seen = out->fault.kind;
		*out = again;
		out->fault.replayed = true;
		if (!fits(seen, again.fault.kind)) {
			snprintf(text, sizeof text, "(The GPU itself reported: %s.)", fault_kind_names[seen]);
			add_sentence(out, text);
		}
	}
	if (unknown) {
		snprintf(text, sizeof text,
				 "(The replay took '%s' from its definition: what a kernel had written to it was lost.)", unknown);
		add_sentence(out, text);
	}
}

/* --- guards ------------------------------------------------------------------------------------------------------- */

/* The damage nearest to the elements: scanned away from them. */
static bool nearest_damage(const uint8_t *guard, size_t bytes, bool backwards, size_t *distance) {
	for (size_t i = 0; i < bytes; i++) {
		if (guard[backwards ? bytes - 1 - i : i] == GUARD_BYTE) continue;
		*distance = i;
		return true;
	}
	return false;
}

/* Offset from the first element of a damaged guard byte; *damaged false: none. Repairs what it finds. */
static bool check_guards(const Side *side, const Slot *slot, bool *damaged, int64_t *offset, Err *err) {
	uint8_t guard[GUARD_AFTER];
	const uint64_t end = slot->place.addr + slot->bytes;
	size_t distance;
	*damaged = false;
	if (slot->texture) return true;
	if (!backend_download(side->backend, slot->place.base, guard, GUARD_BEFORE, err)) return false;
	if (nearest_damage(guard, GUARD_BEFORE, true, &distance)) {
		*damaged = true;
		*offset = -1 - (int64_t)distance;
		if (!backend_fill(side->backend, (Fill){slot->place.base, GUARD_BEFORE, GUARD_BYTE}, NULL, err)) return false;
	}
	if (!backend_download(side->backend, end, guard, GUARD_AFTER, err)) return false;
	if (nearest_damage(guard, GUARD_AFTER, false, &distance)) {
		*damaged = true;
		*offset = (int64_t)(slot->bytes + distance);
		if (!backend_fill(side->backend, (Fill){end, GUARD_AFTER, GUARD_BYTE}, NULL, err)) return false;
	}
	return true;
}

static void name_guard_damage(const PlanUse *use, int64_t offset, LaunchOutcome *out) {
	const Slot *slot = use->slot;
	Fault *f = &out->fault;
	out->status = LAUNCH_FAULT;
	*f = (Fault){.kind = FAULT_OUT_OF_BOUNDS,
				 .threads = 1,
				 .offset = offset,
				 .space = "global",
				 .access = "store",
				 .address = slot->place.addr + (uint64_t)offset};
	if (use->writer) mangled_function(use->writer->name, f->kernel, sizeof f->kernel);
	fault_name_element(f, slot);
	snprintf(f->message, sizeof f->message, "The kernel wrote outside '%s'", slot->name);
	snprintf(out->message, sizeof out->message, "The kernel wrote outside '%s', %s it.", slot->name,
			 offset < 0 ? "before" : "past the end of");
}

/* A guard that changed is a write outside the elements: the GPU let it pass. */
static bool find_guard_damage(Device *device, const ListPlan *plan, LaunchOutcome *out, Err *err) {
	for (size_t i = 0; i < plan->uses.len; i++) {
		const PlanUse *use = &plan->uses.data[i];
		bool damaged;
		int64_t offset;
		if (!use->writer) continue;
		if (!check_guards(&device->main, use->slot, &damaged, &offset, err)) return false;
		if (damaged && out->status != LAUNCH_FAULT) name_guard_damage(use, offset, out);
	}
	return true;
}

/* --- the end of a list -------------------------------------------------------------------------------------------- */

static void mark_written(const ListPlan *plan) {
	for (size_t i = 0; i < plan->uses.len; i++) {
		Slot *slot = plan->uses.data[i].slot;
		if (!(plan->uses.data[i].uses & USE_WRITE)) continue;
		slot->contents = CONTENTS_WRITTEN;
		slot->at_risk = false;
	}
	for (uint32_t n = 0; n < plan->list->nitems; n++)
		if (is_launch(&plan->list->items[n])) variables_launched(plan->list->items[n].launch.kernel->module);
}

/* The GPU does not say which kernel of several it was; a replay will. */
static void explain_fault(Device *device, const ListPlan *plan, LaunchOutcome *out) {
	const LaunchItem *first = &plan->list->items[0];
	if (plan->list->nitems == 1 && is_launch(first))
		mangled_function(first->launch.kernel->name, out->fault.kernel, sizeof out->fault.kernel);
	fault_find_element(device, &out->fault, false);
	const bool lost = out->fault.kind == FAULT_NONE; /* its process died: a replay of what? */
	if (lost) out->fault.kind = FAULT_UNKNOWN;
	if (!lost && !out->fault.located && !(device->info.can & CAN_LOCATE)) replay(device, plan, out);
}

/* A replay comes before the buffers are marked: it wants contents from before the launches. Where none can come they
 * are marked first: what launches wrote that had ended is not at risk any more when the worker is found dead only
 * now. */
bool list_conclude(Device *device, const ListPlan *plan, LaunchOutcome *out, Err *err) {
	const bool guards = device->main.guards && backend_alive(device->main.backend),
			   early = out->status == LAUNCH_OK && !guards;
	if (early) mark_written(plan);
	const bool alive = device_works(device);
	if (alive && guards && out->status == LAUNCH_OK && !find_guard_damage(device, plan, out, err)) return false;
	if (out->status == LAUNCH_FAULT) explain_fault(device, plan, out);
	if (alive && out->status == LAUNCH_FAULT) cache_drop(device); /* it may have written there, too */
	if (alive && !early && out->status != LAUNCH_LIMIT) mark_written(plan);
	return true;
}
