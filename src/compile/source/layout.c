/* layout.h: from the tokens of each data member. */
#include "compile/source/layout.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "compile/source/declarations.h"
#include "compile/source/tokens.h"

enum { DEEPEST = 16, MOST_ELEMENTS = 1 << 16 };

/* What was found of a class, by its declaration. */
typedef struct {
	bool done, open; /* open: it is being read */
	const Layout *layout;
	const char *why;
} Known;

struct Layouts {
	Arena *arena;
	const char *source;
	Declarations list;
	Macros macros;
	Known *known;
	int depth;
	const char *why; /* the first thing that was not understood */
};
typedef Layouts Reader;

/* A type, before its declarators. */
typedef struct {
	LayoutKind kind;
	ElemType elem;
	Pointee to;
	const Layout *class;
	size_t bytes, align;
} Type;

static bool same(Word w, const char *text) {
	return strlen(text) == w.len && memcmp(w.at, text, w.len) == 0;
}

/* --- types CUDA has ----------------------------------------------------------------------------------------------- */

bool layout_vector(const char *name, size_t len, ElemType *elem, size_t *width) {
	static const struct {
		const char *name;
		ElemType elem;
		size_t most; /* components; 0: it is no vector */
	} known[] = {{"float", ELEM_F32, 4},     {"double", ELEM_F64, 4},        {"int", ELEM_I32, 4},
				 {"uint", ELEM_U32, 4},      {"short", ELEM_I16, 4},         {"ushort", ELEM_U16, 4},
				 {"char", ELEM_I8, 4},       {"uchar", ELEM_U8, 4},          {"long", ELEM_I64, 4},
				 {"ulong", ELEM_U64, 4},     {"longlong", ELEM_I64, 4},      {"ulonglong", ELEM_U64, 4},
				 {"half", ELEM_F16, 2},      {"__half", ELEM_F16, 2},        {"nv_bfloat16", ELEM_BF16, 2},
				 {"bfloat16", ELEM_BF16, 2}, {"__nv_bfloat16", ELEM_BF16, 2}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		const size_t n = strlen(known[i].name);
		if (len != n + 1 || memcmp(name, known[i].name, n) != 0) continue;
		const size_t last = (size_t)(name[n] - '0');
		if (name[n] < '1' || last > known[i].most) continue;
		*elem = known[i].elem;
		*width = last;
		return true;
	}
	return false;
}

/* Of what was not understood the innermost is named, which is the first. */
__attribute__((format(printf, 2, 3))) static bool fail(Reader *r, const char *fmt, ...) {
	char text[160];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (!r->why) r->why = arena_strdup(r->arena, text);
	return false;
}

static const Layout *vector_layout(Arena *arena, ElemType elem, size_t width) {
	static const char *const names[] = {"x", "y", "z", "w"};
	Layout *l = arena_alloc(arena, sizeof *l);
	const size_t bytes = elem_bytes(elem), whole = bytes * width;
	l->fields = arena_array(arena, width, sizeof *l->fields);
	l->nfields = width;
	l->bytes = whole;
	l->align = width == 3 || width == 1 ? bytes : whole > 16 ? 16 : whole;
	for (size_t i = 0; i < width; i++)
		l->fields[i] =
			(LayoutField){.name = names[i], .kind = LAYOUT_NUMBER, .elem = elem, .offset = i * bytes, .bytes = bytes};
	return l;
}

static bool number(Type *t, ElemType elem) {
	const size_t bytes = elem_bytes(elem);
	*t = (Type){.kind = LAYOUT_NUMBER, .elem = elem, .bytes = bytes, .align = bytes};
	return true;
}

/* unsigned long long int, in any order. */
static bool arithmetic(const Word *words, size_t n, Type *out) {
	int longs = 0, shorts = 0, chars = 0, is_unsigned = 0, is_signed = 0, ints = 0;
	for (size_t i = 0; i < n; i++) {
		longs += same(words[i], "long");
		shorts += same(words[i], "short");
		chars += same(words[i], "char");
		ints += same(words[i], "int");
		is_unsigned += same(words[i], "unsigned");
		is_signed += same(words[i], "signed");
	}
	const int known = longs + shorts + chars + ints + is_unsigned + is_signed;
	if ((size_t)known != n) return false;
	if (chars) return number(out, is_unsigned ? ELEM_U8 : ELEM_I8);
	if (shorts) return number(out, is_unsigned ? ELEM_U16 : ELEM_I16);
	if (longs) return number(out, is_unsigned ? ELEM_U64 : ELEM_I64);
	return number(out, is_unsigned ? ELEM_U32 : ELEM_I32);
}

static bool known_type(Arena *arena, Word name, Type *out) {
	ElemType elem;
	size_t width;
	char text[32];
	if (same(name, "bool")) {
		*out = (Type){.kind = LAYOUT_BOOL, .bytes = 1, .align = 1};
		return true;
	}
	if (same(name, "dim3") || layout_vector(name.at, name.len, &elem, &width)) {
		const Layout *l = same(name, "dim3") ? vector_layout(arena, ELEM_U32, 3) : vector_layout(arena, elem, width);
		*out = (Type){.kind = LAYOUT_CLASS, .class = l, .bytes = l->bytes, .align = l->align};
		return true;
	}
	if (same(name, "cudaTextureObject_t") || same(name, "cudaSurfaceObject_t")) {
		*out = (Type){.kind = LAYOUT_POINTER, .bytes = 8, .align = 8};
		return true;
	}
	if (name.len >= sizeof text) return false;
	memcpy(text, name.at, name.len);
	text[name.len] = '\0';
	return elem_parse(text, &elem) && number(out, elem);
}

/* --- types of the source ------------------------------------------------------------------------------------------ */

static const Layout *class_layout(Reader *r, Word name);
static bool type_of(Reader *r, const Word *words, size_t n, Type *out);

static bool has_name(const Declaration *d, Word name) {
	for (size_t k = 0; k < d->names.len; k++)
		if (d->names.data[k].len == name.len && memcmp(d->names.data[k].at, name.at, name.len) == 0) return true;
	return false;
}

static const Declaration *find(const Reader *r, Word name) {
	for (size_t i = 0; i < r->list.len; i++)
		if (r->list.data[i].parent < 0 && has_name(&r->list.data[i], name)) return &r->list.data[i];
	return NULL;
}

typedef VEC(Tok) Tokens;

static Tokens tokens_between(Reader *r, const char *from, const char *to) {
	Tokens list = {0};
	Lexer lx = lexer(r->source);
	lx.p = from;
	lx.line_blank = false;
	for (Tok t = tok_next(&lx); t.kind != TOK_END && t.at < to; t = tok_next(&lx)) vec_push_in(r->arena, &list, t);
	return list;
}

static Tokens tokens_of(Reader *r, const Declaration *d) {
	return tokens_between(r, r->source + d->from, r->source + d->to);
}

static bool plain_word(const Tok *t) {
	static const char silent[] =
		"const volatile mutable struct class union enum typename __restrict__ typedef std cuda";
	return t->kind == TOK_WORD && !tok_among(t, silent);
}

enum { MOST_WORDS = 8 };

/* typedef float real; using real = float; The words of the type that it names. */
static bool alias_of(Reader *r, const Declaration *d, Word words[MOST_WORDS], size_t *n) {
	const Tokens tokens = tokens_of(r, d);
	const bool is_using = tokens.len && tok_is_word(&tokens.data[0], "using"),
			   is_typedef = tokens.len && tok_is_word(&tokens.data[0], "typedef");
	if (!is_using && !is_typedef) return false;
	*n = 0;
	for (size_t i = 0; i < tokens.len; i++) {
		const Tok *t = &tokens.data[i];
		if (tok_is(t, '{') || tok_is(t, '*') || tok_is(t, '(') || tok_is(t, '<') || tok_is(t, '[')) return false;
		if (tok_is(t, '=')) *n = 0;
		if (plain_word(t) && !tok_is_word(t, "using") && *n < MOST_WORDS) words[(*n)++] = (Word){t->at, t->len};
	}
	*n -= *n && is_typedef; /* its own name is the last */
	return *n > 0;
}

static bool is_enumeration(Reader *r, const Declaration *d) {
	const Tokens tokens = tokens_of(r, d);
	size_t i = 0;
	while (i < tokens.len && tok_is_word(&tokens.data[i], "typedef")) i++;
	return i < tokens.len && tok_is_word(&tokens.data[i], "enum");
}

/* enum Color : unsigned char { ... }; int without a type of its own. */
static bool enumeration(Reader *r, const Declaration *d, Type *out) {
	const Tokens tokens = tokens_of(r, d);
	Word words[MOST_WORDS];
	size_t n = 0;
	bool typed = false;
	for (size_t i = 0; i < tokens.len && !tok_is(&tokens.data[i], '{') && !tok_is(&tokens.data[i], ';'); i++) {
		if (typed && plain_word(&tokens.data[i]) && n < MOST_WORDS)
			words[n++] = (Word){tokens.data[i].at, tokens.data[i].len};
		typed = typed || tok_is(&tokens.data[i], ':');
	}
	return n ? type_of(r, words, n, out) : number(out, ELEM_I32);
}

static bool named_type(Reader *r, Word name, Type *out) {
	const Declaration *d = find(r, name);
	Word words[MOST_WORDS];
	size_t n;
	if (!d || d->kind != DECLARES_TYPE || r->depth > DEEPEST) return false;
	r->depth++;
	const bool alias = alias_of(r, d, words, &n), ok = alias && type_of(r, words, n, out);
	const bool simple = !alias && is_enumeration(r, d), known = simple && enumeration(r, d, out);
	r->depth--;
	if (ok || known) return true;
	const Layout *l = class_layout(r, name);
	if (l) *out = (Type){.kind = LAYOUT_CLASS, .class = l, .bytes = l->bytes, .align = l->align};
	return l != NULL;
}

static bool type_of(Reader *r, const Word *words, size_t n, Type *out) {
	if (!n) return false;
	if (arithmetic(words, n, out)) return true;
	return n == 1 && (named_type(r, words[0], out) || known_type(r->arena, words[0], out));
}

/* What a pointer to these words points to. A class is not looked into, since it may hold such pointers. */
static Pointee pointee_of(Reader *r, const Word *of, size_t n) {
	Word words[MOST_WORDS];
	Type type;
	memcpy(words, of, n * sizeof *words);
	for (int depth = 0; n && depth < DEEPEST; depth++) {
		if (arithmetic(words, n, &type)) return (Pointee){.kind = POINTEE_NUMBER, .elem = type.elem};
		const Declaration *d = n == 1 ? find(r, words[0]) : NULL;
		if (d && d->kind == DECLARES_TYPE) {
			if (alias_of(r, d, words, &n)) continue;
			if (!is_enumeration(r, d))
				return (Pointee){.kind = POINTEE_CLASS, .name = words[0].at, .name_len = words[0].len};
			return enumeration(r, d, &type) ? (Pointee){.kind = POINTEE_NUMBER, .elem = type.elem} : (Pointee){0};
		}
		if (n != 1 || !known_type(r->arena, words[0], &type)) break;
		if (type.kind == LAYOUT_NUMBER) return (Pointee){.kind = POINTEE_NUMBER, .elem = type.elem};
		if (type.kind == LAYOUT_CLASS) return (Pointee){.kind = POINTEE_NUMBER, .elem = type.class->fields[0].elem};
		break;
	}
	return (Pointee){0};
}

/* --- extents and alignments --------------------------------------------------------------------------------------- */

static const MacroText *macro_named(const Reader *r, const Tok *t) {
	const MacroText *found = NULL;
	for (size_t i = 0; i < r->macros.len; i++)
		if (r->macros.data[i].name.len == t->len && memcmp(r->macros.data[i].name.at, t->at, t->len) == 0)
			found = &r->macros.data[i];
	return found;
}

static const char *skip_suffix(const char *end) {
	while (*end == 'u' || *end == 'U' || *end == 'l' || *end == 'L') end++;
	return end;
}

/* An extent: a number, or a macro or constant that is one. */
static bool extent_of(Reader *r, const Tok *t, size_t *out) {
	const char *text = t->at;
	char *end;
	if (t->kind == TOK_WORD) {
		const Declaration *d = find(r, (Word){t->at, t->len});
		const MacroText *macro = macro_named(r, t);
		text = macro ? macro->text.at : NULL;
		if (d && d->kind == DECLARES_VARIABLE && d->constant) {
			text = memchr(r->source + d->from, '=', d->to - d->from);
			text = text ? text + 1 : NULL;
		}
	}
	while (text && (*text == ' ' || *text == '\t' || *text == '(')) text++;
	const unsigned long v = text ? strtoul(text, &end, 0) : 0;
	if (!text || end == text || !v || v > MOST_ELEMENTS) return false;
	const char *p = skip_suffix(end);
	*out = v;
	if (t->kind == TOK_NUMBER) return p == t->at + t->len;
	while (*p == ')' || *p == ' ' || *p == '\t') p++;
	return *p == '\0' || strchr("\r\n;]/,", *p);
}

/* What is in the parentheses of alignas: a number or a type. */
static bool alignment_value(Reader *r, const Tok *tokens, size_t n, size_t *align) {
	Word words[MOST_WORDS];
	Type type;
	size_t value, nwords = 0;
	if (n == 1 && extent_of(r, &tokens[0], &value)) {
		if (value > *align) *align = value;
		return (value & (value - 1)) == 0 || fail(r, "%zu is not an alignment", value);
	}
	for (size_t i = 0; i < n && nwords < MOST_WORDS; i++)
		if (plain_word(&tokens[i])) words[nwords++] = (Word){tokens[i].at, tokens[i].len};
	if (!nwords || nwords != n || !type_of(r, words, nwords, &type))
		return fail(r, "an alignment is neither a number nor a type");
	if (type.align > *align) *align = type.align;
	return true;
}

static size_t closing(const Tok *tokens, size_t n, size_t open) {
	int depth = 0;
	for (size_t i = open; i < n; i++) {
		depth += tok_is(&tokens[i], '(') - tok_is(&tokens[i], ')');
		if (depth <= 0) return i;
	}
	return n;
}

/* __attribute__((aligned(16))): without a number the largest that the device needs, 16. */
static bool attributes(Reader *r, const Tok *tokens, size_t n, size_t *align) {
	enum { LARGEST = 16 };
	for (size_t i = 0; i < n; i++) {
		if (tok_among(&tokens[i], "packed __packed__")) return fail(r, "a structure is packed");
		if (!tok_among(&tokens[i], "aligned __aligned__")) continue;
		const bool value = i + 1 < n && tok_is(&tokens[i + 1], '(');
		const size_t end = value ? closing(tokens, n, i + 1) : i;
		if (value && !alignment_value(r, tokens + i + 2, end > i + 2 ? end - i - 2 : 0, align)) return false;
		if (!value && *align < LARGEST) *align = LARGEST;
		i = end;
	}
	return true;
}

/* An alignment from tokens[*i] on, also behind a macro: *i is then its last token. Sets *there. */
static bool alignment(Reader *r, const Tokens *list, size_t *i, size_t *align, bool *there) {
	const Tok *t = &list->data[*i];
	const bool number_of = tok_among(t, "alignas __align__"), attribute = tok_is_word(t, "__attribute__");
	*there = number_of || attribute;
	if (*there) {
		const size_t open = *i + 1, end = closing(list->data, list->len, open);
		const size_t n = end > open + 1 ? end - open - 1 : 0;
		*i = end < list->len ? end : list->len - 1;
		return number_of ? alignment_value(r, list->data + open + 1, n, align)
						 : attributes(r, list->data + open + 1, n, align);
	}
	const MacroText *macro = t->kind == TOK_WORD ? macro_named(r, t) : NULL;
	if (!macro || !macro->text.len || *macro->text.at == '(') return true;
	const Tokens inside = tokens_between(r, macro->text.at, macro->text.at + macro->text.len);
	bool ok = true, one;
	for (size_t k = 0; k < inside.len && ok; k++) {
		if (!tok_among(&inside.data[k], "alignas __align__ __attribute__")) continue;
		ok = alignment(r, &inside, &k, align, &one);
		*there = true;
	}
	return ok;
}

/* --- data members ------------------------------------------------------------------------------------------------- */

typedef VEC(LayoutField) Fields;

static void add_field(Reader *r, Fields *fields, Layout *l, const Type *type, LayoutField field) {
	l->bytes = (l->bytes + type->align - 1) / type->align * type->align;
	if (type->align > l->align) l->align = type->align;
	field.kind = type->kind;
	field.elem = type->elem;
	field.to = type->to;
	field.class = type->class;
	field.offset = l->bytes;
	field.bytes = type->bytes;
	vec_push_in(r->arena, fields, field);
	l->bytes += type->bytes * (field.count ? field.count : 1);
}

static bool extents(Reader *r, const Tokens *tokens, size_t *i, LayoutField *field) {
	for (++*i; *i + 2 < tokens->len && tok_is(&tokens->data[*i], '['); *i += 3) {
		size_t one;
		if (!extent_of(r, &tokens->data[*i + 1], &one) || !tok_is(&tokens->data[*i + 2], ']') ||
			field->nextents == LAYOUT_EXTENTS)
			return fail(r, "the extents of \"%s\" are not plain numbers", field->name);
		field->extents[field->nextents++] = one;
		field->count = (field->count ? field->count : 1) * one;
		if (field->count > MOST_ELEMENTS) return fail(r, "\"%s\" has too many elements", field->name);
	}
	return true;
}

/* To behind the declarator's `,` or `;`: an alignment, an initializer. */
static bool rest_of_declarator(Reader *r, const Tokens *tokens, size_t *i, const char *name, size_t *align) {
	int depth = 0;
	bool there;
	for (; *i < tokens->len; ++*i) {
		const Tok *t = &tokens->data[*i];
		depth += tok_is(t, '(') + tok_is(t, '{') + tok_is(t, '[') - tok_is(t, ')') - tok_is(t, '}') - tok_is(t, ']');
		if (depth) continue;
		if (tok_is(t, ',') || tok_is(t, ';')) break;
		if (tok_is(t, ':')) return fail(r, "\"%s\" is a bit field", name);
		if (!alignment(r, tokens, i, align, &there)) return false;
	}
	++*i;
	return true;
}

static Type pointer_type(PointeeKind kind, Pointee to) {
	if (kind == POINTEE_POINTER) to = (Pointee){.kind = POINTEE_POINTER};
	return (Type){.kind = LAYOUT_POINTER, .to = to, .bytes = 8, .align = 8};
}

/* One declarator from tokens[*i] on: stars, a name, extents. align: of the declaration; to: what a star points to. */
static bool declarator(Reader *r, const Tokens *tokens, size_t *i, Type type, Pointee to, size_t align, Fields *fields,
					   Layout *l) {
	for (; *i < tokens->len && !plain_word(&tokens->data[*i]); ++*i) {
		const bool again = type.kind == LAYOUT_POINTER && type.bytes;
		if (tok_is(&tokens->data[*i], '*')) type = pointer_type(again ? POINTEE_POINTER : to.kind, to);
		if (tok_is(&tokens->data[*i], '&') || tok_is(&tokens->data[*i], '('))
			return fail(r, "a member is a reference or a function");
	}
	if (*i >= tokens->len) return fail(r, "a member is not understood");
	const char *name = arena_strndup(r->arena, tokens->data[*i].at, tokens->data[*i].len);
	LayoutField field = {.name = name};
	if (!extents(r, tokens, i, &field) || !rest_of_declarator(r, tokens, i, name, &align)) return false;
	if (!type.bytes) return fail(r, "the type of \"%s\" is not known", name);
	if (align > type.align) type.align = align;
	for (size_t k = 0; k < fields->len; k++)
		if (strcmp(fields->data[k].name, name) == 0) return fail(r, "two fields have the name \"%s\"", name);
	add_field(r, fields, l, &type, field);
	return true;
}

/* The words before a declarator, which *i is then at. */
typedef struct {
	Word words[MOST_WORDS];
	size_t n, align;
	bool star, is_static;
} Specifiers;

static bool specifiers(Reader *r, const Tokens *tokens, size_t *i, Specifiers *out) {
	*out = (Specifiers){0};
	for (; *i < tokens->len; ++*i) {
		const Tok *t = &tokens->data[*i];
		bool there;
		if (!alignment(r, tokens, i, &out->align, &there)) return false;
		if (there) continue;
		if (tok_is_word(t, "static")) out->is_static = true;
		if (tok_is(t, ':') && *i + 1 < tokens->len && tok_is(t + 1, ':')) {
			out->n = 0; /* lab::Size: by its last name */
			++*i;
			continue;
		}
		if (tok_is(t, '<') || tok_is(t, '(')) return fail(r, "a member has the type of a template or a function");
		if (t->kind == TOK_PUNCT && strchr("*,;[={:&", *t->at)) break;
		if (plain_word(t) && out->n < MOST_WORDS) out->words[out->n++] = (Word){t->at, t->len};
	}
	out->star = *i < tokens->len && tok_is(&tokens->data[*i], '*');
	if (out->star || !out->n) return true;
	out->n--;
	while (*i > 0 && tokens->data[*i].at != out->words[out->n].at) --*i;
	return true;
}

static bool member(Reader *r, const Declaration *d, Fields *fields, Layout *l) {
	const Tokens tokens = tokens_of(r, d);
	size_t i = 0;
	Specifiers s;
	Type type = {0};
	if (tokens.len && tok_is_word(&tokens.data[0], "static")) return true;
	if (!specifiers(r, &tokens, &i, &s)) return false;
	if (s.is_static) return true;
	const char *why = r->why;
	const Pointee to = s.star ? pointee_of(r, s.words, s.n) : (Pointee){0};
	bool more_than_pointers = !s.star;
	for (size_t k = i; k < tokens.len; k++) more_than_pointers = more_than_pointers || tok_is(&tokens.data[k], ',');
	if (more_than_pointers && !type_of(r, s.words, s.n, &type)) type = (Type){0};
	if (s.star) r->why = why;
	bool ok = true;
	while (ok && i < tokens.len) ok = declarator(r, &tokens, &i, type, to, s.align, fields, l);
	return ok;
}

/* --- classes ------------------------------------------------------------------------------------------------------ */

/* What is before the brace of a class. An alignment behind it applies to nothing, as NVRTC warns. */
typedef struct {
	size_t align;
	Word base;
	bool is_class; /* private at first */
} Head;

static bool base_of(Reader *r, const Tokens *tokens, size_t *i, Head *head) {
	for (++*i; *i < tokens->len && !tok_is(&tokens->data[*i], '{'); ++*i) {
		const Tok *t = &tokens->data[*i];
		if (tok_is(t, ',')) return fail(r, "it has several base classes");
		if (tok_is(t, '<')) return fail(r, "its base class is a template");
		if (tok_is_word(t, "virtual")) return fail(r, "it has a virtual base class");
		if (plain_word(t) && !tok_among(t, "public private protected")) head->base = (Word){t->at, t->len};
	}
	return true;
}

static bool read_head(Reader *r, const Declaration *d, Head *head) {
	const Tokens tokens = tokens_of(r, d);
	size_t i = 0;
	bool there;
	*head = (Head){0};
	for (; i < tokens.len && !tok_is(&tokens.data[i], '{'); i++) {
		const Tok *t = &tokens.data[i];
		if (tok_is_word(t, "union")) return fail(r, "it is a union, whose fields share their bytes");
		if (tok_is(t, '<')) return fail(r, "it is a template");
		if (tok_is_word(t, "class")) head->is_class = true;
		if (!alignment(r, &tokens, &i, &head->align, &there)) return false;
		if (!tok_is(&tokens.data[i], ':')) continue;
		if (!base_of(r, &tokens, &i, head)) return false;
		break;
	}
	return true;
}

/* A base that has padding at its end may have the derived class's first fields there, or not. */
static bool read_base(Reader *r, Word name, Fields *fields, Layout *l) {
	const Layout *base = class_layout(r, name);
	if (!base) return fail(r, "its base class is not known");
	const LayoutField *last = base->nfields ? &base->fields[base->nfields - 1] : NULL;
	if (last && last->offset + last->bytes * (last->count ? last->count : 1) != base->bytes)
		return fail(r, "its base class ends with padding");
	for (size_t i = 0; i < base->nfields; i++) vec_push_in(r->arena, fields, base->fields[i]);
	l->bytes = base->nfields ? base->bytes : 0;
	l->align = base->align;
	l->hidden = base->hidden;
	return true;
}

/* struct Inner { ... }; and enum { A, B }; in a class hold nothing. */
static bool only_a_type(Reader *r, const Declaration *d) {
	const Tokens tokens = tokens_of(r, d);
	const size_t n = tokens.len;
	if (is_enumeration(r, d)) return n > 1 && tok_is(&tokens.data[n - 2], '}');
	return n > 2 && tokens.data[1].kind == TOK_WORD && tok_is(&tokens.data[n - 2], '}');
}

static bool read_members(Reader *r, int32_t class, Fields *fields, Layout *l) {
	for (size_t i = (size_t) class + 1; i < r->list.len; i++) {
		const Declaration *d = &r->list.data[i];
		if (d->parent != class) continue;
		const Tokens tokens = tokens_of(r, d);
		if (tokens.len && tok_is_word(&tokens.data[0], "virtual")) return fail(r, "it has virtual functions");
		if (d->kind == DECLARES_TYPE && d->body && !only_a_type(r, d))
			return fail(r, "%s",
						tok_is_word(&tokens.data[0], "union") ? "it has a union, whose fields share their bytes"
															  : "it has a structure inside");
		if (d->kind == DECLARES_VARIABLE && !member(r, d, fields, l)) return false;
	}
	return true;
}

static bool is_hidden(Reader *r, const Declaration *d, const Head *head) {
	const Tokens tokens = tokens_of(r, d);
	bool hidden = head->is_class;
	for (size_t i = 0; i < tokens.len; i++) hidden = hidden || tok_among(&tokens.data[i], "private protected");
	return hidden;
}

static const Layout *read_class(Reader *r, const Declaration *d, Word name) {
	Layout *l = arena_alloc(r->arena, sizeof *l);
	Fields fields = {0};
	Head head;
	l->align = 1;
	if (strstr(r->source, "pragma pack") && !fail(r, "the source has #pragma pack")) return NULL;
	if (!read_head(r, d, &head)) return NULL;
	if (head.base.len && !read_base(r, head.base, &fields, l)) return NULL;
	if (!read_members(r, (int32_t)(d - r->list.data), &fields, l)) return NULL;
	if (head.align > l->align) l->align = head.align;
	l->bytes = l->bytes ? (l->bytes + l->align - 1) / l->align * l->align : l->align;
	l->name = arena_strndup(r->arena, name.at, name.len);
	l->hidden = l->hidden || is_hidden(r, d, &head);
	l->nfields = fields.len;
	l->fields = fields.data;
	return l;
}

static const Layout *class_layout(Reader *r, Word name) {
	size_t i = 0;
	while (i < r->list.len && !(r->list.data[i].parent < 0 && r->list.data[i].body &&
								r->list.data[i].kind == DECLARES_TYPE && has_name(&r->list.data[i], name)))
		i++;
	if (i == r->list.len && !fail(r, "its declaration was not found")) return NULL;
	if ((r->depth > DEEPEST || r->known[i].open) && !fail(r, "it is nested too deeply")) return NULL;
	Known *known = &r->known[i];
	if (!known->done) {
		const char *before = r->why;
		r->why = NULL;
		known->open = true;
		r->depth++;
		known->layout = read_class(r, &r->list.data[i], name);
		r->depth--;
		known->open = false;
		known->done = true;
		known->why = r->why;
		r->why = before;
	}
	if (!known->layout) fail(r, "%s", known->why ? known->why : "it is not understood");
	return known->layout;
}

const Layout *layouts_find(Layouts *r, const char *name, size_t len, const char **why) {
	const Word word = {name, len};
	Type type;
	r->why = NULL;
	const Layout *l = class_layout(r, word);
	if (!l && known_type(r->arena, word, &type) && type.kind == LAYOUT_CLASS) l = type.class;
	if (why) *why = l ? NULL : r->why;
	return l && l->nfields ? l : NULL;
}

Layouts *layouts_new(const char *source, const char *headers) {
	Arena *arena = arena_new();
	Layouts *r = arena_alloc(arena, sizeof *r);
	*r = (Layouts){.arena = arena, .source = arena_format(arena, "%s\n%s", source, headers ? headers : "")};
	Map *marks = marks_new(), *functions = map_new();
	macros_of(arena, r->source, &r->macros);
	marks_add(marks, &r->macros);
	declarations_read(arena, r->source, marks, functions, &r->list);
	r->known = arena_array(arena, r->list.len + 1, sizeof *r->known);
	map_free(marks);
	map_free(functions);
	return r;
}

void layouts_free(Layouts *layouts) {
	if (layouts) arena_free(layouts->arena);
}
