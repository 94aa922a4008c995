/* internal.h: a row's structure to and from the columns of its table. What is not known is NULL there: a text that is
 * empty, NaN, an enumerator of -1, any other whole number of 0. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "store/internal.h"
#include "store/text.h"

bool known(const char *text) {
	return text && *text;
}

bool among(const char *text, const char *const *names) {
	for (; known(text) && *names; names++)
		if (strcmp(*names, text) == 0) return true;
	return false;
}

bool time_possible(int64_t ms) {
	static const int64_t year_10000 = 253402300800000;
	return ms > 0 && ms < year_10000;
}

static int64_t now(void) {
	struct timespec ts;
	clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static char *cleaned(Arena *arena, const char *text, size_t most) {
	Str s = {0};
	journal_clean(&s, text, strlen(text), most);
	char *copy = arena_strndup(arena, s.text, s.len);
	str_free(&s);
	return copy;
}

static void *at(const Column *c, const void *row) {
	return (char *)row + c->member.offset;
}

/* Makes the row as it will be kept. Returns the complaint, if there is one. */
static const char *prepare(const Table *table, void *row, Arena *arena) {
	for (size_t i = 0; i < table->ncolumns; i++) {
		const Column *c = &table->columns[i];
		const char **text = at(c, row);
		if (strcmp(c->name, "at") == 0 && !*(int64_t *)at(c, row)) *(int64_t *)at(c, row) = now();
		if (c->member.type != MEMBER_TEXT || !known(*text)) continue;
		if (c->refused && strlen(*text) > c->most) return c->refused;
		if (!c->refused) *text = cleaned(arena, *text, c->most);
	}
	return table->complaint(row);
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void add_columns(Str *sql, const Table *table) {
	for (size_t i = 0; i < table->ncolumns; i++) str_addf(sql, "%s%s", i ? ", " : "", table->columns[i].name);
}

static int bind_column(sqlite3_stmt *insert, int number, const Column *c, const void *row) {
	const void *member = at(c, row);
	switch (c->member.type) {
	case MEMBER_TEXT:
		if (!known(*(const char *const *)member)) return SQLITE_OK;
		return sqlite3_bind_text(insert, number, *(const char *const *)member, -1, SQLITE_STATIC);
	case MEMBER_F64:
		if (isnan(*(const double *)member)) return SQLITE_OK;
		return sqlite3_bind_double(insert, number, *(const double *)member);
	case MEMBER_I32:
		if (*(const int32_t *)member == -1) return SQLITE_OK;
		return sqlite3_bind_int(insert, number, *(const int32_t *)member);
	default:
		if (!*(const int64_t *)member) return SQLITE_OK;
		return sqlite3_bind_int64(insert, number, *(const int64_t *)member);
	}
}

typedef struct {
	const Table *table;
	const void *row;
	const char *lab;
	int64_t id;
} Recording;

static int insert(sqlite3 *db, Recording *r) {
	const Table *table = r->table;
	sqlite3_stmt *statement = NULL;
	Str sql = {0};
	str_addf(&sql, "INSERT INTO %s (", table->name);
	add_columns(&sql, table);
	str_add(&sql, ") VALUES (");
	for (size_t i = 0; i < table->ncolumns; i++) str_add(&sql, i ? ", ?" : "?");
	str_add(&sql, ")");
	int rc = sqlite3_prepare_v2(db, sql.text, -1, &statement, NULL);
	for (size_t i = 0; rc == SQLITE_OK && i < table->ncolumns; i++)
		rc = bind_column(statement, (int)i + 1, &table->columns[i], r->row);
	if (rc == SQLITE_OK) rc = sqlite3_step(statement);
	if (rc == SQLITE_DONE) r->id = sqlite3_last_insert_rowid(db);
	sqlite3_finalize(statement);
	str_free(&sql);
	return rc;
}

static int run_after(sqlite3 *db, const Recording *r) {
	sqlite3_stmt *statement = NULL;
	int rc = sqlite3_prepare_v2(db, r->table->after, -1, &statement, NULL);
	if (rc == SQLITE_OK) rc = sqlite3_bind_text(statement, 1, r->lab, -1, SQLITE_STATIC);
	if (rc == SQLITE_OK) rc = sqlite3_step(statement);
	sqlite3_finalize(statement);
	return rc;
}

/* Done means committed. */
static DbResult insert_row(Journal *journal, void *with, Err *err) {
	Recording *r = with;
	int rc = sqlite3_exec(journal->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
	if (rc == SQLITE_OK) rc = insert(journal->db, r);
	if (rc == SQLITE_DONE && r->table->after) rc = run_after(journal->db, r);
	if (rc == SQLITE_DONE && (rc = sqlite3_exec(journal->db, "COMMIT", NULL, NULL, NULL)) == SQLITE_OK)
		rc = SQLITE_DONE;
	DbResult result = journal_result(journal, rc, err);
	if (result != DB_OK) sqlite3_exec(journal->db, "ROLLBACK", NULL, NULL, NULL);
	return result;
}

bool row_record(Journal *journal, const Table *table, void *row, const char *const *lab, const char *const *subject,
				int64_t *id, Err *err) {
	Arena *arena = arena_new();
	const char *why = prepare(table, row, arena);
	Recording r = {.table = table, .row = row, .lab = *lab};
	const bool ok = !why && journal_with(journal, true, insert_row, &r, err) == DB_OK;
	if (why)
		err_set(err, ERR_USAGE, "this %s %.60s cannot be recorded: %s", table->row,
				known(*subject) ? *subject : "a step", why);
	if (ok && id) *id = r.id;
	arena_free(arena);
	return ok;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static bool read_text(sqlite3_stmt *row, int number, size_t most, Arena *arena, const char **out) {
	const char *text = (const char *)sqlite3_column_text(row, number);
	const size_t len = (size_t)sqlite3_column_bytes(row, number);
	if (!text || len > most || !utf8_valid(text, len)) return false;
	*out = arena_strndup(arena, text, len);
	return true;
}

/* False: it is of another kind than it has to be. */
static bool read_column(sqlite3_stmt *row, int number, const Column *c, Arena *arena, void *out) {
	const int type = sqlite3_column_type(row, number);
	const bool null = type == SQLITE_NULL;
	const int64_t whole = sqlite3_column_int64(row, number);
	void *member = at(c, out);
	switch (c->member.type) {
	case MEMBER_TEXT:
		*(const char **)member = "";
		return null || (type == SQLITE_TEXT && read_text(row, number, c->most, arena, member));
	case MEMBER_F64:
		*(double *)member = null ? NAN : sqlite3_column_double(row, number);
		return null || type == SQLITE_FLOAT || type == SQLITE_INTEGER;
	case MEMBER_I32:
		*(int32_t *)member = null ? -1 : (int32_t)whole;
		return null || (type == SQLITE_INTEGER && whole == (int32_t)whole);
	default: *(int64_t *)member = whole; return null || type == SQLITE_INTEGER;
	}
}

static void take_row(sqlite3_stmt *statement, const Table *table, Rows *rows) {
	void *row = (char *)rows->items + rows->len * table->bytes;
	memset(row, 0, table->bytes);
	*(int64_t *)row = sqlite3_column_int64(statement, 0);
	bool ok = true;
	for (size_t i = 0; ok && i < table->ncolumns; i++)
		ok = read_column(statement, (int)i + 1, &table->columns[i], rows->arena, row);
	if (ok && !table->complaint(row))
		rows->len++;
	else
		rows->left_out++;
}

typedef struct {
	const Table *table;
	const char *first, *second;
	size_t n;
	Rows rows;
} Asked;

static DbResult select_rows(Journal *journal, void *with, Err *err) {
	Asked *asked = with;
	sqlite3_stmt *row = NULL;
	Str sql = {0};
	asked->rows.len = asked->rows.left_out = 0; /* of an attempt on a damaged file */
	str_add(&sql, "SELECT id, ");
	add_columns(&sql, asked->table);
	str_addf(&sql, " FROM %s WHERE %s ORDER BY id DESC LIMIT ?3", asked->table->name, asked->table->where);
	int rc = sqlite3_prepare_v2(journal->db, sql.text, -1, &row, NULL);
	if (rc == SQLITE_OK) rc = sqlite3_bind_text(row, 1, asked->first, -1, SQLITE_STATIC); /* NULL is NULL there */
	if (rc == SQLITE_OK) rc = sqlite3_bind_text(row, 2, asked->second, -1, SQLITE_STATIC);
	if (rc == SQLITE_OK) rc = sqlite3_bind_int64(row, 3, (sqlite3_int64)asked->n);
	if (rc == SQLITE_OK)
		while ((rc = sqlite3_step(row)) == SQLITE_ROW) take_row(row, asked->table, &asked->rows);
	DbResult result = journal_result(journal, rc, err);
	sqlite3_finalize(row);
	str_free(&sql);
	return result;
}

bool rows_select(Journal *journal, const Table *table, const char *first, const char *second, size_t n, Rows *out,
				 Err *err) {
	Arena *arena = arena_new();
	if (n > JOURNAL_MOST) n = JOURNAL_MOST;
	Asked asked = {.table = table,
				   .first = first ? cleaned(arena, first, JOURNAL_NAME) : NULL,
				   .second = second ? cleaned(arena, second, JOURNAL_NAME) : NULL,
				   .n = n,
				   .rows = {.items = arena_array(arena, n + 1, table->bytes), .arena = arena}};
	if (journal_with(journal, false, select_rows, &asked, err) == DB_FAILED) {
		arena_free(arena);
		return false;
	}
	*out = asked.rows;
	return true;
}
