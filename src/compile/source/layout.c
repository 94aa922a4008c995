/* layout.h: from the tokens of each data member. */
#include "compile/source/layout.h"

#include <stdlib.h>
#include <string.h>

#include "compile/source/layout_types.h"

/* --- extents and alignments --------------------------------------------------------------------------------------- */

static const MacroText *macro_named(const Layouts *r, const Tok *t) {
	const MacroText *found = NULL;
	for (size_t i = 0; i < r->macros.len; i++)
		if (words_same(r->macros.data[i].name, (Word){t->at, t->len})) found = &r->macros.data[i];
	return found;
}

static const char *skip_suffix(const char *end) {
	while (*end == 'u' || *end == 'U' || *end == 'l' || *end == 'L') end++;
	return end;
}

/* An extent: a number, or a macro or constant that is one. */
static bool extent_of(Layouts *r, const Tok *t, size_t *out) {
	const char *text = t->at;
	char *end;
	if (t->kind == TOK_WORD) {
		const Declaration *d = layout_declared(r, (Word){t->at, t->len});
		const MacroText *macro = macro_named(r, t);
		text = macro ? macro->text.at : NULL;
		if (d && d->kind == DECLARES_VARIABLE && d->constant) {
			text = memchr(r->source + d->from, '=', d->to - d->from);
			text = text ? text + 1 : NULL;
		}
	}
	while (text && (*text == ' ' || *text == '\t' || *text == '(')) text++;
	const unsigned long v = text ? strtoul(text, &end, 0) : 0;
	if (!text || end == text || !v || v > LAYOUT_MOST_ELEMENTS) return false;
	const char *p = skip_suffix(end);
	*out = v;
	if (t->kind == TOK_NUMBER) return p == t->at + t->len;
	while (*p == ')' || *p == ' ' || *p == '\t') p++;
	return *p == '\0' || strchr("\r\n;]/,", *p);
}

/* What is in the parentheses of alignas: a number or a type. */
static bool alignment_value(Layouts *r, const Tok *tokens, size_t n, size_t *align) {
	Word words[MOST_WORDS];
	LayoutType type;
	size_t value, nwords = 0;
	if (n == 1 && extent_of(r, &tokens[0], &value)) {
		if (value > *align) *align = value;
		return (value & (value - 1)) == 0 || layout_fail(r, "%zu is not an alignment", value);
	}
	for (size_t i = 0; i < n && nwords < MOST_WORDS; i++)
		if (layout_plain_word(&tokens[i])) words[nwords++] = (Word){tokens[i].at, tokens[i].len};
	if (!nwords || nwords != n || !layout_type(r, words, nwords, &type))
		return layout_fail(r, "an alignment is neither a number nor a type");
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
static bool attributes(Layouts *r, const Tok *tokens, size_t n, size_t *align) {
	enum { LARGEST = 16 };
	for (size_t i = 0; i < n; i++) {
		if (tok_among(&tokens[i], "packed __packed__")) return layout_fail(r, "a structure is packed");
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
static bool alignment(Layouts *r, const Tokens *list, size_t *i, size_t *align, bool *there) {
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
	const Tokens inside = layout_tokens_between(r, macro->text.at, macro->text.at + macro->text.len);
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

static void add_field(Layouts *r, Fields *fields, Layout *l, const LayoutType *type, LayoutField field) {
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

static bool extents(Layouts *r, const Tokens *tokens, size_t *i, LayoutField *field) {
	for (++*i; *i + 2 < tokens->len && tok_is(&tokens->data[*i], '['); *i += 3) {
		size_t one;
		if (!extent_of(r, &tokens->data[*i + 1], &one) || !tok_is(&tokens->data[*i + 2], ']') ||
			field->nextents == LAYOUT_EXTENTS)
			return layout_fail(r, "the extents of \"%s\" are not plain numbers", field->name);
		field->extents[field->nextents++] = one;
		field->count = (field->count ? field->count : 1) * one;
		if (field->count > LAYOUT_MOST_ELEMENTS) return layout_fail(r, "\"%s\" has too many elements", field->name);
	}
	return true;
}

/* To behind the declarator's `,` or `;`: an alignment, an initializer. */
static bool rest_of_declarator(Layouts *r, const Tokens *tokens, size_t *i, const char *name, size_t *align) {
	int depth = 0;
	bool there;
	for (; *i < tokens->len; ++*i) {
		const Tok *t = &tokens->data[*i];
		depth += tok_is(t, '(') + tok_is(t, '{') + tok_is(t, '[') - tok_is(t, ')') - tok_is(t, '}') - tok_is(t, ']');
		if (depth) continue;
		if (tok_is(t, ',') || tok_is(t, ';')) break;
		if (tok_is(t, ':')) return layout_fail(r, "\"%s\" is a bit field", name);
		if (!alignment(r, tokens, i, align, &there)) return false;
	}
	++*i;
	return true;
}

static LayoutType pointer_type(PointeeKind kind, Pointee to) {
	if (kind == POINTEE_POINTER) to = (Pointee){.kind = POINTEE_POINTER};
	return (LayoutType){.kind = LAYOUT_POINTER, .to = to, .bytes = 8, .align = 8};
}

/* One declarator from tokens[*i] on: stars, a name, extents. align: of the declaration; to: what a star points to. */
static bool declarator(Layouts *r, const Tokens *tokens, size_t *i, LayoutType type, Pointee to, size_t align,
					   Fields *fields, Layout *l) {
	for (; *i < tokens->len && !layout_plain_word(&tokens->data[*i]); ++*i) {
		const bool again = type.kind == LAYOUT_POINTER && type.bytes;
		if (tok_is(&tokens->data[*i], '*')) type = pointer_type(again ? POINTEE_POINTER : to.kind, to);
		if (tok_is(&tokens->data[*i], '&') || tok_is(&tokens->data[*i], '('))
			return layout_fail(r, "a member is a reference or a function");
	}
	if (*i >= tokens->len) return layout_fail(r, "a member is not understood");
	const char *name = arena_strndup(r->arena, tokens->data[*i].at, tokens->data[*i].len);
	LayoutField field = {.name = name};
	if (!extents(r, tokens, i, &field) || !rest_of_declarator(r, tokens, i, name, &align)) return false;
	if (!type.bytes) return layout_fail(r, "the type of \"%s\" is not known", name);
	if (align > type.align) type.align = align;
	for (size_t k = 0; k < fields->len; k++)
		if (strcmp(fields->data[k].name, name) == 0) return layout_fail(r, "two fields have the name \"%s\"", name);
	add_field(r, fields, l, &type, field);
	return true;
}

/* The words before a declarator, which *i is then at. */
typedef struct {
	Word words[MOST_WORDS];
	size_t n, align;
	bool star, is_static;
} Specifiers;

static bool specifiers(Layouts *r, const Tokens *tokens, size_t *i, Specifiers *out) {
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
		if (tok_is(t, '<') || tok_is(t, '('))
			return layout_fail(r, "a member has the type of a template or a function");
		if (t->kind == TOK_PUNCT && strchr("*,;[={:&", *t->at)) break;
		if (layout_plain_word(t) && out->n < MOST_WORDS) out->words[out->n++] = (Word){t->at, t->len};
	}
	out->star = *i < tokens->len && tok_is(&tokens->data[*i], '*');
	if (out->star || !out->n) return true;
	out->n--;
	while (*i > 0 && (*i == tokens->len || tokens->data[*i].at != out->words[out->n].at)) --*i;
	return true;
}

static bool declarators(Layouts *r, const Declaration *d, bool of_class, Fields *fields, Layout *l) {
	const Tokens tokens = layout_tokens(r, d);
	size_t i = 0;
	Specifiers s;
	LayoutType type = {0};
	if (of_class && tokens.len && tok_is_word(&tokens.data[0], "static")) return true;
	if (!specifiers(r, &tokens, &i, &s)) return false;
	if (of_class && s.is_static) return true;
	const char *why = r->why;
	const Pointee to = s.star ? layout_pointee(r, s.words, s.n) : (Pointee){0};
	bool more_than_pointers = !s.star;
	for (size_t k = i; k < tokens.len; k++) more_than_pointers = more_than_pointers || tok_is(&tokens.data[k], ',');
	if (more_than_pointers && !layout_type(r, s.words, s.n, &type)) type = (LayoutType){0};
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

static bool base_of(Layouts *r, const Tokens *tokens, size_t *i, Head *head) {
	for (++*i; *i < tokens->len && !tok_is(&tokens->data[*i], '{'); ++*i) {
		const Tok *t = &tokens->data[*i];
		if (tok_is(t, ',')) return layout_fail(r, "it has several base classes");
		if (tok_is(t, '<')) return layout_fail(r, "its base class is a template");
		if (tok_is_word(t, "virtual")) return layout_fail(r, "it has a virtual base class");
		if (layout_plain_word(t) && !tok_among(t, "public private protected")) head->base = (Word){t->at, t->len};
	}
	return true;
}

static bool read_head(Layouts *r, const Declaration *d, Head *head) {
	const Tokens tokens = layout_tokens(r, d);
	size_t i = 0;
	bool there;
	*head = (Head){0};
	for (; i < tokens.len && !tok_is(&tokens.data[i], '{'); i++) {
		const Tok *t = &tokens.data[i];
		if (tok_is_word(t, "union")) return layout_fail(r, "it is a union, whose fields share their bytes");
		if (tok_is(t, '<')) return layout_fail(r, "it is a template");
		if (tok_is_word(t, "class")) head->is_class = true;
		if (!alignment(r, &tokens, &i, &head->align, &there)) return false;
		if (!tok_is(&tokens.data[i], ':')) continue;
		if (!base_of(r, &tokens, &i, head)) return false;
		break;
	}
	return true;
}

static const Layout *layout_class(Layouts *r, Word name);

/* A base that has padding at its end may have the derived class's first fields there, or not. */
static bool read_base(Layouts *r, Word name, Fields *fields, Layout *l) {
	const Layout *base = layout_class(r, name);
	if (!base) return layout_fail(r, "its base class is not known");
	const LayoutField *last = base->nfields ? &base->fields[base->nfields - 1] : NULL;
	if (last && last->offset + last->bytes * (last->count ? last->count : 1) != base->bytes)
		return layout_fail(r, "its base class ends with padding");
	for (size_t i = 0; i < base->nfields; i++) vec_push_in(r->arena, fields, base->fields[i]);
	l->bytes = base->nfields ? base->bytes : 0;
	l->align = base->align;
	r->doubt = r->doubt || base->doubtful;
	l->hidden = base->hidden;
	return true;
}

/* struct Inner { ... }; and enum { A, B }; in a class hold nothing. */
static bool only_a_type(Layouts *r, const Declaration *d) {
	const Tokens tokens = layout_tokens(r, d);
	const size_t n = tokens.len;
	if (layout_is_enumeration(r, d)) return n > 1 && tok_is(&tokens.data[n - 2], '}');
	return n > 2 && tokens.data[1].kind == TOK_WORD && tok_is(&tokens.data[n - 2], '}');
}

static bool read_members(Layouts *r, int32_t class, Fields *fields, Layout *l) {
	for (size_t i = (size_t) class + 1; i < r->list.len; i++) {
		const Declaration *d = &r->list.data[i];
		if (d->parent != class) continue;
		const Tokens tokens = layout_tokens(r, d);
		if (tokens.len && tok_is_word(&tokens.data[0], "virtual")) return layout_fail(r, "it has virtual functions");
		if (d->kind == DECLARES_TYPE && d->body && !only_a_type(r, d))
			return layout_fail(r, "%s",
							   tok_is_word(&tokens.data[0], "union") ? "it has a union, whose fields share their bytes"
																	 : "it has a structure inside");
		if (d->kind == DECLARES_VARIABLE && !declarators(r, d, true, fields, l)) return false;
	}
	return true;
}

static void read_marks(Layouts *r, const Declaration *d, const Head *head, Layout *l) {
	const Tokens tokens = layout_tokens(r, d);
	l->hidden = l->hidden || head->is_class;
	for (size_t i = 0; i < tokens.len; i++) {
		l->hidden = l->hidden || tok_among(&tokens.data[i], "private protected");
		l->doubtful = l->doubtful || tokens.data[i].kind == TOK_DIRECTIVE;
	}
}

static const Layout *read_class(Layouts *r, const Declaration *d, Word name) {
	Layout *l = arena_alloc(r->arena, sizeof *l);
	Fields fields = {0};
	Head head;
	l->align = 1;
	if (strstr(r->source, "pragma pack") && !layout_fail(r, "the source has #pragma pack")) return NULL;
	if (!read_head(r, d, &head)) return NULL;
	if (head.base.len && !read_base(r, head.base, &fields, l)) return NULL;
	if (!read_members(r, (int32_t)(d - r->list.data), &fields, l)) return NULL;
	if (head.align > l->align) l->align = head.align;
	l->bytes = l->bytes ? (l->bytes + l->align - 1) / l->align * l->align : l->align;
	l->name = arena_strndup(r->arena, name.at, name.len);
	l->doubtful = r->doubt || layout_is_ambiguous(r, name);
	read_marks(r, d, &head, l);
	l->nfields = fields.len;
	l->fields = fields.data;
	return l;
}

static const Layout *layout_class(Layouts *r, Word name) {
	size_t i = 0;
	while (i < r->list.len && !(r->list.data[i].parent < 0 && r->list.data[i].body &&
								r->list.data[i].kind == DECLARES_TYPE && layout_has_name(&r->list.data[i], name)))
		i++;
	if (i == r->list.len && !layout_fail(r, "its declaration was not found")) return NULL;
	if ((r->depth > LAYOUT_DEEPEST || r->known[i].open) && !layout_fail(r, "it is nested too deeply")) return NULL;
	Known *known = &r->known[i];
	if (!known->done) {
		const char *before = r->why;
		const bool doubt = r->doubt;
		r->why = NULL;
		r->doubt = false;
		known->open = true;
		r->depth++;
		known->layout = read_class(r, &r->list.data[i], name);
		r->depth--;
		known->open = false;
		known->done = true;
		known->why = r->why;
		r->why = before;
		r->doubt = doubt;
	}
	if (!known->layout) layout_fail(r, "%s", known->why ? known->why : "it is not understood");
	return known->layout;
}

const Layout *layouts_find(Layouts *r, const char *name, size_t len, const char **why) {
	const Word word = {name, len};
	LayoutType type;
	r->why = NULL;
	const Layout *l = layout_class(r, word);
	if (!l && layout_cuda_type(r->arena, word, &type) && type.kind == LAYOUT_CLASS) l = type.class;
	if (why) *why = l ? NULL : r->why;
	return l && l->nfields ? l : NULL;
}

bool layouts_variable(Layouts *r, const char *name, size_t len, LayoutField *out, bool *doubtful) {
	const Word word = {name, len};
	const Declaration *found = NULL;
	Fields fields = {0};
	Layout l = {.align = 1};
	for (size_t i = 0; i < r->list.len; i++) {
		const Declaration *d = &r->list.data[i];
		if (d->parent >= 0 || d->kind != DECLARES_VARIABLE || !layout_has_name(d, word)) continue;
		if (found) return false;
		found = d;
	}
	r->why = NULL;
	r->doubt = false;
	if (!found || !declarators(r, found, false, &fields, &l)) return false;
	for (size_t i = 0; i < fields.len; i++)
		if (strlen(fields.data[i].name) == len && memcmp(fields.data[i].name, name, len) == 0) *out = fields.data[i];
	*doubtful = r->doubt;
	return out->name != NULL;
}

Layouts *layouts_new(const char *source, const char *headers) {
	Arena *arena = arena_new();
	Layouts *r = arena_alloc(arena, sizeof *r);
	*r = (Layouts){.arena = arena,
				   .class_of = layout_class,
				   .source = arena_format(arena, "%s\n%s", source, headers ? headers : "")};
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
