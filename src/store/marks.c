/* journal.h: the student's marks as rows. */
#include <math.h>
#include <string.h>

#include "store/internal.h"
#include "store/text.h"

const char *const journal_mark_kinds[] = {"passed", "hint", "solution", "guess", "note", "place", NULL};

static bool known(const char *text) {
	return text && *text;
}

/* What is wrong with a mark, or NULL. The same for those that are made and those that are read. */
static const char *complaint(const JournalMark *mark) {
	bool kind_known = false;
	for (size_t i = 0; journal_mark_kinds[i] && known(mark->what); i++)
		kind_known |= strcmp(journal_mark_kinds[i], mark->what) == 0;
	if (!known(mark->lab) || !known(mark->name)) return "lab and name are needed";
	if (!kind_known) return "the journal does not know its kind";
	if (!journal_time_possible(mark->time)) return "its time is out of range";
	if (isinf(mark->number) || isinf(mark->truth)) return "a number is infinite";
	return NULL;
}

/* --- making ------------------------------------------------------------------------------------------------------- */

static bool prepare(const JournalMark *given, JournalMark *mark, Arena *arena, Err *err) {
	*mark = *given;
	if (!mark->time) mark->time = journal_now();
	const char **names[] = {&mark->lab, &mark->what, &mark->name, &mark->unit};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (known(*names[i])) *names[i] = journal_cleaned(arena, *names[i], JOURNAL_NAME);
	if (known(mark->text)) mark->text = journal_cleaned(arena, mark->text, JOURNAL_NOTE);
	const char *why = complaint(mark);
	if (!why) return true;
	return err_set(err, ERR_USAGE, "this mark on %.60s cannot be recorded: %s",
				   known(mark->name) ? mark->name : "a step", why);
}

static int bind_mark(sqlite3_stmt *insert, const JournalMark *mark) {
	const char *texts[] = {mark->lab, mark->what, mark->name, mark->text, mark->unit};
	double numbers[] = {mark->number, mark->truth};
	int at = 1, rc = sqlite3_bind_int64(insert, at++, mark->time);
	for (size_t i = 0; i < sizeof texts / sizeof *texts && rc == SQLITE_OK; i++, at++)
		if (known(texts[i])) rc = sqlite3_bind_text(insert, at, texts[i], -1, SQLITE_STATIC);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers && rc == SQLITE_OK; i++, at++)
		if (!isnan(numbers[i])) rc = sqlite3_bind_double(insert, at, numbers[i]);
	return rc;
}

static int run_statement(sqlite3 *db, const char *sql, const JournalMark *mark, int64_t *id) {
	sqlite3_stmt *statement = NULL;
	int rc = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
	if (rc == SQLITE_OK && id) rc = bind_mark(statement, mark);
	if (rc == SQLITE_OK && !id) rc = sqlite3_bind_text(statement, 1, mark->lab, -1, SQLITE_STATIC);
	if (rc == SQLITE_OK) rc = sqlite3_step(statement);
	if (rc == SQLITE_DONE && id) *id = sqlite3_last_insert_rowid(db);
	sqlite3_finalize(statement);
	return rc;
}

typedef struct {
	const JournalMark *mark;
	int64_t id;
} Marking;

/* A place takes the older ones' place in the same transaction; every other mark stays. */
static DbResult insert_mark(Journal *journal, void *with, Err *err) {
	static const char insert[] =
		"INSERT INTO marks (at, lab, what, name, text, unit, number, truth) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
	static const char forget[] = "DELETE FROM marks WHERE lab = ?1 AND what = 'place' AND id <"
								 " (SELECT max(id) FROM marks WHERE lab = ?1 AND what = 'place')";
	Marking *marking = with;
	bool replaces = strcmp(marking->mark->what, "place") == 0;
	int rc = sqlite3_exec(journal->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
	if (rc == SQLITE_OK) rc = run_statement(journal->db, insert, marking->mark, &marking->id);
	if (rc == SQLITE_DONE && replaces) rc = run_statement(journal->db, forget, marking->mark, NULL);
	if (rc == SQLITE_DONE && (rc = sqlite3_exec(journal->db, "COMMIT", NULL, NULL, NULL)) == SQLITE_OK)
		rc = SQLITE_DONE;
	DbResult result = journal_result(journal, rc, err);
	if (result != DB_OK) sqlite3_exec(journal->db, "ROLLBACK", NULL, NULL, NULL);
	return result;
}

bool journal_mark(Journal *journal, const JournalMark *mark, int64_t *id, Err *err) {
	Arena *arena = arena_new();
	JournalMark kept;
	Marking marking = {.mark = &kept};
	bool ok = prepare(mark, &kept, arena, err) && journal_with(journal, true, insert_mark, &marking, err) == DB_OK;
	if (ok && id) *id = marking.id;
	arena_free(arena);
	return ok;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static bool read_mark(sqlite3_stmt *row, Arena *arena, JournalMark *mark) {
	return journal_read_integer(row, 0, 0, &mark->id) && journal_read_integer(row, 1, 0, &mark->time) &&
		   journal_read_text(row, 2, JOURNAL_NAME, arena, &mark->lab) &&
		   journal_read_text(row, 3, JOURNAL_NAME, arena, &mark->what) &&
		   journal_read_text(row, 4, JOURNAL_NAME, arena, &mark->name) &&
		   journal_read_text(row, 5, JOURNAL_NOTE, arena, &mark->text) &&
		   journal_read_text(row, 6, JOURNAL_NAME, arena, &mark->unit) && journal_read_number(row, 7, &mark->number) &&
		   journal_read_number(row, 8, &mark->truth) && !complaint(mark);
}

typedef struct {
	const char *lab, *what; /* NULL: all */
	JournalMarks marks;
} Asked;

static void take_row(sqlite3_stmt *row, JournalMarks *marks) {
	JournalMark mark = {0};
	if (read_mark(row, marks->arena, &mark))
		marks->items[marks->len++] = mark;
	else
		marks->left_out++;
}

static DbResult select_marks(Journal *journal, void *with, Err *err) {
	static const char sql[] = "SELECT id, at, lab, what, name, text, unit, number, truth FROM marks"
							  " WHERE (?1 IS NULL OR lab = ?1) AND (?2 IS NULL OR what = ?2) ORDER BY id DESC LIMIT ?3";
	Asked *asked = with;
	sqlite3_stmt *row = NULL;
	asked->marks.len = asked->marks.left_out = 0; /* of an attempt on a damaged file */
	int rc = sqlite3_prepare_v2(journal->db, sql, -1, &row, NULL);
	if (rc == SQLITE_OK && asked->lab) rc = sqlite3_bind_text(row, 1, asked->lab, -1, SQLITE_STATIC);
	if (rc == SQLITE_OK && asked->what) rc = sqlite3_bind_text(row, 2, asked->what, -1, SQLITE_STATIC);
	if (rc == SQLITE_OK) rc = sqlite3_bind_int64(row, 3, JOURNAL_MOST);
	if (rc == SQLITE_OK)
		while ((rc = sqlite3_step(row)) == SQLITE_ROW) take_row(row, &asked->marks);
	DbResult result = journal_result(journal, rc, err);
	sqlite3_finalize(row);
	return result;
}

bool journal_marks(Journal *journal, const char *lab, const char *what, JournalMarks *out, Err *err) {
	Arena *arena = arena_new();
	Asked asked = {.lab = lab ? journal_cleaned(arena, lab, JOURNAL_NAME) : NULL,
				   .what = what ? journal_cleaned(arena, what, JOURNAL_NAME) : NULL};
	asked.marks.arena = arena;
	asked.marks.items = arena_array(arena, JOURNAL_MOST, sizeof *asked.marks.items);
	if (journal_with(journal, false, select_marks, &asked, err) == DB_FAILED) {
		arena_free(arena);
		return false;
	}
	*out = asked.marks;
	return true;
}

void journal_marks_free(JournalMarks *marks) {
	arena_free(marks->arena);
	*marks = (JournalMarks){0};
}
