/* The race checker: the events it observes. race.h explains the method. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "emu/check/race_async.h"
#include "ptx/analysis/value_uses.h"

/* --- accesses ----------------------------------------------------------------------------------------------------- */

/* Between blocks, cluster scope counts as device scope. */
static unsigned level_of(const Race *r, PtxScope scope) {
	return scope == SCOPE_CTA || (scope == SCOPE_CLUSTER && r->cluster == 1) ? LEVEL_CTA : LEVEL_GPU;
}

static bool is_strong(const Access *a) {
	return a->kind == ACCESS_ATOMIC || (a->sem != SEM_NONE && a->sem != SEM_WEAK);
}

/* Before the cells are examined: an acquire orders the access itself, too. */
static void synchronize(Race *r, RaceBlock *b, const Access *a) {
	const bool shared = a->space == SPACE_SHARED;
	const bool both = a->sem == SEM_ACQ_REL || a->sem == SEM_SC;
	const unsigned level = level_of(r, a->scope);
	FOR_LANES(l, a->mask) {
		if (a->kind != ACCESS_STORE)
			race_acquire(r, b, a->warp, l, a->addr[l], shared, both || a->sem == SEM_ACQUIRE, level);
		if (a->kind != ACCESS_LOAD)
			race_release(r, b, a->warp, l, a->addr[l], shared, both || a->sem == SEM_RELEASE, level);
	}
}

static void observe(Race *r, RaceBlock *b, const Access *a) {
	if (is_strong(a)) synchronize(r, b, a);
	race_look(r, b, a);
	if (a->kind == ACCESS_LOAD) return;
	RaceWarp *w = &b->warps[a->warp];
	w->dirty[LEVEL_CTA] |= a->mask;
	if (a->space == SPACE_GLOBAL) w->dirty[LEVEL_GPU] |= a->mask;
}

/* Other blocks of a cluster access it, too (see race.h). */
static void observe_shared(Race *r, RaceBlock *b, const Access *a) {
	if (r->cluster == 1) return observe(r, b, a);
	const uint64_t base = race_cluster_memory(r, a->owner);
	uint64_t addr[LANES];
	Access moved = *a;
	moved.space = SPACE_GLOBAL;
	moved.addr = addr;
	for (uint32_t l = 0; l < LANES; l++) addr[l] = base + (a->mask >> l & 1 ? a->addr[l] : 0);
	observe(r, b, &moved);
}

/* An mbarrier: arriving releases, waiting acquires once the phase is over, and to initialize it is a plain store. */
static void observe_mbarrier(Race *r, RaceBlock *b, const Access *a, const PtxInstr *in) {
	Access seen = *a;
	/* what a copy of another block completes is known as well */
	if (a->scope == SCOPE_NONE) seen.scope = r->cluster > 1 ? SCOPE_CLUSTER : SCOPE_CTA;
	if (in->mods & (MOD_INIT | MOD_INVAL)) {
		seen.kind = ACCESS_STORE;
		seen.sem = SEM_NONE;
	} else if (in->mods & MOD_WAIT) {
		seen.kind = ACCESS_LOAD;
		seen.sem = SEM_RELAXED;
		seen.mask = a->mask & ~a->passed;
		if (seen.mask) observe_shared(r, b, &seen);
		seen.sem = a->sem == SEM_RELAXED ? SEM_RELAXED : SEM_ACQUIRE;
		seen.mask = a->passed;
		FOR_LANES(l, a->passed) race_async_passed(b, a->addr[l]);
		if (!seen.mask) return;
	} else {
		seen.sem = (in->mods & (MOD_EXPECT_TX | MOD_ARRIVE)) == MOD_EXPECT_TX ? SEM_RELAXED
				   : a->sem == SEM_RELAXED                                    ? SEM_RELAXED
																			  : SEM_RELEASE;
		if (in->op == OP_CP) race_async_arrived(b, a);
	}
	observe_shared(r, b, &seen);
}

static void on_async(Observer *self, const AsyncEvent *e) {
	Race *r = (Race *)self;
	if (shadow_full(r->checker.info.shadow)) return;
	RaceBlock *b = block_state(&r->checker.blocks, e->block);
	if (e->kind >= ASYNC_PRODUCT)
		race_proxy(r, b, e);
	else
		race_async(r, b, e);
	if (r->copies && e->kind == ASYNC_WAIT) race_source_forget(b);
}

static void observe_global(Race *r, RaceBlock *b, const Access *a) {
	if (r->read_only) race_read_only(r, b, a);
	if (r->copies && a->kind != ACCESS_LOAD)
		race_source_written(r, b, a);
	else if (r->copies && is_word_copy(instr_at(&r->checker.info, a->instr)))
		race_source_read(r, b, a);
	observe(r, b, a);
}

static void on_access(Observer *self, const Access *a) {
	Race *r = (Race *)self;
	if (shadow_full(r->checker.info.shadow)) return;
	RaceBlock *b = block_state(&r->checker.blocks, a->block);
	if (a->space == SPACE_GLOBAL) observe_global(r, b, a);
	if (a->space != SPACE_SHARED || !access_inside(a, r->checker.info.shared_bytes)) return;
	const PtxInstr *in = a->kind == ACCESS_ATOMIC ? instr_at(&r->checker.info, a->instr) : NULL;
	if (in && (in->op == OP_MBARRIER || (in->op == OP_CP && !(in->mods & MOD_BULK)))) {
		observe_mbarrier(r, b, a, in);
		return;
	}
	if (b->async && a->owner == a->block) race_async_look(r, b, a);
	if (r->proxy && a->owner == a->block) race_proxy_access(r, b, a);
	observe_shared(r, b, a);
}

static void on_fresh(Observer *self, uint64_t addr, size_t bytes) {
	race_clean((Race *)self, addr, bytes);
}

static void on_fence(Observer *self, uint32_t instr, uint32_t block, uint32_t warp, uint32_t mask, PtxScope scope) {
	Race *r = (Race *)self;
	const PtxInstr *in = instr_at(&r->checker.info, instr);
	if (shadow_full(r->checker.info.shadow)) return;
	if (r->proxy && in && in->op == OP_FENCE && in->mods & MOD_PROXY)
		race_proxy_fence(r, block_state(&r->checker.blocks, block), warp, mask);
	if (scope == SCOPE_NONE) return;
	/* These order nothing between threads. */
	if (in && (in->mods & (MOD_PROXY | MOD_MBARRIER_INIT))) return;
	race_fence(r, block_state(&r->checker.blocks, block), warp, mask, level_of(r, scope));
}

/* --- synchronization ---------------------------------------------------------------------------------------------- */

static void on_barrier(Observer *self, const Barrier *b) {
	Race *r = (Race *)self;
	if (b->warp_only || b->id >= BARRIERS) return;
	RaceWarp *w = &((RaceBlock *)block_state(&r->checker.blocks, b->block))->warps[b->warp];
	const PtxInstr *in = instr_at(&r->checker.info, b->instr);
	w->arrived[b->id] |= b->mask;
	if (!in || !(in->mods & MOD_ARRIVE)) w->waits[b->id] |= b->mask;
}

/* The barrier of a cluster is reported for each of its blocks, in order. */
static void on_cluster_done(Race *r, uint32_t block) {
	const LaunchInfo *info = &r->checker.info;
	const uint32_t *grid = info->config.grid, *size = info->cluster;
	RaceBlock *all[64];
	uint32_t at[3], n = 0;
	launch_place(block, grid, at);
	for (unsigned i = 0; i < 3; i++)
		if (at[i] % size[i] + 1 != size[i]) return;
	for (uint32_t z = 0; z < size[2]; z++)
		for (uint32_t y = 0; y < size[1]; y++)
			for (uint32_t x = 0; x < size[0] && n < 64; x++)
				all[n++] = block_state(&r->checker.blocks, ((at[2] - z) * grid[1] + at[1] - y) * grid[0] + at[0] - x);
	race_met_cluster(all, n);
}

static void on_barrier_done(Observer *self, const BarrierDone *d) {
	Race *r = (Race *)self;
	if (d->id >= BARRIERS || shadow_full(r->checker.info.shadow)) return;
	RaceBlock *b = block_state(&r->checker.blocks, d->block);
	if (d->arrived >= d->alive) {
		race_met_all(r, b);
	} else {
		race_settle(r, b);
		race_met_some(r, b, d->id);
	}
	for (uint32_t i = 0; i < b->nwarps; i++) b->warps[i].arrived[d->id] = b->warps[i].waits[d->id] = 0;
	if (d->id == CLUSTER_BARRIER && r->cluster > 1) on_cluster_done(r, d->block);
}

static void on_warp_sync(Observer *self, const WarpSync *y) {
	Race *r = (Race *)self;
	RaceBlock *b = block_state(&r->checker.blocks, y->block);
	if (shadow_full(r->checker.info.shadow)) return;
	for (uint32_t left = y->mask; left;) {
		const uint32_t member = y->member[__builtin_ctz(left)];
		uint32_t group = 0;
		FOR_LANES(l, left)
			if (y->member[l] == member) group |= 1u << l;
		if (!race_whole_warp(r, y->warp, group)) race_settle(r, b);
		race_met(r, b, y->warp, group);
		left &= ~group;
	}
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

static void race_block_drop(RaceBlock *b) {
	clock_drop(b->knows);
	b->knows = NULL;
	places_clear(&b->places);
	race_async_drop(b);
	race_proxy_drop(b);
	for (uint32_t i = 0; i < b->nwarps; i++) {
		RaceWarp *w = &b->warps[i];
		clock_drop(w->knows);
		for (uint32_t k = 0; w->lanes && k < LANES; k++) {
			clock_drop(w->lanes[k].knows);
			for (unsigned level = 0; level < LEVELS; level++) clock_drop(w->lanes[k].read[level]);
		}
		free(w->lanes);
		free(w->met);
		*w = (RaceWarp){0};
	}
}

/* The shared cells keep the entries of the previous block: its times are all before this one's floor. */
static void race_block_begin(Race *r, RaceBlock *b, uint32_t number) {
	race_block_drop(b);
	b->number = number;
	b->fenced = 0;
	b->acquired = false;
	b->touched = b->fresh = true;
	b->nlate = b->shared_written = b->shared_read = 0;
	b->contended.len = 0;
	race_tick(r, b);
	b->own = b->floor = b->now;
	for (uint32_t i = 0; i < b->nwarps; i++) b->warps[i].floor = b->now;
}

static void *make_block(void *context) {
	Race *r = context;
	RaceBlock *b = xcalloc(1, sizeof *b);
	b->slot = r->nslots++;
	b->nwarps = r->nwarps;
	b->warps = xcalloc(b->nwarps, sizeof *b->warps);
	const size_t cells = CELLS * r->shared_words + 1;
	/* Room for what a block may need later: deferred loads, and which lanes synchronized. */
	const size_t rest = MOST_LATE * sizeof(LateRead) + b->nwarps * LANES * (sizeof(LaneOrder) + sizeof *b->warps->met);
	shadow_take(r->checker.info.shadow, "race", cells * sizeof *b->shared + b->nwarps * sizeof *b->warps + rest);
	b->shared = xcalloc(cells, sizeof *b->shared);
	return b;
}

static void drop_block(void *state) {
	RaceBlock *b = state;
	race_block_drop(b);
	free(b->warps);
	free(b->shared);
	free(b->late);
	vec_free(&b->contended);
	free(b);
}

static void on_block_begin(Observer *self, uint32_t block) {
	Race *r = (Race *)self;
	RaceBlock *b = blocks_begin(&r->checker.blocks, block, make_block, r);
	race_block_begin(r, b, block);
	if (r->cluster > 1) race_clean(r, race_cluster_memory(r, block), r->cluster_stride);
}

/* --- reporting ---------------------------------------------------------------------------------------------------- */

static void say_what(const Finding *f, char *out, size_t size) {
	if (f->buffer[0])
		snprintf(out, size, "byte %lld of %s (%s memory)", (long long)f->offset, f->buffer, f->space);
	else
		snprintf(out, size, "byte %lld of %s memory", (long long)f->offset, f->space);
}

/* A plain read and a compare-and-swap: the loop that begins with what was read there. */
static bool is_swap_loop(const Checker *c, const Hit *h) {
	for (unsigned i = 0; i < 2; i++) {
		const PtxInstr *instr = instr_at(&c->info, h->instr[i]);
		if (instr && instr->atomic == ATOM_CAS && h->kind[!i] == ACCESS_LOAD) return true;
	}
	return false;
}

static bool takes_lock(const PtxFunction *f, const PtxInstr *in) {
	const bool how = in->atomic == ATOM_CAS || in->atomic == ATOM_EXCH;
	return in->op == OP_ATOM && how && value_use(f, in) == VALUE_USED;
}

static bool releases_lock(const PtxFunction *f, const PtxInstr *in) {
	if (in->op == OP_ST) return in->sem == SEM_VOLATILE || in->sem == SEM_RELAXED;
	return (in->op == OP_ATOM || in->op == OP_RED) && !takes_lock(f, in);
}

/* Both accesses are behind an atomic whose value decides, and before one or a volatile store that sets it back, in a
 * function without fences. */
static bool is_bare_lock(const Checker *c, const Hit *h) {
	const PtxFunction *f = function_at(&c->info, h->instr[0]);
	const PtxInstr *one = instr_at(&c->info, h->instr[0]), *two = instr_at(&c->info, h->instr[1]);
	bool taken = false, released = false;
	if (!one || !two || function_at(&c->info, h->instr[1]) != f) return false;
	const PtxInstr *first = one < two ? one : two, *last = one < two ? two : one;
	for (const PtxInstr *in = f->instrs; in < f->instrs + f->ninstrs; in++) {
		if (in->op == OP_FENCE || in->op == OP_MEMBAR) return false;
		taken |= in < first && takes_lock(f, in);
		released |= in > last && releases_lock(f, in);
	}
	return taken && released;
}

/* A flag or a ticket that could order blocks: an atomic, or a store whose order is said. */
static bool has_flag(const PtxFunction *f) {
	if (!f) return false;
	for (const PtxInstr *in = f->instrs; in < f->instrs + f->ninstrs; in++) {
		const bool atomic = in->op == OP_ATOM || in->op == OP_RED;
		if (atomic || (in->op == OP_ST && (in->sem == SEM_VOLATILE || in->sem == SEM_RELAXED))) return true;
	}
	return false;
}

/* Two plain stores mostly come from a wrong index, a plain load of another block's element from how work is divided.
 * Fences help only where a flag or a ticket is. */
static const char *remedy_of_blocks(const Checker *c, const Hit *h, bool same_line) {
	if (h->kind[0] == ACCESS_ATOMIC || h->kind[1] == ACCESS_ATOMIC)
		return "make both sides atomic, or order them: __threadfence() before the flag or ticket is written and after "
			   "it is read";
	if (has_flag(function_at(&c->info, h->instr[0])))
		return "blocks run in any order: use an atomic, another element for each block, or a second launch; with a "
			   "ticket or flag between them, __threadfence() before it is written and after it is read";
	if (h->kind[0] == ACCESS_STORE && h->kind[1] == ACCESS_STORE)
		return "two blocks write one element: check the index and its bounds; let each block write "
			   "its own, or use an atomic where all contribute";
	if (same_line) return "blocks run in any order: use an atomic, another element for each block, or a second launch";
	return "blocks run in any order: let one block do both, or use another array, an atomic, or a second launch";
}

/* The remedy for all threads that the hit stands for. */
static const char *remedy(const Checker *c, const Hit *h, bool same_line) {
	const bool atomic = h->kind[0] == ACCESS_ATOMIC || h->kind[1] == ACCESS_ATOMIC;
	if (!atomic && is_bare_lock(c, h))
		return "a lock needs fences: __threadfence() after it is taken, and again before it is released";
	if (h->span == SPAN_WARP && !same_line && h->kind[0] == ACCESS_STORE && h->kind[1] == ACCESS_STORE)
		return "two threads write one word: check both indices; if both mean this word, put __syncwarp() between the "
			   "two";
	if (is_swap_loop(c, h)) return "read it with an atomic as well: atomicCAS(address, 0, 0) returns the value";
	switch (h->span) {
	case SPAN_WARP:
		return same_line ? "use an atomic, let each thread write its own element, or put __syncwarp() between the two"
						 : "lanes of a warp do not run in lockstep since cc 7.0: put __syncwarp() between the two";
	case SPAN_BLOCK:
		if (same_line) return "use an atomic, let each thread write its own element, or put a barrier between the two";
		return atomic ? "put __syncthreads() between the two, where all threads of the block reach it"
					  : "put __syncthreads() between the two, where all threads of the block reach it, "
						"use an atomic, or let them use different memory";
	case SPAN_GRID:
		if (h->space == SPACE_SHARED)
			return "put cluster.sync() between the two, where all threads of the cluster reach it";
		break;
	}
	return remedy_of_blocks(c, h, same_line);
}

/* The two that are named may be of one block where others at these lines are not. */
static void say_missing(const Checker *c, const Hit *h, Finding *f) {
	const bool same_line = f->site[0].line && f->site[0].line == f->site[1].line;
	const char *const all = remedy(c, h, same_line);
	if (h->span != SPAN_GRID || h->block[0] != h->block[1] || all != remedy_of_blocks(c, h, same_line))
		snprintf(f->hint, sizeof f->hint, "%s", all);
	else if (h->kind[0] == ACCESS_STORE && h->kind[1] == ACCESS_STORE)
		snprintf(f->hint, sizeof f->hint,
				 "threads of this block, and of others, write one element: check the index and its bounds; let each "
				 "write its own, or use an atomic where all contribute");
	else
		snprintf(f->hint, sizeof f->hint, "put a barrier between these two of one block; others are of two blocks%s%s",
				 text_starts(all, "blocks run") ? ", and " : ": ", all);
}

static bool describe_proxy(const Hit *h, Finding *f, const char *me, const char *other, const char *what) {
	const bool writes = h->rule == RULE_PRODUCT_WRITE;
	if (writes)
		snprintf(f->message, sizeof f->message, "%s wrote %s, which wgmma at line %u may still be reading.", me, what,
				 f->site[1].line);
	else
		snprintf(
			f->message, sizeof f->message,
			"An asynchronous operation reads %s, which %s wrote at line %u; no fence.proxy.async follows the write.",
			what, other, f->site[1].line);
	f->message[0] = (char)(f->message[0] & ~32);
	snprintf(
		f->hint, sizeof f->hint, "%s",
		writes ? "wait for the product first: wgmma.wait_group, then a barrier"
			   : "wgmma and bulk copies access shared memory through the async proxy: put fence.proxy.async behind the "
				 "writes, before the barrier");
	return true;
}

static bool describe_read_only(const Hit *h, Finding *f, const char *me, const char *other, const char *what) {
	if (h->kind[0] == ACCESS_LOAD)
		snprintf(f->message, sizeof f->message,
				 "%s read %s with ld.global.nc, and %s had written it at line %u, in the same launch.", me, what, other,
				 f->site[1].line);
	else
		snprintf(f->message, sizeof f->message,
				 "%s wrote %s, which %s had read with ld.global.nc at line %u, in the same launch.", me, what, other,
				 f->site[1].line);
	f->message[0] = (char)(f->message[0] & ~32);
	snprintf(f->hint, sizeof f->hint,
			 "load it without __ldg() or const __restrict__: they are for memory that nothing writes while the kernel "
			 "runs");
	return true;
}

static bool describe(const Checker *c, const Hit *h, Finding *f) {
	static const char *const did[] = {"read", "wrote", "updated (atomically)"};
	char me[96], other[96], what[128];
	say_thread(&f->site[0], me, sizeof me);
	say_thread(&f->site[1], other, sizeof other);
	say_what(f, what, sizeof what);
	if (h->rule == RULE_ASYNC || h->rule == RULE_SOURCE) {
		snprintf(f->message, sizeof f->message, "%s %s %s, which an asynchronous copy at line %u may still be %s.", me,
				 did[h->kind[0]], what, f->site[1].line, h->rule == RULE_ASYNC ? "writing" : "reading");
		f->message[0] = (char)(f->message[0] & ~32);
		snprintf(f->hint, sizeof f->hint,
				 "wait for the copy first: cp.async.wait_group (__pipeline_wait_prior, consumer_wait) or its mbarrier, "
				 "then a barrier");
		return true;
	}
	if (h->rule == RULE_READ_ONLY) return describe_read_only(h, f, me, other, what);
	if (h->rule == RULE_PROXY || h->rule == RULE_PRODUCT_WRITE) return describe_proxy(h, f, me, other, what);
	if (h->instr[0] == h->instr[1] && h->rule == 3)
		snprintf(
			f->message, sizeof f->message,
			"Two lanes of one instruction write different values to %s: %s and %s. Which value remains is undefined.",
			what, me, other);
	else
		snprintf(f->message, sizeof f->message, "%s %s %s, which %s %s at line %u; nothing orders the two.", me,
				 did[h->kind[0]], what, other, did[h->kind[1]], f->site[1].line);
	if (f->message[0] == 't' || f->message[0] == 'a') f->message[0] = (char)(f->message[0] - 'a' + 'A');
	say_missing(c, h, f);
	return true;
}

/* --- the launch --------------------------------------------------------------------------------------------------- */

static bool serial(const Observer *self, const LaunchInfo *info) {
	(void)self;
	return !race_blocks_are_independent(info);
}

static bool conflict(const Observer *fork) {
	return ((const Race *)fork)->conflict;
}

static bool validate(Observer *self, Observer *const *forks, unsigned n, bool ended_well) {
	Race *r = (Race *)self;
	bool good = ended_well;
	for (unsigned i = 0; i < n; i++) good &= !conflict(forks[i]);
	good = good && !race_meet((Race *const *)forks, n);
	if (!good) undo_back(r->undo);
	undo_free(r->undo);
	r->undo = NULL;
	return good;
}

static void clear(Checker *c) {
	Race *r = (Race *)c;
	places_clear(&r->places);
	race_pages_forget(r);
	vec_free(&r->block_of);
	vec_free(&r->instr_of);
	free(r->site_of);
	if (c->is_fork) return;
	undo_free(r->undo);
	race_room_free(r->room);
}

static void start(Race *r, const LaunchInfo *info) {
	const uint32_t threads = (uint32_t)launch_block_threads(&info->config);
	checker_begin(&r->checker, info);
	r->lockstep = r->checker.gpu->generation->lockstep;
	r->nwarps = (threads + LANES - 1) / LANES;
	r->lanes_last = threads % LANES ? (1u << threads % LANES) - 1 : UINT32_MAX;
	r->shared_words = (info->shared_bytes + 3) / 4;
	r->cluster = info->cluster[0] * info->cluster[1] * info->cluster[2];
	r->cluster_stride = UINT64_C(1) << PAGE_SHIFT;
	while (r->cluster_stride < info->shared_bytes) r->cluster_stride *= 2;
	r->proxy = race_proxy_reads(info);
	r->copies = race_source_copies(info);
	r->read_only = race_read_only_loads(info);
	r->fences = 0;
	r->clocks = clock_bytes();
	r->last_block = NO_INDEX;
	r->site_of = xcalloc(info->ninstrs + 1, sizeof *r->site_of);
	vec_push(&r->block_of, NO_INDEX); /* time 0 is never */
	vec_push(&r->instr_of, NO_INDEX); /* and site 0 nowhere */
}

static Observer *on_fork(Observer *self) {
	const Race *r = (const Race *)self;
	Race *fork = (Race *)race_checker_new(r->checker.gpu);
	fork->checker.is_fork = true;
	start(fork, &r->checker.info);
	fork->undo = r->undo;
	fork->room = r->room;
	return &fork->checker.base;
}

static void on_launch_begin(Observer *self, const LaunchInfo *info) {
	Race *r = (Race *)self;
	checker_begin(&r->checker, info);
	if (!r->room) r->room = race_room_new();
	undo_free(r->undo);
	r->undo = info->workers > 1 ? undo_new(info->memory) : NULL;
}

static void on_launch_end(Observer *self, const LaunchOutcome *outcome) {
	Race *r = (Race *)self;
	(void)outcome;
	undo_free(r->undo);
	r->undo = NULL;
	checker_finish(&r->checker);
}

static const ObserverOrder order = {serial, conflict, validate};
static const ObserverOps ops = {.fork = on_fork,
								.join = checker_join,
								.launch_begin = on_launch_begin,
								.block_begin = on_block_begin,
								.access = on_access,
								.fresh = on_fresh,
								.barrier = on_barrier,
								.barrier_done = on_barrier_done,
								.warp_sync = on_warp_sync,
								.async = on_async,
								.fence = on_fence,
								.block_end = checker_block_end,
								.launch_end = on_launch_end};

Checker *race_checker_new(const Gpu *gpu) {
	return checker_new(
		&(Checker){
			.base = {&ops, &order}, .bytes = sizeof(Race), .describe = describe, .drop = drop_block, .clear = clear},
		gpu);
}
