/* layout.h: from the tokens of each data member. */
#include "compile/source/layout.h"

#include <stdlib.h>
#include <string.h>

#include "compile/source/declarations.h"
#include "compile/source/tokens.h"

enum { DEEPEST = 16, MOST_ELEMENTS = 1 << 16 };

typedef struct {
	Arena *arena;
	const char *source;
	Declarations list;
	Macros macros;
	int depth;
} Reader;

/* A type, before its declarators. */
typedef struct {
	LayoutKind kind;
	ElemType elem;
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

static const Declaration *find(const Reader *r, Word name) {
	for (size_t i = 0; i < r->list.len; i++) {
		const Declaration *d = &r->list.data[i];
		for (size_t k = 0; d->parent < 0 && k < d->names.len; k++)
			if (d->names.data[k].len == name.len && memcmp(d->names.data[k].at, name.at, name.len) == 0) return d;
	}
	return NULL;
}

typedef VEC(Tok) Tokens;

static Tokens tokens_of(Reader *r, const Declaration *d) {
	Tokens list = {0};
	Lexer lx = lexer(r->source);
	lx.p = r->source + d->from;
	lx.line_blank = false;
	for (Tok t = tok_next(&lx); t.kind != TOK_END && (size_t)(t.at - r->source) < d->to; t = tok_next(&lx))
		vec_push_in(r->arena, &list, t);
	return list;
}

static bool plain_word(const Tok *t) {
	static const char silent[] =
		"const volatile mutable struct class union enum typename __restrict__ typedef std cuda";
	return t->kind == TOK_WORD && !tok_among(t, silent);
}

/* typedef float real; using real = float; enum Color { ... }; */
static bool named_type(Reader *r, Word name, Type *out) {
	const Declaration *d = find(r, name);
	if (!d || d->kind != DECLARES_TYPE || r->depth > DEEPEST) return false;
	Tokens tokens = tokens_of(r, d);
	Word words[8];
	size_t n = 0;
	bool alias = false, simple = tokens.len > 0;
	const bool using = simple && tok_is_word(&tokens.data[0], "using"),
			   is_typedef = simple && tok_is_word(&tokens.data[0], "typedef");
	for (size_t i = 0; i < tokens.len && simple; i++) {
		const Tok *t = &tokens.data[i];
		if (tok_is(t, '{') || tok_is(t, '*') || tok_is(t, '(') || tok_is(t, '<') || tok_is(t, '[')) simple = false;
		if (tok_is(t, '=')) n = 0;
		if (!plain_word(t) || tok_is_word(t, "using")) continue;
		if (n < 8) words[n++] = (Word){t->at, t->len};
	}
	r->depth++;
	if (simple && is_typedef && n > 1) alias = type_of(r, words, n - 1, out);
	if (simple && using && n) alias = type_of(r, words, n, out);
	r->depth--;
	const bool enumeration = tokens.len && tok_is_word(&tokens.data[0], "enum");
	if (alias) return true;
	if (enumeration) return number(out, ELEM_I32);
	const Layout *l = class_layout(r, name);
	if (l) *out = (Type){.kind = LAYOUT_CLASS, .class = l, .bytes = l->bytes, .align = l->align};
	return l != NULL;
}

static bool type_of(Reader *r, const Word *words, size_t n, Type *out) {
	if (!n) return false;
	if (arithmetic(words, n, out)) return true;
	return n == 1 && (named_type(r, words[0], out) || known_type(r->arena, words[0], out));
}

/* --- data members ------------------------------------------------------------------------------------------------- */

typedef VEC(LayoutField) Fields;

/* An extent: a number, or a macro or constant that is one. */
static bool extent_of(Reader *r, const Tok *t, size_t *out) {
	const char *text = t->at;
	if (t->kind == TOK_WORD) {
		const Declaration *d = find(r, (Word){t->at, t->len});
		text = NULL;
		for (size_t i = 0; i < r->macros.len; i++)
			if (r->macros.data[i].name.len == t->len && memcmp(r->macros.data[i].name.at, t->at, t->len) == 0)
				text = r->macros.data[i].text.at;
		if (d && d->kind == DECLARES_VARIABLE && d->constant) {
			text = memchr(r->source + d->from, '=', d->to - d->from);
			text = text ? text + 1 : NULL;
		}
	}
	char *end;
	while (text && (*text == ' ' || *text == '\t' || *text == '(')) text++;
	const unsigned long v = text ? strtoul(text, &end, 0) : 0;
	if (!text || end == text || !v || v > MOST_ELEMENTS) return false;
	while (*end == 'u' || *end == 'U' || *end == 'l' || *end == 'L' || *end == ')' || *end == ' ' || *end == '\t')
		end++;
	*out = v;
	return *end == '\0' || strchr("\r\n;]/,", *end);
}

static void add_field(Reader *r, Fields *fields, Layout *l, Type type, Word name, size_t count) {
	l->bytes = (l->bytes + type.align - 1) / type.align * type.align;
	if (type.align > l->align) l->align = type.align;
	const LayoutField field = {.name = arena_strndup(r->arena, name.at, name.len),
							   .kind = type.kind,
							   .elem = type.elem,
							   .class = type.class,
							   .offset = l->bytes,
							   .bytes = type.bytes,
							   .count = count};
	vec_push_in(r->arena, fields, field);
	l->bytes += type.bytes * (count ? count : 1);
}

/* One declarator from tokens[*i] on: stars, a name, extents. */
static bool declarator(Reader *r, const Tokens *tokens, size_t *i, Type type, Fields *fields, Layout *l) {
	for (; *i < tokens->len && !plain_word(&tokens->data[*i]); ++*i) {
		if (tok_is(&tokens->data[*i], '*')) type = (Type){.kind = LAYOUT_POINTER, .bytes = 8, .align = 8};
		if (tok_is(&tokens->data[*i], '&') || tok_is(&tokens->data[*i], '(')) return false;
	}
	if (*i >= tokens->len) return false;
	const Word name = {tokens->data[*i].at, tokens->data[*i].len};
	size_t count = 0, one;
	for (++*i; *i + 2 < tokens->len && tok_is(&tokens->data[*i], '['); *i += 3) {
		if (!extent_of(r, &tokens->data[*i + 1], &one) || !tok_is(&tokens->data[*i + 2], ']')) return false;
		count = (count ? count : 1) * one;
		if (count > MOST_ELEMENTS) return false;
	}
	if (!type.bytes) return false;
	add_field(r, fields, l, type, name, count);
	while (*i < tokens->len && !tok_is(&tokens->data[*i], ',') && !tok_is(&tokens->data[*i], ';')) {
		if (tok_is(&tokens->data[*i], ':')) return false; /* a bit field */
		++*i;
	}
	++*i;
	return true;
}

static bool member(Reader *r, const Declaration *d, Fields *fields, Layout *l) {
	Tokens tokens = tokens_of(r, d);
	Word words[8];
	size_t n = 0, i = 0;
	bool ok = true, shared = false;
	/* The type: all words but the last before a declarator's end. */
	for (; i < tokens.len; i++) {
		const Tok *t = &tokens.data[i];
		if (tok_is_word(t, "static")) shared = true;
		if (tok_is(t, '<') || tok_is(t, '(')) ok = false;
		if (tok_is(t, '*') || tok_is(t, ',') || tok_is(t, ';') || tok_is(t, '[') || tok_is(t, '=') || tok_is(t, '{'))
			break;
		if (plain_word(t) && n < 8) words[n++] = (Word){t->at, t->len};
	}
	const bool star = i < tokens.len && tok_is(&tokens.data[i], '*');
	if (!star && n) {
		n--;
		while (i > 0 && tokens.data[i].at != words[n].at) i--;
	}
	Type type = {0};
	if (ok && !shared) ok = type_of(r, words, n, &type) || star;
	while (ok && !shared && i < tokens.len && tokens.data[i].at < r->source + d->to)
		ok = declarator(r, &tokens, &i, type, fields, l);
	return ok;
}

/* Behind its name: a base, or an alignment in front of it. */
static bool head_is_plain(Reader *r, const Declaration *d) {
	Tokens tokens = tokens_of(r, d);
	bool plain = true;
	for (size_t i = 0; i < tokens.len && !tok_is(&tokens.data[i], '{'); i++)
		plain = plain && !tok_is(&tokens.data[i], ':') && !tok_is(&tokens.data[i], '<') &&
				!tok_is(&tokens.data[i], '(') && !tok_is_word(&tokens.data[i], "union");
	return plain;
}

static bool read_members(Reader *r, int32_t class, Fields *fields, Layout *l) {
	for (size_t i = (size_t) class + 1; i < r->list.len; i++) {
		const Declaration *d = &r->list.data[i];
		if (d->parent != class) continue;
		const bool is_virtual = d->to - d->from > 7 && memcmp(r->source + d->from, "virtual", 7) == 0;
		if (is_virtual || (d->kind == DECLARES_TYPE && d->body)) return false;
		if (d->kind == DECLARES_VARIABLE && !member(r, d, fields, l)) return false;
	}
	return fields->len > 0;
}

static const Layout *class_layout(Reader *r, Word name) {
	const Declaration *d = NULL;
	for (size_t i = 0; i < r->list.len && !d; i++) {
		const Declaration *one = &r->list.data[i];
		for (size_t k = 0; one->parent < 0 && one->body && one->kind == DECLARES_TYPE && k < one->names.len; k++)
			if (one->names.data[k].len == name.len && memcmp(one->names.data[k].at, name.at, name.len) == 0) d = one;
	}
	if (!d || r->depth > DEEPEST || !head_is_plain(r, d)) return NULL;
	Layout *l = arena_alloc(r->arena, sizeof *l);
	Fields fields = {0};
	l->align = 1;
	r->depth++;
	const bool ok = read_members(r, (int32_t)(d - r->list.data), &fields, l);
	r->depth--;
	l->bytes = (l->bytes + l->align - 1) / l->align * l->align;
	l->nfields = fields.len;
	l->fields = fields.data;
	return ok ? l : NULL;
}

const Layout *layout_of(Arena *arena, const char *source, const char *name, size_t len) {
	Reader r = {.arena = arena, .source = source};
	Type type;
	Map *marks = marks_new(), *functions = map_new();
	macros_of(arena, source, &r.macros);
	marks_add(marks, &r.macros);
	declarations_read(arena, source, marks, functions, &r.list);
	const Layout *l = class_layout(&r, (Word){name, len});
	if (!l && known_type(arena, (Word){name, len}, &type) && type.kind == LAYOUT_CLASS) l = type.class;
	map_free(marks);
	map_free(functions);
	return l;
}
