/* mangled.h: as much of the ABI as kernels and variables use, by recursive descent. What is unknown ends the reading:
 * parameters are known in full or not at all, names and template arguments as far as they were read.
 *
 *     _Z  4tile  I Li33E E  v       Pf      PKf          i
 *         name   arguments  result  float*  const float* int
 *
 * A type or template name that was seen before is written S_, S0_, S1_ ...: its number among the composite ones, in the
 * order in which they were completed. Builtin types are not numbered. */
#include "base/text/mangled.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SEEN = 128, MOST_ARGUMENTS = 32, MOST_PARTS = 16, MOST_NAME = 128, DEEPEST = 64 };

typedef struct {
	ParamType type;
	Word value; /* "33" or "n1" of a value; empty: it is the type */
} Argument;

typedef struct {
	const char *at;
	Word path[MOST_PARTS]; /* namespaces, classes, the name */
	size_t nparts;
	bool instance, result; /* result: what the function returns comes before its parameters */
	ParamType seen[MOST_SEEN];
	size_t nseen;
	Argument arguments[MOST_ARGUMENTS]; /* of the function's own template: what T_, T0_ ... stand for */
	size_t narguments;
	unsigned depth;
	bool failed;
} Reader;

static const ParamType unknown = {.kind = PARAM_UNKNOWN};

static ParamType fail(Reader *r) {
	r->failed = true;
	return unknown;
}

static ParamType remember(Reader *r, ParamType type) {
	if (r->nseen == MOST_SEEN) return fail(r);
	r->seen[r->nseen++] = type;
	return type;
}

static bool take(Reader *r, char c) {
	if (*r->at != c) return false;
	r->at++;
	return true;
}

static ParamType read_type(Reader *r);

/* A class of that name. */
static ParamType read_source_name(Reader *r) {
	size_t len = 0;
	while (isdigit((unsigned char)*r->at) && len < 100000) len = len * 10 + (size_t)(*r->at++ - '0');
	if (len == 0 || strnlen(r->at, len) < len) return fail(r);
	const ParamType class = {.kind = PARAM_UNKNOWN, .name = r->at, .name_len = len};
	r->at += len;
	return class;
}

static void read_arguments(Reader *r, bool own);

/* Behind L: a type and a value of it. */
static Argument read_literal(Reader *r) {
	Argument literal = {.type = read_type(r), .value = {.at = r->at}};
	if (*r->at == '_') fail(r); /* the address of a function or variable */
	while (*r->at && *r->at != 'E') r->at++;
	literal.value.len = (size_t)(r->at - literal.value.at);
	if (!take(r, 'E')) fail(r);
	return literal;
}

static Argument read_argument(Reader *r) {
	if (take(r, 'L')) return read_literal(r);
	if (*r->at == 'X' || *r->at == '\0') return (Argument){.type = fail(r)};
	if (!take(r, 'J')) return (Argument){.type = read_type(r)};
	read_arguments(r, false);
	return (Argument){.type = unknown};
}

/* ... E after I: types, literals (Li33E), packs (J...E). own: they are the function's. */
static void read_arguments(Reader *r, bool own) {
	if (own) r->narguments = 0;
	r->instance = r->instance || own;
	while (!r->failed && !take(r, 'E')) {
		const Argument argument = read_argument(r);
		if (own && !r->failed && r->narguments < MOST_ARGUMENTS) r->arguments[r->narguments++] = argument;
	}
}

/* T_, T0_, T1_ ... */
static ParamType read_parameter(Reader *r) {
	size_t number = 0;
	if (!take(r, '_')) {
		while (isdigit((unsigned char)*r->at) && number < MOST_ARGUMENTS)
			number = number * 10 + (size_t)(*r->at++ - '0');
		if (!take(r, '_')) return fail(r);
		number++;
	}
	return remember(r, number < r->narguments ? r->arguments[number].type : unknown);
}

/* S_, S0_ ... SZ_, S10_: what was seen. */
static ParamType read_seen(Reader *r) {
	size_t number = 0;
	bool first = *r->at == '_';
	for (; *r->at && *r->at != '_'; r->at++) {
		int digit = isdigit((unsigned char)*r->at)   ? *r->at - '0'
					: isupper((unsigned char)*r->at) ? *r->at - 'A' + 10
													 : -1;
		if (digit < 0 || number > MOST_SEEN) return fail(r);
		number = number * 36 + (size_t)digit;
	}
	if (!take(r, '_')) return fail(r);
	if (!first) number++;
	return number < r->nseen ? r->seen[number] : fail(r);
}

/* An unnamed namespace is none to those who read. */
static void add_part(Reader *r, const ParamType *part) {
	const Word name = {part->name, part->name_len};
	const bool unnamed =
		name.len && (strncmp(name.at, "_GLOBAL__N_", 11) == 0 || strncmp(name.at, "_INTERNAL_", 10) == 0);
	if (name.len && !unnamed && r->nparts < MOST_PARTS) r->path[r->nparts++] = name;
}

/* N a b I...E E. Every prefix is numbered, but for the last if it is the whole of a function's name (type false).
 * *arguments: the name ended in template arguments. Returns the class. */
static ParamType read_nested(Reader *r, bool type, bool *arguments) {
	ParamType class = unknown;
	while (take(r, 'K') || take(r, 'V')) {
	}
	*arguments = false;
	while (!r->failed && !take(r, 'E')) {
		*arguments = false;
		if (take(r, 'S')) {
			if (take(r, 't')) continue; /* std */
			class = read_seen(r);
			continue;
		}
		if (take(r, 'I')) {
			read_arguments(r, !type);
			*arguments = true;
			class = unknown;
		} else {
			take(r, 'L'); /* internal linkage */
			class = read_source_name(r);
			if (!type) add_part(r, &class);
		}
		if (type || *r->at != 'E') remember(r, class);
	}
	return class;
}

/* A class: its name, numbered, and with arguments once more. */
static ParamType read_class(Reader *r) {
	const ParamType class = read_source_name(r);
	remember(r, class);
	if (!take(r, 'I')) return class;
	read_arguments(r, false);
	return remember(r, unknown);
}

static bool builtin(char c, ParamType *out) {
	static const struct {
		char code;
		ElemType elem;
	} codes[] = {{'f', ELEM_F32}, {'d', ELEM_F64}, {'i', ELEM_I32}, {'j', ELEM_U32}, {'x', ELEM_I64},
				 {'y', ELEM_U64}, {'l', ELEM_I64}, {'m', ELEM_U64}, {'s', ELEM_I16}, {'t', ELEM_U16},
				 {'c', ELEM_I8},  {'a', ELEM_I8},  {'h', ELEM_U8}};
	*out = unknown;
	if (c == 'b') out->kind = PARAM_BOOL;
	if (c == 'b' || c == 'v' || c == 'w' || c == 'n' || c == 'o' || c == 'e' || c == 'g' || c == 'z') return true;
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
		if (codes[i].code != c) continue;
		*out = (ParamType){.kind = PARAM_SCALAR, .elem = codes[i].elem};
		return true;
	}
	return false;
}

static ParamType pointer_to(ParamType to) {
	const bool scalar = to.kind == PARAM_SCALAR, pointer = to.kind == PARAM_POINTER;
	return (ParamType){.kind = PARAM_POINTER,
					   .typed = scalar,
					   .elem = to.elem,
					   .stars = pointer ? to.stars + 1 : 1,
					   .of_elem = scalar || (pointer && to.of_elem),
					   .name = to.kind == PARAM_UNKNOWN || pointer ? to.name : NULL,
					   .name_len = to.name_len};
}

static ParamType read_composite(Reader *r) {
	bool arguments;
	char c = *r->at;
	if (isdigit((unsigned char)c)) return read_class(r);
	if (c == '\0') return fail(r);
	r->at++;
	switch (c) {
	case 'P': return remember(r, pointer_to(read_type(r)));
	case 'R':
	case 'O': read_type(r); return remember(r, unknown);
	case 'K':
	case 'V':
	case 'r':
		while (take(r, 'K') || take(r, 'V')) {
		} /* qualifiers together make one type */
		return remember(r, read_type(r));
	case 'N': return read_nested(r, true, &arguments);
	case 'T': return read_parameter(r);
	case 'S':
		if (take(r, 't')) return read_class(r);
		{
			ParamType type = read_seen(r);
			if (!take(r, 'I')) return type;
			read_arguments(r, false);
			return remember(r, unknown);
		}
	default: return fail(r); /* arrays, functions, members, vectors, decltype */
	}
}

static ParamType read_type(Reader *r) {
	ParamType type;
	if (r->failed || ++r->depth > DEEPEST) return fail(r);
	if (builtin(*r->at, &type))
		r->at++;
	else
		type = read_composite(r);
	r->depth--;
	return type;
}

static void read_name(Reader *r) {
	if (take(r, 'N')) {
		read_nested(r, false, &r->result);
		return;
	}
	take(r, 'L');
	const ParamType name = read_source_name(r);
	add_part(r, &name);
	if (!take(r, 'I')) return;
	remember(r, unknown);
	read_arguments(r, true);
	r->result = true;
}

/* The parameters come next. */
static Reader after_name(const char *linked) {
	Reader r = {.at = linked, .failed = !text_starts(linked, "_Z")};
	if (r.failed) return r;
	r.at += 2;
	read_name(&r);
	return r;
}

/* --- what a name says --------------------------------------------------------------------------------------------- */

size_t mangled_parameters(const char *linked, ParamType *out, size_t most) {
	size_t n = 0;
	Reader r = after_name(linked);
	if (r.result) read_type(&r);
	if (strcmp(r.at, "v") == 0) return 0; /* (void) */
	while (*r.at && !r.failed) {
		if (n == most) return 0;
		out[n++] = read_type(&r);
	}
	return r.failed ? 0 : n;
}

void param_name(const ParamType *type, char *out, size_t size) {
	const bool pointer = type->kind == PARAM_POINTER, known = pointer && (type->of_elem || type->name);
	const char *name = type->kind == PARAM_BOOL ? "bool" : pointer && !known ? "a pointer" : "";
	char stars[5] = "";
	for (unsigned i = 0; known && i < type->stars && i + 1 < sizeof stars; i++) stars[i] = '*';
	if (type->kind == PARAM_SCALAR || type->of_elem) name = elem_name(type->elem);
	if (type->name)
		snprintf(out, size, "%.*s%s", (int)type->name_len, type->name, stars);
	else
		snprintf(out, size, "%s%s", name, stars);
}

char *mangled_plain(const char *linked) {
	const Reader r = after_name(linked);
	Str s = {0};
	if (!text_starts(linked, "_Z")) return xstrdup(linked);
	for (size_t i = 0; i < r.nparts; i++) str_addf(&s, "%s%.*s", i ? "::" : "", (int)r.path[i].len, r.path[i].at);
	return s.len ? str_take(&s) : NULL;
}

bool mangled_is_instance(const char *linked) {
	return after_name(linked).instance;
}

/* A variable of a function is at the end, behind the E of the function; a number tells several apart. */
static Word variable_in_function(const char *linked) {
	for (const char *p = strchr(linked, 'E'); p; p = strchr(p + 1, 'E')) {
		Reader r = {.at = p + 1};
		const ParamType name = read_source_name(&r);
		if (!r.failed && (*r.at == '\0' || *r.at == '_')) return (Word){name.name, name.name_len};
	}
	return (Word){0};
}

void mangled_function(const char *linked, char *out, size_t size) {
	AUTO_FREE char *name = mangled_plain(linked);
	snprintf(out, size, "%s", name ? name : linked);
}

void mangled_variable(const char *linked, char *out, size_t size) {
	const Reader r = after_name(linked);
	Word name = r.nparts ? r.path[r.nparts - 1] : (Word){0};
	if (text_starts(linked, "_ZZ")) name = variable_in_function(linked);
	if (!name.len) name = (Word){linked, strlen(linked)};
	snprintf(out, size, "%.*s", (int)name.len, name.at);
}

/* "33", "-1", "true", "float*"; "" if it is not understood. */
static void argument_text(const Argument *a, char *out, size_t size) {
	const bool negative = a->value.len && *a->value.at == 'n';
	if (a->value.len && a->type.kind == PARAM_BOOL)
		snprintf(out, size, "%s", *a->value.at == '0' ? "false" : "true");
	else if (a->value.len)
		snprintf(out, size, "%s%.*s", negative ? "-" : "", (int)a->value.len - negative, a->value.at + negative);
	else
		param_name(&a->type, out, size);
}

size_t mangled_arguments(const char *linked, Str *out) {
	const Reader r = after_name(linked);
	for (size_t i = 0; i < r.narguments; i++) {
		char text[MOST_NAME];
		argument_text(&r.arguments[i], text, sizeof text);
		if (!*text) return i;
		str_addn(out, text, strlen(text) + 1);
	}
	return r.narguments;
}

char *mangled_written(const char *linked) {
	AUTO_FREE char *plain = mangled_plain(linked);
	AUTO_STR Str arguments = {0}, name = {0};
	str_add(&name, plain ? plain : linked);
	const size_t n = plain && mangled_is_instance(linked) ? mangled_arguments(linked, &arguments) : 0;
	const char *argument = arguments.text;
	for (size_t i = 0; i < n; i++, argument += strlen(argument) + 1) str_addf(&name, "%s%s", i ? ", " : "<", argument);
	if (n) str_add(&name, ">");
	return str_take(&name);
}

/* --- a name as it is written -------------------------------------------------------------------------------------- */

static Word trimmed(const char *from, const char *to) {
	while (from < to && *from == ' ') from++;
	while (to > from && to[-1] == ' ') to--;
	return (Word){from, (size_t)(to - from)};
}

/* Types have several names, of which one is given to all. */
static void written_argument(Word word, char *out, size_t size) {
	ElemType elem;
	size_t stars = 0;
	while (stars < word.len && word.at[word.len - 1 - stars] == '*') stars++;
	const Word base = trimmed(word.at, word.at + word.len - stars);
	snprintf(out, size, "%.*s", (int)base.len, base.at);
	const char *name = strcmp(out, "bool") != 0 && elem_parse(out, &elem) ? elem_name(elem) : NULL;
	snprintf(out, size, "%.*s%.*s", (int)(name ? strlen(name) : base.len), name ? name : base.at, (int)stars, "****");
}

static bool arguments_are(const Reader *r, const char *from, const char *close) {
	size_t i = 0;
	for (const char *end; from <= close; from = end + 1, i++) {
		char written[MOST_NAME], text[MOST_NAME];
		end = memchr(from, ',', (size_t)(close - from));
		if (!end) end = close;
		written_argument(trimmed(from, end), written, sizeof written);
		if (i == r->narguments || !*written) return false;
		argument_text(&r->arguments[i], text, sizeof text);
		if (strcmp(text, written) != 0) return false;
	}
	return i == r->narguments;
}

bool mangled_is_named(const char *linked, const char *name) {
	const char *open = strchr(name, '<'), *close = strrchr(name, '>');
	if (!open || !close || close < open) return false;
	const Word path = trimmed(name, open);
	const Reader r = after_name(linked);
	AUTO_FREE char *plain = mangled_plain(linked), *ending = xstrndup(path.at, path.len);
	const char *rest = r.instance && plain && text_ends(plain, ending) ? plain + strlen(plain) - path.len : NULL;
	return rest && (rest == plain || rest[-1] == ':') && arguments_are(&r, open + 1, close);
}
