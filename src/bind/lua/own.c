/* What gpulab's own Lua modules stand on, whatever a script replaces or empties:
 *
 * - globals of their own: those of the start, libraries copied, then those defined later. What they assign goes to the
 *   shared globals. `require` is among them, and finds gpulab's modules in a list that scripts do not see.
 * - the methods of strings and tostring of basic values, which all code shares: what a script broke is put back when
 *   its line is over (bind_restore). A debug hook that it set ends then, too (bind_protect).
 * - debug is for a script's own functions: it reaches no local, upvalue or object of gpulab's, and no registry. */
#include <lualib.h>
#include <string.h>

#include "bind/internal.h"

static const char operators[] = "gpulab.operators";

/* The table on top becomes a copy of it, with a copy of its metatable. */
static void copy_table(lua_State *L) {
	lua_newtable(L);
	for (lua_pushnil(L); lua_next(L, -3);) {
		lua_pushvalue(L, -2);
		lua_insert(L, -2);
		lua_rawset(L, -4);
	}
	if (lua_getmetatable(L, -2)) {
		copy_table(L);
		lua_setmetatable(L, -2);
	}
	lua_remove(L, -2);
}

void bind_push_own(lua_State *L, const char *name) {
	lua_getfield(L, LUA_REGISTRYINDEX, OWN_GLOBALS);
	lua_pushstring(L, name);
	lua_rawget(L, -2);
	lua_remove(L, -2);
}

void bind_push_function(lua_State *L, const char *module, const char *name) {
	bind_push_own(L, "require");
	lua_pushstring(L, module);
	lua_call(L, 1, 1);
	lua_getfield(L, -1, name);
	lua_remove(L, -2);
}

void bind_add_module(lua_State *L, const char *name, lua_CFunction open) {
	lua_getfield(L, LUA_REGISTRYINDEX, OWN_MODULES);
	lua_pushcfunction(L, open);
	lua_call(L, 0, 1);
	lua_setfield(L, -2, name);
	lua_pop(L, 1);
}

/* --- globals ------------------------------------------------------------------------------------------------------ */

static void make_own_globals(lua_State *L, const luaL_Reg *others) {
	luaL_checkstack(L, 12, "globals");
	lua_newtable(L);
	lua_pushglobaltable(L);
	for (lua_pushnil(L); lua_next(L, -2);) {
		const char *name = lua_tostring(L, -2);
		if (lua_istable(L, -1) && strcmp(name, "_G") != 0 && strcmp(name, "package") != 0) copy_table(L);
		lua_setfield(L, -4, name);
	}
	lua_createtable(L, 0, 2);
	lua_pushvalue(L, -2);
	lua_setfield(L, -2, "__index");
	lua_insert(L, -2);
	lua_setfield(L, -2, "__newindex");
	lua_setmetatable(L, -2);
	for (; others->name; others++) {
		lua_getfield(L, -1, others->name);
		lua_pushcclosure(L, others->func, 1);
		lua_setfield(L, -2, others->name);
	}
	lua_newtable(L);
	lua_getfield(L, -2, "gpu");
	lua_setfield(L, -2, "gpulab.gpu");
	lua_setfield(L, LUA_REGISTRYINDEX, OWN_MODULES);
	lua_setfield(L, LUA_REGISTRYINDEX, OWN_GLOBALS);
}

/* s:gsub is what it was at the start; functions that a script adds to the library are methods, too. */
static void set_string_methods(lua_State *L) {
	lua_pushliteral(L, "");
	lua_getfield(L, LUA_REGISTRYINDEX, operators);
	copy_table(L);
	bind_push_own(L, "string");
	copy_table(L);
	lua_newtable(L);
	lua_getfield(L, -3, "__index"); /* the library */
	lua_setfield(L, -2, "__index");
	lua_setmetatable(L, -2);
	lua_setfield(L, -2, "__index");
	lua_setmetatable(L, -2);
	lua_pop(L, 1);
}

static void too_long(lua_State *L, lua_Debug *ar) {
	(void)ar;
	luaL_error(L, "it does not end");
}

/* All of the library on top are methods, maybe by an __index of a script's. */
static int check_methods(lua_State *L) {
	lua_pushliteral(L, "");
	for (lua_pushnil(L); lua_next(L, 1); lua_settop(L, 3)) {
		lua_pushvalue(L, 3);
		if (lua_gettable(L, 2) != LUA_TFUNCTION || !lua_rawequal(L, 4, 5)) return luaL_error(L, "it is another one");
	}
	return 0;
}

static int restore(lua_State *L) {
	enum { ENOUGH = 10000 }; /* instructions for an __index */
	lua_pushnil(L);
	lua_pushboolean(L, false);
	lua_pushinteger(L, 0);
	lua_pushliteral(L, "");
	lua_pushcfunction(L, restore);
	lua_pushlightuserdata(L, L);
	lua_pushthread(L);
	for (int value = lua_gettop(L); value > 0; value--) {
		if (luaL_getmetafield(L, value, "__tostring") == LUA_TNIL) continue;
		lua_pushnil(L);
		lua_setmetatable(L, value);
	}
	lua_sethook(L, too_long, LUA_MASKCOUNT, ENOUGH);
	lua_pushcfunction(L, check_methods);
	bind_push_own(L, "string");
	if (lua_pcall(L, 1, 0, 0) != LUA_OK) set_string_methods(L);
	lua_sethook(L, NULL, 0, 0);
	return 0;
}

void bind_restore(lua_State *L) {
	lua_pushcfunction(L, restore);
	if (lua_pcall(L, 0, 0, 0) != LUA_OK) lua_pop(L, 1); /* no memory for it */
}

/* --- debug -------------------------------------------------------------------------------------------------------- */

static const char own_source[] = "@lua/gpulab/";

bool bind_is_own(lua_State *L, lua_Debug *ar) {
	lua_getinfo(L, "S", ar);
	return strncmp(ar->source, own_source, strlen(own_source)) == 0;
}

/* gpulab's or C's */
static bool is_closed(lua_State *L, int function) {
	lua_Debug ar;
	if (!lua_isfunction(L, function)) return false;
	lua_pushvalue(L, function);
	lua_getinfo(L, ">S", &ar);
	return *ar.what == 'C' || strncmp(ar.source, own_source, strlen(own_source)) == 0;
}

static int lua_own(lua_State *L) {
	return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static int of_function(lua_State *L) {
	return is_closed(L, 1) || is_closed(L, 3) ? 0 : lua_own(L);
}

static int of_level(lua_State *L) {
	lua_Debug ar;
	const int arg = lua_isthread(L, 1) ? 2 : 1;
	lua_State *of = arg == 2 ? lua_tothread(L, 1) : L;
	if (!lua_isnumber(L, arg) || !lua_getstack(of, (int)lua_tointeger(L, arg), &ar)) return lua_own(L);
	return bind_is_own(of, &ar) || *ar.what == 'C' ? 0 : lua_own(L);
}

static int of_object(lua_State *L) {
	return lua_type(L, 1) == LUA_TUSERDATA ? 0 : lua_own(L);
}

static void restrict_debug(lua_State *L) {
	static const luaL_Reg functions[] = {{"getlocal", of_level},
										 {"setlocal", of_level},
										 {"getupvalue", of_function},
										 {"setupvalue", of_function},
										 {"upvalueid", of_function},
										 {"upvaluejoin", of_function},
										 {"getmetatable", of_object},
										 {"setmetatable", of_object},
										 {"getuservalue", of_object},
										 {"setuservalue", of_object},
										 {NULL, NULL}};
	lua_getglobal(L, LUA_DBLIBNAME);
	for (const luaL_Reg *f = functions; f->name; f++) {
		lua_getfield(L, -1, f->name);
		lua_pushcclosure(L, f->func, 1);
		lua_setfield(L, -2, f->name);
	}
	lua_pushnil(L);
	lua_setfield(L, -2, "getregistry");
	lua_pop(L, 1);
	luaL_getmetatable(L, LUA_FILEHANDLE);
	lua_pushboolean(L, false);
	lua_setfield(L, -2, "__metatable"); /* the methods of files are shared, too */
	lua_pop(L, 1);
}

void bind_keep_own(lua_State *L, const luaL_Reg *others) {
	make_own_globals(L, others);
	lua_pushliteral(L, "");
	lua_getmetatable(L, -1);
	lua_setfield(L, LUA_REGISTRYINDEX, operators);
	set_string_methods(L);
	restrict_debug(L);
	lua_pop(L, 1);
}
