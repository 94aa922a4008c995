/* check.h: the set of checkers, its observers and its findings. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text/nearest.h"
#include "emu/check/checker.h"

struct CheckSet {
	Checker *checkers[CHECKERS];
	Observer *observers[CHECKERS];
	size_t n;
	VEC(Finding) findings; /* of all checkers, in order; built on request */
};

typedef struct {
	CheckFlag flag;
	const char *name;
	Checker *(*make)(const Gpu *gpu);
} CheckKind;

static const CheckKind kinds[CHECKERS] = {
#define CHECKER(id, name, what) {CHECK_##id, #name, name##_checker_new},
#include "emu/check/checkers.def"
#undef CHECKER
};

CheckSet *checks_new(const Gpu *gpu, unsigned flags) {
	CheckSet *set = xcalloc(1, sizeof *set);
	for (size_t i = 0; i < CHECKERS; i++) {
		if (!(flags & kinds[i].flag)) continue;
		Checker *c = kinds[i].make(gpu);
		c->flag = kinds[i].flag;
		set->checkers[set->n] = c;
		set->observers[set->n++] = &c->base;
	}
	return set;
}

void checks_free(CheckSet *set) {
	if (!set) return;
	for (size_t i = 0; i < set->n; i++) checker_free(set->checkers[i]);
	vec_free(&set->findings);
	free(set);
}

Observer **checks_observers(CheckSet *set, size_t *count) {
	*count = set->n;
	return set->observers;
}

static int by_place(const void *a, const void *b) {
	const Finding *x = a, *y = b;
	if (x->check != y->check) return x->check < y->check ? -1 : 1;
	const int files = strcmp(x->site[0].file, y->site[0].file);
	if (files) return files;
	if (x->site[0].line != y->site[0].line) return x->site[0].line < y->site[0].line ? -1 : 1;
	return x->site[1].line < y->site[1].line ? -1 : x->site[1].line > y->site[1].line;
}

const Finding *checks_findings(const CheckSet *constant, size_t *count) {
	CheckSet *set = (CheckSet *)constant;
	set->findings.len = 0;
	for (size_t i = 0; i < set->n; i++)
		for (size_t k = 0; k < set->checkers[i]->findings.len; k++)
			vec_push(&set->findings, set->checkers[i]->findings.data[k]);
	if (set->findings.len) qsort(set->findings.data, set->findings.len, sizeof *set->findings.data, by_place);
	*count = set->findings.len;
	return set->findings.data;
}

const char *check_name(CheckFlag flag) {
	for (size_t i = 0; i < CHECKERS; i++)
		if (kinds[i].flag == flag) return kinds[i].name;
	return "?";
}

static unsigned flag_named(const char *word, size_t len) {
	if (len == 3 && !strncmp(word, "all", 3)) return CHECK_ALL;
	for (size_t i = 0; i < CHECKERS; i++)
		if (strlen(kinds[i].name) == len && !strncmp(word, kinds[i].name, len)) return kinds[i].flag;
	return 0;
}

bool checks_parse(const char *list, unsigned *flags, Err *err) {
#define CHECKER(id, name, what) #name,
	static const char *const names[] = {
#include "emu/check/checkers.def"
		"all", NULL};
#undef CHECKER
	unsigned found = 0;
	for (const char *at = list;; at++) {
		const size_t len = strcspn(at, ",");
		const unsigned flag = flag_named(at, len);
		if (!flag) {
			char word[64] = "";
			memcpy(word, at, len < sizeof word ? len : sizeof word - 1);
			err_set(err, ERR_USAGE, "\"%s\" is not a check", word);
			const char *meant = nearest(word, names);
			if (meant) return err_hint(err, "did you mean %s?", meant);
#define CHECKER(id, name, what) #name ", "
			return err_hint(err, "the checks are "
#include "emu/check/checkers.def"
								 "or all of them");
#undef CHECKER
		}
		found |= flag;
		at += len;
		if (!*at) break;
	}
	*flags = found;
	return true;
}
