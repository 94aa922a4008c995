/* race.h: the causality order. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "emu/check/race.h"

/* --- times and keys ----------------------------------------------------------------------------------------------- */

/* Clocks are allocated and freed in every operation: their memory is accounted periodically. */
static void charge_clocks(Race *r) {
	enum { STEP = 1 << 16 };
	const size_t bytes = clock_bytes();
	if (bytes < r->clocks + STEP) return;
	shadow_take(r->checker.info.shadow, "race", bytes - r->clocks);
	r->clocks = bytes;
}

void race_tick(Race *r, RaceBlock *b) {
	const bool other = r->last_block != b->number;
	if (!b->touched && !other) return;
	assert(r->block_of.len > b->now && r->block_of.len < UINT32_MAX);
	b->now = (uint32_t)r->block_of.len;
	if (r->block_of.len == r->block_of.cap)
		shadow_take(r->checker.info.shadow, "race", r->block_of.cap * sizeof b->now);
	charge_clocks(r);
	vec_push(&r->block_of, b->number);
	b->touched = false;
	if (other && !b->fresh) r->conflict = true; /* blocks take turns */
	b->fresh = false;
	if (other) b->own = b->now;
	r->last_block = b->number;
}

static uint64_t block_key(uint32_t block) {
	return (uint64_t)block << 11;
}
static uint64_t warp_key(uint32_t block, uint32_t warp) {
	return (uint64_t)block << 11 | (1 + warp);
}
static uint64_t thread_key(uint32_t block, uint32_t thread) {
	return (uint64_t)block << 11 | 1024 | thread;
}

static bool covers(const Clock *c, uint32_t block, uint32_t thread, uint32_t time) {
	return c && (time < clock_get(c, block_key(block)) || time < clock_get(c, warp_key(block, thread / LANES)) ||
				 time < clock_get(c, thread_key(block, thread)));
}

bool race_ordered(const Race *r, const RaceBlock *b, uint32_t thread, Cell c) {
	assert(cell_time(c) < r->block_of.len && thread / LANES < b->nwarps);
	const uint32_t time = cell_time(c), other = cell_thread(c), of = r->block_of.data[time];
	const RaceWarp *w = &b->warps[thread / LANES];
	if (of == b->number) {
		if (time < b->floor || (other == thread && !(c & CELL_SEVERAL))) return true;
		if (other / LANES == thread / LANES &&
			(r->lockstep || time < w->floor || (w->parted && time < w->met[thread % LANES][other % LANES])))
			return true;
	}
	if (!b->acquired) return false;
	return covers(b->knows, of, other, time) || covers(w->knows, of, other, time) ||
		   (w->lanes && covers(w->lanes[thread % LANES].knows, of, other, time));
}

/* --- lanes -------------------------------------------------------------------------------------------------------- */

static LaneOrder *lane_of(RaceBlock *b, uint32_t warp, uint32_t lane) {
	assert(warp < b->nwarps && lane < LANES);
	RaceWarp *w = &b->warps[warp];
	if (!w->lanes) w->lanes = xcalloc(LANES, sizeof *w->lanes);
	return &w->lanes[lane];
}

/* Acquires what was read. */
static void take(RaceBlock *b, LaneOrder *l, unsigned level) {
	for (unsigned i = 0; i <= level; i++) {
		if (!l->read[i]) continue;
		l->knows = clock_join(l->knows, l->read[i]);
		l->read[i] = NULL;
		b->acquired = true;
	}
}

void race_fence(Race *r, RaceBlock *b, uint32_t warp, uint32_t mask, unsigned level) {
	race_tick(r, b);
	r->fences++;
	RaceWarp *w = &b->warps[warp];
	for (unsigned i = 0; i <= level; i++) w->dirty[i] &= ~mask;
	FOR_LANES(lane, mask) {
		LaneOrder *l = lane_of(b, warp, lane);
		for (unsigned i = 0; i <= level; i++) {
			l->fence[i] = b->now;
			l->floor[i] = b->floor;
			l->warp_floor[i] = w->floor;
		}
		take(b, l, level);
	}
}

/* --- places ------------------------------------------------------------------------------------------------------- */

static SyncPlace *place_find(const Places *p, uint64_t addr) {
	const uint64_t index = number_map_get(&p->index, addr);
	assert(index <= p->list.len);
	return index ? &p->list.data[index - 1] : NULL;
}

static SyncPlace *place_make(Race *r, Places *p, uint64_t addr) {
	uint64_t *index = number_map_at(&p->index, addr);
	if (!*index) {
		shadow_take(r->checker.info.shadow, "race", sizeof(SyncPlace) + 2 * sizeof(NumberSlot));
		vec_push(&p->list, (SyncPlace){0});
		*index = p->list.len;
	}
	return &p->list.data[*index - 1];
}

void places_clear(Places *p) {
	for (size_t i = 0; i < p->list.len; i++)
		for (unsigned k = 0; k < LEVELS; k++) clock_drop(p->list.data[i].left[k]);
	vec_free(&p->list);
	number_map_free(&p->index);
}

/* --- releasing and acquiring -------------------------------------------------------------------------------------- */

static Clock *all_known(const RaceBlock *b, const RaceWarp *w, const LaneOrder *l) {
	Clock *c = clock_join(clock_keep(b->knows), clock_keep(w->knows));
	return clock_join(c, clock_keep(l->knows));
}

/* What the lane releases: of itself and its warp what its last fence covered, of its block that and what was visible
 * to the device at the last barrier. */
static Clock *published(const RaceBlock *b, uint32_t warp, uint32_t lane, const LaneOrder *l, unsigned level) {
	const RaceWarp *w = &b->warps[warp];
	uint32_t floor = l->floor[level];
	if (level == LEVEL_GPU && b->fenced > floor) floor = b->fenced;
	if (level == LEVEL_CTA && l->fence[level]) floor = b->floor;
	const uint32_t warp_floor = w->fenced[level] > l->warp_floor[level] ? w->fenced[level] : l->warp_floor[level];
	if (!l->fence[level] && !floor && !w->fenced[level]) return NULL;
	Clock *c = all_known(b, w, l);
	c = clock_set(c, block_key(b->number), floor);
	c = clock_set(c, warp_key(b->number, warp), warp_floor);
	c = clock_set(c, thread_key(b->number, warp * LANES + lane), l->fence[level]);
	for (uint32_t k = 0; w->parted && k < LANES; k++) {
		const uint32_t met = w->met[lane][k];
		c = clock_set(c, thread_key(b->number, warp * LANES + k), met < l->fence[level] ? met : l->fence[level]);
	}
	return c;
}

uint64_t race_cluster_memory(const Race *r, uint32_t block) {
	const RaceBlock *owner = block_state((Blocks *)&r->checker.blocks, block);
	return CLUSTER_MEMORY + owner->slot * r->cluster_stride;
}

void race_release(Race *r, RaceBlock *b, uint32_t warp, uint32_t lane, uint64_t addr, bool shared, bool now,
				  unsigned level) {
	if (now) race_fence(r, b, warp, 1u << lane, level);
	if (!r->fences) return;
	const LaneOrder *l = lane_of(b, warp, lane);
	for (unsigned i = 0; i <= level; i++) {
		Clock *c = published(b, warp, lane, l, i);
		if (!c) continue;
		SyncPlace *p = place_make(r, shared ? &b->places : &r->places, addr);
		if (i == LEVEL_CTA && p->block != b->number) {
			clock_drop(p->left[i]);
			p->left[i] = NULL;
			p->block = b->number;
		}
		p->left[i] = clock_join(p->left[i], c);
	}
}

void race_acquire(Race *r, RaceBlock *b, uint32_t warp, uint32_t lane, uint64_t addr, bool shared, bool now,
				  unsigned level) {
	const SyncPlace *p = place_find(shared ? &b->places : &r->places, addr);
	if (!p) return;
	LaneOrder *l = lane_of(b, warp, lane);
	if (p->block == b->number) l->read[LEVEL_CTA] = clock_join(l->read[LEVEL_CTA], clock_keep(p->left[LEVEL_CTA]));
	if (level == LEVEL_GPU) l->read[LEVEL_GPU] = clock_join(l->read[LEVEL_GPU], clock_keep(p->left[LEVEL_GPU]));
	b->acquired = true; /* pending ones too: later synchronization checks all lanes */
	if (now) take(b, l, level);
}

/* --- synchronization ---------------------------------------------------------------------------------------------- */

/* The joint clock of these lanes, including what they read. Those that wait have none of their own after it, because
 * the joint one goes to a clock that holds for them as well: what they know is joined once, and not at each barrier. */
static Clock *gather(RaceBlock *b, RaceWarp *w, uint32_t group, uint32_t wait) {
	Clock *c = NULL;
	FOR_LANES(lane, w->lanes ? group : 0) {
		LaneOrder *l = &w->lanes[lane];
		take(b, l, LEVEL_GPU);
		c = clock_join(c, wait >> lane & 1 ? l->knows : clock_keep(l->knows));
		if (wait >> lane & 1) l->knows = NULL;
	}
	return c;
}

static void spread(RaceBlock *b, uint32_t warp, uint32_t group, Clock *c) {
	FOR_LANES(lane, c ? group : 0) {
		LaneOrder *l = lane_of(b, warp, lane);
		l->knows = clock_join(l->knows, clock_keep(c));
	}
	if (c) b->acquired = true;
	clock_drop(c);
}

static uint32_t lanes_of(const Race *r, uint32_t warp) {
	return warp + 1 == r->nwarps ? r->lanes_last : UINT32_MAX;
}

/* Joins the clocks of some lanes of the warp. */
static void meet_in_part(RaceBlock *b, RaceWarp *w, uint32_t group) {
	if (!w->met) w->met = xcalloc(LANES, sizeof *w->met);
	if (!w->parted) memset(w->met, 0, LANES * sizeof *w->met);
	w->parted = true;
	uint32_t row[LANES] = {0};
	FOR_LANES(lane, group)
		for (uint32_t k = 0, l = lane; k < LANES; k++) row[k] = w->met[l][k] > row[k] ? w->met[l][k] : row[k];
	FOR_LANES(l, group) row[l] = b->now;
	FOR_LANES(l, group) memcpy(w->met[l], row, sizeof row);
}

bool race_whole_warp(const Race *r, uint32_t warp, uint32_t group) {
	return group == lanes_of(r, warp);
}

void race_met(Race *r, RaceBlock *b, uint32_t warp, uint32_t group) {
	RaceWarp *w = &b->warps[warp];
	assert(group && !(group & ~lanes_of(r, warp)));
	assert(race_whole_warp(r, warp, group) || !b->nlate);
	race_tick(r, b);
	if (race_whole_warp(r, warp, group)) {
		w->floor = b->now;
		w->parted = false;
		for (unsigned i = 0; r->fences && i < LEVELS; i++)
			if (!w->dirty[i]) w->fenced[i] = b->now;
		if (b->acquired) w->knows = clock_join(w->knows, gather(b, w, group, group));
		return;
	}
	meet_in_part(b, w, group);
	if (b->acquired) spread(b, warp, group, gather(b, w, group, group));
}

void race_met_all(Race *r, RaceBlock *b) {
	race_tick(r, b);
	assert(b->floor <= b->now && b->own <= b->now);
	b->floor = b->now;
	b->nlate = 0;
	uint32_t dirty = 0;
	for (uint32_t i = 0; i < b->nwarps; i++) dirty |= b->warps[i].dirty[LEVEL_GPU];
	if (!dirty && r->fences) b->fenced = b->now;
	if (!b->acquired) return;
	for (uint32_t i = 0; i < b->nwarps; i++) {
		RaceWarp *w = &b->warps[i];
		b->knows = clock_join(b->knows, w->knows);
		w->knows = NULL;
		b->knows = clock_join(b->knows, gather(b, w, lanes_of(r, i), UINT32_MAX));
	}
}

void race_met_cluster(RaceBlock *const *blocks, uint32_t n) {
	Clock *all = NULL;
	for (uint32_t i = 0; i < n; i++) {
		all = clock_join(all, clock_keep(blocks[i]->knows));
		all = clock_set(all, block_key(blocks[i]->number), blocks[i]->floor);
	}
	for (uint32_t i = 0; i < n; i++) {
		blocks[i]->knows = clock_join(blocks[i]->knows, clock_keep(all));
		blocks[i]->acquired = true;
	}
	clock_drop(all);
}

void race_met_some(Race *r, RaceBlock *b, uint32_t barrier) {
	assert(barrier < BARRIERS && !b->nlate);
	race_tick(r, b);
	Clock *c = NULL;
	for (uint32_t i = 0; i < b->nwarps; i++) {
		RaceWarp *w = &b->warps[i];
		const uint32_t group = w->arrived[barrier];
		if (!group) continue;
		if (group == lanes_of(r, i))
			c = clock_set(c, warp_key(b->number, i), b->now);
		else
			FOR_LANES(l, group) c = clock_set(c, thread_key(b->number, i * LANES + l), b->now);
		c = clock_join(c, clock_keep(w->knows));
		c = clock_join(c, gather(b, w, group, w->waits[barrier]));
	}
	for (uint32_t i = 0; i < b->nwarps; i++) {
		RaceWarp *w = &b->warps[i];
		if (w->waits[barrier] && w->waits[barrier] == lanes_of(r, i))
			w->knows = clock_join(w->knows, clock_keep(c));
		else
			spread(b, i, w->waits[barrier], clock_keep(c));
	}
	if (c) b->acquired = true;
	clock_drop(c);
}
