/* Timing, counting, and the bank picture's numbers. */
#include "measure/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bind/internal.h"
#include "measure/compare.h"

static void set_text(lua_State *L, const char *key, const char *text) {
	lua_pushstring(L, text);
	lua_setfield(L, -2, key);
}

static void set_count(lua_State *L, const char *key, lua_Integer v) {
	lua_pushinteger(L, v);
	lua_setfield(L, -2, key);
}

static void set_number(lua_State *L, const char *key, double v) {
	lua_pushnumber(L, v);
	lua_setfield(L, -2, key);
}

static void set_flag(lua_State *L, const char *key, bool v) {
	lua_pushboolean(L, v);
	lua_setfield(L, -2, key);
}

/* --- a launch described by (kernel, config, args) ------------------------------------------------------------------------------- */

typedef struct {
	KernelBox *kernel;
	Launch launch;
	Str *output; /* what the kernel printed; shown when it is known which of its runs counts */
	int options; /* argument number of what follows */
} Job;

static void keep_output(void *str, const char *text, size_t len) {
	enum { MOST = 1 << 20 }; /* a timed kernel prints once a sample */
	Str *s = str;
	if (s->len < MOST) str_addn(s, text, len);
}

/* Arguments first, first + 1 and first + 2; what is made of them is pushed on the stack. */
static Job check_job_at(lua_State *L, int first) {
	Job job = {.kernel = bind_check_kernel(L, first), .options = first + 3};
	luaL_checkstack(L, 300, "too many arguments");
	bind_check_config(L, first + 1, &job.launch.config);
	luaL_checktype(L, first + 2, LUA_TTABLE);
	lua_Unsigned n = lua_rawlen(L, first + 2);
	if (n > 256) bind_bad(L, first + 2, "a kernel takes no %d arguments", n > INT32_MAX ? INT32_MAX : (int)n);
	int from = lua_gettop(L) + 1;
	for (int i = 1; i <= (int)n; i++) lua_rawgeti(L, first + 2, i);
	job.launch.args = bind_check_args(L, job.kernel, from, (int)n, first + 2);
	job.launch.nargs = (uint32_t)n;
	job.launch.kernel = job.kernel->kernel;
	job.output = bind_str(L);
	job.launch.print = keep_output;
	job.launch.user = job.output;
	return job;
}

/* Arguments may follow a device (method call), which the kernel's own device makes redundant. */
static int first_argument(lua_State *L) {
	return luaL_testudata(L, 1, CLASS_DEVICE) ? 2 : 1;
}

static Job check_job(lua_State *L) {
	const int first = first_argument(L);
	lua_settop(L, first + 3);
	return check_job_at(L, first);
}

static _Noreturn void raise_outcome(lua_State *L, const Job *job, const LaunchOutcome *outcome, const Err *err) {
	if (outcome->status == LAUNCH_OK) bind_raise(L, err);
	bind_push_outcome(L, outcome, job->output);
	bind_push_outcome_error(L, outcome, -1);
	lua_error(L);
	abort(); /* not reached */
}

/* options[key] as a number that is not negative; 0 if it is not there */
static double check_option(lua_State *L, int arg, const char *key) {
	double v = 0;
	if (lua_getfield(L, arg, key) != LUA_TNIL) {
		v = lua_tonumber(L, -1);
		if (lua_type(L, -1) != LUA_TNUMBER || !(v >= 0) || isinf(v))
			bind_bad(L, arg, "%s: a number that is not negative expected, got %s", key, luaL_tolstring(L, -1, NULL));
	}
	lua_pop(L, 1);
	return v;
}

/* --- gpu.time ------------------------------------------------------------------------------------------------------------------- */

static bool without_lock; /* --no-lock */

static void tell_waiting(void *user, const char *text) {
	(void)user;
	fprintf(stderr, "%s\n", text);
}

static LockWish lock_wish(void) {
	return (LockWish){.none = without_lock, .waiting = tell_waiting};
}

int bind_lock(lua_State *L) {
	luaL_checktype(L, 1, LUA_TBOOLEAN);
	without_lock = !lua_toboolean(L, 1);
	return 0;
}

static MeasureConfig check_measure_options(lua_State *L, int arg) {
	static const char *const keys[] = {"min_bytes", "wall", "warmup", NULL};
	MeasureConfig config = {.lock = lock_wish()};
	if (lua_isnoneornil(L, arg)) return config;
	luaL_checktype(L, arg, LUA_TTABLE);
	bind_check_keys(L, arg, arg, keys);
	config.min_bytes = check_option(L, arg, "min_bytes");
	config.wall_cap_s = check_option(L, arg, "wall");
	double warmup = check_option(L, arg, "warmup");
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
	if (m->clock_ghz > 0) set_number(L, "clock_ghz", m->clock_ghz);
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
	Job job = check_job(L);
	MeasureConfig config = check_measure_options(L, job.options);
	if (!measure(job.kernel->owner->device, &job.launch, &config, &m, &outcome, &err))
		raise_outcome(L, &job, &outcome, &err);
	str_free(job.output);
	push_measurement(L, &m);
	return 1;
}

/* --- gpu.compare ---------------------------------------------------------------------------------------------------------------- */

static CompareConfig check_compare_options(lua_State *L, int arg) {
	static const char *const keys[] = {"wall", NULL};
	CompareConfig config = {.lock = lock_wish()};
	if (lua_isnoneornil(L, arg)) return config;
	luaL_checktype(L, arg, LUA_TTABLE);
	bind_check_keys(L, arg, arg, keys);
	config.wall_cap_s = check_option(L, arg, "wall");
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
	set_number(L, "margin", COMPARE_MARGIN);
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
	const int first = first_argument(L);
	lua_settop(L, first + 6);
	Job a = check_job_at(L, first), b = check_job_at(L, first + 3);
	const CompareConfig config = check_compare_options(L, first + 6);
	if (a.kernel->owner != b.kernel->owner) return bind_bad(L, first + 3, "both kernels have to be of the same device");
	b.launch.user = a.output; /* one text of what both print: whichever fails, it is shown */
	if (!compare(a.kernel->owner->device, &a.launch, &b.launch, &config, &c, &outcome, &err))
		raise_outcome(L, &a, &outcome, &err);
	str_free(a.output);
	push_comparison(L, &c);
	return 1;
}

/* --- gpu.count ------------------------------------------------------------------------------------------------------------------ */

enum { MOST_MODELS = 64 };

typedef struct {
	const Gpu *rules, *models[MOST_MODELS];
	size_t nmodels;
} CountOptions;

static const Gpu *find_gpu(lua_State *L, const char *name) {
	Err err = ERR_INIT;
	const Gpu *gpu = gpu_find(name, &err);
	if (!gpu) bind_raise(L, &err);
	return gpu;
}

static const Gpu *own_gpu(const DeviceBox *box) {
	const Gpu *gpu = device_info(box->device)->gpu;
	return gpu ? gpu : gpu_default();
}

static CountOptions check_count_options(lua_State *L, int arg, const DeviceBox *owner) {
	static const char *const keys[] = {"rules", "models", NULL};
	CountOptions o = {.rules = own_gpu(owner)};
	if (lua_isnoneornil(L, arg)) return o;
	luaL_checktype(L, arg, LUA_TTABLE);
	bind_check_keys(L, arg, arg, keys);
	int rules = lua_getfield(L, arg, "rules");
	if (rules != LUA_TNIL && rules != LUA_TSTRING)
		bind_bad(L, arg, "rules: string expected, got %s", luaL_typename(L, -1));
	if (rules == LUA_TSTRING && *lua_tostring(L, -1)) o.rules = find_gpu(L, lua_tostring(L, -1));
	int models = lua_getfield(L, arg, "models");
	if (models == LUA_TNIL) return o;
	if (models != LUA_TTABLE) bind_bad(L, arg, "models: a table of names expected, got %s", luaL_typename(L, -1));
	lua_Unsigned n = lua_rawlen(L, -1);
	if (n > MOST_MODELS) bind_bad(L, arg, "models: at most %d names expected", MOST_MODELS);
	for (o.nmodels = 0; o.nmodels < n; o.nmodels++) {
		if (lua_rawgeti(L, -1, (lua_Integer)o.nmodels + 1) != LUA_TSTRING)
			bind_bad(L, arg, "models[%d]: string expected, got %s", (int)o.nmodels + 1, luaL_typename(L, -1));
		o.models[o.nmodels] = find_gpu(L, lua_tostring(L, -1));
		lua_pop(L, 1);
	}
	return o;
}

static void push_counts(lua_State *L, const Counts *counts) {
	lua_createtable(L, 0, (int)ncount_fields);
	for (size_t i = 0; i < ncount_fields; i++) {
		uint64_t v;
		memcpy(&v, (const char *)counts + count_fields[i].offset, sizeof v);
		set_count(L, count_fields[i].name, (lua_Integer)v);
	}
}

static void push_worst(lua_State *L, const WorstAccess *w) {
	static const char *const kinds[] = {"load", "store", "atomic"};
	lua_createtable(L, 0, 8);
	set_text(L, "access", kinds[w->kind]);
	set_text(L, "space", ptx_space_name(w->space));
	set_count(L, "width", w->width);
	set_count(L, "cost", w->cost);
	set_count(L, "ideal", w->ideal);
	set_count(L, "block", w->block);
	set_count(L, "warp", w->warp);
	lua_createtable(L, 32, 1);
	for (int lane = 0; lane < 32; lane++) {
		if (!(w->mask >> lane & 1)) continue;
		lua_pushinteger(L, (lua_Integer)w->addr[lane]);
		lua_rawseti(L, -2, lane);
	}
	lua_setfield(L, -2, "lanes");
}

/* Line `line` (from 1) of a text, without its end; NULL: there is none. */
static const char *text_line(const char *text, uint32_t line, size_t *len) {
	for (; line > 1 && text; line--) {
		text = strchr(text, '\n');
		if (text) text++;
	}
	if (text) *len = strcspn(text, "\r\n");
	return line ? text : NULL;
}

/* Texts of the files the lines are in: the module's own source, others read once. */
static void push_source_line(lua_State *L, const ModuleBox *module, const char *file, uint32_t line, int cache) {
	size_t len;
	if (module->path && strcmp(module->path, file) == 0)
		lua_pushstring(L, module->source);
	else if (lua_getfield(L, cache, file) == LUA_TNIL) {
		char *text = file_read(file, &len, NULL);
		lua_pop(L, 1);
		lua_pushstring(L, text ? text : "");
		free(text);
		lua_pushvalue(L, -1);
		lua_setfield(L, cache, file);
	}
	const char *found = text_line(lua_tostring(L, -1), line, &len);
	if (found)
		lua_pushlstring(L, found, len);
	else
		lua_pushnil(L);
	lua_remove(L, -2);
}

static void push_lines(lua_State *L, const Job *job, const Counters *counters) {
	const ModuleBox *module = job->kernel->module;
	Holder *holder = bind_hold(L, free);
	size_t n = 0;
	LineCounts *lines = holder->data = counters_by_line(counters, device_module_ptx(module->module), &n);
	lua_newtable(L);
	int cache = lua_gettop(L);
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		lua_createtable(L, 0, 5);
		set_text(L, "file", lines[i].file);
		set_count(L, "line", lines[i].line);
		push_source_line(L, module, lines[i].file ? lines[i].file : "", lines[i].line, cache);
		lua_setfield(L, -2, "text");
		push_counts(L, &lines[i].counts);
		lua_setfield(L, -2, "counters");
		if (lines[i].worst.valid) {
			push_worst(L, &lines[i].worst);
			lua_setfield(L, -2, "worst");
		}
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	bind_drop(holder);
	lua_replace(L, cache - 1);
	lua_settop(L, cache - 1);
}

static void push_prediction(lua_State *L, const Prediction *p) {
	lua_createtable(L, 0, 8);
	set_flag(L, "known", p->known);
	set_number(L, "ms", p->milliseconds);
	set_text(L, "bound", p->bound);
	if (p->error > 0) set_number(L, "error", p->error);
	set_text(L, "note", p->note);
	set_count(L, "blocks_per_sm", p->blocks_per_sm);
	set_count(L, "warps_per_sm", p->warps_per_sm);
}

static void free_report(void *report) {
	count_report_free(report);
	free(report);
}

static void push_report(lua_State *L, const Job *job, const CountOptions *o, const CountReport *r,
						const LaunchOutcome *outcome) {
	lua_createtable(L, 0, 7);
	bind_push_outcome(L, outcome, job->output);
	lua_setfield(L, -2, "outcome");
	set_text(L, "rules", o->rules->name);
	Counts total = counters_total(r->counters);
	push_counts(L, &total);
	lua_setfield(L, -2, "counters");
	push_lines(L, job, r->counters);
	lua_setfield(L, -2, "lines");
	lua_createtable(L, 0, (int)r->npredictions);
	for (size_t i = 0; i < r->npredictions; i++) {
		push_prediction(L, &r->predictions[i]);
		lua_setfield(L, -2, r->predictions[i].gpu->name);
	}
	lua_setfield(L, -2, "models");
	set_flag(L, "from_definitions", r->from_definitions);
	set_number(L, "emulator_ms", r->emulator_ms);
}

int bind_count(lua_State *L) {
	Err err = ERR_INIT;
	LaunchOutcome outcome = {.status = LAUNCH_OK};
	Job job = check_job(L);
	CountOptions o = check_count_options(L, job.options, job.kernel->owner);
	Holder *holder = bind_hold(L, free_report);
	CountReport *report = calloc(1, sizeof *report);
	if (!report) return luaL_error(L, "not enough memory");
	if (!count_launch(job.kernel->owner->device, &job.launch, o.rules, o.models, o.nmodels, report, &outcome, &err)) {
		free(report);
		raise_outcome(L, &job, &outcome, &err);
	}
	holder->data = report;
	if (outcome.status == LAUNCH_INTERRUPTED) raise_outcome(L, &job, &outcome, &err);
	push_report(L, &job, &o, report, &outcome);
	bind_drop(holder);
	str_free(job.output);
	return 1;
}

/* --- gpu.banks ------------------------------------------------------------------------------------------------------------------ */

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
	const Gpu *gpu = *model ? find_gpu(L, model) : own_gpu(bind_device_arg(L, &(int){0}));
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
