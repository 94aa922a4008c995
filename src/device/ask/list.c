/* ask.h: the list is checked, and every reference of it to a buffer followed, once. */
#include <stdlib.h>
#include <string.h>

#include "device/ask/ask.h"
#include "device/contents/uses.h"

bool is_launch(const LaunchItem *item) {
	return item->library.routine == LIBRARY_NONE;
}

/* --- what the list does to buffers -------------------------------------------------------------------------------- */

typedef struct {
	Device *device;
	ListPlan *plan;
	uint32_t item;
	const DeviceKernel *kernel; /* NULL: a library routine */
} Planner;

static PlanUse *use_of(Planner *p, Slot *slot) {
	if (slot->plan != p->plan->number) {
		slot->plan = p->plan->number;
		slot->in_plan = (uint32_t)p->plan->uses.len;
		vec_push(&p->plan->uses, (PlanUse){.slot = slot, .written_by = NOT_WRITTEN});
	}
	return &p->plan->uses.data[slot->in_plan];
}

static void add_use(Planner *p, Slot *slot, uint8_t uses) {
	PlanUse *use = use_of(p, slot);
	use->uses |= uses;
	use->read_first |= uses & USE_READ && (use->written_by == NOT_WRITTEN || use->written_by == p->item);
	if (!(uses & USE_WRITE) || use->written_by != NOT_WRITTEN) return;
	use->written_by = p->item;
	use->writer = p->kernel;
}

/* What a table of pointers refers to may be read and written, whatever the table is used for. */
static void add_table(Planner *p, Slot *table, uint8_t uses) {
	add_use(p, table, uses);
	for (uint32_t i = 0; i < table->npointers; i++) {
		Slot *inner = slot_get(p->device, table->pointers[i].buffer, NULL);
		if (inner) add_use(p, inner, USE_READ | USE_WRITE);
	}
}

static void add_placed(Planner *p) {
	for (size_t i = 0; i < p->device->slots.len; i++) {
		Slot *slot = &p->device->slots.data[i];
		if (slot->live && slot->at) add_use(p, slot, USE_READ | USE_WRITE);
	}
}

static void add_variables(Planner *p, const DeviceModule *module) {
	ArgPointer pointer;
	for (uint32_t v = 0; v < module->ptx->nglobals; v++)
		for (uint32_t k = 0; variable_pointer(module, v, k, &pointer); k++) {
			Slot *slot = slot_get(p->device, pointer.buffer, NULL);
			if (slot) add_table(p, slot, USE_READ | USE_WRITE);
		}
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static bool check_shape(const LaunchConfig *config, Err *err) {
	for (int i = 0; i < 3; i++)
		if (!config->grid[i] || !config->block[i])
			return err_set(err, ERR_USAGE, "the %s has no extent in %c: every dimension is at least 1",
						   config->grid[i] ? "block" : "grid", 'x' + i);
	return true;
}

static bool add_reference(Planner *p, Buffer buffer, size_t offset, uint8_t uses, Err *err) {
	Slot *slot = slot_get(p->device, buffer, err);
	if (!slot) return false;
	add_table(p, slot, uses);
	if (offset <= (slot->texture ? 0 : slot->bytes)) return true;
	return err_set(err, ERR_USAGE, "offset %zu is outside '%s', which has %zu bytes", offset, slot->name, slot->bytes);
}

static bool add_pointers(Planner *p, const Arg *arg, size_t bytes, uint8_t uses, Err *err) {
	for (uint32_t i = 0; i < arg->npointers; i++) {
		const ArgPointer *pointer = &arg->pointers[i];
		if (pointer->at > bytes || bytes - pointer->at < 8)
			return err_set(err, ERR_USAGE, "a buffer at byte %zu of a structure of %zu bytes", pointer->at, bytes);
		if (!add_reference(p, pointer->buffer, pointer->offset, uses, err)) return false;
	}
	return true;
}

static bool add_arg(Planner *p, const Arg *arg, uint32_t i, Err *err) {
	const PtxVar *param = p->kernel->function->params[i];
	if (arg->kind == ARG_BYTES) return add_pointers(p, arg, param->bytes, p->kernel->uses[i], err);
	if (arg->kind == ARG_VALUE) {
		if (param->bytes <= sizeof arg->value) return true;
		return err_set(err, ERR_USAGE, "parameter %u of %s is a structure of %zu bytes, not a number", i + 1,
					   p->kernel->name, param->bytes);
	}
	if (param->bytes != 8) {
		err_set(err, ERR_USAGE, "parameter %u of %s takes a value of %zu bytes (.%s), not a buffer", i + 1,
				p->kernel->name, param->bytes, ptx_type_name(param->type));
		return err_hint(err, "pass a number there; is the order of the arguments right?");
	}
	return add_reference(p, arg->buffer, arg->offset, p->kernel->uses[i], err);
}

static bool add_launch(Planner *p, const Launch *launch, Err *err) {
	const uint32_t wanted = p->kernel->function->nparams;
	if (!check_shape(&launch->config, err)) return false;
	if (launch->nargs != wanted)
		return err_set(err, ERR_USAGE, "%s takes %u argument%s, %u given", p->kernel->name, wanted,
					   wanted == 1 ? "" : "s", launch->nargs);
	for (uint32_t i = 0; i < launch->nargs; i++)
		if (!add_arg(p, &launch->args[i], i, err)) return false;
	add_variables(p, p->kernel->module);
	add_placed(p);
	return true;
}

/* --- the list ----------------------------------------------------------------------------------------------------- */

static bool add_library(Planner *p, const LibraryCall *call, Err *err) {
	Slot *slots[LIBRARY_BUFFERS];
	if (!library_check(p->device, call, slots, err)) return false;
	for (uint32_t i = 0; i < library_info(call->routine)->nbuffers; i++) add_use(p, slots[i], i ? USE_READ : USE_WRITE);
	return true;
}

bool list_plan(Device *device, const LaunchList *list, bool emulated, ListPlan *plan, Err *err) {
	*plan = (ListPlan){.list = list, .number = ++device->plans};
	if (!list->nitems) return err_set(err, ERR_USAGE, "a list of launches needs at least one item");
	for (uint32_t i = 0; i < list->nitems; i++) {
		const LaunchItem *item = &list->items[i];
		Planner p = {device, plan, i, is_launch(item) ? item->launch.kernel : NULL};
		if (!p.kernel && emulated) return library_missing(item->library.routine, err);
		if (!(p.kernel ? add_launch(&p, &item->launch, err) : add_library(&p, &item->library, err))) return false;
	}
	return true;
}

void list_plan_free(ListPlan *plan) {
	vec_free(&plan->uses);
}

bool list_not_stale(const ListPlan *plan, Err *err) {
	for (size_t i = 0; i < plan->uses.len; i++) {
		const PlanUse *use = &plan->uses.data[i];
		if (use->read_first && !slot_not_stale(use->slot, err)) return false;
	}
	return true;
}

bool list_has(const ListPlan *plan, const Slot *slot) {
	return slot->plan == plan->number;
}
