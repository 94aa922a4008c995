/* NVRTC behind a door: found, loaded when first needed, and run. Which library will serve is known without loading it. */
#ifndef GPULAB_COMPILE_NVRTC_H
#define GPULAB_COMPILE_NVRTC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "compile/toolkit.h"

/* The library compiles will use, chosen by its version as remembered from an earlier load; loads only what is unknown.
 * NULL with err (ERR_SETUP): there is none, or none new enough. Owned by this file; valid until the choice changes, so
 * copy what must last. Callers hold compile.c's lock. */
const NvrtcLibrary *nvrtc_choose(Err *err);

/* "13.0" of the library last chosen. */
const char *nvrtc_chosen_version(void);

typedef struct {
	const char *source;
	const char *path;         /* the name NVRTC gives the source in messages and in .file */
	uint32_t cc;              /* as asked for; what NVRTC took is in NvrtcOutput */
	const char *const *names; /* name expressions */
	size_t nnames;
	const char *const *options; /* all but the architecture */
	size_t noptions;
	bool once; /* what fails is not tried again with more declarations */
} NvrtcInput;

typedef struct {
	char *cubin, *ptx, *log;       /* cubin and ptx NULL where the compile failed */
	size_t cubin_bytes, ptx_bytes; /* ptx_bytes without the terminator */
	char **linked;                 /* one for each name */
	size_t nlinked;
	uint32_t cc;
	double milliseconds;
} NvrtcOutput;

/* False with err (ERR_SETUP) where NVRTC cannot be loaded or run at all. True: out is filled; out->ptx tells whether the source
 * compiled, out->log why not. nvrtc_output_free in both cases. */
bool nvrtc_run(const NvrtcInput *in, NvrtcOutput *out, Err *err);
void nvrtc_output_free(NvrtcOutput *out);

#endif
