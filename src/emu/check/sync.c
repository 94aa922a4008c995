/* The sync checker. A barrier without a count is for the whole block: at its completion every thread should have
 * arrived, all from the same source line (the compiler may duplicate the instruction, but not its line). An
 * instruction with a member mask is for exactly those lanes: each must name itself, all named lanes must be present,
 * and lanes that name each other must give the same mask. Exited lanes may be named (CUDA C++ Programming Guide,
 * "Warp Shuffle Functions": non-exited threads). A barrier that can never complete is a fault of the machine, which
 * this checker reports too. The parity that a test of an mbarrier names is 0 or 1 (PTX ISA, mbarrier.test_wait). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "emu/check/checker.h"
#include "emu/check/early_use.h"
#include "emu/check/shuffles.h"

enum { BARRIERS = 16, MOST_WARPS = 32 };

typedef enum {
	RULE_ENDED,
	RULE_LINES,
	RULE_ABSENT,
	RULE_NOT_NAMED,
	RULE_MASKS,
	RULE_SOURCE,
	RULE_EARLY_USE,
	RULE_PARITY
} Rule;

/* The first thread at a barrier that is not complete yet. */
typedef struct {
	uint32_t instr, thread;
	bool waiting;
} First;

typedef struct {
	First first[BARRIERS];
	ShuffledWarp warps[MOST_WARPS];
} SyncBlock;

typedef struct {
	Checker checker;
	uint32_t block_threads;
	EarlyUses early;
	Shuffles shuffles;
} Sync;

static uint32_t first_thread(uint32_t warp, uint32_t mask) {
	return warp * 32 + (uint32_t)__builtin_ctz(mask);
}

static void *make_block(void *context) {
	(void)context;
	return xcalloc(1, sizeof(SyncBlock));
}

static void on_block_begin(Observer *self, uint32_t block) {
	Sync *s = (Sync *)self;
	memset(blocks_begin(&s->checker.blocks, block, make_block, NULL), 0, sizeof(SyncBlock));
}

static void rule_hit(Sync *s, Rule rule, Hit hit, uint64_t one, uint64_t two) {
	hit.rule = rule;
	hit.figures[0] = one;
	hit.figures[1] = two;
	hits_add(&s->checker.hits, &hit);
}

/* Which uses in the kernel's code a warp executed. */
static void on_block_end(Observer *self, const BlockCounts *counts) {
	Sync *s = (Sync *)self;
	checker_block_end(self, counts);
	for (size_t i = 0; i < s->early.len; i++) {
		const EarlyUse *use = &s->early.data[i];
		const Hit hit = {.rule = RULE_EARLY_USE,
						 .instr = {use->instr, use->product},
						 .block = {counts->block, counts->block},
						 .thread = {0, 0},
						 .count = counts->warps[use->instr]};
		if (hit.count) hits_add(&s->checker.hits, &hit);
	}
}

static void on_barrier(Observer *self, const Barrier *b) {
	Sync *s = (Sync *)self;
	if (b->warp_only || b->id >= BARRIERS) return;
	First *first = &((SyncBlock *)block_state(&s->checker.blocks, b->block))->first[b->id];
	const uint32_t thread = first_thread(b->warp, b->mask);
	if (!first->waiting) {
		*first = (First){.instr = b->instr, .thread = thread, .waiting = true};
		return;
	}
	/* A barrier with a count has partners in different places on purpose. */
	if (first->instr == b->instr || instr_at(&s->checker.info, b->instr)->noperands > 1) return;
	if (same_place(place_at(&s->checker.info, first->instr), place_at(&s->checker.info, b->instr))) return;
	Hit hit = hit_at(b->instr, b->block, thread);
	hit.instr[1] = first->instr;
	hit.block[1] = b->block;
	hit.thread[1] = first->thread;
	rule_hit(s, RULE_LINES, hit, b->id, 0);
}

static void on_barrier_done(Observer *self, const BarrierDone *d) {
	Sync *s = (Sync *)self;
	if (d->id >= BARRIERS) return;
	First *first = &((SyncBlock *)block_state(&s->checker.blocks, d->block))->first[d->id];
	if (first->waiting && !d->expected && d->arrived < s->block_threads)
		rule_hit(s, RULE_ENDED, hit_at(first->instr, d->block, first->thread), s->block_threads - d->arrived,
				 s->block_threads);
	first->waiting = false;
}

static void mask_hit(Sync *s, const WarpSync *y, Rule rule, uint32_t lane, uint64_t one, uint64_t two) {
	rule_hit(s, rule, hit_at(y->instr, y->block, y->warp * LANES + lane), one, two);
}

/* Both reports are about one lane of the instruction; the first error is enough. */
static void look_at_masks(Sync *s, const WarpSync *y) {
	FOR_LANES(l, y->mask) {
		const uint32_t member = y->member[l];
		if (!(member >> l & 1)) return mask_hit(s, y, RULE_NOT_NAMED, l, member, l);
		const uint32_t absent = member & y->alive & ~y->mask;
		if (absent) return mask_hit(s, y, RULE_ABSENT, l, member, absent);
		FOR_LANES(lane, member & y->mask) {
			const uint32_t other = y->member[lane];
			if (other != member) return mask_hit(s, y, RULE_MASKS, l, member, other);
		}
	}
}

static ShuffledWarp *shuffled(Sync *s, uint32_t block, uint32_t warp) {
	SyncBlock *b = s->shuffles.any && warp < MOST_WARPS ? block_state(&s->checker.blocks, block) : NULL;
	return b ? &b->warps[warp] : NULL;
}

static void on_access(Observer *self, const Access *a) {
	Sync *s = (Sync *)self;
	if (a->kind == ACCESS_LOAD || !s->shuffles.stores[a->instr]) return;
	const ShuffledWarp *w = shuffled(s, a->block, a->warp);
	if (!w || !(w->undefined & a->mask)) return;
	Hit hit = hit_at(w->first_instr, a->block, a->warp * LANES + w->lane);
	hit.figures[2] = place_at(&s->checker.info, a->instr).line;
	rule_hit(s, RULE_SOURCE, hit, w->member, w->source | (uint64_t)w->inactive << 32);
}

static void on_warp_sync(Observer *self, const WarpSync *y) {
	ShuffledWarp *w = y->source ? shuffled((Sync *)self, y->block, y->warp) : NULL;
	if (w) shuffle_note(&((Sync *)self)->shuffles, w, y, instr_at(&((Sync *)self)->checker.info, y->instr));
	uint32_t different = 0;
	const uint32_t member = y->member[__builtin_ctz(y->mask)];
	FOR_LANES(l, y->mask) different |= y->member[l] ^ member;
	if (!different && !(y->mask & ~member) && !(member & y->alive & ~y->mask)) return;
	look_at_masks((Sync *)self, y);
}

static void on_async(Observer *self, const AsyncEvent *e) {
	if (e->kind != ASYNC_TEST || e->parity[0] < 2) return;
	rule_hit((Sync *)self, RULE_PARITY, hit_at(e->instr, e->block, e->warp * LANES + e->parity[1]), e->parity[0], 0);
}

/* --- reporting ---------------------------------------------------------------------------------------------------- */

static bool describe(const Checker *c, const Hit *h, Finding *f) {
	(void)c;
	snprintf(f->site[0].access, sizeof f->site[0].access, "%s",
			 h->rule <= RULE_LINES       ? "barrier"
			 : h->rule == RULE_EARLY_USE ? "use"
			 : h->rule == RULE_PARITY    ? "wait"
										 : "warp sync");
	const uint32_t one = (uint32_t)h->figures[0], two = (uint32_t)h->figures[1];
	switch ((Rule)h->rule) {
	case RULE_ENDED:
		snprintf(f->message, sizeof f->message,
				 "%u of the block's %u threads had ended before this barrier, so it was not reached by all.", one, two);
		snprintf(f->hint, sizeof f->hint,
				 "every thread must reach __syncthreads(): guard the computation, not the barrier, and do not return "
				 "before it");
		break;
	case RULE_LINES:
		snprintf(f->site[1].access, sizeof f->site[1].access, "barrier");
		snprintf(f->message, sizeof f->message,
				 "Threads of one block met at barrier %u from different lines: some here, others at line %u.", one,
				 f->site[1].line);
		snprintf(f->hint, sizeof f->hint, "all threads of the block must reach the same __syncthreads()");
		break;
	case RULE_ABSENT:
		snprintf(f->message, sizeof f->message,
				 "The mask 0x%08x names lanes that do not reach this instruction: 0x%08x.", one, two);
		snprintf(f->hint, sizeof f->hint,
				 "name exactly the lanes that execute this instruction, or let all of them reach it");
		break;
	case RULE_NOT_NAMED:
		snprintf(f->message, sizeof f->message, "Lane %u takes part, but its mask 0x%08x does not name it.", two, one);
		snprintf(f->hint, sizeof f->hint, "every calling lane must have its own bit in the mask");
		break;
	case RULE_MASKS:
		snprintf(f->message, sizeof f->message, "Lanes that name each other gave different masks: 0x%08x and 0x%08x.",
				 one, two);
		snprintf(f->hint, sizeof f->hint, "all lanes of a mask must give the same mask");
		break;
	case RULE_SOURCE:
		snprintf(
			f->message, sizeof f->message,
			h->figures[1] >> 32
				? "Lane %u reads the value of lane %u, which does not take part in the shuffle; what comes of it is "
				  "stored at line %u."
				: "Lane %u reads the value of lane %u, which its mask does not name; what comes of it is stored at "
				  "line %u.",
			h->thread[0] % LANES, two, (uint32_t)h->figures[2]);
		snprintf(
			f->hint, sizeof f->hint,
			"let the whole warp shuffle, with 0 in lanes that have no data; or use the value only if its lane is in "
			"the mask");
		break;
	case RULE_PARITY:
		snprintf(f->message, sizeof f->message,
				 "The parity of this wait at an mbarrier is %u. Only 0 and 1 are defined.", one);
		snprintf(f->hint, sizeof f->hint, "pass the number of the phase modulo 2");
		break;
	case RULE_EARLY_USE:
		snprintf(f->site[1].access, sizeof f->site[1].access, "wgmma");
		snprintf(f->message, sizeof f->message,
				 "The sums of wgmma at line %u are used here before wgmma.wait_group; until then they are undefined.",
				 f->site[1].line);
		snprintf(f->hint, sizeof f->hint,
				 "commit the group and wait for it first: wgmma.commit_group, then wgmma.wait_group 0");
		break;
	}
	return true;
}

static void on_launch_end(Observer *self, const LaunchOutcome *outcome) {
	Checker *c = (Checker *)self;
	if (outcome->status == LAUNCH_FAULT && outcome->fault.kind == FAULT_BARRIER) {
		Finding f = finding_of_fault(CHECK_SYNC, &outcome->fault);
		snprintf(f.site[0].access, sizeof f.site[0].access, "barrier");
		snprintf(f.hint, sizeof f.hint, "every thread of the block must reach the same barrier");
		vec_push(&c->findings, f);
	}
	checker_finish(c);
}

static void on_launch_begin(Observer *self, const LaunchInfo *info) {
	Sync *s = (Sync *)self;
	checker_begin(&s->checker, info);
	s->block_threads = (uint32_t)launch_block_threads(&info->config);
	vec_free(&s->early);
	s->early = early_uses(info);
	shuffles_free(&s->shuffles);
	s->shuffles = shuffles_of(info);
}

static const ObserverOps ops = {.fork = checker_fork,
								.join = checker_join,
								.launch_begin = on_launch_begin,
								.block_begin = on_block_begin,
								.barrier = on_barrier,
								.barrier_done = on_barrier_done,
								.access = on_access,
								.ignores_loads = true,
								.async = on_async,
								.warp_sync = on_warp_sync,
								.block_end = on_block_end,
								.launch_end = on_launch_end};

static void clear(Checker *c) {
	if (c->is_fork) return;
	vec_free(&((Sync *)c)->early);
	shuffles_free(&((Sync *)c)->shuffles);
}

Checker *sync_checker_new(const Gpu *gpu) {
	return checker_new(
		&(Checker){.base.ops = &ops, .bytes = sizeof(Sync), .describe = describe, .drop = free, .clear = clear}, gpu);
}
