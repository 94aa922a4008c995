/* messages.h: the fields of every message, once. Whatever a worker sends is checked here: enumerators, counts, and what
 * numbers must not be. */
#include "device/backend/messages.h"

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

/* What a GPU has besides its values and names. */
typedef Gpu GpuRest;
RECORD(GpuRest, FIELDS(GpuRest, max_grid, max_block, register_unit_per_block, calibrated))

/* A GPU by value: a derived one is not known to the worker, and values may be calibrated here. */
void put_gpu(Str *out, const void *field) {
	const Gpu *gpu = *(const Gpu *const *)field;
	put_text(out, gpu ? gpu->name : NULL);
	if (!gpu) return;
	put_text(out, gpu->base ? gpu->base->name : NULL);
	record_put(out, &GpuRest_record, gpu);
	for (size_t i = 0; i < gpu_nfields; i++) {
		const double value = gpu_field(gpu, &gpu_fields[i]);
		put_raw(out, &value, sizeof value);
	}
}

static void get_values(Reader *r, Gpu *gpu) {
	for (size_t i = 0; i < gpu_nfields; i++) {
		const GpuField *f = &gpu_fields[i];
		const double most = f->member.type == MEMBER_U32 ? UINT32_MAX : 1e15;
		double value;
		get_raw(r, &value, sizeof value);
		if (!(value >= 0 && value <= most)) r->bad = true;
		if (r->bad) return;
		gpu_set_field(gpu, f, value);
	}
}

void get_gpu(Reader *r, void *field) {
	const char *name = get_text(r);
	const Gpu *gpu = NULL;
	if (name) {
		Gpu plain;
		const char *base = get_text(r);
		record_get(r, &GpuRest_record, &plain);
		get_values(r, &plain);
		plain.name = name;
		if (!r->bad) gpu = gpu_adopt(&plain, name, base);
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

RECORD(Number, FIELD(Number, value))
RECORD(Alloc, FIELDS(Alloc, bytes, name, mapped, again, shared, track))
RECORD(Moved, FIELDS(Moved, to, from, to_pitch, from_pitch, width, rows))
RECORD(Gap, FIELDS(Gap, at, bytes))
RECORD(Unwritten, FIELD(Unwritten, bytes), FIELD_LIST(Unwritten, gaps, ngaps, Gap, MOST_GAPS))
RECORD(Fill, FIELDS(Fill, addr, bytes, byte))
RECORD(Bulk, FIELDS(Bulk, addr, bytes, in_place))
RECORD(DeviceOpen, FIELD(DeviceOpen, name), FIELD_GPU(DeviceOpen, gpu), FIELD(DeviceOpen, memory_bytes))

static bool texture_right(const void *value) {
	return texture_check(value, NULL);
}
RECORD_VALID(TextureDesc, texture_right, FIELDS(TextureDesc, surface, linear_memory),
			 FIELD_ENUM(TextureDesc, type, ELEM_TYPES - 1),
			 FIELDS(TextureDesc, channels, width, height, depth, layers, cube),
			 FIELD_ENUM(TextureDesc, address, ADDRESS_MODES - 1),
			 FIELDS(TextureDesc, filter, normalized, read_float, seamless))
RECORD(TextureRequest, FIELD_RECORD(TextureRequest, desc, TextureDesc), FIELD(TextureRequest, name))
RECORD(TextureMade, FIELDS(TextureMade, number, object))
RECORD(TextureCopy, FIELDS(TextureCopy, number, addr, into_texture))

RECORD(ModuleCode, FIELD_BYTES(ModuleCode, cubin, cubin_bytes), FIELD_REQUIRED(ModuleCode, ptx),
	   FIELDS(ModuleCode, cc, keep_registers, by_sass))

RECORD(SymbolRequest, FIELD(SymbolRequest, module), FIELD_REQUIRED(SymbolRequest, name))
RECORD(SymbolPlace, FIELDS(SymbolPlace, addr, bytes))

RECORD(KernelRequest, FIELDS(KernelRequest, module, threads, shared, registers), FIELD_REQUIRED(KernelRequest, name))

/* --- launches ----------------------------------------------------------------------------------------------------- */

RECORD(LaunchConfig, FIELDS(LaunchConfig, grid, block, cluster, shared_bytes, timeout_ms, heap_bytes, sample,
							sample_half, cooperative, crowded, concurrent, schedule, repeatable, work_limit))
RECORD(ParamPlace, FIELDS(ParamPlace, offset, size))

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
	return library_elements(c->routine, c->extents, &elements) &&
		   elements <= c->bytes / elem_bytes(library_info(c->routine)->reads);
}

static bool item_right(const void *value) {
	const BackendItem *item = value;
	return item->call.routine == LIBRARY_NONE ? launch_right(&item->launch) : call_right(&item->call);
}

RECORD(Assembled, FIELDS(Assembled, cc, registers, local_bytes))
RECORD(BackendLaunch, FIELDS(BackendLaunch, module, linked_name), FIELD_RECORD(BackendLaunch, config, LaunchConfig),
	   FIELD_BYTES(BackendLaunch, params, param_bytes),
	   FIELD_LIST(BackendLaunch, places, nparams, ParamPlace, MOST_PARAMS),
	   FIELD_LIST(BackendLaunch, assembled, nassembled, Assembled, MOST_ASSEMBLED))
RECORD(BackendCall, FIELD_ENUM(BackendCall, routine, LIBRARY_ROUTINES - 1),
	   FIELDS(BackendCall, addrs, extents, bytes, timeout_ms))
RECORD_VALID(BackendItem, item_right, FIELD_RECORD(BackendItem, call, BackendCall),
			 FIELD_RECORD(BackendItem, launch, BackendLaunch))

static bool routine_right(const void *value) {
	return ((const LibraryRequest *)value)->routine != LIBRARY_NONE;
}
RECORD_VALID(LibraryRequest, routine_right, FIELD_ENUM(LibraryRequest, routine, LIBRARY_ROUTINES - 1))

RECORD(SampleConfig, FIELDS(SampleConfig, count, flush_l2, batch, graph))
/* One of a list. */
typedef struct {
	const Gpu *gpu;
} GpuRef;
RECORD(GpuRef, FIELD_GPU(GpuRef, gpu))

static bool ask_right(const void *value) {
	const Ask *a = value;
	if (a->checks > CHECK_ALL || (a->mode == MODE_COUNT && !a->rules)) return false;
	for (uint32_t i = 0; i < a->nmodels; i++)
		if (!a->models[i]) return false;
	return a->mode != MODE_TIME || (a->sampling.batch && a->sampling.count && a->sampling.count <= MOST_SAMPLES);
}
RECORD_VALID(Ask, ask_right, FIELD_ENUM(Ask, mode, MODES - 1), FIELD_RECORD(Ask, sampling, SampleConfig),
			 FIELD_GPU(Ask, rules), FIELD_LIST(Ask, models, nmodels, GpuRef, MOST_MODELS),
			 FIELDS(Ask, count_only, follow, rehearse, checks, reach, touched))
static bool submission_right(const void *value) {
	return ((const Submission *)value)->nitems;
}
RECORD_VALID(Submission, submission_right, FIELD_LIST(Submission, items, nitems, BackendItem, MOST_ITEMS),
			 FIELD_RECORD(Submission, ask, Ask), FIELD_LIST(Submission, fresh, nfresh, Number, MOST_BUFFERS),
			 FIELD_LIST(Submission, written, nwritten, Gap, MOST_BUFFERS),
			 FIELD_LIST(Submission, restore, nrestore, Number, MOST_BUFFERS))

/* --- answers ------------------------------------------------------------------------------------------------------ */

RECORD(DeviceInfo,
	   FIELDS(DeviceInfo, name, backend, gpu_name, cc, sms, l2_bytes, memory_bytes, clock_ghz, dram_gbps,
			  threads_per_block, shared_per_block, shared_per_sm, bus, driver, runtime),
	   FIELD_OTHER(DeviceInfo, gpu, put_known_gpu, get_known_gpu),
	   FIELDS(DeviceInfo, without_gpu, share, place, sandbox, can, devices))
RECORD(KernelInfo, FIELDS(KernelInfo, name, registers, registers_estimated, static_shared, local_bytes, const_bytes,
						  max_threads, nparams))
RECORD(Occupancy, FIELDS(Occupancy, blocks_per_sm, warps_per_sm, fraction),
	   FIELD_OTHER(Occupancy, limited_by, put_limit, get_limit))

RECORD(Fault, FIELD_ENUM(Fault, kind, FAULT_UNKNOWN),
	   FIELDS(Fault, located, replayed, block, thread, threads, kernel, file, line, space, access, width, address,
			  buffer, offset, buffer_bytes, elem_bytes, elem_type, message))
RECORD(LaunchOutcome, FIELD_ENUM(LaunchOutcome, status, LAUNCH_INTERRUPTED), FIELD(LaunchOutcome, milliseconds),
	   FIELD_RECORD(LaunchOutcome, fault, Fault), FIELDS(LaunchOutcome, message, shadow_bytes))
RECORD(Sample, FIELDS(Sample, milliseconds, clock_ghz, overhead_ms, launch_ms, temperature, as_graph))

RECORD(WorstAccess, FIELD(WorstAccess, valid), FIELD_ENUM(WorstAccess, kind, ACCESS_ATOMIC),
	   FIELD_ENUM(WorstAccess, space, SPACE_TEX), FIELDS(WorstAccess, width, mask, block, warp, cost, ideal, addr))
RECORD(LineCounts, FIELDS(LineCounts, file, line), FIELD_RAW(LineCounts, counts),
	   FIELD_RECORD(LineCounts, worst, WorstAccess))

RECORD(Nondeterminism, FIELD_ENUM(Nondeterminism, cause, NONDETERMINISM_CAUSES - 1), FIELDS(Nondeterminism, file, line))

static bool prediction_right(const void *value) {
	const Prediction *p = value;
	return p->npartitions <= sizeof p->partition_bytes / sizeof *p->partition_bytes;
}
/* Which GPU it is for the caller knows: the model it asked for. */
RECORD_VALID(Prediction, prediction_right,
			 FIELDS(Prediction, known, milliseconds, bound, error, order, blocks_per_sm, warps_per_sm, npartitions,
					partition_bytes, partition_pages, limits, bulk, unequal, dram_bytes, counted_ms, replayed_ms,
					stalls, stall_line, stall_file, stall_why, stall_share, most_updates, waiting_ms, note))

RECORD(FindingSite, FIELDS(FindingSite, file, line, known, block, thread, access))
static bool finding_right(const void *value) {
	const Finding *f = value;
	return f->nsites <= 2 && f->check && !(f->check & (f->check - 1));
}
RECORD_VALID(Finding, finding_right, FIELD_ENUM(Finding, check, CHECK_ALL), FIELD(Finding, nsites),
			 FIELD_RECORD(Finding, site[0], FindingSite), FIELD_RECORD(Finding, site[1], FindingSite),
			 FIELDS(Finding, space, buffer, offset, buffer_bytes, width, address, count, message, hint))

RECORD(ReplayEvent, FIELDS(ReplayEvent, warp, instr), FIELD_ENUM(ReplayEvent, why, STALL_COUNT - 1),
	   FIELDS(ReplayEvent, from, cycles))
static bool touched_right(const void *value) {
	const Touched *t = value;
	return t->bytes && t->addr + t->bytes > t->addr;
}
RECORD_VALID(Touched, touched_right, FIELDS(Touched, addr, bytes, kinds))
RECORD(ItemAnswer, FIELD_RAW(ItemAnswer, total), FIELD_RAW(ItemAnswer, reach), FIELD_RAW(ItemAnswer, busiest),
	   FIELD_LIST(ItemAnswer, lines, nlines, LineCounts, MOST_LINES),
	   FIELD_LIST(ItemAnswer, nondeterminism, nnondeterminism, Nondeterminism, NONDETERMINISM_CAUSES),
	   FIELD_LIST(ItemAnswer, predictions, npredictions, Prediction, MOST_MODELS),
	   FIELD_LIST(ItemAnswer, findings, nfindings, Finding, MOST_FINDINGS),
	   FIELD_LIST(ItemAnswer, touched, ntouched, Touched, MOST_TOUCHED),
	   FIELD_LIST(ItemAnswer, timeline, ntimeline, ReplayEvent, REPLAY_EVENTS), FIELD(ItemAnswer, timeline_block))
RECORD(Report, FIELD_RECORD(Report, outcome, LaunchOutcome),
	   FIELD_LIST(Report, samples, nsamples, Sample, MOST_SAMPLES),
	   FIELD_LIST(Report, items, nitems, ItemAnswer, MOST_ITEMS), FIELDS(Report, left, lives))

/* --- stepping ----------------------------------------------------------------------------------------------------- */

static bool open_right(const void *value) {
	return launch_right(&((const StepOpen *)value)->launch);
}
RECORD_VALID(StepOpen, open_right, FIELD_RECORD(StepOpen, launch, BackendLaunch))
RECORD(StepPlace, FIELDS(StepPlace, file, function, line, text_line, inlined))
RECORD(StepOpened, FIELD(StepOpened, open), FIELD_RECORD(StepOpened, refused, LaunchOutcome),
	   FIELD_LIST(StepOpened, places, nplaces, StepPlace, MOST_LINES))
RECORD(StepFocus, FIELDS(StepFocus, block, warp))
RECORD(StepStop, FIELD(StepStop, number), FIELD_ENUM(StepStop, kind, STOP_AT_KINDS - 1),
	   FIELDS(StepStop, name, line, first, last, warp, lanes, depth, condition, address, bytes),
	   FIELD_ENUM(StepStop, space, SPACE_TEX), FIELD(StepStop, stores_only))
RECORD(StepGo, FIELD_ENUM(StepGo, way, GO_WAYS - 1), FIELDS(StepGo, back, count),
	   FIELD_RECORD(StepGo, focus, StepFocus), FIELD_LIST(StepGo, stops, nstops, StepStop, MOST_STOPS),
	   FIELD(StepGo, trace))
RECORD(StepSide, FIELD_ENUM(StepSide, state, SIDES - 1), FIELDS(StepSide, mask, line, text_line, rejoin_line, barrier))
RECORD(StepWarp, FIELD_ENUM(StepWarp, state, WARP_STATES - 1),
	   FIELDS(StepWarp, mask, alive, lanes, line, barrier, instructions))
RECORD(StepBarrier, FIELDS(StepBarrier, id, arrived, expected))
RECORD(StepFrame, FIELDS(StepFrame, function, file, line, inlined))
static bool step_access_right(const void *value) {
	return ((const StepAccess *)value)->mask != 0;
}
RECORD_VALID(StepAccess, step_access_right, FIELD(StepAccess, line), FIELD_ENUM(StepAccess, kind, ACCESS_ATOMIC),
			 FIELD_ENUM(StepAccess, space, SPACE_TEX), FIELDS(StepAccess, width, mask, addr, name, base))
RECORD(StepEvent, FIELDS(StepEvent, time, warp, line, mask, barrier))
RECORD(StepMoment, FIELD_ENUM(StepMoment, halt, HALTS - 1),
	   FIELDS(StepMoment, stop, time, count, block, warp, mask, alive, lanes, line, file, instruction, text_line,
			  message, printed, printed_bytes),
	   FIELD_RECORD(StepMoment, fault, Fault), FIELD_LIST(StepMoment, sides, nsides, StepSide, MOST_LINES),
	   FIELD_LIST(StepMoment, warps, nwarps, StepWarp, MOST_ITEMS),
	   FIELD_LIST(StepMoment, barriers, nbarriers, StepBarrier, MOST_STOPS),
	   FIELD_LIST(StepMoment, frames, nframes, StepFrame, MOST_STOPS),
	   FIELD_LIST(StepMoment, accesses, naccesses, StepAccess, MOST_STOPS),
	   FIELD_LIST(StepMoment, events, nevents, StepEvent, STEP_EVENTS))
RECORD(StepExpression, FIELD_REQUIRED(StepExpression, text))
RECORD(StepRead, FIELD_LIST(StepRead, expressions, nexpressions, StepExpression, MOST_STOPS))
RECORD(StepValue, FIELD_ENUM(StepValue, type, VALUE_TYPES - 1), FIELDS(StepValue, known, lane, trouble))
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
	   FIELD(Copy, bytes))
RECORD_VALID(CopyRequest, copy_right, FIELD_RECORD(CopyRequest, copy, Copy), FIELD(CopyRequest, count))

static bool copy_times_right(const void *value) {
	const CopyTimes *t = value;
	bool ok = is_time(t->host_write_ms) && is_time(t->host_read_ms);
	for (int i = 0; i < COPY_SAMPLES; i++) ok = ok && is_time(t->milliseconds[i]);
	return ok;
}
RECORD_VALID(CopyTimes, copy_times_right,
			 FIELDS(CopyTimes, milliseconds, host_clock, host_write_ms, host_read_ms, host_bytes))

static bool shape_right(const void *value) {
	return pipeline_possible(value);
}
RECORD_VALID(Pipeline, shape_right, FIELDS(Pipeline, chunks, streams),
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
RECORD(PipelineChunk, FIELDS(PipelineChunk, in_first, in_bytes, out_first, out_bytes),
	   FIELD_RECORD(PipelineChunk, launch, BackendLaunch))
RECORD_VALID(BackendPipeline, pipeline_right, FIELD_RECORD(BackendPipeline, shape, Pipeline),
			 FIELD_LIST(BackendPipeline, chunks, nchunks, PipelineChunk, PIPELINE_CHUNKS),
			 FIELDS(BackendPipeline, input, output, input_bytes, output_bytes))

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
RECORD_VALID(PipelineTimes, pipeline_times_right, FIELD(PipelineTimes, milliseconds), FIELD_RAW(PipelineTimes, spans))
RECORD(PipelineReport, FIELD_RECORD(PipelineReport, times, PipelineTimes),
	   FIELD_RECORD(PipelineReport, outcome, LaunchOutcome), FIELD_RECORD(PipelineReport, failed, Err),
	   FIELDS(PipelineReport, begun, lives))

/* --- gateways ----------------------------------------------------------------------------------------------------- */

static bool enter_right(const void *value) {
	const Enter *e = value;
	return e->warm_s >= 0 && e->warm_s < 1e6;
}
RECORD_VALID(Enter, enter_right, FIELD_REQUIRED(Enter, device), FIELDS(Enter, warm_s, packs))
static bool put_right(const void *value) {
	const Put *p = value;
	return p->bytes <= PUT_BYTES && (!p->data_bytes || p->data_bytes == p->bytes);
}
RECORD_VALID(Put, put_right, FIELDS(Put, addr, bytes, hash), FIELD_BYTES(Put, data, data_bytes))
RECORD(Got, FIELD_BYTES(Got, data, bytes))
static bool elements_right(const void *value) {
	const DefineElements *d = value;
	return d->count <= UINT64_MAX / 16;
}
RECORD(Define, FIELD_ENUM(Define, kind, DEFINE_DATA), FIELDS(Define, value, seed))
RECORD_VALID(DefineElements, elements_right, FIELDS(DefineElements, addr, count),
			 FIELD_ENUM(DefineElements, type, ELEM_TYPES - 1), FIELD_RECORD(DefineElements, define, Define))
RECORD(Locked, FIELDS(Locked, waited_s, without))

/* --- the table ---------------------------------------------------------------------------------------------------- */

const Message messages[MESSAGES] = {
#define X(name, Request, Answer) [MESSAGE_##name] = {#name, &Request##_record, &Answer##_record},
	MESSAGE_LIST(X)
#undef X
};

double item_seconds(const BackendItem *item) {
	return (item->call.routine == LIBRARY_NONE ? item->launch.config.timeout_ms : item->call.timeout_ms) / 1e3;
}

double submission_seconds(const Submission *s) {
	double seconds = 0;
	for (uint32_t i = 0; i < s->nitems; i++) seconds += item_seconds(&s->items[i]);
	return seconds;
}

bool report_answers(const Submission *s, const Report *r) {
	const bool ended = r->outcome.status == LAUNCH_OK,
			   models = s->ask.mode == MODE_COUNT || s->ask.mode == MODE_PREDICT;
	const uint32_t samples = s->ask.mode == MODE_TIME ? s->ask.sampling.count : 0,
				   items = s->ask.mode == MODE_RUN || s->ask.mode == MODE_TIME ? 0 : s->nitems,
				   predictions = models ? s->ask.nmodels : 0;
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
		const uint64_t numbers[] = {f->kind, f->member.type, f->member.size, f->most};
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
	hash_add(&hash, &gpu_nfields, sizeof gpu_nfields);
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
