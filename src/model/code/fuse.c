/* Products that are part of additions in SASS, from cc 7.0 on (disassembly, cc 7.5, 8.6, and 9.0):
 *
 *     mul.wide.s32 %rd2, %r1, 4;  add.s64 %rd3, %rd1, %rd2;          IMAD.WIDE R4, R1, 0x4, R2 */
#include <stdlib.h>

#include "base/arena.h"
#include "model/code/code.h"

typedef struct {
	const PtxInstr *by;                   /* what writes it, if one instruction does */
	uint32_t index, writes, reads, added; /* added: reads by 64-bit additions */
} Value;

static void count_write(void *data, uint32_t reg) {
	((Value *)data)[reg].writes++;
}

static void count_read(void *data, uint32_t reg) {
	((Value *)data)[reg].reads++;
}

static Value *value_of(Value *values, const PtxOperand *o) {
	return o->kind == OPERAND_REG && values[o->reg].writes == 1 && values[o->reg].by ? &values[o->reg] : NULL;
}

static bool is_wide_product(const Value *v) {
	return v && v->by->op == OP_MUL && v->by->mods & MOD_WIDE && ptx_type_bytes(v->by->types[0]) == 4;
}

/* The product that a 64-bit addition of this function takes; NULL: none. */
static Value *product_of(Value *values, const PtxInstr *in) {
	if (in->op != OP_ADD || !in->ntypes || ptx_type_bytes(in->types[0]) != 8 || in->types[0] == T_F64) return NULL;
	for (uint32_t k = 1; k < in->noperands; k++)
		if (is_wide_product(value_of(values, &in->operands[k]))) return value_of(values, &in->operands[k]);
	return NULL;
}

void code_fuse(const PtxFunction *f, InstrCost *costs) {
	Value *values = xcalloc(f->nregs + 1, sizeof *values);
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		ptx_each_written(in, count_write, values);
		ptx_each_read(in, count_read, values);
		if (in->noperands && in->operands[0].kind == OPERAND_REG)
			values[in->operands[0].reg].by = in, values[in->operands[0].reg].index = i;
	}
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		Value *product = product_of(values, &f->instrs[i]);
		if (product && ++product->added == product->reads)
			costs[product->index].issue = costs[product->index].pipe_use = 0;
		if (product) costs[i].issue = costs[i].pipe_use = 1, costs[i].pipe = PIPE_MULTIPLY;
	}
	free(values);
}
