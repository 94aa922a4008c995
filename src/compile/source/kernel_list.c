/* kernel_list.h. */
#include "compile/source/kernel_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/mangled.h"
#include "base/vec.h"
#include "compile/source/conditions.h"
#include "compile/source/scan.h"
#include "ptx/module.h"

typedef struct {
	CompiledKernel kernel;
	size_t file;
} Listed;

typedef struct {
	Arena *arena;
	const Compiled *compiled;
	const UnitFile *files;
	size_t nfiles;
	const char *const *options;
	VEC(Listed) list;
} Lister;

enum { NO_FILE = SIZE_MAX };

/* --- the list ----------------------------------------------------------------------------------------------------- */

static const char *last_part(const char *name) {
	const char *colon = strrchr(name, ':');
	return colon ? colon + 1 : name;
}

static void add(Lister *l, CompiledKernel kernel, size_t file) {
	if (file != NO_FILE && file > 0) kernel.file = arena_strdup(l->arena, l->files[file].path);
	const Listed listed = {kernel, file};
	vec_push_in(l->arena, &l->list, listed);
}

/* An instance of a template whose own line is in the list. */
static bool of_listed_template(const Lister *l, size_t file, uint32_t line) {
	for (size_t i = 0; i < l->list.len; i++)
		if (line && l->list.data[i].kernel.template_ && l->list.data[i].file == file &&
			l->list.data[i].kernel.line == line)
			return true;
	return false;
}

static void add_compiled(Lister *l, const CompiledName *name, size_t file, uint32_t line) {
	if (of_listed_template(l, file, line)) return;
	AUTO_FREE char *plain = mangled_plain(name->linked);
	CompiledKernel kernel = {.name = name->name,
							 .linked = name->linked,
							 .plain = arena_strdup(l->arena, plain ? plain : name->linked),
							 .line = line};
	if (line && !mangled_is_instance(name->linked))
		kernel.parameters = scan_parameters_at(l->arena, l->files[file].text, line, last_part(kernel.plain));
	add(l, kernel, file);
}

static const CompiledName *name_of(const Compiled *compiled, const char *linked) {
	for (uint32_t i = 0; i < compiled->nnames; i++)
		if (strcmp(compiled->names[i].linked, linked) == 0) return &compiled->names[i];
	return NULL;
}

/* Where the PTX says that a kernel is, among the files of the source. */
static size_t file_of(const Lister *l, const PtxFunction *f) {
	for (size_t i = 0; f->line && i < l->nfiles; i++)
		if (strcmp(l->files[i].path, l->compiled->module->files[f->file]) == 0) return i;
	return NO_FILE;
}

static void add_entries(Lister *l) {
	const PtxModule *module = l->compiled->module;
	for (uint32_t i = 0; i < module->nfunctions; i++) {
		const PtxFunction *f = module->functions[i];
		const CompiledName *name = f->entry ? name_of(l->compiled, f->name) : NULL;
		const size_t file = file_of(l, f);
		if (name) add_compiled(l, name, file, file == NO_FILE ? 0 : f->line);
	}
}

static bool same_template(const CompiledKernel *a, const ScanKernel *b) {
	return a->template_ && strcmp(a->name, b->name) == 0 && strcmp(a->template_, b->template_) == 0 &&
		   strcmp(a->parameters, b->parameters) == 0;
}

static void add_template(Lister *l, const ScanKernel *k, size_t file) {
	for (size_t i = 0; i < l->list.len; i++)
		if (same_template(&l->list.data[i].kernel, k)) return; /* declared twice */
	const CompiledKernel kernel = {
		.name = k->name, .plain = k->name, .template_ = k->template_, .parameters = k->parameters, .line = k->line};
	add(l, kernel, file);
}

/* The PTX says nothing of a template that has no instance, but the text does. */
static bool left_out(const Lister *l, const ScanKernel *k, size_t file) {
	AUTO_ARENA Arena *arena = arena_new();
	return conditions_leave_out(arena, l->files, l->nfiles, file, k->line, l->options);
}

static void add_templates(Lister *l, size_t file) {
	ScanKernel *scanned;
	const size_t n = scan_kernels(l->arena, l->files[file].text, &scanned);
	for (size_t i = 0; i < n; i++)
		if (scanned[i].template_ && *scanned[i].template_ && !left_out(l, &scanned[i], file))
			add_template(l, &scanned[i], file);
}

static int by_place(const void *a, const void *b) {
	const Listed *x = a, *y = b;
	if (x->file != y->file) return x->file < y->file ? -1 : 1;
	return (x->kernel.line > y->kernel.line) - (x->kernel.line < y->kernel.line);
}

void kernel_list(Compiled *compiled, const UnitFile *files, size_t nfiles, const char *const *options) {
	Lister l = {.arena = compiled->arena, .compiled = compiled, .files = files, .nfiles = nfiles, .options = options};
	for (size_t i = 0; i < nfiles; i++) add_templates(&l, i);
	add_entries(&l);
	if (l.list.len) qsort(l.list.data, l.list.len, sizeof *l.list.data, by_place);
	compiled->kernels = arena_array(l.arena, l.list.len, sizeof *compiled->kernels);
	compiled->nkernels = (uint32_t)l.list.len;
	for (size_t i = 0; i < l.list.len; i++) compiled->kernels[i] = l.list.data[i].kernel;
}
