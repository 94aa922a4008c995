/* device.h: launches, and what is made of a fault. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "device/internal.h"
#include "device/uses.h"

enum { REPLAY_TIMEOUT_MS = 20000 };

/* --- arguments --------------------------------------------------------------------------------------------------------- */

static bool check_shape(const LaunchConfig *config, Err *err) {
	for (int i = 0; i < 3; i++)
		if (!config->grid[i] || !config->block[i])
			return err_set(err, ERR_USAGE, "the %s has no extent in %c: every dimension is at least 1",
						   config->grid[i] ? "block" : "grid", 'x' + i);
	return true;
}

static bool check_arg(const Device *device, const DeviceKernel *kernel, const Arg *arg, uint32_t i, Err *err) {
	const PtxVar *param = kernel->function->params[i];
	if (arg->kind == ARG_VALUE) {
		if (param->bytes <= sizeof arg->value) return true;
		err_set(err, ERR_USAGE, "parameter %u of %s is a structure of %zu bytes", i + 1, kernel->name, param->bytes);
		return err_hint(err, "values of up to 16 bytes can be passed; put larger ones into a buffer");
	}
	if (param->bytes != 8) {
		err_set(err, ERR_USAGE, "parameter %u of %s takes a value of %zu bytes (.%s), not a buffer", i + 1,
				kernel->name, param->bytes, ptx_type_name(param->type));
		return err_hint(err, "pass a number there; is the order of the arguments right?");
	}
	const Slot *slot = slot_get(device, arg->buffer, err);
	if (!slot) return false;
	if (arg->offset <= (slot->texture ? 0 : slot->bytes)) return true;
	return err_set(err, ERR_USAGE, "offset %zu lies outside '%s', which has %zu bytes", arg->offset, slot->name,
				   slot->bytes);
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

void launch_pack(const Device *device, const Launch *launch, AddressOf address_of, void *user, uint8_t **params,
				 size_t *bytes) {
	const DeviceKernel *kernel = launch->kernel;
	*bytes = kernel->function->param_bytes;
	*params = xcalloc(*bytes, 1);
	for (uint32_t i = 0; i < launch->nargs; i++) {
		const Arg *arg = &launch->args[i];
		uint8_t *at = *params + kernel->offsets[i];
		if (arg->kind == ARG_VALUE) {
			memcpy(at, arg->value, kernel->sizes[i]);
			continue;
		}
		uint64_t addr = address_of(user, slot_get(device, arg->buffer, NULL)) + arg->offset;
		memcpy(at, &addr, sizeof addr);
	}
}

static uint64_t address_on_device(void *user, const Slot *slot) {
	(void)user;
	return slot->addr;
}

/* --- what a launch does to its buffers ---------------------------------------------------------------------------------- */

static Slot *arg_slot(Device *device, const Launch *launch, uint32_t i) {
	return launch->args[i].kind == ARG_BUFFER ? slot_get(device, launch->args[i].buffer, NULL) : NULL;
}

bool launch_not_stale(Device *device, const Launch *launch, Err *err) {
	for (uint32_t i = 0; i < launch->nargs; i++) {
		const Slot *slot = arg_slot(device, launch, i);
		if (slot && launch->kernel->uses[i] & USE_READ && !slot_not_stale(slot, err)) return false;
	}
	return true;
}

static void mark_written(Device *device, const Launch *launch) {
	symbols_launched(launch->kernel->module);
	for (uint32_t i = 0; i < launch->nargs; i++) {
		Slot *slot = arg_slot(device, launch, i);
		if (!slot || !(launch->kernel->uses[i] & USE_WRITE)) continue;
		slot->written = true;
		slot->stale = false;
	}
}

/* --- faults ----------------------------------------------------------------------------------------------------------- */

void fault_name_element(Fault *fault, const Slot *slot) {
	fault->elem_bytes = (uint32_t)elem_bytes(slot->type);
	snprintf(fault->elem_type, sizeof fault->elem_type, "%s", elem_name(slot->type));
	snprintf(fault->buffer, sizeof fault->buffer, "%s", slot->name);
	fault->buffer_bytes = slot->bytes;
}

static void name_element_by_address(Device *device, Fault *fault) {
	if (!*fault->buffer) return;
	const uint64_t start = fault->address - (uint64_t)fault->offset;
	for (size_t i = 0; i < device->slots.len; i++)
		if (device->slots.data[i].live && device->slots.data[i].addr == start)
			fault_name_element(fault, &device->slots.data[i]);
}

/* Appends a sentence to the outcome's message. */
static void add_sentence(LaunchOutcome *out, const char *sentence) {
	size_t used = strlen(out->message);
	snprintf(out->message + used, sizeof out->message - used, "%s%s", used ? " " : "", sentence);
}

static bool fits(FaultKind seen, FaultKind replayed) {
	return seen == replayed || seen == FAULT_UNKNOWN || seen == FAULT_TRAP || replayed == FAULT_FREED;
}

/* The GPU says only that something went wrong; the same launch on the emulator says what and where. Where the emulator finds
 * nothing, or something else, that is said. */
static void replay(Device *device, const Work *work, LaunchOutcome *out) {
	LaunchOutcome again = {0};
	const char *unknown = NULL;
	WorkItem *silent = xcalloc(work->nitems, sizeof *silent);
	memcpy(silent, work->items, work->nitems * sizeof *silent);
	for (uint32_t i = 0; i < work->nitems; i++) silent[i].launch.print = NULL;
	const TwinRun run = {.timeout_ms = REPLAY_TIMEOUT_MS};
	Err err = ERR_INIT;
	char text[400];

	bool ok = twin_work(device, &(Work){silent, work->nitems}, &run, &again, &unknown, &err);
	free(silent);
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
			snprintf(text, sizeof text, "(The GPU itself reported: %s.)", fault_kind_name(seen));
			add_sentence(out, text);
		}
	}
	if (unknown) {
		snprintf(text, sizeof text,
				 "(The replay took '%s' from its definition: what a kernel had written to it was lost.)", unknown);
		add_sentence(out, text);
	}
}

/* A guard that changed is a write outside the elements: the GPU let it pass. */
static bool find_guard_damage(Device *device, const Launch *launch, LaunchOutcome *out, Err *err) {
	for (uint32_t i = 0; i < launch->nargs; i++) {
		Slot *slot = arg_slot(device, launch, i);
		if (!slot || !(launch->kernel->uses[i] & USE_WRITE)) continue;
		bool damaged;
		int64_t offset;
		if (!slot_check_guards(device, slot, &damaged, &offset, err)) return false;
		if (!damaged || out->status == LAUNCH_FAULT) continue;
		out->status = LAUNCH_FAULT;
		Fault *f = &out->fault;
		*f = (Fault){.kind = FAULT_OUT_OF_BOUNDS,
					 .threads = 1,
					 .offset = offset,
					 .space = "global",
					 .access = "store",
					 .address = slot->addr + (uint64_t)offset};
		snprintf(f->kernel, sizeof f->kernel, "%s", launch->kernel->name);
		fault_name_element(f, slot);
		snprintf(f->message, sizeof f->message, "The kernel wrote outside '%s'", slot->name);
		snprintf(out->message, sizeof out->message, "The kernel wrote outside '%s', %s it.", slot->name,
				 offset < 0 ? "before" : "past the end of");
	}
	return true;
}

/* --- launching ---------------------------------------------------------------------------------------------------------- */

static uint32_t timeout_of(const Device *device, const Launch *launch) {
	if (launch->config.timeout_ms) return launch->config.timeout_ms;
	return device->exact ? DEVICE_TIMEOUT_EMU_MS : DEVICE_TIMEOUT_GPU_MS;
}

void launch_prepare(Device *device, const Launch *launch, BackendLaunch *call, uint8_t **params) {
	const DeviceKernel *kernel = launch->kernel;
	*call = (BackendLaunch){.module = kernel->module->number,
							.linked_name = kernel->linked,
							.config = launch->config,
							.param_offsets = kernel->offsets,
							.param_sizes = kernel->sizes,
							.nparams = kernel->function->nparams,
							.print = launch->print,
							.user = launch->user};
	launch_pack(device, launch, address_on_device, NULL, params, &call->param_bytes);
	call->params = *params;
	call->config.timeout_ms = timeout_of(device, launch);
}

static bool is_launch(const WorkItem *item) {
	return item->library.routine == LIBRARY_NONE;
}

static bool find_any_damage(Device *device, const Work *work, LaunchOutcome *out, Err *err) {
	for (uint32_t i = 0; i < work->nitems; i++)
		if (is_launch(&work->items[i]) && !find_guard_damage(device, &work->items[i].launch, out, err)) return false;
	return true;
}

static void mark_all_written(Device *device, const Work *work) {
	for (uint32_t i = 0; i < work->nitems; i++) {
		const WorkItem *item = &work->items[i];
		if (is_launch(item)) {
			mark_written(device, &item->launch);
			continue;
		}
		Slot *slot = slot_get(device, item->library.buffers[0], NULL);
		if (!slot) continue;
		slot->written = true;
		slot->stale = false;
	}
}

/* The GPU does not say which kernel of several it was; a replay will. */
static void explain_fault(Device *device, const Work *work, LaunchOutcome *out) {
	const WorkItem *first = &work->items[0];
	if (work->nitems == 1 && is_launch(first))
		snprintf(out->fault.kernel, sizeof out->fault.kernel, "%s", first->launch.kernel->name);
	name_element_by_address(device, &out->fault);
	const bool lost = out->fault.kind == FAULT_NONE; /* its process died: a replay of what? */
	if (lost) out->fault.kind = FAULT_UNKNOWN;
	if (!lost && !out->fault.located && !device->exact) replay(device, work, out);
}

/* A replay comes before the buffers are marked: it wants contents from before the work. */
bool work_conclude(Device *device, const Work *work, LaunchOutcome *out, Err *err) {
	const bool alive = device_check_alive(device);
	if (alive && !device->exact && out->status == LAUNCH_OK && !find_any_damage(device, work, out, err)) return false;
	if (out->status == LAUNCH_FAULT) explain_fault(device, work, out);
	if (alive && out->status == LAUNCH_FAULT) pristine_drop(device); /* it may have written there, too */
	if (alive && out->status != LAUNCH_LIMIT) mark_all_written(device, work);
	return true;
}

static bool run(Device *device, const Launch *launch, const Listeners *listeners, LaunchOutcome *out, Err *err) {
	const BackendOps *ops = device->backend->ops;
	BackendLaunch call;
	LaunchOutcome outcome = {0};
	uint8_t *params;

	if (!launch_check(device, launch, err) || !device_ready(device, err) || !launch_not_stale(device, launch, err))
		return false;
	launch_prepare(device, launch, &call, &params);
	bool ok = listeners ? backend_emu_observe(device->backend, &call, listeners->observers, listeners->nobservers,
											  &outcome, err)
						: ops->launch(device->backend, &call, &outcome, err);
	free(params);
	if (!ok || !work_conclude(device, WORK_OF(launch), &outcome, err)) return false;
	*out = outcome;
	return true;
}

bool device_launch(Device *device, const Launch *launch, LaunchOutcome *out, Err *err) {
	return run(device, launch, NULL, out, err);
}

bool launch_observed(Device *device, const Launch *launch, const Listeners *listeners, LaunchOutcome *out, Err *err) {
	return run(device, launch, listeners, out, err);
}
