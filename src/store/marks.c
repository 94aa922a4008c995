/* journal.h: the student's marks as rows. */
#include <math.h>
#include <string.h>

#include "store/internal.h"

const char *const journal_mark_kinds[] = {"passed", "hint", "solution", "guess", "note", "place", NULL};

static const char *complaint(const void *row) {
	const JournalMark *mark = row;
	if (!known(mark->lab) || !known(mark->name)) return "lab and name are needed";
	if (!among(mark->what, journal_mark_kinds)) return "the journal does not know its kind";
	if (!time_possible(mark->time)) return "its time is out of range";
	return isinf(mark->number) || isinf(mark->truth) ? "a number is infinite" : NULL;
}

static const Column columns[] = {COLUMN_AT(JournalMark), EACH_OF(COLUMN_NAME, JournalMark, lab, what, name, unit),
								 COLUMN(JournalMark, text, JOURNAL_NOTE, NULL),
								 EACH_OF(COLUMN_NUMBER, JournalMark, number, truth)};
/* A place takes the older ones' place; every other mark stays. */
static const Table marks = {.name = "marks",
							.row = "mark on",
							.bytes = sizeof(JournalMark),
							.columns = columns,
							.ncolumns = sizeof columns / sizeof *columns,
							.complaint = complaint,
							.where = "(?1 IS NULL OR lab = ?1) AND (?2 IS NULL OR what = ?2)",
							.after = "DELETE FROM marks WHERE lab = ?1 AND what = 'place' AND id <"
									 " (SELECT max(id) FROM marks WHERE lab = ?1 AND what = 'place')"};

bool journal_mark(Journal *journal, const JournalMark *given, int64_t *id, Err *err) {
	JournalMark mark = *given;
	return row_record(journal, &marks, &mark, &mark.lab, &mark.name, id, err);
}

bool journal_marks(Journal *journal, const char *lab, const char *what, JournalMarks *out, Err *err) {
	Rows rows;
	if (!rows_select(journal, &marks, lab, what, JOURNAL_MOST, &rows, err)) return false;
	*out = (JournalMarks){rows.items, rows.len, rows.left_out, rows.arena};
	return true;
}

void journal_marks_free(JournalMarks *list) {
	arena_free(list->arena);
	*list = (JournalMarks){0};
}
