/* tokens.h: the tokens of CUDA C++. */
#include "compile/source/tokens.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

#include "base/cancel.h"
#include "base/str.h"

/* --- how long it may take ----------------------------------------------------------------------------------------- */

static struct {
	double until; /* 0: no limit */
	bool over;
	unsigned asked;
} reading;

static double processor_seconds(void) {
	struct timespec used;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

void tokens_limit(double seconds) {
	reading.until = seconds > 0 ? processor_seconds() + seconds : 0;
	reading.over = false;
}

bool tokens_over(void) {
	enum { SELDOM = 4096 }; /* asking for the time is a call of the system */
	if (atomic_load_explicit(&cancel_flag, memory_order_relaxed)) {
		reading.over = reading.until > 0;
		return true;
	}
	if (reading.until > 0 && ++reading.asked % SELDOM == 0 && processor_seconds() > reading.until) reading.over = true;
	return reading.over;
}

/* --- tokens ------------------------------------------------------------------------------------------------------- */

Lexer lexer(const char *text) {
	if (text_starts(text, "\xef\xbb\xbf")) text += 3; /* a byte order mark */
	return (Lexer){text, text, 1, .line_blank = true};
}

static void newline(Lexer *lx) {
	lx->line++;
	lx->line_start = lx->p + 1;
}

static void step(Lexer *lx) {
	if (*lx->p == '\n') newline(lx);
	lx->p++;
}

bool tok_splice(const char *p) {
	return p[0] == '\\' && (p[1] == '\n' || (p[1] == '\r' && p[2] == '\n'));
}

static void skip_block_comment(Lexer *lx) {
	lx->p += 2;
	while (*lx->p && !(lx->p[0] == '*' && lx->p[1] == '/')) step(lx);
	if (*lx->p) lx->p += 2;
}

static void skip_line_comment(Lexer *lx) {
	while (*lx->p && *lx->p != '\n') {
		if (tok_splice(lx->p)) {
			while (*lx->p != '\n') lx->p++;
		}
		step(lx);
	}
}

static void skip_blanks(Lexer *lx) {
	for (;;) {
		if (lx->p[0] == '/' && lx->p[1] == '/') {
			skip_line_comment(lx);
		} else if (lx->p[0] == '/' && lx->p[1] == '*') {
			skip_block_comment(lx);
		} else if (isspace((unsigned char)*lx->p) || tok_splice(lx->p)) {
			if (*lx->p == '\n') lx->line_blank = true;
			step(lx);
		} else {
			return;
		}
	}
}

/* A literal that never closes ends with its line, so that one stray quote does not swallow the file: false. */
static bool skip_quoted(Lexer *lx, char quote) {
	lx->p++;
	while (*lx->p && *lx->p != quote && *lx->p != '\n') {
		if (*lx->p == '\\' && lx->p[1]) step(lx);
		step(lx);
	}
	const bool closed = *lx->p == quote;
	if (closed) lx->p++;
	return closed;
}

/* To the end of the line, over spliced lines; the line's end itself stays. What begins a comment in a literal begins
 * none, but the apostrophe of "#error don't" begins no literal. */
static void skip_logical_line(Lexer *lx) {
	while (*lx->p && *lx->p != '\n') {
		const Lexer before = *lx;
		if (tok_splice(lx->p)) {
			while (*lx->p != '\n') lx->p++;
		} else if (lx->p[0] == '/' && lx->p[1] == '/') {
			skip_line_comment(lx);
			return;
		} else if (lx->p[0] == '/' && lx->p[1] == '*') {
			skip_block_comment(lx);
			continue;
		} else if (*lx->p == '"' || *lx->p == '\'') {
			if (skip_quoted(lx, *lx->p)) continue;
			*lx = before;
		}
		step(lx);
	}
}

/* R"delim( ... )delim" from the quote on. */
static void skip_raw_string(Lexer *lx) {
	const char *delim = lx->p + 1;
	size_t n = strcspn(delim, "( )\\\"\n");
	if (n > 16 || delim[n] != '(') return (void)skip_quoted(lx, '"');
	while (lx->p <= delim + n) step(lx);
	while (*lx->p) {
		if (*lx->p == ')' && strncmp(lx->p + 1, delim, n) == 0 && lx->p[n + 1] == '"') {
			lx->p += n + 2;
			return;
		}
		step(lx);
	}
}

bool tok_word_char(char c) {
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool raw_prefix(const char *at, size_t len) {
	return at[len] == '"' && text_has_word("R LR uR UR u8R", at, len);
}

/* Within a number; behind it a quote begins a literal. */
static bool digit_separator(const char *p) {
	return *p == '\'' && (isalnum((unsigned char)p[1]) || p[1] == '_');
}

/* Where a number ends: with the sign of its exponent, as in 1e-3 and 0x1p-3. */
static const char *number_end(const char *p) {
	const bool hex = p[0] == '0' && (p[1] | 32) == 'x';
	for (; tok_word_char(*p) || *p == '.' || digit_separator(p); p++)
		if ((p[0] | 32) == (hex ? 'p' : 'e') && (p[1] == '+' || p[1] == '-')) p++;
	return p;
}

Tok tok_next(Lexer *lx) {
	skip_blanks(lx);
	Tok t = {.at = lx->p, .line = lx->line, .column = (uint32_t)(lx->p - lx->line_start) + 1};
	char c = *lx->p;
	if (!c || tokens_over()) return t;
	if ((c == '#' || (c == '%' && lx->p[1] == ':')) && lx->line_blank && !lx->opens_directives) {
		t.kind = TOK_DIRECTIVE;
		skip_logical_line(lx);
	} else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)lx->p[1]))) {
		t.kind = TOK_NUMBER;
		lx->p = number_end(lx->p);
	} else if (tok_word_char(c)) {
		t.kind = TOK_WORD;
		while (tok_word_char(*lx->p)) lx->p++;
		if (raw_prefix(t.at, (size_t)(lx->p - t.at))) {
			t.kind = TOK_STRING;
			skip_raw_string(lx);
		}
	} else if (c == '"' || c == '\'') {
		t.kind = TOK_STRING;
		t.open = !skip_quoted(lx, c);
	} else {
		t.kind = TOK_PUNCT;
		lx->p++;
	}
	lx->line_blank = false;
	t.len = (size_t)(lx->p - t.at);
	return t;
}

bool tok_is_word(const Tok *t, const char *word) {
	return t->kind == TOK_WORD && t->len == strlen(word) && memcmp(t->at, word, t->len) == 0;
}

bool tok_among(const Tok *t, const char *words) {
	return t->kind == TOK_WORD && text_has_word(words, t->at, t->len);
}

bool tok_is(const Tok *t, char c) {
	return t->kind == TOK_PUNCT && *t->at == c;
}
