/* PTX text into tokens, one at a time, without copying: a token points into the text.
 * A word after a dot is one token with its colons (.shared::cta, .L2::128B, .2d), because directives, types and
 * modifiers are all written that way. Comments and #-lines are skipped. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
	TOK_END,
	TOK_IDENT,  /* add  %r1  $L__BB0_2  _ */
	TOK_DOT,    /* .reg  .s32  .shared::cta: text without the dot */
	TOK_INT,    /* 12  0x1F  0b101  017  12U  'a': bits */
	TOK_FLOAT,  /* 0f3F800000 (is_f32), 0d3FF0000000000000, 1.5: bits */
	TOK_STRING, /* text without the quotes, escapes as written */
	TOK_PUNCT,  /* one character, in punct */
	TOK_BAD     /* nothing PTX knows: problem says what */
} TokenKind;

typedef struct {
	TokenKind kind;
	char punct;
	bool is_f32;
	uint32_t line;
	const char *text;
	size_t len;
	uint64_t bits;
	const char *problem;
} Token;

typedef struct {
	const char *at, *end;
	uint32_t line;
} Lexer;

void lexer_start(Lexer *lexer, const char *text, size_t len);
Token lexer_next(Lexer *lexer); /* TOK_END for ever once the text is used up; a bad token is never skipped over */

bool token_is(const Token *token, TokenKind kind, const char *text);
/* Past blanks and comments, counting lines; shared with code that copies text without them. */
const char *lexer_skip_blanks(const char *at, const char *end, uint32_t *line);
