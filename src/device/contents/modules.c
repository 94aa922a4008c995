/* device.h: modules and kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "device/contents/contents.h"
#include "device/contents/uses.h"
#include "emu/count/sass.h"

/* --- modules ------------------------------------------------------------------------------------------------------ */

static void free_module(DeviceModule *module) {
	for (DeviceKernel *k = module->kernels, *next; k; k = next) {
		next = k->next;
		free(k->uses);
		free(k->places);
		free(k);
	}
	variables_free(module);
	compiled_free(module->compiled);
	free(module);
}

bool device_load(Device *device, const Compiled *compiled, DeviceModule **out, Err *err) {
	if (!compiled->ptx) return err_set(err, ERR_USAGE, "a module without PTX cannot be loaded");
	Compiled *own = compiled_copy(compiled);
	if (!compiled_read(own, err)) {
		compiled_free(own);
		return false;
	}
	DeviceModule *module = xcalloc(1, sizeof *module);
	module->compiled = own;
	module->ptx = own->module;
	variables_init(module);
	if (!ON_WORKER(device, err, module_load(device, module, err))) {
		free_module(module);
		return false;
	}
	module->next = device->modules;
	device->modules = module;
	*out = module;
	return true;
}

void device_unload(Device *device, DeviceModule *module) {
	if (!module) return;
	DeviceModule **link = &device->modules;
	while (*link && *link != module) link = &(*link)->next;
	if (!*link) return;
	*link = module->next;
	if (module->shadow_loaded) backend_unload(device->shadow.backend, (Number){module->shadow_number}, NULL, NULL);
	if (module->loaded && device_works(device))
		backend_unload(device->main.backend, (Number){module->number}, NULL, NULL);
	free_module(module);
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

static bool no_such_kernel(const DeviceModule *module, const char *name, Err *err) {
	char known[400] = "";
	size_t used = 0;
	for (size_t i = 0; i < module->compiled->nnames && used < sizeof known; i++)
		used +=
			(size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", module->compiled->names[i].name);
	err_set(err, ERR_USAGE, "the module has no kernel \"%s\"", name);
	if (*known)
		err_hint(err, "it has %s; instances of templates must be named when compiling", known);
	else
		err_hint(err, "name the kernel when compiling, as in names = {\"%s\"}", name);
	return false;
}

static DeviceKernel *make_kernel(DeviceModule *module, const char *name, const PtxFunction *function) {
	DeviceKernel *kernel = xcalloc(1, sizeof *kernel);
	snprintf(kernel->name, sizeof kernel->name, "%s", name);
	kernel->module = module;
	kernel->function = function;
	kernel->linked = function->name;
	kernel->uses = xcalloc(function->nparams, sizeof *kernel->uses);
	kernel->places = xcalloc(function->nparams, sizeof *kernel->places);
	kernel_uses(function, kernel->uses);
	for (uint32_t i = 0; i < function->nparams; i++)
		kernel->places[i] = (ParamPlace){(uint32_t)function->params[i]->offset, (uint32_t)function->params[i]->bytes};
	kernel->next = module->kernels;
	module->kernels = kernel;
	return kernel;
}

bool device_kernel(Device *device, DeviceModule *module, const char *name, DeviceKernel **out, Err *err) {
	for (DeviceKernel *k = module->kernels; k; k = k->next)
		if (strcmp(k->name, name) == 0) {
			*out = k;
			return true;
		}
	const char *linked = compiled_linked_name(module->compiled, name);
	const PtxFunction *function = ptx_function(module->ptx, linked ? linked : name);
	if (!function || !function->entry) return no_such_kernel(module, name, err);
	*out = make_kernel(module, name, function);
	return true;
}

/* The module's number is another one on a new worker. */
static KernelRequest about(const DeviceKernel *kernel, uint32_t threads, size_t shared, uint32_t registers) {
	return (KernelRequest){kernel->module->number, kernel->linked, threads, shared, registers};
}

/* A program that has SASS for the GPU says it itself; for others the caller did. registers 0: it is not known. */
static Assembled assembled_of(const Device *device, const DeviceKernel *kernel) {
	const uint32_t cc = device->info.cc;
	const Compiled *c = kernel->module->compiled;
	if (c->by_sass)
		return (Assembled){cc, sass_registers(c->cubin, c->cubin_bytes, kernel->linked),
						   sass_local_bytes(c->cubin, c->cubin_bytes, kernel->linked)};
	for (uint32_t i = 0; i < kernel->nassembled; i++)
		if (kernel->assembled[i].cc == cc) return kernel->assembled[i];
	return (Assembled){0};
}

bool device_kernel_info(Device *device, const DeviceKernel *kernel, KernelInfo *out, Err *err) {
	KernelInfo info = {0};
	if (!ON_WORKER(device, err, backend_kernel_info(device->main.backend, about(kernel, 0, 0, 0), &info, err)))
		return false;
	snprintf(info.name, sizeof info.name, "%s", kernel->name);
	info.nparams = kernel->function->nparams;
	const Assembled assembled = assembled_of(device, kernel);
	if (assembled.registers && info.registers_estimated) {
		info.registers = assembled.registers;
		info.local_bytes = assembled.local_bytes;
		info.registers_estimated = false;
	}
	*out = info;
	return true;
}

void device_kernel_assembled(DeviceKernel *kernel, Assembled assembled) {
	if (kernel->nassembled < MOST_ASSEMBLED) kernel->assembled[kernel->nassembled++] = assembled;
}

bool device_kernel_is_assembled(const DeviceKernel *kernel, uint32_t cc) {
	uint32_t i = 0;
	while (i < kernel->nassembled && kernel->assembled[i].cc != cc) i++;
	return i < kernel->nassembled;
}

void device_kernel_uses(const DeviceKernel *kernel, uint32_t i, bool *reads, bool *writes) {
	const bool holds = i < kernel->function->nparams && kernel->function->params[i]->bytes >= sizeof(uint64_t);
	const uint8_t uses = holds ? kernel->uses[i] : 0;
	*reads = uses & USE_READ;
	*writes = uses & USE_WRITE;
}

PtxType device_kernel_param(const DeviceKernel *kernel, uint32_t i, size_t *bytes) {
	if (i >= kernel->function->nparams) {
		if (bytes) *bytes = 0;
		return T_NONE;
	}
	if (bytes) *bytes = kernel->function->params[i]->bytes;
	return kernel->function->params[i]->type;
}

bool device_occupancy(Device *device, const DeviceKernel *kernel, uint32_t threads, size_t shared, Occupancy *out,
					  Err *err) {
	const uint32_t registers = assembled_of(device, kernel).registers;
	return ON_WORKER(device, err,
					 backend_occupancy(device->main.backend, about(kernel, threads, shared, registers), out, err));
}
