/* line.h: gpulab itself waits for a key, whichever the editor is: Ctrl-C ends the wait at once, and it can wait for
 * other events, too. */
#include "repl/line.h"

#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/proc.h"
#include "bind/bind.h"
#include "repl/editor.h"
#include "repl/history.h"
#include "repl/terminal.h"

/* One prompt at a time is read. */
static struct {
	lua_State *L;
	int completer; /* reference to the Lua function complete(line, point, word) */
	bool opened;
	bool history_broken; /* said so once */
	char *history;
	/* The other event source: look(), called when fd is readable and when its time has come. */
	int look; /* reference to the Lua function, or LUA_NOREF */
	int fd;   /* -1: none */
	double look_at;
	sigset_t unblocked; /* the signals unblocked while waiting */
	int keys;           /* the terminal, not blocking; -1: could not be opened again */
} prompt = {.completer = LUA_NOREF, .look = LUA_NOREF, .fd = -1, .keys = -1};

static const char LEAVE_LINE[] = "\033[?2004l\r\n"; /* no bracketed paste; the line stays on the screen */

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void say_interrupted(void) {
	fflush(stdout);
	fputs("interrupted\n", stderr);
	fflush(stderr);
}

/* Runs the function on top of the stack between two keys. The line being typed is taken off the screen and drawn
 * again below what the function printed; the terminal stays as the editor has it, so that keys typed in the meantime
 * are read afterwards. */
static void interlude(void) {
	sigset_t blocked;
	editor_hide();
	pthread_sigmask(SIG_SETMASK, &prompt.unblocked, &blocked); /* Ctrl-C stops what runs */
	const bool ok = bind_protect(prompt.L, 0, 0) == LUA_OK;
	if (!ok && bind_is_interrupt(prompt.L, -1)) say_interrupted(); /* before it could say so itself */
	pthread_sigmask(SIG_SETMASK, &blocked, NULL);
	fflush(stdout);
	editor_show();
}

/* look() -> something to run now, or nil, and the seconds until the next call, or nil: not before fd is readable. One
 * that raises is not called again. It may compile, so Ctrl-C ends it, and then the line, too. */
static void look(void) {
	lua_State *L = prompt.L;
	int top = lua_gettop(L);
	if (!lua_checkstack(L, 8)) return;
	lua_rawgeti(L, LUA_REGISTRYINDEX, prompt.look);
	sigset_t blocked;
	pthread_sigmask(SIG_SETMASK, &prompt.unblocked, &blocked);
	bool ok = bind_protect(L, 0, 2) == LUA_OK;
	pthread_sigmask(SIG_SETMASK, &blocked, NULL);
	const bool pressed = !ok && bind_is_interrupt(L, -1);
	prompt.look_at = ok && lua_isnumber(L, -1) ? seconds_now() + lua_tonumber(L, -1) : pressed ? 0 : HUGE_VAL;
	if (pressed) raise(SIGINT); /* the line's, too: it comes at the next wait */
	if (!ok && !pressed) prompt.fd = -1;
	if (ok) lua_pop(L, 1);
	if (ok && lua_isfunction(L, -1)) {
		interlude();
		prompt.look_at = 0; /* what was saved in the meantime */
	}
	lua_settop(L, top);
}

/* The time left until the next look; NULL: no end. */
static const struct timespec *time_left(struct timespec *left) {
	if (prompt.look == LUA_NOREF || prompt.look_at > 1e15) return NULL;
	double seconds = prompt.look_at - seconds_now();
	if (seconds < 0) seconds = 0;
	left->tv_sec = (time_t)seconds;
	left->tv_nsec = (long)((seconds - (double)left->tv_sec) * 1e9);
	return left;
}

/* The terminal as the shell knows it while the program is stopped, and the line drawn again afterwards; also after a
 * stop from outside. */
static void stop_if_wanted(void) {
	const bool wanted = terminal_stop_wanted();
	if (!wanted && !terminal_continued()) return;
	editor_give_terminal();
	terminal_given_back();
	if (wanted) terminal_stop();
	terminal_taken(LEAVE_LINE);
	editor_take_terminal();
}

/* A signal ended the wait: Ctrl-Z, or the window has another size. */
static void woken(void) {
	stop_if_wanted();
	if (terminal_resized()) editor_resized();
}

/* ppoll says that there is input and leaves a signal that came before it waiting: it comes first. */
static void let_signals_in(void) {
	sigset_t blocked;
	pthread_sigmask(SIG_SETMASK, &prompt.unblocked, &blocked);
	pthread_sigmask(SIG_SETMASK, &blocked, NULL);
}

static bool wait_key(void) {
	while (!bind_interrupted()) {
		struct timespec left;
		struct pollfd input[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = prompt.fd, .events = POLLIN}};
		int ready = ppoll(input, 2, time_left(&left), &prompt.unblocked);
		if (ready < 0 && errno != EINTR) return false;
		if (ready < 0) woken();
		if (ready > 0) let_signals_in();
		if (bind_interrupted()) return false;
		if (ready > 0 && input[0].revents) return true;
		if (prompt.look != LUA_NOREF && ready >= 0) look();
	}
	return false;
}

/* The terminal discards typed input at Ctrl-C, so the key that poll announced may be gone by now: the read must not
 * wait, and this wait, too, unblocks SIGINT. prompt.keys is the terminal opened once more, because O_NONBLOCK on
 * standard input itself would be shared with the parent process. */
static int read_byte(void) {
	struct pollfd input = {.fd = prompt.keys < 0 ? STDIN_FILENO : prompt.keys, .events = POLLIN};
	while (!bind_interrupted()) {
		unsigned char key;
		int ready = ppoll(&input, 1, NULL, &prompt.unblocked);
		if (ready < 0 && errno != EINTR) return EDITOR_END;
		if (ready < 0) woken();
		if (ready <= 0) continue;
		let_signals_in();
		if (bind_interrupted()) break;
		ssize_t n = read(input.fd, &key, 1);
		if (n == 1) return key;
		if (n == 0 || (errno != EAGAIN && errno != EINTR)) return EDITOR_END;
	}
	return EDITOR_INTERRUPTED;
}

/* False: Ctrl-C came first. SIGINT is unblocked only while waiting, so that none is lost between the check and the
 * wait. */
static bool wait_for_line(const char *text, char **line) {
	sigset_t sigint;
	sigemptyset(&sigint);
	sigaddset(&sigint, SIGINT);
	pthread_sigmask(SIG_BLOCK, &sigint, &prompt.unblocked);
	terminal_watch();
	terminal_taken(LEAVE_LINE);
	prompt.look_at = 0;
	*line = editor_read(text);
	terminal_watch_no_more();
	bool interrupted = bind_interrupted(); /* the line, if there is one, ends where reading a key failed */
	pthread_sigmask(SIG_SETMASK, &prompt.unblocked, NULL);
	return !interrupted;
}

/* read(prompt) -> line; nil at the end of input; false if Ctrl-C abandoned the line */
static int line_read(lua_State *L) {
	const char *text = luaL_checkstring(L, 1);
	char *line = NULL;
	prompt.L = L;
	bind_interrupt_forget();
	bind_catch_signals(); /* libraries install handlers of their own */
	if (!wait_for_line(text, &line)) {
		free(line);
		editor_abandon();
		bind_interrupt_forget();
		lua_pushboolean(L, false);
		return 1;
	}
	lua_pushstring(L, line); /* nil for NULL */
	free(line);
	return 1;
}

/* watch(look, fd): look is called while lines are read, at first and when fd (may be nil) can be read; nil: no
 * longer */
static int line_watch(lua_State *L) {
	int fd = (int)luaL_optinteger(L, 2, -1);
	if (!lua_isnoneornil(L, 1)) luaL_checktype(L, 1, LUA_TFUNCTION);
	lua_settop(L, 1);
	luaL_unref(L, LUA_REGISTRYINDEX, prompt.look);
	prompt.look = LUA_NOREF;
	prompt.fd = -1;
	if (lua_isnil(L, 1)) return 0;
	prompt.look = luaL_ref(L, LUA_REGISTRYINDEX);
	prompt.fd = fd;
	prompt.look_at = 0;
	return 0;
}

/* --- completion --------------------------------------------------------------------------------------------------- */

/* Takes the strings of the table on top of the stack. */
static void take_matches(lua_State *L, EditorMatches *found) {
	size_t n = (size_t)lua_rawlen(L, -1);
	found->words = calloc(n + 1, sizeof *found->words);
	for (size_t i = 0; i < n && found->words; i++) {
		if (lua_rawgeti(L, -1, (lua_Integer)i + 1) == LUA_TSTRING)
			found->words[found->n++] = strdup(lua_tostring(L, -1));
		lua_pop(L, 1);
	}
}

static EditorMatches matches(const char *line, size_t start, const char *word) {
	lua_State *L = prompt.L;
	EditorMatches found = {0};
	int top = lua_gettop(L);
	if (prompt.completer == LUA_NOREF || !lua_checkstack(L, 8)) return found;
	lua_rawgeti(L, LUA_REGISTRYINDEX, prompt.completer);
	lua_pushlstring(L, line, start);
	lua_pushstring(L, word);
	if (bind_protect(L, 2, 2) == LUA_OK) {
		found.files = lua_isnil(L, -2);
		const char *append = lua_tostring(L, -1);
		found.append = append ? *append : '\0';
		lua_pop(L, 1);
		if (lua_istable(L, -1)) take_matches(L, &found);
	}
	lua_settop(L, top);
	return found;
}

/* Words of a command line end at blanks; words of Lua at operators too, but a.b:c is one. */
static char *word_breaks(const char *line) {
	static char command[] = " \t\n\"'", code[] = " \t\n\"'`><=;+-*/%^~#{}()[],|&!?";
	line += strspn(line, " \t");
	size_t word = strcspn(line, " \t"),
		   letters = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
	bool call = line[word] && strchr("=(", line[word + strspn(line + word, " \t")]);
	return word == letters && line[word] && !call ? command : code;
}

/* --- set-up ------------------------------------------------------------------------------------------------------- */

static int line_remember(lua_State *L) {
	Err err = ERR_INIT;
	const char *entry = luaL_checkstring(L, 1);
	if (history_append(prompt.history, entry, &err) || prompt.history_broken) return 0;
	prompt.history_broken = true;
	lua_pushstring(L, err.what);
	return 1;
}

/* open(completer) -> nil or what is wrong with the history file. Starts the editor on the terminal. */
static int line_open(lua_State *L) {
	Err err = ERR_INIT;
	luaL_checktype(L, 1, LUA_TFUNCTION);
	luaL_unref(L, LUA_REGISTRYINDEX, prompt.completer);
	lua_settop(L, 1);
	prompt.completer = luaL_ref(L, LUA_REGISTRYINDEX);
	if (prompt.opened) return 0;
	prompt.opened = true;
	setlocale(LC_CTYPE, ""); /* so that the editor knows characters of several bytes */
	prompt.keys = open("/proc/self/fd/0", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	static const EditorCalls calls = {wait_key, read_byte, matches, word_breaks};
	editor_open(&calls);
	prompt.history = history_path();
	if (!prompt.history || history_load(prompt.history, &err)) return 0;
	lua_pushstring(L, err.what);
	return 1;
}

int line_module(lua_State *L) {
	static const luaL_Reg functions[] = {
		{"open", line_open}, {"read", line_read}, {"remember", line_remember}, {"watch", line_watch}, {NULL, NULL}};
	luaL_newlib(L, functions);
	return 1;
}
