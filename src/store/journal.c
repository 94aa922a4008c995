/* journal.h: the file, which is opened at its first use and checked again before each use, because another
 * process may have set it aside or removed it since. */
#include "store/journal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "store/internal.h"

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
	Str name = {0};
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
	str_free(&name);
	return ok;
}

DbResult journal_with(Journal *journal, bool make, JournalWork *work, void *with, Err *err) {
	for (;;) {
		DbResult result = connect(journal, make, err);
		if (result == DB_OK) result = work(journal, with, err);
		if (result == DB_DAMAGED && set_aside(journal, err)) continue;
		if (result == DB_OK || result == DB_ABSENT) return result;
		disconnect(journal);
		return DB_FAILED;
	}
}

DbResult journal_result(Journal *journal, int rc, Err *err) {
	return rc == SQLITE_DONE ? DB_OK : database_failed(journal->path, journal->db, rc, err);
}
