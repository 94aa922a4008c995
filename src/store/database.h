/* The SQLite file: opening it, knowing whose it is and of what version, and naming what goes wrong. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>

#include "base/err.h"

enum {
	DATABASE_APPLICATION = 0x6770754c, /* "gpuL", in the file's header */
	DATABASE_VERSION = 3               /* of the tables, in user_version */
};

typedef enum {
	DB_OK,
	DB_ABSENT,  /* there is no file, or an empty one, and it was not to be made */
	DB_DAMAGED, /* err is not set: the caller sets the file aside */
	DB_FAILED   /* err says why */
} DbResult;

/* make: create the file and its tables if need be. An older version is brought up to date. *out is set only for
 * DB_OK. */
DbResult database_open(const char *path, bool make, sqlite3 **out, Err *err);

/* keep: leave the log as it is, because the path no longer names this database. */
void database_close(sqlite3 *db, bool keep);

/* What an SQLite result code means to people. */
DbResult database_failed(const char *path, sqlite3 *db, int rc, Err *err);
