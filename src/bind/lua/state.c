/* The Lua state of the program. */
#include <lualib.h>

#include "bind/bind.h"
#include "bind/internal.h"

lua_State *bind_new(void) {
	lua_State *L = luaL_newstate();
	if (!L) return NULL;
	luaL_openlibs(L);
	bind_limit_memory(L);
	bind_replace_catching(L);
	bind_replace_chunk_files(L);
	bind_replace_coroutines(L);
	bind_replace_patterns(L);
	bind_replace_strings(L);
	bind_replace_tables(L);
	bind_searcher(L);
	bind_catch_signals();
	return L;
}

void bind_free(lua_State *L) {
	lua_close(L);
}
