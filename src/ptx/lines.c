/* Where instructions come from: .file, .loc, and the chain of inlined functions.
 *
 *     .loc 1 13 25, function_name $L__info_string1, inlined_at 1 14 25
 *
 * says: line 13 of the function named at $L__info_string1, inlined at the place 14:25. That place has had a .loc of
 * its own before, possibly inlined too; the chain is followed through it. The names are in .section .debug_str after
 * all code, so drafts keep the label and are completed at the end. Line 0 means that the compiler could not name a
 * line (a copy it moved, a spill): such instructions are counted to the line before, so that the sum over lines is
 * the sum over instructions. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/text/escaped.h"
#include "ptx/parser.h"

enum { MAX_FILE_INDEX = 1 << 16, PLACE_TEXT = 64 };

static bool need_u32(Parser *p, uint32_t *out, const char *expected) {
	Token at = p->tok;
	uint64_t value;
	if (!parser_need_int(p, &value, expected)) return false;
	if (value > UINT32_MAX) return parser_fail(p, &at, expected);
	*out = (uint32_t)value;
	return true;
}

/* .file 1 "a.cu", 1700000000, 1234 */
bool parse_file(Parser *p) {
	Token at = p->tok;
	uint32_t index = 0;
	if (!need_u32(p, &index, "a file number")) return false;
	if (index == 0 || index > MAX_FILE_INDEX)
		return parser_error(p, &at, "expected a file number from 1 to %d", MAX_FILE_INDEX);
	if (p->tok.kind != TOK_STRING) return parser_fail(p, &p->tok, "a file name in quotes");
	AUTO_STR Str path = {0};
	str_add_unescaped(&path, p->tok.text);
	while (p->files.len <= index) vec_push(&p->files, "");
	p->files.data[index] = arena_strdup(p->arena, path.text);
	parser_advance(p);
	while (parser_take(p, ',')) {
		uint64_t ignored; /* time stamp, size */
		if (!parser_need_int(p, &ignored, "a number")) return false;
	}
	return true;
}

typedef struct {
	uint32_t file, line, column;
} Spot;

static bool parse_spot(Parser *p, Spot *spot) {
	return need_u32(p, &spot->file, "a file number") && need_u32(p, &spot->line, "a line number") &&
		   need_u32(p, &spot->column, "a column number");
}

static void spot_key(const Spot *spot, char *key) {
	snprintf(key, PLACE_TEXT, "%u %u %u", spot->file, spot->line, spot->column);
}

static void start_maps(Lines *l) {
	if (l->drafts) return;
	l->drafts = map_new();
	l->at_place = map_new();
}

static uint32_t inlined_at_spot(const Lines *l, const Spot *spot) {
	char key[PLACE_TEXT];
	spot_key(spot, key);
	return (uint32_t)(uintptr_t)map_get(l->at_place, key);
}

static uint32_t draft_index(Lines *l, const InlinedDraft *d) {
	AUTO_STR Str key = {0};
	str_addf(&key, "%u %u %u %u %llu ", d->inlined.file, d->inlined.line, d->column, d->inlined.inlined_at,
			 (unsigned long long)d->offset);
	str_addn(&key, d->name.text, d->name.len);
	uintptr_t known = (uintptr_t)map_get(l->drafts, key.text);
	if (!known) {
		vec_push(&l->list, *d);
		known = l->list.len;
		map_put(l->drafts, key.text, (void *)known);
	}
	return (uint32_t)known;
}

/* function_name LABEL[+N], inlined_at FILE LINE COLUMN; also in the other order. */
static bool parse_inlining(Parser *p, uint32_t *out) {
	InlinedDraft d = {0};
	Spot call = {0};
	bool has_call = false;
	do {
		if (token_is(&p->tok, TOK_IDENT, "function_name")) {
			parser_advance(p);
			if (!parser_need_name(p, &d.name, "a label in .debug_str")) return false;
			if (parser_take(p, '+') && !parser_need_int(p, &d.offset, "an offset")) return false;
		} else if (token_is(&p->tok, TOK_IDENT, "inlined_at")) {
			parser_advance(p);
			if (!parse_spot(p, &call)) return false;
			has_call = true;
		} else {
			return parser_fail(p, &p->tok, "function_name or inlined_at");
		}
	} while (parser_take(p, ','));
	*out = 0;
	if (!has_call) return true;
	uint32_t outer = inlined_at_spot(&p->lines, &call);
	d.depth = outer ? p->lines.list.data[outer - 1].depth + 1 : 1;
	if (d.depth > MAX_INLINE_DEPTH) return true; /* only a loop in the text gets that deep */
	d.column = call.column;
	d.inlined = (PtxInlined){.file = call.file, .line = call.line, .inlined_at = outer};
	*out = draft_index(&p->lines, &d);
	return true;
}

/* A function inlined into itself names one place twice; the chain has to go on from the outer one. */
static bool calls_itself(const Lines *l, uint32_t inlined_at, const Spot *spot) {
	if (!inlined_at) return false;
	const InlinedDraft *d = &l->list.data[inlined_at - 1];
	return d->inlined.file == spot->file && d->inlined.line == spot->line && d->column == spot->column;
}

bool parse_loc(Parser *p) {
	start_maps(&p->lines);
	Spot spot = {0};
	uint32_t inlined_at = 0;
	if (!parse_spot(p, &spot)) return false;
	if (parser_take(p, ',') && !parse_inlining(p, &inlined_at)) return false;
	if (!spot.line) return true;
	char key[PLACE_TEXT];
	spot_key(&spot, key);
	if (!calls_itself(&p->lines, inlined_at, &spot)) map_put(p->lines.at_place, key, (void *)(uintptr_t)inlined_at);
	p->body.place = (Place){.file = spot.file, .line = spot.line, .inlined_at = inlined_at};
	PtxFunction *f = p->body.f;
	if (f && !f->line) {
		f->file = spot.file;
		f->line = spot.line;
	}
	return true;
}

/* Names are pieces of the section. A draft without a name, or with one outside the section, gets an empty one. */
static const char *name_of(const PtxSection *strings, const Map *labels, const InlinedDraft *d) {
	const uintptr_t label = d->name.len ? (uintptr_t)map_getn(labels, d->name.text, d->name.len) : 0;
	if (!label || d->offset >= strings->nbytes - (label - 1)) return "";
	return (const char *)strings->bytes + (label - 1) + d->offset;
}

/* Behind each section is a zero. */
void lines_finish(Parser *p) {
	Lines *l = &p->lines;
	const PtxSection *strings = ptx_section(p->m, "debug_str");
	Map *labels = map_new();
	for (uint32_t i = 0; strings && i < strings->nlabels; i++)
		map_put(labels, strings->labels[i].name, (void *)(uintptr_t)(strings->labels[i].at + 1));
	p->m->inlined = arena_array(p->arena, l->list.len, sizeof *p->m->inlined);
	p->m->ninlined = (uint32_t)l->list.len;
	for (size_t i = 0; i < l->list.len; i++) {
		p->m->inlined[i] = l->list.data[i].inlined;
		p->m->inlined[i].function = name_of(strings, labels, &l->list.data[i]);
	}
	map_free(labels);
}

void lines_free(Lines *lines) {
	map_free(lines->drafts);
	map_free(lines->at_place);
	vec_free(&lines->list);
}
