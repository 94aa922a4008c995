/* Warps that wait for something in memory: a flag, a lock, an mbarrier. Such a warp runs a loop that changes nothing
 * and comes back to where it was, with the same registers. As long as what it reads stays as it is, it would do that
 * forever; so it is not run but polled, one time around its loop, and seldom while others go on.
 *
 * If all warps of all host threads are found waiting, and none went on in between, nothing can change any more. */
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "emu/code/async.h"
#include "emu/code/handlers.h"
#include "emu/exec/out_of_line.h"
#include "emu/machine/schedule.h"
#include "ptx/places.h"

enum {
	LONGEST_LOOP = 256, /* Ops */
	MOST_SKIP = 16,     /* turns */
	MOST_STRIDES = 4,   /* so 15 turns */
	YIELDS = 64,        /* a host thread gives way so often before it sleeps */
	NAP_NS = 50000,
};

/* --- one split ---------------------------------------------------------------------------------------------------- */

/* Nothing but registers of this call, and no clock is read. Of an atomic it is known afterwards. */
static bool changes_nothing(const Warp *w, const Op *op) {
	if (op->run == handler(H_block)) return true;
	switch (instr_of(w, op)->op) {
	case OP_LD:
	case OP_LDU:
	case OP_LDMATRIX:
	case OP_FENCE:
	case OP_MEMBAR:
	case OP_NANOSLEEP:
	case OP_BRA:
	case OP_BRX: return true;
	case OP_ATOM: return op->run != run_atom_b128;
	case OP_MOV: return op->run != run_clock;
	case OP_BAR: return op->run == run_warp_sync;
	case OP_CALL: return op->run != run_call || !((const CallSite *)op->aux)->builtin;
	case OP_RET: return op->run != run_ret || w->frame->caller;
	case OP_MBARRIER: return op->run == run_mbarrier && mbarrier_tests(op->aux);
	case OP_ALLOCA:
	case OP_STACKRESTORE: return false;
	default: break;
	}
	const PtxCost cost = ptx_op_cost(instr_of(w, op)->op);
	return cost == COST_SHUFFLE || (cost > COST_NONE && cost <= COST_CONVERT);
}

/* Runs from *op on, as long as that changes nothing; true: until it is there again. *op: where it goes on, or NULL. */
static bool comes_around(Warp *w, const Op **op) {
	const Op *const start = *op;
	const Split *s = w->split;
	const uint32_t mask = w->mask, depth = s->nentries;
	const Frame *frame = w->frame;
	for (uint32_t n = 0; n < LONGEST_LOOP && changes_nothing(w, *op); n++) {
		*op = (*op)->run(w, *op);
		if (!*op) return false;
		if (*op == start && w->mask == mask && w->frame == frame && s->nentries == depth) return !w->spinning.changed;
	}
	return false;
}

/* Runs the split for one iteration of the loop that it may wait in, and notes whether it only waits. Returns the
 * operation that it goes on with, or NULL if its turn is over. */
static const Op *poll(Warp *w, Split *s) {
	Worker *k = w->worker;
	warp_switch(w, s);
	const Op *op = s->pc;
	const Warp was = *w;
	const size_t bytes = w->frame->function->frame_bytes;
	if (bytes > k->before_bytes) k->before = xrealloc(k->before, k->before_bytes = bytes);
	memcpy(k->before, w->regs, bytes);
	w->spinning.polled = true;
	w->spinning.changed = false;
	s->waits = comes_around(w, &op) && memcmp(k->before, w->regs, bytes) == 0;
	w->spinning.polled = false;
	if (op) s->pc = op;
	if (!s->waits) return op;
	const uint32_t blocks = w->done + w->part - (uint32_t)w->budget - (was.done + was.part - (uint32_t)was.budget);
	w->done = was.done;
	w->part = was.part;
	w->rest = was.rest;
	w->budget = was.budget;
	work_done(w, op, blocks);
	must_stop(w, op, blocks);
	return op;
}

/* One that goes on is polled ever less often. */
static void note_stride(Split *s) {
	s->polls = 0;
	s->strides += s->strides < MOST_STRIDES;
	s->skip = (uint8_t)((1u << s->strides) - 1);
}

/* Lanes of its warp that wait below it may be what it waits for. They are given a turn only when nothing else goes on:
 * from then on the warp executes what follows in parts. Before cc 7.0 they never get one. */
static bool note_wait(Warp *w, Split *s) {
	s->strides = 0;
	s->skip = s->polls;
	if (s->polls < MOST_SKIP) s->polls++;
	return w->worker->forks && !w->worker->run->info.gpu->generation->lockstep && warp_fork_waiting(w);
}

Turn split_turn(Warp *w, Split *s) {
	const bool skips = s->skip && !(s->waits && w->block->cluster->calm);
	if (skips) s->skip--;
	const Op *op = skips ? s->pc : poll(w, s);
	if (s->waits) return !skips && note_wait(w, s) ? TURN_OVER : TURN_WAITED;
	if (!skips) note_stride(s);
	return op ? TURN_RUN : TURN_OVER;
}

bool cluster_waits(const Cluster *c) {
	for (uint32_t i = 0; i < c->size; i++)
		for (uint32_t n = 0; n < c->block[i]->nwarps; n++) {
			const Warp *w = &c->block[i]->warps[n];
			for (uint32_t k = 0; w->alive && k < w->splits.len; k++)
				if (w->splits.data[k]->state == SPLIT_READY) return true;
		}
	return false;
}

static bool warp_waits(Warp *w) {
	bool waits = true;
	for (uint32_t i = 0; i < w->splits.len && waits; i++) {
		Split *s = w->splits.data[i];
		if (s->state != SPLIT_READY) continue;
		poll(w, s);
		waits = s->waits && !warp_fork_waiting(w);
	}
	return waits;
}

bool block_waits(Block *b) {
	for (uint32_t i = 0; i < b->nwarps; i++)
		if (b->warps[i].alive && !warp_waits(&b->warps[i])) return false;
	return true;
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

typedef struct {
	const char *what;
	Place at;
	uint32_t warps;
} Waiting;

static Waiting waiting_at(const Warp *w, const Split *s) {
	const EmuFunction *fn = s->frame->function;
	Waiting x = {.warps = 1, .what = w->spinning.tests ? " for an mbarrier" : " for memory to change"};
	if (s->state == SPLIT_BARRIER) x.what = s->barrier < NAMED_BARRIERS ? " at a barrier" : " for other warps";
	if (s->state == SPLIT_SYNC) x.what = " for lanes of their own";
	if (s->pc->instr < fn->ptx->ninstrs)
		x.at = place_of(w->worker->run->kernel->module->ptx, fn->ptx, &fn->ptx->instrs[s->pc->instr]);
	return x;
}

enum { MOST_PLACES = 4 };

static uint32_t gather_waiting(const Block *b, Waiting out[MOST_PLACES]) {
	uint32_t n = 0;
	for (uint32_t i = 0; i < b->nwarps; i++) {
		const Warp *w = &b->warps[i];
		for (uint32_t k = 0; w->alive && k < w->splits.len; k++) {
			if (w->splits.data[k]->state == SPLIT_DONE) continue;
			const Waiting x = waiting_at(w, w->splits.data[k]);
			uint32_t at = 0;
			while (at < n && (out[at].what != x.what || out[at].at.line != x.at.line)) at++;
			if (at < n)
				out[at].warps++;
			else if (n < MOST_PLACES)
				out[n++] = x;
		}
	}
	return n;
}

/* Blocks that the emulator holds at once may be fewer than those that wait for each other. */
static void not_begun_text(const Run *run, char *out, size_t size) {
	const uint64_t next = atomic_load(&run->schedule.next_cluster), all = run->shape.nclusters;
	const unsigned long long blocks = next < all ? (all - next) * run->shape.cluster_size : 0;
	const char *const why = run->launch->config.schedule ? ": blocks may begin in any order, and not all at once."
														 : ", since there is no room for more at a time.";
	if (!blocks)
		snprintf(out, size, ".");
	else
		snprintf(out, size, "; %llu %s not begun%s", blocks, blocks == 1 ? "block has" : "blocks have", why);
}

static void waiting_text(const Block *b, char *out, size_t size) {
	Waiting all[MOST_PLACES];
	const uint32_t n = gather_waiting(b, all);
	size_t used = (size_t)snprintf(out, size, "Every warp waits for another. In this block");
	for (uint32_t i = 0; i < n && used < size; i++) {
		char line[32] = "";
		if (all[i].at.line) snprintf(line, sizeof line, " in line %u", all[i].at.line);
		used += (size_t)snprintf(out + used, size - used, "%s %u %s%s%s", i ? "," : "", all[i].warps,
								 all[i].warps == 1 ? (i ? "waits" : "warp waits") : (i ? "wait" : "warps wait"), line,
								 all[i].what);
	}
	if (used < size) not_begun_text(b->worker->run, out + used, size - used);
	used = strlen(out);
	if (b->worker->run->info.gpu->generation->lockstep)
		snprintf(
			out + used, size - used,
			" Before cc 7.0 lanes that wait keep the others of their warp from going on: take a lock and release it "
			"on the same side of a branch, or by one lane per warp.");
}

void never_ends(const Cluster *c) {
	for (uint32_t i = 0; i < c->size; i++)
		for (uint32_t n = 0; n < c->block[i]->nwarps; n++) {
			Warp *w = &c->block[i]->warps[n];
			Run *run = w->worker->run;
			if (!w->alive || w->splits.data[0]->state != SPLIT_READY) continue;
			warp_switch(w, w->splits.data[0]);
			if (stop_at(w, w->split->pc, STOP_WAITS)) waiting_text(w->block, run->end.waits, sizeof run->end.waits);
			return;
		}
}

static uint64_t progress_of_all(const Run *run) {
	uint64_t sum = 0;
	for (unsigned i = 0; i < run->nworkers; i++) sum += atomic_load(&run->workers[i].progress);
	return sum;
}

/* Since then all of them only wait; tried: also the lanes below others were offered a turn. */
static bool all_wait_since(const Run *run, uint64_t progress, bool tried) {
	bool all = progress_of_all(run) == progress;
	for (unsigned i = 0; i < run->nworkers; i++) {
		const Worker *k = &run->workers[i];
		const uint64_t since = atomic_load(&k->calm_since);
		all &= since == UINT64_MAX || (since == progress && (!tried || atomic_load(&k->tried_since) == progress));
	}
	return all;
}

static void give_way(Worker *k) {
	const struct timespec nap = {.tv_nsec = NAP_NS};
	if (k->naps++ < YIELDS) {
		sched_yield();
		return;
	}
	worker_ends(k);
	nanosleep(&nap, NULL);
	worker_begins(k);
}

/* What a pass over all clusters found holds for a time if no warp went on since the pass before. */
void worker_waits(Worker *k, const Cluster *c) {
	Run *run = k->run;
	const uint64_t now = progress_of_all(run);
	const bool still = k->looked == now;
	k->looked = now;
	k->waiting = 0;
	const bool tried = still && k->forks;
	atomic_store(&k->calm_since, still ? now : 0);
	atomic_store(&k->tried_since, tried ? now : 0);
	k->forks = still && all_wait_since(run, now, false);
	if (run->launch->config.concurrent) return;
	if (tried && all_wait_since(run, now, true))
		never_ends(c);
	else
		give_way(k);
}
