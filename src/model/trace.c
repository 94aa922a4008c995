#include "model/trace.h"

#include <stdlib.h>
#include <string.h>

#include "model/code/unroll.h"
#include "model/trace_state.h"

enum {
	MOST_WARPS = 64,       /* that are recorded, or one block */
	CHOICE = 8,            /* blocks, also where an SM gets fewer: they may differ */
	MOST_VISITS = 1 << 16, /* of as many blocks as an SM gets, together */
	MOST_SECTORS = 255,    /* of a texture access; others have MAX_SEGMENTS at most */
};

/* --- recording ---------------------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b) {
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static double *slots_of(const ReplayCode *code) {
	double *slots = xcalloc(code->nblocks + 1, sizeof *slots);
	for (uint32_t b = 0; b < code->nblocks; b++)
		for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++)
			slots[b] += code->ops[i].free ? 0 : code->ops[i].slots;
	return slots;
}

static Place *places_of(const LaunchInfo *info) {
	Place *places = xcalloc(info->ninstrs + 1, sizeof *places);
	for (uint32_t f = 0; f < info->nfunctions; f++)
		for (uint32_t i = 0; i < info->functions[f]->ninstrs; i++)
			places[info->first[f] + i] = place_of(info->module, info->functions[f], &info->functions[f]->instrs[i]);
	return places;
}

/* The wanted block takes the place of the recorded one that is closest to it. */
static void record_too(Trace *t, uint32_t block) {
	uint32_t at = 0;
	for (uint32_t i = 1; i < t->nblocks; i++)
		if (labs((long)t->blocks[i] - (long)block) < labs((long)t->blocks[at] - (long)block)) at = i;
	t->blocks[at] = block;
}

static uint64_t smallest(uint64_t a, uint64_t b) {
	return a < b ? a : b;
}

static uint64_t largest(uint64_t a, uint64_t b) {
	return a > b ? a : b;
}

/* One of each n-th part, but not of equal distances: neither only the first of each row of the grid, nor the like. */
static uint64_t spread_of(uint64_t i, uint64_t n, uint64_t ran) {
	const uint64_t first = i * ran / n, end = (i + 1) * ran / n;
	return first + (i * UINT64_C(0x9E3779B97F4A7C15) >> 32) * (end - first) / (UINT64_C(1) << 32);
}

Trace *trace_new(const Gpu *gpu, const LaunchInfo *info, const InstrCost *costs, const uint32_t *follow) {
	const LaunchConfig *c = &info->config;
	const uint64_t ran = launch_blocks_run(c), rounds = (launch_blocks(c) + gpu->sms - 1) / gpu->sms;
	Trace *t = xcalloc(1, sizeof *t);
	t->lifted = lift(gpu, info, costs);
	t->places = places_of(info);
	const uint32_t file = info->functions[0]->file;
	t->file = file ? info->module->files[file] : "";
	t->slots = slots_of(&t->lifted->code);
	t->warps = (c->block[0] * c->block[1] * c->block[2] + 31) / 32;
	if (!t->warps) t->warps = 1;
	const uint64_t most = smallest(MOST_WARPS / t->warps, ran), n = largest(smallest(most, largest(rounds, CHOICE)), 1);
	t->nblocks = (uint32_t)n;
	t->rounds = (uint32_t)largest(smallest(n, rounds), 1);
	t->blocks = xcalloc(n + 1, sizeof *t->blocks);
	for (uint64_t i = 0; i < n; i++) t->blocks[i] = (uint32_t)launch_block_of(c, spread_of(i, n, ran));
	if (follow && ran == launch_blocks(c) && *follow < ran) record_too(t, *follow);
	qsort(t->blocks, n, sizeof *t->blocks, by_number);
	t->follows = follow != NULL;
	t->followed = follow ? *follow : 0;
	t->most = MOST_VISITS / (t->rounds * t->warps);
	t->recorded = xcalloc(n * t->warps + 1, sizeof *t->recorded);
	t->mbarriers = xcalloc(n, sizeof *t->mbarriers);
	return t;
}

void trace_free(Trace *t) {
	if (!t) return;
	for (uint32_t i = 0; i < t->nblocks * t->warps; i++) {
		vec_free(&t->recorded[i].visits);
		vec_free(&t->recorded[i].accesses);
		vec_free(&t->recorded[i].sectors);
	}
	for (uint32_t i = 0; i < t->nblocks; i++) {
		number_map_free(&t->mbarriers[i].at);
		vec_free(&t->mbarriers[i].mbarriers);
	}
	free(t->recorded);
	free(t->mbarriers);
	free(t->blocks);
	free(t->places);
	free(t->slots);
	lift_free(t->lifted);
	free(t);
}

Recorded *trace_block(const Trace *t, uint32_t block) {
	const uint32_t *at = bsearch(&block, t->blocks, t->nblocks, sizeof *t->blocks, by_number);
	return at ? &t->recorded[(uint32_t)(at - t->blocks) * t->warps] : NULL;
}

/* Is it the first iteration, as far as one can see? */
static bool is_first_time(Recorded *r, uint32_t loop, uint32_t code) {
	if (!loop || loop != r->loop) {
		r->loop = loop;
		r->in_loop = code;
		return true;
	}
	const bool on = r->in_loop != UINT32_MAX && code > r->in_loop;
	r->in_loop = on ? code : UINT32_MAX;
	return on;
}

/* The last visits, of one block, are one of another. Those that are left at a loop's end stay. */
static void unroll(const Trace *t, Recorded *r, uint32_t unrolled) {
	const double more = t->slots[unrolled] - UNROLL * t->slots[r->again];
	r->visits_again = 0;
	r->all += more;
	if (r->full) return;
	r->kept += more;
	r->visits.len -= UNROLL - 1;
	vec_last(&r->visits).block = unrolled;
}

void trace_visit(const Trace *t, Recorded *block, uint32_t warp, uint32_t instr, uint32_t loop) {
	Recorded *r = &block[warp];
	const uint32_t code = t->lifted->block_at[instr];
	if (code == UINT32_MAX || !is_first_time(r, loop, code)) return;
	r->visits_again = code == r->again ? r->visits_again + 1 : 1;
	r->again = code;
	r->all += t->slots[code];
	if (!r->full) {
		r->kept += t->slots[code];
		vec_push(&r->visits, ((ReplayVisit){code, (uint32_t)r->accesses.len}));
	}
	const uint32_t unrolled = loop ? UINT32_MAX : t->lifted->unrolled[code];
	if (unrolled != UINT32_MAX && r->visits_again == UNROLL) unroll(t, r, unrolled);
	r->full |= r->visits.len > t->most;
}

static ReplayKind kind_of(AccessKind kind) {
	return kind == ACCESS_LOAD ? REPLAY_LOAD : kind == ACCESS_STORE ? REPLAY_STORE : REPLAY_ATOMIC;
}

static void add_sectors(Recorded *r, uint64_t origin, const AccessPattern *p) {
	vec_reserve(&r->sectors, r->sectors.len + p->sectors);
	uint64_t *to = r->sectors.data + r->sectors.len;
	for (uint32_t i = 0; i < p->ntouched; i++)
		for (uint32_t left = touched_sectors(p->touched[i]); left; left &= left - 1)
			*to++ = origin + touched_number(p->touched[i]) * SECTORS_PER_LINE + (uint32_t)__builtin_ctz(left);
	r->sectors.len += p->sectors;
}

void trace_global(Recorded *block, const Access *a, uint64_t origin, const AccessPattern *p, uint32_t passes,
				  bool cached) {
	Recorded *r = &block[a->warp];
	if (r->full) return;
	ReplayAccess out = {.instr = a->instr,
						.kind = (uint8_t)kind_of(a->kind),
						.cached = cached,
						.passes = (uint16_t)passes,
						.lines = (uint8_t)p->lines,
						.nsectors = (uint8_t)p->sectors,
						.sectors = (uint32_t)r->sectors.len};
	if (a->kind == ACCESS_LOAD) add_sectors(r, origin, p);
	vec_push(&r->accesses, out);
}

void trace_passes(Recorded *block, const Access *a, uint32_t passes, uint32_t iterations) {
	Recorded *r = &block[a->warp];
	if (r->full) return;
	vec_push(&r->accesses, ((ReplayAccess){.instr = a->instr,
										   .kind = REPLAY_LOAD,
										   .cached = true,
										   .passes = (uint16_t)passes,
										   .lines = (uint8_t)iterations,
										   .sectors = (uint32_t)r->sectors.len}));
}

void trace_bulk(Recorded *block, const BulkRow *row, const TouchedLine *lines, uint32_t n) {
	Recorded *r = &block[row->warp];
	if (r->full) return;
	ReplayAccess out = {.instr = row->instr,
						.kind = (uint8_t)kind_of(row->kind),
						.passes = (uint16_t)n,
						.lines = (uint8_t)n,
						.sectors = (uint32_t)r->sectors.len};
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < SECTORS_PER_LINE; k++) {
			if (!(touched_sectors(lines[i]) >> k & 1)) continue;
			out.nsectors++;
			if (row->kind == ACCESS_LOAD) vec_push(&r->sectors, touched_number(lines[i]) * SECTORS_PER_LINE + k);
		}
	vec_push(&r->accesses, out);
}

enum { NO_PHASE = UINT32_MAX };

static Phases *phases_of(Mbarriers *m, const AsyncEvent *e) {
	uint64_t *at = number_map_at(&m->at, e->barrier + 1);
	const bool begins = !*at || e->kind == ASYNC_INIT;
	if (!*at) {
		vec_push(&m->mbarriers, (Phases){0});
		*at = m->mbarriers.len;
	}
	Phases *p = &m->mbarriers.data[*at - 1];
	if (begins)
		*p = (Phases){m->nevents++, NO_PHASE, e->kind == ASYNC_INIT ? 0 : e->phase};
	else if (p->parity != e->phase)
		*p = (Phases){m->nevents++, p->now, e->phase};
	return p;
}

static void add_event(Recorded *r, const AsyncEvent *e, ReplayKind kind, uint32_t passes, uint32_t event) {
	vec_push(&r->accesses,
			 ((ReplayAccess){.instr = e->instr, .kind = (uint8_t)kind, .passes = (uint16_t)passes, .event = event}));
}

/* Which phase is waited for shows whether it is over; a test that is not polled waits for nothing. */
static void add_test(Recorded *r, const AsyncEvent *e, const Phases *p, bool polled) {
	const uint32_t phase = e->over ? p->before : polled ? p->now : NO_PHASE;
	if (phase != NO_PHASE) add_event(r, e, REPLAY_AWAIT, 0, phase);
}

void trace_async(const Trace *t, Recorded *block, const AsyncEvent *e, bool polled) {
	Recorded *r = &block[e->warp];
	Mbarriers *m = &t->mbarriers[(block - t->recorded) / t->warps];
	const Phases *p = e->kind >= ASYNC_BULK && e->kind <= ASYNC_TEST && e->owner == e->block ? phases_of(m, e) : NULL;
	if (r->full) return;
	switch (e->kind) {
	case ASYNC_COMMIT: add_event(r, e, REPLAY_COMMIT, 0, 0); break;
	case ASYNC_WAIT:
		if (e->keep == UINT32_MAX) add_event(r, e, REPLAY_COMMIT, 0, 0);
		add_event(r, e, REPLAY_WAIT, e->keep == UINT32_MAX ? 0 : e->keep, 0);
		break;
	case ASYNC_PRODUCT_COMMIT: add_event(r, e, REPLAY_COMMIT_PRODUCTS, 0, 0); break;
	case ASYNC_PRODUCT_WAIT: add_event(r, e, REPLAY_WAIT_PRODUCTS, e->keep, 0); break;
	case ASYNC_BULK:
	case ASYNC_ARRIVE:
		if (p) add_event(r, e, REPLAY_SIGNAL, 0, p->now);
		break;
	case ASYNC_ARRIVE_LATER:
		if (p) add_event(r, e, REPLAY_SIGNAL_LATER, 0, p->now);
		break;
	case ASYNC_TEST:
		if (p) add_test(r, e, p, polled);
		break;
	default: break;
	}
}

void trace_texture(Recorded *block, const TextureAccess *a, uint64_t base) {
	Recorded *r = &block[a->warp];
	if (r->full) return;
	ReplayAccess out = {.instr = a->instr,
						.kind = (uint8_t)kind_of(a->kind),
						.cached = true,
						.passes = (uint16_t)__builtin_popcount(a->mask),
						.sectors = (uint32_t)r->sectors.len};
	for (uint32_t i = 0; i < a->nsectors && out.nsectors < MOST_SECTORS; i++) {
		out.nsectors++;
		vec_push(&r->sectors, base / 32 + a->sectors[i]);
	}
	vec_push(&r->accesses, out);
}
