/* The module gpulab.store: the file of the journal. lua/gpulab/run/records.lua decides what is in it.
 *
 *     local file = store.open(folder)    nothing is read or made before it is used
 *     file:write(sql, ...)               statements in one transaction, durably; the number of the row inserted last
 *     file:read(sql, ...)                the rows as tables by column: NULL is nil, bytes are a table
 *     file:notice()                      an error object, if a damaged file was set aside since the last call
 *     file.path, file:close()
 *
 * Parameters ?1 and on are nil, numbers, strings, or a boolean, which is 0 or 1. */
#include <stdlib.h>
#include <string.h>

#include "bind/internal.h"
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

static JournalValue check_value(lua_State *L, int arg) {
	JournalValue v = {.type = VALUE_NULL};
	switch (lua_type(L, arg)) {
	case LUA_TNIL: return v;
	case LUA_TBOOLEAN: return (JournalValue){VALUE_WHOLE, .whole = lua_toboolean(L, arg)};
	case LUA_TNUMBER:
		if (lua_isinteger(L, arg)) return (JournalValue){VALUE_WHOLE, .whole = lua_tointeger(L, arg)};
		return (JournalValue){VALUE_NUMBER, .number = lua_tonumber(L, arg)};
	default:
		v.type = VALUE_TEXT;
		v.text = luaL_checklstring(L, arg, &v.bytes);
		return v;
	}
}

/* From argument 3 on; on the stack, as the texts are. */
static JournalValue *check_values(lua_State *L, size_t *n) {
	const int last = lua_gettop(L);
	*n = last > 2 ? (size_t)last - 2 : 0;
	JournalValue *values = lua_newuserdatauv(L, (*n + 1) * sizeof *values, 0);
	for (size_t i = 0; i < *n; i++) values[i] = check_value(L, (int)i + 3);
	return values;
}

static void push_value(lua_State *L, const JournalValue *v) {
	switch (v->type) {
	case VALUE_NULL: lua_pushnil(L); return;
	case VALUE_WHOLE: lua_pushinteger(L, v->whole); return;
	case VALUE_NUMBER: lua_pushnumber(L, v->number); return;
	case VALUE_TEXT: lua_pushlstring(L, v->text, v->bytes); return;
	case VALUE_OTHER: lua_newtable(L); return;
	}
}

/* --- methods ------------------------------------------------------------------------------------------------------ */

static int journal_method_write(lua_State *L) {
	size_t n;
	int64_t id;
	Journal *journal = check_journal(L);
	const char *sql = luaL_checkstring(L, 2);
	const JournalValue *values = check_values(L, &n);
	bind_must(L, journal_write(journal, sql, values, n, &id, bind_err()));
	lua_pushinteger(L, id);
	return 1;
}

BIND_RELEASE(free_rows, journal_rows_free)

static int journal_method_read(lua_State *L) {
	size_t n;
	Journal *journal = check_journal(L);
	const char *sql = luaL_checkstring(L, 2);
	const JournalValue *values = check_values(L, &n);
	Holder *holder = bind_hold(L, free_rows);
	JournalRows *rows = holder->data = xcalloc(1, sizeof *rows);
	bind_must(L, journal_read(journal, sql, values, n, rows, bind_err()));
	lua_createtable(L, (int)rows->len, 0);
	for (size_t i = 0; i < rows->len; i++) {
		lua_createtable(L, 0, (int)rows->columns);
		for (size_t c = 0; c < rows->columns; c++) {
			push_value(L, &rows->values[i * rows->columns + c]);
			lua_setfield(L, -2, rows->names[c]);
		}
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	bind_drop(holder);
	return 1;
}

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
	METHODS(journal_method, write, read, notice), {"close", journal_gc}, METHODS_END};
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
