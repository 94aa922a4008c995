/* kill -9 at a hundred random moments, and several programs at once: nothing that was acknowledged is ever missing. */
#include "scratch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Two statements: between them there are two places. */
static bool mark_place(Journal *journal) {
	return journal_write(journal,
						 "INSERT INTO marks (at, lab, what, name) VALUES (1, 'bank-conflicts', 'place', 'tile');"
						 "DELETE FROM marks WHERE id < (SELECT max(id) FROM marks)",
						 NULL, 0, NULL, NULL);
}

/* A writer that tells the number of each record down the pipe once it has it, until it is killed. */
static void write_for_ever(const char *folder, int acknowledged) {
	Journal *journal = journal_open(folder);
	for (unsigned i = 0;; i++) {
		if (i % 16 == 15) { /* closing folds the log in: a moment worth being killed at, too */
			journal_close(journal);
			journal = journal_open(folder);
		}
		int64_t id;
		if (!mark_place(journal) || !record_run(journal, "tile", &id, NULL)) _exit(1);
		if (write(acknowledged, &id, sizeof id) != sizeof id) _exit(2);
	}
}

static bool read_id(int fd, int64_t *id) {
	ssize_t n;
	while ((n = read(fd, id, sizeof *id)) < 0 && errno == EINTR) {
	}
	return n == sizeof *id;
}

static void pause_us(unsigned us) {
	nanosleep(&(struct timespec){.tv_nsec = (long)us * 1000}, NULL);
}

/* Kills the writer after a random number of records and a random moment more, half the time before it has written any;
 * returns the last number it told, 0 for none. */
static int64_t write_and_kill(const char *folder) {
	int ends[2], status;
	int64_t last = 0;
	assert_int_equal(pipe(ends), 0);
	fflush(stdout);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) write_for_ever(folder, ends[1]);
	close(ends[1]);
	for (int wanted = rand() % 2 ? rand() % 20 : 0; wanted > 0; wanted--) assert_true(read_id(ends[0], &last));
	pause_us((unsigned)rand() % 4000);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	for (int64_t id; read_id(ends[0], &id);) last = id;
	close(ends[0]);
	return last;
}

/* All records up to the last one told are there, at most one more (written and not yet told), and the file is whole. */
static int64_t look_after(const char *folder, int64_t reported) {
	char *path = scratch_path(folder, "journal.db");
	Journal *journal = journal_open(folder);
	Err notice = ERR_INIT;
	JournalRows runs = must_read(journal, "tile"), marks = {0};
	if (journal_notice(journal, &notice)) fail_msg("%s", notice.what);
	int64_t have = (int64_t)runs.len;
	assert_true(have >= reported && have <= reported + 1);
	for (size_t i = 0; i < runs.len; i++) assert_int_equal(runs.values[i * runs.columns].whole, have - (int64_t)i);
	journal_rows_free(&runs);
	if (!journal_read(journal, "SELECT * FROM marks", NULL, 0, &marks, &notice)) fail_msg("%s", notice.what);
	/* a place is marked before each record, and replaces the one before */
	assert_true(marks.len >= (have > 0) && marks.len <= 1);
	journal_rows_free(&marks);
	journal_close(journal);
	if (have) {
		char *found = integrity(path);
		assert_string_equal(found, "ok");
		free(found);
	}
	free(path);
	return have;
}

static void a_hundred_kills(void **state) {
	enum { KILLS = 100 };
	unsigned seed = (unsigned)time(NULL) ^ (unsigned)getpid();
	print_message("# seed %u\n", seed);
	srand(seed);
	int64_t kept = 0, in_all = 0;
	for (int i = 0; i < KILLS; i++) {
		if (i % 2) { /* one journal that lives through fifty of them */
			int64_t reported = write_and_kill(*state);
			int64_t have = look_after(*state, reported ? reported : kept);
			in_all += have - kept;
			kept = have;
		} else { /* and fifty that are killed young, while they are made */
			Str name = {0};
			str_addf(&name, "%s/young-%d", (char *)*state, i);
			in_all += look_after(name.text, write_and_kill(name.text));
			str_free(&name);
		}
	}
	assert_true(in_all > KILLS);
}

/* --- several at once ---------------------------------------------------------------------------------------------- */

enum { WRITERS = 4, EACH = 60 };

static int write_some(void *folder) {
	Err err = ERR_INIT;
	Journal *journal = journal_open(folder);
	for (int i = 0; i < EACH; i++) {
		JournalRows runs = {0};
		if (!record_run(journal, "tile", NULL, &err) || !read_runs(journal, "tile", &runs, &err)) {
			print_message("# %s\n", err.what);
			return 1;
		}
		journal_rows_free(&runs);
		if (i % 10 == 9) {
			journal_close(journal);
			journal = journal_open(folder);
		}
	}
	journal_close(journal);
	return 0;
}

static void writers_at_once(void **state) {
	pid_t pids[WRITERS];
	fflush(stdout);
	for (int i = 0; i < WRITERS; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] == 0) _exit(write_some(*state));
	}
	for (int i = 0; i < WRITERS; i++) {
		int status;
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	Journal *journal = journal_open(*state);
	assert_int_equal(must_count(journal, "tile"), WRITERS * EACH);
	journal_close(journal);
	assert_int_equal(scratch_count(*state, ""), 1);
}

/* Two journals open in one process, as two prompts have them: each sees the other's runs at once. */
static void each_sees_the_others(void **state) {
	Journal *one = journal_open(*state), *two = journal_open(*state);
	must_record(one, "tile");
	must_record(two, "tile");
	must_record(one, "tile");
	assert_int_equal(must_count(two, "tile"), 3);
	journal_close(one);
	must_record(two, "tile");
	journal_close(two);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_hundred_kills, scratch_new, scratch_free),
		cmocka_unit_test_setup_teardown(writers_at_once, scratch_new, scratch_free),
		cmocka_unit_test_setup_teardown(each_sees_the_others, scratch_new, scratch_free),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
