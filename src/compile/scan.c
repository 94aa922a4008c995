/* scan.h: a light reading of CUDA C++ source. */
#include "compile/scan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

typedef enum { TOK_END, TOK_WORD, TOK_NUMBER, TOK_STRING, TOK_DIRECTIVE, TOK_PUNCT } TokKind;

typedef struct {
	TokKind kind;
	const char *at;
	size_t len;
	uint32_t line, column; /* where it starts */
} Tok;

typedef struct {
	const char *p;
	const char *line_start;
	uint32_t line;
	bool line_blank; /* nothing but space so far: a '#' (or %:) starts a directive */
} Lexer;

static Lexer lexer(const char *text) {
	return (Lexer){text, text, 1, true};
}

static void newline(Lexer *lx) {
	lx->line++;
	lx->line_start = lx->p + 1;
}

static void step(Lexer *lx) {
	if (*lx->p == '\n') newline(lx);
	lx->p++;
}

static bool splice(const char *p) {
	return p[0] == '\\' && (p[1] == '\n' || (p[1] == '\r' && p[2] == '\n'));
}

static void skip_block_comment(Lexer *lx) {
	lx->p += 2;
	while (*lx->p && !(lx->p[0] == '*' && lx->p[1] == '/')) step(lx);
	if (*lx->p) lx->p += 2;
}

/* To the end of the line, over spliced lines; the line's end itself stays. */
static void skip_logical_line(Lexer *lx) {
	while (*lx->p && *lx->p != '\n') {
		if (splice(lx->p)) {
			while (*lx->p != '\n') lx->p++;
		} else if (lx->p[0] == '/' && lx->p[1] == '*') {
			skip_block_comment(lx);
			continue;
		}
		step(lx);
	}
}

static void skip_line_comment(Lexer *lx) {
	while (*lx->p && *lx->p != '\n') {
		if (splice(lx->p)) {
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
		} else if (isspace((unsigned char)*lx->p) || splice(lx->p)) {
			if (*lx->p == '\n') lx->line_blank = true;
			step(lx);
		} else {
			return;
		}
	}
}

/* A literal that never closes ends with its line, so that one stray quote does not swallow the file. */
static void skip_quoted(Lexer *lx, char quote) {
	lx->p++;
	while (*lx->p && *lx->p != quote && *lx->p != '\n') {
		if (*lx->p == '\\' && lx->p[1]) step(lx);
		step(lx);
	}
	if (*lx->p == quote) lx->p++;
}

/* R"delim( ... )delim" from the quote on. */
static void skip_raw_string(Lexer *lx) {
	const char *delim = lx->p + 1;
	size_t n = strcspn(delim, "( )\\\"\n");
	if (n > 16 || delim[n] != '(') {
		skip_quoted(lx, '"');
		return;
	}
	while (lx->p <= delim + n) step(lx);
	while (*lx->p) {
		if (*lx->p == ')' && strncmp(lx->p + 1, delim, n) == 0 && lx->p[n + 1] == '"') {
			lx->p += n + 2;
			return;
		}
		step(lx);
	}
}

static bool word_char(char c) {
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool raw_prefix(const char *at, size_t len) {
	return at[len] == '"' && len <= 3 && at[len - 1] == 'R' && (len == 1 || strchr("uUL8", at[0]) != NULL);
}

static Tok next(Lexer *lx) {
	skip_blanks(lx);
	Tok t = {.at = lx->p, .line = lx->line, .column = (uint32_t)(lx->p - lx->line_start) + 1};
	char c = *lx->p;
	if (!c) return t;
	if ((c == '#' || (c == '%' && lx->p[1] == ':')) && lx->line_blank) {
		t.kind = TOK_DIRECTIVE;
		skip_logical_line(lx);
	} else if (isdigit((unsigned char)c)) {
		t.kind = TOK_NUMBER;
		while (word_char(*lx->p) || *lx->p == '.' || (*lx->p == '\'' && word_char(lx->p[1]))) lx->p++;
	} else if (word_char(c)) {
		t.kind = TOK_WORD;
		while (word_char(*lx->p)) lx->p++;
		if (raw_prefix(t.at, (size_t)(lx->p - t.at))) {
			t.kind = TOK_STRING;
			skip_raw_string(lx);
		}
	} else if (c == '"' || c == '\'') {
		t.kind = TOK_STRING;
		skip_quoted(lx, c);
	} else {
		t.kind = TOK_PUNCT;
		lx->p++;
	}
	lx->line_blank = false;
	t.len = (size_t)(lx->p - t.at);
	return t;
}

static bool is_word(const Tok *t, const char *word) {
	return t->kind == TOK_WORD && t->len == strlen(word) && memcmp(t->at, word, t->len) == 0;
}

static bool is_punct(const Tok *t, char c) {
	return t->kind == TOK_PUNCT && *t->at == c;
}

static char *copy(const char *at, size_t len) {
	Str s = {0};
	str_addn(&s, at, len);
	return str_take(&s);
}

typedef VEC(ScanInclude) Includes;

static const char *skip_space(const char *p) {
	while (*p == ' ' || *p == '\t') p++;
	return p;
}

/* Blanks and comments, within a directive. */
static const char *skip_blank_text(const char *p) {
	for (;;) {
		const char *end = p[0] == '/' && p[1] == '*' ? strstr(p + 2, "*/") : NULL;
		if (end)
			p = end + 2;
		else if (*p == ' ' || *p == '\t' || *p == '\v' || *p == '\f' || *p == '\r')
			p++;
		else
			return p;
	}
}

/* p stands where "name", <name> or a macro should. */
static void add_include(Includes *list, const char *p, const char *end, uint32_t line, bool asked) {
	p = skip_blank_text(p);
	char close = *p == '"' ? '"' : *p == '<' ? '>' : '\0';
	const char *stop = close && p < end ? memchr(p + 1, close, (size_t)(end - p - 1)) : NULL;
	if (stop) {
		vec_push(list, (ScanInclude){copy(p + 1, (size_t)(stop - p - 1)), close == '"', asked, line});
	} else {
		vec_push(list, (ScanInclude){NULL, false, asked, line});
	}
}

static void read_directive(Includes *list, const char *p, const char *end, uint32_t line) {
	static const char *const words[] = {"include_next", "include", "import"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (!text_starts(p, words[i]) || word_char(p[strlen(words[i])])) continue;
		add_include(list, p + strlen(words[i]), end, line, false);
		return;
	}
	for (const char *q = p; (q = memmem(q, (size_t)(end - q), "__has_include", 13)) != NULL;) {
		q = skip_space(q + 13);
		if (*q == '(') add_include(list, q + 1, end, line, true);
	}
}

/* A splice may be anywhere, also within a word; it is gone before words are. */
static void scan_directive(Includes *list, const Tok *t) {
	Str text = {0};
	str_add(&text, "");
	for (const char *p = t->at; p < t->at + t->len;) {
		if (splice(p))
			p = strchr(p, '\n') + 1;
		else
			str_addn(&text, p++, 1);
	}
	read_directive(list, skip_blank_text(text.text + (*t->at == '%' ? 2 : 1)), text.text + text.len, t->line);
	str_free(&text);
}

size_t scan_includes(const char *text, ScanInclude **out) {
	Includes list = {0};
	Lexer lx = lexer(text);
	for (Tok t = next(&lx); t.kind != TOK_END; t = next(&lx)) {
		if (t.kind == TOK_DIRECTIVE) scan_directive(&list, &t);
	}
	*out = list.data;
	return list.len;
}

size_t scan_leading_includes(const char *text) {
	Includes list = {0};
	Lexer lx = lexer(text);
	size_t n = 0;
	for (Tok t = next(&lx); t.kind == TOK_DIRECTIVE; t = next(&lx)) {
		scan_directive(&list, &t);
		if (list.len != n + 1 || list.data[n].asked || !list.data[n].name) break;
		n++;
	}
	scan_includes_free(list.data, list.len);
	return n;
}

void scan_includes_free(ScanInclude *includes, size_t n) {
	for (size_t i = 0; i < n; i++) free(includes[i].name);
	free(includes);
}

/* The kernel scanner keeps the namespaces open around it, by brace depth, and the template head of the declaration at hand:
 *
 *     namespace foo {                          open = {"foo", depth 1}
 *     template <int N> __global__ void         head = "int N"
 *     __launch_bounds__(256) reduce(float *)   the word before the first '(' that is no attribute's: "reduce"
 */
typedef struct {
	char *name; /* "" for an unnamed one */
	int depth;
} Open;

typedef struct {
	Lexer lx;
	VEC(Open) open;
	int depth;
	char *head;
	VEC(ScanKernel) found;
} KernelScan;

static void skip_parens(Lexer *lx) {
	for (int depth = 1; depth > 0;) {
		Tok t = next(lx);
		if (t.kind == TOK_END) return;
		if (is_punct(&t, '(')) depth++;
		if (is_punct(&t, ')')) depth--;
	}
}

/* Behind `template`: the text between the outermost angle brackets. */
static char *template_head(Lexer *lx) {
	Tok t = next(lx);
	if (!is_punct(&t, '<')) return NULL;
	const char *from = lx->p;
	for (int depth = 1; depth > 0;) {
		t = next(lx);
		if (t.kind == TOK_END) return NULL;
		if (is_punct(&t, '(')) skip_parens(lx);
		if (is_punct(&t, '<')) depth++;
		if (is_punct(&t, '>')) depth--;
	}
	return copy(from, (size_t)(t.at - from));
}

static void end_of_declaration(KernelScan *s, const Tok *t) {
	if (is_punct(t, '{')) s->depth++;
	if (is_punct(t, '}')) {
		if (s->open.len && vec_last(&s->open).depth == s->depth) free(s->open.data[--s->open.len].name);
		if (s->depth > 0) s->depth--;
	}
	free(s->head);
	s->head = NULL;
}

static void open_namespace(KernelScan *s) {
	Str name = {0};
	str_add(&name, "");
	Tok t = next(&s->lx);
	for (; t.kind == TOK_WORD || is_punct(&t, ':'); t = next(&s->lx)) {
		if (!is_word(&t, "inline")) str_addn(&name, t.at, t.len);
	}
	end_of_declaration(s, &t);
	if (is_punct(&t, '{')) vec_push(&s->open, (Open){str_take(&name), s->depth});
	str_free(&name);
}

static bool is_attribute(const Tok *t) {
	return is_word(t, "__launch_bounds__") || is_word(t, "__cluster_dims__") || is_word(t, "__block_size__") ||
		   is_word(t, "__attribute__") || is_word(t, "__declspec");
}

static void add_kernel(KernelScan *s, size_t at) {
	Tok word = {0};
	for (Tok t = next(&s->lx);; t = next(&s->lx)) {
		if (t.kind == TOK_WORD) {
			word = t;
		} else if (t.kind == TOK_END || is_punct(&t, ';') || is_punct(&t, '{') || is_punct(&t, '}')) {
			end_of_declaration(s, &t);
			return;
		} else if (is_punct(&t, '(')) {
			if (word.len && !is_attribute(&word) && !is_word(&word, "void")) break;
			skip_parens(&s->lx);
		}
	}
	Str name = {0};
	for (size_t i = 0; i < s->open.len; i++) {
		if (*s->open.data[i].name) str_addf(&name, "%s::", s->open.data[i].name);
	}
	str_addn(&name, word.at, word.len);
	vec_push(&s->found, (ScanKernel){str_take(&name), s->head, word.line, at});
	s->head = NULL;
}

size_t scan_kernels(const char *text, ScanKernel **out) {
	KernelScan s = {.lx = lexer(text)};
	for (Tok t = next(&s.lx); t.kind != TOK_END; t = next(&s.lx)) {
		if (is_word(&t, "namespace")) {
			open_namespace(&s);
		} else if (is_word(&t, "template")) {
			free(s.head);
			s.head = template_head(&s.lx);
		} else if (is_word(&t, "__global__")) {
			add_kernel(&s, (size_t)(t.at - text));
		} else if (is_punct(&t, ';') || is_punct(&t, '{') || is_punct(&t, '}')) {
			end_of_declaration(&s, &t);
		}
	}
	free(s.head);
	while (s.open.len) free(s.open.data[--s.open.len].name);
	vec_free(&s.open);
	*out = s.found.data;
	return s.found.len;
}

void scan_kernels_free(ScanKernel *kernels, size_t n) {
	for (size_t i = 0; i < n; i++) {
		free(kernels[i].name);
		free(kernels[i].template_);
	}
	free(kernels);
}

bool scan_token_end_before(const char *text, uint32_t line, uint32_t column, uint32_t *end_line, uint32_t *end_column) {
	Lexer lx = lexer(text);
	bool found = false;
	for (;;) {
		Tok t = next(&lx);
		if (t.kind == TOK_END || t.line > line || (t.line == line && t.column >= column)) return found;
		found = true;
		*end_line = lx.line;
		*end_column = (uint32_t)(lx.p - lx.line_start) + 1;
	}
}
