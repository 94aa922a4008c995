/* Fields of the table on top of the stack. */
#pragma once

#include <lua.h>
#include <stdbool.h>

static inline void set_text(lua_State *L, const char *key, const char *text) {
	lua_pushstring(L, text);
	lua_setfield(L, -2, key);
}

static inline void set_count(lua_State *L, const char *key, lua_Integer v) {
	lua_pushinteger(L, v);
	lua_setfield(L, -2, key);
}

static inline void set_number(lua_State *L, const char *key, double v) {
	lua_pushnumber(L, v);
	lua_setfield(L, -2, key);
}

static inline void set_flag(lua_State *L, const char *key, bool v) {
	lua_pushboolean(L, v);
	lua_setfield(L, -2, key);
}
