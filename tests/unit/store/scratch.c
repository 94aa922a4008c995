/* scratch.h: folders, runs, children. */
#include "scratch.h"

#include <dirent.h>
#include <ftw.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int scratch_new(void **state) {
	char folder[] = "/tmp/gpulab-store-XXXXXX";
	if (!mkdtemp(folder)) return -1;
	chmod(folder, 0755); /* for children that are nobody */
	*state = xstrdup(folder);
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw) {
	return remove(path);
}

int scratch_free(void **state) {
	nftw(*state, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(*state);
	return 0;
}

char *scratch_path(const char *folder, const char *name) {
	Str s = {0};
	str_addf(&s, "%s/%s", folder, name);
	return str_take(&s);
}

size_t scratch_count(const char *folder, const char *prefix) {
	size_t n = 0;
	DIR *dir = opendir(folder);
	for (struct dirent *e; dir && (e = readdir(dir));)
		if (e->d_name[0] != '.' && text_starts(e->d_name, prefix)) n++;
	if (dir) closedir(dir);
	return n;
}

static JournalValue text(const char *text) {
	return (JournalValue){VALUE_TEXT, .text = text, .bytes = strlen(text)};
}

bool record_run(Journal *journal, const char *step, int64_t *id, Err *err) {
	static const char insert[] =
		"INSERT INTO runs (at, lab, step, kernel, source, params, device, gpu, driver, nvrtc, outcome, verified, value,"
		" unit, kind, q1, q3, min, samples, clock_ghz, temperature, counters) VALUES (1767225600123, 'bank-conflicts',"
		" ?1, 'tile<32>', '6c62272e07bb014262b821756295c58d', 'n=1024', 'cuda:0', 'NVIDIA H200', '13.0', '13.0', 'ok',"
		" 1, ?2, 'GB/s', 'measured', 1625, 1618, 1630, 40, 1.98, 41, '{\"barriers\": 1024}')";
	const JournalValue values[] = {text(step), {VALUE_NUMBER, .number = 1621.5}};
	return journal_write(journal, insert, values, 2, id, err);
}

bool read_runs(Journal *journal, const char *step, JournalRows *runs, Err *err) {
	const JournalValue value = text(step);
	return journal_read(journal, "SELECT * FROM runs WHERE step = ?1 ORDER BY id DESC", &value, 1, runs, err);
}

int64_t must_record(Journal *journal, const char *step) {
	Err err = ERR_INIT;
	int64_t id = 0;
	if (!record_run(journal, step, &id, &err)) fail_msg("not recorded: %s", err.what);
	return id;
}

JournalRows must_read(Journal *journal, const char *step) {
	Err err = ERR_INIT;
	JournalRows runs = {0};
	if (!read_runs(journal, step, &runs, &err)) fail_msg("not read: %s", err.what);
	return runs;
}

size_t must_count(Journal *journal, const char *step) {
	JournalRows runs = must_read(journal, step);
	const size_t n = runs.len;
	journal_rows_free(&runs);
	return n;
}

static int keep_text(void *with, int n, char **values, char **names) {
	str_add(with, values[0] ? values[0] : "NULL");
	return 0;
}

char *integrity(const char *path) {
	sqlite3 *db = NULL;
	Str said = {0};
	char *message = NULL;
	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
		sqlite3_exec(db, "PRAGMA integrity_check", keep_text, &said, &message) != SQLITE_OK)
		str_addf(&said, "error: %s", sqlite3_errmsg(db));
	sqlite3_free(message);
	sqlite3_close(db);
	return str_take(&said);
}

void run_sql(const char *path, const char *sql) {
	sqlite3 *db = NULL;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_close(db);
}

int in_child(int (*body)(void *with), void *with, bool as_nobody) {
	enum { NO_INDEX = 65534 };
	fflush(stdout);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (as_nobody && geteuid() == 0 && (setgid(NO_INDEX) != 0 || setuid(NO_INDEX) != 0)) _exit(125);
		_exit(body(with));
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
