/* The Lua state of the program. */
#include <lualib.h>

#include "bind/bind.h"
#include "bind/internal.h"

lua_State *bind_new(void (*at_last_press)(void)) {
	lua_State *L = luaL_newstate();
	if (!L) return NULL;
	luaL_openlibs(L);
	bind_limit_memory(L);
	bind_replace_catching(L);
	bind_replace_chunk_files(L);
	bind_own(L);
	bind_interrupt_begin(L, at_last_press);
	return L;
}

void bind_free(lua_State *L) {
	bind_interrupt_end();
	lua_close(L);
}
