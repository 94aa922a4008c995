/* setmaxnreg: warps move registers between them. A block has as many as its warps had at launch. A warp that takes more
 * waits until others have released enough, or have ended. */
#include "emu/exec/out_of_line.h"

enum { LEAST = 24, MOST = 256, STEP = 8 }; /* PTX ISA, "setmaxnreg" */

/* Warps get registers in steps. */
static uint32_t at_launch(const Block *b) {
	return (b->worker->run->kernel->pool_registers + STEP - 1) / STEP * STEP;
}

static uint32_t held(const Warp *w) {
	return w->registers ? w->registers : at_launch(w->block);
}

/* Per thread of a warp, so that sums count warps alike. */
static int64_t spare(const Block *b) {
	int64_t n = (int64_t)at_launch(b) * b->nwarps;
	for (uint32_t i = 0; i < b->nwarps; i++)
		if (b->warps[i].alive) n -= held(&b->warps[i]);
	return n;
}

static Split *waiting(const Warp *w) {
	for (uint32_t k = 0; k < w->splits.len; k++)
		if (w->splits.data[k]->state == SPLIT_BARRIER && w->splits.data[k]->barrier == REGISTER_POOL)
			return w->splits.data[k];
	return NULL;
}

void registers_check(Block *b) {
	for (uint32_t i = 0; i < b->nwarps; i++) {
		Warp *w = &b->warps[i];
		Split *s = waiting(w);
		if (!s || s->pc->imm - held(w) > spare(b)) continue;
		w->registers = (uint32_t)s->pc->imm;
		split_go_on(b, s);
	}
}

bool registers_deadlock(Block *b) {
	for (uint32_t i = 0; i < b->nwarps; i++) {
		Warp *w = &b->warps[i];
		Split *s = waiting(w);
		if (!s) continue;
		warp_switch(w, s);
		fault_at(w, s->pc, w->mask, FAULT_BARRIER,
				 "A warp waits for registers forever: setmaxnreg.inc asks for %lld per thread, but of the block's %u * "
				 "%u only %lld are free. Let other warps release more with setmaxnreg.dec.",
				 (long long)s->pc->imm, at_launch(b), b->nwarps, (long long)spare(b) + held(w));
		return true;
	}
	return false;
}

/* kind 0: more registers, which may not be there yet; 1: fewer. */
const Op *run_setmaxnreg(Warp *w, const Op *op) {
	const uint32_t wanted = (uint32_t)op->imm;
	if (wanted < LEAST || wanted > MOST || wanted % STEP)
		return fault_at(w, op, w->mask, FAULT_INSTRUCTION,
						"setmaxnreg to %u registers; it must be a multiple of %d from %d to %d.", wanted, STEP, LEAST,
						MOST);
	if (w->mask != w->alive)
		return fault_at(w, op, w->mask, FAULT_INSTRUCTION,
						"setmaxnreg needs all threads of a warp together; only %u of %u are here.",
						count_lanes(w->mask), count_lanes(w->alive));
	if (!at_launch(w->block)) return op + 1;
	const bool more = wanted > held(w);
	if (more == (op->kind != 0)) return op + 1; /* nothing to take, or to give up */
	if (!more || wanted - held(w) <= spare(w->block)) {
		w->registers = wanted;
		if (!more && w->block->waiting) registers_check(w->block);
		return op + 1;
	}
	split_wait(w, op, REGISTER_POOL);
	if (w->frame->caller) warp_fork_waiting(w);
	return NULL;
}
