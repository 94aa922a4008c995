/* ask.h: a list on the shadow device. */
#include "device/ask/ask.h"

static bool load_modules(Device *device, const LaunchList *list, bool present, Err *err) {
	for (uint32_t n = 0; n < list->nitems; n++) {
		DeviceModule *module = list->items[n].launch.kernel->module;
		if (!shadow_load(device, module, err) || !variables_fill_shadow(device, module, present, err)) return false;
	}
	return true;
}

/* What is not passed would be memory to go astray into. */
static void forget_others(Device *device, const ListPlan *plan) {
	for (size_t i = 0; i < device->slots.len; i++) {
		Slot *slot = &device->slots.data[i];
		if (slot->live && !list_has(plan, slot) && slot->contents != CONTENTS_DEFINED) shadow_forget(device, slot);
	}
}

static bool fill_slots(Device *device, const ListPlan *plan, bool present, const char **unknown, Err *err) {
	for (size_t i = 0; i < plan->uses.len; i++) {
		const PlanUse *use = &plan->uses.data[i];
		if (!shadow_hold(device, use->slot, use->uses, present, unknown, err)) return false;
	}
	for (size_t i = 0; i < plan->uses.len; i++)
		if (!slot_write_pointers(device, &device->shadow, plan->uses.data[i].slot, true, err)) return false;
	for (uint32_t n = 0; n < plan->list->nitems; n++)
		if (!variables_point_in_shadow(device, plan->list->items[n].launch.kernel->module, err)) return false;
	return true;
}

static bool make_ready(Device *device, const ListPlan *plan, bool present, const char **unknown, Err *err) {
	if (!shadow_open(device, err)) return false;
	shadow_make_room(device);
	forget_others(device, plan);
	return load_modules(device, plan->list, present, err) && fill_slots(device, plan, present, unknown, err);
}

bool shadow_submit(Device *device, const ListPlan *plan, const Ask *ask, bool present, Arena *arena, Report *out,
				   const char **unknown, Err *err) {
	*unknown = NULL;
	bool ok = make_ready(device, plan, present, unknown, err);
	if (ok) {
		const Submission s = list_pack(device, plan, ask, true, arena);
		ok = backend_ask(device->shadow.backend, plan->list, s, arena, out, err);
	}
	if (ok && out->outcome.status == LAUNCH_FAULT) fault_find_element(device, &out->outcome.fault, true);
	/* After a fault nothing there is what it was. */
	if (!ok || out->outcome.status != LAUNCH_OK) shadow_forget_all(device);
	return ok;
}
