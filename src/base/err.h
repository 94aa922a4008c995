/* Errors, as values. A function that can fail returns false (or NULL) and fills an Err with what happened, where, and
 * what the person at the keyboard can do about it; its outputs stay untouched. Nothing below the top floor prints. */
#pragma once

#include <stdbool.h>

/* The kind decides the exit code of a run without a prompt: the values are those codes
 * (docs/reference/exit-codes.md). */
typedef enum {
	ERR_NONE = 0,
	ERR_COMPILE = 1, /* a kernel or a script does not compile */
	ERR_FAULT = 2,   /* a launch crashed, faulted, or was refused by a limit */
	ERR_WRONG = 3,   /* a result differs from its reference */
	ERR_TIMEOUT = 4, /* a launch ran past its limit */
	ERR_SETUP = 5,   /* something needed is not there: NVRTC, a device, a file, memory */
	ERR_FINDING = 6, /* a checker found something */
	ERR_GATE = 7,    /* an acceptance check is not met */
	ERR_USAGE = 64,  /* a call or a command line that makes no sense */
	ERR_BUSY = 75,   /* another process works there: try again later */
	ERR_INTERRUPTED = 130
} ErrKind;

typedef struct {
	ErrKind kind;
	char what[1024]; /* one sentence, may hold line breaks for a source excerpt */
	char where[256]; /* "file:line" or empty */
	char hint[512];  /* what to do about it, or empty */
} Err;

#define ERR_INIT                                                                                                       \
	{ .kind = ERR_NONE, .what = "", .where = "", .hint = "" }

/* Each returns false, so that `return err_set(...)` reads well. A NULL err is allowed and ignored.
 * err_hint and err_where add to an error already set. */
bool err_set(Err *err, ErrKind kind, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
bool err_hint(Err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool err_where(Err *err, const char *file, unsigned line);
void err_clear(Err *err);
