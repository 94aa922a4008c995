#include "compile/names.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/text/nearest.h"

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
