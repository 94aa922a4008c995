/* Device code out of CUDA C++ source that has host code too, as nvcc takes it: host functions, host variables, launches
 * and what only they use are blanked out, so that every line and column stays where it was.
 *
 * Kept: what is marked (__global__, __device__, __constant__ ... or a macro that says so), and what that uses by name:
 * types, constants, constexpr functions. Kept always: preprocessor directives, but for #includes of host headers. A
 * source without host code stays as it is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

typedef enum {
	INCLUDE_MISSING, /* nothing has that name */
	INCLUDE_CUDA,    /* the toolkit's */
	INCLUDE_UNIT,    /* a file of the unit */
	INCLUDE_OTHER    /* not to be read, or a macro names it: stays as it is */
} IncludeKind;

/* What an #include means. */
typedef struct {
	IncludeKind kind;
	const char *path; /* INCLUDE_UNIT: the file */
} IncludeMeaning;

/* A source file and the headers of its own that it reaches, the source first. Paths are as INCLUDE_UNIT gives them. */
typedef struct {
	const char *path, *text;
} UnitFile;

/* A host function or variable that was left out, or an #include that was. */
typedef struct {
	const char *name, *path;
	uint32_t line;
	bool variable;
	bool texture; /* a texture reference, which CUDA 12 has no more */
} LeftOut;

typedef struct {
	VEC(UnitFile) files; /* those of the unit, in its order. Each other than the first is to be found under its path */
	const char *prelude; /* declarations that nvcc gives for free and the source uses: to be read before it; or NULL */
	bool changed;        /* no: the unit is as it was */
	VEC(LeftOut) functions, includes;
} DeviceCode;

typedef IncludeMeaning IncludeResolver(void *context, const char *path, uint32_t line);

/* out lives in the arena, and as long as the files' paths. */
void device_code(Arena *arena, const UnitFile *files, size_t nfiles, IncludeResolver *resolve, void *context,
				 DeviceCode *out);

/* The function or variable of that name that was left out; NULL: none. */
const LeftOut *device_code_left_out(const DeviceCode *code, const char *name, size_t len);
