/* A source of which only a part compiles: what has an error is left out, and the rest is compiled. */
#pragma once

#include "base/vec.h"
#include "compile/compile.h"

/* A declaration that was left out, and why. */
typedef struct {
	const char *name;
	CompiledKernel kernel; /* name NULL: it is no kernel */
	const char *error;     /* the message, and on lines of its own what to do */
} Spoilt;

typedef struct {
	Arena *arena;
	const char *original;
	char *text; /* the source without them, line by line as it was */
	VEC(Spoilt) spoilt;
} Partial;

Partial partial_of(Arena *arena, const char *source);

/* Leaves out the declaration that an error is in, told by err. False: it is in none, or in one of the kernels asked for
 * (NULL: all are welcome); a kernel that uses what was left out before fails because of that. */
bool partial_leave_out(Partial *partial, const Diagnostic *error, const Err *err, const char *const *asked);

/* True if the compiler reports the error only because a part of the file was left out. */
bool partial_follows(const Partial *partial, const Diagnostic *error);

/* Adds the kernels that were left out to those that were compiled, by line. */
void partial_list(const Partial *partial, Compiled *compiled);
