#include "exec/modules.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

bool modules_load(Modules *m, const ModuleCode *code, Number *out, Err *err) {
	Number number;
	PtxModule *ptx = ptx_parse(code->ptx, strlen(code->ptx), err);
	if (!ptx) return false;
	const ModuleCode loaded = {.ptx = code->ptx,
							   .keep_registers = m->steps,
							   .cubin = code->cubin,
							   .cubin_bytes = code->cubin_bytes,
							   .by_sass = true};
	if (!backend_load(m->backend, loaded, &number, err)) {
		ptx_free(ptx);
		return false;
	}
	Code held = {.number = number.value, .ptx = ptx};
	if (m->steps || m->keeps) held.text = blob_new(code->ptx, strlen(code->ptx));
	if (code->cubin_bytes) held.cubin = blob_new(code->cubin, code->cubin_bytes);
	vec_push(&m->list, held);
	out->value = m->list.len;
	for (uint32_t i = 0; i < ptx->nglobals; i++) {
		SymbolPlace place;
		if (ptx->globals[i]->space == SPACE_GLOBAL &&
			backend_symbol(m->backend, (SymbolRequest){number.value, ptx->globals[i]->name}, &place, NULL))
			vec_push(&m->variables, place.addr);
	}
	return true;
}

const Code *modules_code(const Modules *m, uint64_t module, Err *err) {
	if (module >= 1 && module <= m->list.len) return &m->list.data[module - 1];
	err_set(err, ERR_USAGE, "no such module");
	return NULL;
}

bool modules_variable(const Modules *m, const SymbolRequest *r, SymbolPlace *out, Err *err) {
	const Code *code = modules_code(m, r->module, err);
	return code && backend_symbol(m->backend, (SymbolRequest){code->number, r->name}, out, err);
}

ParamPlace *param_places(const PtxFunction *f, Arena *arena) {
	ParamPlace *places = arena_array(arena, f->nparams + 1, sizeof *places);
	for (uint32_t i = 0; i < f->nparams; i++)
		places[i] = (ParamPlace){(uint32_t)f->params[i]->offset, (uint32_t)f->params[i]->bytes};
	return places;
}

/* With the registers that ptxas gave the kernel, where the program has SASS for the GPU: libraries choose grids by
 * them. */
static bool kernel_info(const Modules *m, const Code *code, KernelRequest request, KernelInfo *out, Err *err) {
	const uint32_t registers = code->cubin ? sass_registers(code->cubin->data, code->cubin->bytes, request.name) : 0;
	request.module = code->number;
	if (!backend_kernel_info(m->backend, request, out, err)) return false;
	if (registers) out->registers = registers, out->registers_estimated = false;
	return true;
}

bool modules_kernel(const Modules *m, const SymbolRequest *r, Arena *arena, ExecKernel *out, Err *err) {
	const Code *code = modules_code(m, r->module, err);
	const PtxFunction *f = code ? ptx_function(code->ptx, r->name) : NULL;
	if (!f) return code && err_set(err, ERR_USAGE, "no such kernel");
	*out = (ExecKernel){.target = code->ptx->target,
						.param_bytes = f->param_bytes,
						.params = param_places(f, arena),
						.nparams = f->nparams};
	return kernel_info(m, code, (KernelRequest){.name = r->name}, &out->info, err);
}

bool modules_occupancy(const Modules *m, const KernelRequest *r, Number *out, Err *err) {
	Occupancy o;
	KernelInfo info;
	size_t shared;
	const Code *code = modules_code(m, r->module, err);
	const bool ok = code && kernel_info(m, code, *r, &info, err) &&
					!__builtin_add_overflow(info.static_shared, r->shared, &shared) &&
					gpu_occupancy(m->gpu, r->threads, info.registers, shared, &o, err);
	out->value = ok ? o.blocks_per_sm : 0;
	return ok;
}

bool modules_fused(Modules *m, const BackendLaunch *launch, Fused *out) {
	for (size_t i = 0; i < m->list.len; i++) {
		Code *code = &m->list.data[i];
		const PtxFunction *f = code->number == launch->module ? ptx_function(code->ptx, launch->linked_name) : NULL;
		SassAccesses sass;
		if (!f || !code->cubin || !sass_accesses(code->cubin->data, code->cubin->bytes, launch->linked_name, &sass))
			continue;
		for (size_t k = 0; k < code->launched.len; k++)
			if (code->launched.data[k] == f) return false;
		vec_push(&code->launched, f);
		AUTO_FREE PtxAdjacent *of = xcalloc(f->ninstrs + 1, sizeof *of);
		*out = fused_accesses(f, &sass, of);
		return true;
	}
	return false;
}

static void code_free(Code *code) {
	ptx_free(code->ptx);
	blob_drop(code->text);
	blob_drop(code->cubin);
	vec_free(&code->launched);
}

const PtxFunction *modules_launched(const Modules *m, BackendLaunch *launch, Arena *arena, const Code **code,
									Err *err) {
	*code = modules_code(m, launch->module, err);
	const PtxFunction *f = *code && launch->linked_name ? ptx_function((*code)->ptx, launch->linked_name) : NULL;
	if (!f || !f->entry || f->param_bytes != launch->param_bytes) {
		err_set(err, ERR_USAGE, "not a launch of a kernel of the program");
		return NULL;
	}
	launch->module = (*code)->number;
	launch->places = param_places(f, arena);
	launch->nparams = f->nparams;
	return f;
}

bool modules_order_host(const Code *code, const PtxFunction *kernel) {
	for (uint32_t i = 0; i < code->ptx->nfunctions; i++) {
		const PtxFunction *f = code->ptx->functions[i];
		if (f->entry && f != kernel) continue;
		for (const PtxInstr *in = f->instrs; in < f->instrs + f->ninstrs; in++) {
			const bool of_host = in->space == SPACE_GLOBAL || in->space == SPACE_GENERIC;
			if (in->scope == SCOPE_SYS || (in->sem == SEM_VOLATILE && of_host)) return true;
		}
	}
	return false;
}

void modules_free(Modules *m) {
	for (size_t i = 0; i < m->list.len; i++) code_free(&m->list.data[i]);
	vec_free(&m->list);
	vec_free(&m->variables);
}
