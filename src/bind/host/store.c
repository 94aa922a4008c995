/* The module gpulab.store: the journal of runs. lua/gpulab/run/journal.lua decides what is recorded and shows it.
 *
 *     local j = store.open(folder)       nothing is read or made before it is used
 *     j:record{lab=, step=, ...}         one run, durably; the fields of JournalRun, nil: not known. Returns its number
 *     j:history(lab, step, n)            the newest n runs of a step (20), and how many invalid rows were left out
 *     j:mark{lab=, what=, name=, ...}    the fields of JournalMark
 *     j:marks(lab, what)                 the newest first; nil: of all
 *     j:notice()                         an error object, if a damaged file was set aside since the last call
 *     j.path, j:close() */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bind/bind.h"
#include "bind/internal.h"
#include "bind/values/set.h"
#include "store/journal.h"

#define CLASS_JOURNAL "gpulab.journal"

typedef struct {
	Journal *journal; /* NULL: closed */
} JournalBox;

static Journal *check_journal(lua_State *L) {
	JournalBox *box = luaL_checkudata(L, 1, CLASS_JOURNAL);
	if (!box->journal) bind_bad(L, 1, "the journal is closed");
	return box->journal;
}

/* --- runs and marks as tables ------------------------------------------------------------------------------------- */

static const Key run_keys[] = {KEYS_KNOWN(JournalRun, lab, step, kernel, source, params, device, gpu, driver, nvrtc,
										  outcome, unit, kind, counters),
							   KEYS(JournalRun, value, q1, q3, min, clock_ghz, temperature, time, samples),
							   KEY_ALLOWED("verified"), KEYS_END};
static const Key mark_keys[] = {KEYS_KNOWN(JournalMark, lab, what, name, text, unit),
								KEYS(JournalMark, number, truth, time), KEYS_END};

/* The text at idx, which may hold NUL; the result lives on the stack. */
static const char *whole_text(lua_State *L, int idx) {
	size_t len;
	const char *text = lua_tolstring(L, idx, &len);
	if (!memchr(text, '\0', len)) return text;
	Str *clean = bind_str(L);
	journal_clean(clean, text, len, SIZE_MAX);
	return clean->text;
}

/* Argument 2; numbers that are not there are NaN. Texts live on the stack. */
static void check_row(lua_State *L, const Key *keys, void *row) {
	static const double none = NAN;
	luaL_checktype(L, 2, LUA_TTABLE);
	luaL_checkstack(L, 60, "a row");
	for (const Key *k = keys; k->key; k++)
		if (k->member.type == MEMBER_F64) memcpy((char *)row + k->member.offset, &none, sizeof none);
	bind_read_keys(L, 2, keys, row);
	for (const Key *k = keys; k->key; k++) {
		if (k->member.type != MEMBER_TEXT || lua_getfield(L, 2, k->key) == LUA_TNIL) continue;
		const char *text = whole_text(L, -1);
		memcpy((char *)row + k->member.offset, &text, sizeof text);
	}
}

static void push_run(lua_State *L, const JournalRun *run) {
	bind_push_keys(L, run_keys, run);
	set_count(L, "id", run->id);
	if (run->verified != VERIFIED_UNKNOWN) set_flag(L, "verified", run->verified == VERIFIED_YES);
}

static void push_mark(lua_State *L, const JournalMark *mark) {
	bind_push_keys(L, mark_keys, mark);
	set_count(L, "id", mark->id);
}

/* --- methods ------------------------------------------------------------------------------------------------------ */

static int journal_method_record(lua_State *L) {
	JournalRun run = {0};
	int64_t id;
	Journal *journal = check_journal(L);
	check_row(L, run_keys, &run);
	const int type = lua_getfield(L, 2, "verified");
	if (type != LUA_TNIL && type != LUA_TBOOLEAN)
		return bind_bad(L, 2, "verified: a boolean expected, got %s", luaL_typename(L, -1));
	run.verified = type == LUA_TNIL ? VERIFIED_UNKNOWN : lua_toboolean(L, -1) ? VERIFIED_YES : VERIFIED_NO;
	bind_must(L, journal_record(journal, &run, &id, bind_err()));
	lua_pushinteger(L, id);
	return 1;
}

BIND_RELEASE(free_runs, journal_runs_free)

static int journal_method_history(lua_State *L) {
	Journal *journal = check_journal(L);
	luaL_checkstring(L, 2);
	luaL_checkstring(L, 3);
	lua_Integer n = luaL_optinteger(L, 4, 20);
	if (n < 1 || n > JOURNAL_MOST) return bind_bad(L, 4, "1 to %d runs can be asked for", JOURNAL_MOST);
	Holder *holder = bind_hold(L, free_runs);
	JournalRuns *runs = holder->data = xcalloc(1, sizeof *runs);
	const char *lab = whole_text(L, 2), *step = whole_text(L, 3);
	bind_must(L, journal_history(journal, lab, step, (size_t)n, runs, bind_err()));
	lua_createtable(L, (int)runs->len, 0);
	for (size_t i = 0; i < runs->len; i++) {
		push_run(L, &runs->items[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_pushinteger(L, (lua_Integer)runs->left_out);
	bind_drop(holder);
	return 2;
}

static int journal_method_mark(lua_State *L) {
	JournalMark mark = {0};
	int64_t id;
	Journal *journal = check_journal(L);
	check_row(L, mark_keys, &mark);
	bind_must(L, journal_mark(journal, &mark, &id, bind_err()));
	lua_pushinteger(L, id);
	return 1;
}

BIND_RELEASE(free_marks, journal_marks_free)

static int journal_method_marks(lua_State *L) {
	Journal *journal = check_journal(L);
	lua_settop(L, 3);
	for (int i = 2; i <= 3; i++)
		if (!lua_isnil(L, i)) luaL_checkstring(L, i);
	Holder *holder = bind_hold(L, free_marks);
	JournalMarks *marks = holder->data = xcalloc(1, sizeof *marks);
	const char *lab = lua_isnil(L, 2) ? NULL : whole_text(L, 2), *what = lua_isnil(L, 3) ? NULL : whole_text(L, 3);
	bind_must(L, journal_marks(journal, lab, what, marks, bind_err()));
	lua_createtable(L, (int)marks->len, 0);
	for (size_t i = 0; i < marks->len; i++) {
		push_mark(L, &marks->items[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_pushinteger(L, (lua_Integer)marks->left_out);
	bind_drop(holder);
	return 2;
}

/* --- the class ---------------------------------------------------------------------------------------------------- */

static int journal_method_notice(lua_State *L) {
	Err notice = ERR_INIT;
	if (!journal_notice(check_journal(L), &notice)) return 0;
	bind_push_error(L, notice.kind, notice.what, notice.where, notice.hint);
	return 1;
}

static int journal_gc(lua_State *L) {
	JournalBox *box = luaL_checkudata(L, 1, CLASS_JOURNAL);
	Journal *journal = box->journal;
	box->journal = NULL;
	journal_close(journal);
	return 0;
}

static int journal_tostring(lua_State *L) {
	JournalBox *box = luaL_checkudata(L, 1, CLASS_JOURNAL);
	lua_pushfstring(L, "journal %s", box->journal ? journal_path(box->journal) : "(closed)");
	return 1;
}

static bool journal_field(lua_State *L, void *box, const char *name) {
	Journal *journal = ((JournalBox *)box)->journal;
	lua_pushstring(L, journal ? journal_path(journal) : NULL);
	return true;
}

static const luaL_Reg journal_methods[] = {
	METHODS(journal_method, record, history, mark, marks, notice), {"close", journal_gc}, METHODS_END};
static const BindClass journal_class = {.metatable = CLASS_JOURNAL,
										.methods = journal_methods,
										.named = (const char *const[]){"path", NULL},
										.release = journal_gc,
										.text = journal_tostring,
										.field = journal_field};

/* --- the module --------------------------------------------------------------------------------------------------- */

static int store_open(lua_State *L) {
	size_t len;
	const char *folder = luaL_checklstring(L, 1, &len);
	if (!len || strlen(folder) != len) return bind_bad(L, 1, "a folder expected");
	JournalBox *box = bind_box(L, sizeof *box, CLASS_JOURNAL, 0);
	box->journal = journal_open(folder);
	return 1;
}

int bind_store_module(lua_State *L) {
	static const luaL_Reg functions[] = {{"open", store_open}, {NULL, NULL}};
	bind_class(L, &journal_class);
	luaL_newlib(L, functions);
	return 1;
}
