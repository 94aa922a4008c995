/* feature.h: by the table of features in the appendix on compute capabilities, CUDA C Programming Guide. */
#include "model/code/feature.h"

static Feature of_atomic(const PtxInstr *in) {
	const PtxType type = in->ntypes ? in->types[0] : T_NONE;
	const bool shared = in->space == SPACE_SHARED, wide = ptx_type_bytes(type) == 8;
	if (type == T_F64) return (Feature){60, "atomics on doubles"};
	if (type == T_F32 && in->atomic == ATOM_ADD) return (Feature){20, "atomic addition of floats"};
	if (shared)
		return wide ? (Feature){20, "64-bit atomics in shared memory"} : (Feature){12, "atomics in shared memory"};
	return wide ? (Feature){12, "64-bit atomics"} : (Feature){11, "atomics"};
}

/* sinf and cosf multiply large arguments in double precision, by pi/2 of 2^64 parts. Code compiled for GPUs without
 * double precision does not. */
static bool reduces_angle(const PtxInstr *in) {
	const uint64_t constant = UINT64_C(0x3BF921FB54442D19);
	for (uint32_t i = 0; i < in->noperands; i++)
		if (in->operands[i].kind == OPERAND_FLOAT && in->operands[i].bits == constant) return true;
	return false;
}

/* Conversions, loads and comparisons of these types do not count: older GPUs have them, or compilers avoid them. */
static Feature of_arithmetic(const PtxInstr *in) {
	const PtxType type = in->ntypes ? in->types[0] : T_NONE;
	if (type == T_F64 && !reduces_angle(in)) return (Feature){13, "double-precision operations"};
	if (type == T_F16 || type == T_F16X2) return (Feature){53, "half-precision operations"};
	return (Feature){0};
}

static Feature of(const PtxInstr *in) {
	switch (in->op) {
	case OP_ADD:
	case OP_SUB:
	case OP_MUL:
	case OP_MAD:
	case OP_FMA:
	case OP_DIV:
	case OP_RCP:
	case OP_SQRT:
	case OP_RSQRT:
	case OP_EX2:
	case OP_TANH: return of_arithmetic(in);
	case OP_ATOM:
	case OP_RED: return of_atomic(in);
	case OP_VOTE: return in->vote == VOTE_BALLOT ? (Feature){20, "ballots"} : (Feature){12, "warp votes"};
	case OP_SHFL: return (Feature){30, "shuffles"};
	case OP_MATCH: return (Feature){70, "match instructions"};
	case OP_REDUX: return (Feature){80, "warp reduction instructions"};
	case OP_MMA:
	case OP_WMMA: return (Feature){70, "tensor cores"};
	case OP_LDMATRIX: return (Feature){75, "loads of matrices"};
	case OP_STMATRIX: return (Feature){90, "stores of matrices"};
	case OP_CP:
		return in->mods & MOD_BULK ? (Feature){90, "bulk and tensor copies"} : (Feature){80, "asynchronous copies"};
	case OP_MBARRIER: return (Feature){80, "barriers in memory"};
	case OP_WGMMA: return (Feature){90, "products of a warpgroup"};
	case OP_SETMAXNREG: return (Feature){90, "register limits of a warp"};
	default: return (Feature){0};
	}
}

Feature feature_missing(const LaunchInfo *info, const Gpu *gpu) {
	if (info->config.cooperative && !gpu->generation->cooperative) return (Feature){60, "cooperative launches"};
	for (uint32_t f = 0; f < info->nfunctions; f++)
		for (uint32_t i = 0; i < info->functions[f]->ninstrs; i++) {
			const Feature needed = of(&info->functions[f]->instrs[i]);
			if (needed.cc > gpu->cc) return needed;
		}
	return (Feature){0};
}
