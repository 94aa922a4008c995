/* journal.h: the file, which is opened at its first use and checked again before each use, because another
 * process may have set it aside or removed it since. */
#include "store/journal.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "store/database.h"
#include "store/files.h"

struct Journal {
	char *folder, *path;
	sqlite3 *db;    /* NULL: not open */
	FileId file;    /* that db is, or was when it turned out damaged */
	bool set_aside; /* a file was set aside: only once, or an error elsewhere would fill the folder */
	Err notice;     /* ERR_NONE: nothing to report */
};

Journal *journal_open(const char *folder) {
	Journal *journal = xcalloc(1, sizeof *journal);
	journal->folder = xstrdup(folder);
	journal->path = xformat("%s/journal.db", folder);
	return journal;
}

const char *journal_path(const Journal *journal) {
	return journal->path;
}

/* SQLite folds the log in and removes it by name when the last user closes: never where the name means another file by
 * now. */
static void disconnect(Journal *journal) {
	if (!journal->db) return;
	int lock = folder_lock(journal->folder);
	database_close(journal->db, !file_same(file_id(journal->path), journal->file));
	folder_unlock(lock);
	journal->db = NULL;
}

void journal_close(Journal *journal) {
	if (!journal) return;
	disconnect(journal);
	free(journal->folder);
	free(journal->path);
	free(journal);
}

bool journal_notice(Journal *journal, Err *notice) {
	if (journal->notice.kind == ERR_NONE) return false;
	*notice = journal->notice;
	err_clear(&journal->notice);
	return true;
}

/* --- the connection ----------------------------------------------------------------------------------------------- */

static DbResult connect(Journal *journal, bool make, Err *err) {
	if (journal->db && !file_same(file_id(journal->path), journal->file)) disconnect(journal);
	if (journal->db) return DB_OK;
	if (make && !folders_make(journal->path, 0777, err)) {
		err_hint(err, "make it, or set GPULAB_HOME to a folder that can be written; GPULAB_HOME= keeps no journal");
		return DB_FAILED;
	}
	/* Checked before opening: if the file is replaced in between, db counts as moved too early rather than too late. */
	FileId before = file_id(journal->path);
	DbResult result = database_open(journal->path, make, &journal->db, err);
	journal->file = before.inode ? before : file_id(journal->path);
	return result;
}

/* True also where another gpulab was faster. */
static bool set_aside(Journal *journal, Err *err) {
	if (journal->set_aside) {
		err_set(err, ERR_SETUP, "the journal %s is damaged again", journal->path);
		return err_hint(err, "check the disk, or set GPULAB_HOME to a folder on another one");
	}
	AUTO_STR Str name = {0};
	bool ok = true;
	disconnect(journal);
	int lock = folder_lock(journal->folder);
	if (file_same(file_id(journal->path), journal->file)) ok = database_set_aside(journal->path, &name, err);
	folder_unlock(lock);
	if (name.len) {
		journal->set_aside = true;
		err_set(&journal->notice, ERR_SETUP, "the journal %s was damaged: it is kept as %s, and a new one is used",
				journal->path, name.text);
		err_hint(&journal->notice, "sqlite3's .recover may read what is left of it");
	}
	return ok;
}

/* --- statements --------------------------------------------------------------------------------------------------- */

typedef struct {
	const char *sql;
	const JournalValue *values;
	size_t n;
	int64_t id;
	JournalRows rows;
} Work;

/* Connects and works, again if the file turns out to be damaged. make: create the file if needed. */
static DbResult with_file(Journal *journal, bool make, DbResult (*work)(Journal *, Work *, Err *), Work *with,
						  Err *err) {
	for (;;) {
		DbResult result = connect(journal, make, err);
		if (result == DB_OK) result = work(journal, with, err);
		if (result == DB_DAMAGED && set_aside(journal, err)) continue;
		if (result == DB_OK || result == DB_ABSENT) return result;
		disconnect(journal);
		return DB_FAILED;
	}
}

static int bind_value(sqlite3_stmt *statement, int number, const JournalValue *v) {
	switch (v->type) {
	case VALUE_WHOLE: return sqlite3_bind_int64(statement, number, v->whole);
	case VALUE_NUMBER: return sqlite3_bind_double(statement, number, v->number);
	case VALUE_TEXT: return sqlite3_bind_text(statement, number, v->text, (int)v->bytes, SQLITE_STATIC);
	case VALUE_NULL:
	case VALUE_OTHER: break;
	}
	return SQLITE_OK;
}

/* *sql is then what follows the statement. */
static int prepare(sqlite3 *db, const char **sql, const Work *work, sqlite3_stmt **out) {
	int rc = sqlite3_prepare_v2(db, *sql, -1, out, sql);
	const size_t has = rc == SQLITE_OK ? (size_t)sqlite3_bind_parameter_count(*out) : 0;
	for (size_t i = 0; rc == SQLITE_OK && i < has && i < work->n; i++)
		rc = bind_value(*out, (int)i + 1, &work->values[i]);
	return rc;
}

static int write_all(sqlite3 *db, const Work *work) {
	int rc = SQLITE_OK;
	for (const char *rest = work->sql; rc == SQLITE_OK && *rest;) {
		sqlite3_stmt *statement = NULL;
		rc = prepare(db, &rest, work, &statement);
		if (rc == SQLITE_OK && (rc = sqlite3_step(statement)) == SQLITE_DONE) rc = SQLITE_OK;
		sqlite3_finalize(statement);
	}
	return rc;
}

static DbResult write_rows(Journal *journal, Work *work, Err *err) {
	int rc = sqlite3_exec(journal->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
	if (rc == SQLITE_OK) rc = write_all(journal->db, work);
	work->id = sqlite3_last_insert_rowid(journal->db);
	if (rc == SQLITE_OK) rc = sqlite3_exec(journal->db, "COMMIT", NULL, NULL, NULL);
	if (rc == SQLITE_OK) return DB_OK;
	DbResult result = database_failed(journal->path, journal->db, rc, err);
	sqlite3_exec(journal->db, "ROLLBACK", NULL, NULL, NULL);
	return result;
}

static JournalValue value_of(sqlite3_stmt *row, int column, Arena *arena) {
	enum { LONGEST = 256 << 10 };
	const char *text;
	size_t bytes;
	switch (sqlite3_column_type(row, column)) {
	case SQLITE_NULL: return (JournalValue){.type = VALUE_NULL};
	case SQLITE_INTEGER: return (JournalValue){VALUE_WHOLE, .whole = sqlite3_column_int64(row, column)};
	case SQLITE_FLOAT: return (JournalValue){VALUE_NUMBER, .number = sqlite3_column_double(row, column)};
	case SQLITE_TEXT:
		text = (const char *)sqlite3_column_text(row, column);
		bytes = (size_t)sqlite3_column_bytes(row, column);
		if (!text || bytes > LONGEST) break;
		return (JournalValue){VALUE_TEXT, .text = arena_strndup(arena, text, bytes), .bytes = bytes};
	}
	return (JournalValue){.type = VALUE_OTHER};
}

static DbResult read_rows(Journal *journal, Work *work, Err *err) {
	Arena *arena = work->rows.arena;
	VEC(JournalValue) values = {0};
	sqlite3_stmt *row = NULL;
	const char *sql = work->sql;
	size_t len = 0;
	int rc = prepare(journal->db, &sql, work, &row);
	const int columns = sqlite3_column_count(row);
	const char **names = arena_array(arena, (size_t)columns + 1, sizeof *names);
	for (int i = 0; i < columns; i++) names[i] = arena_strdup(arena, sqlite3_column_name(row, i));
	for (; rc == SQLITE_OK && (rc = sqlite3_step(row)) == SQLITE_ROW; rc = SQLITE_OK, len++)
		for (int i = 0; i < columns; i++) vec_push_in(arena, &values, value_of(row, i, arena));
	DbResult result = rc == SQLITE_DONE ? DB_OK : database_failed(journal->path, journal->db, rc, err);
	sqlite3_finalize(row);
	work->rows = (JournalRows){names, (size_t)columns, len, values.data, arena};
	return result;
}

bool journal_write(Journal *journal, const char *sql, const JournalValue *values, size_t n, int64_t *id, Err *err) {
	Work work = {sql, values, n, 0, {0}};
	if (with_file(journal, true, write_rows, &work, err) != DB_OK) return false;
	if (id) *id = work.id;
	return true;
}

bool journal_read(Journal *journal, const char *sql, const JournalValue *values, size_t n, JournalRows *out, Err *err) {
	Work work = {sql, values, n, 0, {.arena = arena_new()}};
	if (with_file(journal, false, read_rows, &work, err) == DB_FAILED) {
		arena_free(work.rows.arena);
		return false;
	}
	*out = work.rows;
	return true;
}

void journal_rows_free(JournalRows *rows) {
	arena_free(rows->arena);
	*rows = (JournalRows){0};
}
