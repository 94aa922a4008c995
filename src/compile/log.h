/* NVRTC's log as diagnostics: places as the caller knows them, and an error with what to do about it. */
#pragma once

#include "compile/diagnostics.h"
#include "compile/plan.h"

Diagnostics log_read(const char *log, const Plan *plan, const CompileJob *job);
/* The first error that is (not) about the names of kernels asked for; NULL: none. */
const Diagnostic *log_first_error(const Diagnostics *diags, bool in_names);
void log_drop_names(Diagnostics *diags);
/* ERR_COMPILE, with a hint where there is one. */
void log_report(const Diagnostic *diag, const Unit *unit, Err *err);

/* A file as the caller spells it, and a line of a text. */
char *log_shown_path(Arena *arena, const char *file, const Plan *plan, const CompileJob *job);
char *log_line_of(Arena *arena, const char *text, uint32_t line);
