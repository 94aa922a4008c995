/* string.find, match, gmatch and gsub, as Lua's, but Ctrl-C stops a search that backtracks.
 *
 * Lua's matcher looks for no press. A search that may take long therefore runs in a Lua state of its own, whose memory
 * is one mapping: it takes no lock and holds nothing else, so that the signal handler may leave it at any moment
 * (bind_leaving_at_press), and all of it is unmapped. Such a search finds one match; what is done with the match is
 * done in the program's state.
 *
 * One difference is left: a pattern with an unfinished capture is an error also where gsub's replacement does not ask
 * for it. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bind/internal.h"

static lua_CFunction lua_find, lua_match, lua_gmatch, lua_gsub; /* Lua's own */

/* --- how long may it take ----------------------------------------------------------------------------------------- */

/* The end of a set that begins at p. */
static const char *after_set(const char *p, const char *end) {
	p += p + 1 < end && p[1] == '^' ? 3 : 2; /* a first ] is one of its characters */
	while (p < end && *p != ']') p += *p == '%' ? 2 : 1;
	return p + 1;
}

/* At most so many steps: each repetition may try every length, from every place. */
static double most_steps(const char *text, size_t n, const char *pattern, size_t len, bool plain) {
	const char *end = pattern + len;
	double steps = (double)n * (1 + (double)len / 16);
	for (const char *p = pattern; p < end && !plain;) {
		const bool again =
			strchr("*+-", *p) || (*p == '%' && p + 1 < end && (p[1] == 'b' || isdigit((unsigned char)p[1])));
		if (again) steps *= (double)n;
		if (*p == '?') steps *= 2;
		p = *p == '[' ? after_set(p, end) : p + (*p == '%' ? 2 : 1);
	}
	return steps;
}

static bool may_take_long(lua_State *L, bool plain) {
	const double AT_ONCE = 1 << 24;
	size_t n, len;
	if (lua_type(L, 1) != LUA_TSTRING || lua_type(L, 2) != LUA_TSTRING) return false;
	const char *text = lua_tolstring(L, 1, &n), *pattern = lua_tolstring(L, 2, &len);
	return most_steps(text, n, pattern, len, plain) > AT_ONCE;
}

/* --- a state that can be left ------------------------------------------------------------------------------------- */

enum { SIZES = 48, LEAST_SIZE = 4, TEXT = 1, PATTERN = 2, FOUND = 3 };

typedef struct {
	lua_State *L; /* TEXT and PATTERN on its stack, from FOUND on what the last search found */
	size_t size, used;
	void *unused[SIZES]; /* blocks that were freed, by the logarithm of their size; each points to the next */
} Scratch;

static int size_of(size_t bytes) {
	int size = LEAST_SIZE;
	while (size < SIZES && (size_t)1 << size < bytes) size++;
	return size;
}

static void *take(Scratch *s, int size) {
	void *block = s->unused[size];
	if (block) {
		memcpy(&s->unused[size], block, sizeof block);
	} else if (s->size - s->used >= (size_t)1 << size) {
		block = (char *)s + s->used;
		s->used += (size_t)1 << size;
	}
	return block;
}

static void *allocate(void *data, void *block, size_t old_bytes, size_t bytes) {
	Scratch *s = data;
	const int old = size_of(old_bytes), size = size_of(bytes);
	if (block && bytes && size <= old) return block;
	void *result = bytes && size < SIZES ? take(s, size) : NULL;
	if (block && (result || !bytes)) {
		if (result) memcpy(result, block, old_bytes);
		memcpy(block, &s->unused[old], sizeof block);
		s->unused[old] = block;
	}
	return result;
}

static void scratch_free(void *data) {
	Scratch *s = data;
	if (s) munmap(s, s->size);
}

/* NULL: no memory. The mapping is large, for all captures of a pattern at once; what is not used takes none. */
static Scratch *scratch_new(lua_State *L, const char *prefix) {
	enum { ROOM = 16 << 20, TIMES = 64 };
	size_t n, len;
	const char *text = lua_tolstring(L, 1, &n), *pattern = lua_tolstring(L, 2, &len);
	const size_t size = ROOM + (n + len) * TIMES;
	Scratch *s = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (s == MAP_FAILED) return NULL;
	*s = (Scratch){.size = size, .used = sizeof *s + -sizeof *s % (1 << LEAST_SIZE)};
	s->L = lua_newstate(allocate, s);
	if (s->L) {
		lua_pushlstring(s->L, text, n);
		lua_pushstring(s->L, prefix);
		lua_pushlstring(s->L, pattern, len);
		lua_concat(s->L, 2);
		return s;
	}
	scratch_free(s);
	return NULL;
}

typedef struct {
	Scratch *scratch;
	lua_CFunction function;
	lua_Integer init;
	bool plain;
	int status;
} Search;

static void run_search(void *data) {
	Search *search = data;
	lua_State *L = search->scratch->L;
	lua_settop(L, PATTERN);
	lua_pushcfunction(L, search->function);
	lua_pushvalue(L, TEXT);
	lua_pushvalue(L, PATTERN);
	lua_pushinteger(L, search->init);
	lua_pushboolean(L, search->plain);
	search->status = lua_pcall(L, 4, LUA_MULTRET, 0);
}

/* How many values it found. */
static int search(lua_State *L, Holder *holder, lua_CFunction function, lua_Integer init, bool plain) {
	Search search = {.scratch = holder->data, .function = function, .init = init, .plain = plain};
	if (!bind_leaving_at_press(run_search, &search)) {
		bind_drop(holder);
		bind_raise_interrupted(L);
	}
	if (search.status != LUA_OK) return luaL_error(L, "%s", lua_tostring(search.scratch->L, -1));
	return lua_gettop(search.scratch->L) - PATTERN;
}

static void push_found(lua_State *L, const Scratch *s, int i) {
	size_t n;
	if (lua_type(s->L, FOUND + i) == LUA_TSTRING) {
		const char *text = lua_tolstring(s->L, FOUND + i, &n);
		lua_pushlstring(L, text, n);
	} else if (lua_isinteger(s->L, FOUND + i)) {
		lua_pushinteger(L, lua_tointeger(s->L, FOUND + i));
	} else {
		lua_pushnil(L);
	}
}

/* --- find and match ----------------------------------------------------------------------------------------------- */

static int search_once(lua_State *L, lua_CFunction function, bool plain) {
	if (!may_take_long(L, plain)) return function(L);
	const lua_Integer init = luaL_optinteger(L, 3, 1);
	Holder *holder = bind_hold(L, scratch_free);
	if (!(holder->data = scratch_new(L, ""))) return luaL_error(L, "not enough memory");
	const int n = search(L, holder, function, init, plain);
	luaL_checkstack(L, n, "too many captures");
	for (int i = 0; i < n; i++) push_found(L, holder->data, i);
	bind_drop(holder);
	return n;
}

static int find(lua_State *L) {
	return search_once(L, lua_find, lua_toboolean(L, 4));
}

static int match(lua_State *L) {
	return search_once(L, lua_match, false);
}

/* --- one match after the other ------------------------------------------------------------------------------------ */

typedef struct {
	size_t from, to; /* of the match: text[from..to) */
	size_t at;       /* where the next search begins */
	size_t last;     /* where the match before ended: no empty one is there */
	int captures;    /* what was found is where it is from, its end, the captures */
} Walk;

static bool next_match(lua_State *L, Holder *holder, Walk *walk) {
	const Scratch *s = holder->data;
	for (;;) {
		walk->captures = search(L, holder, lua_find, (lua_Integer)walk->at + 1, false) - 2;
		if (walk->captures < 0) return false;
		walk->from = (size_t)lua_tointeger(s->L, FOUND) - 1;
		walk->to = (size_t)lua_tointeger(s->L, FOUND + 1);
		if (walk->to != walk->last) break;
		walk->at = walk->from + 1;
	}
	walk->at = walk->last = walk->to;
	return true;
}

/* The match itself where there are no captures. */
static int push_captures(lua_State *L, const Scratch *s, const Walk *walk, const char *text) {
	luaL_checkstack(L, walk->captures + 1, "too many captures");
	for (int i = 0; i < walk->captures; i++) push_found(L, s, 2 + i);
	if (!walk->captures) lua_pushlstring(L, text + walk->from, walk->to - walk->from);
	return walk->captures ? walk->captures : 1;
}

static int next_of_gmatch(lua_State *L) {
	Holder *holder = lua_touserdata(L, lua_upvalueindex(2));
	Walk *walk = lua_touserdata(L, lua_upvalueindex(3));
	if (!holder->data || !next_match(L, holder, walk)) return 0;
	return push_captures(L, holder->data, walk, lua_tostring(L, lua_upvalueindex(1)));
}

/* Here ^ is a character like others. */
static int gmatch(lua_State *L) {
	if (!may_take_long(L, false)) return lua_gmatch(L);
	const size_t n = lua_rawlen(L, 1);
	const lua_Integer init = luaL_optinteger(L, 3, 1);
	lua_settop(L, 2);
	lua_pushvalue(L, 1);
	bind_collect_for(L, n);
	Holder *holder = bind_hold(L, scratch_free);
	if (!(holder->data = scratch_new(L, *lua_tostring(L, 2) == '^' ? "%" : "")))
		return luaL_error(L, "not enough memory");
	Walk *walk = lua_newuserdatauv(L, sizeof *walk, 0);
	*walk = (Walk){.last = SIZE_MAX};
	if (init > 0) walk->at = (lua_Unsigned)init - 1 > n ? n + 1 : (size_t)init - 1;
	if (init < 0 && 0u - (lua_Unsigned)init <= n) walk->at = n - (size_t)(0u - (lua_Unsigned)init);
	lua_pushcclosure(L, next_of_gmatch, 3);
	return 1;
}

/* What a replacement refers to by %: Lua's own says what is wrong with it. */
static void add_reference(lua_State *L, luaL_Buffer *b, const Scratch *s, const Walk *walk, const char *text,
						  const char *p) {
	const int i = isdigit((unsigned char)p[1]) ? p[1] - '1' : -2;
	if (p[1] == '%') {
		luaL_addchar(b, '%');
	} else if (i == -1 || (i == 0 && !walk->captures)) {
		luaL_addlstring(b, text + walk->from, walk->to - walk->from);
	} else if (i >= 0 && i < walk->captures) {
		push_found(L, s, 2 + i);
		luaL_addvalue(b);
	} else {
		lua_settop(L, 0);
		lua_pushliteral(L, "");
		lua_pushliteral(L, "");
		lua_pushlstring(L, p, 2);
		lua_gsub(L);
	}
}

static void add_text(lua_State *L, luaL_Buffer *b, const Scratch *s, const Walk *walk, const char *text) {
	size_t n;
	const char *p = lua_tolstring(L, 3, &n), *end = p + n;
	for (const char *percent; (percent = memchr(p, '%', (size_t)(end - p))); p = percent + 2) {
		luaL_addlstring(b, p, (size_t)(percent - p));
		add_reference(L, b, s, walk, text, percent);
	}
	luaL_addlstring(b, p, (size_t)(end - p));
}

/* False: the match stays as it is. */
static bool add_replacement(lua_State *L, luaL_Buffer *b, const Scratch *s, const Walk *walk, const char *text) {
	const int type = lua_type(L, 3);
	if (type == LUA_TFUNCTION) {
		lua_pushvalue(L, 3);
		lua_call(L, push_captures(L, s, walk, text), 1);
	} else if (type == LUA_TTABLE) {
		lua_pop(L, push_captures(L, s, walk, text) - 1);
		lua_gettable(L, 3);
	} else {
		add_text(L, b, s, walk, text);
		return true;
	}
	if (!lua_toboolean(L, -1)) {
		lua_pop(L, 1);
		luaL_addlstring(b, text + walk->from, walk->to - walk->from);
		return false;
	}
	if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
	luaL_addvalue(b);
	return true;
}

static int gsub(lua_State *L) {
	const int type = lua_type(L, 3);
	if (!may_take_long(L, false) ||
		(type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TFUNCTION && type != LUA_TTABLE))
		return lua_gsub(L);
	size_t n, done = 0;
	const char *text = lua_tolstring(L, 1, &n);
	const bool anchored = *lua_tostring(L, 2) == '^';
	const lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)n + 1);
	lua_Integer count = 0;
	bool changed = false;
	Walk walk = {.last = SIZE_MAX};
	luaL_Buffer b;
	Holder *holder = bind_hold(L, scratch_free);
	if (!(holder->data = scratch_new(L, ""))) return luaL_error(L, "not enough memory");
	luaL_buffinit(L, &b);
	while (count < most && next_match(L, holder, &walk)) {
		count++;
		luaL_addlstring(&b, text + done, walk.from - done);
		changed = add_replacement(L, &b, holder->data, &walk, text) || changed;
		done = walk.to;
		if (anchored) break;
	}
	luaL_addlstring(&b, text + done, n - done);
	luaL_pushresult(&b);
	bind_drop(holder);
	if (!changed) lua_pushvalue(L, 1);
	lua_pushinteger(L, count);
	return 2;
}

void bind_replace_patterns(lua_State *L) {
	lua_getglobal(L, "string");
	lua_find = bind_replace(L, "find", find);
	lua_match = bind_replace(L, "match", match);
	lua_gmatch = bind_replace(L, "gmatch", gmatch);
	lua_gsub = bind_replace(L, "gsub", gsub);
	lua_pop(L, 1);
}
