/* backend.h over the emulator of emu/: its machine, and the observers of a launch. Runs only inside a worker. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/vec.h"
#include "device/backend/backend.h"
#include "emu/count/sass.h"
#include "emu/machine.h"
#include "emu/step/step.h"

typedef struct {
	PtxModule *ptx; /* NULL: unloaded */
	EmuModule *emu;
	char *cubin; /* for counters and registers; NULL: none */
	size_t cubin_bytes;
} Loaded;

typedef struct {
	Backend base;
	const Gpu *gpu;
	Machine *machine;
	uint8_t *pool; /* memory the other side shares; NULL: none */
	size_t pool_bytes;
	VEC(Loaded) modules;   /* number n is modules[n - 1] */
	VEC(uint64_t) awaited; /* buffers that the sharing process writes without saying so */
	Stepper *stepper;      /* NULL: no launch is stepped */
} EmuBackend;

static Loaded *loaded(const EmuBackend *e, uint64_t number, Err *err) {
	if (number >= 1 && number <= e->modules.len && e->modules.data[number - 1].ptx) return &e->modules.data[number - 1];
	err_set(err, ERR_USAGE, "module %llu is not loaded", (unsigned long long)number);
	return NULL;
}

static const EmuKernel *find_kernel(const EmuBackend *e, uint64_t module, const char *name, Err *err) {
	const Loaded *m = loaded(e, module, err);
	const EmuKernel *kernel = m ? emu_kernel(m->emu, name) : NULL;
	if (m && !kernel) err_set(err, ERR_USAGE, "the module has no kernel \"%s\"", name);
	return kernel;
}

static void emu_close(Backend *b) {
	EmuBackend *e = (EmuBackend *)b;
	stepper_close(e->stepper);
	machine_close(e->machine);
	for (size_t i = 0; i < e->modules.len; i++) {
		ptx_free(e->modules.data[i].ptx);
		free(e->modules.data[i].cubin);
	}
	vec_free(&e->modules);
	vec_free(&e->awaited);
	free(e);
}

DeviceInfo emu_info(const Gpu *gpu) {
	DeviceInfo info = {.cc = gpu->cc,
					   .sms = gpu->sms,
					   .l2_bytes = gpu->l2_bytes,
					   .clock_ghz = gpu->shader_ghz,
					   .dram_gbps = gpu->dram_gbps,
					   .threads_per_block = gpu->threads_per_block,
					   .shared_per_block = gpu->shared_per_block,
					   .shared_per_sm = gpu->shared_per_sm,
					   .gpu = gpu,
					   .can = CAN_EMULATE | CAN_LOCATE | CAN_RESIZE_HEAP,
					   .devices = 1};
	const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	if (pages > 0 && page > 0)
		info.memory_bytes = (size_t)pages * (size_t)page; /* the host's: there is no other limit */
	snprintf(info.name, sizeof info.name, "emu:%s", gpu->name);
	snprintf(info.backend, sizeof info.backend, "emu");
	snprintf(info.gpu_name, sizeof info.gpu_name, "%s", gpu->name);
	return info;
}

static bool info(Backend *b, DeviceInfo *out, Err *err) {
	*out = emu_info(((EmuBackend *)b)->gpu);
	return true;
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static bool can_map(const EmuBackend *e, const Alloc *request, Err *err) {
	if (!request->mapped || e->gpu->mapped_read_gbps > 0) return true;
	err_set(err, ERR_SETUP, "the %s cannot map host memory", e->gpu->name);
	return err_hint(err, "copy the data to a buffer in device memory");
}

static void track(EmuBackend *e, const Alloc *r, uint64_t addr) {
	if (!r->again) {
		machine_track_fresh(e->machine, addr);
		return;
	}
	machine_await_host(e->machine, addr);
	vec_push(&e->awaited, addr);
}

static bool emu_alloc(Backend *b, const Alloc *r, Number *out, Err *err) {
	EmuBackend *e = (EmuBackend *)b;
	if (!can_map(e, r, err)) return false;
	if (r->shared == NOT_SHARED)
		return (r->mapped ? machine_alloc_mapped : machine_alloc)(e->machine, r->bytes, r->name, &out->value, err);
	if (r->shared > e->pool_bytes || r->bytes > e->pool_bytes - r->shared)
		return err_set(err, ERR_USAGE, "not in the shared memory");
	if (!machine_alloc_over(e->machine, r->bytes, r->name, r->mapped, e->pool + r->shared, r->again, &out->value, err))
		return false;
	if (r->track) track(e, r, out->value);
	return true;
}

static bool emu_free(Backend *b, const Number *addr, Nothing *out, Err *err) {
	EmuBackend *e = (EmuBackend *)b;
	for (size_t i = 0; i < e->awaited.len; i++)
		if (e->awaited.data[i] == addr->value) e->awaited.data[i--] = e->awaited.data[--e->awaited.len];
	return machine_release(((EmuBackend *)b)->machine, addr->value, err);
}

static bool emu_upload(Backend *b, const Upload *r, Err *err) {
	Machine *machine = ((EmuBackend *)b)->machine;
	if (r->data) return machine_write(machine, r->addr, r->data, r->bytes, err);
	machine_mark_written(machine, r->addr, r->bytes);
	return true;
}

static bool emu_download(Backend *b, const Download *r, Err *err) {
	return machine_read(((EmuBackend *)b)->machine, r->addr, r->data, r->bytes, err);
}

static uint8_t *emu_view(Backend *b, uint64_t addr, size_t bytes) {
	return machine_host(((EmuBackend *)b)->machine, addr, bytes);
}

static bool emu_fill(Backend *b, const Fill *r, Nothing *out, Err *err) {
	Machine *machine = ((EmuBackend *)b)->machine;
	uint8_t *there = machine_host(machine, r->addr, r->bytes);
	if (!there)
		return err_set(err, ERR_USAGE, "%llu bytes are not inside one allocation", (unsigned long long)r->bytes);
	memset(there, r->byte, r->bytes);
	machine_mark_written(machine, r->addr, r->bytes);
	return true;
}

static void add_gaps(const EmuBackend *e, const Moved *r, uint64_t row, Unwritten *out) {
	const uint64_t first = row * r->width;
	Gap gap;
	for (size_t at = 0; machine_gap(e->machine, r->from + row * r->from_pitch, r->width, at, &gap);
		 at = gap.at + gap.bytes) {
		Gap *last = out->ngaps ? &out->gaps[out->ngaps - 1] : NULL;
		out->bytes += gap.bytes;
		if (last && last->at + last->bytes == first + gap.at)
			last->bytes += gap.bytes;
		else if (out->ngaps < MOST_GAPS)
			out->gaps[out->ngaps++] = (Gap){first + gap.at, gap.bytes};
	}
}

static bool emu_moved(Backend *b, const Moved *r, Unwritten *out, Err *err) {
	EmuBackend *e = (EmuBackend *)b;
	*out = (Unwritten){0};
	if (!r->to) machine_look_for_host(e->machine, r->from);
	if (!r->to) out->gaps = arena_array(b->arena, MOST_GAPS, sizeof *out->gaps);
	for (uint64_t row = 0; row < r->rows; row++)
		if (r->to)
			machine_move_written(e->machine, r->to + row * r->to_pitch, r->from ? r->from + row * r->from_pitch : 0,
								 r->width);
		else
			add_gaps(e, r, row, out);
	return true;
}

/* --- textures ----------------------------------------------------------------------------------------------------- */

static bool emu_texture(Backend *b, const TextureRequest *r, TextureMade *out, Err *err) {
	if (!machine_texture(((EmuBackend *)b)->machine, &r->desc, r->name, &out->number, err)) return false;
	out->object = out->number;
	return true;
}

static bool emu_texture_free(Backend *b, const Number *number, Nothing *out, Err *err) {
	return machine_texture_free(((EmuBackend *)b)->machine, number->value, err);
}

static bool emu_texture_copy(Backend *b, const TextureCopy *r, Nothing *out, Err *err) {
	Machine *machine = ((EmuBackend *)b)->machine;
	size_t bytes = 0;
	void *texels = machine_texture_host(machine, r->number, &bytes);
	if (!texels) return err_set(err, ERR_USAGE, "texture %llu does not exist", (unsigned long long)r->number);
	return r->into_texture ? machine_read(machine, r->addr, texels, bytes, err)
						   : machine_write(machine, r->addr, texels, bytes, err);
}

/* --- modules ------------------------------------------------------------------------------------------------------ */

static bool emu_load(Backend *b, const ModuleCode *code, Number *module, Err *err) {
	EmuBackend *e = (EmuBackend *)b;
	Loaded m = {.ptx = ptx_parse(code->ptx, strlen(code->ptx), err)};
	if (!m.ptx) return false;
	machine_keep_registers(e->machine, code->keep_registers);
	if (!machine_load(e->machine, m.ptx, &m.emu, err)) {
		ptx_free(m.ptx);
		return false;
	}
	if (code->by_sass && code->cubin_bytes) {
		m.cubin = memcpy(xmalloc(code->cubin_bytes), code->cubin, code->cubin_bytes);
		m.cubin_bytes = code->cubin_bytes;
	}
	vec_push(&e->modules, m);
	module->value = e->modules.len;
	return true;
}

static bool emu_unload(Backend *b, const Number *module, Nothing *out, Err *err) {
	EmuBackend *e = (EmuBackend *)b;
	Loaded *m = loaded(e, module->value, err);
	if (!m) return false;
	machine_unload(e->machine, m->emu);
	ptx_free(m->ptx);
	free(m->cubin);
	*m = (Loaded){0};
	return true;
}

static bool emu_symbol_of(Backend *b, const SymbolRequest *r, SymbolPlace *out, Err *err) {
	const Loaded *m = loaded((EmuBackend *)b, r->module, err);
	size_t bytes;
	if (!m) return false;
	if (!emu_symbol(m->emu, r->name, &out->addr, &bytes))
		return err_set(err, ERR_USAGE, "the module has no variable \"%s\"", r->name);
	out->bytes = bytes;
	return true;
}

static size_t space_bytes(PtxVar *const *vars, uint32_t n, PtxSpace space) {
	size_t bytes = 0;
	for (uint32_t i = 0; i < n; i++)
		if (vars[i]->space == space) bytes += vars[i]->bytes;
	return bytes;
}

static bool emu_kernel_info(Backend *b, const KernelRequest *r, KernelInfo *out, Err *err) {
	EmuBackend *e = (EmuBackend *)b;
	const EmuKernel *kernel = find_kernel(e, r->module, r->name, err);
	if (!kernel) return false;
	const PtxFunction *f = emu_kernel_function(kernel);
	const PtxModule *ptx = loaded(e, r->module, NULL)->ptx;
	*out = (KernelInfo){.registers = emu_kernel_registers(kernel),
						.registers_estimated = true,
						.static_shared = emu_kernel_static_shared(kernel),
						.local_bytes = space_bytes(f->locals, f->nlocals, SPACE_LOCAL),
						.const_bytes = space_bytes(ptx->globals, ptx->nglobals, SPACE_CONST),
						.max_threads = e->gpu->threads_per_block,
						.nparams = f->nparams};
	if (f->max_threads && f->max_threads < out->max_threads) out->max_threads = f->max_threads;
	snprintf(out->name, sizeof out->name, "%.127s", r->name);
	return true;
}

static bool emu_occupancy(Backend *b, const KernelRequest *r, Occupancy *out, Err *err) {
	EmuBackend *e = (EmuBackend *)b;
	const EmuKernel *kernel = find_kernel(e, r->module, r->name, err);
	return kernel && gpu_occupancy(e->gpu, r->threads, r->registers ? r->registers : emu_kernel_registers(kernel),
								   emu_kernel_static_shared(kernel) + r->shared, out, err);
}

/* --- observers of a launch ---------------------------------------------------------------------------------------- */

typedef struct {
	Counters *counters;
	ReachObserver *reach;
	CheckSet *checks;
	TouchedObserver *touched;
	Model **models;
	uint32_t nmodels;
	VEC(Observer *) observers;
} Audience;

static Audience audience_of(const Ask *ask) {
	Audience a = {.nmodels = ask->mode == MODE_COUNT || ask->mode == MODE_PREDICT ? ask->nmodels : 0};
	if (ask->mode == MODE_COUNT) {
		a.counters = counters_new(ask->rules);
		if (ask->reach) counters_follow_blocks(a.counters);
		vec_push(&a.observers, &a.counters->base);
		if (ask->reach) vec_push(&a.observers, reach_base(a.reach = reach_new()));
	}
	if (ask->mode == MODE_CHECK) {
		size_t n;
		a.checks = checks_new(ask->rules, ask->checks);
		Observer **own = checks_observers(a.checks, &n);
		for (size_t i = 0; i < n; i++) vec_push(&a.observers, own[i]);
		if (ask->touched) vec_push(&a.observers, touched_base(a.touched = touched_new()));
	}
	a.models = xcalloc(a.nmodels, sizeof(Model *));
	for (uint32_t i = 0; i < a.nmodels; i++) {
		a.models[i] = model_new(ask->models[i]);
		if (ask->count_only) model_count_only(a.models[i]);
		if (ask->follow && !i) model_follow(a.models[i], (uint32_t)(ask->follow - 1));
		vec_push(&a.observers, model_observer(a.models[i]));
	}
	return a;
}

static void audience_free(Audience *a) {
	counters_free(a->counters);
	reach_free(a->reach);
	checks_free(a->checks);
	touched_free(a->touched);
	for (uint32_t i = 0; i < a->nmodels; i++) model_free(a->models[i]);
	free(a->models);
	vec_free(&a->observers);
}

static void *arena_copy(Arena *arena, const void *data, size_t n, size_t size) {
	void *copy = n ? arena_array(arena, n, size) : NULL;
	return n ? memcpy(copy, data, n * size) : NULL;
}

static void gather_nondeterminism(const Counters *counters, const PtxModule *ptx, Arena *arena, ItemAnswer *out) {
	Nondeterminism found[NONDETERMINISM_CAUSES];
	const size_t n = counters_nondeterminism(counters, ptx, found);
	out->nondeterminism = arena_copy(arena, found, n, sizeof *found);
	out->nnondeterminism = (uint32_t)n;
}

/* Of a launch that broke off there is no prediction, which may take longer than what ran. */
static void gather(Arena *arena, const Audience *a, const PtxModule *ptx, bool ended, ItemAnswer *out) {
	size_t n;
	if (a->counters) {
		LineCounts *lines = counters_by_line(a->counters, ptx, &n);
		out->total = counters_total(a->counters);
		out->lines = arena_copy(arena, lines, n, sizeof *lines);
		out->nlines = (uint32_t)n;
		free(lines);
		gather_nondeterminism(a->counters, ptx, arena, out);
	}
	if (a->reach) {
		out->reach = reach_of(a->reach);
		out->busiest = counters_busiest(a->counters);
	}
	if (a->checks) {
		const Finding *findings = checks_findings(a->checks, &n);
		out->findings = arena_copy(arena, findings, n, sizeof *findings);
		out->nfindings = (uint32_t)n;
	}
	if (a->touched) {
		Touched *touched = touched_of(a->touched, &out->ntouched);
		out->touched = arena_copy(arena, touched, out->ntouched, sizeof *touched);
		free(touched);
	}
	if (!a->nmodels || !ended) return;
	out->predictions = arena_array(arena, a->nmodels, sizeof *out->predictions);
	out->npredictions = a->nmodels;
	for (uint32_t i = 0; i < a->nmodels; i++) {
		Prediction *p = &out->predictions[i];
		*p = model_predict(a->models[i]);
		if (!p->timeline) continue;
		out->timeline = arena_copy(arena, p->timeline, p->ntimeline, sizeof *p->timeline);
		out->ntimeline = p->ntimeline;
		out->timeline_block = p->timeline_block;
		free(p->timeline);
		p->timeline = NULL;
	}
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

/* own: registers by SASS, where a program has it for the GPU, which go before what was said; in use as long as the
 * launch is. */
static EmuLaunch call_of(EmuBackend *e, const BackendLaunch *launch, Assembled *own) {
	const Loaded *module = loaded(e, launch->module, NULL);
	*own = (Assembled){e->gpu->cc, sass_registers(module->cubin, module->cubin_bytes, launch->linked_name), 0};
	return (EmuLaunch){.config = launch->config,
					   .params = launch->params,
					   .param_bytes = launch->param_bytes,
					   .assembled = own->registers ? own : launch->assembled,
					   .nassembled = own->registers ? 1 : launch->nassembled,
					   .cancel = e->base.events.cancel};
}

static bool run_item(EmuBackend *e, const Submission *s, const BackendLaunch *launch, ItemAnswer *answer,
					 LaunchOutcome *out, Err *err) {
	const EmuKernel *kernel = find_kernel(e, launch->module, launch->linked_name, err);
	if (!kernel) return false;
	Audience a = audience_of(&s->ask);
	const Loaded *module = loaded(e, launch->module, NULL);
	SassAccesses sass;
	if (a.counters && sass_accesses(module->cubin, module->cubin_bytes, launch->linked_name, &sass))
		counters_by_sass(a.counters, &sass);
	Assembled own;
	EmuLaunch call = call_of(e, launch, &own);
	call.observers = a.observers.data;
	call.nobservers = a.observers.len;
	call.print = e->base.events.print;
	call.user = e->base.events.user;
	const bool ok = machine_launch(e->machine, kernel, &call, out, err);
	if (ok && answer) gather(e->base.arena, &a, module->ptx, out->status == LAUNCH_OK, answer);
	audience_free(&a);
	return ok;
}

static bool run_items(EmuBackend *e, const Submission *s, Report *out, Err *err) {
	const bool observed = s->ask.mode != MODE_RUN;
	double milliseconds = 0;
	if (observed) {
		out->nitems = s->nitems;
		out->items = arena_array(e->base.arena, s->nitems, sizeof *out->items);
	}
	for (uint32_t i = 0; i < s->nitems && out->outcome.status == LAUNCH_OK; i++) {
		if (s->items[i].call.routine != LIBRARY_NONE) return library_missing(s->items[i].call.routine, err);
		ItemAnswer *answer = observed ? &out->items[i] : NULL;
		if (!run_item(e, s, &s->items[i].launch, answer, &out->outcome, err)) return false;
		milliseconds += out->outcome.milliseconds;
	}
	out->outcome.milliseconds = milliseconds;
	return true;
}

static bool emu_submit(Backend *b, const Submission *s, Report *out, Err *err) {
	EmuBackend *e = (EmuBackend *)b;
	*out = (Report){.lives = true};
	if (s->ask.mode == MODE_TIME) return err_set(err, ERR_USAGE, "the emulator cannot time a kernel");
	if (s->ask.mode == MODE_CHECK)
		for (size_t i = 0; i < e->awaited.len; i++) machine_look_for_host(e->machine, e->awaited.data[i]);
	Snapshot *snapshot = snapshot_new(e->machine, s->ask.rehearse);
	bool ok = true;
	for (uint32_t i = 0; ok && i < s->nrestore; i++) ok = snapshot_add(snapshot, s->restore[i].value, err);
	for (uint32_t i = 0; i < s->nfresh; i++) machine_track_fresh(e->machine, s->fresh[i].value);
	for (uint32_t i = 0; i < s->nwritten; i++) machine_mark_written(e->machine, s->written[i].at, s->written[i].bytes);
	ok = ok && run_items(e, s, out, err);
	if (s->ask.mode == MODE_RUN && s->nrestore) snapshot_digest(snapshot, out->left);
	snapshot_put_back(snapshot);
	return ok;
}

/* --- stepping ----------------------------------------------------------------------------------------------------- */

static bool emu_step_open(Backend *b, const StepOpen *request, StepOpened *out, Err *err) {
	EmuBackend *e = (EmuBackend *)b;
	const BackendLaunch *launch = &request->launch;
	const EmuKernel *kernel = find_kernel(e, launch->module, launch->linked_name, err);
	*out = (StepOpened){0};
	if (!kernel) return false;
	stepper_close(e->stepper);
	e->stepper = NULL;
	Assembled own;
	const EmuLaunch call = call_of(e, launch, &own);
	e->stepper = stepper_open(e->machine, kernel, &call, &out->refused, err);
	out->open = e->stepper != NULL;
	if (out->open) out->places = stepper_places(e->stepper, b->arena, &out->nplaces);
	return out->open || out->refused.status != LAUNCH_OK;
}

static bool is_stepped(const EmuBackend *e, Err *err) {
	return e->stepper || err_set(err, ERR_USAGE, "no launch is being stepped");
}

static bool emu_step_go(Backend *b, const StepGo *go, StepMoment *out, Err *err) {
	EmuBackend *e = (EmuBackend *)b;
	return is_stepped(e, err) && stepper_go(e->stepper, go, b->arena, out, err);
}

static bool emu_step_read(Backend *b, const StepRead *read, StepValues *out, Err *err) {
	EmuBackend *e = (EmuBackend *)b;
	if (!is_stepped(e, err)) return false;
	const char **texts = arena_array(b->arena, read->nexpressions + 1, sizeof *texts);
	for (uint32_t i = 0; i < read->nexpressions; i++) texts[i] = read->expressions[i].text;
	out->nvalues = read->nexpressions;
	out->values = arena_array(b->arena, read->nexpressions + 1, sizeof *out->values);
	stepper_values(e->stepper, texts, read->nexpressions, out->values);
	return true;
}

static bool emu_step_close(Backend *b, const Nothing *none, Nothing *out, Err *err) {
	EmuBackend *e = (EmuBackend *)b;
	stepper_close(e->stepper);
	e->stepper = NULL;
	return true;
}

static const BackendOps emu_ops = {.name = "emu",
								   .info = info,
								   .symbol = emu_symbol_of,
								   BACKEND_OPS(emu, close, alloc, free, upload, download, view, fill, moved, texture,
											   texture_free, texture_copy, load, unload, kernel_info, occupancy,
											   step_open, step_go, step_read, step_close, submit)};

bool backend_emu_open(const Gpu *gpu, uint8_t *shared, size_t shared_bytes, Backend **out, Err *err) {
	EmuBackend *e = xcalloc(1, sizeof *e);
	e->base.ops = &emu_ops;
	e->gpu = gpu;
	e->machine = machine_open(gpu, 0);
	e->pool = shared;
	e->pool_bytes = shared_bytes;
	*out = &e->base;
	return true;
}
