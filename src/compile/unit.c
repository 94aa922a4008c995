/* unit.h: the step between what is read and what NVRTC is given. */
#include "compile/unit.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "compile/source/host_names.h"
#include "compile/source/scan.h"
#include "compile/source/tokens.h"

/* Empty: what the toolkit's headers include and device code has without. */
static const char *const host_headers[] = {"cassert", "cfloat",   "climits", "cmath",    "cstdint",
										   "cstdio",  "cstdlib",  "cstring", "assert.h", "math.h",
										   "stdio.h", "stdlib.h", "string.h"};
enum { HOST_HEADERS = sizeof host_headers / sizeof *host_headers };

static IncludeMeaning resolve(void *context, const char *path, uint32_t line) {
	const HeaderReport *headers = context;
	for (size_t i = 0; i < headers->sites.len; i++) {
		const IncludeSite *s = &headers->sites.data[i];
		if (s->line == line && strcmp(s->file, path) == 0) return (IncludeMeaning){s->kind, s->path};
	}
	return (IncludeMeaning){INCLUDE_OTHER, NULL};
}

static bool is_include(const char *line) {
	return text_starts(line, "#include ");
}

/* The lines of the prelude that include headers, or the others. */
static void add_prelude_lines(Str *s, const char *prelude, bool includes) {
	for (const char *line = prelude, *end; line && *line; line = end + 1) {
		end = strchr(line, '\n');
		if (is_include(line) == includes) str_addn(s, line, (size_t)(end - line) + 1);
	}
}

/* What the source itself includes of the toolkit before anything else. Included again later, it is empty. */
static void add_leading_includes(Arena *arena, Str *s, const char *source, const HeaderReport *headers) {
	ScanInclude *includes;
	scan_includes(arena, source, &includes);
	const size_t leading = scan_leading_includes(arena, source);
	for (size_t i = 0; i < leading; i++) {
		if (resolve((void *)(uintptr_t)headers, "", includes[i].line).kind != INCLUDE_CUDA) break;
		str_addf(s, includes[i].quoted ? "#include \"%s\"\n" : "#include <%s>\n", includes[i].name);
	}
}

/* CUDA's headers come first, since only what comes first can be precompiled. */
static void put_together(Arena *arena, const char *source, const HeaderReport *headers, Unit *out) {
	Str text = {0};
	add_prelude_lines(&text, out->code.prelude, true);
	add_leading_includes(arena, &text, source, headers);
	if (text.len) out->prefix = arena_strdup(arena, text.text);
	add_prelude_lines(&text, out->code.prelude, false);
	if (text.len) str_add(&text, "#line 1\n");
	str_add(&text, source);
	out->source = str_take_in(arena, &text);
}

void unit_read(Arena *arena, const CompileJob *job, const HeaderReport *headers, Unit *out) {
	*out = (Unit){0};
	const size_t nheaders = headers->files.len;
	UnitFile *files = arena_array(arena, nheaders + 1, sizeof *files);
	files[0] = (UnitFile){"", job->source};
	if (nheaders) memcpy(files + 1, headers->files.data, nheaders * sizeof *files);
	device_code(arena, files, nheaders + 1, resolve, (void *)(uintptr_t)headers, &out->code);
	const DeviceCode *c = &out->code;
	out->changed = c->changed || c->prelude;
	if (!out->changed) return;
	put_together(arena, c->changed ? c->files.data[0].text : job->source, headers, out);
	if (!c->changed) return;
	CompileFile *given = arena_array(arena, nheaders + HOST_HEADERS, sizeof *given);
	for (size_t i = 0; i < HOST_HEADERS; i++) given[i] = (CompileFile){host_headers[i], ""};
	for (size_t i = 0; i < nheaders; i++)
		given[HOST_HEADERS + i] = (CompileFile){c->files.data[i + 1].path, c->files.data[i + 1].text};
	out->files = given;
	out->nhost = HOST_HEADERS;
	out->nfiles = HOST_HEADERS + (uint32_t)nheaders;
}

/* identifier "f" is undefined */
static const LeftOut *left_out_function(const DeviceCode *code, const char *message) {
	for (const char *open = strchr(message, '"'); open; open = strchr(open + 1, '"')) {
		const char *name = open + 1, *close = strchr(name, '"');
		if (!close) break;
		const char *end = name;
		while (end < close && *end != '(' && *end != '<') end++;
		const char *from = end;
		while (from > name && from[-1] != ':') from--;
		const LeftOut *f = device_code_left_out(code, from, (size_t)(end - from));
		if (f) return f;
		open = close;
	}
	return NULL;
}

static void hint_left_out(const LeftOut *f, Err *err) {
	const char *gap = *f->path ? ", " : "";
	if (f->texture)
		err_hint(err,
				 "\"%.80s\" (%s%sline %u) is a texture reference, which CUDA 12 removed: pass a cudaTextureObject_t",
				 f->name, f->path, gap, f->line);
	else if (f->variable)
		err_hint(
			err,
			"\"%.80s\" is a host variable (%s%sline %u): write __device__ or __constant__ before it, or pass its value",
			f->name, f->path, gap, f->line);
	else
		err_hint(err, "\"%.80s\" is a host function (%s%sline %u): write __device__ before it to call it from a kernel",
				 f->name, f->path, gap, f->line);
}

/* identifier "cudaMalloc" is undefined: a function of the runtime */
static const char *runtime_function(const char *message, size_t *len) {
	static const char before[] = "identifier \"cuda";
	const char *at = strstr(message, before), *name = at ? strchr(at, '"') + 1 : NULL;
	*len = name ? strcspn(name, "\"") : 0;
	const bool type = *len > 2 && memcmp(name + *len - 2, "_t", 2) == 0;
	return name && isupper((unsigned char)name[4]) && !type && strstr(name, "is undefined") ? name : NULL;
}

bool unit_hint_thrust(Err *err) {
	err_hint(err,
			 "of Thrust, NVRTC compiles tuples, pairs, function objects, iterators, and complex numbers only: use "
			 "cuda::std, or the block and warp primitives of CUB, such as cub::BlockReduce, or run the program with "
			 "gpulab exec FILE.cu");
	return true;
}

static bool hint_dynamic_parallelism(const char *message, Err *err) {
	size_t len;
	const char *function = runtime_function(message, &len);
	if (function) {
		err_hint(err,
				 "\"%.*s\" in a kernel needs NVIDIA's device runtime, as a kernel that launches kernels (dynamic "
				 "parallelism) does: gpulab does not have it, so call it from the host",
				 (int)(len < 80 ? len : 80), function);
		return true;
	}
	if (!strstr(message, "device-side kernel launch")) return false;
	err_hint(err,
			 "a kernel that launches kernels (dynamic parallelism) needs NVIDIA's device runtime, which gpulab does "
			 "not have: launch from the host");
	return true;
}

/* The first name of a host library in a text; NULL: there is none. */
static const char *library_name(const char *text, size_t *len) {
	for (const char *p = text; p && *p; p += *len ? *len : 1) {
		*len = 0;
		while (tok_word_char(p[*len])) (*len)++;
		if (*len && host_library_name(p, *len)) return p;
	}
	return NULL;
}

/* One of cuBLAS and its like, by an error that says it, or that follows from it in its line. */
static bool hint_library(const Diagnostic *error, Err *err) {
	size_t len;
	const bool said = strstr(error->message, "is undefined") != NULL;
	if (!said && !strstr(error->message, "does not apply")) return false;
	const char *name = library_name(said ? error->message : error->source_line, &len);
	if (!name) return false;
	const int shown = (int)(len < 80 ? len : 80);
	if (text_starts(name, "curand"))
		err_hint(err, "\"%.*s\": random numbers in a kernel need #include <curand_kernel.h>", shown, name);
	else
		err_hint(err,
				 "\"%.*s\" is of a library for the host, whose headers are left out: pass plain types, or run the "
				 "program with gpulab exec FILE.cu",
				 shown, name);
	return true;
}

bool unit_hint(const Unit *unit, const Diagnostic *error, Err *err) {
	const DeviceCode *c = &unit->code;
	const char *message = error->message;
	const LeftOut *f = left_out_function(c, message);
	if (f) {
		hint_left_out(f, err);
		return true;
	}
	if (hint_dynamic_parallelism(message, err) || hint_library(error, err)) return true;
	if (strstr(message, "namespace \"thrust\"") && strstr(message, "has no member")) return unit_hint_thrust(err);
	const bool follows =
		strstr(message, "undefined") || strstr(message, "not a template") || strstr(message, "does not apply");
	return follows && unit_hint_missing(unit, err);
}

bool unit_hint_missing(const Unit *unit, Err *err) {
	enum { NAMED = 3 };
	const DeviceCode *c = &unit->code;
	if (!c->includes.len) return false;
	AUTO_STR Str names = {0};
	for (size_t i = 0; i < c->includes.len && i < NAMED; i++)
		str_addf(&names, "%s\"%.80s\" (line %u)", i ? ", " : "#include ", c->includes.data[i].name,
				 c->includes.data[i].line);
	const bool one = c->includes.len == 1;
	err_hint(err,
			 "%s%s %s left out: %s in none of the folders that are searched. Add %s: gpulab -I DIR FILE.cu, or "
			 "include = { ... } for gpu.compile",
			 names.text, c->includes.len > NAMED ? " and others" : "", one ? "was" : "were", one ? "it is" : "they are",
			 one ? "its folder" : "their folders");
	return true;
}
