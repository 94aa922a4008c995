/* kernels.h: kernels by name; compile.h: what a compile results in. */
#include "compile/kernels.h"

#include <string.h>

#include "base/str.h"
#include "base/text/mangled.h"
#include "base/vec.h"
#include "compile/diagnostics.h"
#include "compile/names.h"
#include "compile/source/scan.h"
#include "ptx/module.h"

typedef VEC(CompiledName) Names;

/* How many entries have the plain name. */
static size_t sharing(const PtxModule *module, const char *name) {
	size_t n = 0;
	for (uint32_t i = 0; module && i < module->nfunctions; i++) {
		AUTO_FREE char *plain = module->functions[i]->entry ? mangled_plain(module->functions[i]->name) : NULL;
		n += plain && names_equal(plain, name);
	}
	return n;
}

static bool linked_there(const Names *names, const char *linked) {
	for (size_t i = 0; i < names->len; i++) {
		if (strcmp(names->data[i].linked, linked) == 0) return true;
	}
	return false;
}

/* The name an entry goes by among all entries: its plain one where that says which is meant. */
static char *public_name(Arena *arena, const PtxModule *module, const char *linked) {
	AUTO_FREE char *plain = mangled_is_instance(linked) ? NULL : mangled_plain(linked);
	return arena_strdup(arena, plain && sharing(module, plain) <= 1 ? plain : linked);
}

static void add_entries(Arena *arena, Names *names, const PtxModule *module) {
	for (uint32_t i = 0; module && i < module->nfunctions; i++) {
		const PtxFunction *f = module->functions[i];
		if (!f->entry || linked_there(names, f->name)) continue;
		const CompiledName name = {public_name(arena, module, f->name), arena_strdup(arena, f->name)};
		vec_push_in(arena, names, name);
	}
}

void kernels_collect(Compiled *compiled, const char *const *asked, const CompileText *linked, size_t n) {
	Names names = {0};
	Arena *arena = compiled->arena;
	for (size_t i = 0; i < n; i++) {
		const CompiledName name = {arena_strdup(arena, asked[i]), arena_strdup(arena, linked[i].text)};
		vec_push_in(arena, &names, name);
	}
	add_entries(arena, &names, compiled->module);
	compiled->nnames = (uint32_t)names.len;
	compiled->names = names.data;
}

/* "copy, tile<33>": as many as a person wants to read. */
static char *listing(const char *const *names, size_t n) {
	enum { SHOWN = 8 };
	Str s = {0};
	for (size_t i = 0; i < n && i < SHOWN; i++) str_addf(&s, "%s%.60s", i ? ", " : "", names[i]);
	if (n > SHOWN) str_addf(&s, " and %zu more", n - SHOWN);
	return str_take(&s);
}

/* "scale<float, 32>" of the template "scale<typename T, int N>": what an instance may look like. NULL: no template. */
static char *instance_of(const char *name) {
	const char *at = strchr(name, '<');
	if (!at || !strchr(at, ' ')) return NULL;
	Str s = {0};
	str_addn(&s, name, (size_t)(at - name));
	for (const char *between = "<"; *at && *at != '>'; between = ", ") {
		const char *from = at + 1;
		at = from + strcspn(from, ",>");
		const bool type =
			text_starts(from + strspn(from, " "), "typename") || text_starts(from + strspn(from, " "), "class");
		str_addf(&s, "%s%s", between, type ? "float" : text_starts(from + strspn(from, " "), "bool") ? "true" : "32");
	}
	str_add(&s, ">");
	return str_take(&s);
}

static void hint_names(const char *name, const char *const *names, size_t n, Err *err) {
	AUTO_FREE char *list = listing(names, n);
	const char *close = names_closest(name, names, n);
	AUTO_FREE char *instance = close ? instance_of(close) : NULL;
	if (!n) {
		err_hint(err, "the source defines no kernel: a kernel is a function declared __global__");
	} else if (instance) {
		err_hint(err, "name an instance, such as \"%.100s\". The kernels here: %s", instance, list);
	} else if (close) {
		err_hint(err, "did you mean \"%.100s\"? The kernels here: %s", close, list);
	} else {
		err_hint(err, "the kernels here: %s", list);
	}
}

bool kernels_there(const Compiled *compiled, const CompileJob *job, Err *err) {
	for (size_t i = 0; job->names && job->names[i]; i++) {
		if (compiled_linked_name(compiled, job->names[i])) continue;
		err_set(err, ERR_COMPILE, "\"%.200s\" in %.200s is not a kernel", job->names[i], job->path);
		return false;
	}
	return true;
}

bool kernels_is_name_message(const Diagnostic *diag) {
	return text_starts(diag->file, "__nv_name_map");
}

/* What there is to name: entries by their public names, templates from the source as "tile<int N>". */
typedef struct {
	Arena *arena;
	VEC(const char *) names;
	ScanKernel *scanned;
	size_t nscanned;
} Offer;

static Offer offer(const CompileJob *job, const PtxModule *module) {
	Offer o = {.arena = arena_new()};
	Names entries = {0};
	add_entries(o.arena, &entries, module);
	for (size_t i = 0; i < entries.len; i++) {
		AUTO_FREE char *written =
			mangled_is_instance(entries.data[i].linked) ? mangled_written(entries.data[i].linked) : NULL;
		vec_push_in(o.arena, &o.names, written ? arena_strdup(o.arena, written) : entries.data[i].name);
	}
	o.nscanned = scan_kernels(o.arena, job->source, &o.scanned);
	for (size_t i = 0; i < o.nscanned; i++) {
		const ScanKernel *k = &o.scanned[i];
		if (k->template_) vec_push_in(o.arena, &o.names, arena_format(o.arena, "%s<%s>", k->name, k->template_));
	}
	return o;
}

static const ScanKernel *template_of(const Offer *o, const char *name) {
	size_t n = strcspn(name, "< ");
	for (size_t i = 0; i < o->nscanned; i++) {
		const ScanKernel *k = &o->scanned[i];
		if (k->template_ && strlen(k->name) == n && strncmp(k->name, name, n) == 0) return k;
	}
	return NULL;
}

/* One sentence about a name NVRTC did not take; reason is NVRTC's own. */
static char *complaint(const CompileJob *job, const Offer *o, const PtxModule *module, const char *name,
					   const char *reason) {
	const ScanKernel *template = template_of(o, name);
	Arena *arena = o->arena;
	if (template && !strchr(name, '<'))
		return arena_format(arena,
							"kernel \"%.100s\" is a template <%.100s>: name an instance of it, such as \"%.100s<...>\"",
							name, template->template_, name);
	if (template)
		return arena_format(arena, "\"%.100s\" is no instance of the kernel template %.100s<%.100s>", name,
							template->name, template->template_);
	if (sharing(module, name) > 1)
		return arena_format(arena, "\"%.100s\" is the name of several kernels: use the linked name of the one meant",
							name);
	if (strstr(reason, "is undefined") || strstr(reason, "has no member"))
		return arena_format(arena, "there is no kernel \"%.100s\" in %.200s", name, job->path);
	if (strstr(reason, "non-__global__"))
		return arena_format(arena, "\"%.100s\" in %.200s is not a kernel: it is not declared __global__", name,
							job->path);
	return arena_format(arena, "\"%.100s\" names no kernel in %.200s: %.200s", name, job->path, reason);
}

/* NVRTC closes its messages about a name with one that repeats it, blanks put in: `... expression was: " tile < int
 * >"`. */
static char *name_repeated(Arena *arena, const char *message) {
	const char *open = strstr(message, "Input name expression was: \"");
	if (!open) return NULL;
	open = strchr(open, '"') + 1;
	const char *close = strrchr(open, '"');
	return close ? arena_strndup(arena, open, (size_t)(close - open)) : NULL;
}

static const char *asked_as(const CompileJob *job, const char *repeated) {
	for (size_t i = 0; job->names[i]; i++) {
		if (names_equal(job->names[i], repeated)) return job->names[i];
	}
	return repeated;
}

bool kernels_bad_names(const CompileJob *job, const PtxModule *module, Diagnostics *diags, Err *err) {
	Offer o = offer(job, module);
	Diagnostics raw = *diags;
	*diags = (Diagnostics){0};
	const char *reason = NULL;
	for (size_t i = 0; i < raw.len; i++) {
		if (!kernels_is_name_message(&raw.data[i])) continue;
		char *repeated = name_repeated(o.arena, raw.data[i].message);
		if (repeated) {
			const char *name = asked_as(job, repeated);
			char *what = complaint(job, &o, module, name, reason ? reason : raw.data[i].message);
			diagnostics_add(diags, DIAG_ERROR, job->path, 0, 0, what, NULL);
			if (diags->len == 1) {
				err_set(err, ERR_COMPILE, "%s", what);
				hint_names(name, o.names.data, o.names.len, err);
			}
			reason = NULL;
		} else if (!reason) {
			reason = raw.data[i].message;
		}
	}
	if (!diags->len)
		err_set(err, ERR_COMPILE, "%s: a kernel name was not understood: %s", job->path, reason ? reason : "");
	diagnostics_free(&raw);
	arena_free(o.arena);
	return false;
}

/* --- the result --------------------------------------------------------------------------------------------------- */

Compiled *compiled_copy(const Compiled *from) {
	Arena *arena = arena_new();
	Compiled *to = arena_alloc(arena, sizeof *to);
	*to = *from;
	to->arena = arena;
	to->kernels = NULL;
	to->nkernels = 0;
	if (from->cubin) to->cubin = arena_strndup(arena, from->cubin, from->cubin_bytes);
	to->ptx = arena_strndup(arena, from->ptx, from->ptx_bytes);
	to->module = ptx_share(from->module);
	to->log = arena_strdup(arena, from->log ? from->log : "");
	to->names = arena_array(arena, from->nnames, sizeof *to->names);
	for (uint32_t i = 0; i < from->nnames; i++)
		to->names[i] =
			(CompiledName){arena_strdup(arena, from->names[i].name), arena_strdup(arena, from->names[i].linked)};
	return to;
}

void compiled_free(Compiled *compiled) {
	if (!compiled) return;
	ptx_free(compiled->module);
	arena_free(compiled->arena);
}

bool compiled_read(Compiled *compiled, Err *err) {
	if (!compiled->module) compiled->module = ptx_parse(compiled->ptx, compiled->ptx_bytes, err);
	return compiled->module != NULL;
}

const char *compiled_linked_name(const Compiled *compiled, const char *name) {
	const CompiledName *names = compiled->names;
	for (uint32_t i = 0; i < compiled->nnames; i++)
		if (names_equal(names[i].name, name)) return names[i].linked;
	for (uint32_t i = 0; i < compiled->nnames; i++)
		if (strcmp(names[i].linked, name) == 0) return names[i].linked;
	return NULL;
}
