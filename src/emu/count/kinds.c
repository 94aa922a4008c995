#include "emu/count/kinds.h"

#include "base/arena.h"

static bool is_float(PtxType t) {
	return t >= T_F16 && t <= T_F64;
}

static bool is_integer(PtxType t) {
	return t >= T_U8 && t <= T_S64;
}

static uint8_t kinds(const PtxInstr *in) {
	if (in->op == OP_TLD4) return KIND_GATHER;
	if (in->op != OP_CVT || in->ntypes < 2) return 0;
	const PtxType to = in->types[0], from = in->types[1];
	return (is_float(to) && is_integer(from)) || (is_integer(to) && is_float(from)) ? KIND_CONVERSION : 0;
}

uint8_t *kinds_of(const LaunchInfo *info) {
	uint8_t *of = xcalloc(info->ninstrs + 1, sizeof *of);
	for (uint32_t f = 0; f < info->nfunctions; f++)
		for (uint32_t i = 0; info->functions[f]->instrs && i < info->functions[f]->ninstrs; i++)
			of[info->first[f] + i] = kinds(&info->functions[f]->instrs[i]);
	return of;
}
