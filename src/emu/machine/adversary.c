/* Adversarial schedules: the same launch in another order that the CUDA programming model allows. A seed decides the
 * order of blocks, how many of them run at the same time, which warp runs next, and after which memory accesses it
 * yields to another one. One host thread runs them all, so that a seed replays exactly.
 *
 * Four kinds of order find different mistakes, and the seed draws among them:
 *   - blocks one after the other, backwards or shuffled, warps in turn: finds what relies on the order of blocks or
 *     warps;
 *   - a new random warp after every few accesses: finds updates lost between a load and its store;
 *   - at most half of the blocks in flight, or one, if the launch asks for it (crowded): finds blocks that wait for
 *     others which may not have begun;
 *   - one warp of each block held back as long as another can run (after Burckhardt et al., "A Randomized Scheduler
 *     with Probabilistic Guarantees of Finding Bugs", 2010): finds code that works only if no warp is late.
 * The lanes of a warp stay in lockstep between divergences, as they do on the hardware; which side of a branch runs
 * first is random too. Errors that need lanes to diverge without a branch are left to the race checker. */
#include <stdlib.h>

#include "emu/exec/out_of_line.h"
#include "emu/machine/schedule.h"

enum { RELENT = 64 }; /* one choice in so many runs the warp that is held back: others may be waiting for it */

struct Adversary {
	uint64_t state; /* splitmix64 */
	uint64_t start, stride, taken;
	uint32_t together;  /* blocks in flight at a time */
	uint32_t most;      /* of these */
	uint32_t run_for;   /* mean number of accesses between two draws; 0: none */
	bool hold_back;     /* one warp of each block */
	bool shuffle_warps; /* which warp is next is drawn; else in turn */
	Block **block;      /* [together] at most */
	uint32_t nblocks, turn;
};

static uint64_t draw(Adversary *a) {
	uint64_t x = a->state += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static uint32_t below(Adversary *a, uint64_t n) {
	return (uint32_t)(draw(a) % n);
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* Blocks come as start, start + stride, start + 2 stride ... modulo their number, to which the stride is prime. Where
 * there is no room for all of them, not in their own order, in which those that wait would work. */
static void choose_order(Adversary *a, uint64_t n) {
	const uint32_t kind = below(a, 3);
	switch (kind == 0 && a->most < n ? 1 : kind) {
	case 0: a->start = 0, a->stride = 1; return;
	case 1: a->start = n - 1, a->stride = n - 1 ? n - 1 : 1; return;
	default:
		a->start = draw(a) % n;
		do a->stride = 1 + draw(a) % n;
		while (common_divisor(a->stride, n) != 1);
	}
}

/* Blocks of a launch that is not cooperative may not count on all of them being on the GPU at once, nor on one that
 * begins next. */
static uint32_t most_together(const Run *run) {
	const uint32_t most = run->schedule.max_resident;
	const LaunchConfig *c = &run->launch->config;
	const uint64_t room = c->schedule % 4 == 3 ? 1 : (run->shape.nblocks + 1) / 2;
	return c->crowded && c->schedule % 2 && !c->cooperative && room < most ? (uint32_t)room : most;
}

static void choose_manner(Adversary *a) {
	static const uint32_t together[] = {1, 2, 8, 64}, run_for[] = {0, 1, 4, 32};
	a->together = together[below(a, 4)];
	if (a->together > a->most) a->together = a->most;
	a->block = xcalloc((size_t)a->most + CLUSTER_MOST, sizeof *a->block);
	a->run_for = run_for[below(a, 4)];
	a->hold_back = draw(a) & 1;
	a->shuffle_warps = a->hold_back || draw(a) & 1;
}

static bool flips(Adversary *a) {
	return draw(a) & 1;
}

static void take_more(Adversary *a, Worker *k) {
	const uint64_t n = k->run->shape.nclusters;
	while (a->nblocks < a->together && a->taken < n) {
		const uint64_t i = a->taken++;
		const Cluster *c = cluster_take(k, (a->start + (uint64_t)((unsigned __int128)i * a->stride % n)) % n)->cluster;
		for (uint32_t r = 0; r < c->size; r++) a->block[a->nblocks++] = c->block[r];
	}
}

static void put_away(Adversary *a, Worker *k, const Cluster *c) {
	uint32_t kept = 0;
	for (uint32_t i = 0; i < a->nblocks; i++)
		if (a->block[i]->cluster != c) a->block[kept++] = a->block[i];
	a->nblocks = kept;
	cluster_done(k, c);
}

/* --- which warp, and for how long --------------------------------------------------------------------------------- */

static bool can_run(const Warp *w) {
	if (!w->alive) return false;
	for (uint32_t i = 0; i < w->splits.len; i++)
		if (w->splits.data[i]->state == SPLIT_READY) return true;
	return false;
}

/* The block's warp that is held back, for the whole life of the block. */
static uint32_t held_back(const Adversary *a, const Block *b) {
	return a->hold_back ? (b->number * 2654435761u ^ (uint32_t)a->start) % b->nwarps : UINT32_MAX;
}

/* A warp that waited at an mbarrier when it last ran can hardly run: the one that is held back may be what it waits
 * for, and each test is an instruction. */
static Warp *instead_of(Adversary *a, Warp *w, uint32_t late) {
	Warp *other = late != UINT32_MAX ? &w->block->warps[late] : w;
	return w->spinning.tests && can_run(other) && below(a, 2) ? other : w;
}

static Warp *choose_warp(Adversary *a, Block *b) {
	const uint32_t late = below(a, RELENT) ? held_back(a, b) : UINT32_MAX,
				   first = a->shuffle_warps ? below(a, b->nwarps) : b->turn++ % b->nwarps;
	for (uint32_t i = 0; i < b->nwarps; i++) {
		const uint32_t at = (first + i) % b->nwarps;
		if (at != late && can_run(&b->warps[at])) return instead_of(a, &b->warps[at], late);
	}
	return late != UINT32_MAX && can_run(&b->warps[late]) ? &b->warps[late] : NULL;
}

/* Runs until the split waits, ends, its slice is over, or so many accesses are done. */
static void run_for(Warp *w, Split *s, uint32_t accesses) {
	if (!accesses) {
		split_run(w, s);
		return;
	}
	warp_switch(w, s);
	for (const Op *op = s->pc; op;) {
		const bool access = op->bytes != 0;
		op = op->run(w, op);
		if (!op || !access || --accesses) continue;
		w->split->pc = op;
		return;
	}
}

static Split *choose_split(Adversary *a, Warp *w) {
	uint32_t first = w->splits.len > 1 ? below(a, w->splits.len) : 0;
	for (uint32_t i = 0;; i++) {
		Split *s = w->splits.data[(first + i) % w->splits.len];
		if (s->state == SPLIT_READY) return s;
	}
}

static uint32_t next_slice(Adversary *a) {
	return a->run_for ? 1 + below(a, 2 * (uint64_t)a->run_for) : 0;
}

/* False: no warp of the block can run. */
static bool run_some(Adversary *a, Block *b) {
	Warp *w = choose_warp(a, b);
	if (w) {
		run_for(w, choose_split(a, w), next_slice(a));
		if (w->splits.len > 1 || w->splits.data[0]->state == SPLIT_SYNC) wake_gatherings(w);
		return true;
	}
	bool woke = false;
	for (uint32_t i = 0; i < b->nwarps; i++)
		if (b->warps[i].alive) woke |= wake_gatherings(&b->warps[i]);
	return woke;
}

/* Runs the first other block of the cluster that can run; false: none can. */
static bool others_run(Adversary *a, const Cluster *c) {
	a->turn++;
	for (uint32_t i = 0; i < c->size && c->size > 1; i++)
		if (run_some(a, c->block[i])) return true;
	return false;
}

/* --- the launch --------------------------------------------------------------------------------------------------- */

/* A block has run for long: perhaps it waits for one that has not begun. */
static void make_room(Adversary *a, Worker *k) {
	bool all = a->together == a->most && !k->run->launch->config.concurrent;
	a->together = 2 * a->together < a->most ? 2 * a->together : a->most;
	for (uint32_t i = 0; i < a->nblocks && all; i++) all = block_waits(a->block[i]);
	if (!all) return;
	atomic_store(&k->run->schedule.next_cluster, a->taken);
	never_ends(a->block[0]->cluster);
}

static void run_all(Adversary *a, Worker *k) {
	Run *run = k->run;
	for (take_more(a, k); a->nblocks; take_more(a, k)) {
		const uint32_t i = a->shuffle_warps || a->run_for ? below(a, a->nblocks) : a->turn % a->nblocks;
		Block *b = a->block[i];
		if (!cluster_threads(b->cluster)) {
			put_away(a, k, b->cluster);
			continue;
		}
		if (cluster_must_stop(b->cluster)) return;
		if (!run_some(a, b) && !others_run(a, b->cluster)) barrier_deadlock(b->cluster);
		if (run_stopped(run)) return;
		if (b->slices < b->slice_limit) continue;
		b->slice_limit = b->slices + b->nwarps;
		a->turn++;
		make_room(a, k);
	}
}

void run_adversarially(Worker *k) {
	Adversary a = {.state = k->run->launch->config.schedule, .most = most_together(k->run)};
	choose_order(&a, k->run->shape.nclusters);
	choose_manner(&a);
	k->adversary = &a;
	k->flips = flips;
	run_all(&a, k);
	while (a.nblocks) put_away(&a, k, a.block[0]->cluster);
	k->adversary = NULL;
	k->flips = NULL;
	free(a.block);
	block_pool_free(k);
}
