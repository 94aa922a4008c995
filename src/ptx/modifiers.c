/* The modifiers between an opcode and its operands: .rn.ftz.f32, .to.global.u64, .sync.down.b32. One table,
 * alphabetical. Some words mean different things to different opcodes (.lo: lower or same, or the low half); such a
 * word has a row for each family of opcodes, and the first that matches is used. */
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
	IN_NOTHING /* says how to do it, not what to do: nothing an executor could get wrong by not knowing it */
} Field;

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
	OTHERS = 1 << 11,
	ANY = ~0
};

typedef struct {
	const char *word;
	Field field;
	uint32_t value;
	int families;
} Row;

static const Row rows[] = {
	{"L1", IN_NOTHING, 0, PREFETCHES},
	{"L1::evict_first", IN_NOTHING, 0, ANY},
	{"L1::evict_last", IN_NOTHING, 0, ANY},
	{"L1::evict_normal", IN_NOTHING, 0, ANY},
	{"L1::evict_unchanged", IN_NOTHING, 0, ANY},
	{"L1::no_allocate", IN_NOTHING, 0, ANY},
	{"L2", IN_NOTHING, 0, PREFETCHES},
	{"L2::128B", IN_NOTHING, 0, ANY},
	{"L2::256B", IN_NOTHING, 0, ANY},
	{"L2::64B", IN_NOTHING, 0, ANY},
	{"L2::cache_hint", IN_NOTHING, 0, ANY},
	{"L2::evict_first", IN_NOTHING, 0, ANY},
	{"L2::evict_last", IN_NOTHING, 0, ANY},
	{"L2::evict_normal", IN_NOTHING, 0, ANY},
	{"NaN", IN_MODS, MOD_NAN, ANY},
	{"abs", IN_MODS, MOD_ABS, ANY},
	{"acq_rel", IN_SEM, SEM_ACQ_REL, ANY},
	{"acquire", IN_SEM, SEM_ACQUIRE, ANY},
	{"add", IN_ATOMIC, ATOM_ADD, ATOMICS},
	{"aligned", IN_MODS, MOD_ALIGNED, ANY},
	{"all", IN_VOTE, VOTE_ALL, VOTES},
	{"and", IN_ATOMIC, ATOM_AND, ATOMICS},
	{"and", IN_COMBINE, BOOL_AND, COMPARES | BARRIERS | LOGIC},
	{"any", IN_VOTE, VOTE_ANY, VOTES},
	{"approx", IN_MODS, MOD_APPROX, ANY},
	{"arrive", IN_MODS, MOD_ARRIVE, ANY},
	{"ballot", IN_VOTE, VOTE_BALLOT, VOTES},
	{"bfly", IN_SHUFFLE, SHFL_BFLY, SHUFFLES},
	{"ca", IN_CACHE, CACHE_CA, ANY},
	{"cas", IN_ATOMIC, ATOM_CAS, ATOMICS},
	{"cc", IN_MODS, MOD_CC, ANY},
	{"cg", IN_CACHE, CACHE_CG, ANY},
	{"clamp", IN_MODS, MOD_CLAMP, ANY},
	{"cluster", IN_SCOPE, SCOPE_CLUSTER, ANY},
	{"const", IN_SPACE, SPACE_CONST, ANY},
	{"cs", IN_CACHE, CACHE_CS, ANY},
	{"cta", IN_SCOPE, SCOPE_CTA, ANY},
	{"cv", IN_CACHE, CACHE_CV, ANY},
	{"dec", IN_ATOMIC, ATOM_DEC, ATOMICS},
	{"down", IN_SHUFFLE, SHFL_DOWN, SHUFFLES},
	{"eq", IN_COMPARE, CMP_EQ, COMPARES},
	{"equ", IN_COMPARE, CMP_EQU, COMPARES},
	{"exch", IN_ATOMIC, ATOM_EXCH, ATOMICS},
	{"ftz", IN_MODS, MOD_FTZ, ANY},
	{"full", IN_MODS, MOD_FULL, ANY},
	{"ge", IN_COMPARE, CMP_GE, COMPARES},
	{"geu", IN_COMPARE, CMP_GEU, COMPARES},
	{"gl", IN_SCOPE, SCOPE_GPU, FENCES},
	{"global", IN_SPACE, SPACE_GLOBAL, ANY},
	{"gpu", IN_SCOPE, SCOPE_GPU, ANY},
	{"gt", IN_COMPARE, CMP_GT, COMPARES},
	{"gtu", IN_COMPARE, CMP_GTU, COMPARES},
	{"hi", IN_COMPARE, CMP_HI, COMPARES},
	{"hi", IN_MODS, MOD_HI, ANY},
	{"hs", IN_COMPARE, CMP_HS, COMPARES},
	{"idx", IN_NOTHING, 0, BRANCHES},
	{"idx", IN_SHUFFLE, SHFL_IDX, SHUFFLES},
	{"inc", IN_ATOMIC, ATOM_INC, ATOMICS},
	{"l", IN_MODS, MOD_LEFT, SHIFTS},
	{"le", IN_COMPARE, CMP_LE, COMPARES},
	{"leu", IN_COMPARE, CMP_LEU, COMPARES},
	{"lo", IN_COMPARE, CMP_LO, COMPARES},
	{"lo", IN_MODS, MOD_LO, ANY},
	{"local", IN_SPACE, SPACE_LOCAL, ANY},
	{"ls", IN_COMPARE, CMP_LS, COMPARES},
	{"lt", IN_COMPARE, CMP_LT, COMPARES},
	{"ltu", IN_COMPARE, CMP_LTU, COMPARES},
	{"lu", IN_CACHE, CACHE_LU, ANY},
	{"max", IN_ATOMIC, ATOM_MAX, ATOMICS},
	{"min", IN_ATOMIC, ATOM_MIN, ATOMICS},
	{"nan", IN_COMPARE, CMP_NAN, COMPARES},
	{"nc", IN_CACHE, CACHE_NC, ANY},
	{"ne", IN_COMPARE, CMP_NE, COMPARES},
	{"neu", IN_COMPARE, CMP_NEU, COMPARES},
	{"noftz", IN_NOTHING, 0, ATOMICS}, /* half-precision atomics have no other way */
	{"num", IN_COMPARE, CMP_NUM, COMPARES},
	{"or", IN_ATOMIC, ATOM_OR, ATOMICS},
	{"or", IN_COMBINE, BOOL_OR, COMPARES | BARRIERS | LOGIC},
	{"param", IN_SPACE, SPACE_PARAM, ANY},
	{"param::entry", IN_SPACE, SPACE_PARAM, ANY},
	{"param::func", IN_SPACE, SPACE_PARAM, ANY},
	{"popc", IN_MODS, MOD_POPC, BARRIERS},
	{"r", IN_MODS, MOD_RIGHT, SHIFTS},
	{"red", IN_MODS, MOD_RED, ANY},
	{"relaxed", IN_SEM, SEM_RELAXED, ANY},
	{"release", IN_SEM, SEM_RELEASE, ANY},
	{"relu", IN_MODS, MOD_RELU, ANY},
	{"rm", IN_ROUND, ROUND_RM, ANY},
	{"rmi", IN_ROUND, ROUND_RMI, ANY},
	{"rn", IN_ROUND, ROUND_RN, ANY},
	{"rna", IN_ROUND, ROUND_RNA, ANY},
	{"rni", IN_ROUND, ROUND_RNI, ANY},
	{"rp", IN_ROUND, ROUND_RP, ANY},
	{"rpi", IN_ROUND, ROUND_RPI, ANY},
	{"rz", IN_ROUND, ROUND_RZ, ANY},
	{"rzi", IN_ROUND, ROUND_RZI, ANY},
	{"sat", IN_MODS, MOD_SAT, ANY},
	{"sc", IN_SEM, SEM_SC, ANY},
	{"shared", IN_SPACE, SPACE_SHARED, ANY},
	{"shared::cluster", IN_SPACE, SPACE_SHARED,
	 ANY}, /* of any block of the cluster: PtxInstr.text distinguishes it from shared */
	{"shared::cta", IN_SPACE, SPACE_SHARED, ANY},
	{"shiftamt", IN_MODS, MOD_SHIFTAMT, ANY},
	{"sync", IN_MODS, MOD_SYNC, ANY},
	{"sys", IN_SCOPE, SCOPE_SYS, ANY},
	{"to", IN_MODS, MOD_TO, ANY},
	{"uni", IN_VOTE, VOTE_UNI, VOTES},
	{"uni", IN_MODS, MOD_UNI, ANY},
	{"up", IN_SHUFFLE, SHFL_UP, SHUFFLES},
	{"v2", IN_VECTOR, 2, ANY},
	{"v4", IN_VECTOR, 4, ANY},
	{"v8", IN_VECTOR, 8, ANY},
	{"volatile", IN_SEM, SEM_VOLATILE, ANY},
	{"warp", IN_MODS, MOD_WARP, BARRIERS},
	{"wb", IN_CACHE, CACHE_WB, ANY},
	{"weak", IN_SEM, SEM_WEAK, ANY},
	{"wide", IN_MODS, MOD_WIDE, ANY},
	{"wrap", IN_MODS, MOD_WRAP, ANY},
	{"wt", IN_CACHE, CACHE_WT, ANY},
	{"xor", IN_ATOMIC, ATOM_XOR, ATOMICS},
	{"xor", IN_COMBINE, BOOL_XOR, COMPARES | LOGIC},
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
		if (order(word, rows[mid].word) > 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < ROWS && order(word, rows[low].word) == 0; low++) {
		if (rows[low].families & family) return &rows[low];
	}
	return NULL;
}

/* A field that is taken keeps its first value; the second makes the instruction one that only its text describes. */
#define SET(field, type)                                                                                               \
	do {                                                                                                               \
		if (instr->field && instr->field != (type)row->value)                                                          \
			instr->mods |= MOD_OTHER;                                                                                  \
		else                                                                                                           \
			instr->field = (type)row->value;                                                                           \
	} while (0)

static void set_space(PtxInstr *instr, const Row *row) {
	bool source_of_copy = instr->op == OP_CP && instr->space == SPACE_SHARED && row->value == SPACE_GLOBAL;
	if (!source_of_copy) SET(space, PtxSpace); /* cp.async.shared.global: the destination's space is kept */
}

static void apply_row(PtxInstr *instr, const Row *row) {
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
	case IN_NOTHING: break;
	}
}

void apply_modifier(PtxInstr *instr, const Token *word) {
	const Row *row = find_row(word, family_of(instr->op));
	PtxType type;
	if (row) {
		apply_row(instr, row);
	} else if (ptx_type_named(word->text, word->len, &type)) {
		if (instr->ntypes < 4)
			instr->types[instr->ntypes++] = type;
		else
			instr->mods |= MOD_OTHER;
	} else {
		instr->mods |= MOD_OTHER;
	}
}
