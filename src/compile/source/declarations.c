/* declarations.h: one pass over the tokens with a stack of the scopes that are open.
 *
 *     template <class T> struct Pair { T a; T sum(); };   a class is a scope, the parent of its members
 *     namespace lab { extern "C" { ... } }                so are these, which are no declarations
 *     __global__ void k(int n) { ... }                    a function ends with the brace of its body
 *     const int table[] = { ... };                        everything else ends with the semicolon
 */
#include "compile/source/declarations.h"

#include <string.h>

#include "compile/source/tokens.h"

enum { MOST_SCOPES = 200 };

/* The declaration being read. */
typedef struct {
	Declaration decl; /* names: those so far, in Reader.names from first_name on */
	size_t first_name;
	bool open;
	int brackets; /* ( and [ */
	int braces;   /* of a body or an initializer */
	int angles;   /* of template arguments */
	bool in_body; /* braces are a function's */
	bool head;    /* `template` came, its < is next or open */
	int head_angles;
	bool parameters, equals, initializers; /* : a(1), b{2} of a constructor */
	bool class_key, enum_key, is_typedef, is_using, is_namespace, is_extern, class_done, operator_;
	bool based;           /* `: base` came */
	uint32_t class_words; /* since the class key */
	Word name;            /* the last word outside brackets: the name of a function when its parameters begin */
	Tok before;           /* the last token */
	uint32_t words;
	bool macro_call; /* begins with a macro that takes arguments, and nothing else came */
} Part;

typedef struct {
	Part outer;   /* continues when the class ends */
	int32_t decl; /* the class; -1: a namespace */
} Scope;

typedef struct {
	Part part;
	size_t depth;
} Snapshot;

typedef struct {
	Lexer lx;
	const char *text;
	const Map *marks, *functions;
	Arena *arena;
	Declarations *out;
	VEC(Word) names;
	Scope scopes[MOST_SCOPES];
	size_t depth;
	VEC(Snapshot) conditions;
	Part part;
} Reader;

static Word word_of(const Tok *t) {
	return (Word){t->at, t->len};
}

/* Parentheses behind one of these are no parameter list. */
static bool takes_argument(const Tok *t) {
	static const char words[] =
		"__launch_bounds__ __cluster_dims__ __block_size__ __attribute__ __declspec __align__ alignas decltype "
		"noexcept sizeof asm requires explicit static_assert";
	return tok_among(t, words);
}

/* --- macros ------------------------------------------------------------------------------------------------------- */

static const char *skip_blank(const char *p, const char *end) {
	while (p < end && (*p == ' ' || *p == '\t' || tok_splice(p))) p += *p == '\\' ? (p[1] == '\r' ? 3 : 2) : 1;
	return p;
}

static bool directive_is(const Tok *t, const char *name, const char **rest) {
	const char *end = t->at + t->len, *p = skip_blank(t->at + (*t->at == '%' ? 2 : 1), end);
	const size_t n = strlen(name);
	if ((size_t)(end - p) < n || memcmp(p, name, n) != 0 || (p + n < end && tok_word_char(p[n]))) return false;
	*rest = skip_blank(p + n, end);
	return true;
}

void macros_of(Arena *arena, const char *text, Macros *out) {
	Lexer lx = lexer(text);
	for (Tok t = tok_next(&lx); t.kind != TOK_END; t = tok_next(&lx)) {
		const char *p, *end = t.at + t.len;
		if (t.kind != TOK_DIRECTIVE || !directive_is(&t, "define", &p)) continue;
		const char *name = p;
		while (p < end && tok_word_char(*p)) p++;
		const MacroText macro = {{name, (size_t)(p - name)}, {p, (size_t)(end - p)}, t.line};
		if (p > name) vec_push_in(arena, out, macro);
	}
}

Map *marks_new(void) {
	static const char *const words[] = {
		"__global__",   "__device__",        "__constant__", "__managed__",      "__shared__",
		"_CCCL_DEVICE", "_CCCL_HOST_DEVICE", "_CCCL_API",    "_CCCL_DEVICE_API", NULL};
	static char mark;
	Map *marks = map_new();
	for (size_t i = 0; words[i]; i++) map_put(marks, words[i], &mark);
	return marks;
}

static bool has_mark(const Map *marks, Word text) {
	const char *p = text.at, *end = p + text.len;
	while (p < end) {
		const char *from = p;
		while (p < end && tok_word_char(*p)) p++;
		if (p > from && map_getn(marks, from, (size_t)(p - from))) return true;
		if (p == from) p++;
	}
	return false;
}

/* A macro may use one that is defined later. */
void marks_add(Map *marks, const Macros *macros) {
	static char mark;
	for (bool more = true; more;) {
		more = false;
		for (size_t i = 0; i < macros->len && !tokens_over(); i++) {
			const MacroText *m = &macros->data[i];
			if (map_getn(marks, m->name.at, m->name.len) || !has_mark(marks, m->text)) continue;
			map_putn(marks, m->name.at, m->name.len, &mark);
			more = true;
		}
	}
}

/* --- the declaration at hand -------------------------------------------------------------------------------------- */

static int32_t enclosing(const Reader *r) {
	return r->depth ? r->scopes[r->depth - 1].decl : -1;
}

static void begin(Reader *r, const Tok *t) {
	r->part = (Part){.open = true, .first_name = r->names.len};
	r->part.decl = (Declaration){.from = (size_t)(t->at - r->text), .line = t->line, .parent = enclosing(r)};
}

static void add_name(Reader *r, Word name) {
	if (name.len) vec_push_in(r->arena, &r->names, name);
}

static Declares kind_of(const Part *p) {
	if (p->is_namespace) return DECLARES_NAMESPACE;
	if (p->is_typedef || p->is_using || p->enum_key) return DECLARES_TYPE;
	if (p->class_key && (p->class_done || (!p->parameters && !p->equals && p->class_words == 1))) return DECLARES_TYPE;
	return p->parameters ? DECLARES_FUNCTION : DECLARES_VARIABLE;
}

/* Copies what is known of the declaration to its place in the list, with its names. */
static void store(Reader *r, Declaration *into, size_t end) {
	Part *p = &r->part;
	p->decl.to = end;
	p->decl.kind = kind_of(p);
	if (p->decl.kind == DECLARES_FUNCTION) {
		r->names.len = p->first_name;
		add_name(r, p->name);
		p->decl.main = p->decl.parent < 0 && word_is(p->name, "main");
	}
	*into = p->decl;
	memset(&into->names, 0, sizeof into->names);
	for (size_t i = p->first_name; i < r->names.len; i++) vec_push_in(r->arena, &into->names, r->names.data[i]);
}

static void finish(Reader *r, size_t end) {
	if (!r->part.open) return;
	Declaration decl;
	store(r, &decl, end);
	vec_push_in(r->arena, r->out, decl);
	r->names.len = r->part.first_name;
	r->part = (Part){0};
}

static void enter(Reader *r, int32_t decl) {
	if (r->depth == MOST_SCOPES) return; /* so deep that the rest is no scope */
	r->scopes[r->depth++] = (Scope){r->part, decl};
	r->part = (Part){0};
}

/* The class has its place before its members do. */
static void enter_class(Reader *r) {
	Part *p = &r->part;
	Declaration decl;
	if (!p->based) add_name(r, p->name);
	p->class_done = p->decl.body = true;
	store(r, &decl, (size_t)(r->lx.p - r->text));
	vec_push_in(r->arena, r->out, decl);
	enter(r, (int32_t)r->out->len - 1);
}

static void leave(Reader *r, const Tok *t) {
	const size_t end = (size_t)(t->at - r->text);
	finish(r, end); /* what lacks its semicolon */
	if (!r->depth) return;
	const Scope *s = &r->scopes[--r->depth];
	r->part = s->decl < 0 ? (Part){0} : s->outer;
	if (r->part.first_name > r->names.len) r->part.first_name = r->names.len;
	r->part.before = *t;
	r->part.name = (Word){0};
}

/* The class that was entered is in the list: what came behind its brace is added there. */
static void finish_class(Reader *r, size_t end) {
	for (size_t i = r->out->len; i-- > 0;) {
		Declaration *d = &r->out->data[i];
		if (d->from != r->part.decl.from || !d->body) continue;
		store(r, d, end);
		break;
	}
	r->names.len = r->part.first_name;
	r->part = (Part){0};
}

static void end_declaration(Reader *r, const Tok *t) {
	const size_t end = (size_t)(t->at - r->text) + t->len;
	if (r->part.class_done)
		finish_class(r, end);
	else
		finish(r, end);
}

/* --- tokens ------------------------------------------------------------------------------------------------------- */

static void on_word(Reader *r, const Tok *t) {
	static const char class_keys[] = "struct class union";
	static const char silent[] =
		"final inline static extern const constexpr typedef using enum typename virtual friend unsigned signed "
		"int float double char short long bool void";
	Part *p = &r->part;
	Declaration *d = &p->decl;
	const bool after_class = p->class_done && !p->is_typedef;
	if (tok_is_word(t, "template") && !p->words) {
		p->head = true;
		return;
	}
	if (!p->words++) {
		p->is_typedef = tok_is_word(t, "typedef");
		p->is_using = tok_is_word(t, "using");
		p->is_extern = tok_is_word(t, "extern");
		p->macro_call = map_getn(r->functions, t->at, t->len) != NULL;
	}
	if (tok_is_word(t, "namespace")) p->is_namespace = true;
	if (map_getn(r->marks, t->at, t->len)) d->device = true;
	if (tok_among(t, "constexpr const concept")) d->constant = true;
	if (tok_is_word(t, "constexpr")) {
		d->is_constexpr = true;
		d->specifier = (size_t)(t->at - r->text);
	}
	if (p->parameters && p->equals && (tok_is_word(t, "default") || tok_is_word(t, "delete"))) d->defaulted = true;
	if (p->parameters || p->equals) return;
	if (tok_is_word(t, "operator")) p->operator_ = true;
	if (tok_is_word(t, "enum")) p->enum_key = true;
	if (tok_among(t, class_keys) && !p->angles && !after_class)
		p->class_key = true;
	else
		p->class_words += p->class_key;
	if (!p->angles && !tok_among(t, silent) && !tok_among(t, class_keys) && !takes_argument(t) && !p->head)
		p->name = word_of(t);
}

/* Whether a `{` after a constructor's parameters initializes a member. */
static bool initializes_member(const Part *p) {
	return p->initializers && (p->before.kind == TOK_WORD || tok_is(&p->before, '>'));
}

static void on_brace(Reader *r, const Tok *t) {
	Part *p = &r->part;
	const bool linkage = p->is_extern && p->words == 1 && p->before.kind == TOK_STRING;
	if (p->is_namespace || linkage) {
		Declaration decl;
		if (p->is_namespace && p->before.kind == TOK_WORD) add_name(r, word_of(&p->before));
		store(r, &decl, (size_t)(t->at - r->text));
		decl.kind = DECLARES_NAMESPACE;
		decl.body = true;
		vec_push_in(r->arena, r->out, decl);
		r->names.len = p->first_name;
		enter(r, -1);
	} else if (p->class_key && !p->enum_key && !p->parameters && !p->equals && !p->class_done &&
			   r->depth < MOST_SCOPES) {
		enter_class(r);
	} else {
		p->in_body = p->parameters && !p->equals && !initializes_member(p);
		p->decl.body = p->decl.body || p->in_body || p->enum_key;
		if (!p->parameters && !p->equals && !p->based) add_name(r, p->name);
		p->braces = 1;
	}
}

/* Within braces. Enumerators are names. */
static void inside_braces(Reader *r, const Tok *t) {
	Part *p = &r->part;
	if (tok_is(t, '{')) p->braces++;
	if (p->enum_key && t->kind == TOK_WORD && (tok_is(&p->before, '{') || tok_is(&p->before, ',')))
		add_name(r, word_of(t));
	if (!tok_is(t, '}')) return;
	if (!p->parameters) p->name = (Word){0};
	if (--p->braces == 0 && p->in_body) end_declaration(r, t);
}

static void inside_brackets(Reader *r, const Tok *t) {
	Part *p = &r->part;
	if (tok_is(t, '(') || tok_is(t, '[') || tok_is(t, '{')) p->brackets++;
	if (tok_is(t, ')') || tok_is(t, ']') || tok_is(t, '}')) p->brackets--;
	if (p->is_typedef && tok_is(t, ')') && p->before.kind == TOK_WORD) add_name(r, word_of(&p->before));
	if (map_getn(r->marks, t->at, t->len) && t->kind == TOK_WORD && p->macro_call) p->decl.device = true;
}

/* template < ... > : its words are no part of what follows. */
static void inside_head(Part *p, const Tok *t) {
	if (tok_is(t, '(')) p->brackets++;
	if (tok_is(t, ')')) p->brackets--;
	if (p->brackets) return;
	if (tok_is(t, '<')) p->head_angles++;
	if (tok_is(t, '>') && --p->head_angles <= 0) p->head = false;
}

static void on_parenthesis(Part *p) {
	const Tok *b = &p->before;
	const bool declarator = b->kind == TOK_WORD ? !takes_argument(b) : tok_is(b, '>') || tok_is(b, ')') || p->operator_;
	if (!p->equals && !p->parameters && !p->is_typedef && declarator && !tok_is(b, '(')) p->parameters = true;
	p->brackets = 1;
}

static bool only_access(const Part *p) {
	static const char words[] = "public private protected";
	return p->words == 1 && tok_among(&p->before, words);
}

static void add_base(Reader *r) {
	if (!r->part.based) add_name(r, r->part.name);
	r->part.based = true;
}

static void on_mark(Reader *r, const Tok *t) {
	Part *p = &r->part;
	const bool ends_name = tok_is(t, '=') || tok_is(t, ',') || tok_is(t, ';') || tok_is(t, '[');
	if (ends_name && !p->parameters && p->before.kind == TOK_WORD && !p->angles && !p->equals)
		add_name(r, word_of(&p->before));
	if (tok_is(t, ',') && !p->angles && !p->parameters) p->equals = false; /* the next declarator */
	if (tok_is(t, ';')) {
		end_declaration(r, t);
	} else if (tok_is(t, '{')) {
		on_brace(r, t);
	} else if (tok_is(t, '(')) {
		on_parenthesis(p);
	} else if (tok_is(t, '[')) {
		p->brackets = 1;
	} else if (tok_is(t, '<')) {
		if (!p->equals && !p->operator_) p->angles++;
	} else if (tok_is(t, '>')) {
		if (p->angles) p->angles--;
	} else if (tok_is(t, '=')) {
		if (!p->operator_ || p->parameters) p->equals = true;
	} else if (tok_is(t, ':')) {
		if (only_access(p) && *r->lx.p != ':')
			r->part = (Part){0};
		else if (p->parameters && !p->equals && !tok_is(&p->before, ':') && *r->lx.p != ':')
			p->initializers = true;
		else if (p->class_key && *r->lx.p != ':' && !tok_is(&p->before, ':') && !p->class_done && !p->parameters)
			add_base(r);
	}
}

/* MACRO(...) without a semicolon, and a new line begins with another word. */
static bool macro_ends(const Part *p, const Tok *t) {
	return p->open && p->macro_call && p->words == 1 && !p->brackets && tok_is(&p->before, ')') &&
		   t->line > p->before.line && t->kind == TOK_WORD;
}

static void on_token(Reader *r, const Tok *t) {
	if (macro_ends(&r->part, t)) finish(r, (size_t)(r->part.before.at - r->text) + 1);
	if (!r->part.open) {
		if (tok_is(t, '}')) {
			leave(r, t);
			return;
		}
		if (tok_is(t, ';')) return;
		begin(r, t);
	}
	Part *p = &r->part;
	if (p->head && !p->head_angles && !tok_is(t, '<')) p->head = false; /* an explicit instantiation */
	if (p->braces)
		inside_braces(r, t);
	else if (p->head)
		inside_head(p, t);
	else if (p->brackets)
		inside_brackets(r, t);
	else if (t->kind == TOK_WORD)
		on_word(r, t);
	else if (tok_is(t, '}')) {
		leave(r, t);
		return;
	} else if (t->kind == TOK_PUNCT)
		on_mark(r, t);
	if (r->part.open) r->part.before = *t;
}

/* --- conditions --------------------------------------------------------------------------------------------------- */

/* Behind #if 0, which often holds no C++: to its #else or #endif, which is handled as any. */
static Tok skip_dead(Lexer *lx) {
	int depth = 0;
	for (;;) {
		const char *rest;
		Tok t = tok_next(lx);
		if (t.kind == TOK_END) return t;
		if (t.kind != TOK_DIRECTIVE) continue;
		if (directive_is(&t, "if", &rest) || directive_is(&t, "ifdef", &rest) || directive_is(&t, "ifndef", &rest))
			depth++;
		if (!depth && (directive_is(&t, "else", &rest) || directive_is(&t, "elif", &rest))) return t;
		if (directive_is(&t, "endif", &rest) && depth-- == 0) return t;
	}
}

/* What began on one side of a condition and does not end there ends with it. */
static void restore(Reader *r, const Tok *t) {
	const Snapshot *s = &vec_last(&r->conditions);
	if (r->part.open && !s->part.open) {
		const size_t names = r->names.len;
		finish(r, (size_t)(t->at - r->text));
		r->names.len = names;
	}
	r->part = s->part;
	if (r->part.first_name > r->names.len) r->part.first_name = r->names.len;
	r->depth = s->depth;
}

static void on_directive(Reader *r, Tok t) {
	const char *rest;
	if (directive_is(&t, "if", &rest) || directive_is(&t, "ifdef", &rest) || directive_is(&t, "ifndef", &rest)) {
		const Snapshot before = {r->part, r->depth};
		vec_push_in(r->arena, &r->conditions, before);
		const bool dead = directive_is(&t, "if", &rest) && *rest == '0' && !tok_word_char(rest[1]) && rest[1] != '.';
		if (dead) t = skip_dead(&r->lx);
	}
	if (t.kind == TOK_END || !r->conditions.len) return;
	if (directive_is(&t, "else", &rest) || directive_is(&t, "elif", &rest))
		restore(r, &t);
	else if (directive_is(&t, "endif", &rest))
		r->conditions.len--;
}

void declarations_read(Arena *arena, const char *text, const Map *marks, const Map *functions, Declarations *out) {
	Reader *r = arena_alloc(arena, sizeof *r);
	*r = (Reader){.arena = arena, .lx = lexer(text), .text = text, .marks = marks, .functions = functions, .out = out};
	Tok t = tok_next(&r->lx);
	for (; t.kind != TOK_END; t = tok_next(&r->lx)) {
		if (t.kind == TOK_DIRECTIVE)
			on_directive(r, t);
		else
			on_token(r, &t);
	}
	finish(r, (size_t)(t.at - text));
}
