/* names.h: kernel names.
 *
 * Linked names follow the Itanium C++ ABI, of which kernels use little: _Z, then either <length><identifier> or
 * N <length><identifier>... E, with I ... E behind a template's name, and the parameters last. */
#include "compile/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/nearest.h"
#include "base/str.h"
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
		if (len < 11 || memcmp(at, "_GLOBAL__N_", 11) != 0) {
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

size_t names_entries(const char *ptx, char ***out) {
	VEC(char *) names = {0};
	for (const char *p = ptx; (p = strstr(p, ".entry")) != NULL;) {
		p += strlen(".entry");
		if (*p != ' ' && *p != '\t') continue;
		p += strspn(p, " \t");
		size_t n = strcspn(p, "( \t\r\n");
		Str s = {0};
		str_addn(&s, p, n);
		vec_push(&names, str_take(&s));
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

static char *bare(const char *name) {
	Str s = {0};
	str_addn(&s, name, strcspn(name, "<"));
	return str_take(&s);
}

const char *names_closest(const char *name, const char *const *candidates, size_t n) {
	char *wanted = bare(name), **offered = xcalloc(n + 1, sizeof *offered);
	for (size_t i = 0; i < n; i++) offered[i] = bare(candidates[i]);
	const char *best = nearest(wanted, (const char *const *)offered), *found = NULL;
	for (size_t i = 0; i < n; i++) {
		if (best && offered[i] == best) found = candidates[i];
		free(offered[i]);
	}
	free(offered);
	free(wanted);
	return found;
}
