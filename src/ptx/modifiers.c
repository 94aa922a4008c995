/* The modifiers between an opcode and its operands, by the table of words. */
#include <stddef.h>
#include <string.h>

#include "ptx/names.h"
#include "ptx/parser.h"

typedef struct {
	const char *text;
	size_t field; /* its place in PtxInstr, of 32 bits */
	uint32_t value;
} Row;

static const Row rows[] = {
#define WORD(text, field, value) {text, offsetof(PtxInstr, field), value},
#include "ptx/words.def"
#undef WORD
};

enum { ROWS = sizeof rows / sizeof *rows };

static int order(const char *word, size_t len, const char *name) {
	int diff = strncmp(word, name, len);
	return diff == 0 && name[len] ? -1 : diff;
}

static size_t first_row(const char *word, size_t len) {
	size_t low = 0, high = ROWS;
	while (low < high) {
		size_t mid = (low + high) / 2;
		if (order(word, len, rows[mid].text) > 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* m16n8k16: of a product of matrices. */
static bool shape_named(const char *word, size_t len, uint32_t *shape) {
	static const char letters[] = "mnk";
	uint32_t sides[3] = {0};
	size_t at = 0;
	for (unsigned i = 0; i < 3; i++) {
		const size_t from = at;
		if (at == len || word[at++] != letters[i]) return false;
		while (at < len && at - from < 4 && word[at] >= '0' && word[at] <= '9')
			sides[i] = 10 * sides[i] + (uint32_t)(word[at++] - '0');
		if (!sides[i]) return false;
	}
	*shape = PTX_SHAPE(sides[0], sides[1], sides[2]);
	return at == len;
}

void apply_modifier(PtxInstr *instr, const char *word, size_t len) {
	PtxType type;
	for (size_t i = first_row(word, len); i < ROWS && order(word, len, rows[i].text) == 0; i++) {
		uint32_t *field = (uint32_t *)(void *)((char *)instr + rows[i].field);
		if (rows[i].field == offsetof(PtxInstr, mods))
			*field |= rows[i].value;
		else if (!*field)
			*field = rows[i].value;
	}
	if (*word == 'm' && !instr->shape) shape_named(word, len, &instr->shape);
	if (instr->ntypes < 4 && ptx_type_named(word, len, &type) && type != T_OTHER) instr->types[instr->ntypes++] = type;
}
