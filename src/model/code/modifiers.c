/* The sign of a float operand, or its being dropped, and .sat of what was just computed: PTX has instructions for them,
 * SASS has bits of others. Where the result goes elsewhere, to a store or a shuffle, they are instructions there. */
#include "base/arena.h"
#include "model/code/code.h"

static bool is_float(const PtxInstr *in) {
	return in->ntypes && (in->types[0] == T_F32 || in->types[0] == T_F64);
}

static bool computes(const PtxInstr *in) {
	return is_float(in) &&
		   (in->op == OP_ADD || in->op == OP_SUB || in->op == OP_MUL || in->op == OP_MAD || in->op == OP_FMA);
}

/* Its operands may have signs. */
static bool takes_signs(const PtxInstr *in) {
	switch (in->op) {
	case OP_MIN:
	case OP_MAX:
	case OP_SETP:
	case OP_DIV:
	case OP_RCP:
	case OP_SQRT:
	case OP_RSQRT:
	case OP_EX2:
	case OP_LG2:
	case OP_SIN:
	case OP_COS:
	case OP_NEG:
	case OP_ABS: return is_float(in);
	default: return computes(in);
	}
}

static void mark(void *data, uint32_t reg) {
	((bool *)data)[reg] = true;
}

typedef struct {
	uint32_t *writer, instr; /* [nregs] the last instruction that wrote it, + 1 */
} Writers;

static void note_writer(void *data, uint32_t reg) {
	Writers *w = data;
	w->writer[reg] = w->instr + 1;
}

/* from: the first instruction of the block. */
static bool saturates(const PtxFunction *f, uint32_t i, const uint32_t *writer, uint32_t from, const uint32_t *reads) {
	const PtxInstr *in = &f->instrs[i];
	if (in->op != OP_CVT || !(in->mods & MOD_SAT) || in->ntypes != 2) return false;
	if (in->types[0] != T_F32 || in->types[1] != T_F32 || in->operands[1].kind != OPERAND_REG) return false;
	const uint32_t reg = in->operands[1].reg;
	return writer[reg] > from && reads[reg] == 1 && computes(&f->instrs[writer[reg] - 1]);
}

bool *code_modifiers(const PtxFunction *f, const bool *leader, const uint32_t *reads) {
	bool *modifier = xcalloc(f->ninstrs + 1, sizeof *modifier);
	AUTO_FREE bool *elsewhere = xcalloc(f->nregs + 1, sizeof *elsewhere);
	AUTO_FREE uint32_t *writer = xcalloc(f->nregs + 1, sizeof *writer);
	for (uint32_t i = 0; i < f->ninstrs; i++)
		if (!takes_signs(&f->instrs[i])) ptx_each_read(&f->instrs[i], mark, elsewhere);
	Writers writers = {writer, 0};
	for (uint32_t i = 0, from = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		if (leader[i]) from = i;
		const bool sign = (in->op == OP_NEG || in->op == OP_ABS) && is_float(in) && in->noperands &&
						  in->operands[0].kind == OPERAND_REG && !elsewhere[in->operands[0].reg];
		modifier[i] = sign || saturates(f, i, writer, from, reads);
		writers.instr = i;
		ptx_each_written(in, note_writer, &writers);
	}
	return modifier;
}
