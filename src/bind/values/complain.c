/* internal.h: what is said of an argument, and of a field that has no such name. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text/nearest.h"
#include "bind/internal.h"

int bind_bad(lua_State *L, int arg, const char *fmt, ...) {
	char text[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return luaL_argerror(L, arg, text);
}

const char *bind_buffer_text(lua_State *L, const BufferBox *box) {
	return *box->name ? lua_pushfstring(L, "buffer \"%s\"", box->name) : lua_pushliteral(L, "buffer");
}

static bool among(const char *name, const char *const *names) {
	for (size_t i = 0; names[i]; i++)
		if (strcmp(name, names[i]) == 0) return true;
	return false;
}

void bind_check_keys(lua_State *L, int table, int arg, const char *const *names) {
	table = lua_absindex(L, table);
	for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
		if (lua_type(L, -2) != LUA_TSTRING) {
			bind_bad(L, arg, "fields have names here, { %s = ... }, found a %s as key", names[0] ? names[0] : "name",
					 luaL_typename(L, -2));
			return;
		}
		const char *key = lua_tostring(L, -2);
		if (among(key, names)) continue;
		const char *near = nearest(key, names);
		if (near)
			bind_bad(L, arg, "unknown field '%.60s', did you mean '%s'?", key, near);
		else
			bind_bad(L, arg, "unknown field '%.60s'", key);
	}
}
