/* keys.h */
#include "bind/values/keys.h"

#include <math.h>
#include <string.h>

#include "base/text/nearest.h"
#include "bind/internal.h"

/* --- a table of a structure --------------------------------------------------------------------------------------- */

static uint32_t u32_at(const void *at) {
	uint32_t v;
	memcpy(&v, at, sizeof v);
	return v;
}

static double double_at(const void *at) {
	double v;
	memcpy(&v, at, sizeof v);
	return v;
}

static lua_Integer whole_at(MemberType type, const void *at) {
	int32_t i32;
	int64_t i64;
	switch (type) {
	case MEMBER_BOOL:
	case MEMBER_U8: return *(const uint8_t *)at;
	case MEMBER_U32: return u32_at(at);
	case MEMBER_I32: memcpy(&i32, at, sizeof i32); return i32;
	default: memcpy(&i64, at, sizeof i64); return i64;
	}
}

static const char *text_at(const Key *k, const uint8_t *at) {
	const char *text;
	if (k->member.type == MEMBER_CHARS) return (const char *)at;
	memcpy(&text, at, sizeof text);
	return text;
}

static void push_number(lua_State *L, MemberType type, const uint8_t *at) {
	if (type == MEMBER_F64)
		lua_pushnumber(L, double_at(at));
	else
		lua_pushinteger(L, whole_at(type, at));
}

static void push_numbers(lua_State *L, const Member *m, const uint8_t *at) {
	const size_t n = member_count(m);
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		push_number(L, m->type, at + i * (m->size / n));
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

static void push_list_member(lua_State *L, const Key *k, const void *value) {
	const void *values;
	memcpy(&values, (const uint8_t *)value + k->member.offset, sizeof values);
	bind_push_list(L, k->keys, values, u32_at((const uint8_t *)value + k->count), k->each);
}

static void push_lanes(lua_State *L, const Key *k, const void *value) {
	const uint32_t mask = u32_at((const uint8_t *)value + k->count);
	const uint8_t *at = (const uint8_t *)value + k->member.offset;
	const size_t n = member_count(&k->member);
	lua_createtable(L, (int)n, 1);
	for (size_t lane = 0; lane < n; lane++) {
		if (!(mask >> lane & 1)) continue;
		push_number(L, k->member.type, at + lane * (k->member.size / n));
		lua_rawseti(L, -2, (lua_Integer)lane);
	}
}

static bool is_set(const Key *k, const void *value) {
	const uint8_t *at = (const uint8_t *)value + k->member.offset;
	const bool always = !(k->flags & ONLY_KNOWN);
	switch (k->member.type) {
	case MEMBER_OTHER: return k->keys != NULL;
	case MEMBER_BOOL: return always || *at;
	case MEMBER_CHARS:
	case MEMBER_TEXT: return always || (text_at(k, at) && *text_at(k, at));
	case MEMBER_F64: return !isnan(double_at(at)) && (always || double_at(at) != 0);
	default: return always || whole_at(k->member.type, at);
	}
}

void bind_push_member(lua_State *L, const Key *k, const void *value) {
	const uint8_t *at = (const uint8_t *)value + k->member.offset;
	if (!is_set(k, value))
		lua_pushnil(L);
	else if (k->keys)
		push_list_member(L, k, value);
	else if (k->lanes)
		push_lanes(L, k, value);
	else if (k->names)
		lua_pushstring(L, k->names[whole_at(k->member.type, at)]);
	else if (k->member.type == MEMBER_BOOL)
		lua_pushboolean(L, *at);
	else if (k->member.type == MEMBER_CHARS || k->member.type == MEMBER_TEXT)
		lua_pushstring(L, text_at(k, at));
	else if (member_count(&k->member) > 1)
		push_numbers(L, &k->member, at);
	else
		push_number(L, k->member.type, at);
}

void bind_set_keys(lua_State *L, const Key *keys, const void *value) {
	for (const Key *k = keys; k->key; k++) {
		bind_push_member(L, k, value);
		lua_setfield(L, -2, k->key);
	}
}

void bind_push_keys(lua_State *L, const Key *keys, const void *value) {
	int n = 0;
	while (keys[n].key) n++;
	lua_createtable(L, 0, n);
	bind_set_keys(L, keys, value);
}

void bind_push_list(lua_State *L, const Key *keys, const void *values, size_t n, size_t each) {
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		bind_push_keys(L, keys, (const uint8_t *)values + i * each);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

/* --- a structure of a table --------------------------------------------------------------------------------------- */

/* A value on top of the stack, and what to call it. */
typedef struct {
	int arg;
	const char *in;
	const Key *key;
	int at; /* in a list, from 1; 0: it is none */
} Given;

/* "item 2: config.grid[1]", on the stack below the value. */
static const char *name_of(lua_State *L, const Given *g) {
	const char *place = g->at ? lua_pushfstring(L, "[%d]", g->at) : lua_pushliteral(L, "");
	const char *name = lua_pushfstring(L, "%s%s%s", g->in, g->key->key, place);
	lua_rotate(L, -3, 2);
	return name;
}

static void complain(lua_State *L, const Given *g, const char *wanted) {
	const bool numbers = g->key->member.type >= MEMBER_U8, number = lua_type(L, -1) == LUA_TNUMBER;
	const char *name = name_of(L, g), *got = numbers && number ? luaL_tolstring(L, -1, NULL) : luaL_typename(L, -1);
	bind_bad(L, g->arg, "%s: %s expected, got %s", name, wanted, got);
}

static const char *list_of(lua_State *L, const char *const *names) {
	luaL_Buffer known;
	luaL_buffinit(L, &known);
	for (int i = 0; names[i]; i++) {
		if (i) luaL_addstring(&known, names[i + 1] ? ", " : " or ");
		lua_pushfstring(L, "\"%s\"", names[i]);
		luaL_addvalue(&known);
	}
	luaL_pushresult(&known);
	return lua_tostring(L, -1);
}

static lua_Integer read_name(lua_State *L, const Given *g) {
	const char *const *names = g->key->names, *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
	for (int i = 0; text && names[i]; i++)
		if (strcmp(text, names[i]) == 0) return i;
	const char *name = name_of(L, g), *near = text ? nearest(text, names) : NULL, *got = luaL_typename(L, -1);
	if (near) bind_bad(L, g->arg, "%s: unknown '%.40s', did you mean '%s'?", name, text, near);
	if (text) got = lua_pushfstring(L, "'%s'", text);
	return bind_bad(L, g->arg, "%s: %s expected, got %.60s", name, list_of(L, names), got);
}

static double read_number(lua_State *L, const Given *g) {
	const bool not_negative = g->key->flags & NOT_NEGATIVE;
	const double v = lua_tonumber(L, -1);
	if (lua_type(L, -1) != LUA_TNUMBER || (not_negative && (!(v >= 0) || isinf(v))))
		complain(L, g, not_negative ? "a non-negative number" : "a number");
	return v;
}

static lua_Integer read_whole(lua_State *L, const Given *g) {
	const Key *k = g->key;
	const bool any = !k->least && !k->most, is_signed = k->member.type == MEMBER_I64;
	const lua_Integer least = !any        ? k->least
							  : is_signed ? LUA_MININTEGER
										  : 0,
					  most = !any                           ? k->most
							 : k->member.type == MEMBER_U32 ? UINT32_MAX
															: LUA_MAXINTEGER;
	int whole;
	const lua_Integer v = lua_tointegerx(L, -1, &whole);
	if (lua_type(L, -1) == LUA_TNUMBER && whole && v >= least && v <= most) return v;
	const char *wanted = lua_pushfstring(L, "a whole number from %I to %I", least, most);
	lua_insert(L, -2);
	complain(L, g, any && is_signed ? "a whole number" : wanted);
	return 0;
}

static void store_whole(const Member *m, uint8_t *at, lua_Integer v) {
	memcpy(at, &v, m->size / member_count(m)); /* its low bytes */
}

static lua_Integer read_one(lua_State *L, const Given *g) {
	return g->key->names ? read_name(L, g) : read_whole(L, g);
}

/* One for all, and a list of others; numbers that are not given are 1. */
static void read_several(lua_State *L, Given *g, uint8_t *at) {
	const Member *m = &g->key->member;
	const size_t room = member_count(m), each = m->size / room;
	const lua_Unsigned n = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
	for (size_t i = 0; i < room && !g->key->names; i++) store_whole(m, at + i * each, 1);
	if (n < 1 || n > room) {
		const char *wanted = lua_pushfstring(L, "a number or a table of 1 to %d numbers", (int)room);
		lua_insert(L, -2);
		if (!g->key->names && lua_type(L, -1) != LUA_TNUMBER) complain(L, g, wanted);
		const lua_Integer v = read_one(L, g);
		for (size_t i = 0; i < (g->key->names ? room : 1); i++) store_whole(m, at + i * each, v);
		lua_remove(L, -2);
	}
	for (size_t i = 0; i < n && i < room; i++) {
		g->at = (int)i + 1;
		lua_rawgeti(L, -1, g->at);
		store_whole(m, at + i * each, read_one(L, g));
		lua_pop(L, 1);
	}
}

static void read_text(lua_State *L, const Given *g, uint8_t *at) {
	const Member *m = &g->key->member;
	if (lua_type(L, -1) != LUA_TSTRING) complain(L, g, "a string");
	const char *text = lua_tostring(L, -1);
	if (m->type == MEMBER_TEXT)
		memcpy(at, &text, sizeof text);
	else
		snprintf((char *)at, m->size, "%s", text);
}

static void read_value(lua_State *L, Given *g, uint8_t *at) {
	const Member *m = &g->key->member;
	double number;
	if (g->key->names && member_count(m) == 1) {
		store_whole(m, at, read_name(L, g));
		return;
	}
	switch (m->type) {
	case MEMBER_OTHER: return;
	case MEMBER_BOOL:
		if (!lua_isboolean(L, -1)) complain(L, g, "true or false");
		*at = (uint8_t)lua_toboolean(L, -1);
		return;
	case MEMBER_CHARS:
	case MEMBER_TEXT: read_text(L, g, at); return;
	case MEMBER_F64:
		number = read_number(L, g);
		memcpy(at, &number, sizeof number);
		return;
	default: break;
	}
	if (member_count(m) > 1)
		read_several(L, g, at);
	else
		store_whole(m, at, read_whole(L, g));
}

static void check_keys(lua_State *L, int table, int arg, const Key *keys) {
	enum { MOST_KEYS = 64 };
	const char *names[MOST_KEYS + 1] = {NULL};
	for (int i = 0; i < MOST_KEYS && keys[i].key; i++) names[i] = keys[i].key;
	bind_check_keys(L, table, arg, names);
}

void bind_read_keys_at(lua_State *L, int table, int arg, const char *in, const Key *keys, void *out) {
	table = lua_absindex(L, table);
	luaL_checkstack(L, 10, "options");
	check_keys(L, table, arg, keys);
	for (const Key *k = keys; k->key; k++) {
		Given given = {.arg = arg, .in = in, .key = k};
		if (lua_getfield(L, table, k->key) != LUA_TNIL || k->flags & NEEDED)
			read_value(L, &given, (uint8_t *)out + k->member.offset);
		lua_pop(L, 1);
	}
}

void bind_read_keys(lua_State *L, int arg, const Key *keys, void *out) {
	if (lua_isnoneornil(L, arg)) return;
	luaL_checktype(L, arg, LUA_TTABLE);
	bind_read_keys_at(L, arg, arg, "", keys, out);
}

const char **bind_check_texts(lua_State *L, int idx, int arg, const char *name, size_t extra, size_t *n) {
	idx = lua_absindex(L, idx);
	if (!lua_isnoneornil(L, idx) && !lua_istable(L, idx))
		bind_bad(L, arg, "%s%sa table of strings expected, got %s", name, *name ? ": " : "", luaL_typename(L, idx));
	*n = lua_istable(L, idx) ? (size_t)lua_rawlen(L, idx) : 0;
	const char **list = lua_newuserdatauv(L, (*n + extra + 1) * sizeof *list, 0);
	memset(list, 0, (*n + extra + 1) * sizeof *list);
	for (size_t i = 0; i < *n; i++) {
		if (lua_rawgeti(L, idx, (lua_Integer)i + 1) != LUA_TSTRING)
			bind_bad(L, arg, "%s[%zu]: string expected, got %s", name, i + 1, luaL_typename(L, -1));
		list[i] = lua_tostring(L, -1);
		lua_pop(L, 1);
	}
	return list;
}
