/* lexer.h: one function a kind of token. */
#include "ptx/lexer.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_FLOAT = 64 /* characters of a decimal float */ };

void lexer_start(Lexer *lexer, const char *text, size_t len) {
	*lexer = (Lexer){.at = text, .end = text + len, .line = 1};
}

static bool is_digit(char c) {
	return c >= '0' && c <= '9';
}
static bool is_letter(char c) {
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static bool starts_ident(char c) {
	return is_letter(c) || c == '_' || c == '$' || c == '%';
}
static bool in_ident(char c) {
	return is_letter(c) || is_digit(c) || c == '_' || c == '$';
}

static int digit_value(char c) {
	if (is_digit(c)) return c - '0';
	if (c >= 'a' && c <= 'f') return c - 'a' + 10;
	if (c >= 'A' && c <= 'F') return c - 'A' + 10;
	return 99;
}

static const char *skip_line(const char *at, const char *end) {
	const char *eol = memchr(at, '\n', (size_t)(end - at));
	return eol ? eol : end;
}

/* An unfinished comment ends with the text. */
static const char *skip_comment(const char *at, const char *end, uint32_t *line) {
	for (at += 2; at < end; at++) {
		if (*at == '\n') ++*line;
		if (*at == '*' && end - at > 1 && at[1] == '/') return at + 2;
	}
	return end;
}

const char *lexer_skip_blanks(const char *at, const char *end, uint32_t *line) {
	while (at < end) {
		if (*at == '\n') {
			++*line;
			at++;
		} else if (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\f' || *at == '\v') {
			at++;
		} else if (*at == '/' && end - at > 1 && at[1] == '/') {
			at = skip_line(at, end);
		} else if (*at == '/' && end - at > 1 && at[1] == '*') {
			at = skip_comment(at, end, line);
		} else if (*at == '#') {
			at = skip_line(at, end);
		} else {
			break;
		}
	}
	return at;
}

static Token finish(Lexer *lexer, Token token, const char *stop) {
	token.len = (size_t)(stop - token.text);
	lexer->at = stop;
	return token;
}

static Token bad(Lexer *lexer, Token token, const char *stop, const char *problem) {
	token.kind = TOK_BAD;
	token.problem = problem;
	return finish(lexer, token, stop);
}

static Token lex_ident(Lexer *lexer, Token token) {
	const char *at = lexer->at + 1;
	while (at < lexer->end && in_ident(*at)) at++;
	token.kind = TOK_IDENT;
	return finish(lexer, token, at);
}

static Token lex_dot(Lexer *lexer, Token token) {
	const char *at = lexer->at + 1, *end = lexer->end;
	token.kind = TOK_DOT;
	token.text = at;
	for (;; at++) {
		if (at < end && in_ident(*at)) continue;
		if (end - at > 2 && at[0] == ':' && at[1] == ':' && in_ident(at[2])) {
			at++;
			continue;
		}
		break;
	}
	if (at == token.text) return bad(lexer, token, at, "a dot with no word after it");
	return finish(lexer, token, at);
}

/* 0f and exactly 8, or 0d and exactly 16 hexadecimal digits. */
static Token lex_bits(Lexer *lexer, Token token, int digits) {
	const char *at = lexer->at + 2;
	int n = 0;
	for (; at < lexer->end && digit_value(*at) < 16; at++, n++)
		token.bits = token.bits << 4 | (uint64_t)digit_value(*at);
	if (n != digits || (at < lexer->end && in_ident(*at)))
		return bad(lexer, token, at, "a float's bits need 8 (0f) or 16 (0d) hexadecimal digits");
	token.kind = TOK_FLOAT;
	token.is_f32 = digits == 8;
	return finish(lexer, token, at);
}

static Token lex_int(Lexer *lexer, Token token, const char *at, int base) {
	const char *first = at;
	bool fits = true;
	for (; at < lexer->end && digit_value(*at) < base; at++) {
		fits = fits && !__builtin_mul_overflow(token.bits, (uint64_t)base, &token.bits) &&
			   !__builtin_add_overflow(token.bits, (uint64_t)digit_value(*at), &token.bits);
	}
	bool empty = at == first;
	if (at < lexer->end && *at == 'U') at++;
	token.kind = TOK_INT;
	if (empty || (at < lexer->end && in_ident(*at))) return bad(lexer, token, at, "a malformed number");
	if (!fits) return bad(lexer, token, at, "an integer that does not fit in 64 bits");
	return finish(lexer, token, at);
}

static Token lex_decimal_float(Lexer *lexer, Token token, const char *stop) {
	char copy[LONGEST_FLOAT + 1];
	size_t len = (size_t)(stop - lexer->at);
	if (len > LONGEST_FLOAT) return bad(lexer, token, stop, "a float with too many digits");
	memcpy(copy, lexer->at, len);
	copy[len] = 0;
	char *used;
	double value = strtod(copy, &used);
	if (*used || (stop < lexer->end && in_ident(*stop))) return bad(lexer, token, stop, "a malformed number");
	memcpy(&token.bits, &value, sizeof value);
	token.kind = TOK_FLOAT;
	return finish(lexer, token, stop);
}

static Token lex_number(Lexer *lexer, Token token) {
	const char *at = lexer->at, *end = lexer->end;
	char second = end - at > 1 ? at[1] : 0;
	if (*at == '0' && (second == 'f' || second == 'F')) return lex_bits(lexer, token, 8);
	if (*at == '0' && (second == 'd' || second == 'D')) return lex_bits(lexer, token, 16);
	if (*at == '0' && (second == 'x' || second == 'X')) return lex_int(lexer, token, at + 2, 16);
	if (*at == '0' && (second == 'b' || second == 'B')) return lex_int(lexer, token, at + 2, 2);
	const char *stop = at;
	bool is_float = false;
	while (stop < end && is_digit(*stop)) stop++;
	if (end - stop > 1 && *stop == '.' && is_digit(stop[1])) {
		is_float = true;
		for (stop++; stop < end && is_digit(*stop); stop++) {
		}
	}
	if (stop < end && (*stop == 'e' || *stop == 'E')) {
		is_float = true;
		stop++;
		if (stop < end && (*stop == '+' || *stop == '-')) stop++;
		while (stop < end && is_digit(*stop)) stop++;
	}
	if (is_float) return lex_decimal_float(lexer, token, stop);
	return lex_int(lexer, token, at, *at == '0' && is_digit(second) ? 8 : 10);
}

static Token lex_string(Lexer *lexer, Token token) {
	const char *at = lexer->at + 1;
	token.text = at;
	for (; at < lexer->end && *at != '"' && *at != '\n'; at++) {
		if (*at == '\\' && lexer->end - at > 1 && at[1] != '\n') at++;
	}
	if (at == lexer->end || *at != '"') return bad(lexer, token, at, "a string that is not closed on its line");
	token.kind = TOK_STRING;
	token.len = (size_t)(at - token.text);
	lexer->at = at + 1;
	return token;
}

static char unescape(char c) {
	switch (c) {
	case 'n': return '\n';
	case 't': return '\t';
	case 'r': return '\r';
	case '0': return 0;
	default: return c;
	}
}

static Token lex_char(Lexer *lexer, Token token) {
	const char *at = lexer->at + 1, *end = lexer->end;
	bool escaped = at < end && *at == '\\';
	if (escaped) at++;
	if (end - at < 2 || *at == '\n' || at[1] != '\'') return bad(lexer, token, at, "a malformed character constant");
	token.kind = TOK_INT;
	token.bits = (uint64_t)(int64_t)(signed char)(escaped ? unescape(*at) : *at);
	return finish(lexer, token, at + 2);
}

Token lexer_next(Lexer *lexer) {
	lexer->at = lexer_skip_blanks(lexer->at, lexer->end, &lexer->line);
	Token token = {.kind = TOK_END, .line = lexer->line, .text = lexer->at};
	if (lexer->at == lexer->end) return token;
	char c = *lexer->at;
	if (starts_ident(c)) return lex_ident(lexer, token);
	if (is_digit(c)) return lex_number(lexer, token);
	if (c == '.') return lex_dot(lexer, token);
	if (c == '"') return lex_string(lexer, token);
	if (c == '\'') return lex_char(lexer, token);
	if (!c || !strchr(",;:{}()[]<>|@!+-=*~&^?/", c))
		return bad(lexer, token, lexer->at + 1, "a character PTX does not use");
	token.kind = TOK_PUNCT;
	token.punct = c;
	return finish(lexer, token, lexer->at + 1);
}

bool token_is(const Token *token, TokenKind kind, const char *text) {
	return token->kind == kind && token->len == strlen(text) && memcmp(token->text, text, token->len) == 0;
}
