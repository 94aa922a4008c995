/* describe.h: one labeled row a fact, wrapped at 80 columns. */
#include "device/describe.h"

#include <stdio.h>
#include <string.h>

enum { COLUMNS = 80, INDENT = 2, LABEL = 10 };

/* The next line's length: up to the last blank that fits; a word longer than the line is cut. */
static size_t line_length(const char *text, size_t room) {
	size_t len = strlen(text);
	if (len <= room) return len;
	for (size_t i = room; i > 0; i--)
		if (text[i] == ' ') return i;
	return room;
}

static void add_row(Str *out, const char *label, const char *text) {
	const size_t indent = INDENT + (*label ? LABEL : 0);
	for (bool first = true; first || *text; first = false) {
		size_t n = line_length(text, COLUMNS - indent);
		str_addf(out, "%*s%-*s%.*s\n", INDENT, "", (int)(indent - INDENT), first ? label : "", (int)n, text);
		text += n;
		while (*text == ' ') text++;
	}
}

static void add_text(Str *out, const char *text) {
	for (const char *line = text; line && *line;) {
		const char *end = strchr(line, '\n');
		char piece[1024];
		snprintf(piece, sizeof piece, "%.*s", (int)(end ? end - line : (long)strlen(line)), line);
		add_row(out, "", piece);
		line = end ? end + 1 : NULL;
	}
}

/* Towards minus infinity: byte -1 is in element -1. */
static long long element_of(const Fault *f) {
	long long e = (long long)f->elem_bytes, o = f->offset;
	return o >= 0 ? o / e : -((-o + e - 1) / e);
}

static void add_element(Str *out, const Fault *f) {
	char text[400];
	if (!*f->buffer) return;
	if (!f->elem_bytes) {
		snprintf(text, sizeof text, "byte %lld of '%s', which has %zu", (long long)f->offset, f->buffer,
				 f->buffer_bytes);
	} else {
		const size_t count = f->buffer_bytes / f->elem_bytes;
		const long long element = element_of(f);
		const bool outside = element < 0 || (unsigned long long)element >= count;
		snprintf(text, sizeof text, "%s[%lld] (%s)%s", f->buffer, element, f->elem_type, outside ? "" : ", inside it");
		size_t used = strlen(text);
		if (outside && count)
			snprintf(text + used, sizeof text - used, ": it has %zu element%s, %s[0] to %s[%zu]", count,
					 count == 1 ? "" : "s", f->buffer, f->buffer, count - 1);
	}
	add_row(out, "element", text);
}

static void add_access(Str *out, const Fault *f) {
	char text[128];
	if (!*f->access) return;
	if (f->width)
		snprintf(text, sizeof text, "%s of %u byte%s, %s memory", f->access, f->width, f->width == 1 ? "" : "s",
				 f->space);
	else
		snprintf(text, sizeof text, "%s, %s memory", f->access, f->space);
	add_row(out, "access", text);
}

static void add_thread(Str *out, const Fault *f) {
	char text[200];
	if (!f->located) return;
	int used = snprintf(text, sizeof text, "(%u, %u, %u) of block (%u, %u, %u)", f->thread[0], f->thread[1],
						f->thread[2], f->block[0], f->block[1], f->block[2]);
	if (f->threads > 1)
		snprintf(text + used, sizeof text - (size_t)used, "; %u threads in all did the same", f->threads);
	add_row(out, "thread", text);
}

/* The end of a long path says more than its beginning. */
static void add_source(Str *out, const Fault *f) {
	enum { ROOM = COLUMNS - INDENT - LABEL };
	char place[300];
	if (!f->line) return;
	snprintf(place, sizeof place, "%s:%u", f->file, f->line);
	size_t len = strlen(place);
	if (len > ROOM) {
		memmove(place + 3, place + len - (ROOM - 3), ROOM - 3 + 1);
		memcpy(place, "...", 3);
	}
	add_row(out, "source", place);
}

static void add_evidence(Str *out, const Fault *f) {
	if (f->replayed)
		add_row(out, "known", "by replaying the launch on the emulator; the GPU does not report the thread");
	else if (f->located)
		add_row(out, "known", "exactly: the emulator observed it");
	else
		add_row(out, "known", "from the GPU, which does not report the thread");
}

static void add_fault(const Fault *f, Str *out) {
	add_element(out, f);
	add_access(out, f);
	add_thread(out, f);
	if (*f->kernel) add_row(out, "kernel", f->kernel);
	add_source(out, f);
	add_evidence(out, f);
}

void launch_describe(const LaunchOutcome *outcome, Str *out) {
	if (outcome->status == LAUNCH_OK) return;
	str_add(out, launch_status_names[outcome->status]);
	if (outcome->status == LAUNCH_FAULT) str_addf(out, ": %s", fault_kind_names[outcome->fault.kind]);
	str_add(out, "\n");
	add_text(out, *outcome->message ? outcome->message : outcome->fault.message);
	if (outcome->status == LAUNCH_FAULT) add_fault(&outcome->fault, out);
}

bool launch_error(const LaunchOutcome *outcome, Err *err) {
	static const ErrKind kinds[] = {[LAUNCH_OK] = ERR_NONE,
									[LAUNCH_FAULT] = ERR_FAULT,
									[LAUNCH_LIMIT] = ERR_FAULT,
									[LAUNCH_TIMEOUT] = ERR_TIMEOUT,
									[LAUNCH_INTERRUPTED] = ERR_INTERRUPTED};
	Str text = {0};
	launch_describe(outcome, &text);
	while (text.len && text.text[text.len - 1] == '\n') text.text[--text.len] = '\0';
	err_set(err, kinds[outcome->status], "%s", text.text ? text.text : "");
	if (outcome->status == LAUNCH_FAULT && outcome->fault.line)
		err_where(err, outcome->fault.file, outcome->fault.line);
	str_free(&text);
	return false;
}
