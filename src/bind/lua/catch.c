/* pcall, xpcall, load and os.execute, which Ctrl-C passes through: Lua's own would make it an error among others, which
 * a loop around them survives. */
#include <errno.h>
#include <lualib.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>

#include "base/proc.h"
#include "bind/bind.h"
#include "bind/internal.h"

static lua_CFunction lua_load_chunk, lua_execute; /* Lua's own */

/* ctx: how many values below the results are none of them. */
static int finish(lua_State *L, int status, lua_KContext ctx) {
	const bool good = status == LUA_OK || status == LUA_YIELD;
	if (!good && bind_caught_press(L)) return lua_error(L);
	luaL_checkstack(L, 1, "too many results");
	lua_pushboolean(L, good);
	lua_insert(L, (int)ctx + 1);
	return lua_gettop(L) - (int)ctx;
}

static int protected_call(lua_State *L) {
	luaL_checkany(L, 1);
	return finish(L, lua_pcallk(L, lua_gettop(L) - 1, LUA_MULTRET, 0, 0, finish), 0);
}

/* The handler comes below the function. */
static int protected_call_with_handler(lua_State *L) {
	luaL_checktype(L, 2, LUA_TFUNCTION);
	lua_pushvalue(L, 1);
	lua_copy(L, 2, 1);
	lua_replace(L, 2);
	return finish(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 1, 1, finish), 1);
}

/* load catches what the function that gives it pieces raises. A long text is given in pieces, too, so that Ctrl-C comes
 * between them. */
static int next_piece(lua_State *L) {
	enum { PIECE = 1 << 16 };
	size_t len, at = (size_t)lua_tointeger(L, lua_upvalueindex(2));
	const char *text = lua_tolstring(L, lua_upvalueindex(1), &len);
	bind_look(L);
	lua_pushlstring(L, text + at, len - at < PIECE ? len - at : PIECE);
	lua_pushinteger(L, (lua_Integer)(at + lua_rawlen(L, -1)));
	lua_replace(L, lua_upvalueindex(2));
	return 1;
}

static int load_chunk(lua_State *L) {
	enum { LONG = 1 << 20 };
	if (lua_type(L, 1) == LUA_TSTRING && lua_rawlen(L, 1) > LONG) {
		if (lua_gettop(L) < 2) lua_settop(L, 2);
		if (lua_isnil(L, 2)) lua_pushvalue(L, 1), lua_replace(L, 2); /* its name */
		lua_pushvalue(L, 1);
		lua_pushinteger(L, 0);
		lua_pushcclosure(L, next_piece, 2);
		lua_replace(L, 1);
	}
	int n = lua_load_chunk(L);
	if (n == 2 && lua_isnil(L, -2) && bind_caught_press(L)) return lua_error(L);
	return n;
}

static bool died_of_a_press(int status) {
	return WIFSIGNALED(status) ? WTERMSIG(status) == SIGINT : WEXITSTATUS(status) == 128 + SIGINT;
}

/* A press while a command runs is the command's: one that is still there soon afterwards does with it what it likes, as
 * a shell has it. A press that came before the command was there is handed on. True: the caller ends, too. */
static bool wait_for_command(pid_t pid, int *status) {
	const double soon = 0.25;
	double pressed = 0;
	if (bind_interrupt_unheard()) kill(pid, SIGINT);
	while (waitpid(pid, status, 0) < 0 && errno == EINTR)
		if (bind_interrupt_unheard() && !pressed) pressed = seconds_now();
	if (died_of_a_press(*status)) return true;
	if (!bind_interrupt_unheard()) return false;
	if (!pressed || seconds_now() - pressed < soon) return true;
	bind_interrupt_forget();
	return false;
}

/* Not by system(), which ignores Ctrl-C from before it starts the command: a press in between would be lost. */
static int execute(lua_State *L) {
	const char *command = luaL_optstring(L, 1, NULL);
	if (!command) return lua_execute(L);
	char shell[] = "/bin/sh", option[] = "-c";
	char *const argv[] = {shell, option, (char *)(uintptr_t)command, NULL};
	const ProcStart start = {.path = shell, .argv = argv, .fds = (const int[]){0, 1, 2}, .nfds = 3};
	const struct sigaction ignored = {.sa_handler = SIG_IGN};
	struct sigaction quit;
	pid_t pid;
	int status = 0;
	bind_look(L);
	bind_must(L, proc_start(&start, &pid, bind_err()));
	sigaction(SIGQUIT, &ignored, &quit); /* Ctrl-\\, too, is the command's */
	const bool ended = wait_for_command(pid, &status);
	sigaction(SIGQUIT, &quit, NULL);
	if (ended) {
		if (!bind_interrupt_unheard()) bind_interrupt_pressed();
		bind_raise_interrupted(L);
	}
	errno = 0;
	return luaL_execresult(L, status);
}

void bind_replace_catching(lua_State *L) {
	lua_pushglobaltable(L);
	bind_replace(L, "pcall", protected_call);
	bind_replace(L, "xpcall", protected_call_with_handler);
	lua_load_chunk = bind_replace(L, "load", load_chunk);
	lua_getfield(L, -1, LUA_OSLIBNAME);
	lua_execute = bind_replace(L, "execute", execute);
	lua_pop(L, 2);
}
