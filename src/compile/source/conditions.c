/* conditions.h: the directives before the line, one after the other, with a stack of the conditions that are open. */
#include "compile/source/conditions.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "compile/source/declarations.h"
#include "compile/source/host_names.h"
#include "compile/source/tokens.h"

/* What an expression or a macro comes to. */
typedef struct {
	bool known;
	long long number;
} Value;

typedef struct {
	Word name;
	bool known, defined; /* known: whether it is defined */
	Value value;
} Name;

typedef struct {
	Value taken; /* the part at hand */
	Value any;   /* one of the parts so far */
} Condition;

typedef struct {
	Arena *arena;
	Macros elsewhere; /* of the other files */
	const char *const *options;
	VEC(Name) names; /* the latest at the end */
	VEC(Condition) open;
} Walk;

typedef struct {
	Walk *walk;
	Lexer lx;
	Tok tok;
} Expression;

enum { DEEPEST = 64 };

static const Value unknown = {false, 0};

static Value number(long long n) {
	return (Value){true, n};
}

/* --- names -------------------------------------------------------------------------------------------------------- */

/* By a header of the toolkit, by NVRTC, or by what is put in front of the source. */
static bool may_be_predefined(Word name) {
	static const char *const prefixes[] = {"_", "CU", "NV", "CCCL", "THRUST"};
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (name.len >= strlen(prefixes[i]) && memcmp(name.at, prefixes[i], strlen(prefixes[i])) == 0) return true;
	return host_name(name.at, name.len) != NULL;
}

static bool in_options(const Walk *w, Word name) {
	for (size_t i = 0; w->options && w->options[i]; i++)
		if (memmem(w->options[i], strlen(w->options[i]), name.at, name.len)) return true;
	return false;
}

static Name look_up(const Walk *w, Word name) {
	for (size_t i = w->names.len; i-- > 0;)
		if (words_same(w->names.data[i].name, name)) return w->names.data[i];
	bool known = !may_be_predefined(name) && !in_options(w, name);
	for (size_t i = 0; known && i < w->elsewhere.len; i++) known = !words_same(w->elsewhere.data[i].name, name);
	return (Name){name, known, false, known ? number(0) : unknown};
}

/* --- expressions -------------------------------------------------------------------------------------------------- */

static Value either(Expression *e, int depth);

static void next(Expression *e) {
	e->tok = tok_next(&e->lx);
}

static bool take(Expression *e, char c) {
	if (!tok_is(&e->tok, c)) return false;
	next(e);
	return true;
}

static Value defined_name(Expression *e) {
	next(e);
	const bool bracket = take(e, '(');
	const Name name = look_up(e->walk, (Word){e->tok.at, e->tok.len});
	next(e);
	if (bracket) take(e, ')');
	return name.known ? number(name.defined) : unknown;
}

static Value primary(Expression *e, int depth) {
	Value v = unknown;
	if (depth > DEEPEST) return v;
	if (take(e, '!')) {
		v = primary(e, depth + 1);
		return v.known ? number(!v.number) : v;
	}
	if (take(e, '(')) {
		v = either(e, depth + 1);
		return take(e, ')') ? v : unknown;
	}
	if (tok_is_word(&e->tok, "defined")) return defined_name(e);
	if (e->tok.kind == TOK_WORD) {
		v = look_up(e->walk, (Word){e->tok.at, e->tok.len}).value;
	} else if (e->tok.kind == TOK_NUMBER) {
		char *end;
		const long long n = strtoll(e->tok.at, &end, 0);
		if (end + strspn(end, "uUlL") == e->tok.at + e->tok.len) v = number(n);
	}
	next(e);
	return v;
}

static Value compared(Expression *e, int depth) {
	const Value a = primary(e, depth);
	const char first = e->tok.kind == TOK_PUNCT ? *e->tok.at : '\0';
	if (first != '=' && first != '!' && first != '<' && first != '>') return a;
	next(e);
	const bool equal = take(e, '=');
	const Value b = primary(e, depth);
	if (!a.known || !b.known || (first == '=' && !equal)) return unknown;
	switch (first) {
	case '=': return number(a.number == b.number);
	case '!': return number(a.number != b.number);
	case '<': return number(equal ? a.number <= b.number : a.number < b.number);
	default: return number(equal ? a.number >= b.number : a.number > b.number);
	}
}

static Value both(Expression *e, int depth) {
	Value a = compared(e, depth);
	while (take(e, '&')) {
		if (!take(e, '&')) return unknown;
		const Value b = compared(e, depth);
		if ((a.known && !a.number) || (b.known && !b.number))
			a = number(0);
		else
			a = a.known && b.known ? number(1) : unknown;
	}
	return a;
}

static Value either(Expression *e, int depth) {
	Value a = both(e, depth);
	while (take(e, '|')) {
		if (!take(e, '|')) return unknown;
		const Value b = both(e, depth);
		if ((a.known && a.number) || (b.known && b.number))
			a = number(1);
		else
			a = a.known && b.known ? number(0) : unknown;
	}
	return a;
}

/* What has more than the operators above is unknown. */
static Value evaluate(Walk *w, const char *text, size_t len) {
	const char *copy = arena_strndup(w->arena, text, len);
	Expression e = {.walk = w, .lx = lexer(copy)};
	e.lx.line_blank = false;
	next(&e);
	const Value v = either(&e, 0);
	return e.tok.kind == TOK_END ? v : unknown;
}

/* --- directives --------------------------------------------------------------------------------------------------- */

/* Whether what is at hand is compiled. */
static Value active(const Walk *w) {
	Value v = number(1);
	for (size_t i = 0; i < w->open.len; i++) {
		const Value taken = w->open.data[i].taken;
		if (taken.known && !taken.number) return taken;
		if (!taken.known) v = unknown;
	}
	return v;
}

static Word first_word(const char *text, const char *end) {
	while (text < end && !tok_word_char(*text)) text++;
	const char *from = text;
	while (text < end && tok_word_char(*text)) text++;
	return (Word){from, (size_t)(text - from)};
}

static void set_name(Walk *w, const char *rest, const char *end, bool defined) {
	const Value v = active(w);
	if (v.known && !v.number) return;
	Name name = {.name = first_word(rest, end), .known = v.known, .defined = defined};
	const char *text = name.name.at + name.name.len;
	if (v.known) name.value = defined ? unknown : number(0);
	if (v.known && defined && (text == end || *text != '(')) name.value = evaluate(w, text, (size_t)(end - text));
	vec_push_in(w->arena, &w->names, name);
}

static Value is_defined(Walk *w, const char *rest, const char *end, bool wanted) {
	const Name name = look_up(w, first_word(rest, end));
	return name.known ? number(name.defined == wanted) : unknown;
}

static void open_condition(Walk *w, Value v) {
	const Condition c = {v, v};
	vec_push_in(w->arena, &w->open, c);
}

/* #else is an #elif that holds. */
static void next_part(Walk *w, Value v) {
	if (!w->open.len) return;
	Condition *c = &vec_last(&w->open);
	const bool over = c->any.known && c->any.number, none = c->any.known && !c->any.number;
	if (over || (v.known && !v.number)) {
		c->taken = number(0);
		return;
	}
	c->taken = none ? v : unknown;
	c->any = v.known && v.number ? number(1) : unknown;
}

static void read_directive(Walk *w, const Tok *t) {
	const char *end = t->at + t->len;
	const Word word = first_word(t->at + 1, end);
	const Tok is = {.kind = TOK_WORD, .at = word.at, .len = word.len};
	const char *rest = word.at + word.len;
	const size_t len = (size_t)(end - rest);
	if (tok_is_word(&is, "define") || tok_is_word(&is, "undef"))
		set_name(w, rest, end, *word.at == 'd');
	else if (tok_is_word(&is, "if"))
		open_condition(w, evaluate(w, rest, len));
	else if (tok_is_word(&is, "ifdef") || tok_is_word(&is, "ifndef"))
		open_condition(w, is_defined(w, rest, end, word.len == strlen("ifdef")));
	else if (tok_is_word(&is, "elif"))
		next_part(w, evaluate(w, rest, len));
	else if (tok_is_word(&is, "else"))
		next_part(w, number(1));
	else if (tok_is_word(&is, "endif") && w->open.len)
		w->open.len--;
}

bool conditions_leave_out(Arena *arena, const UnitFile *files, size_t nfiles, size_t file, uint32_t line,
						  const char *const *options) {
	Walk w = {.arena = arena, .options = options};
	for (size_t i = 0; i < nfiles; i++)
		if (i != file) macros_of(arena, files[i].text, &w.elsewhere);
	Lexer lx = lexer(files[file].text);
	for (Tok t = tok_next(&lx); t.kind != TOK_END && t.line < line; t = tok_next(&lx))
		if (t.kind == TOK_DIRECTIVE) read_directive(&w, &t);
	const Value v = active(&w);
	return v.known && !v.number;
}
