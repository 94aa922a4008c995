/* value_words.h: reading. */
#include "emu/step/value_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static const char *const operations[V_OPERATIONS] = {"add", "sub", "mul", "div", "rem", "and", "or", "xor", "shl",
													 "shr", "lt",  "le",  "gt",  "ge",  "eq",  "ne", "neg", "not"};
static const char *const types[VALUE_TYPES] = {"s32", "u32", "s64", "u64", "f32", "f64"};
const ValueCell value_cells[] = {{"u8", 1, false},  {"s8", 1, true},   {"u16", 2, false}, {"s16", 2, true},
								 {"s32", 4, false}, {"u32", 4, false}, {"s64", 8, false}, {"u64", 8, false},
								 {"f32", 4, false}, {"f64", 8, false}};
enum { CELLS = sizeof value_cells / sizeof *value_cells };

static bool type_named(const char *text, ValueType *out) {
	for (int t = 0; t < VALUE_TYPES; t++)
		if (text && strcmp(text, types[t]) == 0) return *out = (ValueType)t, true;
	return false;
}

static bool special_named(const char *text, uint32_t *out) {
	static const struct {
		const char *name;
		PtxSpecial special;
	} known[] = {{"tid.", SR_TID}, {"ntid.", SR_NTID}, {"ctaid.", SR_CTAID}, {"nctaid.", SR_NCTAID}};
	if (strcmp(text, "laneid") == 0) return *out = SR_LANEID, true;
	if (strcmp(text, "warpid") == 0) return *out = SR_WARPID, true;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		const size_t n = strlen(known[i].name);
		if (strncmp(text, known[i].name, n) != 0 || text[n] < 'x' || text[n] > 'z' || text[n + 1]) continue;
		*out = (uint32_t)known[i].special + (uint32_t)(text[n] - 'x');
		return true;
	}
	return false;
}

static bool space_named(const char *text, PtxSpace *out) {
	static const PtxSpace known[] = {SPACE_GENERIC, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (text && strcmp(text, ptx_space_name(known[i])) == 0) return *out = known[i], true;
	return false;
}

/* The parts of a word between colons; returns how many. */
static unsigned split(char *text, char *parts[4]) {
	unsigned n = 0;
	for (char *save, *part = strtok_r(text, ":", &save); part && n < 4; part = strtok_r(NULL, ":", &save))
		parts[n++] = part;
	return n;
}

static bool read_load(char **parts, unsigned n, ValueWord *w) {
	w->kind = W_LOAD;
	if (n != 4 || !space_named(parts[1], &w->space) || !type_named(parts[3], &w->type)) return false;
	for (w->operation = 0; w->operation < CELLS; w->operation++)
		if (strcmp(parts[2], value_cells[w->operation].name) == 0) return true;
	return false;
}

static bool read_number(const char *digits, int base, uint64_t *out) {
	char *end;
	*out = strtoull(digits, &end, base);
	return *digits && !*end;
}

static bool read_operation(char **parts, unsigned n, ValueWord *w) {
	w->kind = W_OPERATION;
	if (n != 2 || !type_named(parts[1], &w->type)) return false;
	for (w->operation = 0; w->operation < V_OPERATIONS; w->operation++)
		if (strcmp(parts[0], operations[w->operation]) == 0) return true;
	return false;
}

static bool read_lazy(char **parts, ValueWord *w) {
	static const char *const lazy_kinds[LAZY_KINDS] = {"and", "or", "sel"};
	w->kind = *parts[0] == 'l' ? W_LAZY : *parts[0] == 'e' ? W_ELSE : W_JOIN;
	for (w->operation = 0; w->operation < LAZY_KINDS; w->operation++)
		if (strcmp(parts[1], lazy_kinds[w->operation]) == 0)
			return w->kind == W_LAZY || (w->kind == W_ELSE) == (w->operation == LAZY_SELECT);
	return false;
}

static bool read_word(char *text, ValueWord *w) {
	char *parts[4];
	const unsigned n = split(text, parts);
	if (n < 2) return false;
	if (*parts[0] == '%' || *parts[0] == '!') {
		w->kind = special_named(parts[0] + 1, &w->operation) ? W_SPECIAL : W_REGISTER;
		snprintf(w->name, sizeof w->name, "%s", parts[0]);
		w->when = w->kind == W_REGISTER && strcmp(parts[1], "when") == 0;
		if (w->when) return w->type = VALUE_U64, n == 2;
		return n == 2 && type_named(parts[1], &w->type);
	}
	if (*parts[0] == '#') {
		w->kind = W_CONSTANT;
		return n == 2 && type_named(parts[1], &w->type) && read_number(parts[0] + 1, 16, &w->bits);
	}
	if (text_starts(parts[0], "param+")) {
		w->kind = W_PARAM;
		return n == 2 && type_named(parts[1], &w->type) && read_number(parts[0] + 6, 10, &w->bits);
	}
	if (strcmp(parts[0], "load") == 0) return read_load(parts, n, w);
	if (strcmp(parts[0], "extent") == 0) {
		w->kind = W_EXTENT;
		w->type = VALUE_U64;
		return n == 2 && space_named(parts[1], &w->space);
	}
	if (strcmp(parts[0], "cvt") == 0) {
		w->kind = W_CONVERT;
		return n == 3 && type_named(parts[1], &w->from) && type_named(parts[2], &w->type);
	}
	if (strcmp(parts[0], "sel") == 0) {
		w->kind = W_SELECT;
		w->operation = LAZY_SELECT;
		return n == 2 && type_named(parts[1], &w->type);
	}
	if (strcmp(parts[0], "lazy") == 0 || strcmp(parts[0], "else") == 0 || strcmp(parts[0], "join") == 0)
		return n == 2 && read_lazy(parts, w);
	if (n == 2 && space_named(parts[0], &w->space)) {
		w->kind = W_VARIABLE;
		w->type = VALUE_U64;
		snprintf(w->name, sizeof w->name, "%s", parts[1]);
		return true;
	}
	return read_operation(parts, n, w);
}

static int words_taken(const ValueWord *w) {
	switch (w->kind) {
	case W_LOAD:
	case W_EXTENT:
	case W_LAZY:
	case W_ELSE:
	case W_CONVERT: return 1;
	case W_JOIN: return 2;
	case W_SELECT: return 3;
	case W_OPERATION: return w->operation < V_BINARY ? 2 : 1;
	default: return 0;
	}
}

typedef struct {
	uint32_t words[LAZY_MOST], len;
} OpenWords;

/* What a lazy word begins must end in the same way. */
static bool match_lazy(ValueCode *code, OpenWords *open, const ValueWord *w) {
	const uint32_t here = (uint32_t)code->words.len;
	if (w->kind < W_LAZY) return true;
	if (w->kind != W_LAZY) {
		if (!open->len) return false;
		ValueWord *begin = &code->words.data[open->words[--open->len]];
		const bool after_else = w->kind == W_SELECT;
		if (begin->operation != w->operation || (begin->kind == W_ELSE) != after_else) return false;
		begin->skip = here;
	}
	if (w->kind != W_LAZY && w->kind != W_ELSE) return true;
	if (open->len == LAZY_MOST) return false;
	open->words[open->len++] = here;
	return true;
}

ValueCode *value_code(const char *text, Err *err) {
	ValueCode *code = xcalloc(1, sizeof *code);
	char *copy = xstrdup(text);
	OpenWords open = {.len = 0};
	int depth = 0;
	bool ok = true;
	for (char *save, *word = strtok_r(copy, " ", &save); word && ok; word = strtok_r(NULL, " ", &save)) {
		ValueWord w = {0};
		ok = read_word(word, &w) && depth >= words_taken(&w) && code->words.len < WORD_MOST &&
			 match_lazy(code, &open, &w);
		depth += 1 - words_taken(&w);
		ok = ok && depth <= STACK_MOST;
		if (ok) vec_push(&code->words, w);
	}
	free(copy);
	if (ok && depth == 1 && !open.len) return code;
	value_code_free(code);
	err_set(err, ERR_USAGE, "not an expression over lanes: %.200s", text);
	return NULL;
}

void value_code_free(ValueCode *code) {
	if (!code) return;
	vec_free(&code->words);
	free(code);
}
