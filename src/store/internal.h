/* Shared by the journal's parts: its file, which each accesses through journal_with, and how rows are read. */
#ifndef GPULAB_STORE_INTERNAL_H
#define GPULAB_STORE_INTERNAL_H

#include "base/values/member.h"
#include "store/database.h"
#include "store/files.h"
#include "store/journal.h"

struct Journal {
	char *folder, *path;
	sqlite3 *db;    /* NULL: not open */
	FileId file;    /* that db is, or was when it turned out damaged */
	bool set_aside; /* a file was set aside: only once, or an error elsewhere would fill the folder */
	Err notice;     /* ERR_NONE: nothing to report */
};

typedef DbResult JournalWork(Journal *journal, void *with, Err *err);

/* Connects and runs the operation, again if the file turns out to be damaged. make: create the file if needed. */
DbResult journal_with(Journal *journal, bool make, JournalWork *work, void *with, Err *err);

/* What a statement's last result code means: SQLITE_DONE is DB_OK. */
DbResult journal_result(Journal *journal, int rc, Err *err);

/* --- rows.c ------------------------------------------------------------------------------------------------------- */

typedef struct {
	const char *name;
	Member member;       /* where it is in the row's structure, whose first member is the id */
	size_t most;         /* bytes of a text; a longer one is cut */
	const char *refused; /* it is refused instead, because of this */
} Column;

#define COLUMN(T, M, MOST, REFUSED)                                                                                    \
	{ #M, MEMBER(T, M), MOST, REFUSED }
#define COLUMN_NAME(T, M) COLUMN(T, M, JOURNAL_NAME, NULL)
#define COLUMN_NUMBER(T, M) COLUMN(T, M, 0, NULL)
#define COLUMN_AT(T)                                                                                                   \
	{ "at", MEMBER(T, time), 0, NULL }

typedef struct {
	const char *name, *row; /* "runs", "run of" */
	size_t bytes;           /* of a row's structure */
	const Column *columns;
	size_t ncolumns;
	const char *(*complaint)(const void *row); /* what is wrong with a row to be written, or that was read; or NULL */
	const char *where;                         /* of ?1 and ?2 */
	const char *after; /* a statement that follows in the transaction of a new row, whose lab is ?1; NULL: none */
} Table;

/* Newest first; rows that are not as they have to be are left out. The layout of JournalRuns and JournalMarks. */
typedef struct {
	void *items;
	size_t len, left_out;
	Arena *arena;
} Rows;

bool known(const char *text); /* neither NULL nor "" */
bool among(const char *text, const char *const *names);
bool time_possible(int64_t ms);
/* The row, with its time and with clean texts. lab and subject: members of it. */
bool row_record(Journal *journal, const Table *table, void *row, const char *const *lab, const char *const *subject,
				int64_t *id, Err *err);
bool rows_select(Journal *journal, const Table *table, const char *first, const char *second, size_t n, Rows *out,
				 Err *err);

#endif
