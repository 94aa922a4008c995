/* The tokens of CUDA C++ source: comments and line splices are gone, a preprocessor directive is one token, and the
 * text is referred to, never copied. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { TOK_END, TOK_WORD, TOK_NUMBER, TOK_STRING, TOK_DIRECTIVE, TOK_PUNCT } TokKind;

typedef struct {
	TokKind kind;
	const char *at;
	size_t len;
	uint32_t line, column; /* where it starts */
	bool open;             /* a literal that its line ends */
} Tok;

typedef struct {
	const char *p;
	const char *line_start;
	uint32_t line;
	bool line_blank;       /* nothing but space so far: a '#' (or %:) starts a directive */
	bool opens_directives; /* they are read token by token */
} Lexer;

Lexer lexer(const char *text);
Tok tok_next(Lexer *lx); /* TOK_END at the end, again and again */

/* Where there is much source, reading it takes long. From this call on it may take so many seconds of this thread's
 * processor time; 0: any. After that, or once cancel_flag is set, each text ends wherever its reader is. tokens_over
 * is true from then up to the next call: what was read is of no use. */
void tokens_limit(double seconds);
bool tokens_over(void);

bool tok_is_word(const Tok *t, const char *word);
bool tok_among(const Tok *t, const char *words); /* blanks between them */
bool tok_is(const Tok *t, char c);               /* that punctuation */

bool tok_word_char(char c);
bool tok_splice(const char *p); /* a backslash that continues the line */
