/* The journal's file by itself: values of every kind come back, and a write is all or nothing. What runs and marks are
 * is Lua's (tests/lua/bind/bind_store.lua). */
#include "scratch.h"

#include <stdlib.h>
#include <string.h>

static void opening_and_reading_leave_the_disk_alone(void **state) {
	char *home = scratch_path(*state, "not/yet/there");
	Journal *journal = journal_open(home);
	assert_int_equal(must_count(journal, "tile"), 0);
	assert_int_equal(scratch_count(*state, ""), 0);
	assert_int_equal(must_record(journal, "tile"), 1);
	assert_int_equal(scratch_count(home, "journal.db"), 3); /* with its log and the log's index */
	journal_close(journal);
	assert_int_equal(scratch_count(home, ""), 1); /* one file to hand in */
	journal_close(NULL);
	free(home);
}

static void everything_comes_back(void **state) {
	static const char text[] = "'); DROP TABLE marks; --\0\xff";
	const JournalValue values[] = {{VALUE_WHOLE, .whole = INT64_MIN},
								   {VALUE_TEXT, .text = text, .bytes = sizeof text - 1},
								   {VALUE_NUMBER, .number = -0.1},
								   {.type = VALUE_NULL}};
	JournalRows rows;
	Err err = ERR_INIT;
	int64_t id;
	Journal *journal = journal_open(*state);
	assert_true(journal_write(journal,
							  "INSERT INTO marks (at, lab, what, name, text, number, truth, unit) VALUES"
							  " (?1, ?2, '', 7, x'00ff', ?3, ?4, hex(zeroblob(1 << 20)))",
							  values, 4, &id, &err));
	journal_close(journal);
	journal = journal_open(*state);
	assert_true(journal_read(journal,
							 "SELECT id, at, lab, what, name, text AS note, number, truth, unit FROM marks"
							 " WHERE lab = ?2 AND at = ?1",
							 values, 2, &rows, &err));
	assert_int_equal(rows.len, 1);
	assert_int_equal(rows.columns, 9);
	assert_string_equal(rows.names[5], "note");
	const JournalValue *got = rows.values;
	assert_int_equal(got[0].whole, id);
	assert_true(got[1].type == VALUE_WHOLE && got[1].whole == INT64_MIN);
	assert_int_equal(got[2].bytes, sizeof text - 1);
	assert_memory_equal(got[2].text, text, sizeof text);
	assert_true(got[3].type == VALUE_TEXT && !got[3].bytes);
	assert_string_equal(got[4].text, "7");
	assert_int_equal(got[5].type, VALUE_OTHER); /* bytes */
	assert_true(got[6].type == VALUE_NUMBER && got[6].number == -0.1);
	assert_int_equal(got[7].type, VALUE_NULL);
	assert_int_equal(got[8].type, VALUE_OTHER); /* 2 MB */
	journal_rows_free(&rows);
	journal_close(journal);
}

static void all_or_nothing(void **state) {
	Err err = ERR_INIT;
	Journal *journal = journal_open(*state);
	must_record(journal, "tile");
	int64_t id = -7;
	assert_false(journal_write(journal,
							   "DELETE FROM runs; INSERT INTO marks (at, lab, what, name) VALUES (NULL, '', '', '')",
							   NULL, 0, &id, &err));
	assert_int_equal(err.kind, ERR_SETUP);
	assert_int_equal(id, -7);
	assert_int_equal(must_count(journal, "tile"), 1);
	journal_close(journal);
}

int main(void) {
	const struct CMUnitTest tests[] = {
#define SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_new, scratch_free)
		SCRATCH(opening_and_reading_leave_the_disk_alone),
		SCRATCH(everything_comes_back),
		SCRATCH(all_or_nothing),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
