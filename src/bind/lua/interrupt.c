/* Ctrl-C.
 *
 * The signal handler sets cancel_flag, which stops whatever a device does, and arms a hook, which raises an error of
 * kind "interrupted" in whatever Lua code runs. The states of a press:
 *
 *     QUIET --press--> PRESSED --raised--> RAISED --host.catch--> CAUGHT
 *       ^-------------- the call of bind_protect ends ---------------'
 *
 * PRESSED  The next instruction of Lua raises it, in gpulab's own modules, too.
 * RAISED   Each instruction of a script raises it again, so that no pcall, loop, message handler or finalizer goes on.
 *          What is called on the way out, such as __close, first has GRACE_US to put things in order.
 * CAUGHT   gpulab's own modules put things in order. They are left alone; a script to which they return is not.
 *
 * Another press starts again from PRESSED. A timer repeats what the handler does, because a press may come just before
 * a system call that waits. Functions of C that take long call bind_look.
 *
 * A single call of Lua's own C library (a pattern on megabytes) runs no Lua and no code of gpulab's. Three presses
 * within three seconds that nothing acted on end it with the program. */
#include <errno.h>
#include <lauxlib.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/proc.h"
#include "bind/bind.h"
#include "bind/internal.h"

enum { TICK_US = 5000, GRACE_US = 20000, LAST_PRESS = 3 };
static const double TOGETHER_S = 3; /* presses further apart do not add up */
static const double BUSY_S = 1;     /* of processor time after which something should have acted on a press */

static volatile sig_atomic_t state;
enum { QUIET, PRESSED, RAISED, CAUGHT };

static lua_State *volatile running;     /* the coroutine that runs; NULL: none */
static volatile sig_atomic_t presses;   /* that nothing acted on yet */
static double first_press, work_before; /* seconds: when the first of them came, processor time until then */
static volatile sig_atomic_t grace;     /* since the press was raised: the timer has not come yet */
static volatile sig_atomic_t deep;      /* the press came in a finalizer, and others may wait */
static int newer;                       /* functions that run and were called since then */
static bool is_known;                   /* how lua_State begins */
static pthread_t lua_thread;
static void (*leave)(void);

/* --- hooks -------------------------------------------------------------------------------------------------------- */

/* Lua calls no hook in a hook, in a finalizer, and in a coroutine that an error in a hook ended; its API has no
 * function that allows them there. What forbids them is a byte of lua_State. In every Lua 5.4 that begins with the
 * header of all objects (a pointer, type, mark), a status, and this byte. */
static unsigned char *hooks_allowed(lua_State *L) {
	return (unsigned char *)L + sizeof(void *) + 3;
}

static bool begins_as_known(lua_State *L) {
	const unsigned char *type = hooks_allowed(L) - 3;
	return type[0] == LUA_TTHREAD && type[2] == LUA_OK && type[3] == 1;
}

/* In the grace functions are counted by their calls and returns. One that an error ends has no return, which no more
 * than prolongs the grace of others. */
static bool is_newer(const lua_Debug *ar) {
	if (ar->event == LUA_HOOKCALL) newer++;
	if (ar->event == LUA_HOOKRET) newer--;
	return ar->event != LUA_HOOKCOUNT || (grace && newer > 0);
}

static void hook(lua_State *L, lua_Debug *ar) {
	if (state == QUIET) lua_sethook(L, NULL, 0, 0); /* a coroutine that did not run in the meantime */
	if (state == QUIET || (state != PRESSED && (is_newer(ar) || bind_is_own(L, ar)))) return;
	bind_raise_interrupted(L);
}

static void arm(lua_State *L) {
	if (!L) return;
	if (is_known && !*hooks_allowed(L)) deep = *hooks_allowed(L) = 1;
	lua_sethook(L, hook, LUA_MASKCOUNT | (grace ? LUA_MASKCALL | LUA_MASKRET : 0), 1);
}

/* --- signals ------------------------------------------------------------------------------------------------------ */

static void tick_after(suseconds_t first, suseconds_t then) {
	const struct itimerval timer = {.it_value.tv_usec = first, .it_interval.tv_usec = then};
	setitimer(ITIMER_REAL, &timer, NULL);
}

static double work_done(void) {
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void press(void) {
	const double now = seconds_now();
	if (!presses || now - first_press > TOGETHER_S) {
		presses = 0;
		first_press = now;
		work_before = work_done();
	}
	presses++;
	state = PRESSED;
	tick_after(TICK_US, TICK_US);
}

/* A worker that is being stopped takes some time, but none of the processor's. */
static bool nothing_acts(void) {
	return state == PRESSED && presses >= LAST_PRESS &&
		   (work_done() - work_before > BUSY_S || seconds_now() - first_press > TOGETHER_S);
}

static _Noreturn void end_program(void) {
	static const char said[] =
		"\ngpulab: one call of a Lua library function did not stop, so the third Ctrl-C ended the program\n";
	if (leave) leave();
	if (write(STDERR_FILENO, said, strlen(said)) < 0) errno = 0; /* the terminal may be gone */
	_exit(ERR_INTERRUPTED);
}

/* SIGINT, and SIGALRM until the press is over. Hooks may be armed by Lua's own thread only. */
static void on_signal(int sig) {
	const int error = errno;
	if (!pthread_equal(pthread_self(), lua_thread)) {
		pthread_kill(lua_thread, sig);
	} else if (sig == SIGINT || state != QUIET) {
		if (sig == SIGINT) press();
		grace = 0;
		if (state != CAUGHT) atomic_store(&cancel_flag, true);
		arm(running);
		if (nothing_acts()) end_program();
	}
	errno = error;
}

void bind_catch_signals(void) {
	struct sigaction action = {.sa_handler = on_signal}; /* no SA_RESTART: a read at the prompt returns */
	lua_thread = pthread_self();
	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGINT);
	sigaddset(&action.sa_mask, SIGALRM);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
}

void bind_interrupt_begin(lua_State *L, void (*at_last_press)(void)) {
	leave = at_last_press;
	is_known = begins_as_known(L);
	bind_catch_signals();
}

static void end_at_once(int sig) {
	(void)sig;
	_exit(ERR_INTERRUPTED);
}

void bind_interrupt_end(void) {
	signal(SIGALRM, SIG_IGN);
	signal(SIGINT, end_at_once);
}

/* --- what becomes of a press -------------------------------------------------------------------------------------- */

bool bind_interrupted(void) {
	return state != QUIET;
}

bool bind_interrupt_unheard(void) {
	return state == PRESSED;
}

void bind_interrupt_heard(void) {
	if (state == QUIET) return;
	if (state != RAISED) {
		grace = 1;
		tick_after(GRACE_US, TICK_US);
	}
	presses = newer = 0;
	state = RAISED;
	atomic_store(&cancel_flag, false);
	arm(running); /* message handlers run before the error goes anywhere */
}

_Noreturn void bind_raise_interrupted(lua_State *L) {
	bind_interrupt_heard();
	bind_push_error(L, ERR_INTERRUPTED, "interrupted", "", "");
	lua_error(L);
	abort(); /* not reached */
}

void bind_look(lua_State *L) {
	if (state == PRESSED) bind_raise_interrupted(L);
}

/* gpu.raise can make such an error, too. */
bool bind_is_interrupt(lua_State *L, int idx) {
	if (!lua_istable(L, idx)) return false;
	idx = lua_absindex(L, idx);
	lua_pushliteral(L, "kind");
	lua_rawget(L, idx); /* a script's error may have metamethods */
	bool is = lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), bind_kind_name(ERR_INTERRUPTED)) == 0;
	lua_pop(L, 1);
	return is;
}

bool bind_is_passing(lua_State *L) {
	return state == RAISED || (state == CAUGHT && bind_is_interrupt(L, -1));
}

void bind_interrupt_caught(lua_State *L) {
	if (state != RAISED) return;
	state = CAUGHT;
	tick_after(0, 0);
	atomic_store(&cancel_flag, false);
	arm(L);
	if (bind_is_interrupt(L, -1)) return;
	bind_push_error(L, ERR_INTERRUPTED, "interrupted", "", ""); /* a __close has put another in its place */
	lua_replace(L, -2);
}

bool bind_interrupt_forget(void) {
	const bool was_caught = state == QUIET || state == CAUGHT;
	if (running && deep) lua_gc(running, LUA_GCCOLLECT); /* as long as a press keeps them from beginning (catch.c) */
	if (state != QUIET) tick_after(0, 0);
	state = QUIET;
	presses = deep = 0;
	atomic_store(&cancel_flag, false);
	if (running) lua_sethook(running, NULL, 0, 0);
	return !was_caught;
}

lua_State *bind_run_in(lua_State *L) {
	lua_State *outer = running;
	running = L;
	if (state != QUIET) arm(L);
	return outer;
}
