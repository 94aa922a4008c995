/* cc 1.x: where an access to shared memory needs an addition to reach its word.
 *
 * An instruction names a word of shared memory by an address register and a constant of five bits, in words: 128
 * bytes from the register on. The lecture's disassembly shows it: mov s[$ofs4+0x0000] with an add of 0x180 to $ofs4
 * before it, where constants up to 0x7c go into the instruction. There are seven address registers. Six keep what a
 * loop needs most often, the last is for everything else; an access whose address is in neither needs an addition. A
 * base that changes in the loop cannot be kept. */
#include <stdlib.h>

#include "model/code/code.h"

enum { RANGE_BYTES = 128, KEPT = 6, NO_REGISTER = UINT32_MAX };

typedef struct {
	uint32_t reg; /* of the base; NO_REGISTER: the variable's own address */
	const PtxVar *symbol;
	int64_t start;
	uint32_t uses;
	bool fixed; /* the base does not change in the loop */
	bool kept;
} Range;

typedef struct {
	const PtxFunction *function;
	Range *ranges;
	uint32_t n;
} Ranges;

/* The innermost loop around instruction i: from the target of a backward branch to the branch; else i's own basic
 * block. */
static void loop_around(const PtxFunction *f, uint32_t first, uint32_t *from, uint32_t *to) {
	*from = 0;
	*to = 0;
	for (uint32_t j = first; j < f->ninstrs; j++) {
		const PtxInstr *in = &f->instrs[j];
		for (uint32_t k = 0; k < in->noperands; k++) {
			const PtxOperand *o = &in->operands[k];
			if (in->op != OP_BRA || o->kind != OPERAND_LABEL || o->target > first) continue;
			if (*to && o->target <= *from) continue;
			*from = o->target;
			*to = j + 1;
		}
	}
}

static bool written_between(const PtxFunction *f, uint32_t reg, uint32_t from, uint32_t to) {
	while (from < to && !ptx_writes(&f->instrs[from], reg)) from++;
	return from < to;
}

static const PtxOperand *shared_address(const PtxInstr *in) {
	if ((in->op != OP_LD && in->op != OP_ST) || in->space != SPACE_SHARED) return NULL;
	uint32_t k = in->op == OP_LD ? in->noperands - 1 : 0;
	return in->noperands >= 2 && in->operands[k].kind == OPERAND_ADDRESS ? &in->operands[k] : NULL;
}

static Range *find_range(Ranges *all, const PtxOperand *a, bool fixed) {
	uint32_t reg = a->has_base ? a->reg : NO_REGISTER;
	const PtxVar *symbol = a->has_base ? NULL : a->symbol;
	int64_t start = a->offset;
	if (start >= 0 && start < RANGE_BYTES) start = 0; /* the base itself */
	for (uint32_t i = 0; i < all->n; i++) {
		Range *r = &all->ranges[i];
		if (r->reg == reg && r->symbol == symbol && a->offset >= r->start && a->offset < r->start + RANGE_BYTES)
			return r;
	}
	Range *r = &all->ranges[all->n++];
	*r = (Range){.reg = reg, .symbol = symbol, .start = start, .fixed = fixed};
	return r;
}

/* The base itself is there already: instructions that are counted computed it, or it is a constant. */
static bool is_base(const Range *r) {
	return r->start == 0;
}

static void keep_most_used(Ranges *all, bool in_loop) {
	for (uint32_t kept = 0; kept < KEPT && in_loop; kept++) {
		Range *best = NULL;
		for (uint32_t i = 0; i < all->n; i++) {
			Range *r = &all->ranges[i];
			if (r->fixed && !r->kept && (!is_base(r) || r->reg != NO_REGISTER) && (!best || r->uses > best->uses))
				best = r;
		}
		if (!best) return;
		best->kept = true;
	}
}

static void count_block(const PtxFunction *f, uint32_t first, uint32_t end, InstrCost *costs) {
	Ranges all = {.ranges = xcalloc(end - first + 1, sizeof(Range))};
	Range **met = xcalloc(end - first + 1, sizeof *met); /* by instruction; NULL: none. Ranges do not move */
	uint32_t from, to;
	loop_around(f, first, &from, &to);
	for (uint32_t i = first; i < end; i++) {
		const PtxOperand *a = shared_address(&f->instrs[i]);
		if (!a) continue;
		bool fixed = !a->has_base || !written_between(f, a->reg, to ? from : first, to ? to : end);
		met[i - first] = find_range(&all, a, fixed);
		met[i - first]->uses++;
	}
	keep_most_used(&all, to > 0);
	const Range *last = NULL;
	for (uint32_t i = first; i < end; i++) {
		const Range *r = met[i - first];
		if (!r || r->kept || is_base(r) || r == last) continue;
		costs[i].issue += 4;
		last = r;
	}
	free(met);
	free(all.ranges);
}

void code_address_costs(const PtxFunction *f, const bool *leader, InstrCost *costs) {
	for (uint32_t first = 0, end; first < f->ninstrs; first = end) {
		bool any = false;
		for (end = first; end < f->ninstrs && (end == first || !leader[end]); end++)
			any |= shared_address(&f->instrs[end]) != NULL;
		if (any) count_block(f, first, end, costs);
	}
}
