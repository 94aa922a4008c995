/* The journal's file: what ran, on what, and the results; and the student's marks. One SQLite file, journal.db, in the
 * student's folder. What its rows say, and which make sense, lua/gpulab/run/records.lua knows.
 *
 * A write is one transaction. Once journal_write has returned true, what was written survives the death of this
 * process, kill -9 included (the write-ahead log is not synced at each commit, so a power cut may take the latest ones;
 * the file stays intact). Any number of processes may read and write at once: they wait for each other, five seconds at
 * most. The file is created at the first write; until then, and for reading where there is none, the disk is not
 * touched.
 *
 * A file that is not as expected is never overwritten or deleted:
 *     damaged         renamed to journal.db.damaged-DATE with its log; a new one is created; journal_notice reports it
 *     newer           written by a newer gpulab: refused, untouched
 *     older           brought up to date in one transaction
 *     someone else's  a database with other contents: refused, untouched
 *
 * Failure: false and Err (ERR_SETUP), outputs untouched. The journal stays usable: the next call tries again, for
 * example once the disk has space. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

typedef struct Journal Journal;

/* A parameter of a statement, ?1 and on, or a value of a row. */
typedef struct {
	enum { VALUE_NULL, VALUE_WHOLE, VALUE_NUMBER, VALUE_TEXT, VALUE_OTHER /* bytes, or a text of over 256 KB */ } type;
	int64_t whole;
	double number;
	const char *text; /* any bytes: the file may have been edited */
	size_t bytes;
} JournalValue;

typedef struct {
	const char **names; /* [columns] */
	size_t columns, len;
	JournalValue *values; /* [len][columns] */
	Arena *arena;         /* holds all of it */
} JournalRows;

/* Touches nothing yet. The folder, and those above it, are made at the first write. */
Journal *journal_open(const char *folder);
void journal_close(Journal *journal); /* NULL is allowed */

const char *journal_path(const Journal *journal);

/* Statements of SQL, which share the parameters. id (may be NULL) receives the number of the row inserted last. */
bool journal_write(Journal *journal, const char *sql, const JournalValue *values, size_t n, int64_t *id, Err *err);

/* The rows of a query. No journal yet: none. */
bool journal_read(Journal *journal, const char *sql, const JournalValue *values, size_t n, JournalRows *out, Err *err);
void journal_rows_free(JournalRows *rows); /* {0} is allowed */

/* Whether a file was set aside since the last call, and the message for the user. */
bool journal_notice(Journal *journal, Err *notice);
