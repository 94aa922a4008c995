/* Clusters: blocks that run at the same time, access each other's shared memory, and have a barrier of their own.
 *
 * The barrier is split: a thread that arrives continues; the phase completes when every thread of the cluster that
 * has not exited has arrived, which releases the threads that wait. A thread arrives once in a phase, and waits once
 * for it (PTX ISA, "barrier.cluster"). */
#include "emu/exec/out_of_line.h"

uint64_t cluster_block(const Run *run, uint64_t number, uint32_t rank) {
	const LaunchConfig *c = &run->launch->config;
	const uint32_t size = run->shape.cluster_size;
	if (run->shape.nblocks != launch_blocks(c))
		return launch_block_of(c, number * size + rank); /* a sample: adjacent in x */
	uint64_t block = 0, step = 1;
	for (int i = 0; i < 3; i++) {
		const uint64_t clusters = c->grid[i] / run->shape.cluster[i];
		block += (number % clusters * run->shape.cluster[i] + rank % run->shape.cluster[i]) * step;
		step *= c->grid[i];
		number /= clusters;
		rank /= run->shape.cluster[i];
	}
	return block;
}

uint64_t cluster_threads(const Cluster *c) {
	uint64_t n = 0;
	for (uint32_t i = 0; i < c->size; i++) n += c->block[i]->threads_alive;
	return n;
}

/* --- addresses of shared memory ----------------------------------------------------------------------------------- */

/* A lane's address within shared memory; false: it is outside, which is a fault. */
static bool in_shared(Warp *w, const Op *op, uint32_t lane, uint64_t *addr) {
	*addr = lane_get(w, op->a, op->container, lane);
	const uint64_t given = *addr;
	if (op->space == SPACE_SHARED || (op->container == 8 && generic_space(addr) == SPACE_SHARED)) return true;
	fault_at(w, op, 1u << lane, FAULT_WRONG_SPACE,
			 "0x%llx is not an address of shared memory; only those can be mapped to other blocks of the cluster.",
			 (unsigned long long)given);
	return false;
}

const Op *run_mapa(Warp *w, const Op *op) {
	const uint32_t size = w->block->cluster->size;
	FOR_LANES(l, w->mask) {
		const uint32_t rank = (uint32_t)lane_get(w, op->b, 4, l);
		uint64_t addr;
		if (!in_shared(w, op, l, &addr)) return NULL;
		if (rank >= size)
			return fault_at(w, op, 1u << l, FAULT_INSTRUCTION, "There is no block %u in a cluster of %u.", rank, size);
		addr = addr % CLUSTER_STRIDE + CLUSTER_STRIDE * (rank + 1);
		lane_set(w, op->d, op->container, l, op->space == SPACE_SHARED ? addr : addr + SHARED_WINDOW);
	}
	return op + 1;
}

const Op *run_getctarank(Warp *w, const Op *op) {
	FOR_LANES(l, w->mask) {
		uint64_t addr;
		if (!in_shared(w, op, l, &addr)) return NULL;
		lane_set(w, op->d, 4, l, addr < CLUSTER_STRIDE ? w->block->rank : addr / CLUSTER_STRIDE - 1);
	}
	return op + 1;
}

/* --- the barrier -------------------------------------------------------------------------------------------------- */

static void let_go(Block *b) {
	for (uint32_t i = 0; i < b->nwarps; i++) {
		Warp *w = &b->warps[i];
		bool freed = false;
		w->cluster.passed |= w->cluster.arrived;
		w->cluster.arrived = 0;
		for (uint32_t k = 0; k < w->splits.len; k++) {
			Split *s = w->splits.data[k];
			if (s->state != SPLIT_BARRIER || s->barrier != CLUSTER_BARRIER) continue;
			w->cluster.passed &= ~s->entries[s->nentries - 1].mask;
			b->waiting--;
			s->state = SPLIT_READY;
			s->pc++;
			freed = true;
		}
		if (freed && w->splits.len > 1) warp_merge(w);
	}
}

static void complete(Cluster *c) {
	c->missing = 0;
	for (uint32_t i = 0; i < c->size; i++) {
		const Block *b = c->block[i];
		c->missing += b->threads_alive;
		barrier_report_done(
			b, &(BarrierDone){
				   .block = b->number, .id = CLUSTER_BARRIER, .arrived = b->threads_alive, .alive = b->threads_alive});
	}
	for (uint32_t i = 0; i < c->size; i++) let_go(c->block[i]);
}

static void less_missing(Cluster *c, uint32_t lanes) {
	c->missing -= count_lanes(lanes);
	if (lanes && !c->missing && cluster_threads(c)) complete(c);
}

void cluster_left(Warp *w, uint32_t lanes) {
	less_missing(w->block->cluster, lanes & ~w->cluster.arrived);
}

const Op *run_cluster_arrive(Warp *w, const Op *op) {
	const uint32_t twice = w->mask & (w->cluster.arrived | w->cluster.passed);
	if (twice)
		return fault_at(w, op, twice, FAULT_BARRIER,
						"A thread arrives at the barrier of its cluster again before it has waited for it.");
	w->cluster.arrived |= w->mask;
	less_missing(w->block->cluster, w->mask);
	return op + 1;
}

const Op *run_cluster_wait(Warp *w, const Op *op) {
	const uint32_t strange = w->mask & ~(w->cluster.arrived | w->cluster.passed);
	if (strange)
		return fault_at(w, op, strange, FAULT_BARRIER,
						"A thread waits for the barrier of its cluster without having arrived there.");
	barrier_report(w, op, CLUSTER_BARRIER);
	if (!(w->mask & ~w->cluster.passed)) {
		w->cluster.passed &= ~w->mask;
		return op + 1;
	}
	Split *s = w->split;
	s->state = SPLIT_BARRIER;
	s->barrier = CLUSTER_BARRIER;
	s->pc = op;
	w->block->waiting++;
	if (w->mask != w->live || w->frame->caller) warp_fork_waiting(w);
	return NULL;
}
