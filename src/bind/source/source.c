/* The module gpulab.source: what the readers of C know of code. Not for labs.
 *
 *     source.arguments("_Z4tileILi33EEvPfPKfi")   {"33"}: of a template's instance, as far as they are understood
 *     source.variable("_ZZ4tilePfE5cache")        "cache"
 *     source.ptx(text)                            ptx.c */
#include <string.h>

#include "base/text/mangled.h"
#include "bind/source/source.h"

static int source_arguments(lua_State *L) {
	const char *linked = luaL_checkstring(L, 1);
	Str *texts = bind_str(L);
	const size_t n = mangled_arguments(linked, texts);
	const char *at = texts->text;
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++, at += strlen(at) + 1) {
		lua_pushstring(L, at);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

static int source_variable(lua_State *L) {
	char name[128];
	mangled_variable(luaL_checkstring(L, 1), name, sizeof name);
	lua_pushstring(L, name);
	return 1;
}

int bind_source_module(lua_State *L) {
	static const luaL_Reg functions[] = {METHODS(source, arguments, variable, ptx), METHODS_END};
	luaL_newlib(L, functions);
	return 1;
}
