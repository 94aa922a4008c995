/* database.h: versions and failures of the SQLite file. */
#include "store/database.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/str.h"
#include "store/files.h"

enum { LOCK_TIMEOUT_MS = 5000, LONGEST_ROW = 16 * 1024 * 1024 };

/* changes[v] makes version v + 1 of version v. Never edit one that was released: add the next. */
static const char *const changes[DATABASE_VERSION] = {
	"CREATE TABLE runs ("
	" id INTEGER PRIMARY KEY AUTOINCREMENT,"
	" at INTEGER NOT NULL," /* ms since 1970, UTC */
	" lab TEXT NOT NULL, step TEXT NOT NULL, kernel TEXT, source TEXT, params TEXT,"
	" device TEXT, gpu TEXT, driver TEXT, nvrtc TEXT,"
	" outcome TEXT NOT NULL, verified INTEGER,"
	" value REAL, unit TEXT, kind TEXT, q1 REAL, q3 REAL, min REAL, samples INTEGER, clock_ghz REAL,"
	" counters TEXT);"
	"CREATE INDEX runs_of_step ON runs (lab, step);",
	"CREATE TABLE marks ("
	" id INTEGER PRIMARY KEY AUTOINCREMENT,"
	" at INTEGER NOT NULL," /* ms since 1970, UTC */
	" lab TEXT NOT NULL, what TEXT NOT NULL, name TEXT NOT NULL, text TEXT, unit TEXT, number REAL, truth REAL);"
	"CREATE INDEX marks_of_lab ON marks (lab, what);",
	"ALTER TABLE runs ADD COLUMN temperature REAL;"};

/* --- failures ----------------------------------------------------------------------------------------------------- */

static bool elsewhere(Err *err) {
	return err_hint(err, "make it writable, or set GPULAB_HOME to another folder; GPULAB_HOME= keeps no journal");
}

DbResult database_failed(const char *path, sqlite3 *db, int rc, Err *err) {
	int system = db ? sqlite3_system_errno(db) : 0;
	if (system == ENOENT) system = 0; /* SQLite's second attempt, for reading, hides why the first failed */
	switch (rc & 0xff) {
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
	case SQLITE_ERROR: /* our statements fail so only on tables that are not ours any more */ return DB_DAMAGED;
	case SQLITE_FULL:
		err_set(err, ERR_SETUP, "the disk is full: the journal %s cannot store this run", path);
		err_hint(err, "make room, or set GPULAB_HOME to a folder on another disk");
		break;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		err_set(err, ERR_SETUP, "another program has locked the journal %s for %d seconds", path,
				LOCK_TIMEOUT_MS / 1000);
		err_hint(err, "end the program that has it open");
		break;
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_CANTOPEN:
	case SQLITE_AUTH:
		err_set(err, ERR_SETUP, "the journal %s cannot be opened or written%s%s", path, system ? ": " : "",
				system ? strerror(system) : "");
		elsewhere(err);
		break;
	default:
		err_set(err, ERR_SETUP, "the journal %s cannot be used: %s%s%s", path, sqlite3_errstr(rc), system ? ": " : "",
				system ? strerror(system) : "");
		elsewhere(err);
	}
	return DB_FAILED;
}

/* --- whose file, what version ------------------------------------------------------------------------------------- */

static int execute(sqlite3 *db, const char *sql) {
	return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

static int integer(sqlite3 *db, const char *sql, int *value) {
	sqlite3_stmt *statement = NULL;
	int rc = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
	if (rc == SQLITE_OK) rc = sqlite3_step(statement);
	if (rc == SQLITE_ROW) {
		*value = sqlite3_column_int(statement, 0);
		rc = SQLITE_OK;
	}
	sqlite3_finalize(statement);
	return rc;
}

typedef struct {
	int application, version, tables;
	int programs; /* triggers and views: a journal has none, and a file that was handed on shall run nothing */
} Kind;

static int kind_of(sqlite3 *db, Kind *kind) {
	int rc = integer(db, "PRAGMA application_id", &kind->application);
	if (rc == SQLITE_OK) rc = integer(db, "PRAGMA user_version", &kind->version);
	if (rc == SQLITE_OK) rc = integer(db, "SELECT count(*) FROM sqlite_master", &kind->tables);
	if (rc == SQLITE_OK)
		rc = integer(db, "SELECT count(*) FROM sqlite_master WHERE type IN ('view', 'trigger')", &kind->programs);
	return rc;
}

/* All of one moment: another program may be making its tables just now. */
static int kind_at_once(sqlite3 *db, Kind *kind) {
	int rc = execute(db, "BEGIN");
	if (rc == SQLITE_OK) rc = kind_of(db, kind);
	if (rc == SQLITE_OK) return execute(db, "COMMIT");
	return rc; /* the file is not used any further: closing ends what was begun */
}

static bool is_empty(const Kind *kind) {
	return !kind->application && !kind->version && !kind->tables;
}

static DbResult judge(const char *path, const Kind *kind, Err *err) {
	if (is_empty(kind)) return DB_OK;
	if (kind->application != DATABASE_APPLICATION) {
		err_set(err, ERR_SETUP, "%s is a database, but not a journal of gpulab; it is left unchanged", path);
		err_hint(err, "move it away, or set GPULAB_HOME to another folder");
		return DB_FAILED;
	}
	if (kind->version > DATABASE_VERSION) {
		err_set(err, ERR_SETUP,
				"the journal %s was written by a newer gpulab (version %d, this one knows %d); it is left unchanged",
				path, kind->version, DATABASE_VERSION);
		err_hint(err, "use the newer gpulab, or set GPULAB_HOME to another folder");
		return DB_FAILED;
	}
	return kind->version < 0 || kind->programs ? DB_DAMAGED : DB_OK;
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

/* All steps to the present version are one transaction, which also looks again at what another program may have done
 * since. */
static int bring_up_to_date(sqlite3 *db) {
	Kind kind = {0};
	int rc = execute(db, "BEGIN IMMEDIATE");
	if (rc == SQLITE_OK) rc = kind_of(db, &kind);
	for (int v = kind.version; rc == SQLITE_OK && v < DATABASE_VERSION; v++) rc = execute(db, changes[v]);
	if (rc == SQLITE_OK && kind.version < DATABASE_VERSION) {
		char sql[80];
		snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", DATABASE_APPLICATION,
				 DATABASE_VERSION);
		rc = execute(db, sql);
	}
	if (rc == SQLITE_OK) rc = execute(db, "COMMIT");
	return rc; /* closing rolls back what was begun */
}

/* The file may come from anywhere: nothing in it runs, and its pages are looked at before they are believed. */
static int be_careful(sqlite3 *db) {
	sqlite3_busy_timeout(db, LOCK_TIMEOUT_MS);
	sqlite3_extended_result_codes(db, 1);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, LONGEST_ROW);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
#endif
	return execute(db, "PRAGMA cell_size_check = ON; PRAGMA synchronous = NORMAL");
}

/* Two programs that do this at once may refuse each other, which does no harm: one of them has done it. */
static void choose_log(sqlite3 *db, const char *path) {
	AUTO_ARENA Arena *arena = arena_new();
	const char *folder = path_folder(arena, path);
	execute(db,
			folder_on_network(*folder ? folder : "/") ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL");
}

static DbResult open_existing(const char *path, bool make, sqlite3 *db, Err *err) {
	Kind kind;
	int rc = be_careful(db);
	if (rc == SQLITE_OK) rc = kind_at_once(db, &kind);
	if (rc != SQLITE_OK) return database_failed(path, db, rc, err);
	DbResult result = judge(path, &kind, err);
	if (result != DB_OK) return result;
	if (is_empty(&kind) && !make) return DB_ABSENT;
	if (make) choose_log(db, path);
	if (kind.version == DATABASE_VERSION) return DB_OK;
	rc = bring_up_to_date(db);
	return rc == SQLITE_OK ? DB_OK : database_failed(path, db, rc, err);
}

DbResult database_open(const char *path, bool make, sqlite3 **out, Err *err) {
	struct stat st;
	if (!make && stat(path, &st) != 0 && errno == ENOENT) return DB_ABSENT;
	sqlite3 *db = NULL;
	int rc = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | (make ? SQLITE_OPEN_CREATE : 0), NULL);
	DbResult result = rc == SQLITE_OK ? open_existing(path, make, db, err) : database_failed(path, db, rc, err);
	if (result == DB_OK)
		*out = db;
	else
		sqlite3_close(db);
	return result;
}

void database_close(sqlite3 *db, bool keep) {
	if (keep) sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	sqlite3_close(db);
}
