/* compile.h: from a CompileJob to code, through the cache or the compile worker.
 *
 *     job -> Plan (absolute path, options, key) -> cache_load                     -> Compiled
 *                                              \-> compiler_run -> log, code -> cache_store -> Compiled
 */
#include "compile/compile.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/vec.h"
#include "compile/cache.h"
#include "compile/compiler.h"
#include "compile/diagnostics.h"
#include "compile/kernels.h"
#include "compile/library.h"
#include "compile/log.h"
#include "compile/partial.h"
#include "compile/plan.h"
#include "compile/ptx_file.h"
#include "compile/source/kernel_list.h"
#include "compile/source/scan.h"
#include "compile/source/tokens.h"
#include "compile/unit.h"
#include "ptx/module.h"

/* The choice of NVRTC and the worker are process-wide; compiles take their turn. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static CompilePlace place_of(const Plan *plan) {
	return (CompilePlace){.library = plan->lib,
						  .folders = plan->readable.data,
						  .nfolders = plan->readable.len,
						  .exactly = plan->headers.bad.len || plan->headers.unknown};
}

/* Lists of texts go as they are: a CompileText is a pointer to one. */
static NvrtcInput input_without_headers(const Plan *plan, const CompileJob *job) {
	return (NvrtcInput){.source = job->source,
						.path = plan->path,
						.cc = job->cc,
						.names = (const CompileText *)job->names,
						.nnames = (uint32_t)plan->nnames,
						.ptx_only = plan->ptx_only,
						.options = (const CompileText *)plan->options.data,
						.noptions = (uint32_t)plan->options.len};
}

static NvrtcInput input_of(const Plan *plan, const CompileJob *job) {
	NvrtcInput in = input_without_headers(plan, job);
	in.files = plan->unit.files;
	in.nfiles = plan->unit.nfiles;
	if (plan->precompiled && cache_headers_usable(plan->precompiled)) in.headers = plan->precompiled;
	return in;
}

/* Once, in the background, where a compile without would take long. */
static void prepare_headers(const Plan *plan, const CompileJob *job) {
	if (!plan->precompiled || cache_headers_there(plan->precompiled)) return;
	AUTO_FREE char *folder = cache_headers_folder();
	const CompilePlace place = place_of(plan);
	NvrtcInput in = input_without_headers(plan, job);
	in.source = plan->prefix;
	in.files = plan->unit.files;
	in.nfiles = plan->unit.nhost;
	in.names = NULL;
	in.nnames = 0;
	in.headers = plan->precompiled;
	if (folder) {
		cache_headers_trim(CACHE_HEADERS_MAX_BYTES);
		compiler_prepare(&place, &in, folder);
	}
}

/* --- headers that are not to be read ------------------------------------------------------------------------------ */

/* In place of what else was said: NVRTC cannot know why. */
static bool report_bad_header(const BadHeader *bad, const Plan *plan, const CompileJob *job, Diagnostics *diags,
							  Err *err) {
	Arena *arena = plan->arena;
	const char *shown = *bad->file ? log_shown_path(arena, bad->file, plan, job) : job->path,
			   *line = *bad->file || !bad->line ? NULL : log_line_of(arena, job->source, bad->line),
			   *message = arena_format(arena, "\"%s\" %s", bad->name, bad->why);
	diagnostics_free(diags);
	diagnostics_add(diags, DIAG_ERROR, shown, bad->line, 0, message, line);
	log_report(&diags->data[0], &plan->unit, err);
	if (!bad->outside) return false;
	if (job->parents)
		return err_hint(err,
						"\"../x.h\" may lead to a folder near the file's own, but not over a link or to hidden files; "
						"add other folders with -I DIR");
	return err_hint(err, "a kernel includes CUDA's headers, gpulab's kernels, and files in its own folder or below");
}

/* What NVRTC could not open, for a reason known here. */
static const BadHeader *refused_header(const Diagnostic *error, const Plan *plan) {
	if (!strstr(error->message, "open source file")) return NULL;
	for (size_t i = 0; i < plan->headers.bad.len; i++) {
		const BadHeader *bad = &plan->headers.bad.data[i];
		if (bad->line == error->line && strstr(error->message, bad->name)) return bad;
	}
	return NULL;
}

/* A header that is no file could hold the compiler up, so its name alone is an error. One that is outside is left to
 * the operating system where that keeps the compiler to its place: the line may be in a branch that is not taken. */
static bool headers_may_be_read(const Plan *plan, const CompileJob *job, Diagnostics *diags, Err *err) {
	const HeaderReport *r = &plan->headers;
	const CompilePlace place = place_of(plan);
	bool confined = false;
	for (size_t i = 0; i < r->bad.len; i++)
		if (!r->bad.data[i].outside) return report_bad_header(&r->bad.data[i], plan, job, diags, err);
	if (!r->bad.len && !r->unknown) return true;
	if (!compiler_confined(&place, &confined, err)) return false;
	if (confined) return true;
	if (r->bad.len) return report_bad_header(&r->bad.data[0], plan, job, diags, err);
	err_set(err, ERR_COMPILE, "%.200s: an #include names its header through a macro", job->path);
	return err_hint(err, "write the header's name: this system has no Landlock, so gpulab checks each name by itself");
}

static bool fail(const Plan *plan, const CompileJob *job, const char *log, Diagnostics *diags, Err *err) {
	const Diagnostic *error = log_first_error(diags, false);
	const BadHeader *bad = error ? refused_header(error, plan) : NULL;
	if (bad) return report_bad_header(bad, plan, job, diags, err);
	if (error) {
		log_report(error, &plan->unit, err);
		log_drop_names(diags);
		return false;
	}
	return err_set(err, ERR_COMPILE, "%s does not compile: %.800s", job->path,
				   log && *log ? log : "NVRTC does not say why");
}

static bool check_names(const Compiled *compiled, const CompileJob *job, const NvrtcOutput *out, Err *err) {
	const char *bad = NULL;
	for (uint32_t i = 0; i < out->nlinked && !bad; i++) {
		const PtxFunction *f = ptx_function(compiled->module, out->linked[i].text);
		const bool variable = *job->names[i] == '&'; /* its address is no kernel and may be asked for */
		if (!variable && (!f || !f->entry)) bad = job->names[i];
	}
	if (!bad) return true;
	err_set(err, ERR_COMPILE, "\"%.200s\" in %.200s is not a kernel", bad, job->path);
	return err_hint(err, "a kernel is a function declared __global__");
}

/* NVRTC puts the working folder in front of "<prompt>" in .file, which says nothing about text that was typed. */
static void name_typed_text(Compiled *compiled, const Plan *plan) {
	if (*plan->path != '<') return;
	Str quoted = {0}, ptx = {0};
	str_addf(&quoted, "/%s\"", plan->path);
	const char *from = compiled->ptx;
	for (const char *hit; (hit = strstr(from, quoted.text)) != NULL; from = hit + 1) {
		const char *open = hit;
		while (open > from && *open != '"' && *open != '\n') open--;
		str_addn(&ptx, from, (size_t)(open - from) + (*open == '"'));
		if (*open != '"') str_addn(&ptx, open, (size_t)(hit + 1 - open));
	}
	str_add(&ptx, from);
	compiled->ptx_bytes = ptx.len;
	compiled->ptx = str_take_in(compiled->arena, &ptx);
	str_free(&quoted);
}

static Compiled *from_output(const NvrtcOutput *out, const Plan *plan) {
	const Compiled made = {.cubin = (char *)out->cubin,
						   .cubin_bytes = out->cubin_bytes,
						   .ptx = (char *)out->ptx,
						   .ptx_bytes = strlen(out->ptx),
						   .log = (char *)out->log,
						   .cc = out->cc,
						   .precompiled = out->precompiled,
						   .milliseconds = out->milliseconds};
	Compiled *compiled = compiled_copy(&made);
	name_typed_text(compiled, plan);
	return compiled;
}

/* --- nothing but the kernels asked for ---------------------------------------------------------------------------- */

/* "lab::sum<int, 4>" is of the kernel "sum". */
static bool is_of_kernel(const char *asked, const char *kernel) {
	const char *end = asked + strcspn(asked, "<"), *from = end;
	while (from > asked && from[-1] != ':' && from[-1] != ' ') from--;
	const char *last = strrchr(kernel, ':');
	last = last ? last + 1 : kernel;
	return strlen(last) == (size_t)(end - from) && memcmp(last, from, (size_t)(end - from)) == 0;
}

/* The source with each kernel that is neither a template nor asked for made a template, which is not instantiated: it
 * is read, but no code is made of it, which is what takes most of the time. All stays in its line. NULL: there is
 * none. */
static const char *only_asked_for(Arena *arena, const CompileJob *job) {
	static const char made_template[] = "template <int = 0> ";
	ScanKernel *kernels;
	const size_t n = scan_kernels(arena, job->source, &kernels);
	Str text = {0};
	size_t from = 0;
	for (size_t i = 0; i < n; i++) {
		bool wanted = kernels[i].template_ != NULL;
		for (size_t k = 0; !wanted && job->names[k]; k++) wanted = is_of_kernel(job->names[k], kernels[i].name);
		if (wanted) continue;
		str_addn(&text, job->source + from, kernels[i].at - from);
		str_add(&text, made_template);
		from = kernels[i].at;
	}
	str_add(&text, job->source + from);
	const char *changed = str_take_in(arena, &text);
	return from ? changed : NULL;
}

/* A kernel that cannot be a template, any other error and every warning are left to a compile of the source as it
 * stands, so that messages are about that. */
static bool run_focused(const Plan *plan, const CompileJob *job, NvrtcOutput *out, Err *err) {
	const char *text = job->nothing_else && job->names ? only_asked_for(plan->arena, job) : NULL;
	if (!text) return false;
	NvrtcInput in = input_of(plan, job);
	in.source = text;
	in.once = true;
	const CompilePlace place = place_of(plan);
	return compiler_run(&place, &in, job->path, out, err) && out->ptx && !*out->log;
}

/* The job as NVRTC is given it. */
static CompileJob device_job(Plan *plan, const CompileJob *job) {
	CompileJob device = *job;
	plan_unit(plan, job);
	if (plan->unit.changed) device.source = plan->unit.source;
	return device;
}

static Compiled *under_names(const Plan *plan, const CompileJob *job, const NvrtcOutput *out, Err *err) {
	Compiled *compiled = from_output(out, plan);
	if (!compiled_read(compiled, err) || !check_names(compiled, job, out, err)) {
		compiled_free(compiled);
		return NULL;
	}
	kernels_collect(compiled, job->names, out->linked, out->nlinked);
	return compiled;
}

static bool only_names_failed(const Diagnostics *diags) {
	return !log_first_error(diags, false) && log_first_error(diags, true);
}

/* NVRTC did not take a name. It knows none for some that the kernels have without it, such as that of an extern "C"
 * kernel in a namespace; else what the source has without names is what could be asked for. */
static Compiled *under_own_names(const Plan *plan, const CompileJob *job, Diagnostics *diags, Err *err) {
	NvrtcInput in = input_of(plan, job);
	NvrtcOutput out = {0};
	in.nnames = 0;
	const CompilePlace place = place_of(plan);
	const bool ran = compiler_run(&place, &in, job->path, &out, NULL) && out.ptx;
	Compiled *compiled = ran ? from_output(&out, plan) : NULL;
	if (compiled && compiled_read(compiled, NULL)) kernels_collect(compiled, NULL, NULL, 0);
	if (compiled && kernels_there(compiled, job, NULL)) {
		diagnostics_free(diags);
		*diags = log_read(compiled->log, plan, job);
		return compiled;
	}
	kernels_bad_names(job, compiled ? compiled->module : NULL, diags, err);
	compiled_free(compiled);
	return NULL;
}

/* What was read of the source and its headers is all there is. */
static bool all_read(const CompileJob *job, Err *err) {
	return !tokens_over() || (not_cancelled(err) && compiler_out_of_time(job->path, err));
}

static void list_kernels(Compiled *compiled, const Plan *plan, const CompileJob *job) {
	const size_t nheaders = plan->headers.files.len;
	UnitFile *files = arena_array(plan->arena, nheaders + 1, sizeof *files);
	files[0] = (UnitFile){plan->path, job->source};
	if (nheaders) memcpy(files + 1, plan->headers.files.data, nheaders * sizeof *files);
	kernel_list(compiled, files, nheaders + 1, job->options);
}

/* The kernels may be in a header that was left out. */
static bool misses_kernels(const Plan *plan, const CompileJob *job, Compiled *compiled, Err *err) {
	if (!plan->unit.code.includes.len) return false;
	list_kernels(compiled, plan, job);
	if (compiled->nkernels) return false;
	err_set(err, ERR_COMPILE, "%.200s has no kernel", job->path);
	const BadHeader *bad = plan->headers.bad.len ? &plan->headers.bad.data[0] : NULL;
	if (bad) return !err_hint(err, "#include \"%.80s\" (line %u) %s", bad->name, bad->line, bad->why);
	return unit_hint_missing(&plan->unit, err);
}

static Compiled *build(Plan *plan, const CompileJob *whole, Diagnostics *diags, Err *err) {
	const CompileJob device = device_job(plan, whole), *job = &device;
	if (!all_read(job, err)) return NULL;
	NvrtcInput in = input_of(plan, job);
	NvrtcOutput out;
	Err focused = ERR_INIT;
	const CompilePlace place = place_of(plan);
	if (!headers_may_be_read(plan, job, diags, err)) return NULL;
	if (!run_focused(plan, job, &out, &focused)) {
		/* What ended one compile would end the next. */
		if (focused.kind) {
			if (err) *err = focused;
			return NULL;
		}
		if (!compiler_run(&place, &in, job->path, &out, err)) return NULL;
	}
	static const double LONG_MS = 400;
	if (out.milliseconds > LONG_MS) prepare_headers(plan, job);
	*diags = log_read(out.log, plan, job);
	Compiled *compiled = NULL;
	if (!out.ptx && only_names_failed(diags)) {
		compiled = under_own_names(plan, job, diags, err);
	} else if (!out.ptx) {
		fail(plan, job, out.log, diags, err);
	} else {
		compiled = under_names(plan, job, &out, err);
	}
	if (compiled && misses_kernels(plan, whole, compiled, err)) {
		compiled_free(compiled);
		compiled = NULL;
	}
	if (compiled && plan->cacheable) cache_store(plan->key, compiled);
	return compiled;
}

/* The architecture is the device's; a second one among the options would silently win. */
static bool options_make_sense(const CompileJob *job, Err *err) {
	static const char *const arch[] = {"-arch", "--gpu-architecture", "-gencode", "--generate-code", NULL};
	if (!plan_has_option(job, arch)) return true;
	err_set(err, ERR_USAGE, "the architecture is not an option: kernels are compiled for the device they run on");
	return err_hint(err, "choose the device instead, and leave -arch out");
}

/* A NUL byte would end the text for NVRTC in the middle, without a word. */
static bool source_is_text(const CompileJob *job, Diagnostics *diags, Err *err) {
	const char *nul = job->source_bytes ? memchr(job->source, '\0', job->source_bytes) : NULL;
	if (!nul) return true;
	uint32_t line = 1;
	for (const char *p = job->source; p < nul; p++) line += *p == '\n';
	diagnostics_add(diags, DIAG_ERROR, job->path, line, 0, "a NUL byte in the source: the file is not text", NULL);
	const Unit none = {0};
	log_report(&diags->data[0], &none, err);
	return err_hint(err, "save the file as UTF-8 text");
}

/* nvcc takes a file that begins with a byte order mark, NVRTC does not. */
static CompileJob without_mark(const CompileJob *given) {
	CompileJob job = *given;
	const size_t mark = text_starts(job.source, "\xef\xbb\xbf") ? 3 : 0;
	job.source += mark;
	if (job.source_bytes) job.source_bytes -= mark;
	return job;
}

static char *texts_of(Arena *arena, const HeaderReport *headers) {
	Str all = {0};
	for (size_t i = 0; i < headers->files.len; i++) str_addf(&all, "%s\n", headers->files.data[i].text);
	return all.len ? str_take_in(arena, &all) : NULL;
}

static Compiled *of_plan(Plan *plan, const CompileJob *job, Diagnostics *diags, Err *err) {
	if (!all_read(job, err)) return NULL;
	Compiled *compiled = plan->cacheable ? cache_load(plan->key) : NULL;
	if (!compiled) return build(plan, job, diags, err);
	*diags = log_read(compiled->log, plan, job);
	return compiled;
}

static Compiled *compile_locked(const CompileJob *job, Diagnostics *diags, Err *err) {
	const NvrtcLibrary *lib = library_choose(err);
	if (!lib) return NULL;
	Plan plan = plan_make(job, lib);
	Compiled *compiled = of_plan(&plan, job, diags, err);
	if (compiled && !compiled_read(compiled, err)) {
		compiled_free(compiled);
		compiled = NULL;
	}
	if (compiled) {
		memcpy(compiled->key, plan.key, sizeof plan.key);
		compiled->headers = texts_of(compiled->arena, &plan.headers);
		list_kernels(compiled, &plan, job);
		if (!all_read(job, err)) {
			compiled_free(compiled);
			compiled = NULL;
		}
	}
	plan_free(&plan);
	return compiled;
}

/* Linked names are no C++: what they ask for is there without being named, if at all. */
static const char *const *names_in_cxx(Arena *arena, const CompileJob *job) {
	VEC(const char *) names = {0};
	for (size_t i = 0; job->names && job->names[i]; i++)
		if (!text_starts(job->names[i], "_Z")) vec_push_in(arena, &names, job->names[i]);
	if (!names.len) return NULL;
	vec_push_in(arena, &names, NULL);
	return names.data;
}

static Compiled *compile_names(const CompileJob *job, Diagnostics *diags, Err *err) {
	AUTO_ARENA Arena *arena = arena_new();
	CompileJob in_cxx = *job;
	in_cxx.names = names_in_cxx(arena, job);
	Compiled *compiled = compile_locked(&in_cxx, diags, err);
	if (!compiled || kernels_there(compiled, job, err)) return compiled;
	err_hint(err, "a kernel's linked name holds the types of its parameters: see the module's names");
	compiled_free(compiled);
	return NULL;
}

/* Without what has an error, one declaration after the other. Where that does not help the first error is left; or the
 * one of a kernel that was asked for, which is no part of what was left out. */
static Compiled *compile_partial(const CompileJob *job, Diagnostics *diags, Err *err) {
	AUTO_ARENA Arena *arena = arena_new();
	Partial partial = partial_of(arena, job->source);
	CompileJob part = *job;
	Diagnostics found = {0};
	Err why = *err;
	const Diagnostic *error = log_first_error(diags, false);
	Compiled *compiled = NULL;
	while (error && why.kind == ERR_COMPILE && strcmp(error->file, job->path) == 0 &&
		   partial_leave_out(&partial, error, &why, job->names)) {
		part.source = partial.text;
		diagnostics_free(&found);
		found = (Diagnostics){0};
		err_clear(&why);
		compiled = compile_names(&part, &found, &why);
		error = compiled ? NULL : log_first_error(&found, false);
	}
	if (compiled && compiled->nkernels == 0) {
		compiled_free(compiled);
		compiled = NULL;
	}
	const bool own = !compiled && job->names && found.len && error && !partial_follows(&partial, error);
	if (own || (!compiled && why.kind && why.kind != ERR_COMPILE)) *err = why;
	if (compiled) partial_list(&partial, compiled);
	Diagnostics *kept = compiled || own ? &found : diags, *other = kept == diags ? &found : diags;
	diagnostics_free(other);
	*diags = *kept;
	return compiled;
}

bool compile(const CompileJob *job, Compiled **out, Diagnostics *diags, Err *err) {
	Diagnostics found = {0};
	Compiled *compiled = NULL;
	const CompileJob text = without_mark(job);
	const bool is_text = source_is_text(&text, &found, err);
	if (is_text && is_ptx_file(job->path)) {
		compiled = compiled_from_ptx(&text, err);
	} else if (is_text && options_make_sense(job, err)) {
		pthread_mutex_lock(&lock);
		tokens_limit(limit_of(LIMIT_COMPILE_TIME));
		Err why = ERR_INIT;
		compiled = compile_names(&text, &found, &why);
		if (!compiled && job->partial) compiled = compile_partial(&text, &found, &why);
		if (!compiled && err) *err = why;
		tokens_limit(0);
		pthread_mutex_unlock(&lock);
	}
	if (diags) {
		*diags = found;
	} else {
		diagnostics_free(&found);
	}
	if (compiled) *out = compiled;
	return compiled != NULL;
}

void compile_prepare(const CompileJob *given) {
	Diagnostics diags = {0};
	const CompileJob text = without_mark(given), *job = &text;
	if (is_ptx_file(job->path)) return;
	if (!options_make_sense(job, NULL) || !source_is_text(job, &diags, NULL)) {
		diagnostics_free(&diags);
		return;
	}
	pthread_mutex_lock(&lock);
	const NvrtcLibrary *lib = library_choose(NULL);
	if (lib) {
		tokens_limit(limit_of(LIMIT_COMPILE_TIME));
		Plan plan = plan_make(job, lib);
		const CompilePlace place = place_of(&plan);
		compiler_start(&place);
		plan_unit(&plan, job);
		if (!tokens_over()) prepare_headers(&plan, job);
		plan_free(&plan);
		tokens_limit(0);
	}
	pthread_mutex_unlock(&lock);
}

const char *nvrtc_version(Err *err) {
	static char version[24];
	pthread_mutex_lock(&lock);
	bool ok = library_choose(err) != NULL;
	if (ok) strncpy(version, library_version(), sizeof version - 1);
	pthread_mutex_unlock(&lock);
	return ok ? version : NULL;
}

const char *nvrtc_verified(void) {
	pthread_mutex_lock(&lock);
	const char *version = library_verified();
	pthread_mutex_unlock(&lock);
	return version;
}

char *nvrtc_home(void) {
	pthread_mutex_lock(&lock);
	const NvrtcLibrary *library = library_choose(NULL);
	char *home = library ? xformat("%s/..", path_folder(library->arena, library->path)) : NULL;
	pthread_mutex_unlock(&lock);
	return home;
}

bool compile_sandbox(char *out, size_t size, Err *err) {
	OpenAnswer opened;
	pthread_mutex_lock(&lock);
	const NvrtcLibrary *lib = library_choose(err);
	const bool ok = lib && compiler_open(lib->path, &opened, err);
	if (ok) sandbox_text(&opened.sandbox, out, size);
	pthread_mutex_unlock(&lock);
	return ok;
}
