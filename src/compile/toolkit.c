/* toolkit.h: where NVRTC and CUDA's own headers are.
 *
 * Folders are tried in this order: the toolkit the program was built with, CUDA_HOME, CUDA_PATH, what ./bootstrap fetched (.cuda
 * beside the source), /usr/local/cuda and its numbered neighbours, NVIDIA's Python packages, LD_LIBRARY_PATH and the
 * system's library folders. */
#include "compile/toolkit.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

typedef VEC(NvrtcLibrary) Libraries;

static bool is_file(const char *path) {
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool is_folder(const char *path) {
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void add_include(NvrtcLibrary *lib, char *folder) {
	for (size_t i = 0; i < TOOLKIT_INCLUDES; i++) {
		if (!lib->includes[i]) {
			lib->includes[i] = folder;
			return;
		}
	}
	free(folder);
}

static char *join(const char *folder, const char *rest) {
	Str s = {0};
	str_addf(&s, "%s/%s", folder, rest);
	return str_take(&s);
}

/* The headers under one folder: include/, and CCCL's folder below it (CUDA 13) or beside it. */
static bool headers_at(NvrtcLibrary *lib, const char *include) {
	char *probe = join(include, "cooperative_groups.h");
	bool there = is_file(probe);
	free(probe);
	if (!there) return false;
	add_include(lib, xstrdup(include));
	char *cccl = join(include, "cccl");
	if (is_folder(cccl)) {
		add_include(lib, cccl);
	} else {
		free(cccl);
	}
	return true;
}

/* CUDA 12's Python packages lie side by side: cuda_nvrtc/lib, cuda_runtime/include, cuda_cccl/include, cuda_nvcc/include. */
static bool headers_of_packages(NvrtcLibrary *lib, const char *folder) {
	char *runtime = join(folder, "../../cuda_runtime/include");
	bool there = headers_at(lib, runtime);
	free(runtime);
	static const char *const more[] = {"../../cuda_cccl/include", "../../cuda_nvcc/include"};
	for (size_t i = 0; there && i < sizeof more / sizeof *more; i++) {
		char *extra = join(folder, more[i]);
		if (is_folder(extra)) {
			add_include(lib, extra);
		} else {
			free(extra);
		}
	}
	return there;
}

static void find_headers(NvrtcLibrary *lib) {
	char *folder = xstrdup(lib->path);
	char *slash = strrchr(folder, '/');
	if (slash) *slash = '\0';
	static const char *const near[] = {"../include", "../../include"};
	bool found = false;
	for (size_t i = 0; !found && i < sizeof near / sizeof *near; i++) {
		char *include = join(folder, near[i]);
		found = headers_at(lib, include);
		free(include);
	}
	if (!found) found = headers_of_packages(lib, folder);
	if (!found) headers_at(lib, GPULAB_CUDA_HOME "/include");
	free(folder);
}

bool toolkit_describe(const char *path, NvrtcLibrary *out) {
	char *real = realpath(path, NULL);
	struct stat st;
	if (!real || stat(real, &st) != 0 || !S_ISREG(st.st_mode)) {
		free(real);
		return false;
	}
	*out = (NvrtcLibrary){.path = real, .bytes = (uint64_t)st.st_size};
	out->mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	find_headers(out);
	return true;
}

void toolkit_forget(NvrtcLibrary *library) {
	free(library->path);
	for (size_t i = 0; i < TOOLKIT_INCLUDES; i++) free(library->includes[i]);
	*library = (NvrtcLibrary){0};
}

static void try_file(Libraries *list, const char *path) {
	NvrtcLibrary lib;
	if (!toolkit_describe(path, &lib)) return;
	for (size_t i = 0; i < list->len; i++) {
		if (strcmp(list->data[i].path, lib.path) == 0) {
			toolkit_forget(&lib);
			return;
		}
	}
	vec_push(list, lib);
}

static void try_folder(Libraries *list, const char *folder) {
	static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char *path = join(folder, names[i]);
		try_file(list, path);
		free(path);
	}
}

static void try_home(Libraries *list, const char *home) {
	if (!home || !*home) return;
	static const char *const folders[] = {"lib64",
										  "lib",
										  "targets/x86_64-linux/lib",
										  "targets/sbsa-linux/lib",
										  "lib/x86_64-linux-gnu",
										  "lib/aarch64-linux-gnu"};
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		char *folder = join(home, folders[i]);
		try_folder(list, folder);
		free(folder);
	}
}

/* Matches come sorted; the last is the newest version. */
static void try_pattern(Libraries *list, const char *pattern, void (*try)(Libraries *, const char *)) {
	glob_t g;
	if (glob(pattern, 0, NULL, &g) == 0) {
		for (size_t i = g.gl_pathc; i-- > 0;) try(list, g.gl_pathv[i]);
		globfree(&g);
	}
}

static void try_python(Libraries *list, const char *root) {
	if (!root || !*root) return;
	static const char *const below[] = {
		"lib/python3*/site-packages/nvidia/cu13/lib", "lib/python3*/site-packages/nvidia/cuda_nvrtc/lib",
		"lib/python3*/dist-packages/nvidia/cu13/lib", "lib/python3*/dist-packages/nvidia/cuda_nvrtc/lib"};
	for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
		char *pattern = join(root, below[i]);
		try_pattern(list, pattern, try_folder);
		free(pattern);
	}
}

static void try_search_path(Libraries *list, const char *path) {
	while (path && *path) {
		size_t n = strcspn(path, ":");
		Str folder = {0};
		str_addn(&folder, path, n);
		if (n) try_folder(list, folder.text);
		str_free(&folder);
		path += n + (path[n] == ':');
	}
}

size_t toolkit_find(NvrtcLibrary **out) {
	Libraries list = {0};
	const char *only = getenv("GPULAB_NVRTC");
	if (only && *only) {
		try_file(&list, only);
	} else {
		try_home(&list, GPULAB_CUDA_HOME);
		try_home(&list, getenv("CUDA_HOME"));
		try_home(&list, getenv("CUDA_PATH"));
		try_home(&list, GPULAB_SOURCE_ROOT "/.cuda");
		try_home(&list, "/usr/local/cuda");
		try_pattern(&list, "/usr/local/cuda-*", try_home);
		try_home(&list, "/opt/cuda");
		try_python(&list, getenv("VIRTUAL_ENV"));
		try_python(&list, GPULAB_SOURCE_ROOT "/.venv");
		char *local = join(getenv("HOME") ? getenv("HOME") : "", ".local");
		try_python(&list, local);
		free(local);
		try_python(&list, "/usr/local");
		try_python(&list, "/usr");
		try_search_path(&list, getenv("LD_LIBRARY_PATH"));
		try_home(&list, "/usr");
	}
	*out = list.data;
	return list.len;
}

void toolkit_free(NvrtcLibrary *libraries, size_t n) {
	for (size_t i = 0; i < n; i++) toolkit_forget(&libraries[i]);
	free(libraries);
}
