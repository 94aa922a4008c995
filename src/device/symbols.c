/* device.h: module variables. A variable keeps what was uploaded to it, so that it survives a worker; what a kernel left in a
 * __device__ variable does not. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/nearest.h"
#include "device/internal.h"

struct ModuleVar {
	uint8_t *copy;     /* what it holds by our doing, all of it; NULL: nothing was uploaded */
	uint64_t launches; /* of the module when it was last uploaded */
	bool may_change;   /* kernels can write to it */
	bool stale;
};

/* --- names ----------------------------------------------------------------------------------------------------------- */

static void copy_text(char *out, size_t size, const char *text) {
	const size_t len = strnlen(text, size - 1);
	memcpy(out, text, len);
	out[len] = 0;
}

/* "lab::taps" of "_ZN3lab4tapsE", "hidden" of "_ZL6hidden"; unnamed namespaces leave no trace. Anything else stays as it is. */
static void source_name(const char *linked, char *out, size_t size) {
	const char *at = linked;
	size_t used = 0;
	bool nested = strncmp(at, "_ZN", 3) == 0;
	copy_text(out, size, linked);
	if (!nested && strncmp(at, "_ZL", 3) != 0) return;
	char name[256] = "";
	for (at += 3; isdigit((unsigned char)*at);) {
		char *end;
		size_t len = strtoul(at, &end, 10);
		if (len > strlen(end) || used + len + 3 > sizeof name) return;
		bool unnamed = strncmp(end, "_GLOBAL__N_", 11) == 0 || strncmp(end, "_INTERNAL_", 10) == 0;
		if (!unnamed)
			used += (size_t)snprintf(name + used, sizeof name - used, "%s%.*s", used ? "::" : "", (int)len, end);
		at = end + len;
	}
	if (strcmp(at, nested ? "E" : "") == 0 && used) copy_text(out, size, name);
}

static const char *last_part(const char *name) {
	const char *last = name, *at;
	while ((at = strstr(last, "::"))) last = at + 2;
	return last;
}

/* Texts of printf, tables of virtual functions and the like are variables, too, but nobody's to name. */
static bool is_symbol(const PtxVar *v) {
	return (v->space == SPACE_GLOBAL || v->space == SPACE_CONST) && !v->external && v->bytes && *v->name != '$';
}

/* Index of the variable with that name, in full or (if only one has it) without its namespaces. */
static int find(const PtxModule *ptx, const char *name, bool *ambiguous) {
	int found = -1;
	char source[256];
	*ambiguous = false;
	for (uint32_t i = 0; i < ptx->nglobals; i++) {
		if (!is_symbol(ptx->globals[i])) continue;
		source_name(ptx->globals[i]->name, source, sizeof source);
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

static bool no_such_symbol(const PtxModule *ptx, const char *name, Err *err) {
	char(*names)[128] = xcalloc(ptx->nglobals + 1, sizeof *names);
	const char **list = xcalloc(ptx->nglobals + 1, sizeof *list);
	size_t n = 0;
	for (uint32_t i = 0; i < ptx->nglobals; i++) {
		if (!is_symbol(ptx->globals[i])) continue;
		source_name(ptx->globals[i]->name, names[n], sizeof names[n]);
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
	free(list);
	free(names);
	return false;
}

bool device_symbol(const DeviceModule *module, const char *name, uint32_t *symbol, Err *err) {
	bool ambiguous;
	int i = find(module->ptx, name, &ambiguous);
	if (i < 0) return no_such_symbol(module->ptx, name, err);
	if (ambiguous) {
		err_set(err, ERR_USAGE, "the module has several variables \"%.100s\"", name);
		return err_hint(err, "name the namespace too, as in \"lab::%.100s\"", name);
	}
	*symbol = (uint32_t)i;
	return true;
}

/* --- what happens to variables ------------------------------------------------------------------------------------------ */

static bool names_var(const PtxOperand *o, const PtxVar *v) {
	if (o->symbol == v) return true;
	for (uint32_t i = 0; i < o->nitems; i++)
		if (names_var(&o->items[i], v)) return true;
	return false;
}

/* Whoever takes its address may write through it; a plain load cannot. */
static bool may_change(const PtxModule *ptx, const PtxVar *v) {
	if (v->space != SPACE_GLOBAL) return false;
	for (uint32_t g = 0; g < ptx->nglobals; g++)
		for (uint32_t r = 0; r < ptx->globals[g]->nrelocs; r++)
			if (ptx->globals[g]->relocs[r].symbol == v) return true;
	for (uint32_t f = 0; f < ptx->nfunctions; f++)
		for (uint32_t i = 0; i < ptx->functions[f]->ninstrs; i++) {
			const PtxInstr *in = &ptx->functions[f]->instrs[i];
			if (in->op == OP_LD) continue;
			for (uint32_t o = 0; o < in->noperands; o++)
				if (names_var(&in->operands[o], v)) return true;
		}
	return false;
}

void symbols_init(DeviceModule *module) {
	const PtxModule *ptx = module->ptx;
	module->vars = xcalloc(ptx->nglobals + 1, sizeof *module->vars);
	for (uint32_t i = 0; i < ptx->nglobals; i++)
		if (is_symbol(ptx->globals[i])) module->vars[i].may_change = may_change(ptx, ptx->globals[i]);
}

void symbols_free(DeviceModule *module) {
	for (uint32_t i = 0; module->vars && i < module->ptx->nglobals; i++) free(module->vars[i].copy);
	free(module->vars);
}

/* Has a kernel had the chance to write to it since we did? */
static bool parted(const DeviceModule *module, const ModuleVar *var) {
	return var->may_change && module->launches > var->launches;
}

void symbols_launched(DeviceModule *module) {
	module->launches++;
	for (uint32_t i = 0; i < module->ptx->nglobals; i++)
		if (module->vars[i].may_change) module->vars[i].stale = false;
}

void symbols_lost(DeviceModule *module) {
	for (uint32_t i = 0; i < module->ptx->nglobals; i++) {
		ModuleVar *var = &module->vars[i];
		if (parted(module, var)) var->stale = true;
		var->launches = 0;
	}
	module->launches = 0;
}

static bool address(Device *device, const DeviceModule *module, uint32_t symbol, uint64_t *addr, Err *err) {
	const PtxVar *v = module->ptx->globals[symbol];
	size_t bytes;
	if (!device->backend->ops->symbol(device->backend, module->number, v->name, addr, &bytes, err)) return false;
	if (bytes >= v->bytes) return true;
	return err_set(err, ERR_SETUP, "the device has %zu bytes for \"%s\", its PTX says %zu", bytes, v->name, v->bytes);
}

bool symbols_fill_again(Device *device, DeviceModule *module, Err *err) {
	const BackendOps *ops = device->backend->ops;
	for (uint32_t i = 0; i < module->ptx->nglobals; i++) {
		uint64_t addr;
		if (!module->vars[i].copy) continue;
		if (!address(device, module, i, &addr, err) ||
			!ops->upload(device->backend, addr, module->vars[i].copy, module->ptx->globals[i]->bytes, err))
			return false;
	}
	return true;
}

bool symbols_save(Device *device, const DeviceModule *module, Snapshot *snapshot, Err *err) {
	for (uint32_t i = 0; i < module->ptx->nglobals; i++) {
		uint64_t addr;
		if (!module->vars[i].may_change) continue;
		if (!address(device, module, i, &addr, err) || !snapshot_add(snapshot, addr, err)) return false;
	}
	return true;
}

/* --- the twin ------------------------------------------------------------------------------------------------------------- */

static bool download_present(Device *device, const DeviceModule *module, uint32_t i, uint8_t *data, Err *err) {
	uint64_t addr;
	return address(device, module, i, &addr, err) &&
		   device->backend->ops->download(device->backend, addr, data, module->ptx->globals[i]->bytes, err);
}

static bool fill_twin(Device *device, const DeviceModule *module, uint32_t i, bool present, Err *err) {
	const PtxVar *v = module->ptx->globals[i];
	const ModuleVar *var = &module->vars[i];
	uint64_t addr;
	size_t bytes;
	if (!emu_symbol(module->twin, v->name, &addr, &bytes)) return true;
	if (!(present && parted(module, var))) {
		if (var->copy) return machine_write(device->twin, addr, var->copy, bytes, err);
		void *host = machine_host(device->twin, addr, bytes);
		if (v->init)
			memcpy(host, v->init, bytes);
		else
			memset(host, 0, bytes);
		return true;
	}
	uint8_t *data = xmalloc(bytes);
	bool ok = download_present(device, module, i, data, err) && machine_write(device->twin, addr, data, bytes, err);
	free(data);
	return ok;
}

/* Variables that hold addresses keep what the twin made of them: those of the device mean nothing there. */
bool symbols_fill_twin(Device *device, const DeviceModule *module, bool present, Err *err) {
	for (uint32_t i = 0; i < module->ptx->nglobals; i++) {
		const PtxVar *v = module->ptx->globals[i];
		if (!is_symbol(v) || (v->nrelocs && !module->vars[i].copy)) continue;
		if (!module->vars[i].may_change && !module->vars[i].copy) continue;
		if (!fill_twin(device, module, i, present, err)) return false;
	}
	return true;
}

/* --- the public face ------------------------------------------------------------------------------------------------------- */

void device_symbol_info(const DeviceModule *module, uint32_t symbol, SymbolInfo *out) {
	const PtxVar *v = module->ptx->globals[symbol];
	*out = (SymbolInfo){
		.bytes = v->bytes, .type = v->type, .constant = v->space == SPACE_CONST, .stale = module->vars[symbol].stale};
	source_name(v->name, out->name, sizeof out->name);
}

static bool in_range(const DeviceModule *module, uint32_t symbol, size_t offset, size_t bytes, Err *err) {
	const PtxVar *v = module->ptx->globals[symbol];
	if (offset <= v->bytes && bytes <= v->bytes - offset) return true;
	char name[128];
	source_name(v->name, name, sizeof name);
	return err_set(err, ERR_USAGE, "bytes %zu to %zu of the variable \"%s\", which has %zu", offset, offset + bytes,
				   name, v->bytes);
}

static bool upload(Device *device, const DeviceModule *module, uint32_t symbol, size_t offset, const void *data,
				   size_t bytes, Err *err) {
	uint64_t addr;
	return device_ready(device, err) && address(device, module, symbol, &addr, err) &&
		   device->backend->ops->upload(device->backend, addr + offset, data, bytes, err);
}

static bool download(Device *device, const DeviceModule *module, uint32_t symbol, size_t offset, void *data,
					 size_t bytes, Err *err) {
	uint64_t addr;
	if (!device_ready(device, err) || !address(device, module, symbol, &addr, err)) return false;
	if (module->vars[symbol].stale) {
		SymbolInfo info;
		device_symbol_info(module, symbol, &info);
		err_set(err, ERR_FAULT, "stale: the variable \"%s\" lost what kernels had written when the worker died",
				info.name);
		return err_hint(err, "upload it again, or run again the kernel that wrote it");
	}
	return device->backend->ops->download(device->backend, addr + offset, data, bytes, err);
}

/* A part of a variable that kernels have written to becomes a part of what it held when we last knew it. */
static void remember(const Device *device, DeviceModule *module, uint32_t symbol, size_t offset, const void *data,
					 size_t bytes) {
	const PtxVar *v = module->ptx->globals[symbol];
	ModuleVar *var = &module->vars[symbol];
	if (bytes == v->bytes) {
		var->launches = module->launches;
		var->stale = false;
	}
	if (!device->backend->ops->restart) return;
	if (!var->copy) {
		var->copy = xcalloc(v->bytes, 1);
		if (v->init) memcpy(var->copy, v->init, v->bytes);
	}
	memcpy(var->copy + offset, data, bytes);
}

bool device_symbol_upload(Device *device, DeviceModule *module, uint32_t symbol, size_t offset, const void *data,
						  size_t bytes, Err *err) {
	Err local = ERR_INIT;
	if (!err) err = &local;
	if (!in_range(module, symbol, offset, bytes, err)) return false;
	bool ok = upload(device, module, symbol, offset, data, bytes, err);
	if (!ok && device_try_again(device, err)) ok = upload(device, module, symbol, offset, data, bytes, err);
	if (ok) remember(device, module, symbol, offset, data, bytes);
	return ok;
}

bool device_symbol_download(Device *device, DeviceModule *module, uint32_t symbol, size_t offset, void *data,
							size_t bytes, Err *err) {
	Err local = ERR_INIT;
	if (!err) err = &local;
	if (!in_range(module, symbol, offset, bytes, err)) return false;
	bool ok = download(device, module, symbol, offset, data, bytes, err);
	if (!ok && device_try_again(device, err)) ok = download(device, module, symbol, offset, data, bytes, err);
	return ok;
}
