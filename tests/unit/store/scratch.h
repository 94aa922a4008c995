/* What cmocka wants included first, and what the journal's tests share: a scratch folder each, a run to record,
 * children. */
#ifndef GPULAB_TESTS_STORE_SCRATCH_H
#define GPULAB_TESTS_STORE_SCRATCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "store/journal.h"

/* cmocka's setup and teardown of a test: *state is an empty folder's path; it is removed with all that is in it. */
int scratch_new(void **state);
int scratch_free(void **state);

char *scratch_path(const char *folder, const char *name); /* the caller frees */
size_t scratch_count(const char *folder, const char *prefix);

/* A run that is all right, of this step. */
JournalRun a_run(const char *step);

/* Records it and stops the test where that fails. */
int64_t must_record(Journal *journal, const JournalRun *run);
JournalRuns must_history(Journal *journal, const char *step, size_t n);

/* "ok" if SQLite finds nothing wrong in the file; else what it found. The caller frees. */
char *integrity(const char *path);
void run_sql(const char *path, const char *sql);

/* Runs body in a child, as nobody where we are root; its exit status is body's result. */
int in_child(int (*body)(void *with), void *with, bool as_nobody);

#endif
