/* kept.h: finds what a launch reaches, and copies it. */
#include "exec/kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/text/mangled.h"
#include "base/vec.h"
#include "emu/memory/memory.h"

enum { MOST_FREED = 64 };

typedef struct {
	const KeepRequest *request;
	uint64_t first, last; /* addresses of allocations are between these */
	bool mallocs, heap;   /* kernels of the module call malloc; an address of its heap was found */
	VEC(Held *) found;
	VEC(KeptFreed) freed;
	VEC(KeptVariable) variables;
} Search;

/* --- what is reached ---------------------------------------------------------------------------------------------- */

static void reach_freed(Search *s, uint64_t word) {
	const Held *h = s->request->held->freed.count ? held_freed_at(s->request->held, word) : NULL;
	for (size_t i = 0; h && i < s->freed.len; i++)
		if (s->freed.data[i].addr == h->addr) h = NULL;
	if (!h || s->freed.len == MOST_FREED) return;
	KeptFreed freed = {.addr = h->addr, .bytes = h->bytes};
	memcpy(freed.name, h->name, sizeof freed.name);
	vec_push(&s->freed, freed);
}

static void reach(Search *s, uint64_t word) {
	enum { MOST_HEAP = 1 << 30 };
	s->heap |= s->mallocs && word - HEAP_BASE < MOST_HEAP;
	reach_freed(s, word);
	if (word < s->first || word > s->last) return;
	Held *h = held_at(s->request->held, word);
	if (!h) h = held_at(s->request->held, word - 1); /* the address behind the last byte */
	if (!h || h->found == s->request->number) return;
	h->found = s->request->number;
	vec_push(&s->found, h);
}

static void search_words(Search *s, const uint8_t *data, size_t bytes) {
	for (size_t at = 0; at + sizeof(uint64_t) <= bytes; at += sizeof(uint64_t)) {
		uint64_t word;
		memcpy(&word, data + at, sizeof word);
		reach(s, word);
	}
}

static const uint8_t *view_of(const Search *s, const Held *h) {
	return backend_view(s->request->backend, h->addr, h->bytes);
}

/* Found ones are searched as well. */
static void search_found(Search *s) {
	for (size_t i = 0; i < s->found.len; i++) {
		const uint8_t *view = view_of(s, s->found.data[i]);
		if (view) search_words(s, view, s->found.data[i]->bytes);
	}
}

static bool has_place(const PtxVar *v) {
	return (v->space == SPACE_GLOBAL || v->space == SPACE_CONST) && !v->external && v->bytes;
}

static bool has_contents(const PtxVar *v) {
	return *v->name != '$' && !v->nrelocs;
}

static Blob *contents_of(Search *s, uint64_t addr, size_t bytes) {
	AUTO_FREE uint8_t *data = xmalloc(bytes);
	if (!backend_download(s->request->backend, addr, data, bytes, NULL)) return NULL;
	search_words(s, data, bytes);
	return blob_new(data, bytes);
}

static void take_variable(Search *s, const PtxVar *v) {
	SymbolPlace place;
	if (!has_place(v) ||
		!backend_symbol(s->request->backend, (SymbolRequest){s->request->launch->module, v->name}, &place, NULL))
		return;
	Blob *contents = has_contents(v) ? contents_of(s, place.addr, v->bytes) : NULL;
	vec_push(&s->variables, (KeptVariable){xstrdup(v->name), place.addr, contents});
}

static bool uses_textures(const PtxModule *ptx, const char *kernel) {
	for (uint32_t i = 0; i < ptx->nfunctions; i++) {
		const PtxFunction *f = ptx->functions[i];
		if (f->entry && strcmp(f->name, kernel) != 0) continue;
		for (uint32_t k = 0; k < f->ninstrs; k++) {
			const PtxOp op = f->instrs[k].op;
			if (op == OP_TEX || op == OP_TLD4 || op == OP_SULD || op == OP_SUST) return true;
		}
	}
	return false;
}

static bool calls_malloc(const PtxModule *ptx) {
	for (uint32_t i = 0; i < ptx->nfunctions; i++)
		if (strcmp(ptx->functions[i]->name, "malloc") == 0) return true;
	return false;
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

static bool is_same(const Blob *blob, const uint8_t *data, size_t bytes) {
	return blob && blob->bytes == bytes && memcmp(blob->data, data, bytes) == 0;
}

/* Copies that only wait for a launch with the same contents. */
static void give_up_last(HeldMap *held) {
	for (Held *h = held_first(held); h; h = held_next(held, h)) {
		if (!h->last || h->last->users > 1) continue;
		blob_drop(h->last);
		h->last = NULL;
	}
}

static bool copy_all(Search *s, size_t *missing) {
	const KeepRequest *r = s->request;
	size_t more = 0;
	for (size_t i = 0; i < s->found.len; i++) {
		Held *h = s->found.data[i];
		if (!is_same(h->last, view_of(s, h), h->bytes)) more += h->bytes;
	}
	*missing = more;
	if (blobs_bytes() + more > r->most) return false;
	for (size_t i = 0; i < s->found.len; i++) {
		Held *h = s->found.data[i];
		const uint8_t *view = view_of(s, h);
		if (is_same(h->last, view, h->bytes)) continue;
		blob_drop(h->last);
		h->last = blob_new(view, h->bytes);
	}
	return true;
}

/* --- a launch ----------------------------------------------------------------------------------------------------- */

static int by_address(const void *a, const void *b) {
	const KeptBuffer *x = a, *y = b;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Marks the bytes of parameters that an operand reads: those of a load, all of a parameter whose address is taken. */
static void mark_read(const PtxFunction *f, const PtxInstr *in, const PtxOperand *o, bool *read) {
	const PtxVar *v = o->kind == OPERAND_ADDRESS || o->kind == OPERAND_SYMBOL ? o->symbol : NULL;
	if (!v || v->owner != f || v->index >= f->nparams || f->params[v->index] != v) return;
	const bool loads = in->op == OP_LD && o->kind == OPERAND_ADDRESS && !o->has_base && o->offset >= 0;
	const size_t from = loads ? (size_t)o->offset : 0;
	const size_t bytes = loads ? (size_t)ptx_type_bytes(in->types[0]) * in->vector : v->bytes;
	for (size_t i = from; i < from + bytes && i < v->bytes; i++) read[v->offset + i] = true;
}

/* Parameters without what the kernel does not read: padding has what was on the host's stack, and may look like an
 * address. */
static Blob *params_of(const KeepRequest *r) {
	const BackendLaunch *launch = r->launch;
	const PtxFunction *f = ptx_function(r->ptx, launch->linked_name);
	AUTO_FREE uint8_t *params = xcalloc(launch->param_bytes + 1, 1);
	if (f && f->param_bytes <= launch->param_bytes) {
		AUTO_FREE bool *read = xcalloc(launch->param_bytes + 1, sizeof *read);
		for (const PtxInstr *in = f->instrs; in < f->instrs + f->ninstrs; in++)
			for (uint32_t k = 0; k < in->noperands; k++) mark_read(f, in, &in->operands[k], read);
		for (size_t i = 0; i < launch->param_bytes; i++)
			if (read[i]) params[i] = ((const uint8_t *)launch->params)[i];
	} else if (launch->param_bytes)
		memcpy(params, launch->params, launch->param_bytes);
	return blob_new(params, launch->param_bytes);
}

static Kept *kept_new(const Search *s) {
	const KeepRequest *r = s->request;
	const BackendLaunch *launch = r->launch;
	Kept *kept = xcalloc(1, sizeof *kept);
	*kept = (Kept){.users = 1,
				   .ptx = blob_share(r->text),
				   .cubin = blob_share(r->cubin),
				   .kernel = xstrdup(launch->linked_name),
				   .name = mangled_written(launch->linked_name),
				   .config = launch->config,
				   .module = launch->module,
				   .params = params_of(r),
				   .places = xcalloc(launch->nparams + 1, sizeof *kept->places),
				   .nparams = launch->nparams,
				   .buffers = xcalloc(s->found.len + 1, sizeof *kept->buffers),
				   .nbuffers = s->found.len,
				   .freed = s->freed.data,
				   .nfreed = s->freed.len,
				   .variables = s->variables.data,
				   .nvariables = s->variables.len};
	if (launch->nparams) memcpy(kept->places, launch->places, launch->nparams * sizeof *kept->places);
	for (size_t i = 0; i < s->found.len; i++) {
		const Held *h = s->found.data[i];
		kept->buffers[i] = (KeptBuffer){.addr = h->addr, .contents = blob_share(h->last)};
		memcpy(kept->buffers[i].name, h->name, sizeof h->name);
	}
	qsort(kept->buffers, kept->nbuffers, sizeof *kept->buffers, by_address);
	return kept;
}

static void free_variables(KeptVariable *variables, size_t n) {
	for (size_t i = 0; i < n; i++) {
		free(variables[i].name);
		blob_drop(variables[i].contents);
	}
	free(variables);
}

/* False: why. */
static bool search(Search *s, char why[WHY_NOT]) {
	const KeepRequest *r = s->request;
	size_t missing;
	if (uses_textures(r->ptx, r->launch->linked_name)) {
		snprintf(why, WHY_NOT, "its kernel uses textures or surfaces, whose contents are not kept");
		return false;
	}
	s->mallocs = calls_malloc(r->ptx);
	for (uint32_t i = 0; i < r->ptx->nglobals; i++) take_variable(s, r->ptx->globals[i]);
	search_words(s, r->launch->params, r->launch->param_bytes);
	search_found(s);
	if (s->heap) {
		snprintf(why, WHY_NOT, "it is given memory of malloc in a kernel, which is not kept");
		return false;
	}
	if (copy_all(s, &missing)) return true;
	give_up_last(r->held);
	if (copy_all(s, &missing)) return true;
	snprintf(why, WHY_NOT, "%.3g MB of inputs are more than is left of the limit of %.3g MB: %s allows more",
			 (double)missing / 1e6, (double)r->most / 1e6, limit_how(LIMIT_KEPT_INPUTS));
	return false;
}

Kept *kept_of(const KeepRequest *request, char why[WHY_NOT]) {
	Search s = {.request = request, .first = UINT64_MAX};
	const OrderedEntry *last = ordered_floor(&request->held->map, UINT64_MAX);
	if (last) {
		s.first = held_first(request->held)->addr;
		s.last = held_at(request->held, last->key)->addr + held_at(request->held, last->key)->bytes;
	}
	if (*why || !search(&s, why)) s.found.len = 0;
	Kept *kept = kept_new(&s);
	if (*why) kept_forget_inputs(kept);
	vec_free(&s.found);
	return kept;
}

void kept_code(const Kept *kept, Str *out) {
	str_addn(out, (const char *)kept->ptx->data, kept->ptx->bytes);
	for (size_t i = 0; i < kept->nvariables; i++)
		str_addf(out, "\n.pragma \"gpulab.at %s 0x%llx\";", kept->variables[i].name,
				 (unsigned long long)kept->variables[i].addr);
	str_add(out, "\n");
}

Kept *kept_share(Kept *kept) {
	kept->users++;
	return kept;
}

void kept_forget_inputs(Kept *kept) {
	for (size_t i = 0; i < kept->nbuffers; i++) blob_drop(kept->buffers[i].contents);
	free_variables(kept->variables, kept->nvariables);
	free(kept->buffers);
	free(kept->freed);
	kept->buffers = NULL;
	kept->freed = NULL;
	kept->variables = NULL;
	kept->nbuffers = kept->nfreed = kept->nvariables = 0;
}

void kept_drop(Kept *kept) {
	if (!kept || --kept->users) return;
	kept_forget_inputs(kept);
	blob_drop(kept->ptx);
	blob_drop(kept->cubin);
	blob_drop(kept->params);
	free(kept->places);
	free(kept->kernel);
	free(kept->name);
	free(kept);
}
