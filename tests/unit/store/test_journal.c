/* The journal by itself: what goes in comes out, whatever the texts hold; rows that make no sense do not. */
#include "scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/text.h"

static void opening_and_reading_leave_the_disk_alone(void **state) {
	char *home = scratch_path(*state, "not/yet/there");
	Journal *journal = journal_open(home);
	JournalRuns runs = must_history(journal, "tile", 10);
	assert_int_equal(runs.len, 0);
	journal_runs_free(&runs);
	assert_int_equal(scratch_count(*state, ""), 0);
	JournalRun run = a_run("tile");
	assert_int_equal(must_record(journal, &run), 1);
	assert_int_equal(scratch_count(home, "journal.db"), 3); /* with its log and the log's index */
	journal_close(journal);
	assert_int_equal(scratch_count(home, ""), 1); /* one file to hand in */
	journal_close(NULL);
	free(home);
}

static void everything_comes_back(void **state) {
	Journal *journal = journal_open(*state);
	JournalRun run = a_run("tile");
	run.time = 1767225600123;
	int64_t id = must_record(journal, &run);
	journal_close(journal);
	journal = journal_open(*state);
	JournalRuns runs = must_history(journal, "tile", 10);
	assert_int_equal(runs.len, 1);
	const JournalRun *got = &runs.items[0];
	assert_int_equal(got->id, id);
	assert_int_equal(got->time, 1767225600123);
	const char *pairs[][2] = {{got->lab, run.lab},          {got->step, run.step},       {got->kernel, run.kernel},
							  {got->source, run.source},    {got->params, run.params},   {got->device, run.device},
							  {got->gpu, run.gpu},          {got->driver, run.driver},   {got->nvrtc, run.nvrtc},
							  {got->unit, run.unit},        {got->outcome, run.outcome}, {got->kind, run.kind},
							  {got->counters, run.counters}};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) assert_string_equal(pairs[i][0], pairs[i][1]);
	assert_int_equal(got->verified, VERIFIED_YES);
	assert_true(got->value == run.value && got->q1 == run.q1 && got->q3 == run.q3 && got->min == run.min);
	assert_true(got->clock_ghz == run.clock_ghz && got->temperature == 41);
	assert_int_equal(got->samples, 40);
	journal_runs_free(&runs);
	journal_close(journal);
}

static void what_is_not_known_stays_so(void **state) {
	Journal *journal = journal_open(*state);
	JournalRun run = {
		.lab = "bank-conflicts", .step = "tile", .outcome = "compile", .verified = VERIFIED_UNKNOWN, .value = NAN};
	run.unit = "GB/s"; /* of a rate that is not there */
	must_record(journal, &run);
	JournalRuns runs = must_history(journal, "tile", 1);
	assert_int_equal(runs.len, 1);
	assert_true(runs.items[0].time > 1700000000000); /* now */
	assert_string_equal(runs.items[0].kernel, "");
	assert_string_equal(runs.items[0].unit, "");
	assert_string_equal(runs.items[0].counters, "");
	assert_int_equal(runs.items[0].verified, VERIFIED_UNKNOWN);
	assert_true(isnan(runs.items[0].value) && isnan(runs.items[0].q1) && isnan(runs.items[0].clock_ghz));
	assert_true(isnan(runs.items[0].temperature));
	journal_runs_free(&runs);
	journal_close(journal);
}

static void newest_first_of_one_step(void **state) {
	Journal *journal = journal_open(*state);
	for (int i = 1; i <= 30; i++) {
		JournalRun run = a_run(i % 3 ? "tile" : "copy");
		run.value = i;
		run.time = 1767225600000 - i; /* a clock that was set back changes no order */
		must_record(journal, &run);
	}
	JournalRun other = a_run("tile");
	other.lab = "reduction";
	must_record(journal, &other);
	JournalRuns runs = must_history(journal, "tile", 5);
	assert_int_equal(runs.len, 5);
	double want[] = {29, 28, 26, 25, 23};
	for (size_t i = 0; i < 5; i++) assert_true(runs.items[i].value == want[i]);
	journal_runs_free(&runs);
	runs = must_history(journal, "tile", SIZE_MAX);
	assert_int_equal(runs.len, 20);
	journal_runs_free(&runs);
	runs = must_history(journal, "tile", 0);
	assert_int_equal(runs.len, 0);
	journal_runs_free(&runs);
	journal_close(journal);
}

static void hostile_texts(void **state) {
	static const char *const cases[][2] = {
		{"'); DROP TABLE runs; --", "'); DROP TABLE runs; --"},
		{"\"quotes\" 'and' `ticks`", "\"quotes\" 'and' `ticks`"},
		{"%s%n%d ?1 :name", "%s%n%d ?1 :name"},
		{"\xff\xfe stray", "\xef\xbf\xbd\xef\xbf\xbd stray"},
		{"over\xc0\xaflong", "over\xef\xbf\xbd\xef\xbf\xbdlong"},
		{"\xed\xa0\x80 surrogate", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd surrogate"},
		{"cut \xe2\x82", "cut \xef\xbf\xbd\xef\xbf\xbd"},
		{"\xf5\x80\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
		{"Ji\xc5\x99\xc3\xad \xf0\x9f\x98\x80", "Ji\xc5\x99\xc3\xad \xf0\x9f\x98\x80"},
		{"line\nbreak\x1b[31m", "line\nbreak\x1b[31m"}};
	Journal *journal = journal_open(*state);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		JournalRun run = a_run(cases[i][0]);
		run.kernel = run.gpu = cases[i][0];
		must_record(journal, &run);
		JournalRuns runs = must_history(journal, cases[i][0], 10);
		assert_int_equal(runs.len, 1);
		assert_string_equal(runs.items[0].step, cases[i][1]);
		assert_string_equal(runs.items[0].gpu, cases[i][1]);
		assert_int_equal(runs.left_out, 0);
		journal_runs_free(&runs);
	}
	journal_close(journal);
}

static void a_megabyte_is_cut_between_characters(void **state) {
	enum { BYTES = 1 << 20 };
	char *long_text = xmalloc(BYTES + 1);
	for (size_t i = 0; i + 1 < BYTES; i += 2) memcpy(long_text + i, "\xc5\x99", 2);
	long_text[BYTES - 1] = long_text[BYTES] = '\0';
	long_text[0] = long_text[1] = 'x';
	memmove(long_text + 1, long_text + 2, BYTES - 2); /* the limit now falls into a character */
	Journal *journal = journal_open(*state);
	JournalRun run = a_run("tile");
	run.kernel = long_text;
	must_record(journal, &run);
	JournalRuns runs = must_history(journal, "tile", 1);
	assert_int_equal(runs.len, 1);
	assert_int_equal(strlen(runs.items[0].kernel), JOURNAL_NAME - 1);
	assert_memory_equal(runs.items[0].kernel, long_text, JOURNAL_NAME - 1);
	journal_runs_free(&runs);
	run.kernel = NULL;
	run.counters = long_text; /* half of them would be wrong: refused */
	Err err = ERR_INIT;
	assert_false(journal_record(journal, &run, NULL, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	journal_close(journal);
	free(long_text);
}

static void nul_is_replaced(void **state) {
	Str s = {0};
	journal_clean(&s, "a\0b", 3, 100);
	assert_string_equal(s.text, "a\xef\xbf\xbd"
								"b");
	str_clear(&s);
	journal_clean(&s, "a\0b", 3, 3); /* its stand-in does not fit */
	assert_string_equal(s.text, "a");
	str_free(&s);
	journal_clean(&s, "", 0, 10);
	assert_string_equal(s.text, "");
	str_free(&s);
}

static void senseless_runs_are_refused(void **state) {
	Journal *journal = journal_open(*state);
	for (int i = 0; i < 14; i++) {
		JournalRun run = a_run("tile");
		switch (i) {
		case 0: run.lab = NULL; break;
		case 1: run.step = ""; break;
		case 2: run.outcome = "splendid"; break;
		case 3: run.outcome = NULL; break;
		case 4: run.value = INFINITY; break;
		case 5: run.value = -1; break;
		case 6: run.q1 = INFINITY; break;
		case 7: run.kind = "guessed"; break;
		case 8: run.unit = ""; break;
		case 9: run.samples = -1; break;
		case 10: run.verified = (Verified)2; break;
		case 11: run.time = -5; break;
		case 12: run.time = INT64_MAX; break;
		default: run.counters = "{\"nested\": {}}"; break;
		}
		Err err = ERR_INIT;
		int64_t id = -7;
		assert_false(journal_record(journal, &run, &id, &err));
		assert_int_equal(err.kind, ERR_USAGE);
		assert_int_equal(id, -7);
	}
	assert_int_equal(scratch_count(*state, ""), 0);
	journal_close(journal);
}

static void counters_are_flat_objects(void **state) {
	static const char *const good[] = {"{}", " { } ", "{\"a\":1}", "{\"a\": -1.5e-7,\n\t\"b c\": 0}",
									   "{\"a\":0.25,\"b\":10E+2}"};
	static const char *const bad[] = {"",
									  "{",
									  "}",
									  "[]",
									  "null",
									  "{\"a\"}",
									  "{\"a\":}",
									  "{\"a\":01}",
									  "{\"a\":1.}",
									  "{\"a\":.5}",
									  "{\"a\":+1}",
									  "{\"a\":0x1}",
									  "{\"a\":1,}",
									  "{,}",
									  "{\"\":1}",
									  "{a:1}",
									  "{\"a\":1} x",
									  "{\"a\":nan}",
									  "{\"a\":1e}",
									  "{\"a\":\"1\"}",
									  "{\"a\":-}",
									  "{\"a\\n\":1}",
									  "{\"\xc3\xad\":1}",
									  "{\"a\" 1}"};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		if (!counters_valid(good[i], strlen(good[i]))) fail_msg("refused: %s", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (counters_valid(bad[i], strlen(bad[i]))) fail_msg("taken: %s", bad[i]);
	assert_false(counters_valid("{\"a\":1}\0", 8));
	assert_false(counters_valid("{\"a\":1\0}", 8));
}

/* Somebody edited the file: rows that make no sense are left out and counted, the others are there. */
static void rows_are_checked_when_read(void **state) {
	static const char *const edits[] = {"at = 'yesterday'",
										"at = -1",
										"gpu = x'ff00ff'",
										"gpu = CAST(x'ff41' AS TEXT)",
										"gpu = 'a' || char(0) || 'b'",
										"gpu = hex(zeroblob(4000000))",
										"outcome = 'splendid'",
										"outcome = ''",
										"verified = 7",
										"verified = 'yes'",
										"samples = -3",
										"samples = 1.5",
										"value = 'fast'",
										"value = 9e999",
										"q1 = -9e999",
										"unit = NULL",
										"kind = 3",
										"counters = '{\"a\": [1]}'",
										"counters = 12"};
	enum { EDITS = sizeof edits / sizeof *edits };
	Journal *journal = journal_open(*state);
	JournalRun run = a_run("tile");
	for (size_t i = 0; i < EDITS; i++) must_record(journal, &run);
	run.value = 4711;
	must_record(journal, &run);
	journal_close(journal);
	char *path = scratch_path(*state, "journal.db");
	for (size_t i = 0; i < EDITS; i++) {
		Str sql = {0};
		str_addf(&sql, "UPDATE runs SET %s WHERE id = %zu", edits[i], i + 1);
		run_sql(path, sql.text);
		str_free(&sql);
	}
	journal = journal_open(*state);
	JournalRuns runs = must_history(journal, "tile", 100);
	for (size_t i = 1; i < runs.len; i++) print_message("# taken: %s\n", edits[runs.items[i].id - 1]);
	assert_int_equal(runs.len, 1);
	assert_true(runs.items[0].value == 4711);
	assert_int_equal(runs.left_out, EDITS);
	journal_runs_free(&runs);
	journal_close(journal);
	free(path);
}

int main(void) {
	const struct CMUnitTest tests[] = {
#define SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_new, scratch_free)
		SCRATCH(opening_and_reading_leave_the_disk_alone),
		SCRATCH(everything_comes_back),
		SCRATCH(what_is_not_known_stays_so),
		SCRATCH(newest_first_of_one_step),
		SCRATCH(hostile_texts),
		SCRATCH(a_megabyte_is_cut_between_characters),
		cmocka_unit_test(nul_is_replaced),
		SCRATCH(senseless_runs_are_refused),
		cmocka_unit_test(counters_are_flat_objects),
		SCRATCH(rows_are_checked_when_read),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
