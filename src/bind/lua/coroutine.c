/* coroutine.resume and wrap over Lua's own: a coroutine is listed while it runs, so that Ctrl-C reaches it. */
#include <lualib.h>

#include "bind/internal.h"

static lua_CFunction lua_create, lua_resume_own; /* Lua's own */

/* A protected call, so that the list is in order whatever happens, out of memory included. */
static int resume(lua_State *L) {
	lua_State *co = lua_tothread(L, 1);
	if (!co) return lua_resume_own(L); /* raises */
	Running self = {.L = co, .outer = bind_running()};
	lua_pushcfunction(L, lua_resume_own);
	lua_insert(L, 1);
	bind_set_running(&self);
	const int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
	bind_set_running(self.outer);
	if (status != LUA_OK || (!lua_toboolean(L, 1) && bind_caught_press(L))) return lua_error(L);
	return lua_gettop(L);
}

/* What it raised is raised again; a coroutine that ended by an error closes what it left open. */
static int wrapped(lua_State *L) {
	lua_State *co = lua_tothread(L, lua_upvalueindex(1));
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	resume(L);
	if (lua_toboolean(L, 1)) return lua_gettop(L) - 1;
	if (lua_status(co) > LUA_YIELD) {
		lua_pushvalue(L, -1);
		lua_xmove(L, co, 1);
		lua_resetthread(co);
		lua_xmove(co, L, 1);
	}
	return lua_error(L);
}

static int wrap(lua_State *L) {
	luaL_checktype(L, 1, LUA_TFUNCTION);
	lua_create(L);
	lua_pushcclosure(L, wrapped, 1);
	return 1;
}

void bind_replace_coroutines(lua_State *L) {
	lua_getglobal(L, LUA_COLIBNAME);
	lua_getfield(L, -1, "create");
	lua_create = lua_tocfunction(L, -1);
	lua_pop(L, 1);
	lua_resume_own = bind_replace(L, "resume", resume);
	bind_replace(L, "wrap", wrap);
	lua_pop(L, 1);
}
