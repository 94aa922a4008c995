/* partial.h. */
#include "compile/partial.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/str.h"
#include "compile/source/declarations.h"
#include "compile/source/scan.h"

Partial partial_of(Arena *arena, const char *source) {
	return (Partial){.arena = arena, .original = source, .text = arena_strdup(arena, source)};
}

/* --- what is where ------------------------------------------------------------------------------------------------ */

static void read_declarations(const Partial *p, Declarations *out) {
	static char call;
	Macros macros = {0};
	Map *marks = marks_new(), *functions = map_new();
	macros_of(p->arena, p->text, &macros);
	marks_add(marks, &macros);
	for (size_t i = 0; i < macros.len; i++) {
		const MacroText *m = &macros.data[i];
		if (m->text.len && *m->text.at == '(') map_putn(functions, m->name.at, m->name.len, &call);
	}
	declarations_read(p->arena, p->text, marks, functions, out);
	map_free(marks);
	map_free(functions);
}

/* The place in the text at which the line with this number, counted from 1, begins. */
static size_t line_start(const char *text, uint32_t line) {
	const char *at = text;
	while (line > 1 && (at = strchr(at, '\n')) != NULL) at++, line--;
	return at ? (size_t)(at - text) : strlen(text);
}

static size_t place_of(const char *text, const Diagnostic *error) {
	const size_t at = line_start(text, error->line), bytes = strlen(text);
	const size_t column = at + (error->column ? error->column - 1 : 0);
	return column < bytes ? column : bytes;
}

/* One at namespace scope that has the place, or begins on its line. */
static const Declaration *declaration_at(const Declarations *list, const char *text, const Diagnostic *error) {
	const size_t at = place_of(text, error), start = line_start(text, error->line);
	for (size_t i = 0; i < list->len; i++) {
		const Declaration *d = &list->data[i];
		if (d->parent < 0 && d->kind != DECLARES_NAMESPACE && at < d->to && (at >= d->from || start >= d->from))
			return d;
	}
	return NULL;
}

/* --- leaving out -------------------------------------------------------------------------------------------------- */

/* Directives stay, since what they begin may end elsewhere. */
static void blank(char *text, size_t from, size_t to) {
	bool directive = false;
	for (size_t i = from; i < to; i++) {
		const bool begins = i == from || text[i - 1] == '\n', continues = i > 1 && text[i - 2] == '\\';
		if (begins && !(directive && continues)) directive = text[i + strspn(text + i, " \t")] == '#';
		if (!directive && text[i] != '\n') text[i] = ' ';
	}
}

static CompiledKernel kernel_in(const Partial *p, const Declaration *d) {
	ScanKernel *kernels;
	const size_t n = scan_kernels(p->arena, p->original, &kernels);
	for (size_t i = 0; i < n; i++)
		if (kernels[i].at >= d->from && kernels[i].at < d->to)
			return (CompiledKernel){.name = kernels[i].name,
									.plain = kernels[i].name,
									.template_ = kernels[i].template_,
									.parameters = kernels[i].parameters,
									.line = kernels[i].line};
	return (CompiledKernel){0};
}

static bool is_asked(const char *const *asked, const char *kernel) {
	for (size_t i = 0; asked && asked[i]; i++) {
		const size_t n = strcspn(asked[i], "<");
		if (strlen(kernel) == n && memcmp(asked[i], kernel, n) == 0) return true;
	}
	return false;
}

/* "identifier "f" is undefined", where f was left out: what is wrong with f. */
static const char *earlier_error(const Partial *p, const char *message) {
	for (size_t i = 0; i < p->spoilt.len; i++) {
		const char *quoted = arena_format(p->arena, "\"%s\"", p->spoilt.data[i].name);
		if (!p->spoilt.data[i].kernel.name && strstr(message, quoted)) return p->spoilt.data[i].error;
	}
	return NULL;
}

bool partial_follows(const Partial *p, const Diagnostic *error) {
	return earlier_error(p, error->message) != NULL;
}

bool partial_leave_out(Partial *p, const Diagnostic *error, const Err *err, const char *const *asked) {
	enum { MOST = 16 };
	Declarations list = {0};
	if (!error->line || p->spoilt.len == MOST) return false;
	read_declarations(p, &list);
	const Declaration *d = declaration_at(&list, p->text, error);
	if (!d) return false;
	Spoilt spoilt = {.name = "", .kernel = kernel_in(p, d), .error = earlier_error(p, error->message)};
	if (d->names.len) spoilt.name = arena_strndup(p->arena, d->names.data[0].at, d->names.data[0].len);
	if (spoilt.kernel.name && is_asked(asked, spoilt.kernel.name)) return false;
	if (!spoilt.error) spoilt.error = arena_format(p->arena, "%s%s%s", err->what, *err->hint ? "\n" : "", err->hint);
	blank(p->text, d->from, d->to);
	vec_push_in(p->arena, &p->spoilt, spoilt);
	return true;
}

/* --- the list ----------------------------------------------------------------------------------------------------- */

static char *kept(Arena *arena, const char *text) {
	return text ? arena_strdup(arena, text) : NULL;
}

static int by_line(const void *a, const void *b) {
	const CompiledKernel *x = a, *y = b;
	if (!x->file != !y->file) return x->file ? 1 : -1;
	return x->file ? 0 : (x->line > y->line) - (x->line < y->line);
}

void partial_list(const Partial *p, Compiled *compiled) {
	Arena *arena = compiled->arena;
	CompiledKernel *all = arena_array(arena, compiled->nkernels + p->spoilt.len, sizeof *all);
	uint32_t n = compiled->nkernels;
	if (n) memcpy(all, compiled->kernels, n * sizeof *all);
	for (size_t i = 0; i < p->spoilt.len; i++) {
		const CompiledKernel *k = &p->spoilt.data[i].kernel;
		if (!k->name) continue;
		all[n++] = (CompiledKernel){.name = kept(arena, k->name),
									.plain = kept(arena, k->plain),
									.template_ = kept(arena, k->template_),
									.parameters = kept(arena, k->parameters),
									.error = kept(arena, p->spoilt.data[i].error),
									.line = k->line};
	}
	qsort(all, n, sizeof *all, by_line);
	compiled->kernels = all;
	compiled->nkernels = n;
}
