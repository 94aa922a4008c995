/* What gpulab's own Lua modules stand on: globals of their own, which are those of the start, libraries copied, then those
 * defined later. What they assign goes to the shared globals. `require` is among them, and finds gpulab's modules in a
 * list that scripts do not see. */
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

static const char own_source[] = "@lua/gpulab/";

bool bind_is_own(lua_State *L, lua_Debug *ar) {
	lua_getinfo(L, "S", ar);
	return strncmp(ar->source, own_source, strlen(own_source)) == 0;
}

void bind_keep_own(lua_State *L, const luaL_Reg *others) {
	make_own_globals(L, others);
	lua_pushliteral(L, "");
	lua_getmetatable(L, -1);
	lua_setfield(L, LUA_REGISTRYINDEX, operators);
	set_string_methods(L);
	lua_pop(L, 1);
}
