/* variables.h */
#include "emu/code/variables.h"

/* Extern arrays of all kernels begin at the same place. */
static bool is_used(const LaunchInfo *info, const PtxVar *v) {
	for (uint32_t k = 0; k < info->nfunctions; k++)
		for (uint32_t i = 0; i < info->functions[k]->ninstrs; i++) {
			const PtxInstr *in = &info->functions[k]->instrs[i];
			for (uint32_t o = 0; o < in->noperands; o++)
				if (in->operands[o].symbol == v) return true;
		}
	return false;
}

static void consider(const PtxVar *v, uint64_t at, uint64_t addr, const PtxVar **best, uint64_t *begin) {
	if (v->space != SPACE_SHARED || at > addr || (*best && at < *begin)) return;
	*best = v;
	*begin = at;
}

const PtxVar *shared_variable(const LaunchInfo *info, uint64_t addr, uint64_t *begin, size_t *bytes) {
	const PtxVar *best = NULL;
	for (uint32_t k = 0; k < info->nfunctions; k++) {
		const PtxFunction *f = info->functions[k];
		for (uint32_t i = 0; i < f->nlocals; i++)
			consider(f->locals[i], info->function_shared[f->index] + f->locals[i]->offset, addr, &best, begin);
	}
	for (uint32_t i = 0; i < info->module->nglobals; i++)
		if (info->global_shared[i] != UINT64_MAX &&
			(info->module->globals[i]->bytes || is_used(info, info->module->globals[i])))
			consider(info->module->globals[i], info->global_shared[i], addr, &best, begin);
	if (best) *bytes = best->bytes ? best->bytes : info->shared_bytes - *begin;
	return best;
}
