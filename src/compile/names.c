/* names.h: kernel names.
 *
 * Linked names follow the Itanium C++ ABI, of which kernels use little: _Z, then either <length><identifier> or
 * N <length><identifier>... E, with I ... E behind a template's name, and the parameters last. */
#include "compile/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/text/nearest.h"
#include "base/vec.h"

/* One <length><identifier> at *p; false where there is none. */
static bool identifier(const char **p, const char **at, size_t *len) {
	if (!isdigit((unsigned char)**p)) return false;
	char *end;
	unsigned long n = strtoul(*p, &end, 10);
	if (n == 0 || n > strlen(end)) return false;
	*at = end;
	*len = n;
	*p = end + n;
	return true;
}

static const char *after_prefix(const char *linked, bool *nested) {
	const char *p = linked + 2;
	*nested = *p == 'N';
	if (*nested || *p == 'L') p++;
	return p;
}

char *name_plain(const char *linked) {
	if (!text_starts(linked, "_Z")) return xstrdup(linked);
	bool nested;
	const char *p = after_prefix(linked, &nested), *at;
	size_t len;
	Str s = {0};
	while (identifier(&p, &at, &len)) {
		if (strncmp(at, "_GLOBAL__N_", 11) != 0 && strncmp(at, "_INTERNAL_", 10) != 0) {
			if (s.len) str_add(&s, "::");
			str_addn(&s, at, len);
		}
		if (!nested) break;
		if (*p == 'L') p++;
	}
	if (s.len) return str_take(&s);
	str_free(&s);
	return NULL;
}

bool name_is_template_instance(const char *linked) {
	if (!text_starts(linked, "_Z")) return false;
	bool nested;
	const char *p = after_prefix(linked, &nested), *at;
	size_t len;
	while (identifier(&p, &at, &len)) {
		if (*p == 'I') return true;
		if (!nested) break;
		if (*p == 'L') p++;
	}
	return false;
}

/* The code of a type that C++ has by itself. */
static const char *type_code(const char *type, size_t len) {
	static const struct {
		const char *name, *code;
	} types[] = {{"void", "v"},           {"bool", "b"},
				 {"char", "c"},           {"signed char", "a"},
				 {"unsigned char", "h"},  {"short", "s"},
				 {"unsigned short", "t"}, {"int", "i"},
				 {"unsigned", "j"},       {"unsigned int", "j"},
				 {"long", "l"},           {"unsigned long", "m"},
				 {"long long", "x"},      {"unsigned long long", "y"},
				 {"float", "f"},          {"double", "d"},
				 {"int32_t", "i"},        {"uint32_t", "j"},
				 {"int64_t", "x"},        {"uint64_t", "y"},
				 {"size_t", "m"},         {"uint8_t", "h"}};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strlen(types[i].name) == len && memcmp(types[i].name, type, len) == 0) return types[i].code;
	return NULL;
}

/* One template argument as the linked name has it, up to `*p`: a literal's type is not in the text, and may be any. */
static bool argument_is(const char **p, const char *arg, size_t len) {
	const bool is_true = len == 4 && memcmp(arg, "true", 4) == 0, is_false = len == 5 && memcmp(arg, "false", 5) == 0;
	AUTO_STR Str s = {0};
	if (is_true || is_false) {
		str_add(&s, is_true ? "Lb1E" : "Lb0E");
	} else if (isdigit((unsigned char)*arg) || *arg == '-') {
		if (**p != 'L' || !(*p)[1]) return false;
		*p += 2;
		str_addf(&s, "%s%.*sE", *arg == '-' ? "n" : "", (int)(len - (*arg == '-')), arg + (*arg == '-'));
	} else {
		for (; len && arg[len - 1] == '*'; len--) str_add(&s, "P");
		while (len && arg[len - 1] == ' ') len--;
		const char *code = type_code(arg, len);
		if (code)
			str_add(&s, code);
		else
			str_addf(&s, "%zu%.*s", len, (int)len, arg);
	}
	const bool same = strncmp(*p, s.text, s.len) == 0;
	*p += same ? s.len : 0;
	return same;
}

bool name_is_instance(const char *linked, const char *name) {
	const char *open = strchr(name, '<'), *close = strrchr(name, '>'), *first = open;
	if (!open || !close || close < open || !text_starts(linked, "_Z")) return false;
	while (first > name && first[-1] != ':') first--;
	Str s = {0};
	str_addf(&s, "%d%.*sI", (int)(open - first), (int)(open - first), first);
	const char *p = strstr(linked, s.text);
	p = p ? p + s.len : NULL;
	str_free(&s);
	for (const char *arg = open + 1; p && arg < close;) {
		const char *end = memchr(arg, ',', (size_t)(close - arg));
		if (!end) end = close;
		while (*arg == ' ') arg++;
		size_t len = (size_t)(end > arg ? end - arg : 0);
		while (len && arg[len - 1] == ' ') len--;
		if (!len || !argument_is(&p, arg, len)) return false;
		arg = end + 1;
	}
	return p && *p == 'E';
}

size_t names_entries(Arena *arena, const char *ptx, char ***out) {
	VEC(char *) names = {0};
	for (const char *p = ptx; (p = strstr(p, ".entry")) != NULL;) {
		p += strlen(".entry");
		if (*p != ' ' && *p != '\t') continue;
		p += strspn(p, " \t");
		size_t n = strcspn(p, "( \t\r\n");
		vec_push_in(arena, &names, arena_strndup(arena, p, n));
		p += n;
	}
	*out = names.data;
	return names.len;
}

bool names_equal(const char *a, const char *b) {
	for (;; a++, b++) {
		while (isspace((unsigned char)*a)) a++;
		while (isspace((unsigned char)*b)) b++;
		if (*a != *b) return false;
		if (!*a) return true;
	}
}

const char *names_closest(const char *name, const char *const *candidates, size_t n) {
	AUTO_ARENA Arena *arena = arena_new();
	const char **bare = arena_array(arena, n + 1, sizeof *bare), *found = NULL;
	for (size_t i = 0; i < n; i++) bare[i] = arena_strndup(arena, candidates[i], strcspn(candidates[i], "<"));
	const char *best = nearest(arena_strndup(arena, name, strcspn(name, "<")), bare);
	for (size_t i = 0; best && i < n && !found; i++)
		if (bare[i] == best) found = candidates[i];
	return found;
}
