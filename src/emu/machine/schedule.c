/* Clusters of blocks over host threads, warps within a cluster; usually a cluster is one block. A worker takes the
 * next few clusters when it has none, starts one after the other, and runs its warps in turn, each until it waits,
 * ends, or its time slice is over. Adjacent blocks usually access adjacent memory, so one worker takes them together.
 * A cluster that has run for long (perhaps it waits for a block that has not started) yields: the worker keeps it and
 * takes another, up to as many as the GPU could hold at once, and from then on runs them in turn. After the first
 * yield, workers take clusters one by one: it may have waited for its neighbor. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "emu/exec/out_of_line.h"
#include "emu/machine/schedule.h"

enum {
	SLICE = 512,          /* basic blocks per time slice of a warp */
	CLOCK_EVERY = 16,     /* slices between two looks at the clock */
	SPINNING = SLICE / 8, /* synchronizing accesses in a slice that make it look like waiting */
	MOST_AT_ONCE = 16,    /* blocks a worker takes */
	SHARES = 8            /* and at most this part of each worker's share of the rest */
};

uint64_t clock_ns(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* --- stopping ---------------------------------------------------------------------------------------------------------------------------- */

static void stop(Run *run, StopReason reason) {
	int expected = STOP_NO;
	atomic_compare_exchange_strong(&run->stop, &expected, reason);
}

bool must_stop(Worker *k) {
	Run *run = k->run;
	if (run->launch->cancel && atomic_load_explicit(run->launch->cancel, memory_order_relaxed)) stop(run, STOP_CANCEL);
	if (++k->ticks >= CLOCK_EVERY) {
		k->ticks = 0;
		if (run->deadline_ns && clock_ns() > run->deadline_ns) stop(run, STOP_TIMEOUT);
	}
	return atomic_load_explicit(&run->stop, memory_order_relaxed) != STOP_NO;
}

void work_done(Run *run, uint64_t basic_blocks) {
	const uint64_t most = run->launch->config.work_limit;
	if (most && atomic_fetch_add_explicit(&run->work, basic_blocks, memory_order_relaxed) + basic_blocks > most)
		stop(run, STOP_WORK);
}

const Op *slice_end(Warp *w, const Op *op) {
	Split *s = w->split;
	w->budget = SLICE;
	w->block->slices++;
	work_done(w->worker->run, SLICE);
	s->pc = op;
	s->spins = w->sync_ops >= SPINNING ? s->spins + 1 : 0;
	w->sync_ops = 0;
	if (must_stop(w->worker)) return NULL;
	if (s->spins >= 2 && !w->worker->run->independent)
		w->block->slice_limit = w->block->slices; /* it may wait for another block */
	if (s->spins >= 4 && warp_fork_waiting(w)) s->spins = 0;
	const bool alone = w->block->nwarps == 1 && w->nsplits == 1;
	return alone && w->block->slices < w->block->slice_limit ? op : NULL;
}

/* --- one block ------------------------------------------------------------------------------------------------------------------------------ */

static Block *block_new(Worker *k) {
	const Run *run = k->run;
	Block *b = xcalloc(1, sizeof *b);
	b->nwarps = run->nwarps;
	b->warps = xcalloc(b->nwarps, sizeof *b->warps);
	b->cluster = &b->room;
	b->shared = aligned_alloc(64, (run->shared_total + 64 + 63) & ~(size_t)63);
	if (!b->shared) abort();
	b->count_warps = xcalloc(run->kernel->ncode_blocks + 1, sizeof *b->count_warps);
	b->count_threads = xcalloc(run->kernel->ncode_blocks + 1, sizeof *b->count_threads);
	b->worker = k;
	for (uint32_t i = 0; i < b->nwarps; i++) {
		Warp *w = &b->warps[i];
		w->worker = k;
		w->block = b;
		w->number = i;
		w->shared = b->shared;
		w->shared_bytes = run->shared_total;
		w->observed = run->wants_access;
		w->reports_branches = run->wants_branch;
		w->clustered = run->cluster_size > 1;
	}
	return b;
}

static void block_free(Block *b) {
	for (uint32_t i = 0; i < b->nwarps; i++) warp_release(&b->warps[i]);
	free(b->warps);
	free(b->shared);
	free(b->count_warps);
	free(b->count_threads);
	str_free(&b->printed);
	free(b);
}

static void block_begin(Block *b, uint64_t number) {
	Worker *k = b->worker;
	const Run *run = k->run;
	const uint32_t *grid = run->launch->config.grid;
	b->number = (uint32_t)number;
	b->ctaid[0] = (uint32_t)(number % grid[0]);
	b->ctaid[1] = (uint32_t)(number / grid[0] % grid[1]);
	b->ctaid[2] = (uint32_t)(number / grid[0] / grid[1]);
	b->serial = ++k->serials;
	b->threads_alive = run->block_threads;
	b->cluster->missing += run->block_threads;
	b->waiting = b->turn = 0;
	b->slices = 0;
	b->slice_limit = run->slice_limit * (uint64_t)b->nwarps;
	memset(b->barriers, 0, sizeof b->barriers);
	memset(b->shared, 0xff, run->shared_total);
	memset(b->count_warps, 0, run->kernel->ncode_blocks * sizeof *b->count_warps);
	memset(b->count_threads, 0, run->kernel->ncode_blocks * sizeof *b->count_threads);
	for (uint32_t i = 0; i < b->nwarps; i++) {
		uint32_t left = run->block_threads - i * LANES;
		b->warps[i].budget = SLICE;
		b->warps[i].issued = 0;
		warp_begin(&b->warps[i], run->programs[0], left >= LANES ? ~0u : (1u << left) - 1u);
	}
	for (size_t i = 0; i < k->nobservers; i++)
		if (k->observers[i]->ops->block_begin) k->observers[i]->ops->block_begin(k->observers[i], b->number);
}

static void tell_counts(Block *b) {
	Worker *k = b->worker;
	const EmuKernel *kernel = k->run->kernel;
	if (!k->run->wants_counts) return;
	for (uint32_t p = 0; p < kernel->nprograms; p++) {
		const EmuFunction *fn = kernel->programs[p];
		const uint32_t code = kernel->first_block[fn->index];
		for (uint32_t c = 0; c < fn->cfg->nblocks; c++) {
			const PtxBlock *block = &fn->cfg->blocks[c];
			for (uint32_t i = block->first; i < block->end; i++) {
				k->instr_warps[kernel->first[p] + i] = b->count_warps[code + c];
				k->instr_threads[kernel->first[p] + i] = b->count_threads[code + c];
			}
		}
	}
	BlockCounts counts = {.block = b->number, .warps = k->instr_warps, .threads = k->instr_threads};
	for (uint32_t i = 0; i < b->nwarps; i++) {
		counts.issued += b->warps[i].issued;
		if (b->warps[i].issued > counts.busiest_warp) counts.busiest_warp = b->warps[i].issued;
	}
	for (size_t i = 0; i < k->nobservers; i++)
		if (k->observers[i]->ops->block_end) k->observers[i]->ops->block_end(k->observers[i], &counts);
}

/* Text of finished blocks, kept until the end so that it comes out in block order. */
typedef struct Printed Printed;
struct Printed {
	uint32_t block;
	char *text;
	size_t len;
	Printed *next;
};

static void keep_printed(Block *b) {
	Run *run = b->worker->run;
	if (!b->printed.len) return;
	Printed *p = xcalloc(1, sizeof *p);
	p->block = b->number;
	p->len = b->printed.len;
	p->text = str_take(&b->printed);
	atomic_fetch_add(&run->print_bytes, sizeof *p + 64); /* overhead per line */
	pthread_mutex_lock(&run->lock);
	Printed **at = (Printed **)&run->printed;
	while (*at && (*at)->block > p->block) at = &(*at)->next; /* the latest first: they usually arrive in order */
	p->next = *at;
	*at = p;
	pthread_mutex_unlock(&run->lock);
}

void hand_over_printed(Run *run, bool describe) {
	Printed *in_order = NULL;
	for (Printed *p = (Printed *)run->printed, *next; p; p = next) {
		next = p->next;
		p->next = in_order;
		in_order = p;
	}
	run->printed = NULL;
	for (Printed *p = in_order, *next; p; p = next) {
		next = p->next;
		if (describe && run->launch->print) run->launch->print(run->launch->user, p->text, p->len);
		free(p->text);
		free(p);
	}
}

/* --- running -------------------------------------------------------------------------------------------------------------------------------- */

void split_run(Warp *w, Split *s) {
	warp_switch(w, s);
	const Op *op = s->pc;
	while (op) op = op->run(w, op);
}

bool wake_gatherings(Warp *w) {
	bool any = false, running = false;
	for (uint32_t i = 0; i < w->nsplits; i++) {
		any |= w->splits[i]->state == SPLIT_SYNC;
		running |= w->splits[i]->state == SPLIT_READY;
	}
	if (!any) return false;
	warp_merge(w);
	bool woke = false;
	for (uint32_t i = 0; i < w->nsplits; i++) {
		Split *s = w->splits[i];
		if (s->state != SPLIT_SYNC) continue;
		const uint32_t here = s->entries[s->nentries - 1].mask;
		if ((s->member & w->alive & ~here) && running) continue;
		s->state = SPLIT_READY;
		s->sync_done = true;
		woke = true;
	}
	return woke;
}

static bool run_warp(Warp *w) {
	bool ran = false;
	/* New splits come last and run too. */
	for (uint32_t i = 0; i < w->nsplits; i++) {
		Split *s = w->splits[i];
		if (s->state != SPLIT_READY) continue;
		split_run(w, s);
		ran = true;
		if (atomic_load_explicit(&w->worker->run->stop, memory_order_relaxed)) return true;
	}
	if (w->nsplits > 1 || w->splits[0]->state == SPLIT_SYNC) ran |= wake_gatherings(w);
	return ran;
}

/* Whether any of the block's warps ran. */
static bool run_block(Block *b) {
	bool ran = false;
	for (uint32_t i = 0; i < b->nwarps; i++) {
		if (b->warps[i].alive) ran |= run_warp(&b->warps[i]);
		if (atomic_load_explicit(&b->worker->run->stop, memory_order_relaxed)) return true;
	}
	return ran;
}

bool cluster_yields(Cluster *c) {
	const Run *run = c->block[0]->worker->run;
	bool late = false;
	for (uint32_t i = 0; i < c->size; i++) late |= c->block[i]->slices >= c->block[i]->slice_limit;
	for (uint32_t i = 0; i < c->size && late; i++)
		c->block[i]->slice_limit = c->block[i]->slices + run->slice_limit * (uint64_t)c->block[i]->nwarps;
	return late;
}

bool cluster_run(Cluster *c) {
	const Run *run = c->block[0]->worker->run;
	while (cluster_threads(c)) {
		bool ran = false;
		for (uint32_t i = 0; i < c->size; i++) {
			if (c->block[i]->threads_alive) ran |= run_block(c->block[i]);
			if (atomic_load_explicit(&run->stop, memory_order_relaxed)) return true;
		}
		if (!ran) {
			barrier_deadlock(c);
			return true;
		}
		if (cluster_yields(c)) return false;
	}
	return true;
}

static Block *block_get(Worker *k) {
	Block *b = k->pool;
	if (!b) return block_new(k);
	k->pool = b->next;
	return b;
}

Block *cluster_take(Worker *k, uint64_t number) {
	Block *first = block_get(k);
	Cluster *c = &first->room;
	*c = (Cluster){.size = k->run->cluster_size, .block = {first}};
	for (uint32_t i = 1; i < c->size; i++) c->block[i] = block_get(k);
	for (uint32_t i = 0; i < c->size; i++) {
		c->block[i]->cluster = c;
		c->block[i]->rank = i;
		block_begin(c->block[i], cluster_block(k->run, number, i));
	}
	return first;
}

static bool take_some(Worker *k) {
	Run *run = k->run;
	uint64_t first = atomic_load(&run->next_cluster), n;
	do {
		if (first >= run->nclusters) return false;
		n = atomic_load_explicit(&run->one_by_one, memory_order_relaxed)
				? 1
				: (run->nclusters - first) / (SHARES * run->nworkers);
		n = n > MOST_AT_ONCE ? MOST_AT_ONCE : n ? n : 1;
	} while (!atomic_compare_exchange_weak(&run->next_cluster, &first, first + n));
	k->next = first;
	k->end = first + n;
	return true;
}

static Block *take_next(Worker *k) {
	return k->next != k->end || take_some(k) ? cluster_take(k, k->next++) : NULL;
}

void cluster_done(Worker *k, const Cluster *cluster) {
	const Cluster c = *cluster;
	for (uint32_t i = 0; i < c.size; i++) {
		tell_counts(c.block[i]);
		keep_printed(c.block[i]);
		c.block[i]->next = k->pool;
		k->pool = c.block[i];
	}
}

void block_pool_free(Worker *k) {
	for (Block *b = k->pool, *next; b; b = next) {
		next = b->next;
		block_free(b);
	}
	k->pool = NULL;
}

static bool may_take_more(const Worker *k) {
	const Run *run = k->run;
	if (k->nresident + run->cluster_size > run->max_resident) return false;
	return k->next < k->end || atomic_load(&run->next_cluster) < run->nclusters;
}

static bool has_conflict(const Worker *k) {
	for (size_t i = 0; i < k->nobservers; i++)
		if (k->observers[i]->ops->conflict && k->observers[i]->ops->conflict(k->observers[i])) return true;
	return false;
}

static void work(Worker *k) {
	Run *run = k->run;
	Block *queue = NULL, **tail = &queue; /* first blocks of clusters that yielded, oldest first */
	while (!atomic_load_explicit(&run->stop, memory_order_relaxed)) {
		if (must_stop(k)) break;
		Block *b = NULL;
		if (!queue || may_take_more(k)) b = take_next(k);
		if (b) k->nresident += run->cluster_size;
		if (!b) {
			b = queue;
			if (!b) break;
			queue = b->next;
			if (!queue) tail = &queue;
		}
		if (cluster_run(b->cluster)) {
			k->nresident -= run->cluster_size;
			cluster_done(k, b->cluster);
			if (run->nworkers > 1 && has_conflict(k)) stop(run, STOP_CONFLICT);
		} else {
			atomic_store_explicit(&run->one_by_one, true, memory_order_relaxed);
			b->next = NULL;
			*tail = b;
			tail = &b->next;
		}
	}
	while (queue) {
		Block *b = queue;
		queue = b->next;
		cluster_done(k, b->cluster);
	}
	block_pool_free(k);
}

static void *thread_main(void *worker) {
	work(worker);
	return NULL;
}

void run_blocks(Run *run) {
	if (run->launch->config.schedule) {
		run_adversarially(&run->workers[0]);
		return;
	}
	unsigned started = 1;
	for (; started < run->nworkers; started++)
		if (pthread_create(&run->workers[started].thread, NULL, thread_main, &run->workers[started])) break;
	work(&run->workers[0]);
	for (unsigned i = 1; i < started; i++) pthread_join(run->workers[i].thread, NULL);
}
