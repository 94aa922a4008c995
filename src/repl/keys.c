/* keys.h: the terminal without lines and echo, given back as it was however the program ends. */
#include "repl/keys.h"

#include <errno.h>
#include <lauxlib.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/proc.h"
#include "bind/bind.h"
#include "repl/terminal.h"

static struct {
	struct termios before;
	struct sigaction on_winch; /* as it was */
	bool open, at_exit;
} keyboard;

static void give_back(void) {
	if (keyboard.open) {
		tcsetattr(STDIN_FILENO, TCSADRAIN, &keyboard.before);
		sigaction(SIGWINCH, &keyboard.on_winch, NULL);
	}
	terminal_given_back();
	keyboard.open = false;
}

static volatile sig_atomic_t resized;

static void on_resize(int sig) {
	(void)sig;
	resized = 1;
}

static void watch_size(void) {
	struct sigaction action = {.sa_handler = on_resize};
	sigemptyset(&action.sa_mask);
	sigaction(SIGWINCH, &action, &keyboard.on_winch);
}

/* open() -> nil, or what is wrong */
static int keys_open(lua_State *L) {
	if (keyboard.open) return 0;
	if (tcgetattr(STDIN_FILENO, &keyboard.before)) {
		lua_pushfstring(L, "standard input is not a terminal: %s", strerror(errno));
		return 1;
	}
	struct termios raw = keyboard.before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	raw.c_cc[VSUSP] = _POSIX_VDISABLE; /* Ctrl-Z is a key, or the shell would be left without lines and echo */
	if (!keyboard.at_exit) atexit(give_back);
	keyboard.open = keyboard.at_exit = true;
	terminal_taken("\033[?1049l\033[?25h\033[0m\r\n"); /* the shell's screen, with a cursor */
	tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
	watch_size();
	return 0;
}

/* close(): the terminal as it was, for an editor or the end */
static int keys_close(lua_State *L) {
	(void)L;
	give_back();
	return 0;
}

/* suspend(): Ctrl-Z: the terminal's foreground process group stops until `fg` */
static int keys_suspend(lua_State *L) {
	give_back();
	kill(0, SIGTSTP);
	return keys_open(L);
}

/* Waits that long for input; SIGINT is unblocked in the meantime. 1: there is some; 0: none, or with for_size the
 * terminal has another size; -1: Ctrl-C or end of input. */
static int wait_for_input(double seconds, bool for_size) {
	sigset_t sigint, before;
	sigemptyset(&sigint);
	sigaddset(&sigint, SIGINT);
	sigaddset(&sigint, SIGWINCH); /* either comes before ppoll, and is seen, or interrupts it */
	pthread_sigmask(SIG_BLOCK, &sigint, &before);
	const double until = seconds_now() + seconds;
	int ready = 0;
	while (!bind_interrupted() && !(for_size && resized)) {
		double left = until - seconds_now();
		if (left < 0) left = 0;
		const struct timespec t = {.tv_sec = (time_t)left, .tv_nsec = (long)((left - (double)(time_t)left) * 1e9)};
		struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
		ready = ppoll(&input, 1, &t, &before);
		if (ready >= 0 || errno != EINTR) break;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (ready < 0 && for_size && resized) ready = 0;
	return bind_interrupted() ? -1 : ready;
}

/* What terminals send for keys that are no character. Presenters' remote controls send page up and page down. */
static const char *named(const char *bytes) {
	static const struct {
		const char *bytes, *name;
	} names[] = {{"\033[A", "up"},      {"\033[B", "down"},      {"\033[C", "right"},      {"\033[D", "left"},
				 {"\033OA", "up"},      {"\033OB", "down"},      {"\033OC", "right"},      {"\033OD", "left"},
				 {"\033[5~", "pageup"}, {"\033[6~", "pagedown"}, {"\033[H", "home"},       {"\033[F", "end"},
				 {"\033", "escape"},    {"\r", "enter"},         {"\n", "enter"},          {" ", "space"},
				 {"\t", "tab"},         {"\177", "backspace"},   {"\004", "end of input"}, {"\032", "suspend"}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(bytes, names[i].bytes)) return names[i].name;
	return NULL;
}

/* read(seconds) -> the key: a character or a name, "resize" when the terminal got another size; nil: none in time;
 * false: Ctrl-C, or end of input. A terminal sends the bytes of one key together, so that one read returns one key. */
static int keys_read(lua_State *L) {
	char bytes[16];
	const double seconds = luaL_checknumber(L, 1);
	luaL_argcheck(L, seconds >= 0 && seconds < 1e6, 1, "seconds from 0 on expected");
	const int ready = wait_for_input(seconds, true);
	if (ready < 0) {
		bind_interrupt_forget();
		lua_pushboolean(L, false);
		return 1;
	}
	if (ready == 0) {
		if (resized)
			lua_pushliteral(L, "resize");
		else
			lua_pushnil(L);
		resized = 0;
		return 1;
	}
	ssize_t n = read(STDIN_FILENO, bytes, 1);
	if (n == 1 && bytes[0] == '\033' && wait_for_input(0.02, false) > 0) {
		const ssize_t more = read(STDIN_FILENO, bytes + 1, sizeof bytes - 2);
		n += more > 0 ? more : 0;
	}
	if (n <= 0) {
		lua_pushboolean(L, false);
		return 1;
	}
	bytes[n] = '\0';
	const char *name = named(bytes);
	if (name)
		lua_pushstring(L, name);
	else
		lua_pushlstring(L, bytes, (size_t)n);
	return 1;
}

/* size() -> columns, rows of the terminal; 80, 24 where it does not say */
static int keys_size(lua_State *L) {
	struct winsize size = {0};
	const bool known = !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col && size.ws_row;
	lua_pushinteger(L, known ? size.ws_col : 80);
	lua_pushinteger(L, known ? size.ws_row : 24);
	return 2;
}

int keys_module(lua_State *L) {
	static const luaL_Reg functions[] = {{"open", keys_open}, {"close", keys_close}, {"suspend", keys_suspend},
										 {"read", keys_read}, {"size", keys_size},   {NULL, NULL}};
	luaL_newlib(L, functions);
	return 1;
}
