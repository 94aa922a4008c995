/* What the prompt asks the compile worker (`gpulab --worker compile`), and what comes back: records for
 * wire/record.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/record.h"
#include "wire/sandbox.h"

enum { CALL_OPEN, CALL_COMPILE, CALL_PREPARE, CALL_COUNT };

enum { COMPILE_TEXTS = 1 << 16 }; /* names, options: at most so many */

typedef struct {
	const char *text;
} CompileText;

/* A header that is no file: to be found under its path. */
typedef struct {
	const char *path, *text;
} CompileFile;

/* The first call: loads a library and sets what holds for the worker's life. */
typedef struct {
	const char *library;     /* a path; "" for the one that the dynamic loader finds */
	uint64_t memory_bytes;   /* all that the worker may allocate */
	const CompileText *read; /* files and folders it may read, where the kernel can keep it to them */
	uint32_t nread;
	const char *write; /* a folder for temporary files and what is made; NULL: nothing can be written */
} OpenRequest;

typedef struct {
	const char *library; /* its path */
	uint32_t major, minor;
	SandboxState sandbox;
} OpenAnswer;

typedef struct {
	const char *source;
	const char *path;         /* the name NVRTC gives the source in messages and in .file */
	uint32_t cc;              /* as asked for; what NVRTC took is in the answer */
	double seconds;           /* of processor time, after which SIGPROF ends the worker */
	const CompileText *names; /* name expressions */
	uint32_t nnames;
	const CompileText *options; /* all but the architecture */
	uint32_t noptions;
	bool ptx_only; /* no cubin */
	bool once;     /* what fails is not tried again with more declarations */
	const CompileFile *files;
	uint32_t nfiles;
	const char *headers; /* a file of precompiled headers: used where it fits, or made by CALL_PREPARE; NULL: none */
} NvrtcInput;

typedef struct {
	const uint8_t *cubin; /* NULL: none */
	size_t cubin_bytes;
	const char *ptx, *log;     /* ptx NULL: the source did not compile, and log says why */
	const CompileText *linked; /* one for each name */
	uint32_t nlinked;
	uint32_t cc;
	double milliseconds;
	bool precompiled;   /* with in->headers */
	bool out_of_memory; /* NVRTC met the limit and survived; nothing else is filled */
} NvrtcOutput;

/* CALL_PREPARE makes in->headers from the source, which is nothing but #include lines. */
typedef struct {
	bool made; /* no: files of one process are of no use to another here, or they cannot be made of this */
} PrepareAnswer;

extern const Record PrepareAnswer_record, OpenRequest_record, OpenAnswer_record, NvrtcInput_record, NvrtcOutput_record;
