/* toolkit.h: where NVRTC and CUDA's own headers are.
 *
 * Folders are tried in this order: the toolkit the program was built with, CUDA_HOME, CUDA_PATH, what ./bootstrap
 * fetched (.cuda beside the source; ~/.local/share/gpulab/cuda without root), /usr/local/cuda and its numbered
 * neighbors, NVIDIA's Python packages, LD_LIBRARY_PATH and the system's library folders. */
#include "compile/toolkit.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

/* A search under way. Every try_ function returns true once a library is taken: then the search is over. */
typedef struct {
	bool (*take)(NvrtcLibrary *library, void *context);
	void *context;
	VEC(char *) offered; /* resolved paths: one library has many names */
} Search;

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

/* CUDA 12's Python packages lie side by side: cuda_nvrtc/lib, cuda_runtime/include, cuda_cccl/include,
 * cuda_nvcc/include. */
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

static bool try_file(Search *search, const char *path) {
	NvrtcLibrary lib;
	if (!toolkit_describe(path, &lib)) return false;
	for (size_t i = 0; i < search->offered.len; i++) {
		if (strcmp(search->offered.data[i], lib.path) == 0) {
			toolkit_forget(&lib);
			return false;
		}
	}
	vec_push(&search->offered, xstrdup(lib.path));
	if (search->take(&lib, search->context)) return true;
	toolkit_forget(&lib);
	return false;
}

/* Tries folder/name for each name. */
static bool try_each(Search *search, const char *folder, const char *const *names, size_t n,
					 bool (*try)(Search *, const char *)) {
	bool taken = false;
	for (size_t i = 0; i < n && !taken; i++) {
		char *path = join(folder, names[i]);
		taken = try(search, path);
		free(path);
	}
	return taken;
}

static bool try_folder(Search *search, const char *folder) {
	static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
	return try_each(search, folder, names, sizeof names / sizeof *names, try_file);
}

static bool try_home(Search *search, const char *home) {
	static const char *const folders[] = {"lib64",
										  "lib",
										  "targets/x86_64-linux/lib",
										  "targets/sbsa-linux/lib",
										  "lib/x86_64-linux-gnu",
										  "lib/aarch64-linux-gnu"};
	if (!home || !*home) return false;
	return try_each(search, home, folders, sizeof folders / sizeof *folders, try_folder);
}

/* Matches come sorted; the last is the newest version. */
static bool try_pattern(Search *search, const char *pattern, bool (*try)(Search *, const char *)) {
	glob_t g;
	bool taken = false;
	if (glob(pattern, 0, NULL, &g) != 0) return false;
	for (size_t i = g.gl_pathc; i-- > 0 && !taken;) taken = try(search, g.gl_pathv[i]);
	globfree(&g);
	return taken;
}

static bool try_packages(Search *search, const char *pattern) {
	return try_pattern(search, pattern, try_folder);
}

static bool try_python(Search *search, const char *root) {
	static const char *const below[] = {
		"lib/python3*/site-packages/nvidia/cu13/lib", "lib/python3*/site-packages/nvidia/cuda_nvrtc/lib",
		"lib/python3*/dist-packages/nvidia/cu13/lib", "lib/python3*/dist-packages/nvidia/cuda_nvrtc/lib"};
	if (!root || !*root) return false;
	return try_each(search, root, below, sizeof below / sizeof *below, try_packages);
}

static bool try_users_python(Search *search) {
	const char *home = getenv("HOME");
	if (!home) return false;
	char *local = join(home, ".local");
	bool taken = try_python(search, local);
	free(local);
	return taken;
}

static bool try_users_folder(Search *search) {
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	const bool absolute = data && *data == '/';
	if (!absolute && !home) return false;
	char *folder = join(absolute ? data : home, absolute ? "gpulab/cuda" : ".local/share/gpulab/cuda");
	bool taken = try_home(search, folder);
	free(folder);
	return taken;
}

static bool try_library_path(Search *search) {
	const char *path = getenv("LD_LIBRARY_PATH");
	bool taken = false;
	while (path && *path && !taken) {
		size_t n = strcspn(path, ":");
		Str folder = {0};
		str_addn(&folder, path, n);
		if (n) taken = try_folder(search, folder.text);
		str_free(&folder);
		path += n + (path[n] == ':');
	}
	return taken;
}

static bool try_everything(Search *search) {
	return try_home(search, GPULAB_CUDA_HOME) || try_home(search, getenv("CUDA_HOME")) ||
		   try_home(search, getenv("CUDA_PATH")) || try_home(search, GPULAB_SOURCE_ROOT "/.cuda") ||
		   try_users_folder(search) || try_home(search, "/usr/local/cuda") ||
		   try_pattern(search, "/usr/local/cuda-*", try_home) || try_home(search, "/opt/cuda") ||
		   try_python(search, getenv("VIRTUAL_ENV")) || try_python(search, GPULAB_SOURCE_ROOT "/.venv") ||
		   try_users_python(search) || try_python(search, "/usr/local") || try_python(search, "/usr") ||
		   try_library_path(search) || try_home(search, "/usr");
}

bool toolkit_search(bool (*take)(NvrtcLibrary *library, void *context), void *context) {
	Search search = {.take = take, .context = context};
	const char *only = getenv("GPULAB_NVRTC");
	bool taken = only && *only ? try_file(&search, only) : try_everything(&search);
	for (size_t i = 0; i < search.offered.len; i++) free(search.offered.data[i]);
	vec_free(&search.offered);
	return taken;
}
