/* journal.h: runs as rows. The file is opened at its first use and checked again before each use, because another
 * process may have set it aside or removed it since. */
#include "store/journal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "store/internal.h"
#include "store/text.h"

const char *const journal_outcomes[] = {"ok",    "compile", "fault", "limit",   "timeout", "wrong", "interrupted",
										"setup", "usage",   "gate",  "finding", "absent",  NULL};

Journal *journal_open(const char *folder) {
	Journal *journal = xcalloc(1, sizeof *journal);
	Str path = {0};
	str_addf(&path, "%s/journal.db", folder);
	journal->folder = xstrdup(folder);
	journal->path = str_take(&path);
	return journal;
}

const char *journal_path(const Journal *journal) {
	return journal->path;
}

/* SQLite folds the log in and removes it by name when the last user closes: never where the name means another file by
 * now. */
static void disconnect(Journal *journal) {
	if (!journal->db) return;
	int lock = folder_lock(journal->folder);
	database_close(journal->db, !file_same(file_id(journal->path), journal->file));
	folder_unlock(lock);
	journal->db = NULL;
}

void journal_close(Journal *journal) {
	if (!journal) return;
	disconnect(journal);
	free(journal->folder);
	free(journal->path);
	free(journal);
}

bool journal_notice(Journal *journal, Err *notice) {
	if (journal->notice.kind == ERR_NONE) return false;
	*notice = journal->notice;
	err_clear(&journal->notice);
	return true;
}

/* --- the connection ----------------------------------------------------------------------------------------------- */

static DbResult connect(Journal *journal, bool make, Err *err) {
	if (journal->db && !file_same(file_id(journal->path), journal->file)) disconnect(journal);
	if (journal->db) return DB_OK;
	if (make && !folder_make(journal->folder, err)) return DB_FAILED;
	/* Checked before opening: if the file is replaced in between, db counts as moved too early rather than too late. */
	FileId before = file_id(journal->path);
	DbResult result = database_open(journal->path, make, &journal->db, err);
	journal->file = before.inode ? before : file_id(journal->path);
	return result;
}

/* True also where another gpulab was faster. */
static bool set_aside(Journal *journal, Err *err) {
	if (journal->set_aside) {
		err_set(err, ERR_SETUP, "the journal %s is damaged again", journal->path);
		return err_hint(err, "check the disk, or set GPULAB_HOME to a folder on another one");
	}
	Str name = {0};
	bool ok = true;
	disconnect(journal);
	int lock = folder_lock(journal->folder);
	if (file_same(file_id(journal->path), journal->file)) ok = database_set_aside(journal->path, &name, err);
	folder_unlock(lock);
	if (name.len) {
		journal->set_aside = true;
		err_set(&journal->notice, ERR_SETUP, "the journal %s was damaged: it is kept as %s, and a new one is used",
				journal->path, name.text);
		err_hint(&journal->notice, "sqlite3's .recover may read what is left of it");
	}
	str_free(&name);
	return ok;
}

DbResult journal_with(Journal *journal, bool make, JournalWork *work, void *with, Err *err) {
	for (;;) {
		DbResult result = connect(journal, make, err);
		if (result == DB_OK) result = work(journal, with, err);
		if (result == DB_DAMAGED && set_aside(journal, err)) continue;
		if (result == DB_OK || result == DB_ABSENT) return result;
		disconnect(journal);
		return DB_FAILED;
	}
}

DbResult journal_result(Journal *journal, int rc, Err *err) {
	return rc == SQLITE_DONE ? DB_OK : database_failed(journal->path, journal->db, rc, err);
}

/* --- rows: one table of columns writes, reads and checks ---------------------------------------------------------- */

typedef struct {
	const char *name;
	size_t offset; /* in JournalRun */
	size_t most;   /* bytes, of texts */
} Column;

#define COLUMN(field, most)                                                                                            \
	{ #field, offsetof(JournalRun, field), most }

static const Column texts[] = {
	COLUMN(lab, JOURNAL_NAME),         COLUMN(step, JOURNAL_NAME),   COLUMN(kernel, JOURNAL_NAME),
	COLUMN(source, JOURNAL_NAME),      COLUMN(params, JOURNAL_NAME), COLUMN(device, JOURNAL_NAME),
	COLUMN(gpu, JOURNAL_NAME),         COLUMN(driver, JOURNAL_NAME), COLUMN(nvrtc, JOURNAL_NAME),
	COLUMN(outcome, JOURNAL_NAME),     COLUMN(unit, JOURNAL_NAME),   COLUMN(kind, JOURNAL_NAME),
	COLUMN(counters, JOURNAL_COUNTERS)};
static const Column numbers[] = {COLUMN(value, 0), COLUMN(q1, 0),        COLUMN(q3, 0),
								 COLUMN(min, 0),   COLUMN(clock_ghz, 0), COLUMN(temperature, 0)};
enum { TEXTS = sizeof texts / sizeof *texts, NUMBERS = sizeof numbers / sizeof *numbers };

/* In this order: at, verified, samples, the texts, the numbers. */
static void add_columns(Str *sql) {
	str_add(sql, "at, verified, samples");
	for (size_t i = 0; i < TEXTS; i++) str_addf(sql, ", %s", texts[i].name);
	for (size_t i = 0; i < NUMBERS; i++) str_addf(sql, ", %s", numbers[i].name);
}

static const char **text_of(const JournalRun *run, size_t i) {
	return (const char **)((char *)run + texts[i].offset);
}

static double *number_of(const JournalRun *run, size_t i) {
	return (double *)((char *)run + numbers[i].offset);
}

static bool known(const char *text) {
	return text && *text;
}

static bool is_rate(double number) {
	return isfinite(number) && number >= 0;
}

bool journal_time_possible(int64_t ms) {
	static const int64_t year_10000 = 253402300800000;
	return ms > 0 && ms < year_10000;
}

/* What is wrong with a run, or NULL. The same for those that are recorded and those that are read. */
static const char *complaint(const JournalRun *run) {
	bool outcome_known = false;
	for (size_t i = 0; journal_outcomes[i] && known(run->outcome); i++)
		outcome_known |= strcmp(journal_outcomes[i], run->outcome) == 0;
	if (!known(run->lab) || !known(run->step)) return "lab and step are needed";
	if (!outcome_known) return "the journal does not know its outcome";
	if (!journal_time_possible(run->time)) return "its time is out of range";
	if (run->verified < VERIFIED_UNKNOWN || run->verified > VERIFIED_YES)
		return "verified is neither yes, no, nor unknown";
	if (known(run->counters) && !counters_valid(run->counters, strlen(run->counters)))
		return "its counters are not a flat JSON object of numbers";
	if (isnan(run->value)) return NULL;
	for (size_t i = 0; i < NUMBERS; i++)
		if (!isnan(*number_of(run, i)) && !is_rate(*number_of(run, i))) return "a rate is negative or infinite";
	if (!known(run->unit)) return "its rate has no unit";
	if (!known(run->kind) || (strcmp(run->kind, "measured") != 0 && strcmp(run->kind, "predicted") != 0))
		return "its rate is neither measured nor predicted";
	return run->samples < 0 ? "the number of samples is negative" : NULL;
}

/* --- recording ---------------------------------------------------------------------------------------------------- */

int64_t journal_now(void) {
	struct timespec ts;
	clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

char *journal_cleaned(Arena *arena, const char *text, size_t most) {
	Str s = {0};
	journal_clean(&s, text, strlen(text), most);
	char *copy = arena_strndup(arena, s.text, s.len);
	str_free(&s);
	return copy;
}

/* The run as it will be kept: texts clean, those of a rate that is not there left out. */
static bool prepare(const JournalRun *given, JournalRun *run, Arena *arena, Err *err) {
	*run = *given;
	if (!run->time) run->time = journal_now();
	if (isnan(run->value)) {
		run->unit = run->kind = NULL;
		run->q1 = run->q3 = run->min = run->clock_ghz = run->temperature = NAN;
		run->samples = 0;
	}
	const char *why = NULL;
	for (size_t i = 0; i < TEXTS; i++) {
		const char **text = text_of(run, i);
		bool whole = text == &run->counters;
		if (known(*text) && whole && strlen(*text) > JOURNAL_COUNTERS) why = "its counters are too long";
		if (known(*text) && !whole) *text = journal_cleaned(arena, *text, texts[i].most);
	}
	if (!why) why = complaint(run);
	if (!why) return true;
	return err_set(err, ERR_USAGE, "this run of %.60s cannot be recorded: %s", known(run->step) ? run->step : "a step",
				   why);
}

static int bind_run(sqlite3_stmt *insert, const JournalRun *run) {
	int at = 1, rc = sqlite3_bind_int64(insert, at++, run->time);
	if (rc == SQLITE_OK && run->verified != VERIFIED_UNKNOWN) rc = sqlite3_bind_int(insert, at, run->verified);
	at++;
	if (rc == SQLITE_OK && run->samples) rc = sqlite3_bind_int64(insert, at, run->samples);
	at++;
	for (size_t i = 0; i < TEXTS && rc == SQLITE_OK; i++, at++) {
		const char *text = *text_of(run, i);
		if (known(text)) rc = sqlite3_bind_text(insert, at, text, -1, SQLITE_STATIC);
	}
	for (size_t i = 0; i < NUMBERS && rc == SQLITE_OK; i++, at++) {
		double number = *number_of(run, i);
		if (!isnan(number)) rc = sqlite3_bind_double(insert, at, number);
	}
	return rc;
}

typedef struct {
	const JournalRun *run;
	int64_t id;
} Recording;

static DbResult insert_run(Journal *journal, void *with, Err *err) {
	Recording *recording = with;
	sqlite3_stmt *insert = NULL;
	Str sql = {0};
	str_add(&sql, "INSERT INTO runs (");
	add_columns(&sql);
	str_add(&sql, ") VALUES (?, ?, ?");
	for (size_t i = 0; i < TEXTS + NUMBERS; i++) str_add(&sql, ", ?");
	str_add(&sql, ")");
	int rc = sqlite3_prepare_v2(journal->db, sql.text, -1, &insert, NULL);
	if (rc == SQLITE_OK) rc = bind_run(insert, recording->run);
	if (rc == SQLITE_OK) rc = sqlite3_step(insert); /* its own transaction: done means committed */
	DbResult result = journal_result(journal, rc, err);
	if (result == DB_OK) recording->id = sqlite3_last_insert_rowid(journal->db);
	sqlite3_finalize(insert);
	str_free(&sql);
	return result;
}

bool journal_record(Journal *journal, const JournalRun *run, int64_t *id, Err *err) {
	Arena *arena = arena_new();
	JournalRun kept;
	Recording recording = {.run = &kept};
	bool ok = prepare(run, &kept, arena, err) && journal_with(journal, true, insert_run, &recording, err) == DB_OK;
	if (ok && id) *id = recording.id;
	arena_free(arena);
	return ok;
}

/* --- history ------------------------------------------------------------------------------------------------------ */

bool journal_read_text(sqlite3_stmt *row, int column, size_t most, Arena *arena, const char **out) {
	int type = sqlite3_column_type(row, column);
	*out = "";
	if (type == SQLITE_NULL) return true;
	if (type != SQLITE_TEXT) return false;
	const char *text = (const char *)sqlite3_column_text(row, column);
	size_t len = (size_t)sqlite3_column_bytes(row, column);
	if (!text || len > most || !utf8_valid(text, len)) return false;
	*out = arena_strndup(arena, text, len);
	return true;
}

bool journal_read_integer(sqlite3_stmt *row, int column, int64_t if_null, int64_t *out) {
	int type = sqlite3_column_type(row, column);
	*out = type == SQLITE_NULL ? if_null : sqlite3_column_int64(row, column);
	return type == SQLITE_NULL || type == SQLITE_INTEGER;
}

bool journal_read_number(sqlite3_stmt *row, int column, double *out) {
	int type = sqlite3_column_type(row, column);
	*out = type == SQLITE_NULL ? NAN : sqlite3_column_double(row, column);
	return type == SQLITE_NULL || type == SQLITE_FLOAT || type == SQLITE_INTEGER;
}

static bool read_run(sqlite3_stmt *row, Arena *arena, JournalRun *run) {
	int column = 0;
	int64_t verified;
	bool ok = journal_read_integer(row, column++, 0, &run->id) && journal_read_integer(row, column++, 0, &run->time) &&
			  journal_read_integer(row, column++, VERIFIED_UNKNOWN, &verified) &&
			  journal_read_integer(row, column++, 0, &run->samples);
	ok = ok && verified >= VERIFIED_UNKNOWN && verified <= VERIFIED_YES;
	if (ok) run->verified = (Verified)verified;
	for (size_t i = 0; ok && i < TEXTS; i++)
		ok = journal_read_text(row, column++, texts[i].most, arena, text_of(run, i));
	for (size_t i = 0; ok && i < NUMBERS; i++) ok = journal_read_number(row, column++, number_of(run, i));
	return ok && !complaint(run);
}

typedef struct {
	const char *lab, *step;
	size_t n;
	JournalRuns runs;
} Asked;

static void take_row(sqlite3_stmt *row, Asked *asked) {
	JournalRun run = {0};
	if (read_run(row, asked->runs.arena, &run))
		asked->runs.items[asked->runs.len++] = run;
	else
		asked->runs.left_out++;
}

static DbResult select_runs(Journal *journal, void *with, Err *err) {
	Asked *asked = with;
	sqlite3_stmt *row = NULL;
	Str sql = {0};
	asked->runs.len = asked->runs.left_out = 0; /* of an attempt on a damaged file */
	str_add(&sql, "SELECT id, ");
	add_columns(&sql);
	str_add(&sql, " FROM runs WHERE lab = ? AND step = ? ORDER BY id DESC LIMIT ?");
	int rc = sqlite3_prepare_v2(journal->db, sql.text, -1, &row, NULL);
	if (rc == SQLITE_OK) rc = sqlite3_bind_text(row, 1, asked->lab, -1, SQLITE_STATIC);
	if (rc == SQLITE_OK) rc = sqlite3_bind_text(row, 2, asked->step, -1, SQLITE_STATIC);
	if (rc == SQLITE_OK) rc = sqlite3_bind_int64(row, 3, (sqlite3_int64)asked->n);
	if (rc == SQLITE_OK)
		while ((rc = sqlite3_step(row)) == SQLITE_ROW) take_row(row, asked);
	DbResult result = journal_result(journal, rc, err);
	sqlite3_finalize(row);
	str_free(&sql);
	return result;
}

bool journal_history(Journal *journal, const char *lab, const char *step, size_t n, JournalRuns *out, Err *err) {
	Arena *arena = arena_new();
	if (n > JOURNAL_MOST) n = JOURNAL_MOST;
	Asked asked = {
		.lab = journal_cleaned(arena, lab, JOURNAL_NAME), .step = journal_cleaned(arena, step, JOURNAL_NAME), .n = n};
	asked.runs.arena = arena;
	asked.runs.items = arena_array(arena, n + 1, sizeof *asked.runs.items);
	if (journal_with(journal, false, select_runs, &asked, err) == DB_FAILED) {
		arena_free(arena);
		return false;
	}
	*out = asked.runs;
	return true;
}

void journal_runs_free(JournalRuns *runs) {
	arena_free(runs->arena);
	*runs = (JournalRuns){0};
}
