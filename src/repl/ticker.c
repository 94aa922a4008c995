/* ticker.h: a thread waits, so that the line appears while the program itself waits for a worker. */
#include "repl/ticker.h"

#include <lauxlib.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "bind/bind.h"
#include "repl/terminal.h"

enum { DELAY_MS = 200 };

static struct {
	pthread_mutex_t lock;
	pthread_cond_t stopping;
	pthread_t thread;
	bool running, stop, shown, quiet;
	struct termios modes; /* as they were, where quiet */
	struct timespec began;
	char text[1024];
} ticker = {.lock = PTHREAD_MUTEX_INITIALIZER, .stopping = PTHREAD_COND_INITIALIZER};

static void send(const char *text) {
	if (write(STDERR_FILENO, text, strlen(text)) < 0) return; /* the terminal is gone */
}

static long seconds_since(const struct timespec *then) {
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec - then->tv_sec - (now.tv_nsec < then->tv_nsec);
}

/* The line, and for how long it has been there. */
static void draw(void) {
	char line[sizeof ticker.text + 64], clock[32] = "";
	const long seconds = seconds_since(&ticker.began);
	if (seconds > 0) snprintf(clock, sizeof clock, " %ld s", seconds);
	snprintf(line, sizeof line, "\r\033[K%s%s", ticker.text, clock);
	send(line);
	ticker.shown = true;
}

/* First after a moment, then every second. */
static void *wait_and_draw(void *unused) {
	struct timespec until = ticker.began;
	until.tv_nsec += DELAY_MS * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	pthread_mutex_lock(&ticker.lock);
	while (!ticker.stop) {
		if (pthread_cond_timedwait(&ticker.stopping, &ticker.lock, &until) == 0) continue;
		if (!ticker.stop) draw();
		until.tv_sec++;
	}
	pthread_mutex_unlock(&ticker.lock);
	return NULL;
}

/* Only the terminal's foreground may change its modes. */
static void stop_echo(void) {
	if (tcgetpgrp(STDIN_FILENO) != getpgrp() || tcgetattr(STDIN_FILENO, &ticker.modes) != 0) return;
	struct termios silent = ticker.modes;
	silent.c_lflag &= ~(tcflag_t)ECHO;
	terminal_taken("");
	ticker.quiet = tcsetattr(STDIN_FILENO, TCSANOW, &silent) == 0;
}

static bool start(void) {
	sigset_t all, before;
	ticker.stop = ticker.shown = false;
	clock_gettime(CLOCK_REALTIME, &ticker.began);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the program's */
	ticker.running = pthread_create(&ticker.thread, NULL, wait_and_draw, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ticker.running;
}

/* show(text): the line from now on; it appears after a moment */
static int ticker_show(lua_State *L) {
	const char *text = luaL_checkstring(L, 1);
	pthread_mutex_lock(&ticker.lock);
	snprintf(ticker.text, sizeof ticker.text, "%s", text);
	if (ticker.shown) draw();
	pthread_mutex_unlock(&ticker.lock);
	if (!ticker.running && start()) stop_echo();
	return 0;
}

/* clear(): erases the line and lets the terminal echo again */
static int ticker_clear(lua_State *L) {
	(void)L;
	if (!ticker.running) return 0;
	pthread_mutex_lock(&ticker.lock);
	ticker.stop = true;
	pthread_cond_signal(&ticker.stopping);
	pthread_mutex_unlock(&ticker.lock);
	pthread_join(ticker.thread, NULL);
	if (ticker.shown) send("\r\033[K");
	if (ticker.quiet) tcsetattr(STDIN_FILENO, TCSANOW, &ticker.modes);
	terminal_given_back();
	ticker.running = ticker.shown = ticker.quiet = false;
	return 0;
}

/* What a kernel prints takes the line's place: from then on that is what moves. */
static void give_way(void) {
	pthread_mutex_lock(&ticker.lock);
	if (ticker.running && !ticker.stop) {
		ticker.stop = true;
		if (ticker.shown) send("\r\033[K");
		ticker.shown = false;
		pthread_cond_signal(&ticker.stopping);
	}
	pthread_mutex_unlock(&ticker.lock);
}

int ticker_module(lua_State *L) {
	static const luaL_Reg functions[] = {{"show", ticker_show}, {"clear", ticker_clear}, {NULL, NULL}};
	bind_before_printing(give_way);
	luaL_newlib(L, functions);
	return 1;
}
