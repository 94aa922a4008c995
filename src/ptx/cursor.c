/* The token stream and errors. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "ptx/parser.h"

void parser_advance(Parser *p) {
	p->tok = p->ahead;
	p->ahead = lexer_next(&p->lexer);
}

/* The text line a token is on, shortened, with a caret under the token. */
static void add_excerpt(const Parser *p, const Token *at, Str *out) {
	if (!at->len && at->kind == TOK_END && at->text != p->end) return; /* an instruction read long ago */
	const char *start = at->text, *stop = at->text;
	int before = 0;
	while (before < 60 && start > p->begin && start[-1] != '\n') {
		start--;
		before++;
	}
	while (stop < p->end && *stop != '\n' && stop - at->text < 60) stop++;
	str_add(out, "\n    ");
	for (const char *c = start; c < stop; c++) str_addf(out, "%c", *c >= ' ' && *c < 127 ? *c : ' ');
	str_addf(out, "\n    %*s^", (int)(at->text - start), "");
}

static bool report(Parser *p, const Token *at, const char *message) {
	AUTO_STR Str text = {0};
	str_addf(&text, "PTX line %u: %s", at->line, message);
	add_excerpt(p, at, &text);
	err_set(p->err, ERR_COMPILE, "%s", text.text);
	err_where(p->err, "PTX", at->line);
	err_hint(p->err,
			 "gpulab reads the PTX that NVRTC 12.8 to 13 writes; if this text comes from there, please report the line "
			 "above, otherwise fix it or compile the kernel again");
	return false;
}

bool parser_error(Parser *p, const Token *at, const char *fmt, ...) {
	char message[300];
	va_list args;
	va_start(args, fmt);
	vsnprintf(message, sizeof message, fmt, args);
	va_end(args);
	return report(p, at, message);
}

bool parser_fail(Parser *p, const Token *at, const char *expected) {
	int len = at->len < 60 ? (int)at->len : 60;
	switch (at->kind) {
	case TOK_END: return parser_error(p, at, "expected %s, found the end of the text", expected);
	case TOK_BAD: return parser_error(p, at, "expected %s, found %s", expected, at->problem);
	case TOK_DOT: return parser_error(p, at, "expected %s, found '.%.*s'", expected, len, at->text);
	default: return parser_error(p, at, "expected %s, found '%.*s'", expected, len, at->text);
	}
}

bool parser_at(const Parser *p, char punct) {
	return p->tok.kind == TOK_PUNCT && p->tok.punct == punct;
}

bool parser_at_dot(const Parser *p, const char *word) {
	return token_is(&p->tok, TOK_DOT, word);
}

bool parser_take(Parser *p, char punct) {
	if (!parser_at(p, punct)) return false;
	parser_advance(p);
	return true;
}

bool parser_take_dot(Parser *p, const char *word) {
	if (!parser_at_dot(p, word)) return false;
	parser_advance(p);
	return true;
}

bool parser_need(Parser *p, char punct, const char *expected) {
	return parser_take(p, punct) || parser_fail(p, &p->tok, expected);
}

bool parser_need_int(Parser *p, uint64_t *value, const char *expected) {
	bool negative = parser_take(p, '-');
	if (p->tok.kind != TOK_INT) {
		parser_fail(p, &p->tok, expected);
		return false;
	}
	*value = negative ? 0 - p->tok.bits : p->tok.bits;
	parser_advance(p);
	return true;
}

bool parser_need_name(Parser *p, Token *name, const char *expected) {
	if (p->tok.kind != TOK_IDENT) {
		parser_fail(p, &p->tok, expected);
		return false;
	}
	*name = p->tok;
	parser_advance(p);
	return true;
}

const char *parser_copy(Parser *p, const Token *token) {
	return arena_strndup(p->arena, token->text, token->len);
}

void *parser_keep(Parser *p, const void *data, size_t count, size_t size) {
	void *copy = arena_array(p->arena, count, size);
	if (count) memcpy(copy, data, count * size);
	return copy;
}

bool parser_skip_directive(Parser *p) {
	int depth = 0;
	parser_advance(p);
	while (depth || p->tok.kind == TOK_INT || parser_at(p, ',') || parser_at(p, '(')) {
		if (p->tok.kind == TOK_END || p->tok.kind == TOK_BAD) return parser_fail(p, &p->tok, "the end of a directive");
		if (parser_at(p, '(')) depth++;
		if (parser_at(p, ')')) depth--;
		parser_advance(p);
	}
	return true;
}

bool parser_skip_statement(Parser *p) {
	while (!parser_at(p, ';')) {
		if (p->tok.kind == TOK_END || p->tok.kind == TOK_BAD) return parser_fail(p, &p->tok, "';'");
		parser_advance(p);
	}
	parser_advance(p);
	return true;
}
