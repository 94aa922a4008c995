/* Control flow and predicates that exec.c does not handle. */
#include "emu/exec/out_of_line.h"

const Op *run_nop(Warp *w, const Op *op) {
	return op + 1;
}

/* Ahead of an instruction that may see a speculative value; nothing without an observer of them. */
const Op *run_speculation(Warp *w, const Op *op) {
	if (w->reports.speculation) report_speculation(w, op);
	return op + 1;
}

const Op *run_join(Warp *w, const Op *op) {
	return op == w->rejoin ? warp_pop(w) : op + 1;
}

const Op *run_leave(Warp *w, const Op *op) {
	return op == w->rejoin ? warp_pop(w) : warp_leave(w, op);
}

/* Past a guarded instruction for the lanes whose guard does not hold; they wait at its join. */
const Op *run_skip_if(Warp *w, const Op *op) {
	const uint32_t taken = w->mask & pred_get(w, op->a, op->flags & OPF_NEGATED);
	if (!taken) return op + 1;
	return taken == w->mask ? op + op->imm : warp_diverge(w, op, taken);
}

static uint32_t guarded_lanes(const Warp *w, const Op *op) {
	if (!(op->flags & OPF_GUARDED)) return w->mask;
	return w->mask & pred_get(w, op->a, op->flags & OPF_NEGATED);
}

static const Op *exit_lanes(Warp *w, const Op *op, uint32_t lanes) {
	w->alive &= ~lanes;
	w->block->threads_alive -= count_lanes(lanes);
	if (w->block->waiting) {
		barrier_check(w->block);
		registers_check(w->block);
	}
	cluster_left(w, lanes);
	return warp_strike(w, op, lanes);
}

static const Op *return_lanes(Warp *w, const Op *op, uint32_t lanes) {
	if (!w->frame->caller) return exit_lanes(w, op, lanes);
	w->frame->returned |= lanes;
	return warp_strike(w, op, lanes);
}

const Op *run_ret(Warp *w, const Op *op) {
	uint32_t lanes = guarded_lanes(w, op);
	return lanes ? return_lanes(w, op, lanes) : op + 1;
}

const Op *run_exit(Warp *w, const Op *op) {
	uint32_t lanes = guarded_lanes(w, op);
	return lanes ? exit_lanes(w, op, lanes) : op + 1;
}

const Op *run_call(Warp *w, const Op *op) {
	return warp_call(w, op);
}

/* Cooperative groups trap without a workspace for the grid's barrier. */
static bool wants_grid_barrier(const PtxFunction *f) {
	for (uint32_t i = 0; i < f->ninstrs; i++)
		for (uint32_t k = 0; k < f->instrs[i].noperands; k++)
			if (f->instrs[i].operands[k].kind == OPERAND_SPECIAL && f->instrs[i].operands[k].special == SR_ENVREG1)
				return true;
	return false;
}

const Op *run_trap(Warp *w, const Op *op) {
	if (!w->worker->run->grid_barrier && wants_grid_barrier(w->frame->function->ptx))
		return fault_at(w, op, w->mask, FAULT_TRAP,
						"The grid cannot be synchronized: this is not a cooperative launch. Launch it with cooperative "
						"= true, or with cudaLaunchCooperativeKernel in C++.");
	return fault_at(w, op, w->mask, FAULT_TRAP, "The kernel stopped itself with __trap().");
}

const Op *run_uncovered(Warp *w, const Op *op) {
	const PtxInstr *in = instr_of(w, op);
	return fault_at(w, op, w->mask, FAULT_INSTRUCTION, "The emulator does not execute this instruction yet: %.300s",
					in->text ? in->text : ptx_op_name(in->op));
}

/* brx.idx: the lanes that go where the first one goes jump; the others return to this Op later. */
const Op *run_brx(Warp *w, const Op *op) {
	const int32_t *distance = op->jumps->distance;
	const uint32_t *index = (const uint32_t *)(w->regs + op->a);
	const uint32_t want = index[first_lane(w->mask)];
	uint32_t group = 0;
	FOR_LANES(l, w->mask)
		if (index[l] == want) group |= 1u << l;
	if (want >= op->jumps->count)
		return fault_at(w, op, group, FAULT_INSTRUCTION, "A jump through a table of %u entries with index %u.",
						op->jumps->count, want);
	const Op *target = op + distance[want];
	const Meeting meeting = {op->jumps->rejoin, op->jumps->out};
	return group == w->mask ? target : warp_part(w, group, target, op, meeting, true);
}

/* --- memory that grows while a function runs ---------------------------------------------------------------------- */

/* A frame of local memory grows upward: alloca returns its old end, stacksave the current end, and stackrestore takes
 * an end that the running call has had. */

/* imm: alignment, a power of two. */
const Op *run_alloca(Warp *w, const Op *op) {
	const uint64_t align = (uint64_t)op->imm, most = CALLS_LIMIT + w->worker->run->kernel->programs[0]->local_bytes;
	FOR_LANES(l, w->mask) {
		const uint64_t size = lane_get(w, op->a, op->container, l);
		const uint64_t at = (w->frame->stack_end[l] + align - 1) & ~(align - 1);
		if (at > most || size > most - at || !warp_stack_reserve(w, at + size))
			return fault_at(
				w, op, 1u << l, FAULT_STACK,
				"The stack is exhausted: alloca requests %llu bytes, the thread has %llu bytes of local memory.",
				(unsigned long long)size, (unsigned long long)w->frame->stack_end[l]);
		w->frame->stack_end[l] = at + size;
		lane_set(w, op->d, op->container, l, at);
	}
	return op + 1;
}

const Op *run_stacksave(Warp *w, const Op *op) {
	FOR_LANES(l, w->mask) lane_set(w, op->d, op->container, l, w->frame->stack_end[l]);
	return op + 1;
}

const Op *run_stackrestore(Warp *w, const Op *op) {
	const uint64_t least = w->frame->local_base + w->frame->function->local_bytes;
	FOR_LANES(l, w->mask) {
		const uint64_t to = lane_get(w, op->a, op->container, l);
		if (to < least || to > w->frame->stack_end[l])
			return fault_at(w, op, 1u << l, FAULT_STACK,
							"stackrestore is given 0x%llx, which no stacksave of this call returned.",
							(unsigned long long)to);
		w->frame->stack_end[l] = to;
	}
	return op + 1;
}

/* --- predicates: bit l is lane l ---------------------------------------------------------------------------------- */

/* kind: bit 0: a is negated, bit 1: b is. */
#define PREDICATES(name, result)                                                                                       \
	const Op *run_##name(Warp *w, const Op *op) {                                                                      \
		const uint32_t a = pred_get(w, op->a, op->kind & 1);                                                           \
		const uint32_t b = op->b == NO_SLOT ? 0 : pred_get(w, op->b, op->kind & 2);                                    \
		(void)b;                                                                                                       \
		pred_set(w, op->d, result);                                                                                    \
		return op + 1;                                                                                                 \
	}
PREDICATES(pand, a &b)
PREDICATES(por, a | b)
PREDICATES(pxor, a ^ b)
PREDICATES(pnot, ~a)
PREDICATES(pmov, a)

const Op *run_pconst(Warp *w, const Op *op) {
	pred_set(w, op->d, op->imm ? ~0u : 0);
	return op + 1;
}
const Op *run_pselp(Warp *w, const Op *op) {
	uint32_t c = pred_get(w, op->c, op->flags & OPF_NEGATED);
	pred_set(w, op->d, (pred_get(w, op->a, op->kind & 1) & c) | (pred_get(w, op->b, op->kind & 2) & ~c));
	return op + 1;
}

/* setp with a third operand and a second result: d = a op c, e = not a op c. */
const Op *run_pcombine(Warp *w, const Op *op) {
	uint32_t a = pred_get(w, op->a, false), c = op->c == NO_SLOT ? 0 : pred_get(w, op->c, op->flags & OPF_NEGATED);
	uint32_t p = a, q = ~a;
	switch ((PtxBool)op->kind) {
	case BOOL_AND: p &= c, q &= c; break;
	case BOOL_OR: p |= c, q |= c; break;
	case BOOL_XOR: p ^= c, q ^= c; break;
	default: break;
	}
	if (op->d != NO_SLOT) pred_set(w, op->d, p);
	if (op->e != NO_SLOT) pred_set(w, op->e, q);
	return op + 1;
}
