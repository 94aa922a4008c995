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

static bool says(const PtxInstr *in, const char *modifier) {
	return has_modifier(in, modifier);
}

static Count of_barrier(const PtxInstr *in) {
	if (in->scope == SCOPE_CLUSTER) return exactly(0);
	if (in->mods & MOD_WARP) return exactly(1);
	if (in->mods & MOD_RED) return (Count){3, 4};
	return in->mods & MOD_ARRIVE ? exactly(2) : (Count){1, 2};
}

static Count of_mbarrier(const PtxInstr *in) {
	if (says(in, ".inval")) return exactly(1);
	if (says(in, ".test_wait")) return exactly(3);
	if (says(in, ".try_wait")) return (Count){3, 4}; /* a time limit */
	if (!says(in, ".arrive") && !says(in, ".arrive_drop")) return exactly(2);
	return says(in, ".noComplete") || says(in, ".expect_tx") ? exactly(3) : (Count){2, 3};
}

static Count of_copy(const PtxInstr *in) {
	const uint32_t hint = says(in, ".L2::cache_hint");
	if (says(in, ".commit_group") || says(in, ".wait_all")) return exactly(0);
	if (says(in, ".wait_group") || says(in, ".arrive")) return exactly(1);
	if (!says(in, ".bulk")) return (Count){3 + hint, 4 + hint};
	return exactly((says(in, ".mbarrier::complete_tx::bytes") ? 4 : 3) + hint);
}

static Count of_conversion(const PtxInstr *in) {
	if (says(in, ".pack")) return exactly(in->ntypes == 3 ? 4 : 3);
	const bool pairs = in->types[0] == T_F16X2 || in->types[0] == T_BF16X2 || in->types[0] == T_OTHER;
	return exactly(pairs && in->types[1] == T_F32 ? 3 : 2);
}

/* Those not named here have no optional operands, or are counted where they are translated. */
static Count of_form(const PtxInstr *in) {
	const uint32_t hint = says(in, ".L2::cache_hint"), combined = in->combine != BOOL_NONE;
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
	case OP_FENCE: return exactly(says(in, ".tensormap::generic") && says(in, ".acquire") ? 2 : 0);
	case OP_CREATEPOLICY: return says(in, ".range") ? exactly(4) : (Count){says(in, ".fractional") ? 1 : 2, 2};
	case OP_MMA: return exactly(4);
	case OP_WMMA: return says(in, ".mma") ? exactly(4) : (Count){2, 3};
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
	if (in->op == OP_MBARRIER && (says(in, ".arrive") || says(in, ".arrive_drop")))
		return in->operands[0].kind != OPERAND_ADDRESS; /* the state, or _ */
	return true;
}
