/* scratch.h: folders, runs, children. */
#include "scratch.h"

#include <dirent.h>
#include <ftw.h>
#include <math.h>
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

JournalRun a_run(const char *step) {
	return (JournalRun){.lab = "bank-conflicts",
						.step = step,
						.kernel = "tile<32>",
						.source = "6c62272e07bb014262b821756295c58d",
						.params = "n=1024",
						.device = "cuda:0",
						.gpu = "NVIDIA H200",
						.driver = "13.0",
						.nvrtc = "13.0",
						.outcome = "ok",
						.verified = VERIFIED_YES,
						.value = 1621.5,
						.unit = "GB/s",
						.kind = "measured",
						.q1 = 1625,
						.q3 = 1618,
						.min = 1630,
						.samples = 40,
						.clock_ghz = 1.98,
						.temperature = 41,
						.counters = "{\"barriers\": 1024, \"shared_load_wavefronts\": 32768}"};
}

int64_t must_record(Journal *journal, const JournalRun *run) {
	Err err = ERR_INIT;
	int64_t id = 0;
	if (!journal_record(journal, run, &id, &err)) fail_msg("not recorded: %s", err.what);
	return id;
}

JournalRuns must_history(Journal *journal, const char *step, size_t n) {
	Err err = ERR_INIT;
	JournalRuns runs = {0};
	if (!journal_history(journal, "bank-conflicts", step, n, &runs, &err)) fail_msg("no history: %s", err.what);
	return runs;
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
