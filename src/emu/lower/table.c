/* The table of forms: the row of an instruction's name, and the operands that it takes. */
#include <string.h>

#include "base/str.h"
#include "emu/code/async.h"
#include "emu/code/texture_call.h"
#include "emu/lower/lower.h"
#include "ptx/names.h"

#define ARITHMETIC(name, forms, ...) {forms, NULL, lower_arithmetic, H_##name, NULL, {__VA_ARGS__}},

static const Row rows[] = {
#define OP1(name, forms, D, A, expr) ARITHMETIC(name, forms, BYTES_##D, BYTES_##A)
#define OP2(name, forms, D, A, B, expr) ARITHMETIC(name, forms, BYTES_##D, BYTES_##A, BYTES_##B)
#define OP3(name, forms, D, A, B, C, expr) ARITHMETIC(name, forms, BYTES_##D, BYTES_##A, BYTES_##B, BYTES_##C)
#define OP4(name, forms, D, A, B, C, E, expr)                                                                          \
	ARITHMETIC(name, forms, BYTES_##D, BYTES_##A, BYTES_##B, BYTES_##C, BYTES_##E)
#define TINY2(name, forms, expr, exact) ARITHMETIC(name, forms, 4, 4, 4)
#define TINY3(name, forms, expr, exact) ARITHMETIC(name, forms, 4, 4, 4, 4)
#define CMP(name, forms, A, expr) {forms, "d a b? p?", lower_compare, H_##name, NULL, {4, BYTES_##A}},
#define SEL(name, forms, D)                                                                                            \
	{forms, "d a b p", lower_select, H_##name, NULL, {BYTES_##D, BYTES_##D, BYTES_##D, PREDICATE}},
#include "emu/code/alu.def"
#define ROW(forms, operands, translate, kind) {forms, operands, lower_##translate, kind, NULL, {0}},
#define SCALAR(forms, function, imm, d, a, b, c, e) {forms, NULL, lower_scalar, imm, function, {d, a, b, c, e}},
#include "emu/code/instructions.def"
};

enum { ROWS = sizeof rows / sizeof *rows };

/* Does the name fit the form, up to its end or a space? */
static bool fits(const char *form, const char *name, int *choice) {
	while (*form && *form == *name) form++, name++;
	if (*form != '{' && *form != '[') return (!*form || *form == ' ') && !*name;
	const char *close = form + strcspn(form, "}]");
	int number = 0;
	for (const char *p = form + 1; p <= close; p += strcspn(p, "|}]") + 1, number++) {
		const size_t len = strcspn(p, "|}]");
		if (strncmp(p, name, len) || !fits(close + 1, name + len, choice)) continue;
		if (*form == '[') *choice = number;
		return true;
	}
	return false;
}

static bool one_fits(const char *forms, const char *name, int *choice) {
	if (*forms != *name && *forms != '{') return false;
	for (const char *form = forms; form; form = strchr(form, ' ')) {
		form += *form == ' ';
		if (fits(form, name, choice)) return true;
	}
	return false;
}

static Match match_from(const Row *row, const char *form) {
	Match match = {.row = row};
	while (match.row < rows + ROWS && !one_fits(match.row->forms, form, &match.choice)) match.row++;
	if (match.row == rows + ROWS) match.row = NULL;
	return match;
}

Match match_next(const Match *match, const char *form) {
	return match_from(match->row + 1, form);
}

/* max.s32.relu, which assemblers take as well: with the types behind the other modifiers. */
static Match with_types_last(const char *form) {
	Str words = {0}, types = {0};
	PtxType type;
	for (const char *p = form; *p;) {
		const size_t dot = *p == '.', len = strcspn(p + dot, ".");
		str_addn(ptx_type_named(p + dot, len, &type) ? &types : &words, p, dot + len);
		p += dot + len;
	}
	if (types.len) str_add(&words, types.text);
	const Match match = match_from(rows, words.text);
	str_free(&words);
	str_free(&types);
	return match;
}

const Match *match_forms(Arena *arena, const PtxModule *ptx) {
	Match *matches = arena_array(arena, ptx->nforms + 1, sizeof *matches);
	for (uint32_t i = 0; i < ptx->nforms; i++) {
		matches[i] = match_from(rows, ptx->forms[i]);
		if (!matches[i].row) matches[i] = with_types_last(ptx->forms[i]);
	}
	return matches;
}

bool match_takes(const Match *match, const PtxInstr *in) {
	const Row *row = match->row;
	uint32_t listed = 0;
	while (listed < 5 && row->bytes[listed]) listed++;
	const PtxOperandCount n = row->operands ? ptx_operand_count(row->operands) : (PtxOperandCount){listed, listed, ""};
	const uint32_t hint = in->mods & MOD_CACHE_HINT ? 1 : 0;
	return in->noperands >= n.least + hint && in->noperands - hint <= n.most;
}
