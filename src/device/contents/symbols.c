/* device.h: variables of modules, for people. */
#include <stdio.h>
#include <string.h>

#include "base/text/mangled.h"
#include "base/text/nearest.h"
#include "device/contents/contents.h"

/* --- names -------------------------------------------------------------------------------------------------------- */

static const char *last_part(const char *name) {
	const char *last = name, *at;
	while ((at = strstr(last, "::"))) last = at + 2;
	return last;
}

/* Index of the variable with that name, in full or (if only one has it) without its namespaces. */
static int find(const PtxModule *ptx, const char *name, bool *ambiguous) {
	int found = -1;
	char source[256];
	*ambiguous = false;
	for (uint32_t i = 0; i < ptx->nglobals; i++) {
		if (!is_variable(ptx->globals[i])) continue;
		variable_name(ptx->globals[i], source, sizeof source);
		if (strcmp(ptx->globals[i]->name, name) == 0 || strcmp(source, name) == 0) {
			*ambiguous = false;
			return (int)i;
		}
		if (strcmp(last_part(source), name) != 0) continue;
		*ambiguous = found >= 0;
		found = (int)i;
	}
	return found;
}

static int find_instance(const PtxModule *ptx, const char *name) {
	for (uint32_t i = 0; i < ptx->nglobals; i++)
		if (is_variable(ptx->globals[i]) && mangled_is_named(ptx->globals[i]->name, name)) return (int)i;
	return -1;
}

static bool no_such_symbol(const PtxModule *ptx, const char *name, Err *err) {
	AUTO_FREE char(*names)[128] = xcalloc(ptx->nglobals + 1, sizeof *names);
	AUTO_FREE const char **list = xcalloc(ptx->nglobals + 1, sizeof *list);
	size_t n = 0;
	for (uint32_t i = 0; i < ptx->nglobals; i++) {
		if (!is_variable(ptx->globals[i])) continue;
		variable_name(ptx->globals[i], names[n], sizeof names[n]);
		list[n] = names[n];
		if (*list[n] != '_') n++;
	}
	list[n] = NULL;
	const char *near = nearest(name, list);
	err_set(err, ERR_USAGE, "the module has no variable \"%.100s\"", name);
	if (near)
		err_hint(err, "did you mean \"%.100s\"?", near);
	else if (n)
		err_hint(err, "it has %.100s%s; variables that no kernel uses are not compiled", list[0], n > 1 ? " ..." : "");
	else
		err_hint(
			err,
			"a __constant__ or __device__ variable at file scope is one; if no kernel uses it, it is not compiled");
	return false;
}

bool device_symbol(const DeviceModule *module, const char *name, uint32_t *symbol, Err *err) {
	bool ambiguous;
	int i = find(module->ptx, name, &ambiguous);
	if (i < 0 && strchr(name, '<')) i = find_instance(module->ptx, name);
	if (i < 0) return no_such_symbol(module->ptx, name, err);
	if (ambiguous) {
		err_set(err, ERR_USAGE, "the module has several variables \"%.100s\"", name);
		return err_hint(err, "name the namespace too, as in \"lab::%.100s\"", name);
	}
	*symbol = (uint32_t)i;
	return true;
}

/* --- the public face ---------------------------------------------------------------------------------------------- */

void device_symbol_info(const DeviceModule *module, uint32_t symbol, SymbolInfo *out) {
	const PtxVar *v = module->ptx->globals[symbol];
	*out = (SymbolInfo){.bytes = v->bytes,
						.type = v->type,
						.constant = v->space == SPACE_CONST,
						.stale = variable_stale(module, symbol)};
	variable_name(v, out->name, sizeof out->name);
}

static bool in_range(const DeviceModule *module, uint32_t symbol, size_t offset, size_t bytes, Err *err) {
	const PtxVar *v = module->ptx->globals[symbol];
	if (offset <= v->bytes && bytes <= v->bytes - offset) return true;
	char name[128];
	variable_name(v, name, sizeof name);
	return err_set(err, ERR_USAGE, "bytes %zu to %zu of the variable \"%s\", which has %zu", offset, offset + bytes,
				   name, v->bytes);
}

static bool upload(Device *device, const DeviceModule *module, uint32_t symbol, size_t offset, const void *data,
				   size_t bytes, Err *err) {
	uint64_t addr;
	return variable_place(device, module, symbol, &addr, err) &&
		   backend_upload(device->main.backend, addr + offset, data, bytes, err);
}

static bool download(Device *device, const DeviceModule *module, uint32_t symbol, size_t offset, void *data,
					 size_t bytes, Err *err) {
	uint64_t addr;
	if (!variable_place(device, module, symbol, &addr, err)) return false;
	if (variable_stale(module, symbol)) {
		SymbolInfo info;
		device_symbol_info(module, symbol, &info);
		err_set(err, ERR_FAULT, "stale: the variable \"%s\" lost what kernels had written when the worker crashed",
				info.name);
		return err_hint(err, "upload it again, or run the kernel that wrote it again");
	}
	return backend_download(device->main.backend, addr + offset, data, bytes, err);
}

bool device_symbol_upload(Device *device, DeviceModule *module, uint32_t symbol, size_t offset, const void *data,
						  size_t bytes, Err *err) {
	if (!in_range(module, symbol, offset, bytes, err)) return false;
	if (!ON_WORKER(device, err, upload(device, module, symbol, offset, data, bytes, err))) return false;
	variable_remember(device, module, symbol, offset, data, bytes);
	return true;
}

bool device_symbol_upload_pointers(Device *device, DeviceModule *module, uint32_t symbol, const ArgPointer *pointers,
								   uint32_t n, Err *err) {
	for (uint32_t i = 0; i < n; i++) {
		const Slot *to = slot_get(device, pointers[i].buffer, err);
		if (!to || !in_range(module, symbol, pointers[i].at, 8, err)) return false;
		const uint64_t addr = to->place.addr + pointers[i].offset;
		if (!device_symbol_upload(device, module, symbol, pointers[i].at, &addr, sizeof addr, err)) return false;
		variable_add_pointer(module, symbol, pointers[i]);
	}
	return true;
}

bool device_symbol_download(Device *device, DeviceModule *module, uint32_t symbol, size_t offset, void *data,
							size_t bytes, Err *err) {
	return in_range(module, symbol, offset, bytes, err) &&
		   ON_WORKER(device, err, download(device, module, symbol, offset, data, bytes, err));
}
