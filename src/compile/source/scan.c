/* scan.h: a light reading of CUDA C++ source. */
#include "compile/source/scan.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "compile/source/declarations.h"
#include "compile/source/tokens.h"

typedef struct {
	Arena *arena;
	VEC(ScanInclude) found;
} Includes;

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
	ScanInclude include = {.asked = asked, .line = line};
	if (stop) {
		include.name = arena_strndup(list->arena, p + 1, (size_t)(stop - p - 1));
		include.quoted = close == '"';
	}
	vec_push_in(list->arena, &list->found, include);
}

static void read_directive(Includes *list, const char *p, const char *end, uint32_t line) {
	static const char *const words[] = {"include_next", "include", "import"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (!text_starts(p, words[i]) || tok_word_char(p[strlen(words[i])])) continue;
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
	AUTO_STR Str text = {0};
	str_add(&text, "");
	for (const char *p = t->at; p < t->at + t->len;) {
		if (tok_splice(p))
			p = strchr(p, '\n') + 1;
		else
			str_addn(&text, p++, 1);
	}
	read_directive(list, skip_blank_text(text.text + (*t->at == '%' ? 2 : 1)), text.text + text.len, t->line);
}

size_t scan_includes(Arena *arena, const char *text, ScanInclude **out) {
	Includes list = {.arena = arena};
	Lexer lx = lexer(text);
	for (Tok t = tok_next(&lx); t.kind != TOK_END; t = tok_next(&lx)) {
		if (t.kind == TOK_DIRECTIVE) scan_directive(&list, &t);
	}
	*out = list.found.data;
	return list.found.len;
}

size_t scan_leading_includes(Arena *arena, const char *text) {
	Includes list = {.arena = arena};
	Lexer lx = lexer(text);
	size_t n = 0;
	for (Tok t = tok_next(&lx); t.kind == TOK_DIRECTIVE; t = tok_next(&lx)) {
		scan_directive(&list, &t);
		if (list.found.len != n + 1 || list.found.data[n].asked || !list.found.data[n].name) break;
		n++;
	}
	return n;
}

/* The kernel scanner keeps the namespaces open around it, by brace depth, and the template head of the declaration at
 * hand:
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
	Arena *arena;
	Lexer lx;
	VEC(Open) open;
	int depth;
	char *head;
	VEC(Word) marks;
	VEC(ScanKernel) found;
} KernelScan;

static const char mark[] = "__global__";

/* Macros without arguments that say so. */
static void find_marks(KernelScan *s, const char *text) {
	Macros all = {0};
	macros_of(s->arena, text, &all);
	for (size_t i = 0; i < all.len; i++) {
		const MacroText *m = &all.data[i];
		if (m->text.len && *m->text.at != '(' && memmem(m->text.at, m->text.len, mark, strlen(mark)))
			vec_push_in(s->arena, &s->marks, m->name);
	}
}

static bool marks_kernel(const KernelScan *s, const Tok *t) {
	bool marks = tok_is_word(t, mark);
	for (size_t i = 0; i < s->marks.len && !marks && t->kind == TOK_WORD; i++)
		marks = words_same(s->marks.data[i], (Word){t->at, t->len});
	return marks;
}

static void skip_parens(Lexer *lx) {
	for (int depth = 1; depth > 0;) {
		Tok t = tok_next(lx);
		if (t.kind == TOK_END) return;
		if (tok_is(&t, '(')) depth++;
		if (tok_is(&t, ')')) depth--;
	}
}

/* Behind `template`: the text between the outermost angle brackets. */
static char *template_head(Arena *arena, Lexer *lx) {
	Tok t = tok_next(lx);
	if (!tok_is(&t, '<')) return NULL;
	const char *from = lx->p;
	for (int depth = 1; depth > 0;) {
		t = tok_next(lx);
		if (t.kind == TOK_END) return NULL;
		if (tok_is(&t, '(')) skip_parens(lx);
		if (tok_is(&t, '<')) depth++;
		if (tok_is(&t, '>')) depth--;
	}
	return arena_strndup(arena, from, (size_t)(t.at - from));
}

static void end_of_declaration(KernelScan *s, const Tok *t) {
	if (tok_is(t, '{')) s->depth++;
	if (tok_is(t, '}')) {
		if (s->open.len && vec_last(&s->open).depth == s->depth) s->open.len--;
		if (s->depth > 0) s->depth--;
	}
	s->head = NULL;
}

static void open_namespace(KernelScan *s) {
	Str name = {0};
	Tok t = tok_next(&s->lx);
	for (; t.kind == TOK_WORD || tok_is(&t, ':'); t = tok_next(&s->lx)) {
		if (!tok_is_word(&t, "inline")) str_addn(&name, t.at, t.len);
	}
	end_of_declaration(s, &t);
	const Open opened = {str_take_in(s->arena, &name), s->depth};
	if (tok_is(&t, '{')) vec_push_in(s->arena, &s->open, opened);
}

static bool is_attribute(const Tok *t) {
	return tok_is_word(t, "__launch_bounds__") || tok_is_word(t, "__cluster_dims__") ||
		   tok_is_word(t, "__block_size__") || tok_is_word(t, "__attribute__") || tok_is_word(t, "__declspec");
}

/* Tokens with blanks where the source has some: one line, without comments. */
static char *parameter_text(Arena *arena, Lexer *lx) {
	Str s = {0};
	const char *end = NULL;
	for (int depth = 1;;) {
		Tok t = tok_next(lx);
		if (t.kind == TOK_END || (tok_is(&t, ')') && --depth == 0)) break;
		if (tok_is(&t, '(')) depth++;
		if (t.kind == TOK_DIRECTIVE) continue;
		if (end && t.at > end) str_add(&s, " ");
		str_addn(&s, t.at, t.len);
		end = t.at + t.len;
	}
	return str_take_in(arena, &s);
}

static void add_kernel(KernelScan *s, size_t at) {
	Tok word = {0};
	for (Tok t = tok_next(&s->lx);; t = tok_next(&s->lx)) {
		if (t.kind == TOK_WORD) {
			word = t;
		} else if (t.kind == TOK_END || tok_is(&t, ';') || tok_is(&t, '{') || tok_is(&t, '}')) {
			end_of_declaration(s, &t);
			return;
		} else if (tok_is(&t, '(')) {
			if (word.len && !is_attribute(&word) && !tok_is_word(&word, "void")) break;
			skip_parens(&s->lx);
		}
	}
	Str name = {0};
	for (size_t i = 0; i < s->open.len; i++) {
		if (*s->open.data[i].name) str_addf(&name, "%s::", s->open.data[i].name);
	}
	str_addn(&name, word.at, word.len);
	const ScanKernel kernel = {str_take_in(s->arena, &name), s->head, parameter_text(s->arena, &s->lx), word.line, at};
	vec_push_in(s->arena, &s->found, kernel);
	s->head = NULL;
}

size_t scan_kernels(Arena *arena, const char *text, ScanKernel **out) {
	KernelScan s = {.arena = arena, .lx = lexer(text)};
	find_marks(&s, text);
	for (Tok t = tok_next(&s.lx); t.kind != TOK_END; t = tok_next(&s.lx)) {
		if (tok_is_word(&t, "namespace")) {
			open_namespace(&s);
		} else if (tok_is_word(&t, "template")) {
			s.head = template_head(arena, &s.lx);
		} else if (marks_kernel(&s, &t)) {
			add_kernel(&s, (size_t)(t.at - text));
		} else if (tok_is(&t, ';') || tok_is(&t, '{') || tok_is(&t, '}')) {
			end_of_declaration(&s, &t);
		}
	}
	*out = s.found.data;
	return s.found.len;
}

char *scan_parameters_at(Arena *arena, const char *text, uint32_t line, const char *name) {
	Lexer lx = lexer(text);
	for (Tok t = tok_next(&lx); t.kind != TOK_END && t.line <= line; t = tok_next(&lx)) {
		if (t.line < line || !tok_is_word(&t, name)) continue;
		do t = tok_next(&lx);
		while (tok_is(&t, ')'));
		if (tok_is(&t, '(')) return parameter_text(arena, &lx);
	}
	return NULL;
}

bool scan_token_end_before(const char *text, uint32_t line, uint32_t column, uint32_t *end_line, uint32_t *end_column) {
	Lexer lx = lexer(text);
	bool found = false;
	for (;;) {
		Tok t = tok_next(&lx);
		if (t.kind == TOK_END || t.line > line || (t.line == line && t.column >= column)) return found;
		found = true;
		*end_line = lx.line;
		*end_column = (uint32_t)(lx.p - lx.line_start) + 1;
	}
}
