/* What atomics become in SASS.
 *
 * Where the assembler can prove that the lanes of a warp use one address, it combines their values first, and one lane
 * goes on. Disassembly (ptxas 13.0, cc 7.5, 8.6, and 9.0) shows when:
 *
 *   - 32-bit integers, result unused: an addition of one value for all lanes, which is multiplied by their number; from
 *     cc 8.0, which has REDUX, also other additions, minimum, maximum, and, or, xor
 *   - 64-bit integers, result unused: an addition of one value
 *   - result used: an addition of one value. Each lane adds its rank to what the first one gets. */
#include <stdlib.h>

#include "base/arena.h"
#include "model/code/code.h"
#include "ptx/analysis/varying.h"

enum { CC_AGGREGATES = 70 /* and later: GPUs that this was looked at for, and their like */, CC_REDUX = 80 };
/* Votes, the number of lanes or REDUX, and who is first. */
#define COMBINING 4.0f

static void count_read(void *data, uint32_t reg) {
	((uint32_t *)data)[reg]++;
}

static const PtxOperand *operand(const PtxInstr *in, uint32_t k) {
	return k < in->noperands ? &in->operands[k] : NULL;
}

static bool is_atomic(const PtxInstr *in) {
	return (in->op == OP_ATOM || in->op == OP_RED) && in->vector <= 1 && in->ntypes;
}

static bool is_integer(PtxType type) {
	return type == T_B32 || type == T_U32 || type == T_S32 || type == T_B64 || type == T_U64 || type == T_S64;
}

static bool is_redux(PtxAtomic op) {
	return op == ATOM_ADD || op == ATOM_MIN || op == ATOM_MAX || op == ATOM_AND || op == ATOM_OR || op == ATOM_XOR;
}

static bool varies(const PtxOperand *o, const bool *varying) {
	return !o || (o->kind == OPERAND_REG && varying[o->reg]);
}

static const PtxOperand *value_of(const PtxInstr *in) {
	return operand(in, in->op == OP_ATOM ? 2 : 1);
}

static bool is_used(const PtxInstr *in, const uint32_t *reads) {
	const PtxOperand *result = in->op == OP_ATOM ? operand(in, 0) : NULL;
	return result && result->kind == OPERAND_REG && reads[result->reg];
}

static bool combines(const PtxInstr *in, uint32_t cc, const bool *varying, const uint32_t *reads) {
	const PtxOperand *at = operand(in, in->op == OP_ATOM);
	if (cc < CC_AGGREGATES || !is_integer(in->types[0])) return false;
	if (!at || at->kind != OPERAND_ADDRESS || (at->has_base && varying[at->reg])) return false;
	if (in->atomic == ATOM_ADD && !varies(value_of(in), varying)) return true;
	return !is_used(in, reads) && cc >= CC_REDUX && is_redux(in->atomic) &&
		   ptx_type_bytes(in->types[0]) == sizeof(uint32_t);
}

static SharedUse use_of(const PtxInstr *in, const uint32_t *reads) {
	const PtxOperand *value = value_of(in);
	if (ptx_atomic_loops(in)) return SHARED_LOOP;
	if (in->atomic == ATOM_CAS) return SHARED_SWAP;
	const bool one = in->atomic == ATOM_ADD && value && value->kind == OPERAND_INT && value->bits == 1;
	return one && !is_used(in, reads) ? SHARED_COUNT : SHARED_ATOMIC;
}

static bool has_atomics(const PtxFunction *f) {
	for (uint32_t i = 0; i < f->ninstrs; i++)
		if (is_atomic(&f->instrs[i])) return true;
	return false;
}

void code_atomics(const PtxCfg *cfg, uint32_t cc, InstrCost *costs) {
	const PtxFunction *f = cfg->function;
	if (!has_atomics(f)) return;
	AUTO_FREE bool *varying = ptx_varying(cfg);
	AUTO_FREE uint32_t *reads = xcalloc(f->nregs + 1, sizeof *reads);
	for (uint32_t i = 0; i < f->ninstrs; i++) ptx_each_read(&f->instrs[i], count_read, reads);
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		if (!is_atomic(in)) continue;
		costs[i].shared_use = (uint8_t)use_of(in, reads);
		costs[i].others = in->space != SPACE_SHARED && is_used(in, reads);
		if (!combines(in, cc, varying, reads)) continue;
		costs[i].aggregated = true;
		costs[i].issue += COMBINING;
	}
}
