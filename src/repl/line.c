/* line.h: Readline's callback interface, so that gpulab itself waits for a key: Ctrl-C ends the wait at once, and it
 * can wait for other events, too. */
#include "repl/line.h"

#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/proc.h"
#include "bind/bind.h"
#include "repl/history.h"
#include "repl/terminal.h"

/* Readline has no user pointers; one prompt at a time is read. */
static struct {
	bool done;
	char *line; /* Readline's, or NULL at the end of input */
	lua_State *L;
	int completer;  /* reference to the Lua function complete(line, point, word) */
	char **matches; /* of the current completion */
	size_t nmatches;
	bool opened, read_before;
	bool history_broken; /* said so once */
	char *history;
	/* The other event source: look(), called when fd is readable and when its time has come. */
	int look; /* reference to the Lua function, or LUA_NOREF */
	int fd;   /* -1: none */
	double look_at;
	const sigset_t *unblocked; /* the signals unblocked while waiting */
	int keys;                  /* the terminal, not blocking; -1: could not be opened again */
	bool pasting;              /* between the marks of a bracketed paste */
	size_t mark_seen;          /* bytes of the next mark, as the last keys were */
	int kept_key;              /* read, and to be given to Readline next; 0: none */
} prompt = {.completer = LUA_NOREF, .look = LUA_NOREF, .fd = -1, .keys = -1};

static const char LEAVE_LINE[] = "\033[?2004l\r\n"; /* no bracketed paste; the line stays on the screen */

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void on_line(char *line) {
	prompt.done = true;
	prompt.line = line;
	rl_callback_handler_remove(); /* restores the terminal before anything runs */
	terminal_given_back();
}

static void abandon_line(void) {
	rl_free_line_state();
	rl_callback_sigcleanup();
	rl_callback_handler_remove();
	terminal_given_back();
	rl_echo_signal_char(SIGINT);
	rl_crlf();
	fflush(rl_outstream);
}

static void say_interrupted(void) {
	fflush(stdout);
	fputs("interrupted\n", stderr);
	fflush(stderr);
}

/* Runs the function on top of the stack between two keys. The line being typed is taken off the screen and drawn
 * again below what the function printed; the terminal stays as Readline has it, so that keys typed in the meantime
 * are read afterwards. */
static void interlude(const sigset_t *unblocked) {
	sigset_t blocked;
	rl_clear_visible_line();
	fflush(rl_outstream);
	pthread_sigmask(SIG_SETMASK, unblocked, &blocked); /* Ctrl-C stops what runs */
	const bool ok = bind_protect(prompt.L, 0, 0) == LUA_OK;
	if (!ok && bind_is_interrupt(prompt.L, -1)) say_interrupted(); /* before it could say so itself */
	pthread_sigmask(SIG_SETMASK, &blocked, NULL);
	fflush(stdout);
	rl_on_new_line();
	rl_forced_update_display();
}

/* look() -> something to run now, or nil, and the seconds until the next call, or nil: not before fd is readable. One
 * that raises is not called again. It may compile, so Ctrl-C ends it, and then the line, too. */
static void look(const sigset_t *unblocked) {
	lua_State *L = prompt.L;
	int top = lua_gettop(L);
	if (!lua_checkstack(L, 8)) return;
	lua_rawgeti(L, LUA_REGISTRYINDEX, prompt.look);
	sigset_t blocked;
	pthread_sigmask(SIG_SETMASK, unblocked, &blocked);
	bool ok = bind_protect(L, 0, 2) == LUA_OK;
	pthread_sigmask(SIG_SETMASK, &blocked, NULL);
	const bool pressed = !ok && bind_is_interrupt(L, -1);
	prompt.look_at = ok && lua_isnumber(L, -1) ? seconds_now() + lua_tonumber(L, -1) : pressed ? 0 : HUGE_VAL;
	if (pressed) raise(SIGINT); /* the line's, too: it comes at the next wait */
	if (!ok && !pressed) prompt.fd = -1;
	if (ok) lua_pop(L, 1);
	if (ok && lua_isfunction(L, -1)) {
		interlude(unblocked);
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

static const char *next_mark(void) {
	return prompt.pasting ? "\033[201~" : "\033[200~";
}

/* Follows the marks of a bracketed paste through the keys; returns the key. */
static int passed(int key) {
	prompt.mark_seen = key == next_mark()[prompt.mark_seen] ? prompt.mark_seen + 1 : key == '\033';
	if (!next_mark()[prompt.mark_seen]) {
		prompt.pasting = !prompt.pasting;
		prompt.mark_seen = 0;
	}
	return key;
}

/* The terminal as the shell knows it while the program is stopped, and the line drawn again afterwards; also after a
 * stop from outside. */
static void stop_if_wanted(void) {
	const bool wanted = terminal_stop_wanted();
	if (!wanted && !terminal_continued()) return;
	rl_deprep_terminal();
	terminal_given_back();
	if (wanted) terminal_stop();
	terminal_taken(LEAVE_LINE);
	rl_prep_terminal(1);
	rl_reset_screen_size();
	rl_forced_update_display();
	fflush(rl_outstream);
}

/* A signal ended the wait: Ctrl-Z, or the window has another size. */
static void woken(void) {
	stop_if_wanted();
	if (!terminal_resized()) return;
	rl_resize_terminal();
	fflush(rl_outstream);
}

/* ppoll says that there is input and leaves a signal that came before it waiting: it comes first. */
static void let_signals_in(const sigset_t *unblocked) {
	sigset_t blocked;
	pthread_sigmask(SIG_SETMASK, unblocked, &blocked);
	pthread_sigmask(SIG_SETMASK, &blocked, NULL);
}

/* Readline's read of a key. The terminal discards typed input at Ctrl-C, so the key that poll announced may be gone
 * by now: the read must not wait, and this wait, too, unblocks SIGINT. prompt.keys is the terminal opened once more,
 * because O_NONBLOCK on standard input itself would be shared with the parent process. After Ctrl-C the answer is a
 * failed read, which ends what Readline is doing: a line, a question of its own. A paste first gets the end mark that
 * the terminal discarded: Readline 8.2 does not terminate the text of one whose read fails, and runs past its end. */
static int read_key(FILE *from) {
	struct pollfd input = {.fd = prompt.keys < 0 ? fileno(from) : prompt.keys, .events = POLLIN};
	while (!bind_interrupted()) {
		unsigned char key;
		int ready = ppoll(&input, 1, NULL, prompt.unblocked);
		if (ready < 0 && errno != EINTR) return EOF;
		if (ready < 0) woken();
		if (ready <= 0) continue;
		let_signals_in(prompt.unblocked);
		if (bind_interrupted()) break;
		if (prompt.keys < 0) return passed(rl_getc(from));
		ssize_t n = read(prompt.keys, &key, 1);
		if (n == 1) return passed(key);
		if (n == 0 || (errno != EAGAIN && errno != EINTR)) return EOF;
	}
	return prompt.pasting ? passed(next_mark()[prompt.mark_seen]) : READERR;
}

/* Readline 8.2 loses its stack where an incremental search is ended by the first key of several (Esc, Ctrl-X) and more
 * are there already: it reads on from within itself. The search gets an end of its own first, Ctrl-J, and that key
 * afterwards. */
static int get_key(FILE *from) {
	int key = prompt.kept_key;
	prompt.kept_key = 0;
	if (!key) key = read_key(from);
	if (!RL_ISSTATE(RL_STATE_ISEARCH) || (key != '\033' && key != '\030')) return key;
	prompt.kept_key = key;
	return '\n';
}

/* False: Ctrl-C came first. SIGINT is unblocked only while waiting, so that none is lost between the check and the
 * wait. */
static bool wait_for_line(const char *text) {
	sigset_t sigint, before;
	sigemptyset(&sigint);
	sigaddset(&sigint, SIGINT);
	pthread_sigmask(SIG_BLOCK, &sigint, &before);
	prompt.unblocked = &before;
	terminal_watch();
	terminal_taken(LEAVE_LINE);
	rl_callback_handler_install(text, on_line);
	prompt.look_at = 0;
	while (!prompt.done && !bind_interrupted()) {
		struct timespec left;
		struct pollfd input[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = prompt.fd, .events = POLLIN}};
		int ready = prompt.kept_key ? 1 : ppoll(input, 2, time_left(&left), &before);
		if (ready < 0 && errno != EINTR) break;
		if (ready < 0) woken();
		if (ready > 0) let_signals_in(&before);
		if (bind_interrupted()) break;
		if (ready > 0 && (prompt.kept_key || input[0].revents))
			rl_callback_read_char();
		else if (prompt.look != LUA_NOREF && ready >= 0)
			look(&before);
	}
	terminal_watch_no_more();
	bool interrupted = bind_interrupted(); /* the line, if there is one, ends where get_key failed */
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	prompt.unblocked = NULL;
	return !interrupted;
}

/* read(prompt) -> line; nil at the end of input; false if Ctrl-C abandoned the line */
static int line_read(lua_State *L) {
	const char *text = luaL_checkstring(L, 1);
	prompt.done = false;
	prompt.line = NULL;
	prompt.L = L;
	bind_interrupt_forget();
	bind_catch_signals(); /* libraries install handlers of their own */
	prompt.pasting = false;
	prompt.mark_seen = 0;
	prompt.kept_key = 0;
	if (prompt.read_before) rl_reset_screen_size(); /* an editor may have had the terminal, and a window other sizes */
	prompt.read_before = true;
	if (!wait_for_line(text)) {
		free(prompt.line);
		abandon_line();
		bind_interrupt_forget();
		lua_pushboolean(L, false);
		return 1;
	}
	if (!prompt.line) {
		lua_pushnil(L);
		return 1;
	}
	lua_pushstring(L, prompt.line);
	free(prompt.line);
	prompt.line = NULL;
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

static char *next_match(const char *text, int state) {
	static size_t at;
	(void)text;
	if (state == 0) at = 0;
	return at < prompt.nmatches ? prompt.matches[at++] : NULL; /* Readline frees each */
}

/* Takes the strings of the table on top of the stack. */
static void take_matches(lua_State *L) {
	size_t n = (size_t)lua_rawlen(L, -1);
	prompt.matches = calloc(n + 1, sizeof *prompt.matches);
	prompt.nmatches = 0;
	for (size_t i = 0; i < n && prompt.matches; i++) {
		if (lua_rawgeti(L, -1, (lua_Integer)i + 1) == LUA_TSTRING)
			prompt.matches[prompt.nmatches++] = strdup(lua_tostring(L, -1));
		lua_pop(L, 1);
	}
}

/* The Lua completer returns a list of whole words and what to append to a single one; nil leaves it to file names. */
static char **complete(const char *text, int start, int end) {
	lua_State *L = prompt.L;
	char **found = NULL;
	int top = lua_gettop(L);
	rl_attempted_completion_over = 1;
	if (prompt.completer == LUA_NOREF || !lua_checkstack(L, 8)) return NULL;
	lua_rawgeti(L, LUA_REGISTRYINDEX, prompt.completer);
	lua_pushlstring(L, rl_line_buffer, (size_t)start);
	lua_pushstring(L, text);
	if (bind_protect(L, 2, 2) == LUA_OK) {
		if (lua_isnil(L, -2)) rl_attempted_completion_over = 0;
		const char *append = lua_tostring(L, -1);
		rl_completion_append_character = append && *append ? *append : '\0';
		rl_completion_suppress_append = !(append && *append);
		lua_pop(L, 1);
		if (lua_istable(L, -1)) {
			take_matches(L);
			found = rl_completion_matches(text, next_match);
			free(prompt.matches);
			prompt.matches = NULL;
		}
	}
	lua_settop(L, top);
	return found;
}

/* Words of a command line end at blanks; words of Lua at operators too, but a.b:c is one. */
static char *word_breaks(void) {
	static char command[] = " \t\n\"'", code[] = " \t\n\"'`><=;+-*/%^~#{}()[],|&!?";
	const char *line = rl_line_buffer + strspn(rl_line_buffer, " \t");
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

/* open(completer) -> nil or what is wrong with the history file. Starts Readline on the terminal. */
static int line_open(lua_State *L) {
	Err err = ERR_INIT;
	luaL_checktype(L, 1, LUA_TFUNCTION);
	luaL_unref(L, LUA_REGISTRYINDEX, prompt.completer);
	lua_settop(L, 1);
	prompt.completer = luaL_ref(L, LUA_REGISTRYINDEX);
	if (prompt.opened) return 0;
	prompt.opened = true;
	setlocale(LC_CTYPE, ""); /* so that Readline knows characters of several bytes */
	rl_readline_name = "gpulab";
	rl_catch_signals = rl_catch_sigwinch = 0; /* they are ours (bind/interrupt.c, terminal.c) */
	rl_getc_function = get_key;
	prompt.keys = open("/proc/self/fd/0", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	rl_attempted_completion_function = complete;
	rl_completion_word_break_hook = word_breaks;
	rl_basic_quote_characters = "\"'";
	rl_completer_quote_characters = "\"'";
	rl_variable_bind("enable-bracketed-paste", "on");
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
