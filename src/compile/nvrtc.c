/* nvrtc.h: the only file that knows NVRTC's interface. */
#include "compile/nvrtc.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <nvrtc.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "compile/cache.h"

enum { NEEDED_MAJOR = 12, NEEDED_MINOR = 8 };

/* The functions used, by NVRTC's own declarations: a call cannot disagree with the library's header. */
/* clang-format off */
#define NVRTC_FUNCTIONS(F) \
	F(nvrtcVersion) F(nvrtcGetErrorString) F(nvrtcGetNumSupportedArchs) F(nvrtcGetSupportedArchs) \
	F(nvrtcCreateProgram) F(nvrtcDestroyProgram) F(nvrtcAddNameExpression) F(nvrtcCompileProgram) F(nvrtcGetLoweredName) \
	F(nvrtcGetCUBINSize) F(nvrtcGetCUBIN) F(nvrtcGetPTXSize) F(nvrtcGetPTX) F(nvrtcGetProgramLogSize) F(nvrtcGetProgramLog)
/* clang-format on */

typedef struct {
#define F(name) __typeof__(&name) name;
	NVRTC_FUNCTIONS(F)
#undef F
} Functions;

/* What is loaded. A library once loaded stays: unloading a compiler that keeps state is asking for trouble. */
typedef struct {
	char *path;
	Functions call;
	int major, minor;
} Loaded;

static struct {
	NvrtcLibrary chosen;
	char version[24];
	Loaded loaded; /* path NULL: none yet */
} nvrtc;

static bool new_enough(int major, int minor) {
	return major > NEEDED_MAJOR || (major == NEEDED_MAJOR && minor >= NEEDED_MINOR);
}

static bool hint_get(Err *err) {
	return err_hint(
		err,
		"run ./bootstrap in gpulab's folder, which fetches NVRTC; or install the CUDA Toolkit %d.%d or newer and "
		"set CUDA_HOME to its folder; or set GPULAB_NVRTC to a libnvrtc.so",
		NEEDED_MAJOR, NEEDED_MINOR);
}

static bool bind_functions(void *handle, const char *path, Functions *call, Err *err) {
#define F(name)                                                                                                        \
	*(void **)&call->name = dlsym(handle, #name);                                                                      \
	if (!call->name) return err_set(err, ERR_SETUP, "%s is no usable NVRTC: it lacks %s", path, #name);
	NVRTC_FUNCTIONS(F)
#undef F
	return true;
}

/* NVRTC opens its builtins by name; loading them from beside it first makes that work wherever the two lie. */
static void load_builtins(const char *path, int major, int minor) {
	const char *slash = strrchr(path, '/');
	if (!slash) return;
	Str beside = {0};
	str_addn(&beside, path, (size_t)(slash - path));
	str_addf(&beside, "/libnvrtc-builtins.so.%d.%d", major, minor);
	dlopen(beside.text, RTLD_NOW | RTLD_GLOBAL);
	str_free(&beside);
}

static bool load(const char *path, Loaded *out, Err *err) {
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!handle) {
		err_set(err, ERR_SETUP, "cannot load NVRTC: %s", dlerror());
		return hint_get(err);
	}
	Loaded loaded = {0};
	if (!bind_functions(handle, path, &loaded.call, err) || loaded.call.nvrtcVersion(&loaded.major, &loaded.minor)) {
		if (err && !err->kind) err_set(err, ERR_SETUP, "%s does not tell its version", path);
		dlclose(handle);
		return hint_get(err);
	}
	load_builtins(path, loaded.major, loaded.minor);
	loaded.path = xstrdup(path);
	*out = loaded;
	return true;
}

static bool ensure_loaded(const char *path, Err *err) {
	if (nvrtc.loaded.path && strcmp(nvrtc.loaded.path, path) == 0) return true;
	Loaded loaded;
	if (!load(path, &loaded, err)) return false;
	free(nvrtc.loaded.path);
	nvrtc.loaded = loaded;
	return true;
}

/* A library is what its path, size and time say; the cache remembers the version that one reported. */
static void memo_name(const NvrtcLibrary *lib, char out[64]) {
	CacheKey key = cache_key_start();
	cache_key_text(&key, lib->path);
	cache_key_number(&key, lib->bytes);
	cache_key_number(&key, (uint64_t)lib->mtime_ns);
	char hex[CACHE_KEY_CHARS];
	cache_key_text_of(&key, hex);
	snprintf(out, 64, "nvrtc-%s", hex);
}

static bool remembered_version(const NvrtcLibrary *lib, int *major, int *minor) {
	char name[64];
	memo_name(lib, name);
	char *text = cache_note_read(name);
	char rest;
	bool ok = text && sscanf(text, "%d.%d%c", major, minor, &rest) == 3 && rest == '\n';
	free(text);
	return ok;
}

static void remember_version(const NvrtcLibrary *lib, int major, int minor) {
	char name[64], text[32];
	memo_name(lib, name);
	snprintf(text, sizeof text, "%d.%d\n", major, minor);
	cache_note_write(name, text);
}

static bool version_of(const NvrtcLibrary *lib, int *major, int *minor, Err *err) {
	if (remembered_version(lib, major, minor)) return true;
	if (!ensure_loaded(lib->path, err)) return false;
	*major = nvrtc.loaded.major;
	*minor = nvrtc.loaded.minor;
	remember_version(lib, *major, *minor);
	return true;
}

static bool same_library(const NvrtcLibrary *a, const NvrtcLibrary *b) {
	return a->path && strcmp(a->path, b->path) == 0 && a->bytes == b->bytes && a->mtime_ns == b->mtime_ns;
}

static void choose(NvrtcLibrary *lib, int major, int minor) {
	toolkit_forget(&nvrtc.chosen);
	nvrtc.chosen = *lib;
	snprintf(nvrtc.version, sizeof nvrtc.version, "%d.%d", major, minor);
}

/* Takes the first library that is new enough; the Err in context keeps why the first one offered was not. */
static bool take_new_enough(NvrtcLibrary *lib, void *context) {
	Err *first = context, why = ERR_INIT;
	int major = 0, minor = 0;
	if (same_library(&nvrtc.chosen, lib)) {
		toolkit_forget(lib);
		return true;
	}
	if (version_of(lib, &major, &minor, &why)) {
		if (new_enough(major, minor)) {
			choose(lib, major, minor);
			return true;
		}
		err_set(&why, ERR_SETUP, "NVRTC %d.%d is too old, gpulab needs %d.%d or newer (found %s)", major, minor,
				NEEDED_MAJOR, NEEDED_MINOR, lib->path);
		hint_get(&why);
	}
	if (!first->kind) *first = why;
	return false;
}

/* Where the dynamic loader knows a folder that the search does not (ld.so.conf). */
static bool take_by_loader(Err *why) {
	static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
		void *symbol = handle ? dlsym(handle, "nvrtcVersion") : NULL;
		Dl_info info;
		NvrtcLibrary lib;
		if (!symbol || !dladdr(symbol, &info) || !toolkit_describe(info.dli_fname, &lib)) continue;
		if (take_new_enough(&lib, why)) return true;
		toolkit_forget(&lib);
	}
	return false;
}

const NvrtcLibrary *nvrtc_choose(Err *err) {
	Err why = ERR_INIT;
	const char *only = getenv("GPULAB_NVRTC");
	bool named = only && *only;
	if (toolkit_search(take_new_enough, &why)) return &nvrtc.chosen;
	if (!named && take_by_loader(&why)) return &nvrtc.chosen;
	if (!why.kind) {
		if (named) {
			err_set(&why, ERR_SETUP, "there is no NVRTC at GPULAB_NVRTC=%s", only);
		} else {
			err_set(&why, ERR_SETUP, "NVRTC (libnvrtc.so, CUDA's run-time compiler) was not found");
		}
		hint_get(&why);
	}
	if (err) *err = why;
	return NULL;
}

const char *nvrtc_chosen_version(void) {
	return nvrtc.version;
}

/* The nearest architecture NVRTC compiles for: the greatest not above cc, else the least there is. */
static bool nearest_arch(const Functions *call, uint32_t cc, uint32_t *out, Err *err) {
	int n = 0;
	if (call->nvrtcGetNumSupportedArchs(&n) || n <= 0) return err_set(err, ERR_SETUP, "NVRTC names no architectures");
	int *archs = xcalloc((size_t)n, sizeof *archs);
	bool ok = call->nvrtcGetSupportedArchs(archs) == NVRTC_SUCCESS;
	int best = archs[0];
	for (int i = 0; i < n; i++) {
		if ((uint32_t)archs[i] <= cc && archs[i] > best) best = archs[i];
	}
	free(archs);
	if (!ok) return err_set(err, ERR_SETUP, "NVRTC names no architectures");
	*out = (uint32_t)best;
	return true;
}

static double now_ms(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static char *fetch(nvrtcProgram program, nvrtcResult (*size)(nvrtcProgram, size_t *),
				   nvrtcResult (*get)(nvrtcProgram, char *), size_t *bytes) {
	size_t n = 0;
	if (size(program, &n) != NVRTC_SUCCESS) n = 0;
	char *data = xcalloc(n + 1, 1);
	if (n && get(program, data) != NVRTC_SUCCESS) n = 0;
	if (bytes) *bytes = n;
	return data;
}

static bool fetch_results(const Functions *call, nvrtcProgram program, const NvrtcInput *in, NvrtcOutput *out,
						  Err *err) {
	out->cubin = fetch(program, call->nvrtcGetCUBINSize, call->nvrtcGetCUBIN, &out->cubin_bytes);
	out->ptx = fetch(program, call->nvrtcGetPTXSize, call->nvrtcGetPTX, NULL);
	out->ptx_bytes = strlen(out->ptx);
	if (!out->cubin_bytes || !out->ptx_bytes) return err_set(err, ERR_SETUP, "NVRTC returned no code");
	out->linked = xcalloc(in->nnames + 1, sizeof *out->linked);
	for (size_t i = 0; i < in->nnames; i++) {
		const char *linked = NULL;
		nvrtcResult rc = call->nvrtcGetLoweredName(program, in->names[i], &linked);
		if (rc != NVRTC_SUCCESS || !linked) {
			return err_set(err, ERR_SETUP, "NVRTC gives no linked name for %s: %s", in->names[i],
						   call->nvrtcGetErrorString(rc));
		}
		out->linked[out->nlinked++] = xstrdup(linked);
	}
	return true;
}

/* --- a compile ---------------------------------------------------------------------------------------------------------- */

typedef VEC(const char *) Options;

/* How NVRTC goes about it; what comes out is the same, but for a note of the options in the cubin.
 *     --split-compile=N  kernels are optimised side by side by N threads: on a few processors that brings nothing
 *     --no-cache         no second cache beside ours: since 12.9 it keeps every result in a file of the driver's
 *     --minimal          without the declarations of the runtime's functions, of textures and of surfaces, which take longer to
 *                        read than many a kernel to compile */
static void add_manner(Options *options, bool minimal) {
	enum { ENOUGH = 4 };
	const bool caches = nvrtc.loaded.major > 12 || nvrtc.loaded.minor >= 9;
	if (sysconf(_SC_NPROCESSORS_ONLN) >= ENOUGH) vec_push(options, "--split-compile=8");
	if (caches) vec_push(options, "--no-cache");
	if (minimal) vec_push(options, "--minimal");
}

/* A source that says one of these words hardly compiles without their declarations. */
static bool may_be_minimal(const char *source) {
	static const char *const words[] = {"cuda", "tex1D", "tex2D", "tex3D", "surf1D", "surf2D", "surf3D"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strstr(source, words[i])) return false;
	return true;
}

static bool compile_with(const Functions *call, const NvrtcInput *in, const Options *options, NvrtcOutput *out,
						 Err *err) {
	nvrtcProgram program = NULL;
	bool ok = false;
	nvrtcResult rc = call->nvrtcCreateProgram(&program, in->source, in->path, 0, NULL, NULL);
	for (size_t i = 0; rc == NVRTC_SUCCESS && i < in->nnames; i++) {
		rc = call->nvrtcAddNameExpression(program, in->names[i]);
	}
	if (rc != NVRTC_SUCCESS) {
		err_set(err, ERR_SETUP, "NVRTC does not take the source: %s", call->nvrtcGetErrorString(rc));
		goto cleanup;
	}
	rc = call->nvrtcCompileProgram(program, (int)options->len, options->data);
	out->log = fetch(program, call->nvrtcGetProgramLogSize, call->nvrtcGetProgramLog, NULL);
	if (rc == NVRTC_ERROR_COMPILATION || rc == NVRTC_ERROR_INVALID_OPTION) {
		ok = true; /* the log says why */
	} else if (rc != NVRTC_SUCCESS) {
		err_set(err, ERR_SETUP, "NVRTC failed: %s%s%s", call->nvrtcGetErrorString(rc), *out->log ? "\n" : "", out->log);
	} else {
		ok = fetch_results(call, program, in, out, err);
	}
cleanup:
	if (program) call->nvrtcDestroyProgram(&program);
	return ok;
}

/* What does not compile with little declared is compiled again with all, so that messages are about that. */
bool nvrtc_run(const NvrtcInput *in, NvrtcOutput *out, Err *err) {
	*out = (NvrtcOutput){0};
	if (!ensure_loaded(nvrtc.chosen.path, err)) return false;
	const Functions *call = &nvrtc.loaded.call;
	uint32_t cc = 0;
	if (!nearest_arch(call, in->cc, &cc, err)) return false;

	const double start = now_ms();
	bool ok = false;
	char arch[40];
	snprintf(arch, sizeof arch, "--gpu-architecture=sm_%" PRIu32, cc);
	for (int minimal = may_be_minimal(in->source); minimal >= 0; minimal--) {
		Options options = {0};
		nvrtc_output_free(out);
		vec_push(&options, arch);
		add_manner(&options, minimal);
		for (size_t i = 0; i < in->noptions; i++) vec_push(&options, in->options[i]);
		ok = compile_with(call, in, &options, out, err);
		vec_free(&options);
		if (!ok || out->ptx || in->once) break;
	}
	out->cc = cc;
	out->milliseconds = now_ms() - start;
	return ok;
}

void nvrtc_output_free(NvrtcOutput *out) {
	free(out->cubin);
	free(out->ptx);
	free(out->log);
	for (size_t i = 0; i < out->nlinked; i++) free(out->linked[i]);
	free(out->linked);
	*out = (NvrtcOutput){0};
}
