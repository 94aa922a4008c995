/* What catches errors: bind_protect, host.catch, the pcall of gpulab's own modules. And coroutines, over Lua's own:
 * Ctrl-C has to know which of them runs. */
#include <lualib.h>

#include "bind/bind.h"
#include "bind/internal.h"

/* --- pcall -------------------------------------------------------------------------------------------------------- */

static int results(lua_State *L, bool ok) {
	lua_pushboolean(L, ok);
	lua_insert(L, 1);
	return lua_gettop(L);
}

/* A press that a function of C has seen, but not raised, is an error of the call, too. */
int bind_catch(lua_State *L) {
	luaL_checkany(L, 1);
	const bool ok = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0) == LUA_OK, pressed = bind_interrupt_unheard();
	if (ok && !pressed) return results(L, true);
	if (ok) lua_pushnil(L);
	if (pressed) bind_interrupt_heard();
	bind_interrupt_caught(L);
	lua_insert(L, 1);
	lua_settop(L, 1);
	return results(L, false);
}

int bind_pcall(lua_State *L) {
	luaL_checkany(L, 1);
	const bool ok = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0) == LUA_OK;
	if (!ok && bind_is_passing(L)) return lua_error(L);
	return results(L, ok);
}

/* --- coroutines --------------------------------------------------------------------------------------------------- */

/* Calls the first upvalue while the coroutine runs: the second, or the first argument. */
static int run_in_it(lua_State *L) {
	lua_State *own = lua_tothread(L, lua_upvalueindex(2)), *co = own ? own : lua_tothread(L, 1);
	if (!co) return lua_tocfunction(L, lua_upvalueindex(1))(L); /* raises */
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_State *outer = bind_run_in(co);
	const int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
	bind_run_in(outer);
	if (status == LUA_OK) return lua_gettop(L);
	if (lua_type(L, -1) == LUA_TSTRING) {
		luaL_where(L, 1);
		lua_insert(L, -2);
		lua_concat(L, 2);
	}
	return lua_error(L);
}

/* The upvalue is Lua's own; the coroutine is the upvalue of what that returns. */
static int wrap(lua_State *L) {
	lua_tocfunction(L, lua_upvalueindex(1))(L);
	lua_getupvalue(L, -1, 1);
	lua_pushcclosure(L, run_in_it, 2);
	return 1;
}

/* --- finalizers --------------------------------------------------------------------------------------------------- */

/* The upvalue is a script's. During a press none begins: thousands may wait that do not end. */
static int finalize(lua_State *L) {
	if (bind_interrupted()) return 0;
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, 1, 0);
	return 0;
}

/* The upvalue is Lua's own. */
static int set_metatable(lua_State *L) {
	if (lua_istable(L, 2)) {
		lua_pushliteral(L, "__gc");
		lua_pushvalue(L, -1);
		if (lua_rawget(L, 2) == LUA_TFUNCTION && !lua_iscfunction(L, -1)) {
			lua_pushcclosure(L, finalize, 1);
			lua_rawset(L, 2);
		}
		lua_settop(L, 2);
	}
	return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* --- instead of Lua's own ----------------------------------------------------------------------------------------- */

static void replace(lua_State *L, const char *library, const char *name, lua_CFunction function) {
	lua_getglobal(L, library);
	lua_getfield(L, -1, name);
	lua_pushcclosure(L, function, 1);
	lua_setfield(L, -2, name);
	lua_pop(L, 1);
}

/* Lua's own takes nil, and the loop then raises without a place. */
static int ipairs_of(lua_State *L) {
	if (lua_isnoneornil(L, 1)) return luaL_typeerror(L, 1, "table");
	return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

void bind_replace_catching(lua_State *L) {
	replace(L, LUA_GNAME, "ipairs", ipairs_of);
	replace(L, LUA_GNAME, "setmetatable", set_metatable);
	replace(L, LUA_COLIBNAME, "resume", run_in_it);
	replace(L, LUA_COLIBNAME, "close", run_in_it);
	replace(L, LUA_COLIBNAME, "wrap", wrap);
	replace(L, LUA_OSLIBNAME, "execute", bind_execute);
}

/* --- bind_protect ------------------------------------------------------------------------------------------------- */

/* An error object says where by itself; anything else as text, and where it was raised. */
static int traceback(lua_State *L) {
	if (lua_istable(L, 1)) return 1;
	const char *message = luaL_tolstring(L, 1, NULL);
	luaL_traceback(L, L, lua_isnil(L, 1) ? "an error without a message" : message, 1);
	return 1;
}

static int interrupted(lua_State *L) {
	bind_push_error(L, ERR_INTERRUPTED, "interrupted", "", "");
	return 1;
}

static int out_of_memory(lua_State *L) {
	bind_push_memory_error(L);
	return 1;
}

int bind_protect(lua_State *L, int nargs, int nresults) {
	const int base = lua_gettop(L) - nargs;
	lua_pushcfunction(L, traceback);
	lua_insert(L, base);
	lua_State *outer = bind_run_in(L);
	if (!outer) {
		bind_memory_begin(L);
		bind_catch_signals();
	}
	int status = lua_pcall(L, nargs, nresults, base);
	lua_remove(L, base);
	lua_CFunction instead = status == LUA_ERRMEM ? out_of_memory : NULL;
	if (bind_interrupt_forget() && !(status != LUA_OK && bind_is_interrupt(L, -1))) instead = interrupted;
	if (instead) { /* of what the call left */
		lua_settop(L, base - 1);
		bind_memory_begin(L);
		lua_pushcfunction(L, instead);
		status = lua_pcall(L, 0, 1, 0) == LUA_OK ? LUA_ERRRUN : LUA_ERRMEM;
	}
	bind_restore(L);
	bind_run_in(outer);
	return status;
}
