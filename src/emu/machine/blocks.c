/* Blocks and clusters of a launch: begun, run in turns of their warps, ended. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/exec/out_of_line.h"
#include "emu/machine/schedule.h"

/* --- one block ---------------------------------------------------------------------------------------------------- */

static Block *block_new(Worker *k) {
	const Run *run = k->run;
	Block *b = xcalloc(1, sizeof *b);
	b->nwarps = run->shape.nwarps;
	b->warps = xcalloc(b->nwarps, sizeof *b->warps);
	b->cluster = &b->room;
	b->shared = xaligned(run->shape.shared_total + VECTOR_BYTES, VECTOR_BYTES);
	b->count_warps = xcalloc(run->kernel->ncode_blocks + 1, sizeof *b->count_warps);
	b->count_threads = xcalloc(run->kernel->ncode_blocks + 1, sizeof *b->count_threads);
	b->worker = k;
	for (uint32_t i = 0; i < b->nwarps; i++) {
		Warp *w = &b->warps[i];
		w->worker = k;
		w->block = b;
		w->number = i;
		w->shared = b->shared;
		w->shared_bytes = run->shape.shared_total;
		w->reports.accesses = run->wants.access;
		w->reports.branches = run->wants.branch;
		w->reports.speculation = run->wants.speculation;
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
	b->number = (uint32_t)number;
	launch_place(number, run->launch->config.grid, b->ctaid);
	b->serial = ++k->serials;
	b->threads_alive = run->shape.block_threads;
	b->cluster->missing += run->shape.block_threads;
	b->waiting = b->turn = 0;
	b->slices = 0;
	b->slice_limit = run->schedule.slice_limit * (uint64_t)b->nwarps;
	memset(b->barriers, 0, sizeof b->barriers);
	memset(b->shared, 0xff, run->shape.shared_user);
	if (run->kernel->reserves_shared)
		memset(b->shared + run->shape.reserved, 0, run->shape.shared_total - run->shape.reserved);
	memset(b->count_warps, 0, run->kernel->ncode_blocks * sizeof *b->count_warps);
	memset(b->count_threads, 0, run->kernel->ncode_blocks * sizeof *b->count_threads);
	for (uint32_t i = 0; i < b->nwarps; i++) {
		uint32_t left = run->shape.block_threads - i * LANES;
		slice_begin(&b->warps[i]);
		b->warps[i].issued = 0;
		warp_begin(&b->warps[i], run->kernel->programs[0], left >= LANES ? ~0u : (1u << left) - 1u);
	}
	NOTIFY(k, block_begin, b->number);
	bool followed = false;
	for (size_t i = 0; i < k->nobservers; i++)
		followed |= k->observers[i]->ops->follows && k->observers[i]->ops->follows(k->observers[i], b->number);
	for (uint32_t i = 0; i < b->nwarps; i++) b->warps[i].reports.visits = followed;
}

static void tell_counts(Block *b) {
	Worker *k = b->worker;
	const EmuKernel *kernel = k->run->kernel;
	if (!k->run->wants.counts) return;
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
	for (uint32_t i = 0; i < b->nwarps; i++)
		if (b->warps[i].issued > counts.busiest_warp) counts.busiest_warp = b->warps[i].issued;
	NOTIFY(k, block_end, &counts);
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
	atomic_fetch_add(&run->printed.bytes, sizeof *p + 64); /* overhead per line */
	pthread_mutex_lock(&run->lock);
	Printed **at = &run->printed.latest;
	while (*at && (*at)->block > p->block) at = &(*at)->next; /* the latest first: they usually arrive in order */
	p->next = *at;
	*at = p;
	pthread_mutex_unlock(&run->lock);
}

void hand_over_printed(Run *run, bool describe) {
	Printed *in_order = NULL;
	for (Printed *p = run->printed.latest, *next; p; p = next) {
		next = p->next;
		p->next = in_order;
		in_order = p;
	}
	run->printed.latest = NULL;
	const unsigned long long cut = atomic_exchange(&run->printed.cut, 0);
	for (Printed *p = in_order, *next; p; p = next) {
		next = p->next;
		if (describe && run->launch->print) run->launch->print(run->launch->user, p->text, p->len);
		free(p->text);
		free(p);
	}
	if (!cut || !describe || !run->launch->print) return;
	char note[120];
	const int len =
		snprintf(note, sizeof note, "\n[gpulab: %llu more bytes of output were cut; a launch keeps %d MB]\n", cut,
				 PRINT_LIMIT >> 20);
	run->launch->print(run->launch->user, note, (size_t)len);
}

/* --- running ------------------------------------------------------------------------------------------------------ */

void split_run(Warp *w, Split *s) {
	warp_switch(w, s);
	const Op *op = s->pc;
	while (op) op = op->run(w, op);
}

bool wake_gatherings(Warp *w) {
	bool any = false, running = false;
	for (uint32_t i = 0; i < w->splits.len; i++) {
		any |= w->splits.data[i]->state == SPLIT_SYNC;
		running |= w->splits.data[i]->state == SPLIT_READY;
	}
	if (!any) return false;
	warp_merge(w);
	bool woke = false;
	for (uint32_t i = 0; i < w->splits.len; i++) {
		Split *s = w->splits.data[i];
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
	for (uint32_t i = 0; i < w->splits.len; i++) {
		Split *s = w->splits.data[i];
		if (s->state != SPLIT_READY) continue;
		const Turn turn = s->suspected ? split_turn(w, s) : TURN_RUN;
		if (turn == TURN_RUN) split_run(w, s);
		ran |= turn != TURN_WAITED;
		if (run_stopped(w->worker->run)) return true;
	}
	if (w->splits.len > 1 || w->splits.data[0]->state == SPLIT_SYNC) ran |= wake_gatherings(w);
	return ran;
}

/* Whether any of the block's warps ran. */
static bool run_block(Block *b) {
	bool ran = false;
	for (uint32_t i = 0; i < b->nwarps; i++) {
		if (b->warps[i].alive) ran |= run_warp(&b->warps[i]);
		if (run_stopped(b->worker->run)) return true;
	}
	return ran;
}

bool cluster_yields(Cluster *c) {
	const Run *run = c->block[0]->worker->run;
	bool late = false;
	for (uint32_t i = 0; i < c->size; i++) late |= c->block[i]->slices >= c->block[i]->slice_limit;
	for (uint32_t i = 0; i < c->size && late; i++)
		c->block[i]->slice_limit = c->block[i]->slices + run->schedule.slice_limit * (uint64_t)c->block[i]->nwarps;
	return late;
}

bool cluster_run(Cluster *c) {
	const Run *run = c->block[0]->worker->run;
	c->went_on = false;
	while (cluster_threads(c)) {
		bool ran = false;
		for (uint32_t i = 0; i < c->size; i++) {
			if (c->block[i]->threads_alive) ran |= run_block(c->block[i]);
			if (run_stopped(run)) return true;
		}
		const bool calm = !ran && c->calm; /* so all have been polled in this round */
		c->calm = !ran;
		c->went_on |= ran;
		if (ran ? cluster_yields(c) : calm && cluster_waits(c)) return false;
		if (!calm) continue;
		barrier_deadlock(c);
		return true;
	}
	return true;
}

bool cluster_must_stop(const Cluster *c) {
	enum { BLOCKS_PER_WARP = 8 }; /* basic blocks of a warp that ends within its first slice, roughly */
	const Block *b = c->block[0];
	while (!b->threads_alive) b = c->block[b->rank + 1];
	Warp *w = b->warps;
	while (!w->alive) w++;
	Split *const *s = w->splits.data;
	while ((*s)->state == SPLIT_DONE) s++; /* whose lanes have ended */
	warp_switch(w, *s);
	w->worker->kernel_ns += NS_PER_SLICE;
	return must_stop(w, w->split->pc, BLOCKS_PER_WARP * b->nwarps);
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
	*c = (Cluster){.size = k->run->shape.cluster_size, .block = {first}};
	for (uint32_t i = 1; i < c->size; i++) c->block[i] = block_get(k);
	for (uint32_t i = 0; i < c->size; i++) {
		c->block[i]->cluster = c;
		c->block[i]->rank = i;
		block_begin(c->block[i], cluster_block(k->run, number, i));
	}
	return first;
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
