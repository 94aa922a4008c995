/* wire.h: what is inside the frames. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "device/wire.h"

enum { MAX_PARAMS = 4096, MAX_PARAM_BYTES = 32768 }; /* CUDA's limit on parameters is 32764 bytes */

/* --- numbers and text -------------------------------------------------------------------------------------------------- */

void put_u8(Str *s, uint8_t v) {
	str_addn(s, (const char *)&v, sizeof v);
}

void put_u32(Str *s, uint32_t v) {
	str_addn(s, (const char *)&v, sizeof v);
}

void put_u64(Str *s, uint64_t v) {
	str_addn(s, (const char *)&v, sizeof v);
}

void put_f64(Str *s, double v) {
	str_addn(s, (const char *)&v, sizeof v);
}

void put_bytes(Str *s, const void *data, size_t len) {
	put_u64(s, len);
	if (len) str_addn(s, data, len);
}

void put_text(Str *s, const char *text) {
	put_bytes(s, text, strlen(text));
}

Reader reader_of(const Frame *frame) {
	static const uint8_t nothing[1];
	const uint8_t *at = frame->data ? frame->data : nothing;
	return (Reader){.at = at, .end = at + (frame->data ? frame->len : 0)};
}

static bool take(Reader *r, void *out, size_t bytes) {
	if (r->bad || (size_t)(r->end - r->at) < bytes) {
		r->bad = true;
		memset(out, 0, bytes);
		return false;
	}
	memcpy(out, r->at, bytes);
	r->at += bytes;
	return true;
}

uint8_t get_u8(Reader *r) {
	uint8_t v;
	take(r, &v, sizeof v);
	return v;
}

bool get_bool(Reader *r) {
	uint8_t v = get_u8(r);
	if (v > 1) r->bad = true;
	return v == 1;
}

uint32_t get_u32(Reader *r) {
	uint32_t v;
	take(r, &v, sizeof v);
	return v;
}

uint64_t get_u64(Reader *r) {
	uint64_t v;
	take(r, &v, sizeof v);
	return v;
}

double get_f64(Reader *r) {
	double v;
	take(r, &v, sizeof v);
	return v;
}

const uint8_t *get_bytes(Reader *r, size_t *len) {
	uint64_t n = get_u64(r);
	*len = 0;
	if (r->bad || n > (size_t)(r->end - r->at)) {
		r->bad = true;
		return NULL;
	}
	const uint8_t *at = r->at;
	r->at += n;
	*len = (size_t)n;
	return at;
}

void get_text(Reader *r, char *out, size_t size) {
	size_t len;
	const uint8_t *text = get_bytes(r, &len);
	*out = '\0';
	if (!text || len >= size || memchr(text, '\0', len)) {
		r->bad = true;
		return;
	}
	memcpy(out, text, len);
	out[len] = '\0';
}

bool reader_done(const Reader *r) {
	return !r->bad && r->at == r->end;
}

uint32_t get_at_most(Reader *r, uint32_t most) {
	const uint32_t v = get_u32(r);
	if (v <= most) return v;
	r->bad = true;
	return 0;
}

/* --- structures ---------------------------------------------------------------------------------------------------------- */

void put_err(Str *s, const Err *err) {
	put_u32(s, err->kind);
	put_text(s, err->what);
	put_text(s, err->where);
	put_text(s, err->hint);
}

void get_err(Reader *r, Err *err) {
	err->kind = (ErrKind)get_at_most(r, ERR_INTERRUPTED);
	get_text(r, err->what, sizeof err->what);
	get_text(r, err->where, sizeof err->where);
	get_text(r, err->hint, sizeof err->hint);
}

void put_device_info(Str *s, const DeviceInfo *info) {
	put_text(s, info->name);
	put_text(s, info->backend);
	put_text(s, info->gpu_name);
	put_u32(s, info->cc);
	put_u32(s, info->sms);
	put_u64(s, info->l2_bytes);
	put_u64(s, info->memory_bytes);
	put_f64(s, info->clock_ghz);
	put_f64(s, info->dram_gbps);
	put_u32(s, info->threads_per_block);
	put_u64(s, info->shared_per_block);
	put_u64(s, info->shared_per_sm);
	put_text(s, info->bus);
	put_text(s, info->driver);
	put_text(s, info->runtime);
	put_text(s, info->gpu ? info->gpu->name : "");
	put_u8(s, info->can_time);
	put_u32(s, info->devices);
}

void get_device_info(Reader *r, DeviceInfo *info) {
	char gpu[128];
	get_text(r, info->name, sizeof info->name);
	get_text(r, info->backend, sizeof info->backend);
	get_text(r, info->gpu_name, sizeof info->gpu_name);
	info->cc = get_u32(r);
	info->sms = get_u32(r);
	info->l2_bytes = get_u64(r);
	info->memory_bytes = get_u64(r);
	info->clock_ghz = get_f64(r);
	info->dram_gbps = get_f64(r);
	info->threads_per_block = get_u32(r);
	info->shared_per_block = get_u64(r);
	info->shared_per_sm = get_u64(r);
	get_text(r, info->bus, sizeof info->bus);
	get_text(r, info->driver, sizeof info->driver);
	get_text(r, info->runtime, sizeof info->runtime);
	get_text(r, gpu, sizeof gpu);
	info->gpu = *gpu ? gpu_find(gpu, NULL) : NULL;
	info->can_time = get_bool(r);
	info->devices = get_u32(r);
}

void put_kernel_info(Str *s, const KernelInfo *info) {
	put_text(s, info->name);
	put_u32(s, info->registers);
	put_u8(s, info->registers_estimated);
	put_u64(s, info->static_shared);
	put_u64(s, info->local_bytes);
	put_u64(s, info->const_bytes);
	put_u32(s, info->max_threads);
	put_u32(s, info->nparams);
}

void get_kernel_info(Reader *r, KernelInfo *info) {
	get_text(r, info->name, sizeof info->name);
	info->registers = get_u32(r);
	info->registers_estimated = get_bool(r);
	info->static_shared = get_u64(r);
	info->local_bytes = get_u64(r);
	info->const_bytes = get_u64(r);
	info->max_threads = get_u32(r);
	info->nparams = get_u32(r);
}

/* limited_by is text that outlives everything; on this side that is one of these. */
static const char *known_limit(const char *text) {
	static const char *const known[] = {"registers", "shared memory", "warps", "blocks"};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(text, known[i]) == 0) return known[i];
	return "";
}

void put_occupancy(Str *s, const Occupancy *occupancy) {
	put_u32(s, occupancy->blocks_per_sm);
	put_u32(s, occupancy->warps_per_sm);
	put_f64(s, occupancy->fraction);
	put_text(s, occupancy->limited_by ? occupancy->limited_by : "");
}

void get_occupancy(Reader *r, Occupancy *occupancy) {
	char limit[32];
	occupancy->blocks_per_sm = get_u32(r);
	occupancy->warps_per_sm = get_u32(r);
	occupancy->fraction = get_f64(r);
	get_text(r, limit, sizeof limit);
	occupancy->limited_by = known_limit(limit);
}

static void put_three(Str *s, const uint32_t v[3]) {
	for (int i = 0; i < 3; i++) put_u32(s, v[i]);
}

static void get_three(Reader *r, uint32_t v[3]) {
	for (int i = 0; i < 3; i++) v[i] = get_u32(r);
}

static void put_fault(Str *s, const Fault *f) {
	put_u32(s, f->kind);
	put_u8(s, f->located);
	put_u8(s, f->replayed);
	put_three(s, f->block);
	put_three(s, f->thread);
	put_u32(s, f->threads);
	put_text(s, f->kernel);
	put_text(s, f->file);
	put_u32(s, f->line);
	put_text(s, f->space);
	put_text(s, f->access);
	put_u32(s, f->width);
	put_u64(s, f->address);
	put_text(s, f->buffer);
	put_u64(s, (uint64_t)f->offset);
	put_u64(s, f->buffer_bytes);
	put_u32(s, f->elem_bytes);
	put_text(s, f->elem_type);
	put_text(s, f->message);
}

static void get_fault(Reader *r, Fault *f) {
	f->kind = (FaultKind)get_at_most(r, FAULT_UNKNOWN);
	f->located = get_bool(r);
	f->replayed = get_bool(r);
	get_three(r, f->block);
	get_three(r, f->thread);
	f->threads = get_u32(r);
	get_text(r, f->kernel, sizeof f->kernel);
	get_text(r, f->file, sizeof f->file);
	f->line = get_u32(r);
	get_text(r, f->space, sizeof f->space);
	get_text(r, f->access, sizeof f->access);
	f->width = get_u32(r);
	f->address = get_u64(r);
	get_text(r, f->buffer, sizeof f->buffer);
	f->offset = (int64_t)get_u64(r);
	f->buffer_bytes = get_u64(r);
	f->elem_bytes = get_u32(r);
	get_text(r, f->elem_type, sizeof f->elem_type);
	get_text(r, f->message, sizeof f->message);
}

void put_outcome(Str *s, const LaunchOutcome *outcome) {
	put_u32(s, outcome->status);
	put_f64(s, outcome->milliseconds);
	put_fault(s, &outcome->fault);
	put_text(s, outcome->message);
}

void get_outcome(Reader *r, LaunchOutcome *outcome) {
	outcome->status = (LaunchStatus)get_at_most(r, LAUNCH_INTERRUPTED);
	outcome->milliseconds = get_f64(r);
	get_fault(r, &outcome->fault);
	get_text(r, outcome->message, sizeof outcome->message);
}

/* --- textures ----------------------------------------------------------------------------------------------------------- */

void put_texture(Str *s, const TextureDesc *d) {
	put_u8(s, d->surface);
	put_u8(s, d->linear_memory);
	put_u32(s, d->type);
	put_u32(s, d->channels);
	put_u32(s, d->width);
	put_u32(s, d->height);
	put_u32(s, d->depth);
	put_u32(s, d->layers);
	for (int i = 0; i < 3; i++) put_u32(s, d->address[i]);
	put_u8(s, d->filter);
	put_u8(s, d->normalized);
	put_u8(s, d->read_float);
}

void get_texture(Reader *r, TextureDesc *d) {
	d->surface = get_bool(r);
	d->linear_memory = get_bool(r);
	d->type = (ElemType)get_at_most(r, ELEM_TYPES - 1);
	d->channels = get_u32(r);
	d->width = get_u32(r);
	d->height = get_u32(r);
	d->depth = get_u32(r);
	d->layers = get_u32(r);
	for (int i = 0; i < 3; i++) d->address[i] = (AddressMode)get_at_most(r, ADDRESS_MODES - 1);
	d->filter = get_bool(r);
	d->normalized = get_bool(r);
	d->read_float = get_bool(r);
	if (!r->bad && !texture_check(d, NULL)) r->bad = true;
}

/* --- modules and launches ------------------------------------------------------------------------------------------------ */

void put_compiled(Str *s, const Compiled *compiled) {
	put_u32(s, compiled->cc);
	put_bytes(s, compiled->cubin, compiled->cubin ? compiled->cubin_bytes : 0);
	put_bytes(s, compiled->ptx, compiled->ptx_bytes);
	put_u8(s, 0); /* ends the text, which stays where it is */
}

void get_compiled(Reader *r, Compiled *compiled) {
	*compiled = (Compiled){.cc = get_u32(r)};
	compiled->cubin = (char *)get_bytes(r, &compiled->cubin_bytes);
	compiled->ptx = (char *)get_bytes(r, &compiled->ptx_bytes);
	if (get_u8(r) != 0) r->bad = true;
}

void put_launch(Str *s, const BackendLaunch *launch) {
	put_u64(s, launch->module);
	put_text(s, launch->linked_name);
	put_three(s, launch->config.grid);
	put_three(s, launch->config.block);
	put_u64(s, launch->config.shared_bytes);
	put_u32(s, launch->config.timeout_ms);
	put_u64(s, launch->config.schedule);
	put_u8(s, launch->config.cooperative);
	put_u8(s, launch->config.repeatable);
	put_bytes(s, launch->params, launch->param_bytes);
	put_u32(s, launch->nparams);
	for (uint32_t i = 0; i < launch->nparams; i++) {
		put_u32(s, launch->param_offsets[i]);
		put_u32(s, launch->param_sizes[i]);
	}
}

static void get_params(Reader *r, WireLaunch *w) {
	size_t bytes;
	const uint8_t *params = get_bytes(r, &bytes);
	const uint32_t n = get_u32(r);
	if (r->bad || n > MAX_PARAMS || bytes > MAX_PARAM_BYTES || n * 8ull > (size_t)(r->end - r->at)) {
		r->bad = true;
		return;
	}
	w->params = xcalloc(bytes, 1);
	if (bytes) memcpy(w->params, params, bytes);
	w->offsets = xcalloc(n, sizeof *w->offsets);
	w->sizes = xcalloc(n, sizeof *w->sizes);
	for (uint32_t i = 0; i < n; i++) {
		w->offsets[i] = get_u32(r);
		w->sizes[i] = get_u32(r);
		if (w->offsets[i] > bytes || w->sizes[i] > bytes - w->offsets[i]) r->bad = true;
	}
	w->launch.params = w->params;
	w->launch.param_bytes = bytes;
	w->launch.nparams = n;
	w->launch.param_offsets = w->offsets;
	w->launch.param_sizes = w->sizes;
}

void get_launch(Reader *r, WireLaunch *w) {
	memset(w, 0, sizeof *w);
	w->launch.module = get_u64(r);
	get_text(r, w->name, sizeof w->name);
	w->launch.linked_name = w->name;
	get_three(r, w->launch.config.grid);
	get_three(r, w->launch.config.block);
	w->launch.config.shared_bytes = get_u64(r);
	w->launch.config.timeout_ms = get_u32(r);
	w->launch.config.schedule = get_u64(r);
	w->launch.config.cooperative = get_bool(r);
	w->launch.config.repeatable = get_bool(r);
	get_params(r, w);
	for (int i = 0; i < 3; i++)
		if (!w->launch.config.grid[i] || !w->launch.config.block[i]) r->bad = true;
}

void wire_launch_free(WireLaunch *w) {
	free(w->params);
	free(w->offsets);
	free(w->sizes);
}

/* --- works ------------------------------------------------------------------------------------------------------------- */

void put_call(Str *s, const BackendCall *call) {
	put_u32(s, call->routine);
	for (int i = 0; i < LIBRARY_BUFFERS; i++) put_u64(s, call->addrs[i]);
	for (int i = 0; i < LIBRARY_EXTENTS; i++) put_u64(s, call->extents[i]);
	put_u64(s, call->bytes);
	put_u32(s, call->timeout_ms);
}

void get_call(Reader *r, BackendCall *call) {
	uint64_t elements;
	*call = (BackendCall){.routine = (LibraryRoutine)get_at_most(r, LIBRARY_ROUTINES - 1)};
	for (int i = 0; i < LIBRARY_BUFFERS; i++) call->addrs[i] = get_u64(r);
	for (int i = 0; i < LIBRARY_EXTENTS; i++) call->extents[i] = get_u64(r);
	call->bytes = get_u64(r);
	call->timeout_ms = get_u32(r);
	if (call->routine == LIBRARY_NONE || !library_elements(call->routine, call->extents, &elements) ||
		elements * sizeof(float) > call->bytes)
		r->bad = true;
}

void put_work(Str *s, const BackendItem *items, uint32_t nitems) {
	put_u32(s, nitems);
	for (uint32_t i = 0; i < nitems; i++) {
		const bool library = items[i].call.routine != LIBRARY_NONE;
		put_u8(s, library);
		if (library)
			put_call(s, &items[i].call);
		else
			put_launch(s, &items[i].launch);
	}
}

void get_work(Reader *r, WireWork *work) {
	enum { LEAST = 48 }; /* bytes of an item */
	*work = (WireWork){0};
	const uint32_t n = get_u32(r);
	if (r->bad || n < 1 || n > (size_t)(r->end - r->at) / LEAST) {
		r->bad = true;
		return;
	}
	work->items = xcalloc(n, sizeof *work->items);
	work->launches = xcalloc(n, sizeof *work->launches);
	for (work->nitems = 0; work->nitems < n && !r->bad; work->nitems++) {
		BackendItem *item = &work->items[work->nitems];
		WireLaunch *launch = &work->launches[work->nitems];
		if (get_bool(r)) {
			get_call(r, &item->call);
		} else {
			get_launch(r, launch);
			item->launch = launch->launch;
		}
	}
}

void wire_work_free(WireWork *work) {
	for (uint32_t i = 0; i < work->nitems; i++) wire_launch_free(&work->launches[i]);
	free(work->items);
	free(work->launches);
}

void put_sample(Str *s, const Sample *sample) {
	put_f64(s, sample->milliseconds);
	put_f64(s, sample->clock_ghz);
	put_f64(s, sample->overhead_ms);
	put_f64(s, sample->launch_ms);
	put_f64(s, sample->temperature);
	put_u8(s, sample->as_graph);
}

void get_sample(Reader *r, Sample *sample) {
	sample->milliseconds = get_f64(r);
	sample->clock_ghz = get_f64(r);
	sample->overhead_ms = get_f64(r);
	sample->launch_ms = get_f64(r);
	sample->temperature = get_f64(r);
	sample->as_graph = get_bool(r);
}
