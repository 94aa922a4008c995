/* Ctrl-C. The handler only sets flags and arms a hook: the hook raises in whatever Lua code runs next, and
 * cancel_flag stops whatever a device does. Functions of C that may take long call bind_look themselves (strings.c).
 *
 * One press raises once, and pcall does not catch it: a loop around pcall ends. gpulab's own Lua catches it where it
 * has to put something in order first (host.catch); a second press before the prompt is reached again keeps raising
 * until it is.
 *
 * A press may come just before a system call that waits, or before a coroutine has its hook. So as long as it was not
 * heard a timer repeats it. */
#include <errno.h>
#include <lauxlib.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "base/cancel.h"
#include "bind/bind.h"
#include "bind/internal.h"

enum { PERSISTS = 2, REPEAT_US = 20000 };

static Running *volatile running;
static volatile sig_atomic_t presses; /* since the last prompt */
static volatile sig_atomic_t unheard; /* is there one that nothing acted on yet? */
static bool raised;                   /* and not caught yet, whatever became of the error object on its way */
static pthread_t lua_thread;
static sigjmp_buf *volatile way_out; /* of what may be left at any moment */

static void disarm(void) {
	for (Running *r = running; r; r = r->outer) lua_sethook(r->L, NULL, 0, 0);
}

static void repeat_every(suseconds_t us) {
	const struct itimerval timer = {.it_interval.tv_usec = us, .it_value.tv_usec = us};
	setitimer(ITIMER_REAL, &timer, NULL);
}

void bind_interrupt_heard(void) {
	if (unheard) repeat_every(0);
	unheard = 0;
	atomic_store(&cancel_flag, false);
	if (presses < PERSISTS) disarm();
}

_Noreturn void bind_raise_interrupted(lua_State *L) {
	bind_interrupt_heard();
	if (presses < PERSISTS) lua_sethook(L, NULL, 0, 0);
	raised = true;
	bind_push_error(L, ERR_INTERRUPTED, "interrupted", "", "");
	lua_error(L);
	abort(); /* not reached */
}

static void hook(lua_State *L, lua_Debug *ar) {
	bind_raise_interrupted(L);
}

static void arm(void) {
	atomic_store(&cancel_flag, true);
	for (Running *r = running; r; r = r->outer)
		lua_sethook(r->L, hook, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

void bind_interrupt_pressed(void) {
	presses++;
}

/* SIGINT, and SIGALRM as long as that was not heard. Hooks may be armed by Lua's own thread only. */
static void on_signal(int sig) {
	const int error = errno;
	if (!pthread_equal(pthread_self(), lua_thread)) {
		pthread_kill(lua_thread, sig);
	} else if (sig == SIGINT) {
		presses++;
		unheard = 1;
		arm();
		repeat_every(REPEAT_US);
	} else if (unheard) {
		arm();
	}
	errno = error;
	if (unheard && way_out && pthread_equal(pthread_self(), lua_thread)) siglongjmp(*way_out, 1);
}

bool bind_leaving_at_press(void (*work)(void *data), void *data) {
	sigjmp_buf here;
	const bool left = sigsetjmp(here, 1);
	way_out = left ? NULL : &here;
	if (!left && !unheard) work(data);
	way_out = NULL;
	return !unheard;
}

bool bind_interrupted(void) {
	return presses > 0;
}

bool bind_interrupt_unheard(void) {
	return unheard;
}

void bind_look(lua_State *L) {
	if (unheard) bind_raise_interrupted(L);
}

Running *bind_running(void) {
	return running;
}

void bind_set_running(Running *innermost) {
	running = innermost;
}

void bind_interrupt_arm_again(void) {
	if (unheard) arm();
}

void bind_interrupt_forget(void) {
	if (unheard) repeat_every(0);
	presses = unheard = 0;
	raised = false;
	atomic_store(&cancel_flag, false);
	disarm();
}

bool bind_is_interrupt(lua_State *L, int idx) {
	if (!lua_istable(L, idx)) return false;
	idx = lua_absindex(L, idx);
	lua_getfield(L, idx, "kind");
	bool is = lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), bind_kind_name(ERR_INTERRUPTED)) == 0;
	lua_pop(L, 1);
	return is;
}

/* gpu.raise can make such an error, too; and a message handler or a __close may have put another in a press's place. */
bool bind_caught_press(lua_State *L) {
	if (!presses || !(raised || bind_is_interrupt(L, -1))) return false;
	if (bind_is_interrupt(L, -1)) return true;
	bind_push_error(L, ERR_INTERRUPTED, "interrupted", "", "");
	lua_replace(L, -2);
	return true;
}

void bind_catch_signals(void) {
	struct sigaction action;
	lua_thread = pthread_self();
	memset(&action, 0, sizeof action);
	action.sa_handler = on_signal;
	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGINT);
	sigaddset(&action.sa_mask, SIGALRM);
	sigaction(SIGINT, &action, NULL); /* no SA_RESTART: a read at the prompt returns */
	sigaction(SIGALRM, &action, NULL);
}
