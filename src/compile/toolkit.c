/* toolkit.h: where NVRTC and CUDA's own headers are.
 *
 * Folders are tried in this order: CUDA_HOME, CUDA_PATH, the toolkit the program was built with, what was installed
 * with the program (../lib/gpulab/cuda, or NVIDIA's Python packages next to gpulab's), what ./bootstrap fetched (.cuda
 * beside the source; ~/.local/share/gpulab/cuda without root), /usr/local/cuda and its numbered neighbors, NVIDIA's
 * Python packages elsewhere, LD_LIBRARY_PATH and the system's library folders. */
#include "compile/toolkit.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/str.h"
#include "base/vec.h"

/* A search under way. Every try_ function returns true once a library is taken: then the search is over. */
typedef struct {
	Arena *arena;
	bool (*take)(NvrtcLibrary *library, void *context);
	void *context;
	VEC(const char *) offered; /* resolved paths: one library has many names */
} Search;

static bool is_a(const char *path, mode_t type) {
	struct stat st;
	return stat(path, &st) == 0 && (st.st_mode & S_IFMT) == type;
}

/* NULL: the folder is not known. */
static char *join(Arena *arena, const char *folder, const char *rest) {
	return folder && *folder ? arena_format(arena, "%s/%s", folder, rest) : NULL;
}

static void add_include(NvrtcLibrary *lib, const char *folder) {
	if (is_a(folder, S_IFDIR) && lib->nincludes < TOOLKIT_INCLUDES) lib->includes[lib->nincludes++] = folder;
}

/* The headers under one folder: include/, and CCCL's folder below it (CUDA 13) or beside it. */
static bool headers_at(NvrtcLibrary *lib, const char *include) {
	if (!is_a(join(lib->arena, include, "cooperative_groups.h"), S_IFREG)) return false;
	add_include(lib, include);
	add_include(lib, join(lib->arena, include, "cccl"));
	return true;
}

/* CUDA 12's Python packages lie side by side: cuda_nvrtc/lib, cuda_runtime/include, cuda_cccl/include,
 * cuda_nvcc/include. */
static void find_headers(NvrtcLibrary *lib) {
	const char *folder = path_folder(lib->arena, lib->path);
	if (headers_at(lib, join(lib->arena, folder, "../include")) ||
		headers_at(lib, join(lib->arena, folder, "../../include")))
		return;
	if (headers_at(lib, join(lib->arena, folder, "../../cuda_runtime/include"))) {
		add_include(lib, join(lib->arena, folder, "../../cuda_cccl/include"));
		add_include(lib, join(lib->arena, folder, "../../cuda_nvcc/include"));
		return;
	}
	if (*GPULAB_CUDA_HOME) headers_at(lib, GPULAB_CUDA_HOME "/include");
}

bool toolkit_describe(const char *path, NvrtcLibrary *out) {
	struct stat st;
	NvrtcLibrary lib = {.arena = arena_new()};
	lib.path = path_real(lib.arena, path);
	if (!lib.path || stat(lib.path, &st) != 0 || !S_ISREG(st.st_mode)) {
		arena_free(lib.arena);
		return false;
	}
	lib.bytes = (uint64_t)st.st_size;
	lib.mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	find_headers(&lib);
	*out = lib;
	return true;
}

void toolkit_forget(NvrtcLibrary *library) {
	arena_free(library->arena);
	*library = (NvrtcLibrary){0};
}

static bool try_file(Search *search, const char *path) {
	NvrtcLibrary lib;
	if (!toolkit_describe(path, &lib)) return false;
	bool known = false;
	for (size_t i = 0; i < search->offered.len; i++) known |= strcmp(search->offered.data[i], lib.path) == 0;
	if (!known) vec_push_in(search->arena, &search->offered, arena_strdup(search->arena, lib.path));
	if (!known && search->take(&lib, search->context)) return true;
	toolkit_forget(&lib);
	return false;
}

/* Tries folder/name for each name; the list ends with NULL. */
static bool try_each(Search *search, const char *folder, const char *const *names,
					 bool (*try)(Search *, const char *)) {
	bool taken = false;
	for (; folder && *folder && *names && !taken; names++) taken = try(search, join(search->arena, folder, *names));
	return taken;
}

static bool try_folder(Search *search, const char *folder) {
	static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", NULL};
	return try_each(search, folder, names, try_file);
}

static bool try_home(Search *search, const char *home) {
	static const char *const folders[] = {"lib64",
										  "lib",
										  "targets/x86_64-linux/lib",
										  "targets/sbsa-linux/lib",
										  "lib/x86_64-linux-gnu",
										  "lib/aarch64-linux-gnu",
										  NULL};
	return try_each(search, home, folders, try_folder);
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

static bool try_packages(Search *search, const char *folder) {
	static const char *const below[] = {"nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib", NULL};
	return try_each(search, folder, below, try_folder);
}

static bool try_sites(Search *search, const char *pattern) {
	return try_pattern(search, pattern, try_packages);
}

static bool try_python(Search *search, const char *root) {
	static const char *const below[] = {"lib/python3*/site-packages", "lib/python3*/dist-packages", NULL};
	return try_each(search, root, below, try_sites);
}

/* The wheel has the program in site-packages/gpulab/program/bin. */
static bool try_own(Search *search) {
	const char *program = path_real(search->arena, "/proc/self/exe");
	const char *folder = program ? path_folder(search->arena, program) : NULL;
	return try_home(search, join(search->arena, folder, "../lib/gpulab/cuda")) ||
		   try_packages(search, join(search->arena, folder, "../../.."));
}

/* What ./bootstrap fetched without root. */
static const char *users_folder(Arena *arena) {
	const char *data = getenv("XDG_DATA_HOME");
	return data && *data == '/' ? join(arena, data, "gpulab/cuda")
								: join(arena, getenv("HOME"), ".local/share/gpulab/cuda");
}

static bool try_library_path(Search *search) {
	const char *path = getenv("LD_LIBRARY_PATH");
	bool taken = false;
	while (path && *path && !taken) {
		size_t n = strcspn(path, ":");
		taken = try_folder(search, arena_strndup(search->arena, path, n));
		path += n + (path[n] == ':');
	}
	return taken;
}

static bool try_everything(Search *search) {
	return try_home(search, getenv("CUDA_HOME")) || try_home(search, getenv("CUDA_PATH")) ||
		   try_home(search, GPULAB_CUDA_HOME) || try_own(search) ||
		   try_home(search, join(search->arena, GPULAB_SOURCE_ROOT, ".cuda")) ||
		   try_home(search, users_folder(search->arena)) || try_home(search, "/usr/local/cuda") ||
		   try_pattern(search, "/usr/local/cuda-*", try_home) || try_home(search, "/opt/cuda") ||
		   try_python(search, getenv("VIRTUAL_ENV")) ||
		   try_python(search, join(search->arena, GPULAB_SOURCE_ROOT, ".venv")) ||
		   try_python(search, join(search->arena, getenv("HOME"), ".local")) || try_python(search, "/usr/local") ||
		   try_python(search, "/usr") || try_library_path(search) || try_home(search, "/usr");
}

bool toolkit_search(bool (*take)(NvrtcLibrary *library, void *context), void *context) {
	Search search = {.arena = arena_new(), .take = take, .context = context};
	const char *only = getenv("GPULAB_NVRTC");
	bool taken = only && *only ? try_file(&search, only) : try_everything(&search);
	arena_free(search.arena);
	return taken;
}
