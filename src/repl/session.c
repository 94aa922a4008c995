/* session.h: the Lua state, the options as a table, and the exit status. */
#include "repl/session.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text/printable.h"
#include "bind/bind.h"
#include "bind/values/keys.h"
#include "bind/values/set.h"
#include "repl/frames.h"
#include "repl/keys.h"
#include "repl/line.h"
#include "repl/terminal.h"
#include "repl/ticker.h"

/* --- options as a Lua table --------------------------------------------------------------------------------------- */

static void set_words(lua_State *L, const char *key, const Words *words) {
	lua_createtable(L, (int)words->len, 0);
	for (size_t i = 0; i < words->len; i++) {
		lua_pushstring(L, words->data[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, key);
}

/* "n=4096" becomes set.n = "4096". */
static void set_settings(lua_State *L, const Words *settings) {
	lua_createtable(L, 0, (int)settings->len);
	for (size_t i = 0; i < settings->len; i++) {
		const char *equals = strchr(settings->data[i], '=');
		lua_pushlstring(L, settings->data[i], (size_t)(equals - settings->data[i]));
		lua_pushstring(L, equals + 1);
		lua_settable(L, -3);
	}
	lua_setfield(L, -2, "set");
}

/* As lua does it: arg[0] is the script (the program where there is none), what follows it counts up, what precedes it
 * down. */
static void set_args(lua_State *L, const SessionOptions *o) {
	int script = o->target_at < o->argc ? o->target_at : 0;
	lua_createtable(L, o->argc - script, script + 1);
	for (int i = 0; i < o->argc; i++) {
		lua_pushstring(L, o->argv[i]);
		lua_rawseti(L, -2, i - script);
	}
	lua_setfield(L, -2, "args");
}

static bool colored(ColorChoice choice, int fd) {
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
	if (choice != COLOR_AUTO) return choice == COLOR_ALWAYS;
	return isatty(fd) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
}

/* For completion. */
static void set_flags(lua_State *L, const SessionOptions *o) {
	static const Key keys[] = {KEYS(OptionText, name, letter, value, help), KEYS_END};
	OptionText text;
	lua_newtable(L);
	for (int i = 0; o->describe(i, &text); i++) {
		bind_push_keys(L, keys, &text);
		lua_rawseti(L, -2, i + 1);
	}
	lua_setfield(L, -2, "flags");
}

static void fill_options(lua_State *L, const SessionOptions *o) {
	static const Key keys[] = {KEYS(SessionOptions, device, step, check, json, csv, html, recorded, standard,
									completion, target, batch, interactive, list, devices, verify_lectures, verify_labs,
									claims, demo, no_init, no_lock, quiet),
							   KEYS_END};
	bind_set_keys(L, keys, o);
	set_words(L, "models", &o->models);
	set_words(L, "gpus", &o->gpus);
	set_words(L, "plots", &o->plots);
	set_words(L, "traces", &o->traces);
	set_words(L, "include", &o->include);
	set_words(L, "defines", &o->defines);
	set_words(L, "execute", &o->chunks);
	set_settings(L, &o->settings);
	set_flag(L, "color", colored(o->color, STDOUT_FILENO));
	set_flag(L, "color_stderr", colored(o->color, STDERR_FILENO));
	set_flag(L, "terminal", isatty(STDIN_FILENO) && isatty(STDOUT_FILENO));
	set_flag(L, "piped", !isatty(STDIN_FILENO));
	set_args(L, o);
	if (o->completion) set_flags(L, o);
}

/* late_options(options): parses what follows a lab as options too; raises for invalid ones. */
static int late_options(lua_State *L) {
	SessionOptions *o = lua_touserdata(L, lua_upvalueindex(1));
	Err err = ERR_INIT;
	luaL_checktype(L, 1, LUA_TTABLE);
	if (!o->late || o->late(o, &err)) {
		lua_settop(L, 1);
		fill_options(L, o);
		return 0;
	}
	return bind_raise(L, &err);
}

/* --- the run ------------------------------------------------------------------------------------------------------ */

static int run_app(lua_State *L) {
	SessionOptions *o = lua_touserdata(L, 1);
	bind_add_module(L, "gpulab.frames", frames_module);
	bind_add_module(L, "gpulab.line", line_module);
	bind_add_module(L, "gpulab.keys", keys_module);
	bind_add_module(L, "gpulab.ticker", ticker_module);
	bind_push_function(L, "gpulab.app", "main");
	lua_newtable(L);
	fill_options(L, o);
	lua_pushlightuserdata(L, o);
	lua_pushcclosure(L, late_options, 1);
	lua_setfield(L, -2, "late");
	lua_call(L, 1, 1);
	return 1;
}

int session_run(SessionOptions *options) {
	lua_State *L = bind_new(terminal_leave);
	if (!L) {
		fprintf(stderr, "gpulab: not enough memory to start Lua\n");
		return ERR_SETUP;
	}
	terminal_open();
	bind_default_device(L, options->device);
	lua_pushcfunction(L, run_app);
	lua_pushlightuserdata(L, options);
	int status = ERR_COMPILE;
	if (bind_protect(L, 1, 1) == LUA_OK) {
		status = (int)lua_tointeger(L, -1);
	} else { /* only where app.lua itself fails, or Ctrl-C came at the very end */
		AUTO_FREE char *said = printable(luaL_tolstring(L, -1, NULL));
		fprintf(stderr, "gpulab: %s\n", said);
		if (bind_is_interrupt(L, -2)) status = ERR_INTERRUPTED;
	}
	lua_settop(L, 0);
	bind_free(L);
	return status;
}
