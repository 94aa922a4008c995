#include "emu/count/nondeterminism.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "ptx/analysis/cfg.h"

/* --- causes ------------------------------------------------------------------------------------------------------- */

typedef struct {
	uint32_t reg;
	bool found;
} Wanted;

static void find(void *data, uint32_t reg) {
	Wanted *w = data;
	w->found |= reg == w->reg;
}

static bool is_read(const PtxFunction *f, uint32_t reg) {
	Wanted w = {.reg = reg};
	for (uint32_t i = 0; i < f->ninstrs && !w.found; i++) ptx_each_read(&f->instrs[i], find, &w);
	return w.found;
}

/* NVVM writes `atom` also where nothing reads the result; ptxas makes a reduction of it, which shows no order. */
static bool uses_result(const PtxFunction *f, const PtxInstr *in) {
	const PtxOperand *result = &in->operands[0];
	return in->op == OP_ATOM && in->noperands && result->kind == OPERAND_REG && is_read(f, result->reg);
}

/* In a function that is called, the caller may have the loop. */
static bool may_repeat(const PtxFunction *f, const PtxInstr *in) {
	const uint32_t at = (uint32_t)(in - f->instrs);
	for (uint32_t i = at; i < f->ninstrs && !f->caller; i++) {
		const PtxInstr *jump = &f->instrs[i];
		if (jump->op == OP_BRX || (jump->op == OP_BRA && jump->operands[0].target <= at)) return true;
	}
	return f->caller != NULL;
}

/* What is computed from a value. */
typedef struct {
	bool *from; /* [nregs] */
	bool reads, more;
} Derived;

static void look_at(void *data, uint32_t reg) {
	Derived *d = data;
	d->reads |= d->from[reg];
}

static void add_to(void *data, uint32_t reg) {
	Derived *d = data;
	d->more |= !d->from[reg];
	d->from[reg] = true;
}

static bool reads_derived(const PtxInstr *in, Derived *d) {
	d->reads = false;
	ptx_each_read(in, look_at, d);
	return d->reads;
}

/* It decides whether the instruction runs, what that accesses, or what is read elsewhere. */
static bool is_decided(const PtxInstr *in, Derived *d) {
	if (in->guarded && d->from[in->guard]) return true;
	for (uint32_t k = 0; k < in->noperands; k++) {
		const PtxOperand *o = &in->operands[k];
		if (o->kind == OPERAND_ADDRESS && o->has_base && d->from[o->reg]) return true;
	}
	const bool stores = in->op == OP_ST || in->op == OP_ATOM || in->op == OP_RED;
	return (in->op == OP_CALL || in->op == OP_BRX || (stores && in->space != SPACE_GLOBAL)) && reads_derived(in, d);
}

/* Does what it loads decide what a thread does? In a function that is called, the caller knows. */
static bool decides(const PtxFunction *f, const PtxInstr *load) {
	AUTO_FREE bool *from = xcalloc(f->nregs + 1, sizeof *from);
	Derived d = {.from = from};
	for (ptx_each_written(load, add_to, &d); d.more && !f->caller;) {
		d.more = false;
		for (const PtxInstr *in = f->instrs; in < f->instrs + f->ninstrs; in++) {
			if (is_decided(in, &d)) return true;
			if (reads_derived(in, &d)) ptx_each_written(in, add_to, &d);
		}
	}
	return f->caller != NULL;
}

/* The lanes of a warp exchange values in volatile shared memory without a loop, or a loop only computes with them:
 * there none waits. */
static bool waits(const PtxFunction *f, const PtxInstr *in) {
	if (in->op == OP_MBARRIER) return in->mods & MOD_WAIT;
	if (in->op == OP_LD && in->space == SPACE_SHARED && !(may_repeat(f, in) && decides(f, in))) return false;
	return in->op == OP_LD && (in->sem == SEM_VOLATILE || in->sem == SEM_RELAXED || in->sem == SEM_ACQUIRE);
}

static bool reads_clock(const PtxInstr *in) {
	for (uint32_t k = 0; k < in->noperands; k++) {
		const PtxOperand *o = &in->operands[k];
		if (o->kind != OPERAND_SPECIAL) continue;
		if (o->special >= SR_CLOCK && o->special <= SR_GLOBALTIMER_HI) return true;
		if (o->special == SR_SMID || o->special == SR_WARPID) return true;
	}
	return false;
}

static bool calls_heap(const PtxInstr *in) {
	for (uint32_t k = 0; in->op == OP_CALL && k < in->noperands; k++) {
		const PtxFunction *callee = in->operands[k].kind == OPERAND_FUNCTION ? in->operands[k].function : NULL;
		if (callee && callee->name && (!strcmp(callee->name, "malloc") || !strcmp(callee->name, "free"))) return true;
	}
	return false;
}

static bool has_cause(const PtxFunction *f, const PtxInstr *in, const Counts *counts, NondeterminismCause cause) {
	switch (cause) {
	case NONDETERMINISM_ATOMIC: return uses_result(f, in);
	case NONDETERMINISM_WAIT: return waits(f, in);
	case NONDETERMINISM_CLOCK: return reads_clock(in);
	case NONDETERMINISM_SHARED: return counts->shared_atomics && ptx_atomic_loops(in);
	default: return calls_heap(in);
	}
}

/* --- a launch ----------------------------------------------------------------------------------------------------- */

/* In the kernel's own text: where what was inlined was called. */
static Nondeterminism place_of_cause(const PtxModule *module, const PtxInstr *in, NondeterminismCause cause) {
	uint32_t file = in->file, line = in->line;
	for (uint32_t at = in->inlined_at; at; at = module->inlined[at - 1].inlined_at)
		file = module->inlined[at - 1].file, line = module->inlined[at - 1].line;
	return (Nondeterminism){cause, file ? module->files[file] : NULL, line};
}

static const PtxInstr *first_with(const Counters *c, uint32_t f, NondeterminismCause cause) {
	const PtxFunction *function = c->functions[f];
	for (uint32_t i = 0; i < function->ninstrs && c->first[f] + i < c->ninstrs; i++) {
		const Counts *counts = &c->by_instr[c->first[f] + i];
		if (counts->warp_instructions && has_cause(function, &function->instrs[i], counts, cause))
			return &function->instrs[i];
	}
	return NULL;
}

size_t counters_nondeterminism(const Counters *c, const PtxModule *module, Nondeterminism out[NONDETERMINISM_CAUSES]) {
	size_t n = 0;
	for (int cause = 0; cause < NONDETERMINISM_CAUSES; cause++) {
		const PtxInstr *in = NULL;
		for (uint32_t f = 0; f < c->nfunctions && !in; f++) in = first_with(c, f, (NondeterminismCause)cause);
		if (in) out[n++] = place_of_cause(module, in, (NondeterminismCause)cause);
	}
	return n;
}

size_t nondeterminism_merge(Nondeterminism out[NONDETERMINISM_CAUSES], size_t n, const Nondeterminism *more,
							size_t nmore) {
	for (size_t m = 0; m < nmore; m++) {
		size_t at = 0;
		while (at < n && out[at].cause < more[m].cause) at++;
		if (at < n && out[at].cause == more[m].cause) continue;
		memmove(&out[at + 1], &out[at], (n++ - at) * sizeof *out);
		out[at] = more[m];
	}
	return n;
}
