/* Marks: what goes in comes out, what makes no sense is refused, a place replaces the one before, and a journal of the
 * first version gets the table without losing a run. */
#include "scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static JournalMark a_mark(const char *what, const char *name) {
	return (JournalMark){.lab = "bank-conflicts", .what = what, .name = name, .number = NAN, .truth = NAN};
}

static int64_t must_mark(Journal *journal, const JournalMark *mark) {
	Err err = ERR_INIT;
	int64_t id = 0;
	if (!journal_mark(journal, mark, &id, &err)) fail_msg("not marked: %s", err.what);
	return id;
}

static JournalMarks must_read(Journal *journal, const char *lab, const char *what) {
	Err err = ERR_INIT;
	JournalMarks marks = {0};
	if (!journal_marks(journal, lab, what, &marks, &err)) fail_msg("no marks: %s", err.what);
	return marks;
}

static void round_trip(void **state) {
	Journal *journal = journal_open(*state);
	JournalMarks marks = must_read(journal, "bank-conflicts", NULL);
	assert_int_equal(marks.len, 0);
	journal_marks_free(&marks);
	assert_int_equal(scratch_count(*state, ""), 0); /* reading makes no file */
	JournalMark guess = a_mark("guess", "tile");
	guess.time = 1767225600123, guess.text = "n=1024", guess.unit = "passes", guess.number = 16, guess.truth = 32;
	JournalMark note = a_mark("note", "tile");
	note.text = "řádky: 32\n\"quoted\"";
	assert_int_equal(must_mark(journal, &guess), 1);
	assert_int_equal(must_mark(journal, &note), 2);
	marks = must_read(journal, "bank-conflicts", NULL);
	assert_int_equal(marks.len, 2);
	assert_string_equal(marks.items[0].text, note.text);
	assert_true(isnan(marks.items[0].number) && isnan(marks.items[0].truth));
	assert_string_equal(marks.items[0].unit, "");
	assert_int_equal(marks.items[1].time, guess.time);
	assert_string_equal(marks.items[1].unit, "passes");
	assert_true(marks.items[1].number == 16 && marks.items[1].truth == 32);
	journal_marks_free(&marks);
	marks = must_read(journal, "bank-conflicts", "guess");
	assert_int_equal(marks.len, 1);
	journal_marks_free(&marks);
	marks = must_read(journal, "transposition", NULL);
	assert_int_equal(marks.len, 0);
	journal_marks_free(&marks);
	marks = must_read(journal, NULL, "note");
	assert_int_equal(marks.len, 1);
	journal_marks_free(&marks);
	journal_close(journal);
}

/* Each is refused in words that contain the second. */
static void refused(void **state) {
	Journal *journal = journal_open(*state);
	JournalMark odd = a_mark("guess", "tile");
	odd.number = INFINITY;
	JournalMark late = a_mark("note", "tile");
	late.time = INT64_MAX;
	JournalMark nowhere = a_mark("note", "tile");
	nowhere.lab = "";
	const struct {
		JournalMark mark;
		const char *says;
	} cases[] = {{a_mark("rumour", "tile"), "does not know its kind"},
				 {a_mark("", "tile"), "does not know its kind"},
				 {a_mark("note", ""), "name"},
				 {a_mark("note", NULL), "name"},
				 {nowhere, "lab"},
				 {odd, "infinite"},
				 {late, "time"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Err err = ERR_INIT;
		assert_false(journal_mark(journal, &cases[i].mark, NULL, &err));
		assert_int_equal(err.kind, ERR_USAGE);
		if (!strstr(err.what, cases[i].says)) fail_msg("%s: %s", cases[i].says, err.what);
	}
	assert_int_equal(scratch_count(*state, ""), 0);
	journal_close(journal);
}

static void hostile_texts(void **state) {
	Journal *journal = journal_open(*state);
	char *long_text = malloc(JOURNAL_NOTE + 100);
	memset(long_text, 'x', JOURNAL_NOTE + 99);
	long_text[JOURNAL_NOTE + 99] = '\0';
	JournalMark mark = a_mark("note", "'); DROP TABLE marks; --\xff");
	mark.text = long_text;
	must_mark(journal, &mark);
	JournalMarks marks = must_read(journal, NULL, NULL);
	assert_int_equal(marks.len, 1);
	assert_string_equal(marks.items[0].name, "'); DROP TABLE marks; --\xef\xbf\xbd");
	assert_int_equal(strlen(marks.items[0].text), JOURNAL_NOTE);
	journal_marks_free(&marks);
	journal_close(journal);
	free(long_text);
}

static void one_place_a_lab(void **state) {
	Journal *one = journal_open(*state), *two = journal_open(*state);
	JournalMark place = a_mark("place", "copy"), note = a_mark("note", "copy"), other = a_mark("place", "sum");
	other.lab = "reduction";
	must_mark(one, &place);
	must_mark(one, &note);
	must_mark(one, &other);
	place.name = "tile";
	must_mark(two, &place);
	JournalMarks marks = must_read(one, "bank-conflicts", "place");
	assert_int_equal(marks.len, 1);
	assert_string_equal(marks.items[0].name, "tile");
	journal_marks_free(&marks);
	marks = must_read(one, NULL, NULL);
	assert_int_equal(marks.len, 3);
	journal_marks_free(&marks);
	journal_close(one);
	journal_close(two);
}

static void rows_that_make_no_sense(void **state) {
	char *path = scratch_path(*state, "journal.db");
	Journal *journal = journal_open(*state);
	JournalMark mark = a_mark("note", "tile");
	must_mark(journal, &mark);
	journal_close(journal);
	run_sql(path, "INSERT INTO marks (at, lab, what, name) VALUES (1, 'bank-conflicts', 'rumour', 'x'),"
				  " (-1, 'bank-conflicts', 'note', 'x'), (1, 'bank-conflicts', 'note', x'ff00'),"
				  " (1, 'bank-conflicts', 'note', ''), ('soon', 'bank-conflicts', 'note', 'x');"
				  "INSERT INTO marks (at, lab, what, name, number) VALUES (1, 'bank-conflicts', 'guess', 'x', 'many'),"
				  " (1, 'bank-conflicts', 'guess', 'x', 9e999)");
	journal = journal_open(*state);
	JournalMarks marks = must_read(journal, "bank-conflicts", NULL);
	assert_int_equal(marks.len, 1);
	assert_int_equal(marks.left_out, 7);
	journal_marks_free(&marks);
	journal_close(journal);
	free(path);
}

/* --- a journal of the first version ------------------------------------------------------------------------------- */

static const char first_version[] =
	"CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, lab TEXT NOT NULL, step TEXT NOT "
	"NULL,"
	" kernel TEXT, source TEXT, params TEXT, device TEXT, gpu TEXT, driver TEXT, nvrtc TEXT, outcome TEXT NOT NULL,"
	" verified INTEGER, value REAL, unit TEXT, kind TEXT, q1 REAL, q3 REAL, min REAL, samples INTEGER, clock_ghz REAL,"
	" counters TEXT); CREATE INDEX runs_of_step ON runs (lab, step);"
	"INSERT INTO runs (at, lab, step, outcome, value, unit, kind) VALUES"
	" (1767225600123, 'bank-conflicts', 'tile', 'ok', 75.1, 'GB/s', 'predicted');"
	"PRAGMA application_id = 1735423308; PRAGMA user_version = 1";

static void the_first_version(void **state) {
	char *path = scratch_path(*state, "journal.db");
	run_sql(path, first_version);
	Journal *journal = journal_open(*state);
	JournalMarks marks = must_read(journal, NULL, NULL);
	assert_int_equal(marks.len, 0);
	journal_marks_free(&marks);
	JournalMark mark = a_mark("passed", "stride");
	must_mark(journal, &mark);
	JournalRuns runs = must_history(journal, "tile", 10);
	assert_int_equal(runs.len, 1);
	assert_true(runs.items[0].value == 75.1 && isnan(runs.items[0].temperature));
	journal_runs_free(&runs);
	assert_false(journal_notice(journal, &(Err)ERR_INIT));
	journal_close(journal);
	char *found = integrity(path);
	assert_string_equal(found, "ok");
	free(found);
	assert_int_equal(scratch_count(*state, ""), 1);
	free(path);
}

static int open_and_mark(void *folder) {
	Err err = ERR_INIT;
	Journal *journal = journal_open(folder);
	JournalMark mark = a_mark("note", "tile");
	bool ok = journal_mark(journal, &mark, NULL, &err);
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
	JournalMarks marks = must_read(journal, NULL, NULL);
	assert_int_equal(marks.len, MANY);
	journal_marks_free(&marks);
	JournalRuns runs = must_history(journal, "tile", 10);
	assert_int_equal(runs.len, 1);
	journal_runs_free(&runs);
	journal_close(journal);
	free(path);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(round_trip, scratch_new, scratch_free),
		cmocka_unit_test_setup_teardown(refused, scratch_new, scratch_free),
		cmocka_unit_test_setup_teardown(hostile_texts, scratch_new, scratch_free),
		cmocka_unit_test_setup_teardown(one_place_a_lab, scratch_new, scratch_free),
		cmocka_unit_test_setup_teardown(rows_that_make_no_sense, scratch_new, scratch_free),
		cmocka_unit_test_setup_teardown(the_first_version, scratch_new, scratch_free),
		cmocka_unit_test_setup_teardown(the_first_version_by_many, scratch_new, scratch_free),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
