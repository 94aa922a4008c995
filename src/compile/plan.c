/* plan.h. */
#include "compile/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "compile/source/scan.h"
#include "compile/worker/ptxas.h"

/* Raise it when the options given here or the way results are made change: old results are then not found any more. */
enum { LAYOUT = 6 };

void plan_free(Plan *plan) {
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

static void plan_add_option(Plan *plan, const char *prefix, const char *rest) {
	Str s = {0};
	str_addf(&s, "%s%s", prefix, rest);
	vec_push(&plan->options, str_take(&s));
}

bool plan_has_option(const CompileJob *job, const char *const *prefixes) {
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
	if (!plan_has_option(job, dialects)) plan_add_option(plan, "--std=c++17", "");
	if (!plan_has_option(job, debugging)) plan_add_option(plan, "--generate-line-info", "");
	if (*plan->folder) vec_push(&plan->dirs, plan->folder);
	for (size_t i = 0; job->include_dirs && job->include_dirs[i]; i++) vec_push(&plan->dirs, job->include_dirs[i]);
	for (size_t i = 0; i < plan->dirs.len; i++) plan_add_option(plan, "--include-path=", plan->dirs.data[i]);
	add_option_dirs(plan, job);
	for (size_t i = 0; job->options && job->options[i]; i++) plan_add_option(plan, job->options[i], "");
	for (size_t i = 0; i < TOOLKIT_INCLUDES && plan->lib->includes[i]; i++) {
		plan_add_option(plan, "--include-path=", plan->lib->includes[i]);
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
	cache_key_number(&key, job->for_emulator);
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

static bool ptx_is_enough(const Plan *plan, const CompileJob *job) {
	if (!job->for_emulator || plan->forced.len || ptxas_checks_source(job->source)) return false;
	for (size_t i = 0; job->options && job->options[i]; i++)
		if (ptxas_reads_option(job->options[i])) return false;
	for (size_t i = 0; i < plan->headers.nfiles; i++)
		if (ptxas_checks_source(plan->headers.files[i].text)) return false;
	return true;
}

/* NULL: no header of the toolkit comes first. */
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
	cache_key_number(&key, plan->ptx_only);
	cache_key_number(&key, plan->unit.nhost);
	cache_key_text(&key, plan->prefix);
	cache_key_text_of(&key, name);
	str_addf(&path, "%s/%s", folder, name);
	free(folder);
	return str_take(&path);
}

void plan_unit(Plan *plan, const CompileJob *job) {
	const Unit *unit = &plan->unit;
	unit_read(job, &plan->headers, &plan->unit);
	if (plan->forced.len) return; /* they come before the source's own */
	if (!unit->changed)
		plan->prefix = cuda_prefix(job, &plan->headers);
	else if (unit->prefix)
		plan->prefix = xstrdup(unit->prefix);
	if (plan->prefix) plan->precompiled = precompiled_path(plan, job);
}

Plan plan_make(const CompileJob *job, const NvrtcLibrary *lib) {
	Plan plan = {.lib = lib};
	place_source(&plan, job);
	add_options(&plan, job);
	while (job->names && job->names[plan.nnames]) plan.nnames++;
	make_key(&plan, job);
	plan.ptx_only = ptx_is_enough(&plan, job);
	if (!*plan.folder) vec_push(&plan.readable, ".");
	for (size_t i = 0; i < plan.dirs.len; i++) vec_push(&plan.readable, plan.dirs.data[i]);
	for (size_t i = 0; i < plan.forced.len; i++) vec_push(&plan.readable, plan.forced.data[i]);
	return plan;
}
