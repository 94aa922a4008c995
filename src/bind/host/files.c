/* Where labs and kernels lie. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text/nearest.h"
#include "base/vec.h"
#include "bind/internal.h"

static char *lab_folder; /* of the lab that runs; NULL: none */

void bind_lab_folder(const char *folder) {
	char *copy = folder ? xstrdup(folder) : NULL;
	free(lab_folder);
	lab_folder = copy;
}

typedef VEC(char *) Texts;

static bool is_folder(const char *path) {
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool same_file(const char *a, const char *b) {
	struct stat sa, sb;
	return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

static bool is_file(const char *path) {
	struct stat st;
	return stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

static char *joined(const char *folder, const char *name) {
	Str s = {0};
	str_addf(&s, "%s/%s", folder, name);
	return str_take(&s);
}

/* Takes the path if it is a folder that is not yet among them. */
static void add_folder(Texts *texts, char *path) {
	bool known = !is_folder(path);
	for (size_t i = 0; i < texts->len && !known; i++) known = same_file(texts->data[i], path);
	if (known)
		free(path);
	else
		vec_push(texts, path);
}

/* DIR/../share/gpulab for a program DIR/gpulab: an installed one finds its data wherever it was moved to. */
static char *beside_program(void) {
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	if (n <= 0) return NULL;
	path[n] = '\0';
	for (int up = 0; up < 2; up++) {
		char *slash = strrchr(path, '/');
		if (!slash) return NULL;
		*slash = '\0';
	}
	return joined(path, "share/gpulab");
}

char **bind_folders(const char *kind) {
	Texts texts = {0};
	char variable[32];
	snprintf(variable, sizeof variable, "GPULAB_%s", kind);
	for (char *c = variable; *c; c++)
		if (*c >= 'a' && *c <= 'z') *c -= 'a' - 'A';
	const char *own = getenv(variable);
	if (own && *own) add_folder(&texts, xstrdup(own));
	char *share = beside_program();
	if (share) add_folder(&texts, joined(share, kind));
	free(share);
	add_folder(&texts, joined(GPULAB_SOURCE_ROOT, kind));
	add_folder(&texts, joined(GPULAB_DATADIR, kind));
	vec_push(&texts, NULL);
	return texts.data;
}

void bind_free_folders(void *folders) {
	for (char **f = folders; f && *f; f++) free(*f);
	free(folders);
}

/* Names of the folder's files that end as wanted does, for "did you mean". */
static void add_names(Texts *texts, const char *folder, const char *wanted) {
	DIR *dir = opendir(folder);
	const char *end = strrchr(wanted, '.');
	if (!dir) return;
	for (struct dirent *e; (e = readdir(dir));)
		if (e->d_name[0] != '.' && (!end || text_ends(e->d_name, end))) vec_push(texts, xstrdup(e->d_name));
	closedir(dir);
}

/* Takes folder/path as what was found, if it is a file. */
static bool look_in(const char *folder, const char *path, char **found) {
	char *candidate = joined(folder, path);
	if (is_file(candidate)) {
		*found = candidate;
		return true;
	}
	free(candidate);
	return false;
}

/* A path that says by itself where it begins: it means one file and no other. */
static bool says_where(const char *path) {
	return path[0] == '/' || text_starts(path, "./") || text_starts(path, "../");
}

static char *not_found(const char *path, bool in_working_folder, char **folders, Err *err) {
	Texts names = {0};
	Str looked = {0};
	if (lab_folder && !says_where(path)) str_addf(&looked, "%s, ", lab_folder);
	if (lab_folder && !says_where(path)) add_names(&names, lab_folder, path);
	if (in_working_folder) str_add(&looked, "the working folder, ");
	if (in_working_folder) add_names(&names, ".", path);
	for (char **f = folders; *f && !says_where(path); f++) {
		str_addf(&looked, "%s, ", *f);
		add_names(&names, *f, path);
	}
	vec_push(&names, NULL);
	const char *near = nearest(path, (const char *const *)names.data);
	err_set(err, ERR_SETUP, "there is no file %.200s", path);
	if (near)
		err_hint(err, "did you mean %s? Looked in %.*s", near, (int)looked.len - 2, looked.text);
	else if (looked.len)
		err_hint(err, "looked in %.*s", (int)looked.len - 2, looked.text);
	bind_free_folders(names.data);
	str_free(&looked);
	return NULL;
}

/* Next to the lab or script, in the working folder if requested, in gpulab's own folders. */
static char *search(const char *path, bool in_working_folder, const char *kind, Err *err) {
	char *found = NULL;
	if (!*path) {
		err_set(err, ERR_USAGE, "a file name expected, got an empty text");
		return NULL;
	}
	if (lab_folder && !says_where(path) && look_in(lab_folder, path, &found)) return found;
	if (in_working_folder && is_file(path)) return xstrdup(path);
	if (in_working_folder && is_folder(path)) {
		err_set(err, ERR_USAGE, "%.200s is a folder, a file is needed", path);
		return NULL;
	}
	char **folders = bind_folders(kind);
	for (char **f = folders; *f && !found && !says_where(path); f++) look_in(*f, path, &found);
	if (!found) not_found(path, in_working_folder, folders, err);
	bind_free_folders(folders);
	return found;
}

char *bind_find(const char *path, const char *kind, Err *err) {
	return search(path, true, kind, err);
}

char *bind_find_own(const char *path, const char *kind, Err *err) {
	return search(path, path[0] == '/', kind, err);
}
