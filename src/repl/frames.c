/* frames.h: the queue between the thread that reads and the thread of Lua. */
#include "repl/frames.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "repl/base64.h"
#include "repl/json_member.h"

enum {
	LONGEST = 64 << 20,  /* bytes of a message */
	QUEUED = 1 << 10,    /* messages that wait; the thread stops reading at more of them, or at LONGEST bytes */
	LONGEST_LINE = 4096, /* of a header */
	LONGEST_ID = 128,    /* bytes; a request with a longer id cannot be cancelled */
	WATCH_MS = 500,      /* between two looks at whether the client still reads */
};

typedef struct Frame {
	struct Frame *next;
	char *text;
	size_t len;
	const char *problem; /* NULL: text is a message */
	char id[LONGEST_ID]; /* as the message spells it; "": none */
	bool cancelled;
} Frame;

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t lua;
	int in, out;
	Frame *first, *last; /* the first one runs, if `running` */
	size_t count, bytes;
	bool open, running, shutdown; /* shutdown: it was asked for, so `exit` waits for its turn */
	bool yields;                  /* what Lua does by itself is interrupted by a message */
	bool ended;                   /* nothing is read any more */
	bool left;                    /* what waits is not run: the client is gone */
} frames = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* --- the queue: all of it under the lock ------------------------------------------------------------------------- */

static void interrupt(void) {
	pthread_kill(frames.lua, SIGINT);
}

static void frame_free(Frame *frame) {
	free(frame->text);
	free(frame);
}

static void pop(void) {
	Frame *frame = frames.first;
	frames.first = frame->next;
	if (!frames.first) frames.last = NULL;
	frames.count--;
	frames.bytes -= frame->len;
	frame_free(frame);
	pthread_cond_broadcast(&frames.changed);
}

static void leave(void) {
	frames.ended = frames.left = true;
	interrupt();
	pthread_cond_broadcast(&frames.changed);
}

static void append(Frame *frame) {
	while (frames.count >= QUEUED || (frames.count && frames.bytes + frame->len > LONGEST)) {
		pthread_cond_wait(&frames.changed, &frames.lock);
	}
	if (frames.last)
		frames.last->next = frame;
	else
		frames.first = frame;
	frames.last = frame;
	frames.count++;
	frames.bytes += frame->len;
	if (frames.yields) interrupt();
	frames.yields = false;
	pthread_cond_broadcast(&frames.changed);
}

/* The request with this id: one that waits is not run, the one that runs is interrupted once. */
static void cancel(const char *id) {
	for (Frame *f = frames.first; f; f = f->next) {
		if (f->cancelled || strcmp(f->id, id) != 0) continue;
		f->cancelled = true;
		if (f == frames.first && frames.running) interrupt();
	}
}

/* --- reading: the thread ------------------------------------------------------------------------------------------ */

static void add_problem(const char *problem) {
	pthread_mutex_lock(&frames.lock);
	const bool again = frames.last && frames.last->problem == problem; /* a stream of garbage is one problem */
	Frame *frame = again ? NULL : calloc(1, sizeof *frame);
	if (frame) {
		frame->problem = problem;
		append(frame);
	}
	pthread_mutex_unlock(&frames.lock);
}

/* Acts on what cannot wait; false: the message is done with. */
static bool look_at(Frame *frame) {
	const Span all = {frame->text, frame->len}, method = json_member(all, "method");
	const Span id = json_member(json_member(all, "params"), "id");
	char wanted[LONGEST_ID];
	json_copy(json_member(all, "id"), frame->id, sizeof frame->id);
	json_copy(id, wanted, sizeof wanted);
	if (!*frame->id && (json_is(method, "cancel") || json_is(method, "$/cancelRequest"))) {
		if (*wanted) cancel(wanted);
		return false;
	}
	if (json_is(method, "shutdown")) frames.shutdown = true;
	if (json_is(method, "exit") && !frames.shutdown) {
		leave();
		return false;
	}
	return true;
}

static void add_message(char *text, size_t len) {
	Frame *frame = calloc(1, sizeof *frame);
	if (!frame) {
		free(text);
		return;
	}
	frame->text = text;
	frame->len = len;
	pthread_mutex_lock(&frames.lock);
	if (look_at(frame))
		append(frame);
	else
		frame_free(frame);
	pthread_mutex_unlock(&frames.lock);
}

/* One line of a header without its end. False at the end of input; *fits: it was not too long. */
static bool read_line(FILE *in, char line[LONGEST_LINE], bool *fits) {
	size_t n = 0;
	int c;
	*fits = true;
	while ((c = getc(in)) != EOF && c != '\n') {
		if (n + 1 < LONGEST_LINE)
			line[n++] = (char)c;
		else
			*fits = false;
	}
	if (n && line[n - 1] == '\r') n--;
	line[n] = '\0';
	return c != EOF;
}

/* Is it "Name: value"? */
static bool is_header(const char *line) {
	size_t n = 0;
	while (isalnum((unsigned char)line[n]) || line[n] == '-') n++;
	return n && line[n] == ':';
}

/* The number of bytes that follow the header; -1: it does not say; -2: the end of input. */
static long long read_header(FILE *in) {
	static const char name[] = "content-length:";
	char line[LONGEST_LINE];
	long long length = -1;
	bool fits, begun = false;
	while (read_line(in, line, &fits)) {
		if (!*line && fits && !begun) continue; /* the end of a header that was malformed */
		if (!*line) return length;
		begun = true;
		if (!fits || !is_header(line)) return -1;
		if (strncasecmp(line, name, strlen(name)) != 0) continue;
		const char *digits = line + strlen(name) + strspn(line + strlen(name), " \t");
		const size_t n = strspn(digits, "0123456789");
		if (!n || n > 15 || digits[n + strspn(digits + n, " \t")]) return -1;
		length = strtoll(digits, NULL, 10);
	}
	return -2;
}

static void skip(FILE *in, long long bytes) {
	while (bytes-- > 0 && getc(in) != EOF) continue;
}

static bool read_frame(FILE *in) {
	const long long length = read_header(in);
	if (length == -2) return false;
	if (length == -1) {
		add_problem("malformed");
		return true;
	}
	char *text = length <= LONGEST ? malloc((size_t)length + 1) : NULL;
	if (!text) {
		add_problem("oversized");
		skip(in, length);
		return true;
	}
	if (fread(text, 1, (size_t)length, in) != (size_t)length) {
		free(text);
		return false;
	}
	add_message(text, (size_t)length);
	return true;
}

/* Input has ended, but not what was asked for: until it is done, does someone read the answers? */
static void watch_reader(void) {
	struct pollfd out = {.fd = frames.out};
	for (bool gone = false; !gone;) {
		gone = poll(&out, 1, WATCH_MS) > 0 && (out.revents & (POLLERR | POLLHUP | POLLNVAL));
		if (!gone) continue;
		pthread_mutex_lock(&frames.lock);
		leave();
		pthread_mutex_unlock(&frames.lock);
	}
}

static void *read_all(void *unused) {
	FILE *in = fdopen(frames.in, "r");
	while (in && !frames.left && read_frame(in)) continue;
	pthread_mutex_lock(&frames.lock);
	frames.ended = true;
	pthread_cond_broadcast(&frames.changed);
	pthread_mutex_unlock(&frames.lock);
	if (!frames.left) watch_reader();
	return unused;
}

/* --- for Lua ------------------------------------------------------------------------------------------------------ */

/* open(): takes standard input and output. Signals stay the program's. */
static int frames_open(lua_State *L) {
	sigset_t all, before;
	pthread_t thread;
	if (frames.open) return luaL_error(L, "frames are open already");
	frames.lua = pthread_self();
	frames.in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	frames.out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (frames.in < 0 || frames.out < 0 || null < 0 || dup2(null, STDIN_FILENO) < 0 ||
		dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return luaL_error(L, "standard input and output cannot be used: %s", strerror(errno));
	close(null);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	frames.open = pthread_create(&thread, NULL, read_all, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!frames.open) return luaL_error(L, "a thread cannot be started: %s", strerror(errno));
	pthread_detach(thread);
	return 0;
}

/* next(wait) -> message, nil, cancelled; nil, "malformed" or "oversized"; false: none came, where wait is false;
 * nothing at the end. The message stays the first until finish() is called: an interrupt in between loses nothing. */
static int frames_next(lua_State *L) {
	const bool wait = lua_isnone(L, 1) || lua_toboolean(L, 1);
	pthread_mutex_lock(&frames.lock);
	while (wait && !frames.first && !frames.ended) pthread_cond_wait(&frames.changed, &frames.lock);
	const Frame *frame = frames.left ? NULL : frames.first;
	const bool over = frames.left || (frames.ended && !frame);
	frames.running = frame != NULL;
	pthread_mutex_unlock(&frames.lock);
	if (over) return 0;
	if (!frame) {
		lua_pushboolean(L, false);
		return 1;
	}
	if (frame->problem)
		lua_pushnil(L);
	else
		lua_pushlstring(L, frame->text, frame->len);
	lua_pushstring(L, frame->problem);
	lua_pushboolean(L, frame->cancelled);
	return 3;
}

static bool write_all(const char *text, size_t len) {
	while (len) {
		const ssize_t n = write(frames.out, text, len);
		if (n < 0 && errno != EINTR) return false;
		if (n < 0) continue;
		text += n;
		len -= (size_t)n;
	}
	return true;
}

static void send_text(lua_State *L, int idx) {
	size_t len;
	const char *text = luaL_checklstring(L, idx, &len);
	char head[64];
	const int n = snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", len);
	if (write_all(head, (size_t)n) && write_all(text, len)) return;
	pthread_mutex_lock(&frames.lock);
	leave();
	pthread_mutex_unlock(&frames.lock);
}

/* send(text): a notification */
static int frames_send(lua_State *L) {
	send_text(L, 1);
	return 0;
}

/* yields(yes): until yields(false) the next message interrupts what Lua does; false: one is there already */
static int frames_yields(lua_State *L) {
	const bool yields = lua_toboolean(L, 1);
	pthread_mutex_lock(&frames.lock);
	const bool can = !yields || (!frames.first && !frames.ended);
	frames.yields = yields && can;
	pthread_mutex_unlock(&frames.lock);
	lua_pushboolean(L, can);
	return 1;
}

/* finish(text): the message that next() gave is done with; text is its answer, nil where it has none. A second call
 * does nothing. */
static int frames_finish(lua_State *L) {
	pthread_mutex_lock(&frames.lock);
	const bool running = frames.running;
	frames.running = false; /* from here on a cancellation is too late */
	pthread_mutex_unlock(&frames.lock);
	if (!running) return 0;
	if (!lua_isnoneornil(L, 1)) send_text(L, 1);
	pthread_mutex_lock(&frames.lock);
	if (frames.first) pop();
	pthread_mutex_unlock(&frames.lock);
	return 0;
}

int frames_module(lua_State *L) {
	static const luaL_Reg functions[] = {
		{"open", frames_open},     {"next", frames_next},     {"send", frames_send},    {"finish", frames_finish},
		{"yields", frames_yields}, {"base64", base64_encode}, {"bytes", base64_decode}, {NULL, NULL}};
	luaL_newlib(L, functions);
	return 1;
}
