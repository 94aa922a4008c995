/* bind_protect: a call whose errors, Ctrl-C and lack of memory become a status. */
#include "bind/bind.h"
#include "bind/internal.h"

/* An error object says where by itself; anything else as text, and where it was raised. */
static int traceback(lua_State *L) {
	if (lua_istable(L, 1)) return 1;
	const char *message = luaL_tolstring(L, 1, NULL);
	luaL_traceback(L, L, lua_isnil(L, 1) ? "an error without a message" : message, 1);
	return 1;
}

/* What the call left on the stack is replaced by an error that says why there is no memory. */
static int out_of_memory(lua_State *L) {
	bind_push_memory_error(L);
	return 1;
}

static int interrupted_after_all(lua_State *L) {
	bind_interrupt_heard();
	bind_push_error(L, ERR_INTERRUPTED, "interrupted", "", "");
	return 1;
}

int bind_protect(lua_State *L, int nargs, int nresults) {
	int base = lua_gettop(L) - nargs;
	lua_pushcfunction(L, traceback);
	lua_insert(L, base);
	Running self = {.L = L, .outer = bind_running()}, *outer = self.outer;
	bool outermost = !outer;
	if (outermost) {
		bind_set_running(&self);
		bind_memory_begin(L);
		bind_catch_signals();
		bind_interrupt_arm_again(); /* pressed before there was anything to stop */
	}
	int status = lua_pcall(L, nargs, nresults, base);
	bind_set_running(outer); /* also where an error left coroutines behind */
	lua_remove(L, base);
	lua_CFunction instead = status == LUA_ERRMEM ? out_of_memory : NULL;
	if (outermost && bind_interrupt_unheard())
		instead = interrupted_after_all; /* too late to stop anything, but not for nothing */
	if (outermost) lua_sethook(L, NULL, 0, 0);
	if (instead) {
		lua_settop(L, base - 1);
		bind_memory_begin(L);
		lua_pushcfunction(L, instead);
		status = lua_pcall(L, 0, 1, 0) == LUA_OK ? LUA_ERRRUN : LUA_ERRMEM;
	}
	if (status != LUA_OK && (bind_caught_press(L) || outermost)) bind_interrupt_forget();
	return status;
}
