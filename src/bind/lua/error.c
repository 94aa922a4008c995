/* Err as a Lua value: a table {kind, message, where, hint} whose tostring says all of it. */
#include <stdlib.h>
#include <string.h>

#include "bind/internal.h"
#include "bind/values/set.h"

static const struct {
	ErrKind kind;
	const char *name;
} kinds[] = {{ERR_COMPILE, "compile"}, {ERR_FAULT, "fault"},
			 {ERR_WRONG, "wrong"},     {ERR_TIMEOUT, "timeout"},
			 {ERR_SETUP, "setup"},     {ERR_FINDING, "finding"},
			 {ERR_GATE, "gate"},       {ERR_USAGE, "usage"},
			 {ERR_BUSY, "busy"},       {ERR_INTERRUPTED, "interrupted"}};

const char *bind_kind_name(ErrKind kind) {
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (kinds[i].kind == kind) return kinds[i].name;
	return "setup";
}

ErrKind bind_kind(const char *name) {
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kinds[i].name, name) == 0) return kinds[i].kind;
	return ERR_NONE;
}

static size_t columns(const char *text, size_t bytes) {
	size_t n = 0;
	for (size_t i = 0; i < bytes; i++) n += (text[i] & 0xC0) != 0x80;
	return n;
}

/* Lines of at most 80 columns, indented by two; a word that is longer, a path say, stays whole. */
static void add_wrapped(luaL_Buffer *b, const char *text) {
	enum { WIDTH = 80, INDENT = 2 };
	size_t used = WIDTH; /* so that the first word begins a line */
	for (const char *at = text; *(at += strspn(at, " "));) {
		size_t bytes = strcspn(at, " "), wide = columns(at, bytes);
		if (used + 1 + wide > WIDTH) {
			luaL_addstring(b, "\n  ");
			used = INDENT;
		} else {
			luaL_addchar(b, ' ');
			used++;
		}
		luaL_addlstring(b, at, bytes);
		used += wide;
		at += bytes;
	}
}

/* where: message, and the hint on lines of its own; parts that are not there, or already said, are left out. */
static int error_tostring(lua_State *L) {
	luaL_checktype(L, 1, LUA_TTABLE);
	const char *parts[3], *names[] = {"where", "message", "hint"};
	lua_settop(L, 1);
	for (int i = 0; i < 3; i++) {
		lua_getfield(L, 1, names[i]);
		parts[i] = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
	}
	luaL_Buffer b;
	luaL_buffinit(L, &b);
	if (*parts[0] && !strstr(parts[1], parts[0])) {
		luaL_addstring(&b, parts[0]);
		luaL_addstring(&b, ": ");
	}
	luaL_addstring(&b, *parts[1] ? parts[1] : "an error without a message");
	if (*parts[2] && !strstr(parts[1], parts[2])) add_wrapped(&b, parts[2]);
	luaL_pushresult(&b);
	return 1;
}

void bind_error_class(lua_State *L) {
	luaL_newmetatable(L, CLASS_ERROR);
	lua_pushcfunction(L, error_tostring);
	lua_setfield(L, -2, "__tostring");
	lua_pop(L, 1);
}

void bind_push_error(lua_State *L, ErrKind kind, const char *message, const char *where, const char *hint) {
	lua_createtable(L, 0, 5);
	set_text(L, "kind", bind_kind_name(kind));
	set_text(L, "message", message);
	set_text(L, "where", where ? where : "");
	set_text(L, "hint", hint ? hint : "");
	luaL_setmetatable(L, CLASS_ERROR);
}
