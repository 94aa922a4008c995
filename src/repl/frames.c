/* frames.h: the queue between the thread that reads and the thread of Lua. */
#include "repl/frames.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <resolv.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/fd.h"

enum {
	LONGEST = 64 << 20,  /* bytes of a message; the thread stops reading while more than that wait */
	LONGEST_LINE = 4096, /* of a header */
	LONGEST_ID = 128,    /* bytes; a request with a longer id cannot be cancelled */
};

typedef struct Frame {
	struct Frame *next;
	size_t len;
	bool cancelled;
	bool replaces;       /* what is found of a file now is of no use, or less urgent */
	char id[LONGEST_ID]; /* as the message spells it; "": none */
	char text[];         /* with a zero byte behind it */
} Frame;

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t lua;
	int out;             /* 0: not open yet */
	Frame *first, *last; /* the first one runs, if `running` */
	size_t bytes;
	bool running, shutdown;                  /* shutdown: it was asked for, so `exit` waits for its turn */
	enum { NEVER, TO_SAVES, TO_ALL } yields; /* the messages that interrupt what Lua does */
	bool ended;                              /* nothing is read any more */
	bool left;                               /* what waits is not run: the client is gone */
} frames = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* --- the queue: all of it under the lock ------------------------------------------------------------------------- */

static bool interrupts(const Frame *frame) {
	return frames.yields == TO_ALL || (frames.yields == TO_SAVES && frame->replaces);
}

static void leave(void) {
	frames.ended = frames.left = true;
	pthread_kill(frames.lua, SIGINT);
	pthread_cond_broadcast(&frames.changed);
}

static void append(Frame *frame) {
	const size_t bytes = sizeof *frame + frame->len;
	while (frames.first && frames.bytes + bytes > LONGEST) pthread_cond_wait(&frames.changed, &frames.lock);
	*(frames.first ? &frames.last->next : &frames.first) = frame;
	frames.last = frame;
	frames.bytes += bytes;
	if (interrupts(frame)) {
		pthread_kill(frames.lua, SIGINT);
		frames.yields = NEVER;
	}
	pthread_cond_broadcast(&frames.changed);
}

/* The request with this id: one that waits is not run, the one that runs is interrupted once. */
static void cancel(const char *id) {
	for (Frame *f = frames.first; f; f = f->next) {
		if (f->cancelled || strcmp(f->id, id) != 0) continue;
		f->cancelled = true;
		if (f == frames.first && frames.running) pthread_kill(frames.lua, SIGINT);
	}
}

/* --- reading: the thread ------------------------------------------------------------------------------------------ */

static const char blanks[] = " \t\r\n";

/* Behind the string whose first character this is. */
static const char *past_string(const char *at) {
	while (*(at += strcspn(at, "\"\\")) == '\\' && at[1]) at += 2;
	return at + (*at != '\0');
}

/* The value of the first member of this name in `deep` brackets, as it is spelled; "": there is none, or it does not
 * fit. The text may be anything. */
static void member(const char *text, int deep, const char *name, char out[LONGEST_ID]) {
	const size_t want = strlen(name);
	*out = '\0';
	for (const char *at = text; *(at += strcspn(at, "\"{}[]"));) {
		const char *word = ++at;
		if (word[-1] != '"') {
			deep += strchr("{[", word[-1]) ? -1 : 1;
			continue;
		}
		at = past_string(word);
		const char *value = at + strspn(at, blanks);
		if (deep || *value != ':' || (size_t)(at - word) != want + 1 || strncmp(word, name, want) != 0) continue;
		value += 1 + strspn(value + 1, blanks);
		const size_t len = *value == '"' ? (size_t)(past_string(value + 1) - value) : strcspn(value, ",]} \t\r\n");
		if (len < LONGEST_ID) snprintf(out, LONGEST_ID, "%.*s", (int)len, value);
		return;
	}
}

static const char replacing[] =
	"\"textDocument/didOpen\" \"textDocument/didSave\" \"textDocument/didClose\" \"shutdown\"";

/* Acts on what cannot wait; false: the message is done with. */
static bool look_at(Frame *frame) {
	char method[LONGEST_ID], wanted[LONGEST_ID];
	member(frame->text, 1, "method", method);
	member(frame->text, 1, "id", frame->id);
	if (!*frame->id && (!strcmp(method, "\"cancel\"") || !strcmp(method, "\"$/cancelRequest\""))) {
		member(frame->text, 2, "id", wanted);
		if (*wanted) cancel(wanted);
		return false;
	}
	frame->replaces = *method && strstr(replacing, method);
	if (!strcmp(method, "\"shutdown\"")) frames.shutdown = true;
	if (frames.shutdown || strcmp(method, "\"exit\"") != 0) return true;
	leave();
	return false;
}

static void add(Frame *frame) {
	pthread_mutex_lock(&frames.lock);
	const bool waits = look_at(frame);
	if (waits) append(frame);
	pthread_mutex_unlock(&frames.lock);
	if (!waits) free(frame);
}

/* One line of a header without its end, cut where it is too long; false at the end of input. */
static bool read_line(FILE *in, char line[LONGEST_LINE]) {
	size_t n = 0;
	int c;
	while ((c = getc(in)) != EOF && c != '\n') {
		if (n + 1 < LONGEST_LINE && c != '\r') line[n++] = (char)(c ? c : '?');
	}
	line[n] = '\0';
	return c != EOF;
}

/* The number of bytes that follow the header; -1: it does not say; -2: the end of input. */
static long long read_header(FILE *in) {
	static const char name[] = "content-length:";
	char line[LONGEST_LINE], *rest;
	long long length = -1;
	bool begun = false;
	while (read_line(in, line)) {
		if (!*line && !begun) continue; /* the end of a header that was malformed */
		if (!*line) return length;
		begun = true;
		if (!strchr(line, ':')) return -1;
		if (strncasecmp(line, name, strlen(name)) != 0) continue;
		length = strtoll(line + strlen(name), &rest, 10);
		if (length < 0 || length == LLONG_MAX || !isdigit((unsigned char)rest[-1]) || rest[strspn(rest, blanks)])
			return -1;
	}
	return -2;
}

/* What is no message is a word in its place. */
static bool read_frame(FILE *in) {
	const long long length = read_header(in);
	if (length == -2) return false;
	const bool fits = length >= 0 && length <= LONGEST;
	const char *word = length < 0 ? "malformed" : "oversized";
	const size_t len = fits ? (size_t)length : strlen(word);
	Frame *frame = calloc(1, sizeof *frame + len + 1);
	if (!frame) return false;
	frame->len = len;
	if (!fits) memcpy(frame->text, word, len);
	for (long long left = fits ? 0 : length; left > 0 && getc(in) != EOF;) left--;
	const bool complete = !fits || fread(frame->text, 1, len, in) == len;
	if (complete)
		add(frame);
	else
		free(frame);
	return complete;
}

/* Input has ended, but not what was asked for: until it is done, does someone read the answers? */
static void watch_reader(void) {
	struct pollfd out = {.fd = frames.out};
	while (poll(&out, 1, -1) <= 0) continue;
	pthread_mutex_lock(&frames.lock);
	leave();
	pthread_mutex_unlock(&frames.lock);
}

static void *read_all(void *in) {
	while (!frames.left && read_frame(in)) continue;
	pthread_mutex_lock(&frames.lock);
	frames.ended = true;
	pthread_cond_broadcast(&frames.changed);
	pthread_mutex_unlock(&frames.lock);
	if (!frames.left) watch_reader();
	return NULL;
}

/* --- for Lua ------------------------------------------------------------------------------------------------------ */

/* open(): takes standard input and output. Signals stay the program's. */
static int frames_open(lua_State *L) {
	sigset_t all, before;
	pthread_t thread;
	if (frames.out) return luaL_error(L, "frames are open already");
	frames.lua = pthread_self();
	frames.out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	FILE *in = fdopen(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), "r");
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	const bool ok = in && frames.out > 0 && freopen("/dev/null", "r", stdin) &&
					dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 && pthread_create(&thread, NULL, read_all, in) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!ok) return luaL_error(L, "standard input and output cannot be used: %s", strerror(errno));
	pthread_detach(thread);
	return 0;
}

/* next(wait) -> message, cancelled; a message can be the word "malformed" or "oversized"; false: none came, where wait
 * is false; nothing at the end. The message stays the first until finish() is called: an interrupt in between loses
 * nothing. */
static int frames_next(lua_State *L) {
	const bool wait = lua_toboolean(L, 1);
	pthread_mutex_lock(&frames.lock);
	while (wait && !frames.first && !frames.ended) pthread_cond_wait(&frames.changed, &frames.lock);
	const Frame *frame = frames.left ? NULL : frames.first;
	const bool over = frames.left || (frames.ended && !frame);
	frames.running = frame != NULL;
	pthread_mutex_unlock(&frames.lock);
	if (over) return 0;
	if (frame)
		lua_pushlstring(L, frame->text, frame->len);
	else
		lua_pushboolean(L, false);
	lua_pushboolean(L, frame && frame->cancelled);
	return 2;
}

/* send(text): a message to the client */
static int frames_send(lua_State *L) {
	size_t len;
	const char *text = luaL_checklstring(L, -1, &len);
	char head[64];
	const int n = snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", len);
	if (fd_write(frames.out, head, (size_t)n) && fd_write(frames.out, text, len)) return 0;
	pthread_mutex_lock(&frames.lock);
	leave();
	pthread_mutex_unlock(&frames.lock);
	return 0;
}

/* yields("all" or "saves"): until yields() such a message interrupts what Lua does; false: one is there already */
static int frames_yields(lua_State *L) {
	static const char *const names[] = {[NEVER] = "", [TO_SAVES] = "saves", [TO_ALL] = "all", NULL};
	const int yields = luaL_checkoption(L, 1, "", names);
	pthread_mutex_lock(&frames.lock);
	frames.yields = yields;
	bool can = yields == NEVER || !frames.ended;
	for (const Frame *f = frames.first; f; f = f->next) {
		if (interrupts(f) && !(f == frames.first && frames.running)) can = false;
	}
	if (!can) frames.yields = NEVER;
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
	if (!lua_isnoneornil(L, 1)) frames_send(L);
	pthread_mutex_lock(&frames.lock);
	Frame *frame = frames.first;
	frames.first = frame->next;
	frames.bytes -= sizeof *frame + frame->len;
	pthread_cond_broadcast(&frames.changed);
	pthread_mutex_unlock(&frames.lock);
	free(frame);
	return 0;
}

/* base64(bytes) -> text */
static int encode(lua_State *L) {
	size_t len;
	luaL_Buffer b;
	const char *bytes = luaL_checklstring(L, 1, &len);
	const size_t room = (len + 2) / 3 * 4 + 1;
	char *out = luaL_buffinitsize(L, &b, room);
	luaL_pushresultsize(&b, (size_t)b64_ntop((const unsigned char *)bytes, len, out, room));
	return 1;
}

/* bytes(text) -> what is in the base64 (RFC 4648, with blanks); nil: it is none */
static int decode(lua_State *L) {
	size_t len;
	luaL_Buffer b;
	const char *text = luaL_checklstring(L, 1, &len);
	const size_t room = len / 4 * 3 + 3;
	char *out = luaL_buffinitsize(L, &b, room);
	const int n = strlen(text) == len ? b64_pton(text, (unsigned char *)out, room) : -1;
	if (n < 0) return 0;
	luaL_pushresultsize(&b, (size_t)n);
	return 1;
}

int frames_module(lua_State *L) {
	static const luaL_Reg functions[] = {
		{"open", frames_open},     {"next", frames_next}, {"send", frames_send}, {"finish", frames_finish},
		{"yields", frames_yields}, {"base64", encode},    {"bytes", decode},     {NULL, NULL}};
	luaL_newlib(L, functions);
	return 1;
}
