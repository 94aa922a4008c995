/* Files and disks that are not as they should be: damaged, newer, older, someone else's, read-only, full, taken
 * away. */
#include "scratch.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "store/database.h"

/* A closed journal with so many runs. Its path; the caller frees. */
static char *journal_with(const char *folder, int runs) {
	Journal *journal = journal_open(folder);
	for (int i = 0; i < runs; i++) must_record(journal, "tile");
	journal_close(journal);
	return scratch_path(folder, "journal.db");
}

static void overwrite(const char *path, off_t at, const void *data, size_t len) {
	int fd = open(path, O_WRONLY | O_CREAT, 0644);
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, data, len, at), len);
	close(fd);
}

static char *content(const char *path, size_t *len) {
	Err err = ERR_INIT;
	char *text = file_read(path, FILE_SOURCE_MOST, len, &err);
	if (!text) fail_msg("%s", err.what);
	return text;
}

/* --- damage ------------------------------------------------------------------------------------------------------- */

/* The file as it lies there is set aside byte for byte, said once, and a new one takes the run. */
static void is_set_aside(const char *folder, const char *path) {
	size_t before_len, after_len;
	char *before = content(path, &before_len);
	Journal *journal = journal_open(folder);
	must_record(journal, "tile");
	Err notice = ERR_INIT;
	assert_true(journal_notice(journal, &notice));
	assert_false(journal_notice(journal, &notice));
	char *kept = strstr(notice.what, "kept as ");
	assert_non_null(kept);
	kept += strlen("kept as ");
	*strchr(kept, ',') = '\0';
	char *after = content(kept, &after_len);
	assert_int_equal(after_len, before_len);
	assert_memory_equal(after, before, before_len);
	assert_int_equal(must_count(journal, "tile"), 1);
	journal_close(journal);
	assert_int_equal(unlink(kept), 0);
	assert_int_equal(scratch_count(folder, ""), 1);
	free(before);
	free(after);
}

static void not_a_database(void **state) {
	char *path = scratch_path(*state, "journal.db");
	overwrite(path, 0, "Dear journal, today my kernel ran for the first time.\n", 54);
	is_set_aside(*state, path);
	free(path);
}

static void random_bytes(void **state) {
	char *path = scratch_path(*state, "journal.db"), noise[8192];
	for (unsigned round = 0; round < 20; round++) {
		for (size_t i = 0; i < sizeof noise; i++) noise[i] = (char)rand();
		noise[0] = 'x';
		unlink(path);
		overwrite(path, 0, noise, sizeof noise);
		is_set_aside(*state, path);
	}
	free(path);
}

static void pages_overwritten(void **state) {
	char *path = journal_with(*state, 200), zeros[4096] = {0};
	memset(zeros, 0xa5, sizeof zeros);
	overwrite(path, 4096, zeros, sizeof zeros); /* the root of the table */
	is_set_aside(*state, path);
	free(path);
}

static void cut_off(void **state) {
	char *path = journal_with(*state, 200);
	assert_int_equal(truncate(path, 4096), 0);
	is_set_aside(*state, path);
	free(path);
}

static void tables_missing_or_changed(void **state) {
	static const char endless[] = "DROP TABLE runs; CREATE VIEW runs AS WITH RECURSIVE r(id) AS "
								  "(SELECT 1 UNION ALL SELECT id + 1 FROM r) SELECT * FROM r";
	static const char *const edits[] = {"DROP TABLE runs", "ALTER TABLE runs RENAME COLUMN outcome TO verdict",
										"CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END",
										"PRAGMA user_version = -1", endless};
	for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
		char *path = journal_with(*state, 3);
		run_sql(path, edits[i]);
		is_set_aside(*state, path);
		unlink(path);
		free(path);
	}
}

/* Every byte of a small journal in turn set to something else: no crash, no loop, no lost file. */
static void any_byte(void **state) {
	char *path = journal_with(*state, 12);
	size_t len;
	char *good = content(path, &len);
	unsigned aside = 0;
	for (size_t at = 0; at < len; at += at < 100 ? 1 : 211) {
		unlink(path);
		overwrite(path, 0, good, len);
		char bad = (char)(good[at] ^ (1 + rand() % 255));
		overwrite(path, (off_t)at, &bad, 1);
		Journal *journal = journal_open(*state);
		Err err = ERR_INIT, notice = ERR_INIT;
		JournalRows runs = {0};
		bool ok = read_runs(journal, "tile", &runs, &err);
		journal_rows_free(&runs);
		ok = record_run(journal, "tile", NULL, &err) && ok;
		if (!ok) assert_true(*err.what && *err.hint);
		if (journal_notice(journal, &notice)) aside++;
		journal_close(journal);
	}
	assert_true(aside > 0);
	assert_int_equal(scratch_count(*state, "journal.db.damaged-"), aside);
	free(good);
	free(path);
}

/* Another prompt has the damaged file open while it is set aside: it goes over to the new one, and closing spoils
 * neither. */
static void set_aside_under_another(void **state) {
	char *path = journal_with(*state, 200), noise[4096];
	Journal *one = journal_open(*state), *two = journal_open(*state);
	must_record(one, "tile");
	memset(noise, 0xa5, sizeof noise);
	overwrite(path, 4096, noise, sizeof noise);
	overwrite(path, 8192, noise, sizeof noise);
	must_record(two, "copy");
	must_record(one, "copy");
	Err notice = ERR_INIT;
	assert_int_equal(journal_notice(one, &notice) + journal_notice(two, &notice), 1);
	must_record(two, "copy");
	journal_close(one);
	must_record(two, "copy");
	assert_int_equal(must_count(two, "copy"), 4);
	journal_close(two);
	char *found = integrity(path);
	assert_string_equal(found, "ok");
	free(found);
	free(path);
}

static void taken_away(void **state) {
	char *path = journal_with(*state, 3);
	Journal *journal = journal_open(*state);
	must_record(journal, "tile");
	assert_int_equal(unlink(path), 0);
	must_record(journal, "tile");
	assert_int_equal(must_count(journal, "tile"), 1);
	journal_close(journal);
	free(path);
}

/* --- versions ----------------------------------------------------------------------------------------------------- */

/* Refused in words that contain `says`, and not a byte of it changed. */
static void is_left_alone(const char *folder, const char *path, const char *says) {
	size_t before_len, after_len;
	char *before = content(path, &before_len);
	Journal *journal = journal_open(folder);
	Err err = ERR_INIT;
	JournalRows runs = {0};
	assert_false(record_run(journal, "tile", NULL, &err));
	assert_int_equal(err.kind, ERR_SETUP);
	assert_non_null(strstr(err.what, says));
	assert_true(*err.hint);
	err_clear(&err);
	assert_false(read_runs(journal, "tile", &runs, &err));
	assert_non_null(strstr(err.what, says));
	assert_false(journal_notice(journal, &err));
	journal_close(journal);
	char *after = content(path, &after_len);
	assert_int_equal(after_len, before_len);
	assert_memory_equal(after, before, before_len);
	assert_int_equal(scratch_count(folder, ""), 1);
	free(before);
	free(after);
}

static void newer(void **state) {
	char *path = journal_with(*state, 3);
	run_sql(path, "ALTER TABLE runs ADD COLUMN energy REAL; PRAGMA user_version = 99");
	is_left_alone(*state, path, "newer gpulab (version 99");
	free(path);
}

static void someone_elses(void **state) {
	char *path = scratch_path(*state, "journal.db");
	run_sql(path, "CREATE TABLE entries (day TEXT, mood TEXT); INSERT INTO entries VALUES ('Monday', 'fine')");
	is_left_alone(*state, path, "not a journal of gpulab");
	free(path);
}

/* Version 0 has no tables yet; what later versions add comes in the same way. */
static void older(void **state) {
	char *path = scratch_path(*state, "journal.db");
	Str sql = {0};
	str_addf(&sql, "PRAGMA application_id = %d", DATABASE_APPLICATION);
	run_sql(path, sql.text);
	Journal *journal = journal_open(*state);
	assert_int_equal(must_count(journal, "tile"), 0);
	must_record(journal, "tile");
	assert_false(journal_notice(journal, &(Err)ERR_INIT));
	journal_close(journal);
	str_free(&sql);
	free(path);
}

/* The first one has no marks, and no temperature. */
static const char first_version[] =
	"CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, lab TEXT NOT NULL, step TEXT NOT "
	"NULL,"
	" kernel TEXT, source TEXT, params TEXT, device TEXT, gpu TEXT, driver TEXT, nvrtc TEXT, outcome TEXT NOT NULL,"
	" verified INTEGER, value REAL, unit TEXT, kind TEXT, q1 REAL, q3 REAL, min REAL, samples INTEGER, clock_ghz REAL,"
	" counters TEXT); CREATE INDEX runs_of_step ON runs (lab, step);"
	"INSERT INTO runs (at, lab, step, outcome, value, unit, kind) VALUES"
	" (1767225600123, 'bank-conflicts', 'tile', 'ok', 75.1, 'GB/s', 'predicted');"
	"PRAGMA application_id = 1735423308; PRAGMA user_version = 1";

static bool mark(Journal *journal) {
	return journal_write(journal, "INSERT INTO marks (at, lab, what, name) VALUES (1, 'reduction', 'note', 'sum')",
						 NULL, 0, NULL, NULL);
}

static size_t count_marks(Journal *journal) {
	JournalRows marks = {0};
	assert_true(journal_read(journal, "SELECT * FROM marks", NULL, 0, &marks, NULL));
	const size_t n = marks.len;
	journal_rows_free(&marks);
	return n;
}

static void the_first_version(void **state) {
	char *path = scratch_path(*state, "journal.db");
	run_sql(path, first_version);
	Journal *journal = journal_open(*state);
	assert_int_equal(count_marks(journal), 0);
	assert_true(mark(journal));
	JournalRows runs = must_read(journal, "tile");
	assert_int_equal(runs.len, 1);
	assert_string_equal(runs.names[runs.columns - 1], "temperature");
	assert_int_equal(runs.values[runs.columns - 1].type, VALUE_NULL);
	journal_rows_free(&runs);
	assert_false(journal_notice(journal, &(Err)ERR_INIT));
	journal_close(journal);
	char *found = integrity(path);
	assert_string_equal(found, "ok");
	free(found);
	assert_int_equal(scratch_count(*state, ""), 1);
	free(path);
}

static int open_and_mark(const char *folder) {
	Journal *journal = journal_open(folder);
	const bool ok = mark(journal);
	journal_close(journal);
	return ok ? 0 : 1;
}

/* Many that bring it up to date at once: one does, all mark. */
static void the_first_version_by_many(void **state) {
	enum { MANY = 6 };
	char *path = scratch_path(*state, "journal.db");
	run_sql(path, first_version);
	pid_t pids[MANY];
	fflush(stdout);
	for (int i = 0; i < MANY; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] == 0) _exit(open_and_mark(*state));
	}
	for (int i = 0; i < MANY; i++) {
		int status;
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	Journal *journal = journal_open(*state);
	assert_int_equal(count_marks(journal), MANY);
	assert_int_equal(must_count(journal, "tile"), 1);
	journal_close(journal);
	free(path);
}

static void empty_file(void **state) {
	char *path = scratch_path(*state, "journal.db");
	overwrite(path, 0, "", 0);
	Journal *journal = journal_open(*state);
	assert_int_equal(must_count(journal, "tile"), 0);
	assert_int_equal(must_record(journal, "tile"), 1);
	journal_close(journal);
	free(path);
}

/* --- places that cannot be written -------------------------------------------------------------------------------- */

/* 0: refused with a message and a hint, every time. */
static int is_refused(void *folder) {
	Journal *journal = journal_open(folder);
	int wrong = 0;
	for (int i = 0; i < 3; i++) {
		Err err = ERR_INIT;
		wrong |= record_run(journal, "tile", NULL, &err) || err.kind != ERR_SETUP || !strstr(err.hint, "GPULAB_HOME");
	}
	journal_close(journal);
	return wrong;
}

static void read_only_folder(void **state) {
	char *home = scratch_path(*state, "home"), *below = scratch_path(home, "below/it");
	assert_int_equal(mkdir(home, 0555), 0);
	assert_int_equal(in_child(is_refused, home, true), 0);
	assert_int_equal(in_child(is_refused, below, true), 0);
	assert_int_equal(scratch_count(home, ""), 0);
	free(below);
	free(home);
}

static void read_only_file(void **state) {
	char *path = journal_with(*state, 3);
	assert_int_equal(chmod(path, 0444), 0);
	assert_int_equal(chmod(*state, 0555), 0);
	assert_int_equal(in_child(is_refused, *state, true), 0);
	assert_int_equal(chmod(*state, 0755), 0);
	assert_int_equal(chmod(path, 0644), 0);
	Journal *journal = journal_open(*state);
	assert_int_equal(must_count(journal, "tile"), 3);
	journal_close(journal);
	free(path);
}

static void not_a_folder(void **state) {
	char *home = scratch_path(*state, "home"), *path = scratch_path(*state, "journal.db");
	overwrite(home, 0, "a file", 6);
	assert_int_equal(is_refused(home), 0);
	assert_int_equal(mkdir(path, 0755), 0);
	assert_int_equal(is_refused(*state), 0);
	free(path);
	free(home);
}

/* Records until the place is full. 0: some were taken, then one was refused in so many words, and those taken are
 * there. */
static int fill_up(const char *folder, const char *says) {
	enum { NAME = 1024, MOST = 10000 };
	char long_name[NAME + 1];
	memset(long_name, 'x', NAME);
	long_name[NAME] = '\0';
	Journal *journal = journal_open(folder);
	Err err = ERR_INIT;
	size_t taken = 0;
	while (taken < MOST && record_run(journal, long_name, NULL, &err)) taken++;
	print_message("# %zu taken, then: %s\n", taken, err.what);
	if (!taken || taken == MOST || !strstr(err.what, says) || !*err.hint) return 1;
	JournalRows runs = {0};
	if (!read_runs(journal, long_name, &runs, &err)) return 2;
	int result = runs.len == taken ? 0 : 3;
	journal_rows_free(&runs);
	if (journal_notice(journal, &err)) result = 4; /* full is not damaged */
	journal_close(journal);
	return result;
}

static int fill_up_limit(void *folder) {
	struct rlimit limit;
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = 300 * 1024;
	setrlimit(RLIMIT_FSIZE, &limit);
	int result = fill_up(folder, "disk I/O error");
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
	if (result) return result;
	Journal *journal = journal_open(folder); /* there is room again */
	result = record_run(journal, "copy", NULL, NULL) ? 0 : 5;
	journal_close(journal);
	return result;
}

static void files_may_not_grow(void **state) {
	assert_int_equal(in_child(fill_up_limit, *state, false), 0);
	char *path = scratch_path(*state, "journal.db"), *found = integrity(path);
	assert_string_equal(found, "ok");
	free(found);
	free(path);
}

enum { NO_TMPFS = 77 };

static int fill_up_tmpfs(void *folder) {
	if ((unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) ||
		mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 || mount("tmpfs", folder, "tmpfs", 0, "size=512k") != 0)
		return NO_TMPFS;
	return fill_up(folder, "disk is full");
}

static void disk_is_full(void **state) {
	int status = in_child(fill_up_tmpfs, *state, false);
	if (status == NO_TMPFS) {
		print_message("# no tmpfs can be mounted here\n");
		skip();
	}
	assert_int_equal(status, 0);
}

static void held_by_another_program(void **state) {
	char *path = journal_with(*state, 1);
	sqlite3 *db = NULL;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	Journal *journal = journal_open(*state);
	Err err = ERR_INIT;
	assert_false(record_run(journal, "tile", NULL, &err));
	assert_non_null(strstr(err.what, "another program has locked the journal"));
	assert_int_equal(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
	must_record(journal, "tile");
	journal_close(journal);
	sqlite3_close(db);
	free(path);
}

int main(void) {
	const struct CMUnitTest tests[] = {
#define SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_new, scratch_free)
		SCRATCH(not_a_database),
		SCRATCH(random_bytes),
		SCRATCH(pages_overwritten),
		SCRATCH(cut_off),
		SCRATCH(tables_missing_or_changed),
		SCRATCH(any_byte),
		SCRATCH(set_aside_under_another),
		SCRATCH(taken_away),
		SCRATCH(newer),
		SCRATCH(someone_elses),
		SCRATCH(older),
		SCRATCH(the_first_version),
		SCRATCH(the_first_version_by_many),
		SCRATCH(empty_file),
		SCRATCH(read_only_folder),
		SCRATCH(read_only_file),
		SCRATCH(not_a_folder),
		SCRATCH(files_may_not_grow),
		SCRATCH(disk_is_full),
		SCRATCH(held_by_another_program),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
