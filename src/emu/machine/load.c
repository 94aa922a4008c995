/* Loading a module: variables into memory, functions lowered, kernels with all functions they can reach. */
#include <string.h>

#include "base/text/mangled.h"
#include "emu/lower/lower.h"
#include "emu/machine/internal.h"

/* --- variables ---------------------------------------------------------------------------------------------------- */

static Allocation *place_global(Machine *m, const PtxVar *v, Err *err) {
	const AllocKind kind = v->space == SPACE_CONST ? ALLOC_CONST : ALLOC_GLOBAL;
	char name[ALLOCATION_NAME];
	mangled_variable(v->name, name, sizeof name);
	Allocation *a = v->at ? memory_add_at(m->memory, kind, v->bytes, name, v->at, err)
						  : memory_add(m->memory, kind, v->bytes, name, err);
	if (!a) return NULL;
	if (v->init)
		memcpy(a->host, v->init, v->bytes);
	else
		memset(a->host, 0, v->bytes);
	allocation_mark(a, 0, v->bytes);
	return a;
}

/* Those first that have to be at an address. */
static bool place_globals(Machine *m, EmuModule *module, Err *err) {
	const PtxModule *ptx = module->ptx;
	module->globals = arena_array(module->arena, ptx->nglobals + 1, sizeof *module->globals);
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < ptx->nglobals; i++) {
			const PtxVar *v = ptx->globals[i];
			if ((v->space != SPACE_GLOBAL && v->space != SPACE_CONST) || v->external || (v->at ? 0 : 1) != pass)
				continue;
			module->globals[i] = place_global(m, v, err);
			if (!module->globals[i]) return false;
		}
	}
	return true;
}

static bool relocation_value(const EmuModule *module, const PtxReloc *r, uint64_t *value) {
	const PtxModule *ptx = module->ptx;
	if (r->function) return *value = FUNCTION_WINDOW + 16 * (uint64_t)r->function->index, true;
	if (!r->symbol || r->symbol->owner || r->symbol->index >= ptx->nglobals || !module->globals[r->symbol->index])
		return false;
	*value = module->globals[r->symbol->index]->base + (uint64_t)r->addend;
	return true;
}

static bool relocate(EmuModule *module, Err *err) {
	const PtxModule *ptx = module->ptx;
	for (uint32_t i = 0; i < ptx->nglobals; i++) {
		const PtxVar *v = ptx->globals[i];
		for (uint32_t k = 0; k < v->nrelocs && module->globals[i]; k++) {
			uint64_t value = 0;
			const PtxReloc *r = &v->relocs[k];
			if (r->offset > v->bytes || v->bytes - r->offset < 8 || !relocation_value(module, r, &value))
				return err_set(err, ERR_COMPILE,
							   "the initial value of variable %s refers to something that has no address", v->name);
			memcpy(module->globals[i]->host + r->offset, &value, 8);
		}
	}
	return true;
}

/* --- functions ---------------------------------------------------------------------------------------------------- */

static void lower_functions(EmuModule *module) {
	const PtxModule *ptx = module->ptx;
	module->functions = arena_array(module->arena, ptx->nfunctions + 1, sizeof *module->functions);
	for (uint32_t i = 0; i < ptx->nfunctions; i++) {
		EmuFunction *fn = module->functions[i] = arena_alloc(module->arena, sizeof *fn);
		fn->ptx = ptx->functions[i];
		fn->index = i;
		if (!fn->ptx->external) fn->cfg = ptx_cfg(module->arena, fn->ptx);
	}
	module->forms = match_forms(module->arena, ptx);
	for (uint32_t i = 0; i < ptx->nfunctions; i++)
		if (module->functions[i]->cfg) lower_function(module, module->functions[i]);
}

static void reach(EmuKernel *k, EmuFunction *fn, bool *seen) {
	if (seen[fn->index] || !fn->cfg) return;
	seen[fn->index] = true;
	k->programs[k->nprograms++] = fn;
}

/* A call of the device runtime of CUDA 12 and 13, or of the one before, which launches a kernel. */
static bool launches(const PtxInstr *in) {
	const PtxFunction *callee = in->op == OP_CALL && in->noperands > 1 && in->operands[1].kind == OPERAND_FUNCTION
									? in->operands[1].function
									: NULL;
	return callee && callee->external &&
		   (text_starts(callee->name, "__cudaCDP2LaunchDevice") || text_starts(callee->name, "cudaLaunchDevice"));
}

static void find_launch(EmuKernel *k, const PtxFunction *f) {
	for (uint32_t i = 0; i < f->ninstrs && !k->launcher; i++)
		if (launches(&f->instrs[i])) k->launcher = f, k->launches = &f->instrs[i];
}

/* Breadth first from the kernel. A call through a pointer may reach every device function, but whether it gets to one
 * that launches kernels shows only when it is made. */
static void find_programs(EmuKernel *k, EmuFunction *entry) {
	EmuModule *module = k->module;
	const uint32_t n = module->ptx->nfunctions;
	bool indirect = false;
	AUTO_FREE bool *seen = xcalloc(n + 1, sizeof *seen);
	k->programs = arena_array(module->arena, n, sizeof *k->programs);
	reach(k, entry, seen);
	for (uint32_t p = 0; p < k->nprograms; p++) {
		const EmuFunction *fn = k->programs[p];
		for (uint32_t c = 0; c < fn->ncallees; c++) reach(k, module->functions[fn->callees[c]], seen);
		find_launch(k, fn->ptx);
		indirect |= fn->indirect;
	}
	for (uint32_t i = 0; indirect && i < n; i++)
		if (!module->functions[i]->ptx->entry) reach(k, module->functions[i], seen);
}

static bool names_reserved(const PtxFunction *f) {
	for (uint32_t i = 0; i < f->ninstrs; i++)
		for (uint32_t k = 0; k < f->instrs[i].noperands; k++) {
			const PtxOperand *o = &f->instrs[i].operands[k];
			if (o->kind == OPERAND_SPECIAL && o->special >= SR_RESERVED_BEGIN && o->special <= SR_RESERVED_1)
				return true;
		}
	return false;
}

static void number_code(EmuKernel *k) {
	Arena *arena = k->module->arena;
	const uint32_t n = k->module->ptx->nfunctions;
	k->ptx = arena_array(arena, k->nprograms, sizeof *k->ptx);
	k->first = arena_array(arena, k->nprograms, sizeof *k->first);
	k->first_instr = arena_array(arena, n, sizeof *k->first_instr);
	k->first_block = arena_array(arena, n, sizeof *k->first_block);
	for (uint32_t i = 0; i < n; i++) k->first_instr[i] = k->first_block[i] = UINT32_MAX;
	for (uint32_t p = 0; p < k->nprograms; p++) {
		const EmuFunction *fn = k->programs[p];
		k->ptx[p] = fn->ptx;
		k->reserves_shared |= names_reserved(fn->ptx);
		k->first[p] = k->first_instr[fn->index] = k->ninstrs;
		k->first_block[fn->index] = k->ncode_blocks;
		k->ninstrs += fn->ptx->ninstrs;
		k->ncode_blocks += fn->cfg->nblocks;
	}
}

/* --- shared memory ------------------------------------------------------------------------------------------------ */

static size_t align_to(size_t at, size_t align) {
	return align ? (at + align - 1) / align * align : at;
}

/* The function's own shared variables: their offsets are multiples of their own. */
static size_t shared_align(const PtxFunction *f) {
	size_t most = 16;
	for (uint32_t i = 0; i < f->nlocals; i++)
		if (f->locals[i]->space == SPACE_SHARED && f->locals[i]->align > most) most = f->locals[i]->align;
	return most;
}

static void place_shared(EmuKernel *k) {
	const PtxModule *ptx = k->module->ptx;
	Arena *arena = k->module->arena;
	size_t at = 0, dynamic = 16;
	k->global_shared = arena_array(arena, ptx->nglobals + 1, sizeof *k->global_shared);
	k->function_shared = arena_array(arena, ptx->nfunctions + 1, sizeof *k->function_shared);
	for (uint32_t i = 0; i < ptx->nglobals; i++) k->global_shared[i] = UINT64_MAX;
	for (uint32_t p = 0; p < k->nprograms; p++) {
		const EmuFunction *fn = k->programs[p];
		for (uint32_t r = 0; r < fn->nshared_refs; r++) {
			const PtxVar *v = ptx->globals[fn->shared_refs[r]];
			if (!v->bytes && v->align > dynamic) dynamic = v->align;
			if (!v->bytes || v->external || k->global_shared[v->index] != UINT64_MAX) continue;
			at = align_to(at, v->align);
			k->global_shared[v->index] = at;
			at += v->bytes;
		}
		if (!fn->shared_bytes) continue;
		at = align_to(at, shared_align(fn->ptx));
		k->function_shared[fn->index] = at;
		at += fn->shared_bytes;
	}
	k->static_shared = at;
	k->dynamic_offset = align_to(at, dynamic);
	for (uint32_t i = 0; i < ptx->nglobals; i++)
		if (ptx->globals[i]->space == SPACE_SHARED && k->global_shared[i] == UINT64_MAX)
			k->global_shared[i] = k->dynamic_offset;
}

/* --- registers ---------------------------------------------------------------------------------------------------- */

static bool moves_registers(const EmuKernel *k) {
	for (uint32_t p = 0; p < k->nprograms; p++)
		for (uint32_t i = 0; i < k->ptx[p]->ninstrs; i++)
			if (k->ptx[p]->instrs[i].op == OP_SETMAXNREG) return true;
	return false;
}

/* What ptxas 13.0 gives a kernel with setmaxnreg: .maxnreg, or all registers that .minnctapersm leaves. Without either
 * it ignores the instruction. */
static uint32_t pool_registers(const EmuKernel *k) {
	enum { REGISTERS = 65536, UNIT = 8, MOST = 255 };
	const PtxFunction *f = k->ptx[0];
	if (!moves_registers(k)) return 0;
	if (f->max_registers) return f->max_registers;
	if (!f->min_blocks || !f->max_threads) return 0;
	const uint64_t each = REGISTERS / ((uint64_t)f->max_threads * f->min_blocks) / UNIT * UNIT;
	return each > MOST ? MOST : (uint32_t)each;
}

static void make_kernels(EmuModule *module) {
	const PtxModule *ptx = module->ptx;
	module->kernels = arena_array(module->arena, ptx->nfunctions + 1, sizeof *module->kernels);
	for (uint32_t i = 0; i < ptx->nfunctions; i++) {
		EmuFunction *fn = module->functions[i];
		if (!fn->ptx->entry || !fn->cfg) continue;
		EmuKernel *k = module->kernels[module->nkernels++] = arena_alloc(module->arena, sizeof *k);
		k->module = module;
		find_programs(k, fn);
		number_code(k);
		place_shared(k);
		k->pool_registers = pool_registers(k);
	}
}

/* --- the module --------------------------------------------------------------------------------------------------- */

static void forget_globals(Machine *m, EmuModule *module) {
	for (uint32_t i = 0; module->globals && i < module->ptx->nglobals; i++)
		memory_forget(m->memory, module->globals[i]);
}

bool machine_load(Machine *m, const PtxModule *ptx, EmuModule **out, Err *err) {
	Arena *arena = arena_new();
	EmuModule *module = arena_alloc(arena, sizeof *module);
	module->arena = arena;
	module->ptx = ptx;
	module->keeps_registers = m->keeps_registers;
	if (!place_globals(m, module, err) || !relocate(module, err)) {
		forget_globals(m, module);
		arena_free(arena);
		return false;
	}
	lower_functions(module);
	make_kernels(module);
	module->next = m->modules;
	m->modules = module;
	*out = module;
	return true;
}

void machine_unload(Machine *m, EmuModule *module) {
	if (!module) return;
	EmuModule **at = &m->modules;
	while (*at && *at != module) at = &(*at)->next;
	if (*at) *at = module->next;
	forget_globals(m, module);
	arena_free(module->arena);
}

const EmuKernel *emu_kernel(const EmuModule *module, const char *linked_name) {
	for (uint32_t i = 0; i < module->nkernels; i++)
		if (!strcmp(module->kernels[i]->programs[0]->ptx->name, linked_name)) return module->kernels[i];
	return NULL;
}

bool emu_symbol(const EmuModule *module, const char *name, uint64_t *addr, size_t *bytes) {
	for (uint32_t i = 0; i < module->ptx->nglobals; i++) {
		if (!module->globals[i] || strcmp(module->ptx->globals[i]->name, name)) continue;
		*addr = module->globals[i]->base;
		*bytes = module->globals[i]->bytes;
		return true;
	}
	return false;
}
