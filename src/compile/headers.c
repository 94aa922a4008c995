/* headers.h: the headers a source includes, folded into a cache key. */
#include "compile/headers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "compile/scan.h"

typedef struct {
	CacheKey *key;
	const char *const *dirs;
	size_t ndirs;
	const char *const *cuda;
	size_t ncuda;
	Map *seen;           /* resolved paths, each entered once: headers may include one another in circles */
	VEC(char *) waiting; /* resolved paths still to be read */
} Walk;

/* The resolved path of folder/name where that is a regular file, else NULL. */
static char *resolve(const char *folder, const char *name) {
	Str s = {0};
	if (*name == '/') {
		str_add(&s, name);
	} else {
		str_addf(&s, "%s/%s", *folder ? folder : ".", name);
	}
	char *real = realpath(s.text, NULL);
	str_free(&s);
	struct stat st;
	if (real && stat(real, &st) == 0 && S_ISREG(st.st_mode)) return real;
	free(real);
	return NULL;
}

static char *search(const Walk *walk, const ScanInclude *include, const char *folder) {
	char *found = include->quoted ? resolve(folder, include->name) : NULL;
	for (size_t i = 0; !found && i < walk->ndirs; i++) found = resolve(walk->dirs[i], include->name);
	return found;
}

static bool below(const char *path, const char *folder) {
	size_t n = strlen(folder);
	return n && strncmp(path, folder, n) == 0 && path[n] == '/';
}

static bool part_of_cuda(const Walk *walk, const char *path) {
	for (size_t i = 0; i < walk->ncuda; i++) {
		if (below(path, walk->cuda[i])) return true;
	}
	return false;
}

static bool add_includes_of(Walk *walk, const char *text, const char *folder) {
	ScanInclude *includes;
	size_t n = scan_includes(text, &includes);
	bool known = true;
	for (size_t i = 0; i < n && known; i++) {
		if (!includes[i].name) {
			known = false;
			break;
		}
		char *path = search(walk, &includes[i], folder);
		cache_key_text(walk->key, includes[i].name);
		cache_key_text(walk->key, path);
		if (path && !part_of_cuda(walk, path) && !map_has(walk->seen, path)) {
			map_put(walk->seen, path, walk);
			vec_push(&walk->waiting, path);
		} else {
			free(path);
		}
	}
	scan_includes_free(includes, n);
	return known;
}

static bool add_file(Walk *walk, char *path) {
	size_t len = 0;
	char *text = file_read(path, &len, NULL);
	cache_key_number(walk->key, text ? len : UINT64_MAX);
	if (text) cache_key_bytes(walk->key, text, len);
	char *slash = strrchr(path, '/');
	if (slash) *slash = '\0';
	bool known = !text || add_includes_of(walk, text, path);
	free(text);
	return known;
}

bool headers_add(CacheKey *key, const char *source, const char *folder, const char *const *dirs, size_t ndirs,
				 const char *const *cuda, size_t ncuda) {
	Walk walk = {.key = key, .dirs = dirs, .ndirs = ndirs, .cuda = cuda, .ncuda = ncuda, .seen = map_new()};
	bool known = add_includes_of(&walk, source, folder);
	for (size_t i = 0; i < walk.waiting.len; i++) {
		if (known) known = add_file(&walk, walk.waiting.data[i]);
		free(walk.waiting.data[i]);
	}
	vec_free(&walk.waiting);
	map_free(walk.seen);
	return known;
}
