/* messages.h: the fields of every message, once. Whatever a worker sends is checked here: enumerators, counts, and what
 * numbers must not be. */
#include "device/backend/messages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gpu/derive.h"

enum {
	MOST_PARAMS = 4096,
	MOST_PARAM_BYTES = 32768, /* CUDA's limit on parameters is 32764 bytes */
	MOST_ITEMS = 1 << 16,
	MOST_SAMPLES = 1 << 20,
	MOST_LINES = 1 << 20,
	MOST_MODELS = 256,
	MOST_FINDINGS = 1 << 16,
	MOST_BUFFERS = 1 << 20,
	MOST_STOPS = 1 << 14
};

/* --- fields with a way of their own ------------------------------------------------------------------------------- */

/* What a GPU has besides its figures and names. */
typedef struct {
	uint32_t max_grid[3], max_block[3];
	bool register_unit_per_block, calibrated;
} GpuRest;
RECORD(GpuRest, FIELD_NUMBER(GpuRest, max_grid), FIELD_NUMBER(GpuRest, max_block),
	   FIELD_BOOL(GpuRest, register_unit_per_block), FIELD_BOOL(GpuRest, calibrated))

/* A GPU by value: a derived one is not known to the worker, and figures may be calibrated here. */
static void put_gpu(Str *out, const void *field) {
	const Gpu *gpu = *(const Gpu *const *)field;
	put_text(out, gpu ? gpu->name : NULL);
	if (!gpu) return;
	put_text(out, gpu->base ? gpu->base->name : NULL);
	for (size_t i = 0; i < gpu_nfigures; i++) {
		const double value = gpu_figure(gpu, &gpu_figures[i]);
		put_raw(out, &value, sizeof value);
	}
	GpuRest rest = {.register_unit_per_block = gpu->register_unit_per_block, .calibrated = gpu->calibrated};
	memcpy(rest.max_grid, gpu->max_grid, sizeof rest.max_grid);
	memcpy(rest.max_block, gpu->max_block, sizeof rest.max_block);
	record_put(out, &GpuRest_record, &rest);
}

static void get_figures(Reader *r, Gpu *gpu) {
	for (size_t i = 0; i < gpu_nfigures; i++) {
		const Figure *f = &gpu_figures[i];
		const double most = f->kind == FIGURE_WHOLE ? UINT32_MAX : 1e15;
		double value;
		get_raw(r, &value, sizeof value);
		if (!(value >= 0 && value <= most)) r->bad = true;
		if (r->bad) return;
		gpu_set_figure(gpu, f, value);
	}
}

static void get_gpu(Reader *r, void *field) {
	Gpu plain = {.name = get_text(r)};
	const Gpu *gpu = NULL;
	if (plain.name) {
		const char *base = get_text(r);
		GpuRest rest;
		get_figures(r, &plain);
		record_get(r, &GpuRest_record, &rest);
		plain.register_unit_per_block = rest.register_unit_per_block;
		plain.calibrated = rest.calibrated;
		memcpy(plain.max_grid, rest.max_grid, sizeof rest.max_grid);
		memcpy(plain.max_block, rest.max_block, sizeof rest.max_block);
		if (!r->bad) gpu = gpu_adopt(&plain, plain.name, base);
		if (!gpu) r->bad = true;
	}
	memcpy(field, &gpu, sizeof gpu);
}

/* The record of a GPU that is known on both sides. */
static void put_known_gpu(Str *out, const void *field) {
	const Gpu *gpu = *(const Gpu *const *)field;
	put_text(out, gpu ? gpu->name : NULL);
}

static void get_known_gpu(Reader *r, void *field) {
	const char *name = get_text(r);
	const Gpu *gpu = name ? gpu_find(name, NULL) : NULL;
	memcpy(field, &gpu, sizeof gpu);
}

/* Text that outlives everything: on this side one of these. */
static void get_limit(Reader *r, void *field) {
	static const char *const known[] = {"registers", "shared memory", "warps", "blocks"};
	const char *text = get_text(r), *found = "";
	for (size_t i = 0; text && i < sizeof known / sizeof *known; i++)
		if (strcmp(text, known[i]) == 0) found = known[i];
	memcpy(field, &found, sizeof found);
}

static void put_limit(Str *out, const void *field) {
	put_text(out, *(const char *const *)field);
}

/* --- requests ----------------------------------------------------------------------------------------------------- */

const Record Nothing_record = {"Nothing", sizeof(Nothing), NULL, 0, NULL};

RECORD(Number, FIELD_NUMBER(Number, value))
RECORD(Alloc, FIELD_NUMBER(Alloc, bytes), FIELD_TEXT(Alloc, name), FIELD_BOOL(Alloc, mapped),
	   FIELD_NUMBER(Alloc, again), FIELD_NUMBER(Alloc, shared))
RECORD(Fill, FIELD_NUMBER(Fill, addr), FIELD_NUMBER(Fill, bytes), FIELD_NUMBER(Fill, byte))
RECORD(Bulk, FIELD_NUMBER(Bulk, addr), FIELD_NUMBER(Bulk, bytes), FIELD_BOOL(Bulk, in_place))
RECORD(DeviceOpen, FIELD_TEXT(DeviceOpen, name), FIELD_OTHER(DeviceOpen, gpu, put_gpu, get_gpu),
	   FIELD_NUMBER(DeviceOpen, memory_bytes))

static bool texture_right(const void *value) {
	return texture_check(value, NULL);
}
RECORD_VALID(TextureDesc, texture_right, FIELD_BOOL(TextureDesc, surface), FIELD_BOOL(TextureDesc, linear_memory),
			 FIELD_ENUM(TextureDesc, type, ELEM_TYPES - 1), FIELD_NUMBER(TextureDesc, channels),
			 FIELD_NUMBER(TextureDesc, width), FIELD_NUMBER(TextureDesc, height), FIELD_NUMBER(TextureDesc, depth),
			 FIELD_NUMBER(TextureDesc, layers), FIELD_ENUM(TextureDesc, address[0], ADDRESS_MODES - 1),
			 FIELD_ENUM(TextureDesc, address[1], ADDRESS_MODES - 1),
			 FIELD_ENUM(TextureDesc, address[2], ADDRESS_MODES - 1), FIELD_BOOL(TextureDesc, filter),
			 FIELD_BOOL(TextureDesc, normalized), FIELD_BOOL(TextureDesc, read_float))
RECORD(TextureRequest, FIELD_RECORD(TextureRequest, desc, TextureDesc), FIELD_TEXT(TextureRequest, name))
RECORD(TextureMade, FIELD_NUMBER(TextureMade, number), FIELD_NUMBER(TextureMade, object))
RECORD(TextureCopy, FIELD_NUMBER(TextureCopy, number), FIELD_NUMBER(TextureCopy, addr),
	   FIELD_BOOL(TextureCopy, into_texture))

static bool code_right(const void *value) {
	return ((const ModuleCode *)value)->ptx != NULL;
}
RECORD_VALID(ModuleCode, code_right, FIELD_BYTES(ModuleCode, cubin, cubin_bytes), FIELD_TEXT(ModuleCode, ptx),
			 FIELD_NUMBER(ModuleCode, cc), FIELD_BOOL(ModuleCode, keep_registers))

static bool symbol_right(const void *value) {
	return ((const SymbolRequest *)value)->name != NULL;
}
RECORD_VALID(SymbolRequest, symbol_right, FIELD_NUMBER(SymbolRequest, module), FIELD_TEXT(SymbolRequest, name))
RECORD(SymbolPlace, FIELD_NUMBER(SymbolPlace, addr), FIELD_NUMBER(SymbolPlace, bytes))

static bool kernel_right(const void *value) {
	return ((const KernelRequest *)value)->name != NULL;
}
RECORD_VALID(KernelRequest, kernel_right, FIELD_NUMBER(KernelRequest, module), FIELD_TEXT(KernelRequest, name),
			 FIELD_NUMBER(KernelRequest, threads), FIELD_NUMBER(KernelRequest, shared))

/* --- launches ----------------------------------------------------------------------------------------------------- */

RECORD(LaunchConfig, FIELD_NUMBER(LaunchConfig, grid), FIELD_NUMBER(LaunchConfig, block),
	   FIELD_NUMBER(LaunchConfig, shared_bytes), FIELD_NUMBER(LaunchConfig, timeout_ms),
	   FIELD_NUMBER(LaunchConfig, heap_bytes), FIELD_NUMBER(LaunchConfig, sample),
	   FIELD_BOOL(LaunchConfig, sample_half), FIELD_BOOL(LaunchConfig, cooperative),
	   FIELD_NUMBER(LaunchConfig, schedule), FIELD_BOOL(LaunchConfig, repeatable),
	   FIELD_NUMBER(LaunchConfig, work_limit))
RECORD(ParamPlace, FIELD_NUMBER(ParamPlace, offset), FIELD_NUMBER(ParamPlace, size))

/* Every parameter is inside the parameters. */
static bool launch_right(const BackendLaunch *l) {
	if (!l->linked_name || l->param_bytes > MOST_PARAM_BYTES) return false;
	for (int i = 0; i < 3; i++)
		if (!l->config.grid[i] || !l->config.block[i]) return false;
	for (uint32_t i = 0; i < l->nparams; i++) {
		const ParamPlace *p = &l->places[i];
		if (p->offset > l->param_bytes || p->size > l->param_bytes - p->offset) return false;
	}
	return true;
}

static bool call_right(const BackendCall *c) {
	uint64_t elements;
	return library_elements(c->routine, c->extents, &elements) && elements <= c->bytes / sizeof(float);
}

static bool item_right(const void *value) {
	const BackendItem *item = value;
	return item->call.routine == LIBRARY_NONE ? launch_right(&item->launch) : call_right(&item->call);
}

RECORD(BackendLaunch, FIELD_NUMBER(BackendLaunch, module), FIELD_TEXT(BackendLaunch, linked_name),
	   FIELD_RECORD(BackendLaunch, config, LaunchConfig), FIELD_BYTES(BackendLaunch, params, param_bytes),
	   FIELD_LIST(BackendLaunch, places, nparams, ParamPlace, MOST_PARAMS))
RECORD(BackendCall, FIELD_ENUM(BackendCall, routine, LIBRARY_ROUTINES - 1), FIELD_NUMBER(BackendCall, addrs),
	   FIELD_NUMBER(BackendCall, extents), FIELD_NUMBER(BackendCall, bytes), FIELD_NUMBER(BackendCall, timeout_ms))
RECORD_VALID(BackendItem, item_right, FIELD_RECORD(BackendItem, call, BackendCall),
			 FIELD_RECORD(BackendItem, launch, BackendLaunch))

static bool routine_right(const void *value) {
	return ((const LibraryRequest *)value)->routine != LIBRARY_NONE;
}
RECORD_VALID(LibraryRequest, routine_right, FIELD_ENUM(LibraryRequest, routine, LIBRARY_ROUTINES - 1))

RECORD(SampleConfig, FIELD_NUMBER(SampleConfig, count), FIELD_BOOL(SampleConfig, flush_l2),
	   FIELD_NUMBER(SampleConfig, batch), FIELD_BOOL(SampleConfig, graph))
RECORD(GpuRef, FIELD_OTHER(GpuRef, gpu, put_gpu, get_gpu))

static bool submission_right(const void *value) {
	const Submission *s = value;
	if (!s->nitems || s->checks > CHECK_ALL) return false;
	if (s->mode == MODE_COUNT && !s->rules.gpu) return false;
	for (uint32_t i = 0; i < s->nmodels; i++)
		if (!s->models[i].gpu) return false;
	return s->mode != MODE_TIME || (s->sampling.batch && s->sampling.count && s->sampling.count <= MOST_SAMPLES);
}
RECORD_VALID(Submission, submission_right, FIELD_ENUM(Submission, mode, MODES - 1),
			 FIELD_LIST(Submission, items, nitems, BackendItem, MOST_ITEMS),
			 FIELD_RECORD(Submission, sampling, SampleConfig), FIELD_RECORD(Submission, rules, GpuRef),
			 FIELD_LIST(Submission, models, nmodels, GpuRef, MOST_MODELS), FIELD_BOOL(Submission, count_only),
			 FIELD_NUMBER(Submission, follow), FIELD_NUMBER(Submission, checks), FIELD_BOOL(Submission, reach),
			 FIELD_NUMBER(Submission, malloc_heap), FIELD_LIST(Submission, fresh, nfresh, Number, MOST_BUFFERS),
			 FIELD_LIST(Submission, restore, nrestore, Number, MOST_BUFFERS))

/* --- answers ------------------------------------------------------------------------------------------------------ */

RECORD(DeviceInfo, FIELD_CHARS(DeviceInfo, name), FIELD_CHARS(DeviceInfo, backend), FIELD_CHARS(DeviceInfo, gpu_name),
	   FIELD_NUMBER(DeviceInfo, cc), FIELD_NUMBER(DeviceInfo, sms), FIELD_NUMBER(DeviceInfo, l2_bytes),
	   FIELD_NUMBER(DeviceInfo, memory_bytes), FIELD_NUMBER(DeviceInfo, clock_ghz), FIELD_NUMBER(DeviceInfo, dram_gbps),
	   FIELD_NUMBER(DeviceInfo, threads_per_block), FIELD_NUMBER(DeviceInfo, shared_per_block),
	   FIELD_NUMBER(DeviceInfo, shared_per_sm), FIELD_CHARS(DeviceInfo, bus), FIELD_CHARS(DeviceInfo, driver),
	   FIELD_CHARS(DeviceInfo, runtime), FIELD_OTHER(DeviceInfo, gpu, put_known_gpu, get_known_gpu),
	   FIELD_CHARS(DeviceInfo, without_gpu), FIELD_CHARS(DeviceInfo, share), FIELD_CHARS(DeviceInfo, place),
	   FIELD_CHARS(DeviceInfo, sandbox), FIELD_NUMBER(DeviceInfo, can), FIELD_NUMBER(DeviceInfo, devices))
RECORD(KernelInfo, FIELD_CHARS(KernelInfo, name), FIELD_NUMBER(KernelInfo, registers),
	   FIELD_BOOL(KernelInfo, registers_estimated), FIELD_NUMBER(KernelInfo, static_shared),
	   FIELD_NUMBER(KernelInfo, local_bytes), FIELD_NUMBER(KernelInfo, const_bytes),
	   FIELD_NUMBER(KernelInfo, max_threads), FIELD_NUMBER(KernelInfo, nparams))
RECORD(Occupancy, FIELD_NUMBER(Occupancy, blocks_per_sm), FIELD_NUMBER(Occupancy, warps_per_sm),
	   FIELD_NUMBER(Occupancy, fraction), FIELD_OTHER(Occupancy, limited_by, put_limit, get_limit))

RECORD(Fault, FIELD_ENUM(Fault, kind, FAULT_UNKNOWN), FIELD_BOOL(Fault, located), FIELD_BOOL(Fault, replayed),
	   FIELD_NUMBER(Fault, block), FIELD_NUMBER(Fault, thread), FIELD_NUMBER(Fault, threads),
	   FIELD_CHARS(Fault, kernel), FIELD_CHARS(Fault, file), FIELD_NUMBER(Fault, line), FIELD_CHARS(Fault, space),
	   FIELD_CHARS(Fault, access), FIELD_NUMBER(Fault, width), FIELD_NUMBER(Fault, address), FIELD_CHARS(Fault, buffer),
	   FIELD_NUMBER(Fault, offset), FIELD_NUMBER(Fault, buffer_bytes), FIELD_NUMBER(Fault, elem_bytes),
	   FIELD_CHARS(Fault, elem_type), FIELD_CHARS(Fault, message))
RECORD(LaunchOutcome, FIELD_ENUM(LaunchOutcome, status, LAUNCH_INTERRUPTED), FIELD_NUMBER(LaunchOutcome, milliseconds),
	   FIELD_RECORD(LaunchOutcome, fault, Fault), FIELD_CHARS(LaunchOutcome, message),
	   FIELD_NUMBER(LaunchOutcome, shadow_bytes))
RECORD(Sample, FIELD_NUMBER(Sample, milliseconds), FIELD_NUMBER(Sample, clock_ghz), FIELD_NUMBER(Sample, overhead_ms),
	   FIELD_NUMBER(Sample, launch_ms), FIELD_NUMBER(Sample, temperature), FIELD_BOOL(Sample, as_graph))

RECORD(WorstAccess, FIELD_BOOL(WorstAccess, valid), FIELD_ENUM(WorstAccess, kind, ACCESS_ATOMIC),
	   FIELD_ENUM(WorstAccess, space, SPACE_TEX), FIELD_NUMBER(WorstAccess, width), FIELD_NUMBER(WorstAccess, mask),
	   FIELD_NUMBER(WorstAccess, block), FIELD_NUMBER(WorstAccess, warp), FIELD_NUMBER(WorstAccess, cost),
	   FIELD_NUMBER(WorstAccess, ideal), FIELD_NUMBER(WorstAccess, addr))
RECORD(LineCounts, FIELD_TEXT(LineCounts, file), FIELD_NUMBER(LineCounts, line), FIELD_NUMBER(LineCounts, counts),
	   FIELD_RECORD(LineCounts, worst, WorstAccess))

static bool prediction_right(const void *value) {
	const Prediction *p = value;
	return p->npartitions <= sizeof p->partition_bytes / sizeof *p->partition_bytes;
}
/* Which GPU it is for the caller knows: the model it asked for. */
RECORD_VALID(Prediction, prediction_right, FIELD_BOOL(Prediction, known), FIELD_NUMBER(Prediction, milliseconds),
			 FIELD_CHARS(Prediction, bound), FIELD_NUMBER(Prediction, error), FIELD_NUMBER(Prediction, order),
			 FIELD_NUMBER(Prediction, blocks_per_sm), FIELD_NUMBER(Prediction, warps_per_sm),
			 FIELD_NUMBER(Prediction, npartitions), FIELD_NUMBER(Prediction, partition_bytes),
			 FIELD_NUMBER(Prediction, partition_pages), FIELD_NUMBER(Prediction, limits),
			 FIELD_NUMBER(Prediction, dram_bytes), FIELD_NUMBER(Prediction, counted_ms),
			 FIELD_NUMBER(Prediction, replayed_ms), FIELD_NUMBER(Prediction, stalls),
			 FIELD_NUMBER(Prediction, stall_line), FIELD_NUMBER(Prediction, stall_why),
			 FIELD_NUMBER(Prediction, stall_share), FIELD_NUMBER(Prediction, most_updates),
			 FIELD_CHARS(Prediction, note))

RECORD(FindingSite, FIELD_CHARS(FindingSite, file), FIELD_NUMBER(FindingSite, line), FIELD_BOOL(FindingSite, known),
	   FIELD_NUMBER(FindingSite, block), FIELD_NUMBER(FindingSite, thread), FIELD_CHARS(FindingSite, access))
static bool finding_right(const void *value) {
	const Finding *f = value;
	return f->nsites <= 2 && f->check && !(f->check & (f->check - 1));
}
RECORD_VALID(Finding, finding_right, FIELD_ENUM(Finding, check, CHECK_ALL), FIELD_NUMBER(Finding, nsites),
			 FIELD_RECORD(Finding, site[0], FindingSite), FIELD_RECORD(Finding, site[1], FindingSite),
			 FIELD_CHARS(Finding, space), FIELD_CHARS(Finding, buffer), FIELD_NUMBER(Finding, offset),
			 FIELD_NUMBER(Finding, buffer_bytes), FIELD_NUMBER(Finding, width), FIELD_NUMBER(Finding, count),
			 FIELD_CHARS(Finding, message), FIELD_CHARS(Finding, hint))

RECORD(ReplayEvent, FIELD_NUMBER(ReplayEvent, warp), FIELD_NUMBER(ReplayEvent, instr),
	   FIELD_ENUM(ReplayEvent, why, STALL_COUNT - 1), FIELD_NUMBER(ReplayEvent, from),
	   FIELD_NUMBER(ReplayEvent, cycles))
RECORD(ItemAnswer, FIELD_NUMBER(ItemAnswer, total), FIELD_NUMBER(ItemAnswer, reach),
	   FIELD_LIST(ItemAnswer, lines, nlines, LineCounts, MOST_LINES),
	   FIELD_LIST(ItemAnswer, predictions, npredictions, Prediction, MOST_MODELS),
	   FIELD_LIST(ItemAnswer, findings, nfindings, Finding, MOST_FINDINGS),
	   FIELD_LIST(ItemAnswer, timeline, ntimeline, ReplayEvent, REPLAY_EVENTS),
	   FIELD_NUMBER(ItemAnswer, timeline_block))
RECORD(Report, FIELD_RECORD(Report, outcome, LaunchOutcome),
	   FIELD_LIST(Report, samples, nsamples, Sample, MOST_SAMPLES),
	   FIELD_LIST(Report, items, nitems, ItemAnswer, MOST_ITEMS), FIELD_BOOL(Report, lives))

/* --- stepping ----------------------------------------------------------------------------------------------------- */

static bool open_right(const void *value) {
	return launch_right(&((const StepOpen *)value)->launch);
}
RECORD_VALID(StepOpen, open_right, FIELD_RECORD(StepOpen, launch, BackendLaunch))
RECORD(StepPlace, FIELD_TEXT(StepPlace, file), FIELD_TEXT(StepPlace, function), FIELD_NUMBER(StepPlace, line),
	   FIELD_NUMBER(StepPlace, text_line), FIELD_BOOL(StepPlace, inlined))
RECORD(StepOpened, FIELD_BOOL(StepOpened, open), FIELD_RECORD(StepOpened, refused, LaunchOutcome),
	   FIELD_LIST(StepOpened, places, nplaces, StepPlace, MOST_LINES))
RECORD(StepFocus, FIELD_NUMBER(StepFocus, block), FIELD_NUMBER(StepFocus, warp))
RECORD(StepStop, FIELD_NUMBER(StepStop, number), FIELD_ENUM(StepStop, kind, STOP_AT_KINDS - 1),
	   FIELD_TEXT(StepStop, name), FIELD_NUMBER(StepStop, line), FIELD_NUMBER(StepStop, first),
	   FIELD_NUMBER(StepStop, last), FIELD_NUMBER(StepStop, warp), FIELD_NUMBER(StepStop, lanes),
	   FIELD_TEXT(StepStop, condition), FIELD_NUMBER(StepStop, address), FIELD_NUMBER(StepStop, bytes),
	   FIELD_ENUM(StepStop, space, SPACE_TEX), FIELD_BOOL(StepStop, stores_only))
RECORD(StepGo, FIELD_ENUM(StepGo, way, GO_WAYS - 1), FIELD_BOOL(StepGo, back), FIELD_NUMBER(StepGo, count),
	   FIELD_RECORD(StepGo, focus, StepFocus), FIELD_LIST(StepGo, stops, nstops, StepStop, MOST_STOPS),
	   FIELD_BOOL(StepGo, trace))
RECORD(StepSide, FIELD_ENUM(StepSide, state, SIDES - 1), FIELD_NUMBER(StepSide, mask), FIELD_NUMBER(StepSide, line),
	   FIELD_NUMBER(StepSide, rejoin_line), FIELD_NUMBER(StepSide, barrier))
RECORD(StepWarp, FIELD_ENUM(StepWarp, state, WARP_STATES - 1), FIELD_NUMBER(StepWarp, mask),
	   FIELD_NUMBER(StepWarp, alive), FIELD_NUMBER(StepWarp, lanes), FIELD_NUMBER(StepWarp, line),
	   FIELD_NUMBER(StepWarp, barrier), FIELD_NUMBER(StepWarp, instructions))
RECORD(StepBarrier, FIELD_NUMBER(StepBarrier, id), FIELD_NUMBER(StepBarrier, arrived),
	   FIELD_NUMBER(StepBarrier, expected))
RECORD(StepFrame, FIELD_TEXT(StepFrame, function), FIELD_TEXT(StepFrame, file), FIELD_NUMBER(StepFrame, line),
	   FIELD_BOOL(StepFrame, inlined))
static bool step_access_right(const void *value) {
	return ((const StepAccess *)value)->mask != 0;
}
RECORD_VALID(StepAccess, step_access_right, FIELD_NUMBER(StepAccess, line), FIELD_ENUM(StepAccess, kind, ACCESS_ATOMIC),
			 FIELD_ENUM(StepAccess, space, SPACE_TEX), FIELD_NUMBER(StepAccess, width), FIELD_NUMBER(StepAccess, mask),
			 FIELD_NUMBER(StepAccess, addr), FIELD_CHARS(StepAccess, name), FIELD_NUMBER(StepAccess, base))
RECORD(StepEvent, FIELD_NUMBER(StepEvent, time), FIELD_NUMBER(StepEvent, warp), FIELD_NUMBER(StepEvent, line),
	   FIELD_NUMBER(StepEvent, mask), FIELD_BOOL(StepEvent, barrier))
RECORD(StepMoment, FIELD_ENUM(StepMoment, halt, HALTS - 1), FIELD_NUMBER(StepMoment, stop),
	   FIELD_NUMBER(StepMoment, time), FIELD_NUMBER(StepMoment, count), FIELD_NUMBER(StepMoment, block),
	   FIELD_NUMBER(StepMoment, warp), FIELD_NUMBER(StepMoment, mask), FIELD_NUMBER(StepMoment, alive),
	   FIELD_NUMBER(StepMoment, lanes), FIELD_NUMBER(StepMoment, line), FIELD_TEXT(StepMoment, file),
	   FIELD_TEXT(StepMoment, instruction), FIELD_NUMBER(StepMoment, text_line), FIELD_CHARS(StepMoment, message),
	   FIELD_RECORD(StepMoment, fault, Fault), FIELD_LIST(StepMoment, sides, nsides, StepSide, MOST_LINES),
	   FIELD_LIST(StepMoment, warps, nwarps, StepWarp, MOST_ITEMS),
	   FIELD_LIST(StepMoment, barriers, nbarriers, StepBarrier, MOST_STOPS),
	   FIELD_LIST(StepMoment, frames, nframes, StepFrame, MOST_STOPS),
	   FIELD_LIST(StepMoment, accesses, naccesses, StepAccess, MOST_STOPS),
	   FIELD_LIST(StepMoment, events, nevents, StepEvent, STEP_EVENTS))
static bool expression_right(const void *value) {
	return ((const StepExpression *)value)->text != NULL;
}
RECORD_VALID(StepExpression, expression_right, FIELD_TEXT(StepExpression, text))
RECORD(StepRead, FIELD_LIST(StepRead, expressions, nexpressions, StepExpression, MOST_STOPS))
RECORD(StepValue, FIELD_ENUM(StepValue, type, VALUE_TYPES - 1), FIELD_NUMBER(StepValue, known),
	   FIELD_NUMBER(StepValue, lane), FIELD_CHARS(StepValue, trouble))
RECORD(StepValues, FIELD_LIST(StepValues, values, nvalues, StepValue, MOST_STOPS))

/* --- copies and pipelines ----------------------------------------------------------------------------------------- */

/* A time is a number, and not below zero. */
static bool is_time(double ms) {
	return ms >= 0 && ms < 1e12;
}

static bool copy_right(const void *value) {
	const CopyRequest *c = value;
	return c->copy.bytes && c->copy.bytes <= COPY_MOST_BYTES && c->count && c->count <= COPY_SAMPLES;
}
RECORD(Copy, FIELD_ENUM(Copy, direction, COPY_FROM_DEVICE), FIELD_ENUM(Copy, memory, HOST_WRITE_COMBINED),
	   FIELD_NUMBER(Copy, bytes))
RECORD_VALID(CopyRequest, copy_right, FIELD_RECORD(CopyRequest, copy, Copy), FIELD_NUMBER(CopyRequest, count))

static bool copy_times_right(const void *value) {
	const CopyTimes *t = value;
	bool ok = is_time(t->host_write_ms) && is_time(t->host_read_ms);
	for (int i = 0; i < COPY_SAMPLES; i++) ok = ok && is_time(t->milliseconds[i]);
	return ok;
}
RECORD_VALID(CopyTimes, copy_times_right, FIELD_NUMBER(CopyTimes, milliseconds), FIELD_BOOL(CopyTimes, host_clock),
			 FIELD_NUMBER(CopyTimes, host_write_ms), FIELD_NUMBER(CopyTimes, host_read_ms),
			 FIELD_NUMBER(CopyTimes, host_bytes))

static bool shape_right(const void *value) {
	return pipeline_possible(value);
}
RECORD_VALID(Pipeline, shape_right, FIELD_NUMBER(Pipeline, chunks), FIELD_NUMBER(Pipeline, streams),
			 FIELD_ENUM(Pipeline, memory, HOST_WRITE_COMBINED), FIELD_ENUM(Pipeline, order, ISSUE_BREADTH))

static bool inside(size_t first, size_t bytes, size_t all) {
	return bytes && first <= all && bytes <= all - first;
}

static bool pipeline_right(const void *value) {
	const BackendPipeline *p = value;
	if (p->nchunks != p->shape.chunks) return false;
	for (uint32_t i = 0; i < p->nchunks; i++) {
		const PipelineChunk *c = &p->chunks[i];
		if (!inside(c->in_first, c->in_bytes, p->input_bytes) || !inside(c->out_first, c->out_bytes, p->output_bytes) ||
			!launch_right(&c->launch))
			return false;
	}
	return true;
}
RECORD(PipelineChunk, FIELD_NUMBER(PipelineChunk, in_first), FIELD_NUMBER(PipelineChunk, in_bytes),
	   FIELD_NUMBER(PipelineChunk, out_first), FIELD_NUMBER(PipelineChunk, out_bytes),
	   FIELD_RECORD(PipelineChunk, launch, BackendLaunch))
RECORD_VALID(BackendPipeline, pipeline_right, FIELD_RECORD(BackendPipeline, shape, Pipeline),
			 FIELD_LIST(BackendPipeline, chunks, nchunks, PipelineChunk, PIPELINE_CHUNKS),
			 FIELD_NUMBER(BackendPipeline, input), FIELD_NUMBER(BackendPipeline, output),
			 FIELD_NUMBER(BackendPipeline, input_bytes), FIELD_NUMBER(BackendPipeline, output_bytes))

static bool pipeline_times_right(const void *value) {
	const PipelineTimes *t = value;
	if (!is_time(t->milliseconds)) return false;
	for (size_t i = 0; i < sizeof t->spans / sizeof *t->spans; i++) {
		const Span *s = &t->spans[i];
		if ((uint32_t)s->kind >= SPAN_KINDS || s->chunk >= PIPELINE_CHUNKS || s->stream >= PIPELINE_STREAMS ||
			!is_time(s->start_ms) || !is_time(s->end_ms))
			return false;
	}
	return true;
}
RECORD_VALID(PipelineTimes, pipeline_times_right, FIELD_NUMBER(PipelineTimes, milliseconds),
			 FIELD_NUMBER(PipelineTimes, spans))
RECORD(PipelineReport, FIELD_RECORD(PipelineReport, times, PipelineTimes),
	   FIELD_RECORD(PipelineReport, outcome, LaunchOutcome), FIELD_RECORD(PipelineReport, failed, Err),
	   FIELD_BOOL(PipelineReport, begun), FIELD_BOOL(PipelineReport, lives))

/* --- gateways ----------------------------------------------------------------------------------------------------- */

static bool enter_right(const void *value) {
	const Enter *e = value;
	return e->device && e->warm_s >= 0 && e->warm_s < 1e6;
}
RECORD_VALID(Enter, enter_right, FIELD_TEXT(Enter, device), FIELD_NUMBER(Enter, warm_s), FIELD_BOOL(Enter, packs))
static bool put_right(const void *value) {
	const Put *p = value;
	return p->bytes <= PUT_BYTES && (!p->data_bytes || p->data_bytes == p->bytes);
}
RECORD_VALID(Put, put_right, FIELD_NUMBER(Put, addr), FIELD_NUMBER(Put, bytes), FIELD_NUMBER(Put, hash),
			 FIELD_BYTES(Put, data, data_bytes))
RECORD(Got, FIELD_BYTES(Got, data, bytes))
static bool elements_right(const void *value) {
	const DefineElements *d = value;
	return d->count <= UINT64_MAX / 16;
}
RECORD(Define, FIELD_ENUM(Define, kind, DEFINE_DATA), FIELD_NUMBER(Define, value), FIELD_NUMBER(Define, seed))
RECORD_VALID(DefineElements, elements_right, FIELD_NUMBER(DefineElements, addr), FIELD_NUMBER(DefineElements, count),
			 FIELD_ENUM(DefineElements, type, ELEM_TYPES - 1), FIELD_RECORD(DefineElements, define, Define))
RECORD(Locked, FIELD_NUMBER(Locked, waited_s), FIELD_CHARS(Locked, without))

/* --- the table ---------------------------------------------------------------------------------------------------- */

const Message messages[MESSAGES] = {[MESSAGE_OPEN] = {"open", &DeviceOpen_record, &DeviceInfo_record},
									[MESSAGE_UPLOAD] = {"upload", &Bulk_record, &Nothing_record},
									[MESSAGE_DOWNLOAD] = {"download", &Bulk_record, &Nothing_record},
									[MESSAGE_ENTER] = {"enter", &Enter_record, &DeviceInfo_record},
									[MESSAGE_PUT] = {"put", &Put_record, &Nothing_record},
									[MESSAGE_GET] = {"get", &Bulk_record, &Got_record},
									[MESSAGE_DEFINE] = {"define", &DefineElements_record, &Nothing_record},
									[MESSAGE_RESTART] = {"restart", &Nothing_record, &Nothing_record},
									[MESSAGE_LOCK] = {"lock", &Nothing_record, &Locked_record},
									[MESSAGE_UNLOCK] = {"unlock", &Nothing_record, &Nothing_record},
#define X(name, Request, Answer) [MESSAGE_##name] = {#name, &Request##_record, &Answer##_record},
									BACKEND_CALLS(X)
#undef X
};

bool report_answers(const Submission *s, const Report *r) {
	const bool ended = r->outcome.status == LAUNCH_OK, models = s->mode == MODE_COUNT || s->mode == MODE_PREDICT;
	const uint32_t samples = s->mode == MODE_TIME ? s->sampling.count : 0,
				   items = s->mode == MODE_RUN || s->mode == MODE_TIME ? 0 : s->nitems,
				   predictions = models ? s->nmodels : 0;
	if (r->nsamples > samples || (ended && r->nsamples != samples) || r->nitems != items) return false;
	for (uint32_t i = 0; i < items; i++) {
		const uint32_t n = r->items[i].npredictions;
		if (n != predictions && (ended || n)) return false;
	}
	return true;
}

static void add_layout(Hash *hash, const Record *record) {
	if (!record) return;
	hash_add(hash, record->name, strlen(record->name) + 1);
	for (size_t i = 0; i < record->nfields; i++) {
		const RecordField *f = &record->fields[i];
		const uint64_t numbers[] = {f->kind, f->size, f->kind == KIND_RECORD ? 0 : f->most};
		hash_add(hash, numbers, sizeof numbers);
		add_layout(hash, f->record);
	}
}

void messages_layout(char *out, size_t size) {
	Hash hash;
	uint8_t sum[HASH_BYTES];
	hash_start(&hash);
	for (int i = 0; i < MESSAGES; i++) {
		hash_add(&hash, messages[i].name, strlen(messages[i].name) + 1);
		add_layout(&hash, messages[i].request);
		add_layout(&hash, messages[i].answer);
	}
	add_layout(&hash, &Err_record);
	hash_add(&hash, &gpu_nfigures, sizeof gpu_nfigures);
	hash_get(&hash, sum);
	snprintf(out, size, "%d-%02x%02x%02x%02x", FRAME_VERSION, sum[0], sum[1], sum[2], sum[3]);
}

bool backend_lacks(const char *what, Err *err) {
	static const struct {
		const char *call, *sentence;
	} known[] = {{"copy", "this device cannot time a copy"},
				 {"pipeline", "this device cannot time a pipeline"},
				 {"texture", "this device has no textures"},
				 {"step_open", "this device cannot step a launch; the emulator can"},
				 {"has_library", "this device runs no library routines"}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(what, known[i].call) == 0) return err_set(err, ERR_SETUP, "%s", known[i].sentence);
	return err_set(err, ERR_SETUP, "this device does not do \"%s\"", what);
}
