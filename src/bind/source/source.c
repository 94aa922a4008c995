/* The module gpulab.source: what the readers of C know of code. Not for labs.
 *
 *     source.arguments("_Z4tileILi33EEvPfPKfi")   {"33"}: of a template's instance, as far as they are understood
 *     source.variable("_ZZ4tilePfE5cache")        "cache"
 *     source.tokens(text)                         {"int", "x", "=", "'a'", ";"}, {1, 1, 1, 1, 1}: of CUDA C++, those of
 *                                                 directives too, and their lines; or nil, what is there, its line
 *     source.code(text)                           {{text = "->", line = 1, kind = "sign"}, ...}: of CUDA C++ but its
 *                                                 directives; kind is also "word", "number", or "string"
 *     source.ptx(text)                            ptx.c */
#include <string.h>

#include "base/text/mangled.h"
#include "bind/source/source.h"
#include "compile/source/tokens.h"

static int source_arguments(lua_State *L) {
	const char *linked = luaL_checkstring(L, 1);
	Str *texts = bind_str(L);
	const size_t n = mangled_arguments(linked, texts);
	const char *at = texts->text;
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++, at += strlen(at) + 1) {
		lua_pushstring(L, at);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

static int source_variable(lua_State *L) {
	char name[128];
	mangled_variable(luaL_checkstring(L, 1), name, sizeof name);
	lua_pushstring(L, name);
	return 1;
}

/* What makes it uncertain for a reader what is a literal and what is code. */
static const char *unclear(const Tok *t, const char *number_end) {
	if (t->kind != TOK_STRING) return NULL;
	if (t->open) return "a literal without an end";
	if (t->at == number_end) return "a literal directly after a number";
	return *t->at == '"' || *t->at == '\'' ? NULL : "a raw string";
}

static int source_tokens(lua_State *L) {
	size_t len;
	const char *text = luaL_checklstring(L, 1, &len), *number_end = NULL;
	const char *why = strlen(text) == len ? NULL : "a zero byte";
	lua_newtable(L);
	lua_newtable(L);
	tokens_limit(0);
	Lexer lx = lexer(text);
	lx.opens_directives = true;
	lua_Integer n = 0;
	for (Tok t; !why && (t = tok_next(&lx)).kind != TOK_END;) {
		why = unclear(&t, number_end);
		number_end = t.kind == TOK_NUMBER ? t.at + t.len : NULL;
		lua_pushlstring(L, t.at, t.len);
		lua_rawseti(L, -3, ++n);
		lua_pushinteger(L, t.line);
		lua_rawseti(L, -2, n);
	}
	if (!why && *lx.p) why = "text that was not read"; /* by Ctrl-C */
	if (!why) return 2;
	lua_pushnil(L);
	lua_pushstring(L, why);
	lua_pushinteger(L, lx.line);
	return 3;
}

/* Punctuation has one character as a token, and may be a sign of two. */
static bool is_pair(const char *at) {
	static const char pairs[] = "-=+=*=/=%=&=|=^=<=>===!=++--&&||::-><<";
	for (const char *pair = pairs; *pair; pair += 2)
		if (at[0] == pair[0] && at[1] == pair[1]) return true;
	return false;
}

static int source_code(lua_State *L) {
	typedef struct {
		uint32_t line;
		TokKind kind;
	} Row;
	static const char *const kinds[] = {"", "word", "number", "string", "", "sign", NULL};
	static const Key keys[] = {KEYS(Row, line), KEY_NAME(Row, kind, kinds), KEYS_END};
	Lexer lx = lexer(luaL_checkstring(L, 1));
	lua_Integer n = 0;
	tokens_limit(0);
	lua_newtable(L);
	for (Tok t; (t = tok_next(&lx)).kind != TOK_END;) {
		if (t.kind == TOK_DIRECTIVE) continue;
		if (t.open) /* a quote without another */
			lx = (Lexer){.p = t.at + 1, .line_start = t.at + 1 - t.column, .line = t.line};
		const bool sign = t.open || t.kind == TOK_PUNCT;
		if (sign) t.len = is_pair(t.at) ? 2 : 1;
		if (sign) lx.p = t.at + t.len;
		bind_push_keys(L, keys, &(Row){t.line, sign ? TOK_PUNCT : t.kind});
		lua_pushlstring(L, t.at, t.len);
		lua_setfield(L, -2, "text");
		lua_rawseti(L, -2, ++n);
	}
	return 1;
}

int bind_source_module(lua_State *L) {
	static const luaL_Reg functions[] = {METHODS(source, arguments, variable, tokens, code, ptx), METHODS_END};
	luaL_newlib(L, functions);
	return 1;
}
