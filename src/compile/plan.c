/* plan.h. */
#include "compile/plan.h"

#include <string.h>

#include "base/str.h"
#include "compile/source/scan.h"
#include "compile/worker/ptxas.h"

/* Raise it when the options given here or the way results are made change: old results are then not found any more. */
enum { LAYOUT = 6 };

void plan_free(Plan *plan) {
	arena_free(plan->arena);
}

static void add_option(Plan *plan, const char *option) {
	vec_push_in(plan->arena, &plan->options, option);
}

static void add_include_path(Plan *plan, const char *folder) {
	add_option(plan, arena_format(plan->arena, "--include-path=%s", folder));
}

static void add_dir(Plan *plan, const char *folder) {
	vec_push_in(plan->arena, &plan->dirs, folder);
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
			if (*dir) add_dir(plan, dir);
			break;
		}
		if (strcmp(o, "--include-path") == 0 && job->options[i + 1]) add_dir(plan, job->options[i + 1]);
	}
}

static void add_options(Plan *plan, const CompileJob *job) {
	static const char *const dialects[] = {"-std", "--std", NULL};
	static const char *const debugging[] = {"-lineinfo", "--generate-line-info", "-G", "--device-debug", NULL};
	if (!plan_has_option(job, dialects)) add_option(plan, "--std=c++17");
	if (!plan_has_option(job, debugging)) add_option(plan, "--generate-line-info");
	if (*plan->folder) add_dir(plan, plan->folder);
	for (size_t i = 0; job->include_dirs && job->include_dirs[i]; i++) add_dir(plan, job->include_dirs[i]);
	for (size_t i = 0; i < plan->dirs.len; i++) add_include_path(plan, plan->dirs.data[i]);
	add_option_dirs(plan, job);
	for (size_t i = 0; job->options && job->options[i]; i++) add_option(plan, job->options[i]);
	for (size_t i = 0; i < plan->lib->nincludes; i++) add_include_path(plan, plan->lib->includes[i]);
}

/* Text typed at the prompt has a name like "<prompt>" and no folder: its includes start from the working folder. */
static void place_source(Plan *plan, const CompileJob *job) {
	const char *real = *job->path == '<' ? NULL : path_real(plan->arena, job->path);
	plan->path = real ? real : job->path;
	plan->folder = path_folder(plan->arena, plan->path);
}

/* The file that an option puts in front of the source; NULL: it is another option. */
static const char *forced_header(const char *const *option) {
	static const char *const forms[] = {"--pre-include=", "-include="};
	for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
		if (text_starts(*option, forms[f])) return *option + strlen(forms[f]);
	if (strcmp(*option, "--pre-include") == 0 || strcmp(*option, "-include") == 0) return option[1];
	return NULL;
}

/* They count like the source's first lines, and since the lab chose them they may be anywhere; but what cannot be read
 * would hold the compiler up. */
static bool add_forced_headers(CacheKey *key, Plan *plan, const CompileJob *job, const HeaderPlaces *places) {
	bool known = true;
	for (size_t i = 0; job->options && job->options[i]; i++) {
		const char *file = forced_header(&job->options[i]);
		if (!file) continue;
		HeaderReport report = {0};
		HeaderPlaces from_here = *places;
		from_here.folder = "";
		headers_add(plan->arena, key, arena_format(plan->arena, "#include \"%s\"\n", file), &from_here, &report);
		known = known && !report.unknown && !report.bad.len;
		for (size_t b = 0; b < report.bad.len; b++) {
			BadHeader bad = report.bad.data[b];
			if (!*bad.file) bad.line = 0;
			if (!bad.outside) vec_push_in(plan->arena, &plan->headers.bad, bad);
		}
		const char *slash = strrchr(file, '/');
		const char *folder = slash ? arena_strndup(plan->arena, file, (size_t)(slash - file) + 1) : ".";
		vec_push_in(plan->arena, &plan->forced, folder);
	}
	return known;
}

static CacheKey key_start(const Plan *plan, const CompileJob *job) {
	CacheKey key = cache_key_start();
	cache_key_number(&key, LAYOUT);
	cache_key_text(&key, plan->lib->path);
	cache_key_number(&key, plan->lib->bytes);
	cache_key_number(&key, (uint64_t)plan->lib->mtime_ns);
	cache_key_number(&key, job->cc);
	return key;
}

static void make_key(Plan *plan, const CompileJob *job) {
	CacheKey key = key_start(plan, job);
	cache_key_text(&key, plan->path);
	cache_key_text(&key, job->source);
	for (size_t i = 0; i < plan->options.len; i++) cache_key_text(&key, plan->options.data[i]);
	cache_key_text(&key, NULL);
	for (size_t i = 0; job->names && i < plan->nnames; i++) cache_key_text(&key, job->names[i]);
	cache_key_text(&key, NULL);
	cache_key_number(&key, job->nothing_else);
	cache_key_number(&key, job->for_emulator);
	const HeaderPlaces places = {.folder = plan->folder,
								 .dirs = plan->dirs.data,
								 .ndirs = plan->dirs.len,
								 .cuda = plan->lib->includes,
								 .ncuda = plan->lib->nincludes,
								 .parents = job->parents};
	const bool forced_known = add_forced_headers(&key, plan, job, &places);
	headers_add(plan->arena, &key, job->source, &places, &plan->headers);
	plan->cacheable = forced_known && !plan->headers.unknown && !plan->headers.bad.len;
	cache_key_text_of(&key, plan->key);
}

static bool ptx_is_enough(const Plan *plan, const CompileJob *job) {
	if (!job->for_emulator || plan->forced.len || ptxas_checks_source(job->source)) return false;
	for (size_t i = 0; job->options && job->options[i]; i++)
		if (ptxas_reads_option(job->options[i])) return false;
	for (size_t i = 0; i < plan->headers.files.len; i++)
		if (ptxas_checks_source(plan->headers.files.data[i].text)) return false;
	return true;
}

/* NULL: no header of the toolkit comes first. */
static const char *cuda_prefix(const Plan *plan, const CompileJob *job) {
	ScanInclude *includes;
	scan_includes(plan->arena, job->source, &includes);
	const size_t leading = scan_leading_includes(plan->arena, job->source),
				 first = leading < plan->headers.cuda_first ? leading : plan->headers.cuda_first;
	Str s = {0};
	for (size_t i = 0; i < first; i++)
		str_addf(&s, includes[i].quoted ? "#include \"%s\"\n" : "#include <%s>\n", includes[i].name);
	return first ? str_take_in(plan->arena, &s) : NULL;
}

/* NVRTC takes precompiled headers for the same options only. */
static const char *precompiled_path(const Plan *plan, const CompileJob *job) {
	char *folder = cache_headers_folder(), name[CACHE_KEY_CHARS];
	CacheKey key = key_start(plan, job);
	if (!folder) return NULL;
	for (size_t i = 0; i < plan->options.len; i++) cache_key_text(&key, plan->options.data[i]);
	cache_key_number(&key, plan->ptx_only);
	cache_key_number(&key, plan->unit.nhost);
	cache_key_text(&key, plan->prefix);
	cache_key_text_of(&key, name);
	const char *path = arena_format(plan->arena, "%s/%s", folder, name);
	free(folder);
	return path;
}

void plan_unit(Plan *plan, const CompileJob *job) {
	const Unit *unit = &plan->unit;
	unit_read(plan->arena, job, &plan->headers, &plan->unit);
	if (plan->forced.len) return; /* they come before the source's own */
	plan->prefix = unit->changed ? unit->prefix : cuda_prefix(plan, job);
	if (plan->prefix) plan->precompiled = precompiled_path(plan, job);
}

Plan plan_make(const CompileJob *job, const NvrtcLibrary *lib) {
	Plan plan = {.arena = arena_new(), .lib = lib};
	place_source(&plan, job);
	add_options(&plan, job);
	while (job->names && job->names[plan.nnames]) plan.nnames++;
	make_key(&plan, job);
	plan.ptx_only = ptx_is_enough(&plan, job);
	if (!*plan.folder) vec_push_in(plan.arena, &plan.readable, ".");
	for (size_t i = 0; i < plan.dirs.len; i++) vec_push_in(plan.arena, &plan.readable, plan.dirs.data[i]);
	for (size_t i = 0; i < plan.forced.len; i++) vec_push_in(plan.arena, &plan.readable, plan.forced.data[i]);
	for (size_t i = 0; job->parents && i < plan.headers.files.len;
		 i++) /* those in a folder above are granted as such */
		vec_push_in(plan.arena, &plan.readable, plan.headers.files.data[i].path);
	return plan;
}
