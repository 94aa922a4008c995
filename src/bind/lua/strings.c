/* string.rep, as Lua's, but Ctrl-C stops one that copies a text very often. */
#include <string.h>

#include "bind/internal.h"

enum { SHORT = 1 << 20, PART = 1 << 22 };

static lua_CFunction lua_repeat; /* Lua's own */

/* Pushes the text with its separator, n times. */
static const char *push_block(lua_State *L, int text, int separator, size_t n) {
	lua_pushcfunction(L, lua_repeat);
	lua_pushvalue(L, text);
	lua_pushvalue(L, separator);
	lua_concat(L, 2);
	lua_pushinteger(L, (lua_Integer)n);
	lua_call(L, 2, 1);
	return lua_tostring(L, -1);
}

/* A long result is copied from one block of many repetitions, part by part. */
static int repeat(lua_State *L) {
	size_t len, gap;
	luaL_Buffer b;
	luaL_checklstring(L, 1, &len);
	const lua_Integer n = luaL_checkinteger(L, 2);
	luaL_optlstring(L, 3, "", &gap);
	const size_t unit = len + gap;
	if (unit == 0) { /* Lua's own would copy nothing n times */
		lua_pushliteral(L, "");
		return 1;
	}
	if (n <= 1 || (size_t)n <= SHORT / unit || (size_t)n > LUA_MAXINTEGER / unit) return lua_repeat(L);
	lua_settop(L, 3);
	if (lua_isnil(L, 3)) lua_pushliteral(L, ""), lua_replace(L, 3);
	const size_t total = (size_t)n * unit - gap, block_len = unit < PART ? PART / unit * unit : unit;
	const char *block = push_block(L, 1, 3, block_len / unit);
	char *out = luaL_buffinitsize(L, &b, total);
	for (size_t done = 0; done < total; done += block_len) {
		memcpy(out + done, block, total - done < block_len ? total - done : block_len);
		bind_look(L);
	}
	luaL_pushresultsize(&b, total);
	return 1;
}

void bind_replace_strings(lua_State *L) {
	lua_getglobal(L, "string");
	lua_repeat = bind_replace(L, "rep", repeat);
	lua_pop(L, 1);
}
