/* Which kernels a compile gave, under which names; and what to say about a name that is none of them. */
#pragma once

#include "compile/compile.h"
#include "compile/worker/calls.h"

/* Fills compiled->names from the names asked for with their linked names, then every other kernel in compiled->module
 * under its plain name. A plain name that several kernels share, and instances that were not asked for, are listed
 * under their linked names. */
void kernels_collect(Compiled *compiled, const char *const *asked, const CompileText *linked, size_t n);

/* Whether the result has every name asked for; else err. */
bool kernels_there(const Compiled *compiled, const CompileJob *job, Err *err);

/* The file NVRTC gives for messages about name expressions. */
bool kernels_is_name_message(const Diagnostic *diag);

/* After a compile that failed in its names alone: err and one message for each bad name. module is what the source
 * gives without names (NULL where that failed as well). */
bool kernels_bad_names(const CompileJob *job, const struct PtxModule *module, Diagnostics *diags, Err *err);
