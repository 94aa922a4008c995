/* The prompt's side of the compile worker: one process, started when it is first needed, ended and started again after
 * a cancel, a limit or a crash. Callers hold compile.c's lock. */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "compile/toolkit.h"
#include "compile/worker/calls.h"

typedef struct {
	const NvrtcLibrary *library;
	const char *const
		*folders; /* that a source may include from, the toolkit's apart; without what is in their "solutions" */
	size_t nfolders;
	bool exactly; /* nor what an earlier place had: some #include is left to the operating system to refuse */
} CompilePlace;

/* A worker with this library loaded, for its version. "": the one that the dynamic loader finds. out is valid until the
 * next call. False with err (ERR_SETUP): it cannot be loaded. */
bool compiler_open(const char *library, OpenAnswer *out, Err *err);

/* Whether the operating system keeps the compiler to that place, so that no #include reaches further. False with err
 * where there is no worker. */
bool compiler_confined(const CompilePlace *place, bool *out, Err *err);

/* Compiles. shown: the source's path in messages. out is valid until the next call. False with err: what ended it
 * (ERR_COMPILE: too much memory or a crash; ERR_TIMEOUT; ERR_INTERRUPTED), or no NVRTC (ERR_SETUP). */
bool compiler_run(const CompilePlace *place, const NvrtcInput *in, const char *shown, NvrtcOutput *out, Err *err);

/* The error of a compilation that met its limit of time; false. */
bool compiler_out_of_time(const char *shown, Err *err);

/* Starts the worker for this place, so that the first compile finds it. Waits for nothing. */
void compiler_start(const CompilePlace *place);

/* Has in->headers made, in folder, by a process of its own. Waits for nothing: the file is there when it is. */
void compiler_prepare(const CompilePlace *place, const NvrtcInput *in, const char *folder);
