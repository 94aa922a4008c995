/* signature.h: as much of the Itanium C++ ABI's name mangling as kernels' signatures use. Recursive descent; anything
 * unknown fails the whole signature, so that a partial parse is never used.
 *
 *     _Z  4tile  I Li33E E  v       Pf      PKf          i
 *         name   arguments  result  float*  const float* int
 *
 * A type or template name that was seen before is written S_, S0_, S1_ ...: its number among the composite ones, in the
 * order in which they were completed. Builtin types are not numbered. */
#include "bind/values/signature.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SEEN = 128, MOST_ARGUMENTS = 32, DEEPEST = 64 };

typedef struct {
	const char *at;
	ParamType seen[MOST_SEEN];
	size_t nseen;
	ParamType arguments[MOST_ARGUMENTS]; /* of the function's own template: what T_, T0_ ... stand for */
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

static void read_literal(Reader *r) {
	read_type(r);
	if (*r->at == '_') fail(r); /* the address of a function or variable */
	while (*r->at && *r->at != 'E') r->at++;
	if (!take(r, 'E')) fail(r);
}

/* ... E after I: types, literals (Li33E), packs (J...E). own: they are the function's. */
static void read_arguments(Reader *r, bool own) {
	size_t n = 0;
	ParamType read[MOST_ARGUMENTS];
	while (!r->failed && !take(r, 'E')) {
		ParamType type = unknown;
		if (take(r, 'L'))
			read_literal(r);
		else if (take(r, 'J'))
			read_arguments(r, false);
		else if (*r->at == 'X' || *r->at == '\0')
			fail(r);
		else
			type = read_type(r);
		if (n < MOST_ARGUMENTS) read[n++] = type;
	}
	if (!own) return;
	memcpy(r->arguments, read, n * sizeof *read);
	r->narguments = n;
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
	return remember(r, number < r->narguments ? r->arguments[number] : unknown);
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

/* The function's name; true if it is an instance of a template, whose signature begins with its result. */
static bool read_name(Reader *r) {
	bool arguments = false;
	if (take(r, 'N')) {
		read_nested(r, false, &arguments);
		return arguments;
	}
	take(r, 'L');
	read_source_name(r);
	if (!take(r, 'I')) return false;
	remember(r, unknown);
	read_arguments(r, true);
	return true;
}

size_t signature_read(const char *linked, ParamType *out, size_t most) {
	Reader r = {.at = linked};
	size_t n = 0;
	if (strncmp(linked, "_Z", 2) != 0) return 0;
	r.at += 2;
	if (read_name(&r)) read_type(&r);
	if (strcmp(r.at, "v") == 0) return 0; /* (void) */
	while (*r.at && !r.failed) {
		if (n == most) return 0;
		out[n++] = read_type(&r);
	}
	return r.failed ? 0 : n;
}

void signature_name(const ParamType *type, char *out, size_t size) {
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
