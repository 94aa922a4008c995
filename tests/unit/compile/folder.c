/* folder.h: a scratch folder for one test program. */
#include "folder.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

static char folder[256];

char *path_in_folder(const char *name) {
	Str s = {0};
	str_addf(&s, "%s/%s", folder, name);
	return str_take(&s);
}

const char *folder_path(void) {
	return folder;
}

int folder_make(void **state) {
	const char *tmp = getenv("TMPDIR");
	snprintf(folder, sizeof folder, "%s/gpulab-test-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(folder) || chdir(folder) != 0) return -1;
	char *cache = path_in_folder("cache");
	setenv("XDG_CACHE_HOME", cache, 1);
	free(cache);
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw) {
	return remove(path);
}

int folder_remove(void **state) {
	if (chdir("/") != 0) return -1;
	return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void make_parents(char *path) {
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
}

void put_bytes(const char *name, const void *data, size_t len) {
	char *path = path_in_folder(name);
	make_parents(path);
	assert_true(file_write(path, data, len, NULL));
	free(path);
}

void put(const char *name, const char *text) {
	put_bytes(name, text, strlen(text));
}

/* Results are named by their keys: 32 hexadecimal digits. */
static bool is_result(const char *name) {
	return strlen(name) == 32 && strspn(name, "0123456789abcdef") == 32;
}

void each_cached(void (*visit)(const char *path)) {
	char *path = path_in_folder("cache/gpulab");
	DIR *dir = opendir(path);
	if (dir) {
		for (struct dirent *d; (d = readdir(dir)) != NULL;) {
			if (!is_result(d->d_name)) continue;
			Str file = {0};
			str_addf(&file, "%s/%s", path, d->d_name);
			visit(file.text);
			str_free(&file);
		}
		closedir(dir);
	}
	free(path);
}

static size_t counted;

static void count_one(const char *path) {
	counted++;
}

size_t cached_results(void) {
	counted = 0;
	each_cached(count_one);
	return counted;
}

static void unlink_one(const char *path) {
	unlink(path);
}

void empty_cache(void) {
	each_cached(unlink_one);
}
