/* The headers a source includes: folded into a cache key, and checked for where they are. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "compile/cache.h"
#include "compile/source/device_code.h"

/* Where a source may include from. */
typedef struct {
	const char *folder;      /* of the source, where quoted names start; "": the working folder */
	const char *const *dirs; /* searched next, and folder again */
	size_t ndirs;
	const char *const *cuda; /* the toolkit's */
	size_t ncuda;
	bool parents; /* "../x.h" may lead out of folder and dirs: without a link on its way, to nothing hidden, and to a
				   * file that shares more than the root folder with where it starts */
} HeaderPlaces;

/* An #include of what there is, but is not to be read. */
typedef struct {
	const char *why;  /* "is a solution, which cannot be included" */
	bool outside;     /* of all these places: that is why */
	const char *name; /* as written */
	const char *file; /* that includes it; "": the source */
	uint32_t line;    /* 0: an option does */
} BadHeader;

/* An #include, and what it means. */
typedef struct {
	const char *file; /* that it is in, resolved; "": the source */
	uint32_t line;
	IncludeKind kind; /* INCLUDE_MISSING also for what is bad */
	const char *path; /* INCLUDE_UNIT */
} IncludeSite;

typedef struct {
	bool unknown;      /* a macro names a header: which one is not known */
	size_t cuda_first; /* so many of the source's first #includes are the toolkit's */
	VEC(BadHeader) bad;
	VEC(IncludeSite) sites;
	VEC(UnitFile) files; /* that the source reaches, the toolkit's apart: resolved paths and texts */
} HeaderReport;

/* Follows the #include lines of source and adds what they reach to the key. Files below one of the cuda folders count
 * by name alone: the toolkit is in the key already. Untaken branches are followed too, so a key may change without
 * need, never stay without right; for the same reason not all in the report need matter. The report is added to, and
 * lives in the arena. */
void headers_add(Arena *arena, CacheKey *key, const char *source, const HeaderPlaces *places, HeaderReport *report);
