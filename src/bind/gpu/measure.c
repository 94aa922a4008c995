/* Timing, counting, and the bank picture's numbers. */
#include "measure/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bind/internal.h"
#include "bind/values/set.h"
#include "measure/compare.h"

/* --- gpu.time ----------------------------------------------------------------------------------------------------- */

static bool without_lock; /* --no-lock */

static void report_waiting(void *user, const char *text) {
	(void)user;
	fprintf(stderr, "%s\n", text);
}

LockMode bind_lock_mode(void) {
	return (LockMode){.none = without_lock, .waiting = report_waiting};
}

int bind_lock(lua_State *L) {
	luaL_checktype(L, 1, LUA_TBOOLEAN);
	without_lock = !lua_toboolean(L, 1);
	return 0;
}

static MeasureConfig check_measure_options(lua_State *L, int arg) {
	static const char *const keys[] = {"min_bytes", "wall", "warmup", NULL};
	MeasureConfig config = {.lock = bind_lock_mode()};
	if (lua_isnoneornil(L, arg)) return config;
	luaL_checktype(L, arg, LUA_TTABLE);
	bind_check_keys(L, arg, arg, keys);
	config.min_bytes = bind_check_option(L, arg, "min_bytes");
	config.wall_cap_s = bind_check_option(L, arg, "wall");
	double warmup = bind_check_option(L, arg, "warmup");
	if (warmup > 1000 || warmup != floor(warmup))
		bind_bad(L, arg, "warmup: a whole number of launches up to 1000 expected");
	config.warmup = (uint32_t)warmup;
	return config;
}

static void push_measurement(lua_State *L, const Measurement *m) {
	lua_createtable(L, 0, 20);
	set_text(L, "kind", m->kind == RATE_MEASURED ? "measured" : "predicted");
	set_number(L, "ms", m->median_ms);
	set_number(L, "q1", m->q1_ms);
	set_number(L, "q3", m->q3_ms);
	set_number(L, "min", m->min_ms);
	if (m->hot_ms > 0) set_number(L, "hot", m->hot_ms);
	set_count(L, "samples", m->samples);
	set_count(L, "discarded", m->discarded);
	set_count(L, "batch", m->batch);
	set_flag(L, "graph", m->as_graph);
	if (m->cold_ms > 0) set_number(L, "cold", m->cold_ms);
	if (m->overhead_ms > 0) set_number(L, "overhead", m->overhead_ms);
	if (m->launch_ms > 0) set_number(L, "launch", m->launch_ms);
	if (m->clock_ghz > 0) set_number(L, "clock_ghz", m->clock_ghz);
	if (m->temperature > 0) set_number(L, "temperature", m->temperature);
	set_flag(L, "throttled", m->throttled);
	set_flag(L, "impossible", m->impossible);
	set_flag(L, "unlocked", m->unlocked);
	set_text(L, "note", m->note);
	if (m->kind != RATE_PREDICTED) return;
	set_text(L, "bound", m->prediction.bound);
	set_flag(L, "known", m->prediction.known);
	if (m->prediction.error > 0) set_number(L, "error", m->prediction.error);
	if (m->prediction.gpu) set_text(L, "gpu", m->prediction.gpu->name);
}

int bind_time(lua_State *L) {
	Err err = ERR_INIT;
	Measurement m = {0};
	LaunchOutcome outcome = {.status = LAUNCH_OK};
	const int first = bind_first_of_list(L), options = bind_after_list(L, first);
	lua_settop(L, options);
	const MeasureConfig config = check_measure_options(L, options);
	const ListArg arg = bind_check_list(L, first, NULL);
	const LaunchList list = bind_list(&arg);
	if (!measure(bind_open(L, arg.owner), &list, &config, &m, &outcome, &err))
		bind_raise_outcome(L, &outcome, arg.output, &err);
	str_free(arg.output);
	push_measurement(L, &m);
	return 1;
}

/* --- gpu.compare -------------------------------------------------------------------------------------------------- */

static CompareConfig check_compare_options(lua_State *L, int arg) {
	static const char *const keys[] = {"wall", NULL};
	CompareConfig config = {.lock = bind_lock_mode()};
	if (lua_isnoneornil(L, arg)) return config;
	luaL_checktype(L, arg, LUA_TTABLE);
	bind_check_keys(L, arg, arg, keys);
	config.wall_cap_s = bind_check_option(L, arg, "wall");
	return config;
}

static void push_comparison(lua_State *L, const Comparison *c) {
	lua_createtable(L, 0, 16);
	set_text(L, "verdict", verdict_name(c->verdict));
	set_text(L, "kind", c->kind == RATE_MEASURED ? "measured" : "predicted");
	set_number(L, "ratio", c->ratio);
	set_number(L, "low", c->low);
	set_number(L, "high", c->high);
	set_number(L, "a_ms", c->a_ms);
	set_number(L, "b_ms", c->b_ms);
	set_number(L, "margin", c->margin);
	set_count(L, "pairs", c->pairs);
	set_count(L, "discarded", c->discarded);
	set_count(L, "batch", c->batch);
	set_flag(L, "graph", c->as_graph);
	if (c->kind == RATE_MEASURED) set_number(L, "confidence", COMPARE_CONFIDENCE);
	if (c->error > 0) set_number(L, "error", c->error);
	set_flag(L, "unlocked", c->unlocked);
	set_text(L, "note", c->note);
}

int bind_compare(lua_State *L) {
	Err err = ERR_INIT;
	Comparison c = {0};
	LaunchOutcome outcome = {.status = LAUNCH_OK};
	const int first = bind_first_of_list(L), second = bind_after_list(L, first), options = bind_after_list(L, second);
	lua_settop(L, options);
	const ListArg a = bind_check_list(L, first, NULL), b = bind_check_list(L, second, NULL);
	const CompareConfig config = check_compare_options(L, options);
	if (a.owner != b.owner) return bind_bad(L, second, "both have to be of the same device");
	const LaunchList list_a = bind_list(&a);
	LaunchList list_b = bind_list(&b);
	list_b.user = list_a.user; /* one text of what both print: whichever fails, it is shown */
	if (!compare(bind_open(L, a.owner), &list_a, &list_b, &config, &c, &outcome, &err))
		bind_raise_outcome(L, &outcome, a.output, &err);
	str_free(a.output);
	push_comparison(L, &c);
	return 1;
}

/* --- gpu.count ---------------------------------------------------------------------------------------------------- */

#define MOST_SAMPLE 0x1p40
#define MOST_INSTRUCTIONS 0x1p60

typedef struct {
	const Gpu *rules, *models[BIND_MODELS];
	size_t nmodels;
	SampleSize sample;
} CountOptions;

static const Gpu *own_gpu(lua_State *L, const DeviceBox *box) {
	const Gpu *gpu = device_info(bind_open(L, box))->gpu;
	return gpu ? gpu : gpu_default();
}

static CountOptions check_count_options(lua_State *L, int arg, const DeviceBox *owner) {
	static const char *const keys[] = {"rules", "models", "sample", "instructions", "reach", "timeline", NULL};
	CountOptions o = {.rules = own_gpu(L, owner)};
	if (lua_isnoneornil(L, arg)) return o;
	luaL_checktype(L, arg, LUA_TTABLE);
	bind_check_keys(L, arg, arg, keys);
	int rules = lua_getfield(L, arg, "rules");
	if (rules != LUA_TNIL && rules != LUA_TSTRING)
		bind_bad(L, arg, "rules: string expected, got %s", luaL_typename(L, -1));
	if (rules == LUA_TSTRING && *lua_tostring(L, -1)) o.rules = bind_find_gpu(L, lua_tostring(L, -1));
	const double sample = bind_check_option(L, arg, "sample");
	if (sample != floor(sample) || sample > MOST_SAMPLE)
		bind_bad(L, arg, "sample: a whole number of blocks up to 2^40 expected");
	const double instructions = bind_check_option(L, arg, "instructions");
	if (instructions > MOST_INSTRUCTIONS) bind_bad(L, arg, "instructions: at most 2^60 expected");
	o.sample = (SampleSize){.blocks = (uint64_t)sample, .instructions = (uint64_t)ceil(instructions)};
	lua_getfield(L, arg, "reach");
	if (!lua_isnil(L, -1) && !lua_isboolean(L, -1)) bind_bad(L, arg, "reach: true or false expected");
	o.sample.reach = lua_toboolean(L, -1);
	if (o.sample.reach && o.sample.blocks) bind_bad(L, arg, "reach: a sample does not show what a launch reaches");
	if (lua_getfield(L, arg, "timeline") != LUA_TNIL) {
		const double block = bind_check_option(L, arg, "timeline");
		if (block != floor(block) || block >= 0x1p32) bind_bad(L, arg, "timeline: the number of a block expected");
		o.sample.follow = (uint64_t)block + 1;
	}
	o.nmodels = bind_check_models(L, arg, o.models);
	return o;
}

/* Fields of the table on top of the stack. */
static void push_stalls(lua_State *L, const Prediction *p) {
	lua_newtable(L);
	for (int i = 0; i < STALL_COUNT; i++) set_number(L, stall_name((Stall)i), p->stalls[i]);
	lua_setfield(L, -2, "stalls");
	lua_newtable(L);
	for (int i = 0; i < STALL_LINES && p->stall_line[i]; i++) {
		lua_createtable(L, 0, 3);
		set_count(L, "line", p->stall_line[i]);
		set_text(L, "why", stall_name((Stall)p->stall_why[i]));
		set_number(L, "share", p->stall_share[i]);
		lua_rawseti(L, -2, i + 1);
	}
	lua_setfield(L, -2, "stalled");
}

/* {{name, ms}, ...}: what the launch would take if nothing else limited it, the longest first. */
static void push_limits(lua_State *L, const Prediction *p) {
	bool pushed[LIMIT_COUNT] = {false};
	lua_newtable(L);
	for (lua_Integer n = 1; n <= LIMIT_COUNT; n++) {
		int most = -1;
		for (int i = 0; i < LIMIT_COUNT; i++)
			if (!pushed[i] && p->limits[i] > 0 && (most < 0 || p->limits[i] > p->limits[most])) most = i;
		if (most < 0) return;
		pushed[most] = true;
		lua_createtable(L, 0, 2);
		set_text(L, "name", limit_name((Limit)most));
		set_number(L, "ms", p->limits[most]);
		lua_rawseti(L, -2, n);
	}
}

static void push_prediction(lua_State *L, const Prediction *p) {
	lua_createtable(L, 0, 10);
	set_flag(L, "known", p->known);
	set_number(L, "ms", p->milliseconds);
	set_text(L, "bound", p->bound);
	if (p->error > 0) set_number(L, "error", p->error);
	if (p->order > 0) set_number(L, "order", p->order);
	set_text(L, "note", p->note);
	set_count(L, "blocks_per_sm", p->blocks_per_sm);
	set_count(L, "warps_per_sm", p->warps_per_sm);
	if (p->known) {
		push_limits(L, p);
		lua_setfield(L, -2, "limits");
		set_number(L, "counted_ms", p->counted_ms);
		if (p->replayed_ms > 0) set_number(L, "replayed_ms", p->replayed_ms);
		if (p->stalls[STALL_SELECTED] > 0) push_stalls(L, p);
		set_number(L, "dram_bytes", p->dram_bytes);
		set_number(L, "most_updates", p->most_updates);
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

static void push_sampled(lua_State *L, const CountReport *r) {
	lua_createtable(L, 0, 3);
	set_count(L, "blocks", (lua_Integer)r->blocks_run);
	set_count(L, "of", (lua_Integer)r->blocks);
	if (r->npredictions) set_number(L, "error", r->sample_error);
	lua_setfield(L, -2, "sampled");
}

static void push_reach(lua_State *L, const Reach *x) {
	lua_createtable(L, 0, 7);
	set_count(L, "read_bytes", (lua_Integer)x->read_bytes);
	set_count(L, "written_bytes", (lua_Integer)x->written_bytes);
	set_count(L, "busiest_warp", (lua_Integer)x->busiest_warp);
	set_count(L, "busiest_block", (lua_Integer)x->busiest_block);
	set_count(L, "working_warps", (lua_Integer)x->working_warps);
	set_count(L, "busiest_address", (lua_Integer)x->busiest_address);
	set_count(L, "scattered_sectors", (lua_Integer)x->scattered_sectors);
}

/* Each launch by itself: {counters, reach, models = milliseconds by GPU}. */
/* {block, {warp, line, why, from, cycles}, ...}; nothing if there is none. */
static void push_timeline(lua_State *L, const ItemAnswer *item) {
	if (!item->ntimeline) return;
	lua_createtable(L, (int)item->ntimeline, 1);
	set_count(L, "block", item->timeline_block);
	for (uint32_t i = 0; i < item->ntimeline; i++) {
		const ReplayEvent *e = &item->timeline[i];
		lua_createtable(L, 0, 5);
		set_count(L, "warp", e->warp);
		set_count(L, "line", e->instr);
		set_text(L, "why", stall_name(e->why));
		set_number(L, "from", e->from);
		set_number(L, "cycles", e->cycles);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "timeline");
}

static void push_items(lua_State *L, const CountReport *r) {
	lua_createtable(L, (int)r->answer.nitems, 0);
	for (uint32_t i = 0; i < r->answer.nitems; i++) {
		const ItemAnswer *item = &r->answer.items[i];
		lua_createtable(L, 0, 3);
		bind_push_counts(L, &item->total);
		lua_setfield(L, -2, "counters");
		push_reach(L, &item->reach);
		lua_setfield(L, -2, "reach");
		lua_createtable(L, 0, (int)item->npredictions);
		for (uint32_t k = 0; k < item->npredictions; k++)
			if (item->predictions[k].known)
				set_number(L, r->predictions[k].gpu->name, item->predictions[k].milliseconds);
		lua_setfield(L, -2, "models");
		push_timeline(L, item);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "items");
}

static void free_report(void *report) {
	count_report_free(report);
	free(report);
}

static void push_report(lua_State *L, const ListArg *list, const CountOptions *o, const CountReport *r,
						const LaunchOutcome *outcome) {
	lua_createtable(L, 0, 9);
	bind_push_outcome(L, outcome, list->output);
	lua_setfield(L, -2, "outcome");
	set_text(L, "rules", o->rules->name);
	set_count(L, "launches", list->nitems);
	const Counts total = count_report_total(r);
	bind_push_counts(L, &total);
	lua_setfield(L, -2, "counters");
	bind_push_lines(L, list, r);
	lua_setfield(L, -2, "lines");
	lua_createtable(L, 0, (int)r->npredictions);
	for (size_t i = 0; i < r->npredictions; i++) {
		push_prediction(L, &r->predictions[i]);
		lua_setfield(L, -2, r->predictions[i].gpu->name);
	}
	lua_setfield(L, -2, "models");
	if (o->sample.reach || o->sample.follow) push_items(L, r);
	set_flag(L, "from_definitions", r->answer.from_definitions);
	set_number(L, "emulator_ms", r->emulator_ms);
	if (r->blocks_run < r->blocks) push_sampled(L, r);
}

int bind_count(lua_State *L) {
	Err err = ERR_INIT;
	LaunchOutcome outcome = {.status = LAUNCH_OK};
	const int first = bind_first_of_list(L), options = bind_after_list(L, first);
	lua_settop(L, options);
	const ListArg arg = bind_check_list(L, first, NULL);
	const LaunchList list = bind_list(&arg);
	CountOptions o = check_count_options(L, options, arg.owner);
	Holder *holder = bind_hold(L, free_report);
	CountReport *report = calloc(1, sizeof *report);
	if (!report) return luaL_error(L, "not enough memory");
	holder->data = report;
	if (!count_launches(bind_open(L, arg.owner), &list, o.rules, o.models, o.nmodels, &o.sample, report, &outcome,
						&err))
		bind_raise_outcome(L, &outcome, arg.output, &err);
	if (outcome.status == LAUNCH_INTERRUPTED) bind_raise_outcome(L, &outcome, arg.output, &err);
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
	lua_createtable(L, 0, 6);
	set_text(L, "model", gpu->name);
	set_count(L, "requests", cost.requests);
	set_count(L, "wavefronts", cost.wavefronts);
	set_count(L, "ideal", cost.ideal);
	set_count(L, "worst_bank", cost.worst_bank);
	lua_createtable(L, 32, 1);
	for (int lane = 0; lane < 32; lane++) {
		if (!(mask >> lane & 1)) continue;
		lua_pushinteger(L, gpu_bank(gpu, addr[lane]));
		lua_rawseti(L, -2, lane);
	}
	lua_setfield(L, -2, "banks");
	return 1;
}
