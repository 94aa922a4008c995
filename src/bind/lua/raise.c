/* An Err as a Lua error; one that Ctrl-C caused has become an error with it. */
#include "bind/bind.h"
#include "bind/internal.h"

int bind_raise(lua_State *L, const Err *err) {
	if (err->kind == ERR_INTERRUPTED) bind_interrupt_heard();
	bind_push_error(L, err->kind, err->what, err->where, err->hint);
	return lua_error(L);
}

static Err current;

Err *bind_err(void) {
	current = (Err)ERR_INIT;
	return &current;
}

void bind_must(lua_State *L, bool ok) {
	if (!ok) bind_raise(L, &current);
}
