/* unit.h: the step between what is read and what NVRTC is given. */
#include "compile/unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "compile/source/scan.h"

/* Empty: what the toolkit's headers include and device code has without. */
static const char *const host_headers[] = {"cassert", "cfloat",   "climits", "cmath",    "cstdint",
										   "cstdio",  "cstdlib",  "cstring", "assert.h", "math.h",
										   "stdio.h", "stdlib.h", "string.h"};
enum { HOST_HEADERS = sizeof host_headers / sizeof *host_headers };

static IncludeMeaning resolve(void *context, const char *path, uint32_t line) {
	const HeaderReport *headers = context;
	for (size_t i = 0; i < headers->nsites; i++) {
		const IncludeSite *s = &headers->sites[i];
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
static void add_leading_includes(Str *s, const char *source, const HeaderReport *headers) {
	ScanInclude *includes;
	const size_t n = scan_includes(source, &includes), leading = scan_leading_includes(source);
	for (size_t i = 0; i < leading; i++) {
		if (resolve((void *)(uintptr_t)headers, "", includes[i].line).kind != INCLUDE_CUDA) break;
		str_addf(s, includes[i].quoted ? "#include \"%s\"\n" : "#include <%s>\n", includes[i].name);
	}
	scan_includes_free(includes, n);
}

/* CUDA's headers come first, since only what comes first can be precompiled. */
static void put_together(const char *source, const HeaderReport *headers, Unit *out) {
	Str text = {0};
	add_prelude_lines(&text, out->code.prelude, true);
	add_leading_includes(&text, source, headers);
	if (text.len) out->prefix = xstrdup(text.text);
	add_prelude_lines(&text, out->code.prelude, false);
	if (text.len) str_add(&text, "#line 1\n");
	str_add(&text, source);
	out->source = str_take(&text);
}

void unit_read(const CompileJob *job, const HeaderReport *headers, Unit *out) {
	*out = (Unit){0};
	UnitFile *files = xcalloc(headers->nfiles + 1, sizeof *files);
	files[0] = (UnitFile){"", job->source};
	for (size_t i = 0; i < headers->nfiles; i++)
		files[i + 1] = (UnitFile){headers->files[i].path, headers->files[i].text};
	device_code(files, headers->nfiles + 1, resolve, (void *)(uintptr_t)headers, &out->code);
	free(files);
	const DeviceCode *c = &out->code;
	out->changed = c->changed || c->prelude;
	if (!out->changed) return;
	put_together(c->changed ? c->files[0].text : job->source, headers, out);
	out->files = xcalloc(c->nfiles + HOST_HEADERS + 1, sizeof *out->files);
	for (size_t i = 0; i < HOST_HEADERS && c->changed; i++)
		out->files[out->nfiles++] = (CompileFile){host_headers[i], ""};
	out->nhost = out->nfiles;
	for (size_t i = 1; i < c->nfiles && c->changed; i++)
		out->files[out->nfiles++] = (CompileFile){c->files[i].path, c->files[i].text};
}

void unit_free(Unit *unit) {
	device_code_free(&unit->code);
	free(unit->source);
	free(unit->prefix);
	free(unit->files);
	*unit = (Unit){0};
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

bool unit_hint(const Unit *unit, const char *message, Err *err) {
	const DeviceCode *c = &unit->code;
	const LeftOut *f = left_out_function(c, message);
	if (f) {
		hint_left_out(f, err);
		return true;
	}
	if (strstr(message, "device-side kernel launch")) {
		err_hint(
			err,
			"a kernel that launches kernels (dynamic parallelism) needs NVIDIA's device runtime, which gpulab does "
			"not have: launch from the host");
		return true;
	}
	if (!c->nincludes ||
		!(strstr(message, "undefined") || strstr(message, "not a template") || strstr(message, "does not apply")))
		return false;
	const LeftOut *i = &c->includes[0];
	err_hint(
		err,
		"#include \"%.80s\" (line %u) was left out: it is in none of the folders that are searched. Add its folder: "
		"gpulab -I DIR FILE.cu, or include = { ... } for gpu.compile",
		i->name, i->line);
	return true;
}
