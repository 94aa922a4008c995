/* A tiny service with every habit a worker may have: it answers, prints, dawdles, dies, and breaks the rules. The test
 * programs are their own workers. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wire/child.h"
#include "wire/sandbox.h"

typedef struct {
	int32_t x, y;
} Point;

typedef enum { COLOR_RED, COLOR_GREEN, COLOR_BLUE } Color;

/* A field of every kind. */
typedef struct {
	uint64_t number;
	double reals[3];
	bool flag;
	Color color;
	char chars[16];
	const char *text;
	const uint8_t *bytes;
	size_t nbytes;
	Point inner;
	const Point *points;
	uint32_t npoints;
	uint16_t other; /* crosses as its text */
} Everything;

extern const Record Point_record, Everything_record;

enum { FAKE_ECHO, FAKE_DO, FAKE_ENTER, FAKE_TRY, FAKE_LOOK, FAKE_UNSERVED, FAKE_CALLS };

typedef enum {
	DO_NOTHING,
	DO_FAIL,         /* answers an error */
	DO_SLEEP,        /* for count milliseconds */
	DO_COMPUTE,      /* for count milliseconds of processor time */
	DO_SPIN,         /* until told to end */
	DO_IGNORE,       /* for ever */
	DO_PRINT,        /* count times */
	DO_PROGRESS,     /* count times, 50 ms apart */
	DO_DIE,          /* of signal count, with last words */
	DO_EXIT,         /* with status count */
	DO_NONSENSE,     /* writes what is no frame */
	DO_WRONG_ANSWER, /* a frame whose payload is none */
	DO_WRONG_NUMBER, /* an answer to another call */
	DO_LONG_ANSWER,  /* beyond FRAME_MAX */
	DO_HALF,         /* a header, and then it dies */
	DO_MARK,         /* writes count to the service's shared memory */
	DO_WHATS
} What;

typedef struct {
	What what;
	uint32_t count;
} DoRequest;

typedef struct {
	const uint8_t *bytes;
	size_t nbytes;
} DoAnswer;

/* Things to try under a sandbox; the answer is errno, 0 where it was done. */
typedef enum {
	TRY_READ_PASSWD,
	TRY_READ_ALLOWED,
	TRY_WRITE_HOME,
	TRY_WRITE_ALLOWED,
	TRY_GROW_FILE,
	TRY_SOCKET,
	TRY_LOCAL_SOCKET,
	TRY_FORK,
	TRY_EXEC,
	TRY_PTRACE,
	TRY_KILL_PARENT,
	TRY_KILL_SELF, /* with signal 0 */
	TRY_MOUNT,
	TRY_KEYCTL,
	TRY_BPF,
	TRY_PERF,
	TRY_URING,
	TRY_USERFAULTFD,
	TRY_UNSHARE,
	TRY_CHMOD,
	TRY_THREADS,
	TRY_ALLOCATE, /* 1 GB, touched */
	TRY_COUNT
} Attempt;

typedef struct {
	Attempt attempt;
	const char *allowed; /* a folder */
} TryRequest;

typedef struct {
	int32_t error;
} TryAnswer;

typedef struct {
	const char *allowed;
	bool driver, emulator;
} EnterRequest;

/* What the worker process is. */
typedef struct {
	uint64_t descriptors; /* bit i: descriptor i is open; only the first 64 */
	int32_t pid, session, group;
	bool terminal; /* one can be opened */
	uint32_t mark; /* DO_MARK's, of the shared memory; 0: none there */
} LookAnswer;

extern const Record LookAnswer_record, DoRequest_record, DoAnswer_record, TryRequest_record, TryAnswer_record,
	EnterRequest_record;

void fake_worker_if_asked(int argc, char **argv);

/* A started child of service "fake"; child_close it. */
void fake_start(Child *c, const atomic_bool *cancel, bool shared);

/* Calls FAKE_DO. */
bool fake_do(Child *c, What what, uint32_t count, double seconds, Err *err);
