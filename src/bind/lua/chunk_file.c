/* loadfile, dofile and what require finds on package.path: as Lua's, but of regular files of a bounded size, and Ctrl-C
 * ends their reading and compiling. Standard input is bounded, too. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "bind/bind.h"
#include "bind/internal.h"

/* --- texts -------------------------------------------------------------------------------------------------------- */

static bool append_input(lua_State *L, Str *text, Err *why) {
	enum { PIECE = 1 << 16 };
	while (!feof(stdin) && text->len <= FILE_SOURCE_MOST) {
		str_reserve(text, PIECE);
		text->len += fread(text->text + text->len, 1, PIECE, stdin);
		bind_look(L);
		if (!ferror(stdin)) continue;
		if (errno != EINTR) return err_set(why, ERR_SETUP, "%s", strerror(errno));
		clearerr(stdin);
	}
	str_addn(text, "", 0);
	return text->len <= FILE_SOURCE_MOST ||
		   err_set(why, ERR_SETUP, "it is too large, at most %d MB are read", FILE_SOURCE_MOST >> 20);
}

/* What is compiled of it: without a byte order mark, and without a first line that begins with # but for its end. */
static const char *code_of(const Str *text) {
	const char *code = text->text + (text_starts(text->text, "\xef\xbb\xbf") ? 3 : 0);
	return *code == '#' ? code + strcspn(code, "\n") : code;
}

/* --- chunks ------------------------------------------------------------------------------------------------------- */

typedef struct {
	const char *at;
	size_t left;
} Rest;

static const char *next_piece(lua_State *L, void *data, size_t *size) {
	enum { PIECE = 1 << 16 };
	Rest *rest = data;
	const char *piece = rest->at;
	bind_look(L);
	*size = rest->left < PIECE ? rest->left : PIECE;
	rest->at += *size;
	rest->left -= *size;
	return piece;
}

bool bind_load_file(lua_State *L, const char *path, const char *mode) {
	const FileRules rules = {.most = FILE_SOURCE_MOST};
	Err why = ERR_INIT;
	Str *text = bind_str(L);
	const char *name = path ? lua_pushfstring(L, "@%s", path) : lua_pushliteral(L, "=stdin");
	if (path ? file_append(path, &rules, text, &why) : append_input(L, text, &why)) {
		const char *code = code_of(text);
		Rest rest = {code, text->len - (size_t)(code - text->text)};
		why.kind = lua_load(L, next_piece, &rest, name, mode) == LUA_OK ? ERR_NONE : ERR_COMPILE;
		if (why.kind && bind_is_passing(L)) lua_error(L);
	} else {
		if (why.kind == ERR_INTERRUPTED) bind_raise(L, &why);
		lua_pushfstring(L, "cannot read %s: %s", name + 1, why.what);
	}
	str_free(text);
	lua_replace(L, -3); /* the text */
	lua_pop(L, 1);
	return !why.kind;
}

static int load_file(lua_State *L) {
	const char *path = luaL_optstring(L, 1, NULL), *mode = luaL_optstring(L, 2, NULL);
	const bool has_globals = !lua_isnone(L, 3);
	if (!bind_load_file(L, path, mode)) {
		lua_pushnil(L);
		lua_insert(L, -2);
		return 2;
	}
	if (has_globals) {
		lua_pushvalue(L, 3);
		if (!lua_setupvalue(L, -2, 1)) lua_pop(L, 1);
	}
	return 1;
}

static int all_results(lua_State *L, int status, lua_KContext ctx) {
	(void)status;
	(void)ctx;
	return lua_gettop(L) - 1;
}

static int do_file(lua_State *L) {
	const char *path = luaL_optstring(L, 1, NULL);
	lua_settop(L, 1);
	if (!bind_load_file(L, path, NULL)) return lua_error(L);
	lua_callk(L, 0, LUA_MULTRET, 0, all_results);
	return all_results(L, 0, 0);
}

/* package.searchpath, which opens no file and so does not wait at a pipe. */
static int search_templates(lua_State *L) {
	const char *name = luaL_checkstring(L, 1), *templates = luaL_checkstring(L, 2);
	const char *separator = luaL_optstring(L, 3, "."), *instead = luaL_optstring(L, 4, "/");
	const char *place = *separator ? luaL_gsub(L, name, separator, instead) : name;
	luaL_Buffer tried;
	luaL_buffinit(L, &tried);
	while (*templates) {
		const size_t len = strcspn(templates, ";");
		lua_pushlstring(L, templates, len);
		const char *path = luaL_gsub(L, lua_tostring(L, -1), "?", place);
		struct stat there;
		if (len && stat(path, &there) == 0) return 1;
		lua_remove(L, -2);
		lua_pushfstring(L, "\n\tno file '%s'", path);
		lua_remove(L, -2);
		luaL_addvalue(&tried);
		templates += len + (templates[len] == ';');
	}
	luaL_pushresult(&tried);
	lua_pushnil(L);
	lua_insert(L, -2);
	return 2;
}

/* Where package.searchpath finds the module; upvalue: the table package. */
static int search_path(lua_State *L) {
	const char *name = luaL_checkstring(L, 1);
	lua_pushcfunction(L, search_templates);
	lua_pushvalue(L, 1);
	if (lua_getfield(L, lua_upvalueindex(1), "path") != LUA_TSTRING)
		return luaL_error(L, "'package.path' must be a string");
	lua_call(L, 2, 2);
	if (lua_isnil(L, -2)) return 1; /* where there is none */
	const char *path = lua_tostring(L, -2);
	if (!bind_load_file(L, path, NULL))
		return luaL_error(L, "error loading module '%s' from file '%s':\n\t%s", name, path, lua_tostring(L, -1));
	lua_pushstring(L, path);
	return 2;
}

void bind_replace_chunk_files(lua_State *L) {
	enum { SEARCHER = 2 }; /* the first is package.preload's */
	lua_pushglobaltable(L);
	lua_pushcfunction(L, load_file);
	lua_setfield(L, -2, "loadfile");
	lua_pushcfunction(L, do_file);
	lua_setfield(L, -2, "dofile");
	lua_getfield(L, -1, "package");
	lua_pushcfunction(L, search_templates);
	lua_setfield(L, -2, "searchpath");
	lua_getfield(L, -1, "searchers");
	lua_pushvalue(L, -2);
	lua_pushcclosure(L, search_path, 1);
	lua_rawseti(L, -2, SEARCHER);
	lua_pop(L, 3);
}
