#include "model/code/sequence.h"

enum { FP32_GAP = 4, FP64_GAP = 8, FP64_SOME = 6 /* where some do not need the one before; chosen, too */ };

/* The branch comes to the meeting place, or to the usual operands' part, at whose end the lanes meet: a second jump in
 * what it takes. A branch that is taken leaves the slot behind it empty. Both as times on an H200 show
 * (docs/reference/models.md). */
#define BRANCH(after_)                                                                                                 \
	{ .unit = UNIT_BRANCH, .slots = 2, .gap = 1, .after = after_ }
#define MEETS_LATER                                                                                                    \
	{ .unit = UNIT_BRANCH, .slots = 1, .gap = 1 }
#define PIECE(unit_, slots_, gap_, after_)                                                                             \
	{ .unit = unit_, .slots = slots_, .gap = gap_, .after = after_ }
#define LAST(unit_, slots_, gap_, after_)                                                                              \
	{ .unit = unit_, .slots = slots_, .gap = gap_, .after = after_, .last = true }
#define MEETS PIECE(UNIT_INT, 1, 1, 0)

static const SequencePiece root[] = {PIECE(UNIT_INT, 2, 1, 0),        PIECE(UNIT_SPECIAL, 1, 1, 0),
									 PIECE(UNIT_INT, 1, 1, 1),        BRANCH(3),
									 LAST(UNIT_FP32, 4, FP32_GAP, 2), MEETS_LATER};
static const SequencePiece reciprocal[] = {PIECE(UNIT_INT, 4, FP32_GAP, 0), BRANCH(1), PIECE(UNIT_SPECIAL, 1, 1, 0),
										   LAST(UNIT_FP32, 3, FP32_GAP, 3), MEETS_LATER};
static const SequencePiece quotient[] = {PIECE(UNIT_INT, 1, 1, 0),
										 PIECE(UNIT_SPECIAL, 1, 1, 0),
										 PIECE(UNIT_SPECIAL, 1, 1, 0),
										 LAST(UNIT_FP32, 5, FP32_GAP, 2),
										 BRANCH(3),
										 MEETS};
/* before, beside: integer instructions; the latter, which find the operands to be usual, do not wait for the
 * approximation. chain: what refines it. */
#define DOUBLE(before, beside, chain, gap_)                                                                            \
	{                                                                                                                  \
		PIECE(UNIT_INT, before, 1, 0), PIECE(UNIT_SPECIAL, 1, 1, 0), PIECE(UNIT_INT, beside, FP32_GAP, 0),             \
			LAST(UNIT_FP64, chain, gap_, 2), BRANCH(3), MEETS                                                          \
	}
static const SequencePiece root_64[] = DOUBLE(3, 4, 8, FP64_SOME);
static const SequencePiece reciprocal_64[] = DOUBLE(1, 2, 5, FP64_GAP);
static const SequencePiece reciprocal_root_64[] = DOUBLE(4, 2, 5, FP64_SOME);
static const SequencePiece quotient_64[] = {PIECE(UNIT_INT, 3, 1, 0),
											PIECE(UNIT_SPECIAL, 1, 1, 0),
											LAST(UNIT_FP64, 8, FP64_GAP, 2),
											PIECE(UNIT_FP32, 2, FP32_GAP, 3),
											BRANCH(4),
											MEETS};
/* The call: its 70 instructions, three cycles apart, are chosen so that it takes what it took on an H200, alone and
 * with 32 warps. NVVM divides numbers below 2^32 by an instruction of 32 bits before. */
static const SequencePiece wide_quotient[] = {PIECE(UNIT_INT, 3, FP32_GAP, 0), BRANCH(1),
											  PIECE(UNIT_CONVERT, 1, 1, 0),    PIECE(UNIT_SPECIAL, 1, 1, 3),
											  PIECE(UNIT_INT, 3, 1, 4),        PIECE(UNIT_CONVERT, 1, 1, 5),
											  LAST(UNIT_INT, 70, 3, 6),        MEETS_LATER};

#define RETURN_SEQUENCE(s) return *n = sizeof s / sizeof *s, s

static const SequencePiece *of_floats(const PtxInstr *in, uint32_t *n) {
	switch (in->op) {
	case OP_SQRT: RETURN_SEQUENCE(root);
	case OP_RCP: RETURN_SEQUENCE(reciprocal);
	case OP_DIV: RETURN_SEQUENCE(quotient);
	default: return NULL;
	}
}

static const SequencePiece *of_doubles(const PtxInstr *in, uint32_t *n) {
	switch (in->op) {
	case OP_SQRT: RETURN_SEQUENCE(root_64);
	case OP_RCP: RETURN_SEQUENCE(reciprocal_64);
	case OP_DIV: RETURN_SEQUENCE(quotient_64);
	default: return NULL;
	}
}

const SequencePiece *code_sequence(const PtxInstr *in, uint32_t *n) {
	const PtxType type = in->ntypes ? in->types[in->ntypes - 1] : T_NONE;
	const bool approximate = in->mods & (MOD_APPROX | MOD_FULL);
	*n = 0;
	if (type == T_F32) return approximate ? NULL : of_floats(in, n);
	if (type == T_F64 && in->op == OP_RSQRT && !(in->mods & MOD_FTZ)) RETURN_SEQUENCE(reciprocal_root_64);
	if (type == T_F64) return approximate ? NULL : of_doubles(in, n);
	if ((type == T_S64 || type == T_U64) && (in->op == OP_DIV || in->op == OP_REM)) RETURN_SEQUENCE(wide_quotient);
	return NULL;
}
