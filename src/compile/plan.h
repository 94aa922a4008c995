/* What is settled about a compile before it runs: paths, options, the headers it may read, its key in the cache. */
#pragma once

#include "base/vec.h"
#include "compile/cache.h"
#include "compile/compile.h"
#include "compile/headers.h"
#include "compile/library.h"
#include "compile/unit.h"

typedef struct {
	Arena *arena;              /* holds all of it */
	const char *path;          /* absolute, so that .file lines and nested includes do not hang on the working folder */
	const char *folder;        /* of path; where quoted includes start */
	VEC(const char *) options; /* in NVRTC's order, all but the architecture */
	VEC(const char *) dirs;    /* searched for headers, CUDA's excepted */
	VEC(const char *) forced;  /* folders of the headers that options put in front */
	VEC(const char *) readable; /* dirs and forced: what the compiler may read */
	HeaderReport headers;
	const NvrtcLibrary *lib;
	Unit unit;               /* from plan_unit on, and so are the next two */
	const char *prefix;      /* the source's first lines, where they include CUDA's headers; NULL: they do not */
	const char *precompiled; /* the file of those, which may not be there; NULL: no place */
	size_t nnames;
	bool ptx_only; /* no cubin is needed, and none would show an error that PTX does not */
	bool cacheable;
	char key[CACHE_KEY_CHARS];
} Plan;

/* The job outlives the plan. */
Plan plan_make(const CompileJob *job, const NvrtcLibrary *lib);
/* Of a source that is to be compiled, or its headers. */
void plan_unit(Plan *plan, const CompileJob *job);
void plan_free(Plan *plan);
/* Whether the job has an option that begins with one of these; the list ends with NULL. */
bool plan_has_option(const CompileJob *job, const char *const *prefixes);
