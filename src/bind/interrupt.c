/* Ctrl-C. The handler only sets flags and arms a hook: the hook raises in whatever Lua code runs next, and device_cancel stops
 * whatever a device does.
 *
 * One press raises once, so that code may catch it and tidy up. A second press before the prompt is reached again keeps raising
 * until it is: a loop around pcall cannot swallow it. Where four in a row were not heard nothing listens any more, and the
 * process ends. */
#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "bind/bind.h"
#include "bind/internal.h"

enum { PERSISTS = 2, GIVES_UP = 4 };

/* Coroutines have hooks of their own, so those being resumed form a list, the innermost first, that lives on the C stack. */
typedef struct Running {
	lua_State *L;
	struct Running *outer;
} Running;

static Running *volatile running;
static volatile sig_atomic_t presses; /* since the last prompt */
static volatile sig_atomic_t unheard; /* since something last acted on one */
static pthread_t lua_thread;

static void disarm(void) {
	for (Running *r = running; r; r = r->outer) lua_sethook(r->L, NULL, 0, 0);
}

static void raise_interrupted(lua_State *L) {
	bind_push_error(L, ERR_INTERRUPTED, "interrupted", "", "");
	lua_error(L);
}

void bind_interrupt_heard(void) {
	unheard = 0;
	atomic_store(&device_cancel, false);
	if (presses < PERSISTS) disarm();
}

static void hook(lua_State *L, lua_Debug *ar) {
	(void)ar;
	bind_interrupt_heard();
	if (presses < PERSISTS) lua_sethook(L, NULL, 0, 0);
	raise_interrupted(L);
}

static void on_sigint(int sig) {
	if (!pthread_equal(pthread_self(), lua_thread)) { /* hooks may be armed by Lua's own thread only */
		pthread_kill(lua_thread, sig);
		return;
	}
	presses++;
	if (++unheard >= GIVES_UP) _exit(ERR_INTERRUPTED);
	atomic_store(&device_cancel, true);
	for (Running *r = running; r; r = r->outer)
		lua_sethook(r->L, hook, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

bool bind_interrupted(void) {
	return presses > 0;
}

void bind_interrupt_forget(void) {
	presses = unheard = 0;
	atomic_store(&device_cancel, false);
	disarm();
}

/* --- coroutines that can be interrupted: as Lua's own, but listed while they run ---------------------------------------------- */

static int resume(lua_State *L, lua_State *co, int nargs) {
	if (!lua_checkstack(co, nargs)) {
		lua_pushliteral(L, "too many arguments to resume");
		return -1;
	}
	lua_xmove(L, co, nargs);
	int nresults;
	Running self = {.L = co, .outer = running};
	running = &self;
	int status = lua_resume(co, L, nargs, &nresults);
	running = self.outer;
	if (status != LUA_OK && status != LUA_YIELD) {
		lua_xmove(co, L, 1);
		return -1;
	}
	if (!lua_checkstack(L, nresults + 1)) {
		lua_pop(co, nresults);
		lua_pushliteral(L, "too many results to resume");
		return -1;
	}
	lua_xmove(co, L, nresults);
	return nresults;
}

static int co_resume(lua_State *L) {
	lua_State *co = lua_tothread(L, 1);
	luaL_argexpected(L, co, 1, "coroutine");
	int n = resume(L, co, lua_gettop(L) - 1);
	lua_pushboolean(L, n >= 0);
	if (n < 0) n = 1;
	lua_insert(L, -(n + 1));
	return n + 1;
}

static int co_wrapped(lua_State *L) {
	lua_State *co = lua_tothread(L, lua_upvalueindex(1));
	int n = resume(L, co, lua_gettop(L));
	if (n >= 0) return n;
	int status = lua_status(co);
	if (status != LUA_OK && status != LUA_YIELD) { /* the error happened inside: close what it left open */
		status = lua_resetthread(co);
		lua_xmove(co, L, 1);
	}
	if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
		luaL_where(L, 1);
		lua_insert(L, -2);
		lua_concat(L, 2);
	}
	return lua_error(L);
}

static int co_wrap(lua_State *L) {
	luaL_checktype(L, 1, LUA_TFUNCTION);
	lua_State *co = lua_newthread(L);
	lua_pushvalue(L, 1);
	lua_xmove(L, co, 1);
	lua_pushcclosure(L, co_wrapped, 1);
	return 1;
}

static void replace_coroutines(lua_State *L) {
	lua_getglobal(L, LUA_COLIBNAME);
	lua_pushcfunction(L, co_resume);
	lua_setfield(L, -2, "resume");
	lua_pushcfunction(L, co_wrap);
	lua_setfield(L, -2, "wrap");
	lua_pop(L, 1);
}

/* --- the state ---------------------------------------------------------------------------------------------------------------- */

static int traceback(lua_State *L) {
	if (lua_type(L, 1) == LUA_TTABLE) return 1; /* an error object says where by itself */
	const char *message = lua_tostring(L, 1);
	if (!message && luaL_callmeta(L, 1, "__tostring") && lua_type(L, -1) == LUA_TSTRING) return 1;
	if (!message) message = lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, 1));
	luaL_traceback(L, L, message, 1);
	return 1;
}

int bind_protect(lua_State *L, int nargs, int nresults) {
	int base = lua_gettop(L) - nargs;
	lua_pushcfunction(L, traceback);
	lua_insert(L, base);
	Running self = {.L = L, .outer = running}, *outer = running;
	bool outermost = !outer;
	if (outermost) running = &self;
	int status = lua_pcall(L, nargs, nresults, base);
	running = outer; /* also where an error left coroutines behind */
	lua_sethook(L, NULL, 0, 0);
	if (presses) bind_interrupt_forget();
	lua_remove(L, base);
	return status;
}

static void catch_sigint(void) {
	struct sigaction action;
	lua_thread = pthread_self();
	memset(&action, 0, sizeof action);
	action.sa_handler = on_sigint;
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL); /* no SA_RESTART: a read at the prompt returns */
}

lua_State *bind_new(void) {
	lua_State *L = luaL_newstate();
	if (!L) return NULL;
	luaL_openlibs(L);
	replace_coroutines(L);
	bind_searcher(L);
	catch_sigint();
	return L;
}

void bind_free(lua_State *L) {
	lua_close(L);
}
