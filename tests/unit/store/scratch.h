/* What cmocka wants included first, and what the journal's tests share: a scratch folder each, runs, children. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "store/journal.h"

/* cmocka's setup and teardown of a test: *state is an empty folder's path; it is removed with all that is in it. */
int scratch_new(void **state);
int scratch_free(void **state);

char *scratch_path(const char *folder, const char *name); /* the caller frees */
size_t scratch_count(const char *folder, const char *prefix);

/* A run of this step. */
bool record_run(Journal *journal, const char *step, int64_t *id, Err *err);
/* The newest runs of a step, their numbers first. */
bool read_runs(Journal *journal, const char *step, JournalRows *runs, Err *err);
/* The same; stop the test where that fails. */
int64_t must_record(Journal *journal, const char *step);
JournalRows must_read(Journal *journal, const char *step);
/* How many there are. */
size_t must_count(Journal *journal, const char *step);

/* "ok" if SQLite finds nothing wrong in the file; else what it found. The caller frees. */
char *integrity(const char *path);
void run_sql(const char *path, const char *sql);

/* Runs body in a child, as nobody where we are root; its exit status is body's result. */
int in_child(int (*body)(void *with), void *with, bool as_nobody);
