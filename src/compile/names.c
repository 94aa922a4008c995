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

/* Levenshtein's distance, by rows. */
static size_t distance(const char *a, const char *b) {
	size_t n = strlen(b);
	size_t *row = xcalloc(n + 1, sizeof *row);
	for (size_t j = 0; j <= n; j++) row[j] = j;
	for (size_t i = 0; a[i]; i++) {
		size_t diagonal = row[0];
		row[0] = i + 1;
		for (size_t j = 0; j < n; j++) {
			size_t best = diagonal + (tolower((unsigned char)a[i]) != tolower((unsigned char)b[j]));
			diagonal = row[j + 1];
			if (row[j] + 1 < best) best = row[j] + 1;
			if (row[j + 1] + 1 < best) best = row[j + 1] + 1;
			row[j + 1] = best;
		}
	}
	size_t d = row[n];
	free(row);
	return d;
}

const char *names_closest(const char *name, const char *const *candidates, size_t n) {
	const char *best = NULL;
	size_t len = strlen(name), limit = len / 3 + 1;
	if (len > 200) return NULL;
	for (size_t i = 0; i < n; i++) {
		if (strlen(candidates[i]) > 200) continue;
		size_t d = distance(name, candidates[i]);
		if (d <= limit) {
			best = candidates[i];
			limit = d ? d - 1 : 0;
			if (!d) break;
		}
	}
	return best;
}
