/* string.find, match, gmatch and gsub, as Lua's, but Ctrl-C stops a search that backtracks.
 *
 * Lua's matcher looks for no press. A search that may take long therefore runs in a Lua state of its own, whose memory
 * is one mapping: it takes no lock and holds nothing else, so that the signal handler may leave it at any moment
 * (bind_leaving_at_press), and all of it is unmapped. Such a search finds one match; what gmatch and gsub do with the
 * matches, one after the other, is Lua (lua/gpulab/base/pattern.lua).
 *
 * One difference is left: a pattern with an unfinished capture is an error also where gsub's replacement does not ask
 * for it. */
#include <ctype.h>
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

/* False: the pattern is malformed. What it found, or says, is what push_found pushes. */
static bool search(lua_State *L, Holder *holder, lua_CFunction function, lua_Integer init, bool plain) {
	Search search = {.scratch = holder->data, .function = function, .init = init, .plain = plain};
	if (!bind_leaving_at_press(run_search, &search)) {
		bind_drop(holder);
		bind_raise_interrupted(L);
	}
	return search.status == LUA_OK;
}

/* How many values there are. */
static int push_found(lua_State *L, const Scratch *s) {
	const int n = lua_gettop(s->L) - PATTERN;
	luaL_checkstack(L, n, "too many captures");
	for (int i = 0; i < n; i++) {
		size_t len;
		if (lua_type(s->L, FOUND + i) == LUA_TSTRING) {
			const char *text = lua_tolstring(s->L, FOUND + i, &len);
			lua_pushlstring(L, text, len);
		} else if (lua_isinteger(s->L, FOUND + i)) {
			lua_pushinteger(L, lua_tointeger(s->L, FOUND + i));
		} else {
			lua_pushnil(L);
		}
	}
	return n;
}

/* --- find and match ----------------------------------------------------------------------------------------------- */

static int search_once(lua_State *L, lua_CFunction function, bool plain) {
	if (!may_take_long(L, plain)) return function(L);
	const lua_Integer init = luaL_optinteger(L, 3, 1);
	Holder *holder = bind_hold(L, scratch_free);
	if (!(holder->data = scratch_new(L, ""))) return luaL_error(L, "not enough memory");
	const bool well = search(L, holder, function, init, plain);
	const int n = push_found(L, holder->data);
	bind_drop(holder);
	return well ? n : luaL_error(L, "%s", lua_tostring(L, -1));
}

static int find(lua_State *L) {
	return search_once(L, lua_find, lua_toboolean(L, 4));
}

static int match(lua_State *L) {
	return search_once(L, lua_match, false);
}

/* --- one match after the other ------------------------------------------------------------------------------------ */

/* find(init) -> first, last, captures; nil where there is no match, or with what is wrong with the pattern */
static int find_from(lua_State *L) {
	Holder *holder = lua_touserdata(L, lua_upvalueindex(1));
	if (!holder->data) return 0; /* a press ended it */
	if (search(L, holder, lua_find, lua_tointeger(L, 1), false)) return push_found(L, holder->data);
	lua_pushnil(L);
	return 1 + push_found(L, holder->data);
}

/* Calls the function of pattern.lua with such a find and all arguments. The memory stays in the lowest place. */
static int in_lua(lua_State *L, const char *name, const char *prefix) {
	Holder *holder = bind_hold(L, scratch_free);
	if (!(holder->data = scratch_new(L, prefix))) return luaL_error(L, "not enough memory");
	lua_insert(L, 1);
	bind_push_function(L, "gpulab.base.pattern", name);
	lua_pushvalue(L, 1);
	lua_pushcclosure(L, find_from, 1);
	lua_rotate(L, 2, 2);
	lua_call(L, lua_gettop(L) - 2, LUA_MULTRET);
	return lua_gettop(L) - 1;
}

/* Here ^ is a character like others. */
static int gmatch(lua_State *L) {
	if (!may_take_long(L, false)) return lua_gmatch(L);
	luaL_optinteger(L, 3, 1);
	bind_collect_for(L, lua_rawlen(L, 1));
	return in_lua(L, "gmatch", *lua_tostring(L, 2) == '^' ? "%" : "");
}

static int gsub(lua_State *L) {
	const int type = lua_type(L, 3);
	if (!may_take_long(L, false) ||
		(type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TFUNCTION && type != LUA_TTABLE))
		return lua_gsub(L);
	luaL_optinteger(L, 4, 0);
	const int n = in_lua(L, "gsub", "");
	bind_drop(lua_touserdata(L, 1));
	return n;
}

void bind_replace_patterns(lua_State *L) {
	lua_getglobal(L, "string");
	lua_find = bind_replace(L, "find", find);
	lua_match = bind_replace(L, "match", match);
	lua_gmatch = bind_replace(L, "gmatch", gmatch);
	lua_gsub = bind_replace(L, "gsub", gsub);
	lua_pop(L, 1);
}
