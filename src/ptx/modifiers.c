/* The modifiers between an opcode and its operands, by the table of words. */
#include <string.h>

#include "ptx/names.h"
#include "ptx/parser.h"

typedef enum {
	IN_SPACE,
	IN_COMPARE,
	IN_COMBINE,
	IN_ROUND,
	IN_ATOMIC,
	IN_SHUFFLE,
	IN_VOTE,
	IN_SCOPE,
	IN_SEM,
	IN_CACHE,
	IN_MODS,
	IN_VECTOR,
	IN_SHAPE,
	IN_WORDS
} Field;

/* Opcodes that take the same words. */
enum {
	COMPARES = 1 << 0,
	ATOMICS = 1 << 1,
	SHUFFLES = 1 << 2,
	VOTES = 1 << 3,
	BARRIERS = 1 << 4,
	LOGIC = 1 << 5, /* lop3 with a predicate */
	COPIES = 1 << 6,
	SHIFTS = 1 << 7,
	FENCES = 1 << 8,
	BRANCHES = 1 << 9,
	PREFETCHES = 1 << 10,
	MATRICES = 1 << 11,
	TEXTURES = 1 << 12,
	MBARRIERS = 1 << 13,
	PERMUTES = 1 << 14,
	TESTS = 1 << 15,
	CONVERTS = 1 << 16,
	FMAS = 1 << 17,
	EXTREMES = 1 << 18,
	GRIDS = 1 << 19,
	VIDEOS = 1 << 20,
	POLICIES = 1 << 21,
	OTHERS = 1 << 22,
	ANY = ~0
};

typedef struct {
	const char *text;
	PtxWord word;
	Field field;
	uint32_t value;
	int families;
} Row;

#define SHAPE(m, n, k) PTX_SHAPE(m, n, k)
static const Row rows[] = {
#define WORD(id, text, field, value, families) {text, WORD_##id, field, value, families},
#define ALSO WORD
#include "ptx/words.def"
#undef ALSO
#undef WORD
};

enum { ROWS = sizeof rows / sizeof *rows };

static int family_of(PtxOp op) {
	switch (op) {
	case OP_SET:
	case OP_SETP: return COMPARES;
	case OP_ATOM:
	case OP_RED:
	case OP_REDUX: return ATOMICS;
	case OP_SHFL: return SHUFFLES;
	case OP_VOTE:
	case OP_MATCH: return VOTES;
	case OP_BAR:
	case OP_BARRIER: return BARRIERS;
	case OP_LOP3: return LOGIC;
	case OP_CP: return COPIES;
	case OP_SHF: return SHIFTS;
	case OP_MEMBAR:
	case OP_FENCE: return FENCES;
	case OP_BRX: return BRANCHES;
	case OP_PREFETCH:
	case OP_PREFETCHU:
	case OP_DISCARD:
	case OP_APPLYPRIORITY: return PREFETCHES;
	case OP_LDMATRIX:
	case OP_STMATRIX:
	case OP_MOVMATRIX:
	case OP_MMA:
	case OP_WMMA: return MATRICES;
	case OP_TEX:
	case OP_TLD4:
	case OP_TXQ:
	case OP_SULD:
	case OP_SUST:
	case OP_SUQ: return TEXTURES;
	case OP_MBARRIER: return MBARRIERS;
	case OP_PRMT: return PERMUTES;
	case OP_TESTP: return TESTS;
	case OP_CVT: return CONVERTS;
	case OP_FMA: return FMAS;
	case OP_MIN:
	case OP_MAX: return EXTREMES;
	case OP_GRIDDEPCONTROL: return GRIDS;
	case OP_CREATEPOLICY: return POLICIES;
	case OP_VABSDIFF2:
	case OP_VABSDIFF4:
	case OP_VADD2:
	case OP_VADD4:
	case OP_VAVRG2:
	case OP_VAVRG4:
	case OP_VMAX2:
	case OP_VMAX4:
	case OP_VMIN2:
	case OP_VMIN4:
	case OP_VSUB2:
	case OP_VSUB4: return VIDEOS;
	default: return OTHERS;
	}
}

static int order(const Token *word, const char *name) {
	int diff = strncmp(word->text, name, word->len);
	return diff == 0 && name[word->len] ? -1 : diff;
}

static const Row *find_row(const Token *word, int family) {
	size_t low = 0, high = ROWS;
	while (low < high) {
		size_t mid = (low + high) / 2;
		if (order(word, rows[mid].text) > 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < ROWS && order(word, rows[low].text) == 0; low++) {
		if (rows[low].families & family) return &rows[low];
	}
	return NULL;
}

/* A field that is taken keeps its first value; no instruction of PTX has two. */
#define SET(field, type)                                                                                               \
	do {                                                                                                               \
		if (instr->field && instr->field != (type)row->value)                                                          \
			instr->unknown = true;                                                                                     \
		else                                                                                                           \
			instr->field = (type)row->value;                                                                           \
	} while (0)

static void set_space(PtxInstr *instr, const Row *row) {
	const bool source_of_copy = instr->op == OP_CP && instr->space; /* cp.async.shared.global keeps the destination's */
	if (!source_of_copy) SET(space, PtxSpace);
}

static void apply_row(PtxInstr *instr, const Row *row) {
	instr->words[row->word / 64] |= UINT64_C(1) << row->word % 64;
	switch (row->field) {
	case IN_SPACE: set_space(instr, row); break;
	case IN_COMPARE: SET(compare, PtxCompare); break;
	case IN_COMBINE: SET(combine, PtxBool); break;
	case IN_ROUND: SET(round, PtxRound); break;
	case IN_ATOMIC: SET(atomic, PtxAtomic); break;
	case IN_SHUFFLE: SET(shuffle, PtxShuffle); break;
	case IN_VOTE: SET(vote, PtxVote); break;
	case IN_SCOPE: SET(scope, PtxScope); break;
	case IN_SEM: SET(sem, PtxSem); break;
	case IN_CACHE: SET(cache, PtxCache); break;
	case IN_MODS: instr->mods |= row->value; break;
	case IN_VECTOR: instr->vector = (uint8_t)row->value; break;
	case IN_SHAPE: SET(shape, uint32_t); break;
	case IN_WORDS: break;
	}
}

void apply_modifier(PtxInstr *instr, const Token *word) {
	const Row *row = find_row(word, family_of(instr->op));
	PtxType type;
	if (row)
		apply_row(instr, row);
	else if (ptx_type_named(word->text, word->len, &type) && type != T_OTHER && instr->ntypes < 4)
		instr->types[instr->ntypes++] = type;
	else
		instr->unknown = true;
}
