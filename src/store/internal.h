/* Shared by the journal's parts: its file, which each accesses through journal_with, and how rows are read. */
#ifndef GPULAB_STORE_INTERNAL_H
#define GPULAB_STORE_INTERNAL_H

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

int64_t journal_now(void); /* ms since 1970, UTC */
bool journal_time_possible(int64_t ms);
char *journal_cleaned(Arena *arena, const char *text, size_t most);

/* A column's value; false: it is of another kind than it has to be. A NULL is "", `if_null`, NAN. */
bool journal_read_text(sqlite3_stmt *row, int column, size_t most, Arena *arena, const char **out);
bool journal_read_integer(sqlite3_stmt *row, int column, int64_t if_null, int64_t *out);
bool journal_read_number(sqlite3_stmt *row, int column, double *out);

#endif
