/* gpu.check: a launch on the emulator with checkers listening, and what they found as tables. */
#include <stdlib.h>
#include <string.h>

#include "bind/internal.h"
#include "emu/check.h"

/* --- arguments ---------------------------------------------------------------------------------------------------------------- */

typedef struct {
	KernelBox *kernel;
	Launch launch;
	Str *output;
	unsigned flags;
} CheckJob;

static unsigned check_one(lua_State *L, int arg, const char *list) {
	Err err = ERR_INIT;
	unsigned flags = 0;
	if (!checks_parse(list, &flags, &err)) bind_bad(L, arg, "%s; %s", err.what, err.hint);
	return flags;
}

/* "race,init", {"race", "init"}, or nothing: all of them. */
static unsigned check_list(lua_State *L, int arg) {
	unsigned flags = 0;
	if (lua_isnoneornil(L, arg)) return CHECK_ALL;
	if (lua_type(L, arg) == LUA_TSTRING) return check_one(L, arg, lua_tostring(L, arg));
	luaL_checktype(L, arg, LUA_TTABLE);
	const lua_Unsigned n = lua_rawlen(L, arg);
	if (n < 1 || n > 16) bind_bad(L, arg, "1 to 16 names of checks expected, got %d", n > 16 ? 17 : (int)n);
	for (int i = 1; i <= (int)n; i++) {
		if (lua_rawgeti(L, arg, i) != LUA_TSTRING)
			bind_bad(L, arg, "[%d]: the name of a check expected, got %s", i, luaL_typename(L, -1));
		flags |= check_one(L, arg, lua_tostring(L, -1));
		lua_pop(L, 1);
	}
	return flags;
}

static void keep_output(void *str, const char *text, size_t len) {
	enum { MOST = 1 << 20 };
	Str *s = str;
	if (s->len < MOST) str_addn(s, text, len);
}

static CheckJob check_job(lua_State *L) {
	const int first = luaL_testudata(L, 1, CLASS_DEVICE) ? 2 : 1;
	CheckJob job = {.kernel = bind_check_kernel(L, first)};
	lua_settop(L, first + 3);
	luaL_checkstack(L, 300, "too many arguments");
	bind_check_config(L, first + 1, &job.launch.config);
	luaL_checktype(L, first + 2, LUA_TTABLE);
	job.flags = check_list(L, first + 3);
	const lua_Unsigned n = lua_rawlen(L, first + 2);
	if (n > 256) bind_bad(L, first + 2, "a kernel takes at most 256 arguments");
	const int from = lua_gettop(L) + 1;
	for (int i = 1; i <= (int)n; i++) lua_rawgeti(L, first + 2, i);
	job.launch.args = bind_check_args(L, job.kernel, from, (int)n, first + 2);
	job.launch.nargs = (uint32_t)n;
	job.launch.kernel = job.kernel->kernel;
	job.output = bind_str(L);
	job.launch.print = keep_output;
	job.launch.user = job.output;
	return job;
}

/* --- findings ----------------------------------------------------------------------------------------------------------------- */

static void set_text(lua_State *L, const char *key, const char *text) {
	if (!*text) return;
	lua_pushstring(L, text);
	lua_setfield(L, -2, key);
}

static void set_count(lua_State *L, const char *key, lua_Integer v) {
	lua_pushinteger(L, v);
	lua_setfield(L, -2, key);
}

static void set_three(lua_State *L, const char *key, const uint32_t v[3]) {
	lua_createtable(L, 3, 0);
	for (int i = 0; i < 3; i++) {
		lua_pushinteger(L, v[i]);
		lua_rawseti(L, -2, i + 1);
	}
	lua_setfield(L, -2, key);
}

static void push_site(lua_State *L, const FindingSite *s) {
	lua_createtable(L, 0, 5);
	set_text(L, "file", s->file);
	if (s->line) set_count(L, "line", s->line);
	set_text(L, "access", s->access);
	if (!s->known) return;
	set_three(L, "block", s->block);
	set_three(L, "thread", s->thread);
}

static void push_finding(lua_State *L, const Finding *f) {
	lua_createtable(L, 0, 10);
	set_text(L, "check", check_name(f->check));
	set_text(L, "message", f->message);
	set_text(L, "hint", f->hint);
	set_count(L, "count", (lua_Integer)f->count);
	set_text(L, "space", f->space);
	set_text(L, "buffer", f->buffer);
	if (f->width) {
		set_count(L, "width", f->width);
		set_count(L, "offset", f->offset);
	}
	lua_createtable(L, (int)f->nsites, 0);
	for (uint32_t i = 0; i < f->nsites; i++) {
		push_site(L, &f->site[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "sites");
}

static void free_checks(void *set) {
	checks_free(set);
}

int bind_check(lua_State *L) {
	Err err = ERR_INIT;
	LaunchOutcome outcome = {.status = LAUNCH_OK};
	bool from_definitions;
	CheckJob job = check_job(L);
	Device *device = job.kernel->owner->device;
	const Gpu *gpu = device_info(device)->gpu;
	Holder *holder = bind_hold(L, free_checks);
	CheckSet *set = holder->data = checks_new(gpu ? gpu : gpu_default(), job.flags);
	size_t nobservers, n;
	Observer **observers = checks_observers(set, &nobservers);
	if (!device_emulate(device, &job.launch, observers, nobservers, &outcome, &from_definitions, &err))
		return bind_raise(L, &err);
	const Finding *findings = checks_findings(set, &n);
	bind_push_outcome(L, &outcome, job.output);
	/* A fault that a checker tells of is a finding; everything else that did not end well is an error, as for a launch. */
	if (outcome.status != LAUNCH_OK && !n) {
		bind_push_outcome_error(L, &outcome, -1);
		return lua_error(L);
	}
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		push_finding(L, &findings[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "findings");
	str_free(job.output);
	bind_drop(holder);
	return 1;
}
