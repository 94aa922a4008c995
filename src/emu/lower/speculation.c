/* Values that the compiler loads ahead of a condition: before each instruction that may see one comes an Op which lets
 * observers follow it (observer.h). Functions without such loads have none. */
#include "emu/lower/lower.h"
#include "emu/observer.h"
#include "ptx/analysis/value_uses.h"

void find_speculation(Lower *L) {
	uint32_t n;
	L->speculative = ptx_speculative(L->ptx, &n);
	if (!L->speculative) return;
	for (uint32_t r = 0; r < L->ptx->nregs; r++)
		if (L->speculative[r]) L->speculative[r] += L->module->nspeculative;
	L->module->nspeculative += n;
}

typedef struct {
	const Lower *lower;
	VEC(uint32_t) numbers;
	bool any;
} Gathered;

static void gather(void *data, uint32_t reg) {
	Gathered *g = data;
	const uint32_t number = g->lower->speculative[reg];
	g->any |= number != 0;
	vec_push(&g->numbers, number ? number - 1 : NOT_SPECULATIVE);
}

static void gather_operand(Gathered *g, const PtxOperand *o) {
	if (o->kind == OPERAND_REG)
		gather(g, o->reg);
	else
		vec_push(&g->numbers, (uint32_t)NOT_SPECULATIVE);
}

/* In the order of a vector's elements, which are those of a load. */
static void gather_results(Gathered *g, const PtxInstr *in) {
	const PtxOperand *to = &in->operands[0];
	if (in->op != OP_LD || to->kind != OPERAND_VECTOR)
		ptx_each_written(in, gather, g);
	else
		for (uint32_t i = 0; i < to->nitems; i++) gather_operand(g, &to->items[i]);
}

static SpeculationKind kind_of(const PtxInstr *in, bool reads, bool writes) {
	if (in->op == OP_LD && writes) return SPECULATION_LOAD;
	if (in->op == OP_SELP && in->noperands == 4) return SPECULATION_SELECT;
	return in->op == OP_MOV && reads ? SPECULATION_MOVE : SPECULATION_USE;
}

static uint32_t *keep(Lower *L, const Gathered *g) {
	uint32_t *numbers = arena_array(L->arena, g->numbers.len + 1, sizeof *numbers);
	for (size_t i = 0; i < g->numbers.len; i++) numbers[i] = g->numbers.data[i];
	return numbers;
}

static void emit_step(Lower *L, const PtxInstr *in, const Gathered *reads, const Gathered *writes) {
	SpeculationStep *step = arena_alloc(L->arena, sizeof *step);
	*step = (SpeculationStep){.kind = kind_of(in, reads->any, writes->any),
							  .reads = keep(L, reads),
							  .writes = keep(L, writes),
							  .nreads = (uint32_t)reads->numbers.len,
							  .nwrites = (uint32_t)writes->numbers.len};
	const bool selects = step->kind == SPECULATION_SELECT;
	const uint32_t picked = selects ? predicate(L, &in->operands[3]) : NO_SLOT;
	Op *op = emit_on(L, H_speculation, NO_SLOT, picked, NO_SLOT, NO_SLOT);
	op->aux = step;
	op->flags = selects && in->operands[3].negated ? OPF_NEGATED : 0;
}

void lower_speculation(Lower *L, const PtxInstr *in) {
	Gathered reads = {.lower = L}, writes = {.lower = L};
	if (in->op == OP_SELP && in->noperands == 4)
		for (uint32_t i = 1; i <= 2; i++) gather_operand(&reads, &in->operands[i]);
	else
		ptx_each_read(in, gather, &reads);
	if (in->noperands) gather_results(&writes, in);
	if (reads.any || writes.any) emit_step(L, in, &reads, &writes);
	vec_free(&reads.numbers);
	vec_free(&writes.numbers);
}
