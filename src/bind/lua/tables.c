/* table.concat and table.sort, as Lua's, but with many values Ctrl-C stops them. */
#include "bind/internal.h"

enum { MANY = 1 << 14 };

/* Lua's own functions. They are called in the frame of ours, so that what they say of arguments and places is right. */
static lua_CFunction lua_concat_table, lua_sort_table;

/* Part by part, so that there is a time to look. */
static int concat(lua_State *L) {
	size_t gap;
	luaL_Buffer b;
	if (lua_type(L, 1) != LUA_TTABLE || (lua_isnoneornil(L, 4) && lua_rawlen(L, 1) < MANY)) return lua_concat_table(L);
	lua_settop(L, 4);
	const char *separator = luaL_optlstring(L, 2, "", &gap);
	lua_Integer first = luaL_optinteger(L, 3, 1), last = luaL_opt(L, luaL_checkinteger, 4, luaL_len(L, 1));
	luaL_buffinit(L, &b);
	for (lua_Integer from = first; from <= last;) {
		lua_Integer to = last - from < MANY ? last : from + MANY;
		lua_pushcfunction(L, lua_concat_table);
		lua_pushvalue(L, 1);
		lua_pushvalue(L, 2);
		lua_pushinteger(L, from);
		lua_pushinteger(L, to);
		lua_call(L, 4, 1);
		luaL_addvalue(&b);
		if (to == last) break;
		luaL_addlstring(&b, separator, gap);
		from = to + 1;
		bind_look(L);
	}
	luaL_pushresult(&b);
	return 1;
}

static int is_less(lua_State *L) {
	lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPLT));
	return 1;
}

/* A function that compares is called through the hook of Ctrl-C. */
static int sort(lua_State *L) {
	if (lua_istable(L, 1) && lua_isnoneornil(L, 2) && lua_rawlen(L, 1) > MANY) {
		lua_settop(L, 1);
		lua_pushcfunction(L, is_less);
	}
	return lua_sort_table(L);
}

void bind_replace_tables(lua_State *L) {
	lua_getglobal(L, "table");
	lua_concat_table = bind_replace(L, "concat", concat);
	lua_sort_table = bind_replace(L, "sort", sort);
	lua_pop(L, 1);
}
