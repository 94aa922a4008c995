/* The module gpulab.exec: programs on an emulated GPU (exec/exec.h). Not for labs.
 *
 *     local ended = exec.run { path = "./saxpy", args = { "./saxpy", "1024" }, gpu = "H200", mode = "check",
 *       checks = "race,init", schedules = 4, models = { "GTX 280" }, launched = function(launch) ... end, streams = 7,
 *       stops = function(launch) return true end, step = function(launch, stepping) ... end }
 *     ended: { status = 0 or signal = 11, connected, launches, missing }
 *     stops and step: of a launch that is about to begin, and may be stepped (as gpu.step's); it has ptx in step
 *     launch: { number, kernel, name, grid, block, shared, outcome, findings, counters, lines, models } */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "bind/internal.h"
#include "bind/values/set.h"
#include "exec/exec.h"

enum { MOST_WORDS = 100000 };

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
	lua_createtable(L, (int)a->nlines, 0);
	for (uint32_t i = 0; i < a->nlines; i++) {
		lua_createtable(L, 0, 3);
		set_text(L, "file", a->lines[i].file);
		set_count(L, "line", a->lines[i].line);
		bind_push_counts(L, &a->lines[i].counts);
		lua_setfield(L, -2, "counters");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "lines");
}

static void push_predicted(lua_State *L, const ItemAnswer *a) {
	lua_createtable(L, 0, (int)a->npredictions);
	for (uint32_t i = 0; i < a->npredictions; i++) {
		const Prediction *p = &a->predictions[i];
		if (!p->known) continue;
		lua_createtable(L, 0, 2);
		set_number(L, "ms", p->milliseconds);
		set_text(L, "bound", p->bound);
		lua_setfield(L, -2, p->gpu->name);
	}
	lua_setfield(L, -2, "models");
}

static void push_launch(lua_State *L, const ExecLaunch *launch) {
	const Str nothing = {0};
	lua_createtable(L, 0, 11);
	set_count(L, "number", (lua_Integer)launch->number);
	set_text(L, "kernel", launch->kernel);
	set_text(L, "name", launch->name);
	set_three(L, "grid", launch->config->grid);
	set_three(L, "block", launch->config->block);
	set_count(L, "shared", (lua_Integer)launch->config->shared_bytes);
	if (launch->config->schedule) set_count(L, "schedule", (lua_Integer)launch->config->schedule);
	if (!launch->outcome) return;
	bind_push_outcome(L, launch->outcome, &nothing);
	lua_setfield(L, -2, "outcome");
	if (!launch->answer) return;
	push_found(L, launch->answer);
	push_counted(L, launch->answer);
	push_predicted(L, launch->answer);
}

/* An error in the function must not leave the program and its server half way: it is kept, and raised at the end. */
typedef struct {
	lua_State *L;
	int launched, stops, step, error; /* places on the stack; error holds nil or what was raised */
} Listener;

static int call_launched(lua_State *L) {
	push_launch(L, lua_touserdata(L, 2));
	lua_pushvalue(L, 1);
	lua_insert(L, -2);
	lua_call(L, 1, 0);
	return 0;
}

static void launched(void *user, const ExecLaunch *launch) {
	const Listener *listener = user;
	lua_State *L = listener->L;
	if (!lua_isnil(L, listener->error)) return;
	lua_pushcfunction(L, call_launched);
	lua_pushvalue(L, listener->launched);
	lua_pushlightuserdata(L, (void *)launch);
	if (lua_pcall(L, 2, 0, 0) != LUA_OK) lua_replace(L, listener->error);
}

static int call_stops(lua_State *L) {
	push_launch(L, lua_touserdata(L, 2));
	lua_replace(L, 2);
	lua_call(L, 1, 1);
	return 1;
}

static bool stops(void *user, const ExecLaunch *launch) {
	const Listener *listener = user;
	lua_State *L = listener->L;
	if (!lua_isnil(L, listener->error)) return false;
	lua_pushcfunction(L, call_stops);
	lua_pushvalue(L, listener->stops);
	lua_pushlightuserdata(L, (void *)launch);
	if (lua_pcall(L, 2, 1, 0) != LUA_OK) {
		lua_replace(L, listener->error);
		return false;
	}
	const bool wanted = lua_toboolean(L, -1);
	lua_pop(L, 1);
	return wanted;
}

static int call_step(lua_State *L) {
	ExecStepped *stepped = lua_touserdata(L, 2);
	bind_push_stepping(L, stepped->stepping);
	stepped->stepping = NULL; /* the object's */
	lua_toclose(L, -1);
	lua_pushvalue(L, 1);
	push_launch(L, &stepped->launch);
	set_text(L, "ptx", stepped->ptx);
	lua_pushvalue(L, 3);
	lua_call(L, 2, 0);
	return 0;
}

static void step(void *user, const ExecStepped *launch) {
	const Listener *listener = user;
	ExecStepped stepped = *launch;
	lua_State *L = listener->L;
	lua_pushcfunction(L, call_step);
	lua_pushvalue(L, listener->step);
	lua_pushlightuserdata(L, &stepped);
	if (lua_pcall(L, 2, 0, 0) != LUA_OK) lua_replace(L, listener->error);
	stepping_close(stepped.stepping);
}

/* --- exec.run ----------------------------------------------------------------------------------------------------- */

static const char *text_field(lua_State *L, const char *key) {
	if (lua_getfield(L, 1, key) != LUA_TSTRING) luaL_error(L, "exec.run: %s: a string expected", key);
	return lua_tostring(L, -1); /* the table keeps it */
}

static const Gpu *gpu_named(lua_State *L, const char *name) {
	Err err = ERR_INIT;
	const Gpu *gpu = gpu_find_typed(name, &err);
	if (!gpu) bind_raise(L, &err);
	return gpu;
}

static SubmitMode mode_field(lua_State *L) {
	static const char *const names[] = {"run", "count", "check", "predict", NULL};
	static const SubmitMode modes[] = {MODE_RUN, MODE_COUNT, MODE_CHECK, MODE_PREDICT};
	lua_getfield(L, 1, "mode");
	return modes[luaL_checkoption(L, -1, "run", names)];
}

static unsigned checks_field(lua_State *L) {
	Err err = ERR_INIT;
	unsigned flags = CHECK_ALL;
	if (lua_getfield(L, 1, "checks") == LUA_TSTRING && !checks_parse(lua_tostring(L, -1), &flags, &err))
		bind_raise(L, &err);
	return flags;
}

static char **words_field(lua_State *L) {
	if (lua_getfield(L, 1, "args") != LUA_TTABLE) luaL_error(L, "exec.run: args: a table expected");
	const lua_Unsigned n = lua_rawlen(L, -1);
	if (n > MOST_WORDS) luaL_error(L, "exec.run: too many arguments");
	const int args = lua_gettop(L);
	char **argv = lua_newuserdatauv(L, (n + 1) * sizeof *argv, 0);
	for (lua_Unsigned i = 0; i < n; i++) {
		lua_rawgeti(L, args, (lua_Integer)i + 1);
		argv[i] = (char *)luaL_checkstring(L, -1); /* the table keeps it */
		lua_pop(L, 1);
	}
	argv[n] = NULL;
	return argv;
}

static uint32_t models_field(lua_State *L, const Gpu **out) {
	if (lua_getfield(L, 1, "models") == LUA_TNIL) return 0;
	const int models = lua_gettop(L);
	luaL_checktype(L, models, LUA_TTABLE);
	const lua_Unsigned n = lua_rawlen(L, models);
	if (n > EXEC_MOST_MODELS) luaL_error(L, "exec.run: at most %d models", EXEC_MOST_MODELS);
	for (lua_Unsigned i = 0; i < n; i++) {
		lua_rawgeti(L, models, (lua_Integer)i + 1);
		out[i] = gpu_named(L, luaL_checkstring(L, -1));
	}
	return (uint32_t)n;
}

static uint32_t number_field(lua_State *L, const char *key, lua_Integer most) {
	lua_getfield(L, 1, key);
	const lua_Integer n = luaL_optinteger(L, -1, 0);
	if (n < 0 || n > most) luaL_error(L, "exec.run: %s: 0 to %d expected", key, (int)most);
	return (uint32_t)n;
}

static void push_ended(lua_State *L, const ExecResult *result) {
	lua_createtable(L, 0, 5);
	if (WIFSIGNALED(result->status))
		set_count(L, "signal", WTERMSIG(result->status));
	else
		set_count(L, "status", WEXITSTATUS(result->status));
	set_flag(L, "connected", result->connected);
	set_count(L, "launches", (lua_Integer)result->launches);
	if (*result->missing) set_text(L, "missing", result->missing);
}

static int run(lua_State *L) {
	Err err = ERR_INIT;
	ExecResult result;
	const Gpu *models[EXEC_MOST_MODELS];
	luaL_checktype(L, 1, LUA_TTABLE);
	luaL_checkstack(L, EXEC_MOST_MODELS + 40, "exec.run");
	ExecOptions options = {.program = text_field(L, "path"),
						   .gpu = gpu_named(L, text_field(L, "gpu")),
						   .argv = words_field(L),
						   .mode = mode_field(L),
						   .checks = checks_field(L),
						   .schedules = number_field(L, "schedules", 1000),
						   .streams = number_field(L, "streams", INT32_MAX),
						   .models = models,
						   .launched = launched};
	options.nmodels = models_field(L, models);
	Listener listener = {.L = L, .launched = lua_gettop(L) + 1};
	listener.stops = listener.launched + 1;
	listener.step = listener.launched + 2;
	listener.error = listener.launched + 3;
	lua_getfield(L, 1, "launched");
	luaL_checktype(L, -1, LUA_TFUNCTION);
	if (lua_getfield(L, 1, "stops") != LUA_TNIL) {
		options.stops = stops;
		options.step = step;
	}
	lua_getfield(L, 1, "step");
	lua_pushnil(L);
	options.user = &listener;
	if (!exec_run(&options, &result, &err)) return bind_raise(L, &err);
	if (!lua_isnil(L, listener.error)) {
		lua_pushvalue(L, listener.error);
		return lua_error(L);
	}
	push_ended(L, &result);
	return 1;
}

/* exec.gpu(name or nil) -> name, cc: of the GPU that is emulated; nil: the one that "emu" stands for. */
static int gpu_of(lua_State *L) {
	const Gpu *gpu = lua_isnoneornil(L, 1) ? gpu_default() : gpu_named(L, luaL_checkstring(L, 1));
	lua_pushstring(L, gpu->name);
	lua_pushinteger(L, (lua_Integer)gpu->cc);
	return 2;
}

int bind_exec_module(lua_State *L) {
	static const luaL_Reg functions[] = {{"run", run}, {"gpu", gpu_of}, {NULL, NULL}};
	luaL_newlib(L, functions);
	return 1;
}
