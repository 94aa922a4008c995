/* journal.h: runs and marks as rows of their tables. */
#include <math.h>
#include <string.h>

#include "store/internal.h"
#include "store/text.h"

/* --- runs --------------------------------------------------------------------------------------------------------- */

const char *const journal_outcomes[] = {"ok",    "compile", "fault", "limit",   "timeout", "wrong", "interrupted",
										"setup", "usage",   "gate",  "finding", "absent",  NULL};

static bool is_rate(double number) {
	return isfinite(number) && number >= 0;
}

static const char *run_complaint(const void *row) {
	const JournalRun *run = row;
	const double rates[] = {run->value, run->q1, run->q3, run->min, run->clock_ghz, run->temperature};
	if (!known(run->lab) || !known(run->step)) return "lab and step are needed";
	if (!among(run->outcome, journal_outcomes)) return "the journal does not know its outcome";
	if (!time_possible(run->time)) return "its time is out of range";
	if (run->verified < VERIFIED_UNKNOWN || run->verified > VERIFIED_YES)
		return "verified is neither yes, no, nor unknown";
	if (known(run->counters) && !counters_valid(run->counters, strlen(run->counters)))
		return "its counters are not a flat JSON object of numbers";
	if (isnan(run->value)) return NULL;
	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
		if (!isnan(rates[i]) && !is_rate(rates[i])) return "a rate is negative or infinite";
	if (!known(run->unit)) return "its rate has no unit";
	if (!among(run->kind, (const char *const[]){"measured", "predicted", NULL}))
		return "its rate is neither measured nor predicted";
	return run->samples < 0 ? "the number of samples is negative" : NULL;
}

static const Column run_columns[] = {
	COLUMN_AT(JournalRun),
	EACH_OF(COLUMN_NUMBER, JournalRun, verified, samples, value, q1, q3, min, clock_ghz, temperature),
	EACH_OF(COLUMN_NAME, JournalRun, lab, step, kernel, source, params, device, gpu, driver, nvrtc, outcome, unit,
			kind),
	COLUMN(JournalRun, counters, JOURNAL_COUNTERS, "its counters are too long")};
static const Table runs = {.name = "runs",
						   .row = "run of",
						   .bytes = sizeof(JournalRun),
						   .columns = run_columns,
						   .ncolumns = sizeof run_columns / sizeof *run_columns,
						   .complaint = run_complaint,
						   .where = "lab = ?1 AND step = ?2"};

bool journal_record(Journal *journal, const JournalRun *given, int64_t *id, Err *err) {
	JournalRun run = *given;
	if (isnan(run.value)) { /* what says more about a rate that is not there is left out */
		run.unit = run.kind = NULL;
		run.q1 = run.q3 = run.min = run.clock_ghz = run.temperature = NAN;
		run.samples = 0;
	}
	return row_record(journal, &runs, &run, &run.lab, &run.step, id, err);
}

bool journal_history(Journal *journal, const char *lab, const char *step, size_t n, JournalRuns *out, Err *err) {
	Rows rows;
	if (!rows_select(journal, &runs, lab, step, n, &rows, err)) return false;
	*out = (JournalRuns){rows.items, rows.len, rows.left_out, rows.arena};
	return true;
}

void journal_runs_free(JournalRuns *list) {
	arena_free(list->arena);
	*list = (JournalRuns){0};
}

/* --- marks -------------------------------------------------------------------------------------------------------- */

const char *const journal_mark_kinds[] = {"passed", "hint", "solution", "guess", "note", "place", NULL};

static const char *mark_complaint(const void *row) {
	const JournalMark *mark = row;
	if (!known(mark->lab) || !known(mark->name)) return "lab and name are needed";
	if (!among(mark->what, journal_mark_kinds)) return "the journal does not know its kind";
	if (!time_possible(mark->time)) return "its time is out of range";
	return isinf(mark->number) || isinf(mark->truth) ? "a number is infinite" : NULL;
}

static const Column mark_columns[] = {COLUMN_AT(JournalMark), EACH_OF(COLUMN_NAME, JournalMark, lab, what, name, unit),
									  COLUMN(JournalMark, text, JOURNAL_NOTE, NULL),
									  EACH_OF(COLUMN_NUMBER, JournalMark, number, truth)};
/* A place takes the older ones' place; every other mark stays. */
static const Table marks = {.name = "marks",
							.row = "mark on",
							.bytes = sizeof(JournalMark),
							.columns = mark_columns,
							.ncolumns = sizeof mark_columns / sizeof *mark_columns,
							.complaint = mark_complaint,
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
