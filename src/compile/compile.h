/* CUDA C++ to PTX, and to a cubin, through NVRTC (12.8 or newer, 13). NVRTC is loaded and run by a worker process
 * alone, which is started when first needed: a source that hangs or crashes the compiler costs that process.
 * A file whose name ends in .ptx is PTX already, which is taken as it is; its kernels have their linked names.
 * Ownership: compiled_free. Results come from a cache on disk when everything that matters is the same: source, every
 * header it included, options, names, architecture, NVRTC's version. What a compile may take is set in base/limits.h;
 * the operating system keeps it. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

typedef struct {
	const char *source;  /* CUDA C++ text */
	size_t source_bytes; /* its length, so that a NUL byte inside is reported and not taken for the end; 0: unknown */
	const char *path;    /* its file, for messages and relative includes; "<prompt>" for typed text */
	uint32_t cc;         /* 75, 90: the GPU to compile for; the nearest NVRTC supports is taken and recorded */
	const char *const *names; /* kernels wanted, as in CUDA C++: "reduce6<256>", "copy"; NULL-terminated; may be NULL:
							   * then every non-template __global__ function is there under its own name */
	bool nothing_else;        /* of the source's own kernels only those need be there, which takes less time */
	bool for_emulator;        /* PTX is enough. A cubin is made only where ptxas may have something to say: with inline
							   * assembly, or options that are for it. A third less time */
	const char *const *include_dirs; /* NULL-terminated; may be NULL; CUDA's own headers are always found */
	bool
		partial; /* declarations with an error are left out where others compile: kernels[].error says which, and why */
	bool parents; /* the file is one that the user named: its quoted #includes may lead to other folders by "../", as
				   * nvcc's do (headers.h) */
	const char *const
		*options; /* further NVRTC options ("-DTILE=32", "--use_fast_math"); NULL-terminated; may be NULL */
} CompileJob;

typedef struct {
	char *name;   /* as asked: "tile<33>" */
	char *linked; /* as linked: "_Z4tileILi33EEvPfPKfi" */
} CompiledName;

/* A kernel of the source: one that was compiled, or a template. */
typedef struct {
	char *name;       /* by which it is launched: "lab::copy"; the linked one where several share the plain one */
	char *plain;      /* as the source calls it */
	char *linked;     /* NULL: a template, of which the module need not have an instance */
	char *template_;  /* "int N, class T" of a template, else NULL */
	char *parameters; /* "const float *in, int n", on one line; NULL: the text does not have them, as with a macro's */
	char *file;       /* the header that it is in; NULL: the source */
	char *error;      /* NULL, or why it was left out (CompileJob.partial) */
	uint32_t line;    /* 0: unknown */
} CompiledKernel;

typedef struct {
	Arena *arena; /* holds all of it */
	char *cubin;  /* NULL: none was made */
	size_t cubin_bytes;
	bool by_sass; /* the cubin is a program's own: an emulator counts the accesses that it has */
	char *ptx;    /* terminated */
	size_t ptx_bytes;
	struct PtxModule *module; /* the same, read; NULL: not yet (compiled_read) */
	CompiledName *names;
	CompiledKernel *kernels;       /* by place: those of the source first; copies have none */
	uint32_t nnames, nkernels, cc; /* cc: compiled for */
	char *log;                     /* warnings, or "" */
	char *headers; /* the texts of the headers that the source reaches, the toolkit's apart; NULL: there are none */
	bool from_cache;
	bool precompiled;    /* CUDA's headers were, so that they took no time */
	double milliseconds; /* taken by NVRTC, 0 from the cache */
	char key[65];        /* the cache key: equal keys, equal results */
} Compiled;

typedef enum { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE } DiagKind;

typedef struct {
	DiagKind kind;
	char *file;            /* as CompileJob.path spells it; "" where the message has no place */
	uint32_t line, column; /* from 1, column in bytes; 0: unknown */
	char *message;         /* one line, or more where NVRTC explains ("detected during instantiation of ...") */
	char *source_line;     /* or NULL */
} Diagnostic;

typedef struct {
	Diagnostic *data;
	size_t len, cap;
	Arena *arena; /* holds all of it */
} Diagnostics;

/* False: err has kind ERR_COMPILE with the first error rendered into err->what (file, line, source line, caret,
 * message), or with what ended the compiler (too much memory, a crash); ERR_TIMEOUT; ERR_INTERRUPTED; or ERR_SETUP
 * where NVRTC is missing or too old, with how to get it, or its process was killed. diags (may be NULL) receives all
 * messages, also warnings of a successful compile. */
bool compile(const CompileJob *job, Compiled **out, Diagnostics *diags, Err *err);
Compiled *compiled_copy(const Compiled *from); /* its texts may be anywhere; log and names may be missing */
void compiled_free(Compiled *compiled);
/* Reads the PTX, once for all who ask. False with err: it is not understood. */
bool compiled_read(Compiled *compiled, Err *err);
/* By any spelling of the name ("tile<33>", "tile< 33 >") or by the linked name itself. NULL: not there. */
const char *compiled_linked_name(const Compiled *compiled, const char *name);
void diagnostics_free(Diagnostics *diags);

/* As text for a terminal of 80 columns: "file:line:column: error: message", the source line, a caret; color is the
 * caller's choice. The caller frees. */
char *diagnostic_render(const Diagnostic *diag, bool color);

/* "13.0", or NULL with err (ERR_SETUP) where there is none. A missing NVRTC is looked for again at the next call.
 * Starts no worker when the version is remembered from an earlier run. Valid until the next call. */
const char *nvrtc_version(Err *err);

/* Where that version is newer than all that gpulab was verified with: the newest of those; else NULL. */
const char *nvrtc_verified(void);

/* Takes a sentence for a person about such a version, when a library is used for the first time. NULL: no receiver. */
extern void (*compile_notice)(const char *text);

/* The toolkit's folder that NVRTC is in, with include/ and bin/ where it has them. The caller frees; NULL: no NVRTC. */
char *nvrtc_home(void);

/* Which parts of the compile worker's sandbox are in force, as text (wire/sandbox.h). Starts the worker if there is
 * none. False with err (ERR_SETUP): there is no NVRTC. */
bool compile_sandbox(char *out, size_t size, Err *err);

/* Makes ready what compiling this job will need: starts the worker, and has the CUDA headers that the source begins
 * with precompiled, if they are not yet. All of it happens in other processes, and nothing is waited for. */
void compile_prepare(const CompileJob *job);

void compile_end(void); /* ends the worker; the next compile starts one */
