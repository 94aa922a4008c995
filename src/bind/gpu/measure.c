/* Timing, counting, and the bank picture's numbers. */
#include "measure/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text/printable.h"
#include "bind/internal.h"
#include "bind/values/set.h"
#include "measure/compare.h"
#include "model/error.h"

/* --- gpu.time ----------------------------------------------------------------------------------------------------- */

static bool without_lock; /* --no-lock */

static void report_waiting(void *user, const char *text) {
	AUTO_FREE char *safe = printable(text);
	fprintf(stderr, "%s\n", safe);
}

LockMode bind_lock_mode(void) {
	return (LockMode){.none = without_lock, .waiting = report_waiting};
}

int bind_lock(lua_State *L) {
	luaL_checktype(L, 1, LUA_TBOOLEAN);
	without_lock = !lua_toboolean(L, 1);
	return 0;
}

const char *const bind_rate_kinds[] = {"measured", "predicted", NULL};

static const Key measurement_keys[] = {
	KEY_NAME(Measurement, kind, bind_rate_kinds),
	KEY_AS(Measurement, median_ms, "ms"),
	KEY_AS(Measurement, q1_ms, "q1"),
	KEY_AS(Measurement, q3_ms, "q3"),
	KEY_AS(Measurement, min_ms, "min"),
	KEY_AS(Measurement, as_graph, "graph"),
	KEYS(Measurement, samples, discarded, batch, throttled, impossible, unlocked, note),
	KEY_KNOWN(Measurement, hot_ms, "hot"),
	KEY_KNOWN(Measurement, cold_ms, "cold"),
	KEY_KNOWN(Measurement, overhead_ms, "overhead"),
	KEY_KNOWN(Measurement, launch_ms, "launch"),
	KEY_KNOWN(Measurement, clock_ghz, "clock_ghz"),
	KEY_KNOWN(Measurement, temperature, "temperature"),
	KEYS_END};
static const Key predicted_keys[] = {KEYS(Prediction, bound, known), KEY_KNOWN(Prediction, error, "error"), KEYS_END};

void bind_push_measurement(lua_State *L, const Measurement *m) {
	bind_push_keys(L, measurement_keys, m);
	if (m->kind != RATE_PREDICTED) return;
	bind_set_keys(L, predicted_keys, &m->prediction);
	if (m->prediction.gpu) set_text(L, "gpu", m->prediction.gpu->name);
}

int bind_time(lua_State *L) {
	Measurement m = {0};
	LaunchOutcome outcome = {.status = LAUNCH_OK};
	const int first = bind_first_of_list(L), options = bind_after_list(L, first);
	lua_settop(L, options);
	static const Key keys[] = {KEY_AMOUNT(MeasureConfig, min_bytes, "min_bytes"),
							   KEY_AMOUNT(MeasureConfig, wall_cap_s, "wall"), KEY_WHOLE(MeasureConfig, warmup, 0, 1000),
							   KEYS(MeasureConfig, once), KEYS_END};
	MeasureConfig config = {.lock = bind_lock_mode()};
	bind_read_keys(L, options, keys, &config);
	const ListArg arg = bind_check_list(L, first, NULL);
	const LaunchList list = bind_list(&arg);
	const bool ok = measure(bind_open(L, arg.owner), &list, &config, &m, &outcome, bind_err());
	bind_must_end(L, ok, &outcome, arg.output);
	str_free(arg.output);
	bind_push_measurement(L, &m);
	return 1;
}

/* --- gpu.compare -------------------------------------------------------------------------------------------------- */

static const Key comparison_keys[] = {
	KEY_NAME(Comparison, verdict, verdict_names),
	KEY_NAME(Comparison, kind, bind_rate_kinds),
	KEYS(Comparison, ratio, low, high, a_ms, b_ms, margin, pairs, discarded, batch, unlocked, note),
	KEY_AS(Comparison, as_graph, "graph"),
	KEY_KNOWN(Comparison, error, "error"),
	KEYS_END};

static void push_comparison(lua_State *L, const Comparison *c) {
	bind_push_keys(L, comparison_keys, c);
	if (c->kind == RATE_MEASURED) set_number(L, "confidence", COMPARE_CONFIDENCE);
}

/* host.compare_predictions(a, b): two of a report's models, as gpu.compare compares what it predicts itself. */
int bind_compare_predictions(lua_State *L) {
	static const Key keys[] = {KEY_AMOUNT(Prediction, milliseconds, "ms"), KEY_AMOUNT(Prediction, error, "error"),
							   KEY_AMOUNT(Prediction, order, "order"), KEYS_END};
	Prediction of[2];
	Comparison c;
	for (int i = 0; i < 2; i++) {
		of[i] = (Prediction){.known = true};
		luaL_checktype(L, i + 1, LUA_TTABLE);
		bind_read_keys(L, i + 1, keys, &of[i]);
	}
	compare_predictions(&of[0], &of[1], &c);
	push_comparison(L, &c);
	return 1;
}

int bind_compare(lua_State *L) {
	Comparison c = {0};
	LaunchOutcome outcome = {.status = LAUNCH_OK};
	const int first = bind_first_of_list(L), second = bind_after_list(L, first), options = bind_after_list(L, second);
	lua_settop(L, options);
	const ListArg a = bind_check_list(L, first, NULL), b = bind_check_list(L, second, NULL);
	static const Key keys[] = {KEY_AMOUNT(CompareConfig, wall_cap_s, "wall"), KEYS_END};
	CompareConfig config = {.lock = bind_lock_mode()};
	bind_read_keys(L, options, keys, &config);
	if (a.owner != b.owner) return bind_bad(L, second, "both have to be of the same device");
	const LaunchList list_a = bind_list(&a);
	LaunchList list_b = bind_list(&b);
	list_b.user = list_a.user; /* one text of what both print: whichever fails, it is shown */
	const bool ok = compare(bind_open(L, a.owner), &list_a, &list_b, &config, &c, &outcome, bind_err());
	bind_must_end(L, ok, &outcome, a.output);
	str_free(a.output);
	push_comparison(L, &c);
	return 1;
}

/* --- gpu.count ---------------------------------------------------------------------------------------------------- */

typedef struct {
	const char *rules_name;
	const Gpu *rules, *models[BIND_MODELS];
	size_t nmodels;
	SampleSize sample;
	double instructions;
	int64_t timeline; /* of that block; -1: none */
	bool print;       /* what the kernel prints is printed as it runs, too */
} CountOptions;

static const Gpu *own_gpu(lua_State *L, const DeviceBox *box) {
	const Gpu *gpu = device_info(bind_open(L, box))->gpu;
	return gpu ? gpu : gpu_default();
}

static CountOptions check_count_options(lua_State *L, int arg, const DeviceBox *owner) {
	static const Key keys[] = {KEY_AS(CountOptions, rules_name, "rules"),
							   KEY_ALLOWED("models"),
							   KEY_AS(CountOptions, sample.blocks, "sample", .most = INT64_C(1) << 40),
							   KEY_AMOUNT(CountOptions, instructions, "instructions"),
							   KEY_AS(CountOptions, sample.reach, "reach"),
							   KEY_WHOLE(CountOptions, timeline, 0, UINT32_MAX),
							   KEYS(CountOptions, print),
							   KEYS_END};
	CountOptions o = {.rules = own_gpu(L, owner), .timeline = -1};
	bind_read_keys(L, arg, keys, &o);
	if (o.rules_name && *o.rules_name) o.rules = bind_find_gpu(L, o.rules_name);
	if (o.instructions > 0x1p60) bind_bad(L, arg, "instructions: at most 2^60 expected");
	if (o.sample.reach && o.sample.blocks) bind_bad(L, arg, "reach: a sample does not show what a launch reaches");
	o.sample.instructions = (uint64_t)ceil(o.instructions);
	o.sample.follow = (uint64_t)(o.timeline + 1);
	if (!lua_isnoneornil(L, arg)) o.nmodels = bind_check_models(L, arg, o.models);
	return o;
}

/* How many blocks are on an SM at once; 0: the launch is refused. */
static uint32_t together(const Gpu *gpu, const KernelBox *kernel, const LaunchConfig *c, uint32_t registers) {
	Occupancy o;
	const size_t shared = kernel->info.static_shared + c->shared_bytes;
	return gpu_occupancy(gpu, (uint32_t)launch_block_threads(c), registers, shared, &o, NULL) ? o.blocks_per_sm : 0;
}

/* The estimate is a few registers too low or up to half of them too high. */
static bool decides(const Gpu *gpu, const KernelBox *kernel, const LaunchConfig *c) {
	const uint32_t estimate = kernel->info.registers;
	return together(gpu, kernel, c, estimate / 2) != together(gpu, kernel, c, estimate + estimate / 5);
}

/* The assembler is asked where the number of registers decides how many blocks there are at once. */
static void assemble(lua_State *L, const ListArg *list, const Gpu *gpu) {
	for (uint32_t i = 0; i < list->nitems; i++) {
		const KernelBox *kernel = list->kernels[i];
		bind_open(L, list->owner); /* what ran for options and compilers may have closed it */
		if (!kernel || device_kernel_is_assembled(kernel->kernel, gpu->cc)) continue;
		if (!decides(gpu, kernel, &list->items[i].launch.config)) continue;
		lua_rawgetp(L, list->keep, kernel);
		bind_assemble(L, gpu);
		lua_pop(L, 1);
	}
}

/* The file of a line that warps wait at, by the lines that were counted. */
static const char *stall_file(const CountReport *r, const Prediction *p, int at) {
	for (uint32_t i = 0; i < r->answer.nitems; i++)
		for (size_t k = 0; k < r->answer.items[i].nlines; k++) {
			const LineCounts *line = &r->answer.items[i].lines[k];
			if (line->line == p->stall_line[at] && line->file && stall_file_of(line->file) == p->stall_file[at])
				return line->file;
		}
	return NULL;
}

/* Fields of the table on top of the stack. */
static void push_stalls(lua_State *L, const CountReport *r, const Prediction *p) {
	lua_newtable(L);
	for (int i = 0; i < STALL_COUNT; i++) set_number(L, stall_names[(Stall)i], p->stalls[i]);
	lua_setfield(L, -2, "stalls");
	lua_newtable(L);
	for (int i = 0; i < STALL_LINES && p->stall_line[i]; i++) {
		lua_createtable(L, 0, 4);
		const char *file = stall_file(r, p, i);
		if (file) set_text(L, "file", file);
		set_count(L, "line", p->stall_line[i]);
		set_text(L, "why", stall_names[(Stall)p->stall_why[i]]);
		set_number(L, "share", p->stall_share[i]);
		lua_rawseti(L, -2, i + 1);
	}
	lua_setfield(L, -2, "stalled");
}

/* {{name, ms}, ...}: what the launch would take if nothing else limited it, the longest first. */
static void push_limits(lua_State *L, const Prediction *p) {
	bool pushed[LIMIT_COUNT] = {false};
	double limits[LIMIT_COUNT];
	memcpy(limits, p->limits, sizeof limits);
	if (p->waiting_ms > 0) limits[LIMIT_LATENCY] = p->waiting_ms;
	lua_newtable(L);
	for (lua_Integer n = 1; n <= LIMIT_COUNT; n++) {
		int most = -1;
		for (int i = 0; i < LIMIT_COUNT; i++)
			if (!pushed[i] && limits[i] > 0 && (most < 0 || limits[i] > limits[most])) most = i;
		if (most < 0) return;
		pushed[most] = true;
		lua_createtable(L, 0, 2);
		set_text(L, "name", limit_name((Limit)most));
		set_number(L, "ms", limits[most]);
		lua_rawseti(L, -2, n);
	}
}

static const Key prediction_keys[] = {
	KEY_AS(Prediction, milliseconds, "ms"), KEYS(Prediction, known, bound, note, blocks_per_sm, warps_per_sm),
	KEY_KNOWN(Prediction, error, "error"), KEY_KNOWN(Prediction, order, "order"), KEYS_END};
static const Key known_prediction_keys[] = {KEYS(Prediction, counted_ms, dram_bytes, most_updates),
											KEY_KNOWN(Prediction, replayed_ms, "replayed_ms"), KEYS_END};

static void push_prediction(lua_State *L, const CountReport *r, const Prediction *p) {
	bind_push_keys(L, prediction_keys, p);
	if (p->known) {
		bind_set_keys(L, known_prediction_keys, p);
		if (p->error > 0 && !p->gpu->partitions) set_text(L, "kind", kernel_kind_name(kernel_kind(p)));
		set_count(L, "dram_piece", p->gpu->generation->dram_piece);
		push_limits(L, p);
		lua_setfield(L, -2, "limits");
		if (p->stalls[STALL_SELECTED] > 0) push_stalls(L, r, p);
	}
	if (!p->npartitions) return;
	lua_createtable(L, (int)p->npartitions, 0);
	for (uint32_t i = 0; i < p->npartitions; i++) {
		lua_createtable(L, 0, 2);
		set_number(L, "bytes", p->partition_bytes[i]);
		set_number(L, "pages", p->partition_pages[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "partitions");
}

/* Runs of neighboring blocks: {first, count}, ... */
static void push_runs(lua_State *L, const LaunchConfig *sampled) {
	const uint64_t run = launch_sample_run(sampled), ran = launch_blocks_run(sampled);
	lua_newtable(L);
	for (uint64_t i = 0; i < ran; i += run) {
		lua_createtable(L, 2, 0);
		lua_pushinteger(L, (lua_Integer)launch_block_of(sampled, i));
		lua_rawseti(L, -2, 1);
		lua_pushinteger(L, (lua_Integer)run);
		lua_rawseti(L, -2, 2);
		lua_rawseti(L, -2, (lua_Integer)(i / run) + 1);
	}
	lua_setfield(L, -2, "runs");
}

static void push_sampled(lua_State *L, const CountReport *r) {
	static const Key keys[] = {KEY_AS(CountReport, blocks_run, "blocks"), KEY_AS(CountReport, blocks, "of"), KEYS_END};
	bind_push_keys(L, keys, r);
	if (r->npredictions) set_number(L, "error", r->sample_error);
	if (r->sampled.sample) push_runs(L, &r->sampled);
	lua_setfield(L, -2, "sampled");
}

/* {block, {warp, line, why, from, cycles}, ...}; nothing if there is none. */
static void push_timeline(lua_State *L, const ItemAnswer *item) {
	static const Key keys[] = {KEYS(ReplayEvent, warp, from, cycles), KEY_AS(ReplayEvent, instr, "line"),
							   KEY_NAME(ReplayEvent, why, stall_names), KEYS_END};
	if (!item->ntimeline) return;
	bind_push_list(L, keys, item->timeline, item->ntimeline, sizeof *item->timeline);
	set_count(L, "block", item->timeline_block);
	lua_setfield(L, -2, "timeline");
}

static const Key reach_keys[] = {
	KEYS(Reach, busiest_warp, working_warps, busiest_address, scattered_sectors, scattered_in_block, lone_thread,
		 loaded_words, busiest_loads, busiest_words, link_sectors, conversions, gathers, serial_loads, copy_uses,
		 copy_bytes, warp_words, block_words, thread_stored, constant_words, shared_stored, products, bit_operations),
	KEYS(Reach, working_threads, combining_warps, idle_at_end, away_at_end, busiest_stores, divisions, votes, shuffles,
		 popcounts, float_operations, shared_updates, waiting),
	KEYS(Reach, activemasks, late_words, tile_words, shared_stores, shared_neighbors, global_stores, global_neighbors,
		 mbarriers, polls),
	KEYS_END};

/* Each launch by itself: {counters, busiest, reach, models = milliseconds by GPU}; busiest: each counter of the block
 * that has most of it. */
static void push_items(lua_State *L, const CountReport *r) {
	lua_createtable(L, (int)r->answer.nitems, 0);
	for (uint32_t i = 0; i < r->answer.nitems; i++) {
		const ItemAnswer *item = &r->answer.items[i];
		lua_createtable(L, 0, 3);
		bind_push_counts(L, &item->total);
		lua_setfield(L, -2, "counters");
		bind_push_counts(L, &item->busiest);
		lua_setfield(L, -2, "busiest");
		bind_push_keys(L, reach_keys, &item->reach);
		lua_setfield(L, -2, "reach");
		lua_createtable(L, 0, (int)item->npredictions);
		for (uint32_t k = 0; k < item->npredictions; k++)
			if (item->predictions[k].known)
				set_number(L, r->predictions[k].gpu->name, item->predictions[k].milliseconds);
		bind_set_models(L);
		push_timeline(L, item);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "items");
}

BIND_RELEASE(free_report, count_report_free)

void bind_push_count_report(lua_State *L, const ListArg *list, const Gpu *rules, const CountReport *r) {
	lua_createtable(L, 0, 9);
	set_text(L, "rules", rules->name);
	set_count(L, "launches", list->nitems);
	const Counts total = count_report_total(r);
	bind_push_counts(L, &total);
	lua_setfield(L, -2, "counters");
	bind_push_lines(L, list, r);
	lua_setfield(L, -2, "lines");
	bind_push_nondeterminism(L, r->answer.items, r->answer.nitems);
	lua_setfield(L, -2, "nondeterminism");
	lua_createtable(L, 0, (int)r->npredictions);
	for (size_t i = 0; i < r->npredictions; i++) {
		push_prediction(L, r, &r->predictions[i]);
		lua_setfield(L, -2, r->predictions[i].gpu->name);
	}
	bind_set_models(L);
	set_flag(L, "from_definitions", r->answer.from_definitions);
	set_number(L, "emulator_ms", r->emulator_ms);
	if (r->blocks_run < r->blocks) push_sampled(L, r);
}

static void push_report(lua_State *L, const ListArg *list, const CountOptions *o, const CountReport *r,
						const LaunchOutcome *outcome) {
	bind_push_count_report(L, list, o->rules, r);
	bind_push_outcome(L, outcome, list->output);
	bind_note_emulated(L, list->owner);
	lua_setfield(L, -2, "outcome");
	if (o->sample.reach || o->sample.follow || list->nitems > 1) push_items(L, r);
}

int bind_count(lua_State *L) {
	LaunchOutcome outcome = {.status = LAUNCH_OK};
	const int first = bind_first_of_list(L), options = bind_after_list(L, first);
	lua_settop(L, options);
	const ListArg arg = bind_check_list(L, first, NULL);
	CountOptions o = check_count_options(L, options, arg.owner);
	for (size_t i = 0; i < o.nmodels; i++) assemble(L, &arg, o.models[i]);
	LaunchList list = bind_list(&arg);
	if (o.print) list.print = bind_print;
	Holder *holder = bind_hold(L, free_report);
	CountReport *report = holder->data = xcalloc(1, sizeof *report);
	const bool ok = count_launches(bind_open(L, arg.owner), &list, o.rules, o.models, o.nmodels, &o.sample, report,
								   &outcome, bind_err());
	bind_must_end(L, ok && outcome.status != LAUNCH_INTERRUPTED, &outcome, arg.output);
	push_report(L, &arg, &o, report, &outcome);
	bind_drop(holder);
	str_free(arg.output);
	return 1;
}

/* --- gpu.banks ---------------------------------------------------------------------------------------------------- */

enum { MOST_SHARED = 1 << 24 }; /* bytes; no GPU has as much */

static uint32_t check_lanes(lua_State *L, int arg, uint64_t addr[32]) {
	uint32_t mask = 0;
	luaL_checktype(L, arg, LUA_TTABLE);
	for (lua_pushnil(L); lua_next(L, arg); lua_pop(L, 1)) {
		int lane_ok, addr_ok;
		lua_Integer lane = lua_tointegerx(L, -2, &lane_ok), address = lua_tointegerx(L, -1, &addr_ok);
		if (lua_type(L, -2) != LUA_TNUMBER || !lane_ok || lane < 0 || lane > 31)
			bind_bad(L, arg, "lanes are numbered 0 to 31");
		if (lua_type(L, -1) != LUA_TNUMBER || !addr_ok || address < 0 || address > MOST_SHARED)
			bind_bad(L, arg, "[%d]: a byte address in shared memory expected", (int)lane);
		addr[lane] = (uint64_t)address;
		mask |= 1u << lane;
	}
	return mask;
}

int bind_banks(lua_State *L) {
	uint64_t addr[32] = {0};
	bool method = luaL_testudata(L, 1, CLASS_DEVICE);
	int first = method ? 2 : 1;
	const char *model = luaL_checkstring(L, first);
	uint32_t mask = check_lanes(L, first + 1, addr);
	lua_Integer width = luaL_checkinteger(L, first + 2);
	if (width != 1 && width != 2 && width != 4 && width != 8 && width != 16)
		return bind_bad(L, first + 2, "a lane accesses 1, 2, 4, 8 or 16 bytes, not %lld", (long long)width);
	const Gpu *gpu = *model ? bind_find_gpu(L, model) : own_gpu(L, bind_device_arg(L, &(int){0}));
	SharedCost cost = gpu_shared_cost(gpu, addr, mask, (uint32_t)width, false);
	static const Key keys[] = {KEYS(SharedCost, requests, wavefronts, ideal, worst_bank), KEYS_END};
	bind_push_keys(L, keys, &cost);
	set_text(L, "model", gpu->name);
	lua_createtable(L, 32, 1);
	for (int lane = 0; lane < 32; lane++) {
		if (!(mask >> lane & 1)) continue;
		lua_pushinteger(L, gpu_bank(gpu, addr[lane]));
		lua_rawseti(L, -2, lane);
	}
	lua_setfield(L, -2, "banks");
	return 1;
}
