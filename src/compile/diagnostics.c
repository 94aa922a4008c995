/* diagnostics.h, and the messages' part of compile.h.
 *
 * A message in NVRTC's log, and where its parts go:
 *
 *     /home/a/transpose.cu(31): error: expected a ";"          file, line, kind, message
 *       float x = 3                                            source_line (two columns in)
 *                  ^                                           column
 *               detected during instantiation of ...           further lines of the message
 *     (blank)
 *
 * ptxas and NVRTC's option parser write "ptxas error   : message" and "nvrtc: error: message" without a place. */
#include "compile/diagnostics.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/text/mangled.h"
#include "base/vec.h"

enum { MESSAGE_MAX = 480, WIDTH = 80, TAB = 4, MARGIN = 2 };

void diagnostics_add(Diagnostics *diags, DiagKind kind, const char *file, uint32_t line, uint32_t column,
					 const char *message, const char *source_line) {
	if (!diags->arena) diags->arena = arena_new();
	Arena *arena = diags->arena;
	const Diagnostic diag = {
		kind,   arena_strdup(arena, file),    line,
		column, arena_strdup(arena, message), source_line ? arena_strdup(arena, source_line) : NULL};
	vec_push_in(arena, diags, diag);
}

void diagnostics_free(Diagnostics *diags) {
	arena_free(diags->arena);
	*diags = (Diagnostics){0};
}

typedef struct {
	const char *at;
	size_t len;
} Line;

/* The next line of the log; false at its end. */
static bool next_line(const char **log, Line *line) {
	if (!**log) return false;
	line->at = *log;
	line->len = strcspn(*log, "\n");
	*log += line->len + ((*log)[line->len] == '\n');
	return true;
}

static bool blank(const Line *line) {
	for (size_t i = 0; i < line->len; i++) {
		if (!isspace((unsigned char)line->at[i])) return false;
	}
	return true;
}

static bool caret_line(const Line *line) {
	size_t i = 0;
	while (i < line->len && (line->at[i] == ' ' || line->at[i] == '\t')) i++;
	return i + 1 == line->len && line->at[i] == '^';
}

static bool starts(const Line *line, const char *text) {
	return line->len >= strlen(text) && memcmp(line->at, text, strlen(text)) == 0;
}

/* The kind at the start of text, and how long its word is. */
static size_t kind_word(const char *text, size_t len, DiagKind *kind) {
	static const struct {
		const char *word;
		DiagKind kind;
	} words[] = {{"catastrophic error", DIAG_ERROR},
				 {"internal error", DIAG_ERROR},
				 {"error", DIAG_ERROR},
				 {"fatal", DIAG_ERROR},
				 {"warning", DIAG_WARNING},
				 {"remark", DIAG_NOTE},
				 {"note", DIAG_NOTE},
				 {"info", DIAG_NOTE}};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t n = strlen(words[i].word);
		if (len > n && memcmp(text, words[i].word, n) == 0 && !isalpha((unsigned char)text[n])) {
			*kind = words[i].kind;
			return n;
		}
	}
	return 0;
}

/* "FILE(LINE): error: message"; the file may hold parentheses itself, so the last place that fits a number counts. */
static bool parse_head(Arena *arena, const Line *line, Diagnostic *out) {
	const char *end = line->at + line->len;
	for (const char *p = line->at; (p = memmem(p, (size_t)(end - p), "): ", 3)) != NULL; p++) {
		const char *digits = p;
		while (digits > line->at && isdigit((unsigned char)digits[-1])) digits--;
		if (digits == p || digits == line->at || digits[-1] != '(') continue;
		const char *word = p + 3;
		DiagKind kind;
		size_t n = kind_word(word, (size_t)(end - word), &kind);
		if (!n) continue;
		const char *colon = memmem(word, (size_t)(end - word), ": ", 2);
		if (!colon) continue;
		*out = (Diagnostic){.kind = kind,
							.file = arena_strndup(arena, line->at, (size_t)(digits - 1 - line->at)),
							.line = (uint32_t)strtoul(digits, NULL, 10),
							.message = arena_strndup(arena, colon + 2, (size_t)(end - colon - 2))};
		return true;
	}
	return false;
}

/* Copies the figure at p, "0x13880" as "80000"; gives where it ends. */
static const char *add_figure(Str *s, const char *p) {
	char *end;
	unsigned long long value = strtoull(p, &end, 16);
	str_addf(s, "%llu", value);
	return end;
}

static const char *add_quoted_name(Str *s, const char *p, const char *close) {
	AUTO_FREE char *linked = xstrndup(p + 1, (size_t)(close - p - 1)), *plain = mangled_plain(linked);
	str_addf(s, "\"%s\"", plain ? plain : linked);
	return close + 1;
}

/* Where ptxas says that a kernel takes too much of something it counts in hexadecimal and calls the kernel by its
 * linked name; this makes both readable. */
static char *ptxas_message(Arena *arena, const char *message, const char *end) {
	Str s = {0};
	for (const char *p = message; p < end;) {
		const char *close = *p == '\'' ? memchr(p + 1, '\'', (size_t)(end - p - 1)) : NULL;
		if (close) {
			p = add_quoted_name(&s, p, close);
		} else if (p[0] == '0' && p[1] == 'x' && isxdigit((unsigned char)p[2])) {
			p = add_figure(&s, p);
		} else {
			str_addn(&s, p++, 1);
		}
	}
	return str_take_in(arena, &s);
}

/* "ptxas error   : message", "ptxas application ptx input, line 26; error   : message", "nvrtc: error: message". */
static bool parse_tool(Arena *arena, const Line *line, Diagnostic *out) {
	if (!starts(line, "ptxas") && !starts(line, "nvrtc:")) return false;
	const char *end = line->at + line->len;
	for (const char *p = line->at; p < end; p++) {
		if (*p != ' ') continue;
		DiagKind kind;
		size_t n = kind_word(p + 1, (size_t)(end - p - 1), &kind);
		if (!n) continue;
		const char *message = p + 1 + n;
		while (message < end && (*message == ' ' || *message == ':')) message++;
		*out =
			(Diagnostic){.kind = kind, .file = arena_strdup(arena, ""), .message = ptxas_message(arena, message, end)};
		return true;
	}
	return false;
}

static void append_message(Arena *arena, Diagnostic *diag, const Line *line) {
	size_t skip = 0;
	while (skip < line->len && isspace((unsigned char)line->at[skip])) skip++;
	diag->message = arena_format(arena, "%s\n%.*s", diag->message, (int)(line->len - skip), line->at + skip);
}

/* Behind a head: source and caret lines, and more of the message, up to a blank line. */
static void parse_body(Arena *arena, const char **log, Diagnostic *diag) {
	Line line;
	for (const char *ahead = *log; next_line(&ahead, &line) && !blank(&line);) {
		const char *after = ahead;
		Line below;
		if (!diag->source_line && next_line(&after, &below) && caret_line(&below)) {
			size_t inset = line.len >= MARGIN ? MARGIN : line.len;
			diag->source_line = arena_strndup(arena, line.at + inset, line.len - inset);
			diag->column = below.len > MARGIN ? (uint32_t)(below.len - MARGIN) : 1;
			ahead = after;
		} else {
			append_message(arena, diag, &line);
		}
		*log = ahead;
	}
}

static bool counts_only(const Line *line) {
	return blank(line) || starts(line, "Remark: ") || starts(line, "Compilation terminated") ||
		   memmem(line->at, line->len, " detected in the compilation of ", 32) != NULL;
}

static bool has_error(const Diagnostics *diags) {
	for (size_t i = 0; i < diags->len; i++) {
		if (diags->data[i].kind == DIAG_ERROR) return true;
	}
	return false;
}

void diagnostics_parse(const char *log, Diagnostics *diags) {
	Line line;
	if (!diags->arena) diags->arena = arena_new();
	Arena *arena = diags->arena;
	while (next_line(&log, &line)) {
		Diagnostic diag = {0};
		if (counts_only(&line)) continue;
		if (starts(&line, "ptxas fatal") && has_error(diags)) continue; /* says only that there were errors */
		if (parse_head(arena, &line, &diag)) {
			parse_body(arena, &log, &diag);
		} else if (!parse_tool(arena, &line, &diag)) {
			diag = (Diagnostic){
				.kind = DIAG_NOTE, .file = arena_strdup(arena, ""), .message = arena_strndup(arena, line.at, line.len)};
		}
		vec_push_in(arena, diags, diag);
	}
}

/* A source line as it is shown: tabs as spaces, control characters as blanks, cut to a window around the caret. Columns
 * count characters, not bytes. */
typedef struct {
	Str text;
	size_t caret; /* in text, in characters */
} Shown;

static bool continuation(char c) {
	return ((unsigned char)c & 0xc0) == 0x80;
}

static Shown expand(const char *line, uint32_t column) {
	Shown shown = {0};
	size_t at = 0;
	bool placed = false;
	str_add(&shown.text, "");
	for (const char *p = line; *p; p++) {
		if (!placed && (uint32_t)(p - line) + 1 >= column && !continuation(*p)) {
			shown.caret = at;
			placed = true;
		}
		if (*p == '\t') {
			do str_add(&shown.text, " ");
			while (++at % TAB);
		} else {
			str_addn(&shown.text, iscntrl((unsigned char)*p) ? " " : p, 1);
			if (!continuation(*p)) at++;
		}
	}
	if (!placed) shown.caret = at;
	return shown;
}

/* The byte where character n starts. */
static size_t byte_of(const char *text, size_t n) {
	size_t i = 0;
	for (; text[i]; i++) {
		if (continuation(text[i])) continue;
		if (n-- == 0) break;
	}
	return i;
}

static size_t characters(const char *text) {
	size_t n = 0;
	for (; *text; text++) n += !continuation(*text);
	return n;
}

static void cut_to_window(Shown *shown) {
	const size_t room = WIDTH - MARGIN, dots = 3;
	size_t total = characters(shown->text.text);
	if (total <= room && shown->caret < room) return;
	size_t from = shown->caret > room / 2 ? shown->caret - room / 2 : 0;
	size_t to = from + room;
	bool left = from > 0, right = to < total;
	Str cut = {0};
	size_t a = byte_of(shown->text.text, from + (left ? dots : 0));
	size_t b = byte_of(shown->text.text, right ? to - dots : total);
	if (left) str_add(&cut, "...");
	if (b > a) str_addn(&cut, shown->text.text + a, b - a);
	if (right) str_add(&cut, "...");
	shown->caret -= from;
	str_free(&shown->text);
	shown->text = cut;
}

static void add_source(Str *s, const Diagnostic *diag, bool color) {
	Shown shown = expand(diag->source_line, diag->column ? diag->column : 1);
	cut_to_window(&shown);
	str_addf(s, "\n%*s%s", MARGIN, "", shown.text.text);
	while (s->len && s->text[s->len - 1] == ' ') s->text[--s->len] = '\0';
	if (diag->column) {
		str_addf(s, "\n%*s%s^%s", (int)(MARGIN + shown.caret), "", color ? "\033[1;32m" : "", color ? "\033[0m" : "");
	}
	str_free(&shown.text);
}

static void add_place(Str *s, const Diagnostic *diag) {
	if (!*diag->file) return;
	str_addf(s, "%s:", diag->file);
	if (diag->line) str_addf(s, "%u:", diag->line);
	if (diag->line && diag->column) str_addf(s, "%u:", diag->column);
	str_add(s, " ");
}

static void add_clipped(Str *s, const char *text, size_t len) {
	if (len <= MESSAGE_MAX) {
		str_addn(s, text, len);
		return;
	}
	len = MESSAGE_MAX;
	while (len && continuation(text[len])) len--;
	str_addn(s, text, len);
	str_add(s, "...");
}

char *diagnostic_render(const Diagnostic *diag, bool color) {
	static const char *const words[] = {"error", "warning", "note"};
	static const char *const colors[] = {"\033[1;31m", "\033[1;35m", "\033[1;36m"};
	const char *bold = color ? "\033[1m" : "", *plain = color ? "\033[0m" : "";
	Str s = {0};
	str_add(&s, bold);
	add_place(&s, diag);
	str_addf(&s, "%s%s: %s%s", color ? colors[diag->kind] : "", words[diag->kind], plain, bold);
	size_t first = strcspn(diag->message, "\n");
	add_clipped(&s, diag->message, first);
	str_add(&s, plain);
	if (diag->source_line) add_source(&s, diag, color);
	const char *more = diag->message + first;
	for (; *more; more += strcspn(more, "\n")) {
		more++;
		str_addf(&s, "\n%*s", MARGIN, "");
		add_clipped(&s, more, strcspn(more, "\n"));
	}
	return str_take(&s);
}
