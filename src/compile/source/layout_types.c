/* layout_types.h: types by their words: of C++, of CUDA, and those that the source names. */
#include "compile/source/layout_types.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool layout_fail(Layouts *r, const char *fmt, ...) {
	char text[160];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (!r->why) r->why = arena_strdup(r->arena, text);
	return false;
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

static bool number(LayoutType *t, ElemType elem) {
	const size_t bytes = elem_bytes(elem);
	*t = (LayoutType){.kind = LAYOUT_NUMBER, .elem = elem, .bytes = bytes, .align = bytes};
	return true;
}

/* unsigned long long int, in any order. */
static bool arithmetic(const Word *words, size_t n, LayoutType *out) {
	int longs = 0, shorts = 0, chars = 0, is_unsigned = 0, is_signed = 0, ints = 0;
	for (size_t i = 0; i < n; i++) {
		longs += word_is(words[i], "long");
		shorts += word_is(words[i], "short");
		chars += word_is(words[i], "char");
		ints += word_is(words[i], "int");
		is_unsigned += word_is(words[i], "unsigned");
		is_signed += word_is(words[i], "signed");
	}
	const int known = longs + shorts + chars + ints + is_unsigned + is_signed;
	if ((size_t)known != n) return false;
	if (chars) return number(out, is_unsigned ? ELEM_U8 : ELEM_I8);
	if (shorts) return number(out, is_unsigned ? ELEM_U16 : ELEM_I16);
	if (longs) return number(out, is_unsigned ? ELEM_U64 : ELEM_I64);
	return number(out, is_unsigned ? ELEM_U32 : ELEM_I32);
}

bool layout_cuda_type(Arena *arena, Word name, LayoutType *out) {
	ElemType elem;
	size_t width;
	char text[32];
	if (word_is(name, "bool")) {
		*out = (LayoutType){.kind = LAYOUT_BOOL, .bytes = 1, .align = 1};
		return true;
	}
	if (word_is(name, "dim3") || layout_vector(name.at, name.len, &elem, &width)) {
		const Layout *l = word_is(name, "dim3") ? vector_layout(arena, ELEM_U32, 3) : vector_layout(arena, elem, width);
		*out = (LayoutType){.kind = LAYOUT_CLASS, .class = l, .bytes = l->bytes, .align = l->align};
		return true;
	}
	if (word_is(name, "cudaTextureObject_t") || word_is(name, "cudaSurfaceObject_t")) {
		*out = (LayoutType){.kind = LAYOUT_POINTER, .bytes = 8, .align = 8};
		return true;
	}
	if (name.len >= sizeof text) return false;
	memcpy(text, name.at, name.len);
	text[name.len] = '\0';
	return elem_parse(text, &elem) && number(out, elem);
}

/* --- types of the source ------------------------------------------------------------------------------------------ */

bool layout_has_name(const Declaration *d, Word name) {
	for (size_t k = 0; k < d->names.len; k++)
		if (words_same(d->names.data[k], name)) return true;
	return false;
}

const Declaration *layout_declared(const Layouts *r, Word name) {
	for (size_t i = 0; i < r->list.len; i++)
		if (r->list.data[i].parent < 0 && layout_has_name(&r->list.data[i], name)) return &r->list.data[i];
	return NULL;
}

Tokens layout_tokens_between(Layouts *r, const char *from, const char *to) {
	Tokens list = {0};
	Lexer lx = lexer(r->source);
	lx.p = from;
	lx.line_blank = false;
	for (Tok t = tok_next(&lx); t.kind != TOK_END && t.at < to; t = tok_next(&lx)) vec_push_in(r->arena, &list, t);
	return list;
}

Tokens layout_tokens(Layouts *r, const Declaration *d) {
	return layout_tokens_between(r, r->source + d->from, r->source + d->to);
}

bool layout_plain_word(const Tok *t) {
	static const char silent[] =
		"const volatile mutable struct class union enum typename __restrict__ typedef std cuda static extern inline "
		"constexpr __constant__ __device__ __managed__";
	return t->kind == TOK_WORD && !tok_among(t, silent);
}

/* typedef float real; using real = float; The words of the type that it names. */
static bool alias_of(Layouts *r, const Declaration *d, Word words[MOST_WORDS], size_t *n) {
	const Tokens tokens = layout_tokens(r, d);
	const bool is_using = tokens.len && tok_is_word(&tokens.data[0], "using"),
			   is_typedef = tokens.len && tok_is_word(&tokens.data[0], "typedef");
	if (!is_using && !is_typedef) return false;
	*n = 0;
	for (size_t i = 0; i < tokens.len; i++) {
		const Tok *t = &tokens.data[i];
		if (tok_is(t, '{') || tok_is(t, '*') || tok_is(t, '(') || tok_is(t, '<') || tok_is(t, '[')) return false;
		if (tok_is(t, '=')) *n = 0;
		if (layout_plain_word(t) && !tok_is_word(t, "using") && *n < MOST_WORDS) words[(*n)++] = (Word){t->at, t->len};
	}
	*n -= *n && is_typedef; /* its own name is the last */
	return *n > 0;
}

bool layout_is_enumeration(Layouts *r, const Declaration *d) {
	const Tokens tokens = layout_tokens(r, d);
	size_t i = 0;
	while (i < tokens.len && tok_is_word(&tokens.data[i], "typedef")) i++;
	return i < tokens.len && tok_is_word(&tokens.data[i], "enum");
}

/* enum Color : unsigned char { ... }; int without a type of its own. */
static bool enumeration(Layouts *r, const Declaration *d, LayoutType *out) {
	const Tokens tokens = layout_tokens(r, d);
	Word words[MOST_WORDS];
	size_t n = 0;
	bool typed = false;
	for (size_t i = 0; i < tokens.len && !tok_is(&tokens.data[i], '{') && !tok_is(&tokens.data[i], ';'); i++) {
		if (typed && layout_plain_word(&tokens.data[i]) && n < MOST_WORDS)
			words[n++] = (Word){tokens.data[i].at, tokens.data[i].len};
		typed = typed || tok_is(&tokens.data[i], ':');
	}
	return n ? layout_type(r, words, n, out) : number(out, ELEM_I32);
}

static bool names_itself(Word name, const Word *words, size_t n) {
	return n == 1 && words_same(words[0], name);
}

/* Whether several declarations say what the type is, each on its side of a condition, say. */
bool layout_is_ambiguous(Layouts *r, Word name) {
	Word words[MOST_WORDS];
	size_t found = 0, n;
	for (size_t i = 0; i < r->list.len; i++) {
		const Declaration *d = &r->list.data[i];
		if (d->parent >= 0 || d->kind != DECLARES_TYPE || !layout_has_name(d, name)) continue;
		const Tokens tokens = layout_tokens(r, d);
		const bool named = tokens.len && tok_among(&tokens.data[0], "typedef using");
		found += d->body || (named && !(alias_of(r, d, words, &n) && names_itself(name, words, n)));
	}
	return found > 1;
}

static bool named_type(Layouts *r, Word name, LayoutType *out) {
	const Declaration *d = layout_declared(r, name);
	Word words[MOST_WORDS];
	size_t n;
	if (!d || d->kind != DECLARES_TYPE || r->depth > LAYOUT_DEEPEST) return false;
	r->doubt = r->doubt || layout_is_ambiguous(r, name);
	r->depth++;
	const bool alias = alias_of(r, d, words, &n) && !names_itself(name, words, n),
			   ok = alias && layout_type(r, words, n, out);
	const bool simple = !alias && layout_is_enumeration(r, d), known = simple && enumeration(r, d, out);
	r->depth--;
	if (ok || known) return true;
	const Layout *l = r->class_of(r, name);
	if (!l) return false;
	*out = (LayoutType){.kind = LAYOUT_CLASS, .class = l, .bytes = l->bytes, .align = l->align};
	r->doubt = r->doubt || l->doubtful;
	return true;
}

bool layout_type(Layouts *r, const Word *words, size_t n, LayoutType *out) {
	if (!n) return false;
	if (arithmetic(words, n, out)) return true;
	return n == 1 && (named_type(r, words[0], out) || layout_cuda_type(r->arena, words[0], out));
}

/* What a pointer to these words points to. A class is not looked into, since it may hold such pointers. */
Pointee layout_pointee(Layouts *r, const Word *of, size_t n) {
	Word words[MOST_WORDS];
	LayoutType type;
	memcpy(words, of, n * sizeof *words);
	for (int depth = 0; n && depth < LAYOUT_DEEPEST; depth++) {
		if (arithmetic(words, n, &type)) return (Pointee){.kind = POINTEE_NUMBER, .elem = type.elem};
		const Declaration *d = n == 1 ? layout_declared(r, words[0]) : NULL;
		if (d && d->kind == DECLARES_TYPE) {
			const Word name = words[0];
			if (layout_is_ambiguous(r, name) && !d->body) return (Pointee){0};
			const bool alias = alias_of(r, d, words, &n);
			if (alias && !names_itself(name, words, n)) continue;
			words[0] = name;
			if (!layout_is_enumeration(r, d))
				return (Pointee){.kind = POINTEE_CLASS, .name = words[0].at, .name_len = words[0].len};
			return enumeration(r, d, &type) ? (Pointee){.kind = POINTEE_NUMBER, .elem = type.elem} : (Pointee){0};
		}
		if (n != 1 || !layout_cuda_type(r->arena, words[0], &type)) break;
		if (type.kind == LAYOUT_NUMBER) return (Pointee){.kind = POINTEE_NUMBER, .elem = type.elem};
		if (type.kind == LAYOUT_CLASS) return (Pointee){.kind = POINTEE_NUMBER, .elem = type.class->fields[0].elem};
		break;
	}
	return (Pointee){0};
}
