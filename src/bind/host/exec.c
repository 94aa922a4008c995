/* The module gpulab.exec: programs on an emulated GPU (exec/exec.h). Not for labs.
 *
 *     local ended = exec.run { path = "./saxpy", args = { "./saxpy", "1024" }, gpu = "H200", mode = "check",
 *       cuda_12 = false, checks = "race,init", schedules = 4, models = { "GTX 280" }, streams = 7,
 *       launched = function(launch) ... end, found = function(finding) ... end,
 *       failed = function(failure) ... end, unwritten = function(copied) ... end, filled = function(filled) ... end,
 *       copied = nil or function(copied) ... end of { call, object, places, bytes, from_host, to_host, fills,
 *         digest },
 *       early = function(use) ... end,
 *       seen = function(process, number) ... end, allocated = function(call) ... end, timed = function() ... end,
 *       stops = function(launch) return true end, step = function(launch, stepping) ... end }
 *     ended: { status = 0 or signal = 11, connected, launches, missing, stopped }
 *     stops and step: of a launch that is about to begin, and may be stepped (as gpu.step's); it has ptx in step
 *     failure: { process, number, call, error, cause, object, places }: a call of the runtime that returned an error;
 *       seen: the program asked for that error afterwards
 *     allocated: { kind, number, call, object, places }: of what messages call "KIND NUMBER"
 *     use: { what, buffer, offset, writes, object, places }: host code used memory before it waited
 *     unwritten's: { call, object, places, buffer, bytes, width, unwritten, gaps = {{at, bytes}, ...}, kernel, element,
 *       grid, block, again }: a copy to the host of bytes that nothing wrote, or short by the size of an element
 *     filled's: { call, object, places, buffer, offset, bytes, all }: a call wrote a part of an allocation of all bytes
 *     launch: { number, kernel, name, written (with the arguments of a template), host_memory,
 *               refused_by_call, grid, block, shared,
 *               outcome, findings, counters, lines, models, fused, report, kept, why_not_kept }
 *     confined = true: the host code is judged (exec.h)
 *     keeps = true: launches come with what they were given (kept, as in meta.lua; why_not_kept) and, where they are
 *       counted, with gpu.count's report */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/text/mangled.h"
#include "bind/internal.h"
#include "bind/values/set.h"
#include "exec/exec.h"

/* --- a launch, as a table ----------------------------------------------------------------------------------------- */

static void push_found(lua_State *L, const ItemAnswer *a) {
	lua_createtable(L, (int)a->nfindings, 0);
	for (uint32_t i = 0; i < a->nfindings; i++) {
		bind_push_finding(L, &a->findings[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "findings");
}

static void push_counted(lua_State *L, const ItemAnswer *a) {
	bind_push_counts(L, &a->total);
	lua_setfield(L, -2, "counters");
	static const Key keys[] = {KEYS(LineCounts, file, line), KEYS_END};
	bind_push_list(L, keys, a->lines, a->nlines, sizeof *a->lines);
	for (uint32_t i = 0; i < a->nlines; i++) {
		lua_rawgeti(L, -1, (lua_Integer)i + 1);
		bind_push_counts(L, &a->lines[i].counts);
		lua_setfield(L, -2, "counters");
		lua_pop(L, 1);
	}
	lua_setfield(L, -2, "lines");
	bind_push_nondeterminism(L, a, 1);
	lua_setfield(L, -2, "nondeterminism");
}

static void push_predicted(lua_State *L, const ItemAnswer *a) {
	static const Key keys[] = {KEY_AS(Prediction, milliseconds, "ms"), KEYS(Prediction, bound, known, note), KEYS_END};
	lua_createtable(L, 0, (int)a->npredictions);
	for (uint32_t i = 0; i < a->npredictions; i++) {
		const Prediction *p = &a->predictions[i];
		bind_push_keys(L, keys, p);
		lua_setfield(L, -2, p->gpu->name);
	}
	lua_setfield(L, -2, "models");
}

/* Appends to the list on top of the stack. */
static void add_fused(lua_State *L, int kind, const char *text, bool counted) {
	static const char *const counters[] = {"shared_load_wavefronts", "shared_store_wavefronts", "global_load_sectors",
										   "global_store_sectors"};
	lua_createtable(L, 0, 3);
	set_text(L, "counter", counters[kind]);
	set_text(L, "text", text);
	set_text(L, "counted", counted ? "SASS" : "PTX");
	lua_rawseti(L, -2, luaL_len(L, -2) + 1);
}

static void push_fused(lua_State *L, const Fused *fused) {
	lua_newtable(L);
	for (int kind = 0; kind < SASS_KINDS; kind++) {
		const FusedKind *k = &fused->kinds[kind];
		char text[160];
		fused_text(fused, (SassKind)kind, text, sizeof text);
		if (k->fused) add_fused(L, kind, text, k->counted);
		fused_moved_text(fused, (SassKind)kind, text, sizeof text);
		if (k->moved) add_fused(L, kind, text, false);
	}
	lua_setfield(L, -2, "fused");
}

/* As gpu.count reports, and the parts of that under their names here. */
static void push_report(lua_State *L, const ExecLaunch *launch) {
	static const char *const parts[] = {"counters", "lines", "nondeterminism", "models"};
	KernelBox *none = NULL;
	const ListArg list = {.kernels = &none, .nitems = 1};
	const CountReport report = {.answer = {.items = (ItemAnswer *)launch->answer, .nitems = 1},
								.predictions = launch->answer->predictions,
								.npredictions = launch->answer->npredictions,
								.emulator_ms = launch->outcome->milliseconds};
	bind_push_count_report(L, &list, launch->gpu, &report);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		lua_getfield(L, -1, parts[i]);
		lua_setfield(L, -3, parts[i]);
	}
	lua_setfield(L, -2, "report");
}

static void push_kept(lua_State *L, const ExecLaunch *launch) {
	if (!launch->kept) return;
	bind_push_kept(L, launch->kept);
	lua_setfield(L, -2, "kept");
	if (*launch->why_not_kept) set_text(L, "why_not_kept", launch->why_not_kept);
}

static void push_launch(lua_State *L, const ExecLaunch *launch) {
	const Str nothing = {0};
	static const Key keys[] = {KEYS(ExecLaunch, number, kernel, name, host_memory, refused_by_call), KEYS_END};
	static const Key config_keys[] = {KEYS(LaunchConfig, grid, block), KEY_AS(LaunchConfig, shared_bytes, "shared"),
									  KEY_KNOWN(LaunchConfig, schedule, "schedule"), KEYS_END};
	AUTO_FREE char *written = mangled_written(launch->kernel);
	bind_push_keys(L, keys, launch);
	bind_set_keys(L, config_keys, launch->config);
	set_text(L, "written", written ? written : launch->name);
	if (!launch->outcome) return;
	bind_push_outcome(L, launch->outcome, launch->printed ? launch->printed : &nothing);
	lua_setfield(L, -2, "outcome");
	push_kept(L, launch);
	if (launch->fused) push_fused(L, launch->fused);
	if (!launch->answer) return;
	push_found(L, launch->answer);
	if (launch->kept) {
		push_report(L, launch);
		return;
	}
	push_counted(L, launch->answer);
	push_predicted(L, launch->answer);
}

/* --- what happens, for functions of Lua --------------------------------------------------------------------------- */

/* Each pushes the arguments of its function, and returns how many. */

static int push_begun(lua_State *L, const Key *keys, const void *launch) {
	push_launch(L, launch);
	return 1;
}

static int push_stepped(lua_State *L, const Key *keys, const void *what) {
	ExecStepped *stepped = (ExecStepped *)what;
	bind_push_stepping(L, stepped->stepping);
	stepped->stepping = NULL; /* the object's */
	lua_toclose(L, -1);
	lua_pushvalue(L, 1); /* the function again: what is to be closed cannot be an argument itself */
	push_launch(L, &stepped->launch);
	set_text(L, "ptx", stepped->ptx);
	lua_pushvalue(L, 2);
	return 2;
}

/* Into the table on top of the stack. */
static void set_call(lua_State *L, const ExecCall *by) {
	static const Key keys[] = {KEYS(ExecCall, call, object), KEYS_END};
	bind_set_keys(L, keys, by);
	lua_createtable(L, (int)by->nplaces, 0);
	for (uint32_t i = 0; i < by->nplaces; i++) {
		lua_pushinteger(L, (lua_Integer)by->places[i].value);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "places");
}

/* Every such event is a structure whose first field is the call that it is about. */
static int push_called(lua_State *L, const Key *keys, const void *what) {
	bind_push_keys(L, keys, what);
	set_call(L, what);
	return 1;
}

static int push_finding(lua_State *L, const Key *keys, const void *what) {
	const ExecFound *found = what;
	bind_push_finding(L, found->finding);
	set_call(L, &found->by);
	return 1;
}

static int push_unwritten(lua_State *L, const Key *keys, const void *what) {
	static const Key gap_keys[] = {KEYS(Gap, at, bytes), KEYS_END};
	static const Key config_keys[] = {KEYS(LaunchConfig, grid, block), KEYS_END};
	const ExecUnwritten *copied = what;
	push_called(L, keys, copied);
	if (copied->kernel) bind_set_keys(L, config_keys, copied->config);
	bind_push_list(L, gap_keys, copied->unwritten.gaps, copied->unwritten.ngaps, sizeof *copied->unwritten.gaps);
	lua_setfield(L, -2, "gaps");
	return 1;
}

static int push_seen(lua_State *L, const Key *keys, const void *what) {
	const ExecSeen *seen = what;
	lua_pushinteger(L, (lua_Integer)seen->process);
	lua_pushinteger(L, (lua_Integer)seen->number);
	return 2;
}

static int push_nothing(lua_State *L, const Key *keys, const void *what) {
	return 0;
}

/* The event, its function among the options, what pushes its arguments, and the fields that it pushes. */
#define EVENTS(X)                                                                                                      \
	X(LAUNCHED, "launched", push_begun, KEYS_END)                                                                      \
	X(FOUND, "found", push_finding, KEYS_END)                                                                          \
	X(FAILED, "failed", push_called, KEYS(ExecFailed, process, number, error, cause))                                  \
	X(SEEN, "seen", push_seen, KEYS_END)                                                                               \
	X(ALLOCATED, "allocated", push_called, KEYS(ExecAllocated, kind, number))                                          \
	X(FREED, "freed", push_called, KEYS(ExecFreed, buffer))                                                            \
	X(TIMED, "timed", push_nothing, KEYS_END)                                                                          \
	X(EARLY, "early", push_called, KEYS(ExecEarlyUse, what, alone, buffer, offset, writes))                            \
	X(UNWRITTEN, "unwritten", push_unwritten, KEYS(ExecUnwritten, buffer, bytes, width, kernel, refused, element),     \
	  KEY_AS(ExecUnwritten, unwritten.bytes, "unwritten"))                                                             \
	X(FILLED, "filled", push_called, KEYS(ExecFilled, buffer, offset, bytes, all))                                     \
	X(COPIED, "copied", push_called, KEYS(ExecCopied, bytes, from_host, to_host, fills, digest))                       \
	X(BEGINS, "stops", push_begun, KEYS_END)                                                                           \
	X(STEPPED, "step", push_stepped, KEYS_END)

#define X(event, name, push, ...) static const Key keys_of_##event[] = {__VA_ARGS__, KEYS_END};
EVENTS(X)
#undef X

static const struct {
	const char *name;
	int (*push)(lua_State *L, const Key *keys, const void *what);
	const Key *keys;
} events[EXEC_EVENTS] = {
#define X(event, name, push, ...) [EXEC_##event] = {name, push, keys_of_##event},
	EVENTS(X)
#undef X
};

/* An error in a function must not leave the program and its server half way: it is kept, and raised at the end. */
typedef struct {
	lua_State *L;
	int first, error; /* places on the stack: of the functions, by ExecEvent; of nil or what was raised */
} Listener;

typedef struct {
	ExecEvent event;
	const void *what;
} Happened;

static int call_function(lua_State *L) {
	const Happened *happened = lua_touserdata(L, 2);
	lua_settop(L, 1);
	lua_call(L, events[happened->event].push(L, events[happened->event].keys, happened->what), 1);
	return 1;
}

/* What its function answers, if it does. */
static bool happens(void *user, ExecEvent event, const void *what) {
	const Listener *listener = user;
	lua_State *L = listener->L;
	Happened happened = {event, what};
	if (!lua_isnil(L, listener->error) || lua_isnil(L, listener->first + (int)event)) return false;
	lua_pushcfunction(L, call_function);
	lua_pushvalue(L, listener->first + (int)event);
	lua_pushlightuserdata(L, &happened);
	if (lua_pcall(L, 2, 1, 0) != LUA_OK) {
		lua_replace(L, listener->error);
		return false;
	}
	const bool yes = lua_toboolean(L, -1);
	lua_pop(L, 1);
	return yes;
}

/* --- exec.run ----------------------------------------------------------------------------------------------------- */

typedef struct {
	ExecOptions options;
	const char *gpu, *checks;
} Given;

static const char *const modes[] = {"run", "time", "count", "check", "predict", NULL};

static const Key given_keys[] = {KEY_AS(Given, options.program, "path", .flags = NEEDED),
								 KEY_AS(Given, options.mode, "mode", .names = modes),
								 KEY_AS(Given, options.cuda_12, "cuda_12"),
								 KEY_AS(Given, options.schedules, "schedules", .most = 1000),
								 KEY_AS(Given, options.crowded, "crowded"),
								 KEY_AS(Given, options.streams, "streams", .most = INT32_MAX),
								 KEY_AS(Given, options.keeps, "keeps"),
								 KEY_AS(Given, options.confined, "confined"),
								 KEY_AS(Given, gpu, "gpu", .flags = NEEDED),
								 KEYS(Given, checks),
								 KEY_ALLOWED("args"),
								 KEY_ALLOWED("models"),
#define X(event, name, ...) KEY_ALLOWED(name),
								 EVENTS(X)
#undef X
									 KEYS_END};

/* What it refers to stays on the stack. */
static ExecOptions check_options(lua_State *L, const Gpu *models[BIND_MODELS]) {
	Given given = {0};
	size_t words;
	luaL_checktype(L, 1, LUA_TTABLE);
	bind_read_keys(L, 1, given_keys, &given);
	ExecOptions o = given.options;
	o.gpu = bind_find_gpu(L, given.gpu);
	o.checks = CHECK_ALL;
	if (given.checks) bind_must(L, checks_parse(given.checks, &o.checks, bind_err()));
	if (o.mode == MODE_TIME) bind_bad(L, 1, "mode: an emulated GPU cannot time");
	lua_getfield(L, 1, "args");
	luaL_checktype(L, -1, LUA_TTABLE);
	o.argv = (char *const *)bind_check_texts(L, -1, 1, "args", 0, &words);
	o.models = models;
	o.nmodels = (uint32_t)bind_check_models(L, 1, models);
	o.event = happens;
	return o;
}

static void push_ended(lua_State *L, const ExecResult *result) {
	static const Key keys[] = {KEYS(ExecResult, connected, taken, launches, unfreed, unfreed_bytes),
							   KEYS_KNOWN(ExecResult, missing, stopped), KEYS_END};
	bind_push_keys(L, keys, result);
	if (WIFSIGNALED(result->status))
		set_count(L, "signal", WTERMSIG(result->status));
	else
		set_count(L, "status", WEXITSTATUS(result->status));
}

static int run(lua_State *L) {
	ExecResult result;
	const Gpu *models[BIND_MODELS];
	luaL_checkstack(L, 40, "exec.run");
	ExecOptions options = check_options(L, models);
	Listener listener = {L, lua_gettop(L) + 1, lua_gettop(L) + 1 + EXEC_EVENTS};
	for (int i = 0; i < EXEC_EVENTS; i++) lua_getfield(L, 1, events[i].name);
	options.steps = !lua_isnil(L, listener.first + EXEC_BEGINS);
	options.copies = options.confined && !lua_isnil(L, listener.first + EXEC_COPIED);
	lua_pushnil(L);
	options.user = &listener;
	bind_must(L, exec_run(&options, &result, bind_err()));
	if (!lua_isnil(L, listener.error)) {
		lua_pushvalue(L, listener.error);
		return lua_error(L);
	}
	push_ended(L, &result);
	return 1;
}

/* exec.gpu(name or nil) -> name: of the GPU that is emulated; nil: the one that "emu" stands for. */
static int gpu_of(lua_State *L) {
	const Gpu *gpu = lua_isnoneornil(L, 1) ? gpu_default() : bind_find_gpu(L, luaL_checkstring(L, 1));
	lua_pushstring(L, gpu->name);
	return 1;
}

int bind_exec_module(lua_State *L) {
	static const luaL_Reg functions[] = {{"run", run}, {"gpu", gpu_of}, {NULL, NULL}};
	luaL_newlib(L, functions);
	return 1;
}
