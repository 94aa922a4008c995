/* host_pointer.h: /proc has the program's memory, and the arguments have the pointer: themselves, in a structure, or in
 * a structure on the device. */
#include "exec/host_pointer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text/mangled.h"
#include "compile/source/layout.h"

enum { MOST_TYPES = 64, MOST_SOURCE = 4 << 20, MOST_SEARCHED = 64 << 10, DEPTH = 4 };

/* --- what is there ------------------------------------------------------------------------------------------------ */

typedef struct {
	uint64_t first, end;
	const char *what;
} Range;

/* Behind what a file has of a variable's memory is the part that begins as zeros, without a name. */
static const char *what_is(const char *path, bool follows_file) {
	if (strncmp(path, "[stack", 6) == 0) return "a variable on the stack";
	return *path == '/' || (!*path && follows_file) ? "a variable of the program" : "malloc or new";
}

static bool find_range(pid_t process, uint64_t addr, Range *out) {
	char name[64], line[4352], path[4096];
	unsigned long long first, end, last_end = 0;
	bool file = false, found = false;
	snprintf(name, sizeof name, "/proc/%d/maps", (int)process);
	FILE *maps = fopen(name, "re");
	while (maps && !found && fgets(line, sizeof line, maps)) {
		*path = 0;
		if (sscanf(line, "%llx-%llx %*s %*s %*s %*s %4095[^\n]", &first, &end, path) < 2) break;
		found = addr >= first && addr < end;
		*out = (Range){first, end, what_is(path, file && first == last_end)};
		file = *path == '/';
		last_end = end;
	}
	if (maps) fclose(maps);
	return found;
}

/* --- where it came from ------------------------------------------------------------------------------------------- */

/* A pointer to it, or to a little before it. */
typedef struct {
	uint64_t value;
	uint32_t parameter, offset; /* offset: in the structure */
	bool on_device;             /* which the parameter points to */
} Source;

static void search(const uint8_t *bytes, size_t n, const Range *range, uint64_t addr, Source at, Source *best) {
	for (size_t i = 0; i + sizeof(uint64_t) <= n; i += sizeof(uint64_t)) {
		memcpy(&at.value, bytes + i, sizeof at.value);
		if (at.value < range->first || at.value > addr || at.value <= best->value) continue;
		*best = at;
		best->offset = (uint32_t)i;
	}
}

static const uint8_t *bytes_at(const HostPointer *c, uint64_t addr, size_t *bytes) {
	const Held *h = held_at(c->held, addr);
	if (!h) return NULL;
	*bytes = h->addr + h->bytes - addr;
	return backend_view(c->backend, addr, *bytes);
}

static Source find_source(const HostPointer *c, const Range *range, uint64_t addr) {
	Source best = {0};
	for (uint32_t i = 0; i < c->launch->nparams; i++) {
		const ParamPlace *p = &c->launch->places[i];
		const uint8_t *bytes = (const uint8_t *)c->launch->params + p->offset;
		uint64_t word;
		size_t n = 0;
		search(bytes, p->size, range, addr, (Source){.parameter = i + 1}, &best);
		if (p->size != sizeof word) continue;
		memcpy(&word, bytes, sizeof word);
		const uint8_t *there = bytes_at(c, word, &n);
		if (there)
			search(there, n < MOST_SEARCHED ? n : MOST_SEARCHED, range, addr, (Source){0, i + 1, 0, true}, &best);
	}
	return best;
}

/* --- its name ----------------------------------------------------------------------------------------------------- */

static char *read_source(const char *path) {
	FILE *file = *path ? fopen(path, "re") : NULL;
	char *text = file ? xmalloc(MOST_SOURCE + 1) : NULL;
	if (text) text[fread(text, 1, MOST_SOURCE, file)] = 0;
	if (file) fclose(file);
	return text;
}

/* Appends the names of members down to the pointer, "a.next". */
static bool add_member(const Layout *layout, size_t offset, unsigned depth, Str *out) {
	for (size_t i = 0; layout && depth < DEPTH && i < layout->nfields; i++) {
		const LayoutField *f = &layout->fields[i];
		const size_t n = f->count ? f->count : 1;
		if (offset < f->offset || offset >= f->offset + n * f->bytes || !f->name) continue;
		str_addf(out, "%s%s", out->len ? "." : "", f->name);
		if (f->count) str_addf(out, "[%zu]", (offset - f->offset) / f->bytes);
		return f->kind == LAYOUT_POINTER || add_member(f->class, (offset - f->offset) % f->bytes, depth + 1, out);
	}
	return false;
}

static void say_member(const char *file, const ParamType *type, const Source *from, Str *out) {
	AUTO_FREE char *source = read_source(file);
	AUTO_STR Str member = {0};
	Layouts *layouts = source ? layouts_new(source, NULL) : NULL;
	const char *why;
	const Layout *layout = layouts ? layouts_find(layouts, type->name, type->name_len, &why) : NULL;
	if (layout && layout->bytes && add_member(layout, from->offset % layout->bytes, 0, &member))
		str_addf(out, ", member %s of %.*s", member.text, (int)type->name_len, type->name);
	else
		str_addf(out, ", byte %u of %.*s", from->offset, (int)type->name_len, type->name);
	layouts_free(layouts);
}

static void say_source(const HostPointer *c, const char *file, const Range *range, uint64_t addr, Str *out) {
	ParamType types[MOST_TYPES];
	const Source from = find_source(c, range, addr);
	if (!from.value) return;
	str_addf(out, "; it came with parameter %u", from.parameter);
	const size_t n = mangled_parameters(c->launch->linked_name, types, MOST_TYPES);
	const ParamType *type = n == c->launch->nparams ? &types[from.parameter - 1] : NULL;
	const bool structure = type && type->name && (type->kind == PARAM_UNKNOWN || from.on_device);
	if (from.on_device) str_addf(out, ", in the memory that it points to");
	if (structure) say_member(file, type, &from, out);
}

static void say(const HostPointer *c, const char *file, uint64_t addr, char *message, size_t size) {
	char *from = strstr(message, FAULT_NOWHERE);
	AUTO_STR Str what = {0};
	Range range;
	if (!from || !find_range(c->process, addr, &range)) return;
	str_addf(&what, "host memory (%s)", range.what);
	say_source(c, file, &range, addr, &what);
	snprintf(from, size - (size_t)(from - message), "%s.", what.text);
}

void host_pointers_say(const HostPointer *c, Report *report) {
	LaunchOutcome *o = &report->outcome;
	Fault *fault = &o->fault;
	ItemAnswer *a = report->nitems ? report->items : NULL;
	if (o->status == LAUNCH_FAULT) {
		say(c, fault->file, fault->address, fault->message, sizeof fault->message);
		say(c, fault->file, fault->address, o->message, sizeof o->message);
	}
	for (uint32_t i = 0; a && i < a->nfindings; i++) {
		Finding *f = (Finding *)&a->findings[i];
		say(c, f->site[0].file, f->address, f->message, sizeof f->message);
	}
}
