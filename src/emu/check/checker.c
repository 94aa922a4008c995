/* checker.h: hits, their places and names, states of blocks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/text/mangled.h"
#include "emu/check/checker.h"
#include "emu/code/variables.h"
#include "emu/memory/memory.h"

/* --- hits --------------------------------------------------------------------------------------------------------- */

static uint64_t key_of(const Hit *h) {
	enum { INSTR = (1 << 28) - 1 }; /* no launch has as many instructions */
	return (uint64_t)(h->rule & 15) << 60 | (uint64_t)(h->space & 15) << 56 | (uint64_t)(h->instr[0] & INSTR) << 28 |
		   (h->instr[1] & INSTR);
}

/* A thread that is not known is one of the other's warp. */
static HitSpan span_of(const Hit *h) {
	if (h->instr[1] == NO_INDEX) return h->span;
	if (h->block[0] != h->block[1]) return SPAN_GRID;
	const bool known = h->thread[0] != NO_INDEX && h->thread[1] != NO_INDEX;
	const HitSpan span = known && h->thread[0] / LANES != h->thread[1] / LANES ? SPAN_BLOCK : SPAN_WARP;
	return span > h->span ? span : h->span;
}

size_t hits_add(Hits *h, const Hit *hit) {
	const uint64_t index = number_map_get(&h->index, key_of(hit));
	if (!index) {
		if (h->list.len >= MOST_HITS) return 0;
		vec_push(&h->list, *hit);
		h->list.data[h->list.len - 1].span = span_of(hit);
		*number_map_at(&h->index, key_of(hit)) = h->list.len;
		return h->list.len;
	}
	Hit *old = &h->list.data[index - 1];
	const uint64_t count = old->count + hit->count;
	const HitSpan span = span_of(hit) > old->span ? span_of(hit) : old->span;
	if (hit->block[0] < old->block[0]) *old = *hit;
	old->count = count;
	old->span = span;
	return index;
}

Hit hit_at(uint32_t instr, uint32_t block, uint32_t thread) {
	return (Hit){.instr = {instr, NO_INDEX}, .block = {block}, .thread = {thread, NO_INDEX}, .count = 1};
}

Hit hit_of(const Access *a, uint32_t lane, uint64_t addr, uint32_t width) {
	Hit h = hit_at(a->instr, a->block, a->warp * LANES + lane);
	h.kind[0] = a->kind;
	h.space = a->space;
	h.addr = addr;
	h.width = width;
	return h;
}

static void hits_free(Hits *h) {
	vec_free(&h->list);
	number_map_free(&h->index);
	*h = (Hits){0};
}

/* --- places ------------------------------------------------------------------------------------------------------- */

static uint32_t program_at(const LaunchInfo *info, uint32_t instr) {
	uint32_t f = 0;
	while (f + 1 < info->nfunctions && info->first[f + 1] <= instr) f++;
	return f;
}

const PtxFunction *function_at(const LaunchInfo *info, uint32_t instr) {
	return info->functions[program_at(info, instr)];
}

const PtxInstr *instr_at(const LaunchInfo *info, uint32_t instr) {
	uint32_t f = program_at(info, instr);
	uint32_t at = instr - info->first[f];
	return at < info->functions[f]->ninstrs ? &info->functions[f]->instrs[at] : NULL;
}

Place place_at(const LaunchInfo *info, uint32_t instr) {
	const bool known = instr != NO_INDEX;
	return place_of(info->module, known ? function_at(info, instr) : NULL, known ? instr_at(info, instr) : NULL);
}

bool same_place(Place a, Place b) {
	return a.line == b.line && !strcmp(a.file, b.file);
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static void name_shared(const LaunchInfo *info, uint64_t addr, Finding *f) {
	uint64_t begin = 0;
	f->buffer_bytes = info->shared_bytes;
	const PtxVar *v = shared_variable(info, addr, &begin, &f->buffer_bytes);
	if (v) mangled_variable(v->name, f->buffer, sizeof f->buffer);
	f->offset = (int64_t)(addr - begin);
}

void name_address(const LaunchInfo *info, PtxSpace space, uint64_t addr, Finding *f) {
	snprintf(f->space, sizeof f->space, "%s", ptx_space_name(space));
	f->offset = (int64_t)addr;
	if (space == SPACE_SHARED) name_shared(info, addr, f);
	if (space != SPACE_GLOBAL && space != SPACE_CONST) return;
	const Allocation *a = memory_find(info->memory, addr);
	if (!a || memory_is_hidden(a)) return;
	f->offset = (int64_t)(addr - a->base);
	f->buffer_bytes = a->bytes;
	snprintf(f->buffer, sizeof f->buffer, "%s", a->name);
}

void say_thread(const FindingSite *s, char *out, size_t size) {
	if (s->known)
		snprintf(out, size, "thread (%u,%u,%u) of block (%u,%u,%u)", s->thread[0], s->thread[1], s->thread[2],
				 s->block[0], s->block[1], s->block[2]);
	else
		snprintf(out, size, "another thread of its warp");
}

/* --- findings ----------------------------------------------------------------------------------------------------- */

static void fill_site(const Checker *c, const Hit *h, unsigned i, FindingSite *s) {
	static const char *const names[] = {"load", "store", "atomic"};
	const Place place = place_at(&c->info, h->instr[i]);
	snprintf(s->file, sizeof s->file, "%s", place.file);
	s->line = place.line;
	launch_place(h->block[i], c->info.config.grid, s->block);
	s->known = h->thread[i] != NO_INDEX;
	if (s->known) launch_place(h->thread[i], c->info.config.block, s->thread);
	if (h->width) snprintf(s->access, sizeof s->access, "%s", names[h->kind[i]]);
}

bool same_site(const FindingSite *a, const FindingSite *b) {
	return a->line == b->line && !strcmp(a->file, b->file);
}

/* The same lines, in either order, about the same thing. */
static bool same_finding(const Finding *a, const Finding *b) {
	if (a->nsites != b->nsites || strcmp(a->space, b->space) || strcmp(a->buffer, b->buffer)) return false;
	if (a->nsites < 2) return !a->nsites ? !strcmp(a->message, b->message) : same_site(&a->site[0], &b->site[0]);
	return (same_site(&a->site[0], &b->site[0]) && same_site(&a->site[1], &b->site[1])) ||
		   (same_site(&a->site[0], &b->site[1]) && same_site(&a->site[1], &b->site[0]));
}

static void keep_finding(Checker *c, const Finding *f) {
	for (size_t i = 0; i < c->findings.len; i++) {
		Finding *old = &c->findings.data[i];
		if (!same_finding(old, f)) continue;
		old->count += f->count;
		return;
	}
	vec_push(&c->findings, *f);
}

static bool same_places(const Place a[2], const Place b[2]) {
	return (same_place(a[0], b[0]) && same_place(a[1], b[1])) || (same_place(a[0], b[1]) && same_place(a[1], b[0]));
}

/* One barrier can stand between the lines of both. */
static bool places_overlap(const Place a[2], const Place b[2]) {
	const bool up = a[0].line < a[1].line, other_up = b[0].line < b[1].line;
	for (unsigned i = 0; i < 4; i++)
		if (strcmp(a[i / 2].file, b[i % 2].file)) return false;
	return a[!up].line <= b[other_up].line && b[!other_up].line <= a[up].line;
}

/* Hits of the same lines are reported together: the remedy has to reach as far as the one that reaches furthest. And
 * where a barrier of the block has to stand between two lines, others that it orders as well are not told to use one of
 * the warp: it would leave the block's race as it is. */
static void widen_spans(Hits *hits, const LaunchInfo *info) {
	const size_t n = hits->list.len;
	Hit *list = hits->list.data;
	Place(*places)[2] = xcalloc(n + 1, sizeof *places);
	for (size_t i = 0; i < 2 * n; i++) places[i / 2][i % 2] = place_at(info, list[i / 2].instr[i % 2]);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if (list[k].span > list[i].span && list[k].space == list[i].space &&
				(same_places(places[i], places[k]) ||
				 (list[k].span == SPAN_BLOCK && places_overlap(places[i], places[k]))))
				list[i].span = list[k].span;
	free(places);
}

static int by_block(const void *a, const void *b) {
	const Hit *x = a, *y = b;
	if (x->block[0] != y->block[0]) return x->block[0] < y->block[0] ? -1 : 1;
	return x->instr[0] < y->instr[0] ? -1 : x->instr[0] > y->instr[0];
}

void checker_finish(Checker *c) {
	if (c->hits.list.len) qsort(c->hits.list.data, c->hits.list.len, sizeof *c->hits.list.data, by_block);
	widen_spans(&c->hits, &c->info);
	for (size_t i = 0; i < c->hits.list.len; i++) {
		const Hit *h = &c->hits.list.data[i];
		Finding f = {.check = c->flag, .count = h->count, .width = h->width};
		f.nsites = h->instr[0] == NO_INDEX ? 0 : h->instr[1] == NO_INDEX ? 1 : 2;
		for (unsigned s = 0; s < f.nsites; s++) fill_site(c, h, s, &f.site[s]);
		if (h->width) name_address(&c->info, h->space, h->addr, &f);
		if (c->describe(c, h, &f)) keep_finding(c, &f);
	}
	hits_free(&c->hits);
}

void checker_begin(Checker *c, const LaunchInfo *info) {
	c->info = *info;
	hits_free(&c->hits);
	vec_free(&c->findings);
}

Finding finding_of_fault(CheckFlag check, const Fault *t) {
	Finding f = {.check = check,
				 .nsites = 1,
				 .count = t->threads,
				 .offset = t->offset,
				 .buffer_bytes = t->buffer_bytes,
				 .width = t->width,
				 .address = t->address};
	f.site[0].known = t->located;
	f.site[0].line = t->line;
	snprintf(f.site[0].file, sizeof f.site[0].file, "%s", t->file);
	snprintf(f.site[0].access, sizeof f.site[0].access, "%s", t->access);
	memcpy(f.site[0].block, t->block, sizeof t->block);
	memcpy(f.site[0].thread, t->thread, sizeof t->thread);
	snprintf(f.space, sizeof f.space, "%s", t->space);
	snprintf(f.buffer, sizeof f.buffer, "%s", t->buffer);
	snprintf(f.message, sizeof f.message, "%s", t->message);
	return f;
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

void *blocks_find(Blocks *b, uint32_t block) {
	for (uint32_t i = 0; i < b->held.len; i++) {
		if (b->held.data[i].block != block) continue;
		b->last = i;
		return b->held.data[i].state;
	}
	return NULL;
}

void *blocks_begin(Blocks *b, uint32_t block, void *(*make)(void *context), void *context) {
	void *state = b->pool.len ? b->pool.data[--b->pool.len] : make(context);
	b->last = (uint32_t)b->held.len;
	vec_push(&b->held, (BlockSlot){block, state});
	return state;
}

static void blocks_end(Blocks *b, uint32_t block) {
	if (!blocks_find(b, block)) return;
	vec_push(&b->pool, b->held.data[b->last].state);
	b->held.data[b->last] = b->held.data[--b->held.len];
}

static void blocks_free(Blocks *b, void (*drop)(void *state)) {
	for (size_t i = 0; i < b->held.len; i++) drop(b->held.data[i].state);
	for (size_t i = 0; i < b->pool.len; i++) drop(b->pool.data[i]);
	vec_free(&b->held);
	vec_free(&b->pool);
	b->last = 0;
}

/* --- what observers of every checker do --------------------------------------------------------------------------- */

void *checker_new(const Checker *kind, const Gpu *gpu) {
	Checker *c = xcalloc(1, kind->bytes);
	*c = *kind;
	c->gpu = gpu;
	return c;
}

void checker_free(Checker *c) {
	if (c->drop) blocks_free(&c->blocks, c->drop);
	if (c->clear) c->clear(c);
	hits_free(&c->hits);
	vec_free(&c->findings);
	free(c);
}

Observer *checker_fork(Observer *self) {
	const Checker *c = (const Checker *)self;
	Checker *fork = xmalloc(c->bytes);
	memcpy(fork, c, c->bytes);
	fork->is_fork = true;
	fork->hits = (Hits){0};
	fork->blocks = (Blocks){0};
	memset(&fork->findings, 0, sizeof fork->findings);
	return &fork->base;
}

void checker_join(Observer *self, Observer *other) {
	Checker *c = (Checker *)self, *fork = (Checker *)other;
	for (size_t i = 0; i < fork->hits.list.len; i++) hits_add(&c->hits, &fork->hits.list.data[i]);
	checker_free(fork);
}

void checker_block_end(Observer *self, const BlockCounts *counts) {
	blocks_end(&((Checker *)self)->blocks, counts->block);
}

void checker_launch_end(Observer *self, const LaunchOutcome *outcome) {
	(void)outcome;
	checker_finish((Checker *)self);
}
