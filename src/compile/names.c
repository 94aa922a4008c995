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

/* The edits that turn a into b: a letter put in, left out, changed, or two neighbours swapped (optimal string alignment). The
 * last three rows of the table are all it needs. */
static size_t distance(const char *a, const char *b) {
	size_t n = strlen(b), width = n + 1;
	size_t *rows = xcalloc(3 * width, sizeof *rows);
	size_t *before = rows, *above = rows + width, *row = rows + 2 * width;
	for (size_t j = 0; j <= n; j++) row[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		size_t *reuse = before;
		before = above;
		above = row;
		row = reuse;
		row[0] = i;
		for (size_t j = 1; j <= n; j++) {
			size_t best = above[j - 1] + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
			if (above[j] + 1 < best) best = above[j] + 1;
			if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
			bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
			if (swapped && before[j - 2] + 1 < best) best = before[j - 2] + 1;
			row[j] = best;
		}
	}
	size_t d = row[n];
	free(rows);
	return d;
}

static void bare(const char *name, char out[200]) {
	size_t n = strcspn(name, "<");
	if (n > 199) n = 199;
	memcpy(out, name, n);
	out[n] = '\0';
}

const char *names_closest(const char *name, const char *const *candidates, size_t n) {
	char wanted[200], offered[200];
	bare(name, wanted);
	const char *best = NULL;
	size_t limit = strlen(wanted) / 3;
	if (limit == 0) limit = 1;
	for (size_t i = 0; i < n; i++) {
		bare(candidates[i], offered);
		size_t d = distance(wanted, offered);
		if (d > limit || (best && d == limit)) continue;
		best = candidates[i];
		limit = d;
	}
	return best;
}
