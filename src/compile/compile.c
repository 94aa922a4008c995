/* compile.h: from a CompileJob to code, through the cache or the compile worker.
 *
 *     job -> Plan (absolute path, options, key) -> cache_load                     -> Compiled
 *                                              \-> compiler_run -> log, code -> cache_store -> Compiled
 */
#include "compile/compile.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "compile/cache.h"
#include "compile/compiler.h"
#include "compile/diagnostics.h"
#include "compile/headers.h"
#include "compile/kernels.h"
#include "compile/library.h"
#include "compile/names.h"
#include "compile/scan.h"
#include "compile/unit.h"

/* Raise it when the options given here or the way results are made change: old results are then not found any more. */
enum { LAYOUT = 5 };

/* The choice of NVRTC and the worker are process-wide; compiles take their turn. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct {
	char *path;             /* absolute, so that .file lines and nested includes do not hang on the working folder */
	char *folder;           /* of path; where quoted includes start */
	VEC(char *) options;    /* in NVRTC's order, all but the architecture */
	VEC(const char *) dirs; /* searched for headers, CUDA's excepted */
	VEC(char *) forced;     /* folders of the headers that options put in front */
	VEC(const char *) readable; /* dirs and forced: what the compiler may read */
	HeaderReport headers;
	char *prefix;      /* the source's first lines, where they include CUDA's headers; NULL: they do not */
	char *precompiled; /* the file of those, which may not be there; NULL: no place */
	const NvrtcLibrary *lib;
	Unit unit; /* of a source that is compiled */
	size_t nnames;
	bool cacheable;
	char key[CACHE_KEY_CHARS];
} Plan;

static void plan_free(Plan *plan) {
	free(plan->path);
	free(plan->folder);
	for (size_t i = 0; i < plan->options.len; i++) free(plan->options.data[i]);
	vec_free(&plan->options);
	for (size_t i = 0; i < plan->forced.len; i++) free(plan->forced.data[i]);
	vec_free(&plan->forced);
	vec_free(&plan->readable);
	vec_free(&plan->dirs);
	headers_report_free(&plan->headers);
	unit_free(&plan->unit);
	free(plan->prefix);
	free(plan->precompiled);
}

static void add_option(Plan *plan, const char *prefix, const char *rest) {
	Str s = {0};
	str_addf(&s, "%s%s", prefix, rest);
	vec_push(&plan->options, str_take(&s));
}

static bool any_option(const CompileJob *job, const char *const *prefixes) {
	for (size_t i = 0; job->options && job->options[i]; i++) {
		for (const char *const *p = prefixes; *p; p++) {
			if (text_starts(job->options[i], *p)) return true;
		}
	}
	return false;
}

/* The folders the job's own options add: -Idir, -I dir, --include-path=dir. */
static void add_option_dirs(Plan *plan, const CompileJob *job) {
	for (size_t i = 0; job->options && job->options[i]; i++) {
		const char *o = job->options[i];
		static const char *const forms[] = {"--include-path=", "-I=", "-I"};
		for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
			if (!text_starts(o, forms[f])) continue;
			const char *dir = o + strlen(forms[f]);
			if (!*dir && job->options[i + 1]) dir = job->options[i + 1];
			if (*dir) vec_push(&plan->dirs, dir);
			break;
		}
		if (strcmp(o, "--include-path") == 0 && job->options[i + 1]) vec_push(&plan->dirs, job->options[i + 1]);
	}
}

static void add_options(Plan *plan, const CompileJob *job) {
	static const char *const dialects[] = {"-std", "--std", NULL};
	static const char *const debugging[] = {"-lineinfo", "--generate-line-info", "-G", "--device-debug", NULL};
	if (!any_option(job, dialects)) add_option(plan, "--std=c++17", "");
	if (!any_option(job, debugging)) add_option(plan, "--generate-line-info", "");
	if (*plan->folder) vec_push(&plan->dirs, plan->folder);
	for (size_t i = 0; job->include_dirs && job->include_dirs[i]; i++) vec_push(&plan->dirs, job->include_dirs[i]);
	for (size_t i = 0; i < plan->dirs.len; i++) add_option(plan, "--include-path=", plan->dirs.data[i]);
	add_option_dirs(plan, job);
	for (size_t i = 0; job->options && job->options[i]; i++) add_option(plan, job->options[i], "");
	for (size_t i = 0; i < TOOLKIT_INCLUDES && plan->lib->includes[i]; i++) {
		add_option(plan, "--include-path=", plan->lib->includes[i]);
	}
}

/* Text typed at the prompt has a name like "<prompt>" and no folder: its includes start from the working folder. */
static void place_source(Plan *plan, const CompileJob *job) {
	char *real = *job->path == '<' ? NULL : realpath(job->path, NULL);
	plan->path = real ? real : xstrdup(job->path);
	plan->folder = xstrdup(plan->path);
	char *slash = strrchr(plan->folder, '/');
	*(slash ? slash : plan->folder) = '\0';
}

/* The file that an option puts in front of the source; NULL: it is another option. */
static const char *forced_header(const char *const *option) {
	static const char *const forms[] = {"--pre-include=", "-include="};
	for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
		if (text_starts(*option, forms[f])) return *option + strlen(forms[f]);
	if (strcmp(*option, "--pre-include") == 0 || strcmp(*option, "-include") == 0) return option[1];
	return NULL;
}

/* They count like the source's first lines, and since the lab chose them they may be anywhere. */
static bool add_forced_headers(CacheKey *key, Plan *plan, const CompileJob *job, const HeaderPlaces *places) {
	bool known = true;
	for (size_t i = 0; job->options && job->options[i]; i++) {
		const char *file = forced_header(&job->options[i]);
		if (!file) continue;
		HeaderReport report;
		HeaderPlaces from_here = *places;
		Str line = {0};
		from_here.folder = "";
		str_addf(&line, "#include \"%s\"\n", file);
		headers_add(key, line.text, &from_here, &report);
		known = known && !report.unknown && !report.nbad;
		headers_report_free(&report);
		str_free(&line);
		const char *slash = strrchr(file, '/');
		Str folder = {0};
		str_addn(&folder, slash ? file : ".", slash ? (size_t)(slash - file) + 1 : 1);
		vec_push(&plan->forced, str_take(&folder));
	}
	return known;
}

static void make_key(Plan *plan, const CompileJob *job) {
	CacheKey key = cache_key_start();
	const char *cuda[TOOLKIT_INCLUDES];
	size_t ncuda = 0;
	cache_key_number(&key, LAYOUT);
	cache_key_text(&key, plan->lib->path);
	cache_key_number(&key, plan->lib->bytes);
	cache_key_number(&key, (uint64_t)plan->lib->mtime_ns);
	cache_key_number(&key, job->cc);
	cache_key_text(&key, plan->path);
	cache_key_text(&key, job->source);
	for (size_t i = 0; i < plan->options.len; i++) cache_key_text(&key, plan->options.data[i]);
	cache_key_text(&key, NULL);
	for (size_t i = 0; job->names && i < plan->nnames; i++) cache_key_text(&key, job->names[i]);
	cache_key_text(&key, NULL);
	cache_key_number(&key, job->nothing_else);
	while (ncuda < TOOLKIT_INCLUDES && plan->lib->includes[ncuda]) {
		cuda[ncuda] = plan->lib->includes[ncuda];
		ncuda++;
	}
	const HeaderPlaces places = {
		.folder = plan->folder, .dirs = plan->dirs.data, .ndirs = plan->dirs.len, .cuda = cuda, .ncuda = ncuda};
	const bool forced_known = add_forced_headers(&key, plan, job, &places);
	headers_add(&key, job->source, &places, &plan->headers);
	plan->cacheable = forced_known && !plan->headers.unknown && !plan->headers.nbad;
	cache_key_text_of(&key, plan->key);
}

static char *cuda_prefix(const CompileJob *job, const HeaderReport *headers) {
	ScanInclude *includes;
	const size_t n = scan_includes(job->source, &includes), leading = scan_leading_includes(job->source),
				 first = leading < headers->cuda_first ? leading : headers->cuda_first;
	Str s = {0};
	for (size_t i = 0; i < first; i++)
		str_addf(&s, includes[i].quoted ? "#include \"%s\"\n" : "#include <%s>\n", includes[i].name);
	scan_includes_free(includes, n);
	return first ? str_take(&s) : NULL;
}

/* NVRTC takes precompiled headers for the same options only. */
static char *precompiled_path(const Plan *plan, const CompileJob *job) {
	char *folder = cache_headers_folder(), name[CACHE_KEY_CHARS];
	CacheKey key = cache_key_start();
	Str path = {0};
	if (!folder) return NULL;
	cache_key_number(&key, LAYOUT);
	cache_key_text(&key, plan->lib->path);
	cache_key_number(&key, plan->lib->bytes);
	cache_key_number(&key, (uint64_t)plan->lib->mtime_ns);
	cache_key_number(&key, job->cc);
	for (size_t i = 0; i < plan->options.len; i++) cache_key_text(&key, plan->options.data[i]);
	cache_key_text(&key, plan->prefix);
	cache_key_text_of(&key, name);
	str_addf(&path, "%s/%s", folder, name);
	free(folder);
	return str_take(&path);
}

static void plan_headers(Plan *plan, const CompileJob *job) {
	if (plan->forced.len) return; /* they come before the source's own */
	plan->prefix = cuda_prefix(job, &plan->headers);
	if (plan->prefix) plan->precompiled = precompiled_path(plan, job);
}

static Plan make_plan(const CompileJob *job, const NvrtcLibrary *lib) {
	Plan plan = {.lib = lib};
	place_source(&plan, job);
	add_options(&plan, job);
	while (job->names && job->names[plan.nnames]) plan.nnames++;
	make_key(&plan, job);
	plan_headers(&plan, job);
	if (!*plan.folder) vec_push(&plan.readable, ".");
	for (size_t i = 0; i < plan.dirs.len; i++) vec_push(&plan.readable, plan.dirs.data[i]);
	for (size_t i = 0; i < plan.forced.len; i++) vec_push(&plan.readable, plan.forced.data[i]);
	return plan;
}

/* Files are shown as the caller spells the source's path, and those beside it likewise. */
static char *shown_path(const char *file, const Plan *plan, const CompileJob *job) {
	if (strcmp(file, plan->path) == 0) return xstrdup(job->path);
	size_t n = strlen(plan->folder);
	if (!n || strncmp(file, plan->folder, n) != 0 || file[n] != '/') return xstrdup(file);
	const char *slash = strrchr(job->path, '/');
	Str s = {0};
	str_addn(&s, job->path, slash ? (size_t)(slash + 1 - job->path) : 0);
	str_add(&s, file + n + 1);
	return str_take(&s);
}

static char *line_of(const char *text, uint32_t line) {
	for (; line > 1 && *text; line--) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	Str s = {0};
	str_addn(&s, text, strcspn(text, "\r\n"));
	return str_take(&s);
}

/* NVRTC reports a missing semicolon at the token it met instead, often lines below; people look for it where the statement
 * ends. */
static void place_semicolon(Diagnostic *diag, const CompileJob *job) {
	uint32_t line, column;
	if (strcmp(diag->message, "expected a \";\"") != 0 || !diag->column) return;
	if (!scan_token_end_before(job->source, diag->line, diag->column, &line, &column) || line == diag->line) return;
	diag->line = line;
	diag->column = column;
	free(diag->source_line);
	diag->source_line = line_of(job->source, line);
}

/* ptxas knows kernels, not lines: the source says where the kernel it complains of begins. */
static void place_by_kernel(Diagnostic *diag, const CompileJob *job) {
	const char *open = strchr(diag->message, '"');
	const char *close = open ? strchr(open + 1, '"') : NULL;
	if (*diag->file || !close) return;
	ScanKernel *kernels;
	size_t n = scan_kernels(job->source, &kernels);
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(kernels[i].name);
		if (diag->line || len != (size_t)(close - open - 1) || memcmp(kernels[i].name, open + 1, len) != 0) continue;
		free(diag->file);
		diag->file = xstrdup(job->path);
		diag->line = kernels[i].line;
		diag->source_line = line_of(job->source, kernels[i].line);
	}
	scan_kernels_free(kernels, n);
}

static Diagnostics read_log(const char *log, const Plan *plan, const CompileJob *job) {
	Diagnostics diags = {0};
	diagnostics_parse(log, &diags);
	for (size_t i = 0; i < diags.len; i++) {
		Diagnostic *diag = &diags.items[i];
		bool own = strcmp(diag->file, plan->path) == 0;
		char *shown = shown_path(diag->file, plan, job);
		free(diag->file);
		diag->file = shown;
		if (own) place_semicolon(diag, job);
		place_by_kernel(diag, job);
	}
	return diags;
}

static const Diagnostic *first_error(const Diagnostics *diags, bool in_names) {
	for (size_t i = 0; i < diags->len; i++) {
		if (diags->items[i].kind == DIAG_ERROR && kernels_is_name_message(&diags->items[i]) == in_names) {
			return &diags->items[i];
		}
	}
	return NULL;
}

static void drop_name_messages(Diagnostics *diags) {
	size_t kept = 0;
	for (size_t i = 0; i < diags->len; i++) {
		if (kernels_is_name_message(&diags->items[i])) {
			diagnostic_clear(&diags->items[i]);
		} else {
			diags->items[kept++] = diags->items[i];
		}
	}
	diags->len = kept;
}

static void hint_for(const Diagnostic *diag, Err *err) {
	static const char *const host[] = {"stdio.h", "stdlib.h", "math.h",  "assert.h", "string.h", "cstdio",
									   "cstdlib", "cmath",    "cassert", "cstring",  "iostream", "vector"};
	bool missing = strstr(diag->message, "open source file");
	for (size_t i = 0; missing && i < sizeof host / sizeof *host; i++) {
		Str quoted = {0};
		str_addf(&quoted, "\"%s\"", host[i]);
		bool hit = strstr(diag->message, quoted.text) != NULL;
		str_free(&quoted);
		if (!hit) continue;
		err_hint(
			err,
			"kernels are compiled without the host's headers: printf, assert and the mathematical functions are there "
			"without them, <cuda/std/...> has the rest; put host code between #ifndef __CUDACC_RTC__ and #endif");
		return;
	}
	if (missing) {
		err_hint(err, "headers are searched beside the source, in the folders given, and in CUDA's own");
	} else if (strstr(diag->message, "is considered a host")) {
		err_hint(err, "write __device__ (or __global__, __constant__, __shared__) before it, or keep host code between "
					  "#ifndef __CUDACC_RTC__ and #endif");
	} else if (strstr(diag->message, "too much shared data")) {
		err_hint(
			err,
			"use a smaller array, or dynamic shared memory: extern __shared__ float s[]; with the size in the launch");
	}
}

static void report(const Diagnostic *diag, const Unit *unit, Err *err) {
	char *text = diagnostic_render(diag, false);
	err_set(err, ERR_COMPILE, "%s", text);
	free(text);
	if (*diag->file && diag->line) err_where(err, diag->file, diag->line);
	if (!unit_hint(unit, diag->message, err)) hint_for(diag, err);
}

static CompilePlace place_of(const Plan *plan) {
	return (CompilePlace){.library = plan->lib,
						  .folders = plan->readable.data,
						  .nfolders = plan->readable.len,
						  .exactly = plan->headers.nbad || plan->headers.unknown};
}

/* Lists of texts go as they are: a CompileText is a pointer to one. */
static NvrtcInput input_without_headers(const Plan *plan, const CompileJob *job) {
	return (NvrtcInput){.source = job->source,
						.path = plan->path,
						.cc = job->cc,
						.names = (const CompileText *)job->names,
						.nnames = (uint32_t)plan->nnames,
						.options = (const CompileText *)plan->options.data,
						.noptions = (uint32_t)plan->options.len};
}

static NvrtcInput input_of(const Plan *plan, const CompileJob *job) {
	NvrtcInput in = input_without_headers(plan, job);
	in.files = plan->unit.files;
	in.nfiles = plan->unit.nfiles;
	if (plan->precompiled && !plan->unit.changed && cache_headers_usable(plan->precompiled))
		in.headers = plan->precompiled;
	return in;
}

/* Once, in the background, where a compile without would take long. */
static void prepare_headers(const Plan *plan, const CompileJob *job) {
	if (!plan->precompiled || plan->unit.changed || cache_headers_check(plan->precompiled)) return;
	char *folder = cache_headers_folder();
	const CompilePlace place = place_of(plan);
	NvrtcInput in = input_without_headers(plan, job);
	in.source = plan->prefix;
	in.names = NULL;
	in.nnames = 0;
	in.headers = plan->precompiled;
	if (folder) {
		cache_headers_trim(CACHE_HEADERS_MAX_BYTES);
		compiler_prepare(&place, &in, folder);
	}
	free(folder);
}

/* Only the names were wrong: what the source has without them is what could be asked for. */
static bool fail_in_names(const Plan *plan, const CompileJob *job, Diagnostics *diags, Err *err) {
	NvrtcInput in = input_of(plan, job);
	NvrtcOutput out;
	in.nnames = 0;
	const CompilePlace place = place_of(plan);
	bool ran = compiler_run(&place, &in, job->path, &out, NULL);
	return kernels_bad_names(job, ran && out.ptx ? out.ptx : "", diags, err);
}

/* --- headers that are not to be read --------------------------------------------------------------------------------------- */

static const char *offence_text(HeaderOffence offence) {
	switch (offence) {
	case HEADER_OUTSIDE: return "is outside the folders that a kernel may include from";
	case HEADER_SOLUTION: return "is a solution, which cannot be included";
	case HEADER_NO_FILE: break;
	}
	return "is not a regular file";
}

/* In place of what else was said: NVRTC cannot know why. */
static bool report_bad_header(const BadHeader *bad, const Plan *plan, const CompileJob *job, Diagnostics *diags,
							  Err *err) {
	Str message = {0};
	char *shown = *bad->file ? shown_path(bad->file, plan, job) : xstrdup(job->path),
		 *line = *bad->file ? NULL : line_of(job->source, bad->line);
	str_addf(&message, "\"%s\" %s", bad->name, offence_text(bad->offence));
	diagnostics_free(diags);
	diagnostics_add(diags, DIAG_ERROR, shown, bad->line, 0, message.text, line);
	report(&diags->items[0], &plan->unit, err);
	err_hint(err, "a kernel includes CUDA's headers, gpulab's kernels, and files in its own folder or below");
	str_free(&message);
	free(shown);
	free(line);
	return false;
}

/* What NVRTC could not open, for a reason known here. */
static const BadHeader *refused_header(const Diagnostic *error, const Plan *plan) {
	if (!strstr(error->message, "open source file")) return NULL;
	for (size_t i = 0; i < plan->headers.nbad; i++) {
		const BadHeader *bad = &plan->headers.bad[i];
		if (bad->line == error->line && strstr(error->message, bad->name)) return bad;
	}
	return NULL;
}

/* A header that is no file could hold the compiler up, so its name alone is an error. One that is outside is left to the operating
 * system where that keeps the compiler to its place: the line may be in a branch that is not taken. */
static bool headers_may_be_read(const Plan *plan, const CompileJob *job, Diagnostics *diags, Err *err) {
	const HeaderReport *r = &plan->headers;
	const CompilePlace place = place_of(plan);
	bool confined = false;
	for (size_t i = 0; i < r->nbad; i++)
		if (r->bad[i].offence != HEADER_OUTSIDE) return report_bad_header(&r->bad[i], plan, job, diags, err);
	if (!r->nbad && !r->unknown) return true;
	if (!compiler_confined(&place, &confined, err)) return false;
	if (confined) return true;
	if (r->nbad) return report_bad_header(&r->bad[0], plan, job, diags, err);
	err_set(err, ERR_COMPILE, "%.200s: an #include names its header through a macro", job->path);
	return err_hint(err, "write the header's name: this system has no Landlock, so gpulab checks each name by itself");
}

static bool fail(const Plan *plan, const CompileJob *job, const char *log, Diagnostics *diags, Err *err) {
	const Diagnostic *error = first_error(diags, false);
	if (!error && first_error(diags, true)) return fail_in_names(plan, job, diags, err);
	const BadHeader *bad = error ? refused_header(error, plan) : NULL;
	if (bad) return report_bad_header(bad, plan, job, diags, err);
	if (error) {
		report(error, &plan->unit, err);
		drop_name_messages(diags);
		return false;
	}
	return err_set(err, ERR_COMPILE, "%s does not compile: %.800s", job->path,
				   log && *log ? log : "NVRTC does not say why");
}

static bool check_names(const Compiled *compiled, const CompileJob *job, const NvrtcOutput *out, Err *err) {
	char **entries;
	size_t nentries = names_entries(compiled->ptx, &entries);
	const char *bad = NULL;
	for (uint32_t i = 0; i < out->nlinked && !bad; i++) {
		bool there = *job->names[i] == '&'; /* the address of a variable is no kernel and may be asked for */
		for (size_t e = 0; e < nentries && !there; e++) there = strcmp(entries[e], out->linked[i].text) == 0;
		if (!there) bad = job->names[i];
	}
	for (size_t e = 0; e < nentries; e++) free(entries[e]);
	free(entries);
	if (!bad) return true;
	err_set(err, ERR_COMPILE, "\"%.200s\" in %.200s is not a kernel", bad, job->path);
	return err_hint(err, "a kernel is a function declared __global__");
}

static Compiled *from_output(const NvrtcOutput *out) {
	Compiled *c = xcalloc(1, sizeof *c);
	*c = (Compiled){.cubin = xmalloc(out->cubin_bytes),
					.cubin_bytes = out->cubin_bytes,
					.ptx = xstrdup(out->ptx),
					.ptx_bytes = strlen(out->ptx),
					.log = xstrdup(out->log),
					.cc = out->cc,
					.precompiled = out->precompiled,
					.milliseconds = out->milliseconds};
	memcpy(c->cubin, out->cubin, out->cubin_bytes);
	return c;
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
	free(compiled->ptx);
	compiled->ptx_bytes = ptx.len;
	compiled->ptx = str_take(&ptx);
	str_free(&quoted);
}

/* --- nothing but the kernels asked for ----------------------------------------------------------------------------------- */

/* "lab::sum<int, 4>" is of the kernel "sum". */
static bool is_of_kernel(const char *asked, const char *kernel) {
	const char *end = asked + strcspn(asked, "<"), *from = end;
	while (from > asked && from[-1] != ':' && from[-1] != ' ') from--;
	const char *last = strrchr(kernel, ':');
	last = last ? last + 1 : kernel;
	return strlen(last) == (size_t)(end - from) && memcmp(last, from, (size_t)(end - from)) == 0;
}

/* The source with each kernel that is neither a template nor asked for made a template, which nobody instantiates: it is read, but
 * no code is made of it, which is what takes most of the time. All stays in its line. NULL: there is none. */
static char *only_asked_for(const CompileJob *job) {
	static const char made_template[] = "template <int = 0> ";
	ScanKernel *kernels;
	const size_t n = scan_kernels(job->source, &kernels);
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
	scan_kernels_free(kernels, n);
	if (!from) {
		str_free(&text);
		return NULL;
	}
	str_add(&text, job->source + from);
	return str_take(&text);
}

/* A kernel that cannot be a template, any other error and every warning are left to a compile of the source as it stands, so that
 * messages are about that. */
static bool run_focused(const Plan *plan, const CompileJob *job, NvrtcOutput *out, Err *err) {
	char *text = job->nothing_else && job->names ? only_asked_for(job) : NULL;
	if (!text) return false;
	NvrtcInput in = input_of(plan, job);
	in.source = text;
	in.once = true;
	const CompilePlace place = place_of(plan);
	const bool good = compiler_run(&place, &in, job->path, out, err) && out->ptx && !*out->log;
	free(text);
	return good;
}

/* The job as NVRTC is given it. */
static CompileJob device_job(Plan *plan, const CompileJob *job) {
	CompileJob device = *job;
	unit_read(job, &plan->headers, &plan->unit);
	if (plan->unit.option) add_option(plan, plan->unit.option, "");
	if (plan->unit.changed) device.source = plan->unit.source;
	return device;
}

static Compiled *build(Plan *plan, const CompileJob *whole, Diagnostics *diags, Err *err) {
	const CompileJob device = device_job(plan, whole), *job = &device;
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
	*diags = read_log(out.log, plan, job);
	if (!out.ptx) {
		fail(plan, job, out.log, diags, err);
		return NULL;
	}
	Compiled *compiled = from_output(&out);
	if (!check_names(compiled, job, &out, err)) {
		compiled_free(compiled);
		return NULL;
	}
	name_typed_text(compiled, plan);
	kernels_collect(compiled, job->names, out.linked, out.nlinked);
	if (plan->cacheable) cache_store(plan->key, compiled);
	return compiled;
}

/* The architecture is the device's; a second one among the options would silently win. */
static bool options_make_sense(const CompileJob *job, Err *err) {
	static const char *const arch[] = {"-arch", "--gpu-architecture", "-gencode", "--generate-code", NULL};
	if (!any_option(job, arch)) return true;
	err_set(err, ERR_USAGE, "the architecture is not an option: kernels are compiled for the device they run on");
	return err_hint(err, "choose the device instead, and leave -arch out");
}

/* A NUL byte would end the text for NVRTC in the middle, without a word. */
static bool source_is_text(const CompileJob *job, Diagnostics *diags, Err *err) {
	const char *nul = job->source_bytes ? memchr(job->source, '\0', job->source_bytes) : NULL;
	if (!nul) return true;
	uint32_t line = 1;
	for (const char *p = job->source; p < nul; p++) line += *p == '\n';
	diagnostics_add(diags, DIAG_ERROR, job->path, line, 0, "a NUL byte in the source: this is no text file", NULL);
	const Unit none = {0};
	report(&diags->items[0], &none, err);
	return false;
}

static Compiled *compile_locked(const CompileJob *job, Diagnostics *diags, Err *err) {
	const NvrtcLibrary *lib = library_choose(err);
	if (!lib) return NULL;
	Plan plan = make_plan(job, lib);
	Compiled *compiled = plan.cacheable ? cache_load(plan.key) : NULL;
	if (compiled) {
		*diags = read_log(compiled->log, &plan, job);
	} else {
		compiled = build(&plan, job, diags, err);
	}
	if (compiled) memcpy(compiled->key, plan.key, sizeof plan.key);
	plan_free(&plan);
	return compiled;
}

bool compile(const CompileJob *job, Compiled **out, Diagnostics *diags, Err *err) {
	Diagnostics found = {0};
	Compiled *compiled = NULL;
	if (options_make_sense(job, err) && source_is_text(job, &found, err)) {
		pthread_mutex_lock(&lock);
		compiled = compile_locked(job, &found, err);
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

void compile_prepare(const CompileJob *job) {
	Diagnostics diags = {0};
	if (!options_make_sense(job, NULL) || !source_is_text(job, &diags, NULL)) {
		diagnostics_free(&diags);
		return;
	}
	pthread_mutex_lock(&lock);
	const NvrtcLibrary *lib = library_choose(NULL);
	if (lib) {
		Plan plan = make_plan(job, lib);
		const CompilePlace place = place_of(&plan);
		compiler_start(&place);
		prepare_headers(&plan, job);
		plan_free(&plan);
	}
	pthread_mutex_unlock(&lock);
}

void compiled_free(Compiled *compiled) {
	if (!compiled) return;
	free(compiled->cubin);
	free(compiled->ptx);
	free(compiled->log);
	for (size_t i = 0; i < compiled->nnames; i++) {
		free(compiled->names[i].name);
		free(compiled->names[i].linked);
	}
	free(compiled->names);
	free(compiled);
}

const char *nvrtc_version(Err *err) {
	static char version[24];
	pthread_mutex_lock(&lock);
	bool ok = library_choose(err) != NULL;
	if (ok) strncpy(version, library_version(), sizeof version - 1);
	pthread_mutex_unlock(&lock);
	return ok ? version : NULL;
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
