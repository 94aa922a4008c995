/* step.h: the copy, and calls to its worker. */
#include "device/step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "device/ask/ask.h"

struct Stepping {
	Device *device;   /* the copy; NULL: on the backend of another */
	Backend *backend; /* where it is stepped */
	const char *gpu;
	Arena *arena;  /* of its life */
	Arena *answer; /* of the last call */
	StepOpened opened;
};

/* --- the copy ----------------------------------------------------------------------------------------------------- */

static bool upload_copy(Device *from, const Slot *slot, Device *to, Buffer buffer, Err *err) {
	AUTO_FREE uint8_t *bytes = xmalloc(slot->bytes ? slot->bytes : 1);
	return place_read(&from->main, slot, &slot->place, 0, bytes, slot->bytes, err) &&
		   device_upload(to, buffer, 0, bytes, slot->count, err);
}

static bool copy_slot(Device *from, const Slot *slot, Device *to, Buffer *out, Err *err) {
	const Define define = {.kind = DEFINE_DATA};
	Buffer plain;
	const bool made = slot->at
						  ? device_buffer_at(to, slot->at, slot->type, slot->count, slot->name, define, &plain, err)
						  : device_buffer(to, slot->type, slot->count, slot->name, define, &plain, err);
	if (!made || !upload_copy(from, slot, to, plain, err)) return false;
	*out = plain;
	return !slot->texture ||
		   (device_texture(to, slot->texture, plain, slot->name, out, err) && device_free(to, plain, err));
}

typedef struct {
	const Slot *slot;
	Buffer copy;
} Copied;

typedef VEC(Copied) Copies;

/* Arguments that name one buffer name one copy. */
static bool copy_reference(Device *from, Buffer *buffer, Device *to, Copies *copies, Err *err) {
	const Slot *slot = slot_get(from, *buffer, err);
	if (!slot) return false;
	for (size_t i = 0; i < copies->len; i++) {
		if (copies->data[i].slot != slot) continue;
		*buffer = copies->data[i].copy;
		return true;
	}
	if (!copy_slot(from, slot, to, buffer, err)) return false;
	vec_push(copies, (Copied){slot, *buffer});
	for (uint32_t i = 0; i < slot->npointers; i++) {
		ArgPointer p = slot->pointers[i];
		if (!copy_reference(from, &p.buffer, to, copies, err) || !device_upload_pointers(to, *buffer, &p, 1, err))
			return false;
	}
	return true;
}

static bool copy_pointers(Device *from, const DeviceModule *a, uint32_t variable, Device *to, DeviceModule *b,
						  Copies *copies, Err *err) {
	ArgPointer p;
	for (uint32_t n = 0; variable_pointer(a, variable, n, &p); n++)
		if (slot_get(from, p.buffer, NULL) && (!copy_reference(from, &p.buffer, to, copies, err) ||
											   !device_symbol_upload_pointers(to, b, variable, &p, 1, err)))
			return false;
	return true;
}

static bool copy_variables(Device *from, DeviceModule *a, Device *to, DeviceModule *b, Copies *copies, Err *err) {
	for (uint32_t i = 0; i < a->ptx->nglobals; i++) {
		SymbolInfo info;
		if (!is_variable(a->ptx->globals[i])) continue;
		device_symbol_info(a, i, &info);
		if (info.stale || !info.bytes) continue;
		uint8_t *bytes = xmalloc(info.bytes);
		const bool ok = device_symbol_download(from, a, i, 0, bytes, info.bytes, err) &&
						device_symbol_upload(to, b, i, 0, bytes, info.bytes, err);
		free(bytes);
		if (!ok || !copy_pointers(from, a, i, to, b, copies, err)) return false;
	}
	return true;
}

static bool copy_args(Device *from, const Launch *launch, Device *to, Arena *arena, Arg *args, Copies *copies,
					  Err *err) {
	bool ok = true;
	for (uint32_t i = 0; i < launch->nargs && ok; i++) {
		Arg *arg = &args[i];
		*arg = launch->args[i];
		if (arg->kind == ARG_BUFFER) ok = copy_reference(from, &arg->buffer, to, copies, err);
		if (arg->kind != ARG_BYTES || !arg->npointers) continue;
		ArgPointer *pointers = arena_array(arena, arg->npointers, sizeof *pointers);
		memcpy(pointers, arg->pointers, arg->npointers * sizeof *pointers);
		arg->pointers = pointers;
		for (uint32_t k = 0; k < arg->npointers && ok; k++)
			ok = copy_reference(from, &pointers[k].buffer, to, copies, err);
	}
	return ok;
}

static bool open_copy(const Device *device, Device **out, Err *err) {
	char name[96];
	snprintf(name, sizeof name, "emu:%s", emulated_gpu(device)->name);
	if (!device_open(name, out, err)) return false;
	(*out)->keeps_registers = true;
	return true;
}

/* Those at addresses of their own come first: the variables of the module take any that are free. */
static bool copy_placed(Device *from, Device *to, Copies *copies, Err *err) {
	bool ok = true;
	for (size_t i = 0; i < from->slots.len && ok; i++) {
		Buffer buffer = slot_handle(from, &from->slots.data[i]);
		if (from->slots.data[i].live && from->slots.data[i].at) ok = copy_reference(from, &buffer, to, copies, err);
	}
	for (size_t i = 0; i < from->freed.len && ok; i++) {
		const FreedAt *f = &from->freed.data[i];
		Buffer buffer; /* if another has its address now, that is the one that counts */
		if (device_buffer_at(to, f->at, ELEM_U8, f->bytes, f->name, (Define){.kind = DEFINE_DATA}, &buffer, NULL))
			ok = device_free(to, buffer, err);
	}
	return ok;
}

static bool copy_launch(Stepping *s, Device *from, const Launch *launch, Launch *own, Arg *args, Err *err) {
	const DeviceKernel *kernel = launch->kernel;
	Copies copies = {0};
	DeviceModule *module;
	const bool ok = copy_placed(from, s->device, &copies, err) &&
					device_load(s->device, kernel->module->compiled, &module, err) &&
					device_kernel(s->device, module, kernel->name, &own->kernel, err) &&
					copy_variables(from, kernel->module, s->device, module, &copies, err) &&
					copy_args(from, launch, s->device, s->arena, args, &copies, err);
	vec_free(&copies);
	return ok;
}

static bool can_step(Device *device, const Launch *launch, Err *err) {
	ListPlan plan;
	const bool ok =
		list_plan(device, LIST_OF(launch), true, &plan, err) && device_ready(device, err) && list_not_stale(&plan, err);
	list_plan_free(&plan);
	return ok;
}

static bool open_launch(Stepping *s, Device *from, const Launch *launch, Err *err) {
	Launch own = *launch;
	Arg *args = arena_array(s->arena, launch->nargs + 1, sizeof *args);
	BackendItem item;
	if (!can_step(from, launch, err)) return false;
	if (!open_copy(from, &s->device, err) || !copy_launch(s, from, launch, &own, args, err)) return false;
	own.args = args;
	if (!can_step(s->device, &own, err)) return false;
	item_pack(s->device, &(LaunchItem){.launch = own}, false, s->arena, &item);
	s->backend = s->device->main.backend;
	s->gpu = device_info(s->device)->gpu_name;
	return backend_step_open(s->backend, (StepOpen){item.launch}, &s->opened, err);
}

/* Answers point into the worker's last frame. */
static void keep_places(Stepping *s) {
	StepPlace *places = arena_array(s->arena, s->opened.nplaces + 1, sizeof *places);
	for (uint32_t i = 0; i < s->opened.nplaces; i++) {
		const StepPlace *p = &s->opened.places[i];
		places[i] = (StepPlace){.file = arena_strdup(s->arena, p->file ? p->file : ""),
								.function = arena_strdup(s->arena, p->function ? p->function : ""),
								.line = p->line,
								.text_line = p->text_line,
								.inlined = p->inlined};
	}
	s->opened.places = places;
}

/* opened: the launch was, or was refused. */
static bool begin(Stepping *s, bool opened, Stepping **out, Err *err) {
	bool ok = opened;
	if (ok && !s->opened.open) ok = err_set(err, ERR_FAULT, "%s", s->opened.refused.message);
	if (!ok) {
		stepping_close(s);
		return false;
	}
	keep_places(s);
	*out = s;
	return true;
}

bool stepping_open(Device *device, const Launch *launch, Stepping **out, Err *err) {
	Stepping *s = xcalloc(1, sizeof *s);
	s->arena = arena_new();
	return begin(s, open_launch(s, device, launch, err), out, err);
}

bool stepping_on(Backend *backend, const BackendLaunch *launch, const Gpu *gpu, Stepping **out, Err *err) {
	Stepping *s = xcalloc(1, sizeof *s);
	s->arena = arena_new();
	s->backend = backend;
	s->gpu = gpu->name;
	return begin(s, backend_step_open(backend, (StepOpen){*launch}, &s->opened, err), out, err);
}

void stepping_close(Stepping *s) {
	Nothing nothing;
	if (!s) return;
	if (!s->device && s->opened.open) backend_step_close(s->backend, (Nothing){0}, &nothing, NULL);
	device_close(s->device);
	arena_free(s->answer);
	arena_free(s->arena);
	free(s);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

const char *stepping_gpu(const Stepping *s) {
	return s->gpu;
}

const StepPlace *stepping_places(const Stepping *s, uint32_t *count) {
	*count = s->opened.nplaces;
	return s->opened.places;
}

bool stepping_go(Stepping *s, const StepGo *go, StepMoment *out, Err *err) {
	return backend_step_go(s->backend, *go, out, err);
}

bool stepping_read(Stepping *s, const char *const *expressions, uint32_t n, const StepValue **out, Err *err) {
	StepValues values = {0};
	arena_free(s->answer);
	s->answer = arena_new();
	StepExpression *list = arena_array(s->answer, n + 1, sizeof *list);
	for (uint32_t i = 0; i < n; i++) list[i].text = expressions[i];
	if (!backend_step_read(s->backend, (StepRead){list, n}, &values, err)) return false;
	if (values.nvalues != n) return err_set(err, ERR_FAULT, "the worker sent %u values for %u", values.nvalues, n);
	*out = values.values;
	return true;
}
