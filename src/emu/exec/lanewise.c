/* Instructions across the lanes of a warp: shuffles, votes, matches, reductions. Those with a member mask wait until
 * all its lanes have arrived (warp_gathered). Source: PTX ISA, "shfl.sync", "vote.sync", "match.sync", "redux.sync",
 * "elect.sync". */
#include <string.h>

#include "emu/exec/lanes.h"
#include "emu/exec/out_of_line.h"

static void report_sync(Warp *w, const Op *op, const u32 *source) {
	const Worker *k = w->worker;
	const WarpSync sync = {.instr = w->first_instr + op->instr,
						   .block = w->block->number,
						   .warp = w->number,
						   .mask = w->mask,
						   .alive = w->alive | w->split->passed,
						   .member = (const u32 *)(w->regs + op->e),
						   .source = source};
	NOTIFY(k, warp_sync, &sync);
}

/* e: place of the member mask; NO_SLOT: an older form without one. */
static bool have_met(Warp *w, const Op *op) {
	return op->e == NO_SLOT || warp_gathered(w, op, (u32)lane_get(w, op->e, 4, first_lane(w->mask)));
}

static bool all_here(Warp *w, const Op *op) {
	if (!have_met(w, op)) return false;
	if (op->e != NO_SLOT && w->worker->nobservers) report_sync(w, op, NULL);
	return true;
}

static void set_group(Warp *w, u32 slot, u32 group, u32 value) {
	FOR_LANES(l, group) lane_set(w, slot, 4, l, value);
}

const Op *run_shfl(Warp *w, const Op *op) {
	if (!have_met(w, op)) return NULL;
	const u32 *a = (const u32 *)(w->regs + op->a), *b = (const u32 *)(w->regs + op->b),
			  *c = (const u32 *)(w->regs + op->c);
	u32 out[LANES], source[LANES], pred = 0;
	for (u32 l = 0; l < LANES; l++) {
		const s32 segment = (s32)(c[l] >> 8 & 31), limit = (s32)(c[l] & 31), by = (s32)(b[l] & 31);
		const s32 lane = (s32)l, lowest = lane & segment, last = lowest | (limit & ~segment);
		s32 from;
		bool ok;
		switch ((PtxShuffle)(SHFL_UP + op->kind)) {
		case SHFL_UP:
			from = lane - by;
			ok = from >= last;
			break;
		case SHFL_DOWN:
			from = lane + by;
			ok = from <= last;
			break;
		case SHFL_BFLY:
			from = lane ^ by;
			ok = from <= last;
			break;
		default:
			from = lowest | (by & ~segment);
			ok = from <= last;
			break;
		}
		if (!ok) from = lane;
		source[l] = (u32)from & 31;
		out[l] = a[source[l]];
		pred |= (u32)ok << l;
	}
	if (op->e != NO_SLOT && w->worker->nobservers) report_sync(w, op, source);
	if (op->d != NO_SLOT) {
		u32 *d = (u32 *)(w->regs + op->d);
		for (u32 l = 0; l < LANES; l++) d[l] = w->mask >> l & 1 ? out[l] : d[l];
	}
	if (op->extra[0] != NO_SLOT) pred_set(w, op->extra[0], pred);
	return op + 1;
}

/* Those of rest with the member mask of its first lane: lanes of several groups may come together. */
static u32 group_in(const Warp *w, const Op *op, u32 rest) {
	if (op->e == NO_SLOT) return rest;
	const u32 *member = (const u32 *)(w->regs + op->e), mine = member[first_lane(rest)];
	u32 group = 0;
	FOR_LANES(l, rest)
		if (member[l] == mine) group |= 1u << l;
	return group;
}

const Op *run_vote(Warp *w, const Op *op) {
	if (!all_here(w, op)) return NULL;
	const u32 voted = pred_get(w, op->a, op->flags & OPF_NEGATED) & w->mask;
	u32 said = 0;
	for (u32 rest = w->mask, group; rest; rest &= ~group) {
		group = group_in(w, op, rest);
		const u32 p = voted & group;
		switch ((PtxVote)op->kind) {
		case VOTE_BALLOT: set_group(w, op->d, group, p); break;
		case VOTE_ALL: said |= p == group ? group : 0; break;
		case VOTE_ANY: said |= p ? group : 0; break;
		default: said |= p == 0 || p == group ? group : 0; break;
		}
	}
	if ((PtxVote)op->kind != VOTE_BALLOT) pred_set(w, op->d, said);
	return op + 1;
}

/* kind: 1 for match.all; container: bytes of the compared value */
const Op *run_match(Warp *w, const Op *op) {
	if (!all_here(w, op)) return NULL;
	u32 out[LANES] = {0}, same = w->mask;
	FOR_LANES(l, w->mask) {
		u64 mine = lane_get(w, op->a, op->container, l);
		FOR_LANES(lane, w->mask)
			if (lane_get(w, op->a, op->container, lane) == mine) out[l] |= 1u << lane;
		same &= out[l];
	}
	const bool all = same == w->mask;
	FOR_LANES(l, w->mask) {
		if (op->d != NO_SLOT) lane_set(w, op->d, 4, l, op->kind ? (all ? w->mask : 0) : out[l]);
	}
	if (op->extra[0] != NO_SLOT) pred_set(w, op->extra[0], all ? ~0u : 0);
	return op + 1;
}

static u32 reduce(PtxAtomic how, PtxType t, u32 x, u32 y) {
	const bool sign = t == T_S32;
	switch (how) {
	case ATOM_AND: return x & y;
	case ATOM_OR: return x | y;
	case ATOM_XOR: return x ^ y;
	case ATOM_MIN: return sign ? ((s32)x < (s32)y ? x : y) : (x < y ? x : y);
	case ATOM_MAX: return sign ? ((s32)x > (s32)y ? x : y) : (x > y ? x : y);
	default: return x + y;
	}
}

const Op *run_redux(Warp *w, const Op *op) {
	if (!all_here(w, op)) return NULL;
	const PtxInstr *in = instr_of(w, op);
	u32 a[LANES];
	memcpy(a, w->regs + op->a, sizeof a);
	for (u32 rest = w->mask, group; rest; rest &= ~group) {
		group = group_in(w, op, rest);
		u32 r = a[first_lane(group)];
		FOR_LANES(l, group & (group - 1)) r = reduce(in->atomic, in->types[0], r, a[l]);
		set_group(w, op->d, group, r);
	}
	return op + 1;
}

const Op *run_elect(Warp *w, const Op *op) {
	if (!all_here(w, op)) return NULL;
	if (op->d != NO_SLOT) set_group(w, op->d, w->mask, first_lane(w->mask));
	if (op->extra[0] != NO_SLOT) pred_set(w, op->extra[0], w->mask & (0u - w->mask));
	return op + 1;
}

const Op *run_activemask(Warp *w, const Op *op) {
	set_group(w, op->d, w->mask, w->mask);
	return op + 1;
}

const Op *run_warp_sync(Warp *w, const Op *op) {
	if (!all_here(w, op)) return NULL;
	if (w->worker->run->wants.barrier) {
		const Barrier b = {.instr = w->first_instr + op->instr,
						   .block = w->block->number,
						   .warp = w->number,
						   .mask = w->mask,
						   .warp_only = true};
		Worker *k = w->worker;
		NOTIFY(k, barrier, &b);
	}
	return op + 1;
}

/* --- time and fences ---------------------------------------------------------------------------------------------- */

enum { NS_PER_READ = 32 };

const Op *run_fence(Warp *w, const Op *op) {
	__sync_synchronize();
	Worker *k = w->worker;
	if (!k->run->wants.fence) return op + 1;
	const PtxInstr *in = instr_of(w, op);
	NOTIFY(k, fence, w->first_instr + op->instr, w->block->number, w->number, w->mask, in->scope);
	return op + 1;
}

/* The emulator has no clock of its own: %clock counts the nanoseconds of the launch's limit that are used. In a launch
 * that is to be the same each time, time passes with slices and with reads of the clock. */
const Op *run_clock(Warp *w, const Op *op) {
	Run *run = w->worker->run;
	const bool repeatable = run->launch->config.repeatable || run->launch->config.schedule;
	const u64 since = repeatable ? w->worker->kernel_ns += NS_PER_READ : run_spent(w->worker);
	const u64 now = repeatable ? since : run->end.started_ns + since;
	u64 v = since;
	switch ((int)op->kind) {
	case SR_CLOCK_HI: v = since >> 32; break;
	case SR_GLOBALTIMER:
	case SR_GLOBALTIMER_LO: v = now; break;
	case SR_GLOBALTIMER_HI: v = now >> 32; break;
	default: break;
	}
	w->spinning.sync_ops++; /* a thread that reads a clock in a loop waits for something */
	FOR_LANES(l, w->mask) lane_set(w, op->d, op->container, l, v);
	return op + 1;
}

const Op *run_nanosleep(Warp *w, const Op *op) {
	slice_cut(w);
	return op + 1;
}

/* --- addresses ---------------------------------------------------------------------------------------------------- */

/* kind: PtxSpace asked for; imm: shared memory of other blocks of the cluster is allowed */
const Op *run_isspacep(Warp *w, const Op *op) {
	const u64 *a = (const u64 *)(w->regs + op->a);
	u32 p = 0;
	FOR_LANES(l, w->mask) {
		u64 addr = a[l];
		PtxSpace s = generic_space(&addr);
		if (s == SPACE_GLOBAL) {
			const Allocation *at = memory_find(w->worker->run->info.memory, addr);
			if (at && at->kind == ALLOC_CONST) s = SPACE_CONST;
		}
		const bool elsewhere = s == SPACE_SHARED && addr >= CLUSTER_STRIDE && !op->imm;
		p |= (u32)(s == (PtxSpace)op->kind && !elsewhere) << l;
	}
	pred_set(w, op->d, p);
	return op + 1;
}

/* imm: the window, added on the way to generic, taken off on the way back; container bytes of both registers in
 * kind. */
const Op *run_cvta(Warp *w, const Op *op) {
	const u32 dc = op->kind & 255, sc = op->kind >> 8;
	FOR_LANES(l, w->mask) {
		lane_set(w, op->d, dc, l, lane_get(w, op->a, sc, l) + (u64)op->imm);
	}
	return op + 1;
}

/* --- parameters of calls: words of 32 lanes; a: place of word 0, imm: byte offset --------------------------------- */

static void callparam_lane(Warp *w, const Op *op, u32 lane, bool store) {
	u64 at = (u64)op->imm;
	for (u32 i = 0; i < op->vector; i++, at += op->bytes) {
		u32 slot = op->vector == 1 ? op->d : op->list[i];
		if (slot == NO_SLOT) continue;
		u64 v = store ? lane_get(w, slot, op->container, lane) : 0;
		for (u32 k = 0; k < op->bytes; k++) {
			u8 *byte = w->regs + op->a + (at + k) / 4 * SLOT32 + lane * 4 + (at + k) % 4;
			if (store)
				*byte = (u8)(v >> (8 * k));
			else
				v |= (u64)*byte << (8 * k);
		}
		if (store) continue;
		if ((op->flags & OPF_SIGNED) && op->bytes < 8)
			v = (u64)((s64)(v << (64 - 8 * op->bytes)) >> (64 - 8 * op->bytes));
		lane_set(w, slot, op->container, lane, v);
	}
}

const Op *run_ld_callparam(Warp *w, const Op *op) {
	FOR_LANES(l, w->mask) callparam_lane(w, op, l, false);
	return op + 1;
}
const Op *run_st_callparam(Warp *w, const Op *op) {
	FOR_LANES(l, w->mask) callparam_lane(w, op, l, true);
	return op + 1;
}
