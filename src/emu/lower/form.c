/* How many operands a form has. ops.def gives it for the mnemonic, and the parser checks that; where a mnemonic has
 * optional operands ("b?"), the modifiers decide. An instruction with another number than its form is not translated.
 * Source: PTX ISA 9.0. */
#include "emu/lower/lower.h"

typedef struct {
	uint32_t least, most;
} Count;

static Count exactly(uint32_t n) {
	return (Count){n, n};
}

static Count of_barrier(const PtxInstr *in) {
	if (in->scope == SCOPE_CLUSTER) return exactly(0);
	if (in->mods & MOD_WARP) return exactly(1);
	if (in->mods & MOD_RED) return (Count){3, 4};
	return in->mods & MOD_ARRIVE ? exactly(2) : (Count){1, 2};
}

static Count of_mbarrier(const PtxInstr *in) {
	if (ptx_has(in, WORD_INVAL)) return exactly(1);
	if (ptx_has(in, WORD_TEST_WAIT)) return exactly(3);
	if (ptx_has(in, WORD_TRY_WAIT)) return (Count){3, 4}; /* a time limit */
	if (!ptx_has(in, WORD_ARRIVE) && !ptx_has(in, WORD_ARRIVE_DROP)) return exactly(2);
	return ptx_has(in, WORD_NOCOMPLETE) || ptx_has(in, WORD_EXPECT_TX) ? exactly(3) : (Count){2, 3};
}

static Count of_copy(const PtxInstr *in) {
	const uint32_t hint = ptx_has(in, WORD_L2_CACHE_HINT);
	if (ptx_has(in, WORD_COMMIT_GROUP) || ptx_has(in, WORD_WAIT_ALL)) return exactly(0);
	if (ptx_has(in, WORD_WAIT_GROUP) || ptx_has(in, WORD_ARRIVE)) return exactly(1);
	if (!ptx_has(in, WORD_BULK)) return (Count){3 + hint, 4 + hint};
	return exactly((ptx_has(in, WORD_MBARRIER_COMPLETE_TX_BYTES) ? 4 : 3) + hint);
}

static Count of_conversion(const PtxInstr *in) {
	if (ptx_has(in, WORD_PACK)) return exactly(in->ntypes == 3 ? 4 : 3);
	const bool pairs =
		in->types[0] == T_F16X2 || in->types[0] == T_BF16X2 || in->types[0] == T_E4M3X2 || in->types[0] == T_E5M2X2;
	return exactly(pairs && in->types[1] == T_F32 ? 3 : 2);
}

/* Those not named here have no optional operands, or are counted where they are translated. */
static Count of_form(const PtxInstr *in) {
	const uint32_t hint = ptx_has(in, WORD_L2_CACHE_HINT), combined = in->combine != BOOL_NONE;
	switch (in->op) {
	case OP_LD:
	case OP_ST:
	case OP_RED: return exactly(2 + hint);
	case OP_ATOM: return exactly((in->atomic == ATOM_CAS ? 4 : 3) + hint);
	case OP_MIN:
	case OP_MAX: return exactly(3);
	case OP_LOP3: return exactly(5 + combined);
	case OP_SET:
	case OP_SETP: return exactly(3 + combined);
	case OP_CVT: return of_conversion(in);
	case OP_FENCE: return exactly(ptx_has(in, WORD_TENSORMAP_GENERIC) && ptx_has(in, WORD_ACQUIRE) ? 2 : 0);
	case OP_CREATEPOLICY:
		return ptx_has(in, WORD_RANGE) ? exactly(4) : (Count){ptx_has(in, WORD_FRACTIONAL) ? 1 : 2, 2};
	case OP_MMA: return exactly(4);
	case OP_WMMA: return ptx_has(in, WORD_MMA) ? exactly(4) : (Count){2, 3};
	case OP_BAR:
	case OP_BARRIER: return of_barrier(in);
	case OP_MBARRIER: return of_mbarrier(in);
	case OP_CP: return of_copy(in);
	default: return (Count){0, UINT32_MAX};
	}
}

bool operands_fit(const PtxInstr *in) {
	const Count n = of_form(in);
	if (in->noperands < n.least || in->noperands > n.most) return false;
	if (in->op == OP_CALL && in->noperands == 4) return in->operands[3].kind == OPERAND_FUNCTION;
	if (in->op == OP_MBARRIER && (ptx_has(in, WORD_ARRIVE) || ptx_has(in, WORD_ARRIVE_DROP)))
		return in->operands[0].kind != OPERAND_ADDRESS; /* the state, or _ */
	return true;
}
