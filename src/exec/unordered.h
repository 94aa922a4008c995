/* Operations of different streams that nothing orders: what one touches of global memory is compared with what those
 * touched that may run at the same time. The runtime says what is before an operation (runtime/stream_clocks.c); this
 * keeps what was touched by those that are not yet before everything to come. */
#pragma once

#include "base/vec.h"
#include "emu/check/check.h"
#include "emu/count/touched.h"
#include "exec/calls.h"

/* What one kernel or copy of an operation touched. */
typedef struct {
	uint64_t stream, number; /* the operation's */
	char *what;              /* "kernel add", "a copy" */
	Touched *touched;        /* [n] by address */
	size_t n;
} StreamUse;

/* All zeros: no stream was created so far. */
typedef struct {
	uint64_t stream, number; /* of the operation that runs */
	VEC(uint64_t) before;    /* [stream] the last operation of it that is before this one */
	VEC(StreamUse) uses;
	size_t pieces; /* of all uses */
} Unordered;

typedef struct {
	uint64_t addr;           /* a byte that both touch */
	const StreamUse *with;   /* until the next call */
	bool now_writes, writes; /* this one, that one */
} Conflict;

/* An operation begins. */
void unordered_begin(Unordered *u, const ExecOperation *operation);
/* Does one run, so that what it touches is wanted? */
bool unordered_active(const Unordered *u);
/* A kernel or copy of it has touched this, by address. True: and so did another operation, at the same time as far as
 * streams order them, and one of the two wrote. */
bool unordered_touch(Unordered *u, const char *what, const Touched *touched, size_t n, Conflict *out);
/* What is to be reported; place: where in which allocation the byte is, or "". */
Finding unordered_finding(const Unordered *u, const char *what, const Conflict *conflict, const char *place);
/* The memory may come back as another allocation. */
void unordered_released(Unordered *u, uint64_t addr, uint64_t bytes);
void unordered_free(Unordered *u);
