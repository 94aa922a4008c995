/* contents.h: what the variables of modules hold. A variable keeps what was uploaded to it, so that it survives a
 * worker; what a kernel left in a __device__ variable does not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/mangled.h"
#include "device/contents/contents.h"

struct Variable {
	uint8_t *copy;     /* what it holds by our doing, all of it; NULL: nothing was uploaded */
	uint64_t launches; /* of the module when it was last uploaded */
	bool may_change;   /* kernels can write to it */
	bool stale;
	ArgPointer *pointers; /* addresses of buffers in it, each side's own */
	uint32_t npointers;
};

/* --- names -------------------------------------------------------------------------------------------------------- */

void variable_name(const PtxVar *v, char *out, size_t size) {
	AUTO_FREE char *plain = mangled_is_instance(v->name) ? NULL : mangled_plain(v->name);
	snprintf(out, size, "%s", plain ? plain : v->name);
}

/* Texts of printf, tables of virtual functions and the like are variables, too, but not for people to name. */
bool is_variable(const PtxVar *v) {
	return (v->space == SPACE_GLOBAL || v->space == SPACE_CONST) && !v->external && v->bytes && *v->name != '$';
}

/* --- what happens to them ----------------------------------------------------------------------------------------- */

static bool names_var(const PtxOperand *o, const PtxVar *v) {
	if (o->symbol == v) return true;
	for (uint32_t i = 0; i < o->nitems; i++)
		if (names_var(&o->items[i], v)) return true;
	return false;
}

/* Code that takes its address may write through it; a plain load cannot. */
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

void variables_init(DeviceModule *module) {
	const PtxModule *ptx = module->ptx;
	module->variables = xcalloc(ptx->nglobals + 1, sizeof *module->variables);
	for (uint32_t i = 0; i < ptx->nglobals; i++)
		if (is_variable(ptx->globals[i])) module->variables[i].may_change = may_change(ptx, ptx->globals[i]);
}

void variables_free(DeviceModule *module) {
	for (uint32_t i = 0; module->variables && i < module->ptx->nglobals; i++) {
		free(module->variables[i].copy);
		free(module->variables[i].pointers);
	}
	free(module->variables);
}

/* Has a kernel had the chance to write to it since we did? */
static bool is_written(const DeviceModule *module, const Variable *v) {
	return v->may_change && module->launches > v->launches;
}

void variables_launched(DeviceModule *module) {
	module->launches++;
	for (uint32_t i = 0; i < module->ptx->nglobals; i++)
		if (module->variables[i].may_change) module->variables[i].stale = false;
}

void variables_lost(DeviceModule *module) {
	for (uint32_t i = 0; i < module->ptx->nglobals; i++) {
		Variable *v = &module->variables[i];
		if (is_written(module, v)) v->stale = true;
		v->launches = 0;
	}
	module->launches = 0;
}

bool variable_may_change(const DeviceModule *module, uint32_t i) {
	return module->variables[i].may_change;
}

bool variable_stale(const DeviceModule *module, uint32_t i) {
	return module->variables[i].stale;
}

void variable_add_pointer(DeviceModule *module, uint32_t i, ArgPointer pointer) {
	Variable *v = &module->variables[i];
	v->pointers = xrealloc(v->pointers, (v->npointers + 1) * sizeof *v->pointers);
	v->pointers[v->npointers++] = pointer;
}

bool variable_pointer(const DeviceModule *module, uint32_t i, uint32_t n, ArgPointer *out) {
	const Variable *v = &module->variables[i];
	if (n < v->npointers) *out = v->pointers[n];
	return n < v->npointers;
}

static void forget_pointers(Variable *v, size_t from, size_t end) {
	uint32_t kept = 0;
	for (uint32_t i = 0; i < v->npointers; i++) {
		const ArgPointer p = v->pointers[i];
		if (p.at + 8 <= from || p.at >= end) v->pointers[kept++] = p;
	}
	v->npointers = kept;
}

/* A part of a variable that kernels have written to becomes a part of what it held when we last knew it. */
void variable_remember(const Device *device, DeviceModule *module, uint32_t i, size_t offset, const void *data,
					   size_t bytes) {
	const PtxVar *ptx = module->ptx->globals[i];
	Variable *v = &module->variables[i];
	forget_pointers(v, offset, offset + bytes);
	if (bytes == ptx->bytes) {
		v->launches = module->launches;
		v->stale = false;
	}
	if (!device->main.backend->ops->restart) return;
	if (!v->copy) {
		v->copy = xcalloc(ptx->bytes, 1);
		if (ptx->init) memcpy(v->copy, ptx->init, ptx->bytes);
	}
	memcpy(v->copy + offset, data, bytes);
}

/* --- on a side ---------------------------------------------------------------------------------------------------- */

static bool find_place(const Side *side, uint64_t module, const PtxVar *v, uint64_t *addr, Err *err) {
	SymbolPlace place;
	if (!backend_symbol(side->backend, (SymbolRequest){module, v->name}, &place, err)) return false;
	if (place.bytes < v->bytes)
		return err_set(err, ERR_SETUP, "the device has %llu bytes for \"%s\", its PTX says %zu",
					   (unsigned long long)place.bytes, v->name, v->bytes);
	*addr = place.addr;
	return true;
}

bool variable_place(Device *device, const DeviceModule *module, uint32_t i, uint64_t *addr, Err *err) {
	return find_place(&device->main, module->number, module->ptx->globals[i], addr, err);
}

static void point(const Device *device, const Variable *v, bool shadow, uint8_t *data) {
	for (uint32_t i = 0; i < v->npointers; i++) {
		const ArgPointer *p = &v->pointers[i];
		const Slot *to = slot_get(device, p->buffer, NULL);
		const uint64_t base = !to ? 0 : shadow ? to->shadow.addr : to->place.addr, addr = base ? base + p->offset : 0;
		memcpy(data + p->at, &addr, sizeof addr);
	}
}

bool variables_fill(Device *device, DeviceModule *module, Err *err) {
	for (uint32_t i = 0; i < module->ptx->nglobals; i++) {
		uint64_t addr;
		if (!module->variables[i].copy) continue;
		point(device, &module->variables[i], false, module->variables[i].copy);
		if (!variable_place(device, module, i, &addr, err) ||
			!backend_upload(device->main.backend, addr, module->variables[i].copy, module->ptx->globals[i]->bytes, err))
			return false;
	}
	return true;
}

static bool read_present(Device *device, const DeviceModule *module, uint32_t i, uint8_t *data, Err *err) {
	uint64_t addr;
	return variable_place(device, module, i, &addr, err) &&
		   backend_download(device->main.backend, addr, data, module->ptx->globals[i]->bytes, err);
}

static bool read_as(Device *device, const DeviceModule *module, uint32_t i, bool present, uint8_t *data, Err *err) {
	const PtxVar *ptx = module->ptx->globals[i];
	const Variable *v = &module->variables[i];
	if (present && is_written(module, v)) return read_present(device, module, i, data, err);
	if (v->copy || ptx->init)
		memcpy(data, v->copy ? v->copy : ptx->init, ptx->bytes);
	else
		memset(data, 0, ptx->bytes);
	return true;
}

bool variable_read(Device *device, const DeviceModule *module, uint32_t i, uint8_t *data, Err *err) {
	return read_as(device, module, i, true, data, err);
}

bool variable_is_kept(const DeviceModule *module, uint32_t i) {
	const PtxVar *ptx = module->ptx->globals[i];
	const Variable *v = &module->variables[i];
	return is_variable(ptx) && !ptx->nrelocs && !v->npointers && (v->may_change || v->copy);
}

static bool fill_shadow(Device *device, const DeviceModule *module, uint32_t i, bool present, Err *err) {
	const PtxVar *ptx = module->ptx->globals[i];
	uint64_t addr = 0;
	if (!find_place(&device->shadow, module->shadow_number, ptx, &addr, NULL)) return true; /* no kernel uses it */
	AUTO_FREE uint8_t *data = xcalloc(ptx->bytes, 1);
	return read_as(device, module, i, present, data, err) &&
		   backend_upload(device->shadow.backend, addr, data, ptx->bytes, err);
}

/* Variables that hold addresses keep what the shadow made of them: those of the device mean nothing there. */
bool variables_fill_shadow(Device *device, const DeviceModule *module, bool present, Err *err) {
	for (uint32_t i = 0; i < module->ptx->nglobals; i++) {
		const PtxVar *ptx = module->ptx->globals[i];
		const Variable *v = &module->variables[i];
		if (!is_variable(ptx) || (ptx->nrelocs && !v->copy)) continue;
		if (!v->may_change && !v->copy) continue;
		if (!fill_shadow(device, module, i, present, err)) return false;
	}
	return true;
}

bool variables_point_in_shadow(Device *device, const DeviceModule *module, Err *err) {
	for (uint32_t i = 0; i < module->ptx->nglobals; i++) {
		const Variable *v = &module->variables[i];
		uint64_t addr = 0;
		if (!v->npointers || !find_place(&device->shadow, module->shadow_number, module->ptx->globals[i], &addr, NULL))
			continue;
		AUTO_FREE uint8_t *data = xcalloc(module->ptx->globals[i]->bytes, 1);
		point(device, v, true, data);
		for (uint32_t k = 0; k < v->npointers; k++) {
			const size_t at = v->pointers[k].at;
			if (!backend_upload(device->shadow.backend, addr + at, data + at, 8, err)) return false;
		}
	}
	return true;
}
