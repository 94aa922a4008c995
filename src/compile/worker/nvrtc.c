/* nvrtc.h: the only file that knows NVRTC's interface. */
#include "compile/worker/nvrtc.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <nvrtc.h>

#include "base/proc.h"
#include "base/str.h"
#include "base/vec.h"
#include "compile/cache.h"
#include "compile/worker/ptxas.h"
#include "gpu/gpu.h"

/* The functions used, by NVRTC's own declarations: a call cannot disagree with the library's header. */
/* clang-format off */
#define NVRTC_FUNCTIONS(F) \
	F(nvrtcVersion) F(nvrtcGetErrorString) F(nvrtcGetNumSupportedArchs) F(nvrtcGetSupportedArchs) \
	F(nvrtcCreateProgram) F(nvrtcDestroyProgram) F(nvrtcAddNameExpression) F(nvrtcCompileProgram) \
	F(nvrtcGetLoweredName) F(nvrtcGetCUBINSize) F(nvrtcGetCUBIN) F(nvrtcGetPTXSize) F(nvrtcGetPTX) \
	F(nvrtcGetProgramLogSize) F(nvrtcGetProgramLog)
/* clang-format on */

typedef struct {
#define F(name) __typeof__(&name) name;
	NVRTC_FUNCTIONS(F)
#undef F
} Functions;

/* A library once loaded stays: unloading a compiler that keeps state is asking for trouble. */
static struct {
	char path[4096]; /* "": none yet */
	Functions call;
	int major, minor;
	bool reserved; /* precompiled headers can be made and used */
} nvrtc;

/* --- loading ------------------------------------------------------------------------------------------------------ */

static bool bind_functions(void *handle, const char *path, Functions *call, Err *err) {
#define F(name)                                                                                                        \
	*(void **)&call->name = dlsym(handle, #name);                                                                      \
	if (!call->name) return err_set(err, ERR_SETUP, "%s is no usable NVRTC: it lacks %s", path, #name);
	NVRTC_FUNCTIONS(F)
#undef F
	return true;
}

/* NVRTC opens its builtins by name; loading them from its folder first makes that work wherever the two lie. */
static void load_builtins(const char *path, int major, int minor) {
	const char *slash = strrchr(path, '/');
	if (!slash) return;
	AUTO_STR Str beside = {0};
	str_addn(&beside, path, (size_t)(slash - path));
	str_addf(&beside, "/libnvrtc-builtins.so.%d.%d", major, minor);
	dlopen(beside.text, RTLD_NOW | RTLD_GLOBAL);
}

/* Where the dynamic loader knows a folder that the search for toolkits does not (ld.so.conf). */
static void *open_by_loader(void) {
	static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12"};
	void *handle = NULL;
	for (size_t i = 0; !handle && i < sizeof names / sizeof *names; i++)
		handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	return handle;
}

static bool load(const char *library, Err *err) {
	void *handle = *library ? dlopen(library, RTLD_NOW | RTLD_LOCAL) : open_by_loader();
	if (!handle) return err_set(err, ERR_SETUP, "cannot load NVRTC: %s", dlerror());
	Functions call;
	Dl_info about;
	int major, minor;
	bool ok = bind_functions(handle, library, &call, err);
	if (ok && call.nvrtcVersion(&major, &minor))
		ok = err_set(err, ERR_SETUP, "%s does not report its version", library);
	if (ok && (!dladdr((void *)call.nvrtcVersion, &about) || strlen(about.dli_fname) >= sizeof nvrtc.path))
		ok = err_set(err, ERR_SETUP, "%s has no path", library);
	if (!ok) {
		dlclose(handle);
		return false;
	}
	snprintf(nvrtc.path, sizeof nvrtc.path, "%s", *library ? library : about.dli_fname);
	nvrtc.call = call;
	nvrtc.major = major;
	nvrtc.minor = minor;
	load_builtins(nvrtc.path, major, minor);
	return true;
}

bool nvrtc_load(const char *library, OpenAnswer *out, Err *err) {
	if (*nvrtc.path) return err_set(err, ERR_USAGE, "the worker has loaded %s already", nvrtc.path);
	if (!load(library, err)) return false;
	*out = (OpenAnswer){.library = nvrtc.path, .major = (uint32_t)nvrtc.major, .minor = (uint32_t)nvrtc.minor};
	return true;
}

void nvrtc_reserve(size_t bytes) {
	void *handle = dlopen(nvrtc.path, RTLD_NOW | RTLD_NOLOAD);
	nvrtcResult (*set)(size_t) = NULL;
	if (handle) *(void **)&set = dlsym(handle, "nvrtcSetPCHHeapSize");
	nvrtc.reserved = set && set(bytes) == NVRTC_SUCCESS;
}

/* --- a compile ---------------------------------------------------------------------------------------------------- */

/* The nearest architecture NVRTC compiles for: the greatest not above cc, else the least there is. */
static bool nearest_arch(Arena *arena, uint32_t cc, uint32_t *out, Err *err) {
	int n = 0;
	if (nvrtc.call.nvrtcGetNumSupportedArchs(&n) || n <= 0)
		return err_set(err, ERR_SETUP, "NVRTC names no architectures");
	int *archs = arena_array(arena, (size_t)n, sizeof *archs);
	if (nvrtc.call.nvrtcGetSupportedArchs(archs)) return err_set(err, ERR_SETUP, "NVRTC names no architectures");
	int best = archs[0];
	for (int i = 0; i < n; i++) {
		if ((uint32_t)archs[i] <= cc && archs[i] > best) best = archs[i];
	}
	*out = (uint32_t)best;
	return true;
}

static char *fetch(Arena *arena, nvrtcProgram program, nvrtcResult (*size)(nvrtcProgram, size_t *),
				   nvrtcResult (*get)(nvrtcProgram, char *), size_t *bytes) {
	size_t n = 0;
	if (size(program, &n) != NVRTC_SUCCESS) n = 0;
	char *data = arena_alloc(arena, n + 1);
	if (n && get(program, data) != NVRTC_SUCCESS) n = 0;
	if (bytes) *bytes = n;
	return data;
}

/* Each message shows its source line: 10 000 of them about one long line are gigabytes. The first ones say enough. */
static char *fetch_log(Arena *arena, nvrtcProgram program) {
	enum { LOG_MOST = 1 << 20 };
	size_t n;
	char *log = fetch(arena, program, nvrtc.call.nvrtcGetProgramLogSize, nvrtc.call.nvrtcGetProgramLog, &n);
	if (n <= LOG_MOST) return log;
	char *end = memrchr(log, '\n', LOG_MOST);
	(end ? end : log + LOG_MOST)[0] = '\0';
	return log;
}

static bool fetch_results(nvrtcProgram program, const NvrtcInput *in, Arena *arena, NvrtcOutput *out, Err *err) {
	const Functions *call = &nvrtc.call;
	out->cubin = (uint8_t *)fetch(arena, program, call->nvrtcGetCUBINSize, call->nvrtcGetCUBIN, &out->cubin_bytes);
	out->ptx = fetch(arena, program, call->nvrtcGetPTXSize, call->nvrtcGetPTX, NULL);
	if (!*out->ptx || (!out->cubin_bytes && !in->ptx_only)) return err_set(err, ERR_SETUP, "NVRTC returned no code");
	CompileText *linked = arena_array(arena, in->nnames + 1, sizeof *linked);
	for (uint32_t i = 0; i < in->nnames; i++) {
		const char *name = NULL;
		const nvrtcResult rc = call->nvrtcGetLoweredName(program, in->names[i].text, &name);
		if (rc != NVRTC_SUCCESS || !name)
			return err_set(err, ERR_SETUP, "NVRTC gives no linked name for %s: %s", in->names[i].text,
						   call->nvrtcGetErrorString(rc));
		linked[i].text = arena_strdup(arena, name);
	}
	out->linked = linked;
	out->nlinked = in->nnames;
	return true;
}

typedef VEC(const char *) Options;

/* How NVRTC goes about it; what comes out is the same, but for a note of the options in the cubin.
 *     --split-compile=N  kernels are optimized side by side by N threads: on a few processors that brings nothing
 *     --no-cache         no second cache beside ours: since 12.9 it keeps every result in a file of the driver's
 *     --minimal          without the declarations of the runtime's functions, of textures and of surfaces, which take
 * longer to read than many a kernel to compile */
static void add_manner(Options *options, bool minimal) {
	enum { ENOUGH = 4 };
	const bool caches = nvrtc.major > 12 || nvrtc.minor >= 9;
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

static nvrtcResult create_program(nvrtcProgram *program, const NvrtcInput *in) {
	VEC(const char *) texts = {0}, paths = {0};
	for (uint32_t i = 0; i < in->nfiles; i++) {
		vec_push(&texts, in->files[i].text);
		vec_push(&paths, in->files[i].path);
	}
	const nvrtcResult rc =
		nvrtc.call.nvrtcCreateProgram(program, in->source, in->path, (int)in->nfiles, texts.data, paths.data);
	vec_free(&texts);
	vec_free(&paths);
	return rc;
}

static bool compile_with(const NvrtcInput *in, const Options *options, Arena *arena, NvrtcOutput *out, Err *err) {
	const Functions *call = &nvrtc.call;
	nvrtcProgram program = NULL;
	bool ok = false;
	nvrtcResult rc = create_program(&program, in);
	for (uint32_t i = 0; rc == NVRTC_SUCCESS && i < in->nnames; i++)
		rc = call->nvrtcAddNameExpression(program, in->names[i].text);
	if (rc != NVRTC_SUCCESS) {
		err_set(err, ERR_SETUP, "NVRTC does not take the source: %s", call->nvrtcGetErrorString(rc));
		goto cleanup;
	}
	rc = call->nvrtcCompileProgram(program, (int)options->len, options->data);
	out->log = fetch_log(arena, program);
	if (rc == NVRTC_ERROR_OUT_OF_MEMORY ||
		(rc != NVRTC_SUCCESS && strstr(out->log, "catastrophic error: out of memory"))) {
		ok = out->out_of_memory = true;
	} else if (rc == NVRTC_ERROR_COMPILATION || rc == NVRTC_ERROR_INVALID_OPTION) {
		ok = true; /* the log says why */
	} else if (rc != NVRTC_SUCCESS) {
		err_set(err, ERR_SETUP, "NVRTC failed: %s%s%s", call->nvrtcGetErrorString(rc), *out->log ? "\n" : "", out->log);
	} else {
		ok = fetch_results(program, in, arena, out, err);
	}
cleanup:
	if (program) call->nvrtcDestroyProgram(&program);
	return ok;
}

/* --- precompiled headers ------------------------------------------------------------------------------------------ */

/* An image of the compiler's memory after the first #include lines, which it maps again where it was. It fits the same
 * library, at the same addresses, with the same options; where it does not, NVRTC says so and compiles as without. */

static Options options_with(const char *arch, const NvrtcInput *in, const char *headers_option) {
	Options options = {0};
	vec_push(&options, arch);
	add_manner(&options, false);
	for (uint32_t i = 0; i < in->noptions; i++) vec_push(&options, in->options[i].text);
	vec_push(&options, headers_option);
	vec_push(&options, "-pch-messages=false");
	return options;
}

static char *with_headers(Arena *arena, const char *option, const char *path) {
	AUTO_STR Str s = {0};
	str_addf(&s, "%s%s", option, path);
	return arena_strdup(arena, s.text);
}

/* Does the source use what only the very generation has, such as wgmma? Code for sm_90a runs on no other, and its rules
 * differ (static shared memory above 48 KB), so all else is compiled for sm_90. */
static bool is_specific(const NvrtcInput *in, uint32_t cc) {
	static const char *const words[] = {"wgmma", "setmaxnreg", "__CUDA_ARCH_FEAT_SM", "__CUDA_ARCH_SPECIFIC__"};
	for (size_t i = 0; cc == in->cc && gpu_has_specific_code(cc) && i < sizeof words / sizeof *words; i++)
		if (strstr(in->source, words[i])) return true;
	return false;
}

/* What ptxas says where a header uses it. */
static bool lacks_specific(const NvrtcInput *in, uint32_t cc, const NvrtcOutput *result) {
	return cc == in->cc && gpu_has_specific_code(cc) && !result->ptx && strstr(result->log, "not supported on .target");
}

static const char *arch_option(Arena *arena, const NvrtcInput *in, uint32_t cc, bool specific) {
	char text[40];
	snprintf(text, sizeof text, "--gpu-architecture=%s_%" PRIu32 "%s", in->ptx_only ? "compute" : "sm", cc,
			 specific ? "a" : "");
	return arena_strdup(arena, text);
}

/* Anything but a clean success is left to a compile without. */
static bool run_prepared(const NvrtcInput *in, uint32_t cc, Arena *arena, NvrtcOutput *out) {
	if (!in->headers || !nvrtc.reserved) return false;
	NvrtcOutput result = {0};
	Options options = options_with(arch_option(arena, in, cc, is_specific(in, cc)), in,
								   with_headers(arena, "--use-pch=", in->headers));
	const bool ok = compile_with(in, &options, arena, &result, NULL) && result.ptx &&
					!strstr(result.log, "precompiled") && !strstr(result.log, "PCH");
	vec_free(&options);
	if (ok) *out = result;
	return ok;
}

bool nvrtc_prepare(const NvrtcInput *in, Arena *arena) {
	uint32_t cc;
	NvrtcOutput result = {0};
	if (!nvrtc.reserved || !in->headers || !nearest_arch(arena, in->cc, &cc, NULL)) return false;
	const char *partial = with_headers(arena, in->headers, ".partial");
	Options options = options_with(arch_option(arena, in, cc, is_specific(in, cc)), in,
								   with_headers(arena, "--create-pch=", partial));
	const bool ok = compile_with(in, &options, arena, &result, NULL) && result.ptx;
	vec_free(&options);
	if (ok && cache_headers_seal(partial, in->headers) && rename(partial, in->headers) == 0) return true;
	unlink(partial);
	return false;
}

/* What does not compile with little declared is compiled again with all, so that messages are about that. */
static bool run(const NvrtcInput *in, Arena *arena, NvrtcOutput *out, Err *err) {
	uint32_t cc = 0;
	if (!nearest_arch(arena, in->cc, &cc, err)) return false;
	NvrtcOutput result = {0};
	bool ok = false;
	bool specific = is_specific(in, cc);
	const bool prepared = run_prepared(in, cc, arena, &result);
	if (prepared) ok = true;
	for (int minimal = may_be_minimal(in->source); minimal >= 0 && !prepared; minimal--) {
		Options options = {0};
		result = (NvrtcOutput){0};
		vec_push(&options, arch_option(arena, in, cc, specific));
		add_manner(&options, minimal);
		for (uint32_t i = 0; i < in->noptions; i++) vec_push(&options, in->options[i].text);
		ok = compile_with(in, &options, arena, &result, err);
		vec_free(&options);
		if (ok && !specific && lacks_specific(in, cc, &result)) {
			specific = true;
			minimal++;
			continue;
		}
		if (!ok || result.ptx || result.out_of_memory || in->once) break;
	}
	if (!ok) return false;
	result.cc = cc;
	result.precompiled = prepared;
	*out = result;
	return true;
}

bool nvrtc_run(const NvrtcInput *in, Arena *arena, NvrtcOutput *out, Err *err) {
	if (!*nvrtc.path) return err_set(err, ERR_SETUP, "no NVRTC is loaded");
	const double start = seconds_now();
	if (!run(in, arena, out, err)) return false;
	if (in->ptx_only && out->ptx && ptxas_may_refuse(out->ptx)) {
		NvrtcInput whole = *in;
		whole.ptx_only = false;
		whole.headers = NULL; /* they were made with other options */
		if (!run(&whole, arena, out, err)) return false;
	}
	out->milliseconds = (seconds_now() - start) * 1e3;
	return true;
}
