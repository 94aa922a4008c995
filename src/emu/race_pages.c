/* race.h: the cells of global memory, page by page and line by line. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "emu/race.h"

enum { CHUNK = 4 << 20 };

Cell race_nothing[PAGE_WORDS];

/* --- room --------------------------------------------------------------------------------------------------------------------- */

void *race_room(Race *r, size_t bytes) {
	if (r->chunk_left < bytes) {
		uint8_t *chunk = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (chunk == MAP_FAILED) abort();
#ifdef MADV_HUGEPAGE
		madvise(chunk, CHUNK, MADV_HUGEPAGE);
#endif
		vec_push(&r->chunks, chunk);
		r->chunk_left = CHUNK;
	}
	uint8_t *at = vec_last(&r->chunks) + (CHUNK - r->chunk_left);
	r->chunk_left -= bytes;
	return at;
}

void race_make_line_room(Race *r, Cell **lines) {
	if (*lines == race_nothing) *lines = race_room(r, PAGE_LINES * sizeof(Cell));
}

void race_make_room(Race *r, Page *p, unsigned kind) {
	if (p->cells[kind] == race_nothing) p->cells[kind] = race_room(r, PAGE_WORDS * sizeof(Cell));
}

/* --- pages -------------------------------------------------------------------------------------------------------------------- */

static Region **region_slot(const Race *r, uint64_t number) {
	for (uint64_t i = number;; i++) {
		Region **g = &r->regions[i & (r->size_regions - 1)];
		if (!*g || (*g)->number == number) return g;
	}
}

static void grow_regions(Race *r) {
	Region **old = r->regions;
	const uint32_t n = r->size_regions;
	r->size_regions = n ? 2 * n : 16;
	r->regions = xcalloc(r->size_regions, sizeof *r->regions);
	for (uint32_t i = 0; i < n; i++)
		if (old[i]) *region_slot(r, old[i]->number) = old[i];
	free(old);
}

Page *race_page_make(Race *r, uint64_t addr) {
	const uint64_t number = addr >> REGION_SHIFT;
	if (2 * r->nregions >= r->size_regions) grow_regions(r);
	Region **g = region_slot(r, number);
	if (!*g) {
		*g = aligned_alloc(_Alignof(Region), sizeof **g);
		if (!*g) abort();
		memset(*g, 0, sizeof **g);
		(*g)->number = number;
		r->nregions++;
	}
	Page *p = &(*g)->pages[(addr >> PAGE_SHIFT) % REGION_PAGES];
	for (unsigned k = 0; k < CELLS && !p->cells[k]; k++) p->lines[k] = p->second[k] = p->cells[k] = race_nothing;
	return p;
}

const Page *race_page_find(const Race *r, uint64_t addr) {
	Region *const *g = region_slot(r, addr >> REGION_SHIFT);
	const Page *p = *g ? &(*g)->pages[(addr >> PAGE_SHIFT) % REGION_PAGES] : NULL;
	return p && p->lines[0] ? p : NULL;
}

void race_page_use(Race *r, Page *p, uint64_t addr, uint8_t use) {
	enum { BOTH = USED_WEAK | USED_STRONG };
	const bool first = use & ~p->used & USED_STORED;
	p->used |= use;
	if (!r->undo) return;
	if (first) undo_keep(r->undo, r, addr);
	/* Of a word only the last accesses are remembered: a weak one may hide behind a strong one. */
	if ((p->used & BOTH) == BOTH && (p->used & USED_STORED)) r->spoilt = true;
}

void race_pages_begin(Race *r) {
	grow_regions(r);
}

static void wipe(Cell *cells, size_t n) {
	if (cells != race_nothing) memset(cells, 0, n * sizeof *cells);
}

void race_clean(Race *r, uint64_t addr, uint64_t bytes) {
	for (uint64_t at = addr; at < addr + bytes; at += UINT64_C(1) << PAGE_SHIFT) {
		Page *p = (Page *)race_page_find(r, at);
		if (!p) continue;
		p->used = 0;
		memset(p->state, 0, sizeof p->state);
		for (unsigned k = 0; k < CELLS; k++) {
			wipe(p->lines[k], PAGE_LINES);
			wipe(p->second[k], PAGE_LINES);
			wipe(p->cells[k], PAGE_WORDS);
		}
	}
}

void race_pages_forget(Race *r) {
	for (uint32_t i = 0; i < r->size_regions; i++) free(r->regions[i]);
	for (size_t i = 0; i < r->chunks.len; i++) munmap(r->chunks.data[i], CHUNK);
	vec_free(&r->chunks);
	vec_free(&r->briefs);
	r->nbriefs = 0;
	free(r->regions);
	r->regions = NULL;
	r->nregions = r->size_regions = 0;
	r->chunk_left = 0;
}

/* --- lines -------------------------------------------------------------------------------------------------------------------- */

bool race_line_to_halves(Race *r, Page *p, uint32_t line) {
	if (p->state[line] != LINE_ROW) return p->state[line] == LINE_HALVES;
	for (unsigned k = 0; k < CELLS; k++) {
		if (!p->lines[k][line]) continue;
		race_make_line_room(r, &p->second[k]);
		p->second[k][line] = p->lines[k][line] + ((Cell)HALF << THREAD_SHIFT);
	}
	p->state[line] = LINE_HALVES;
	return true;
}

bool race_line_to_brief(Race *r, Page *p, uint32_t line, unsigned kind, Cell head) {
	if (p->state[line] != LINE_ROW) return false;
	for (unsigned k = 0; k < CELLS; k++)
		if (p->lines[k][line]) return false;
	if (r->nbriefs > BRIEF_NUMBER >> THREAD_SHIFT) return false;
	if (r->nbriefs % BRIEF_LINES == 0)
		vec_push(&r->briefs, race_room(r, BRIEF_LINES * LANES * sizeof **r->briefs.data));
	race_make_line_room(r, &p->lines[kind]);
	p->state[line] = LINE_BRIEF;
	p->lines[kind][line] = head | (Cell)r->nbriefs++ << THREAD_SHIFT;
	return true;
}

static void spread(Race *r, Page *p, unsigned kind, uint32_t from, uint32_t words, Cell first) {
	if (!first) return;
	race_make_room(r, p, kind);
	for (uint32_t i = 0; i < words; i++) p->cells[kind][from + i] = first + ((Cell)i << THREAD_SHIFT);
}

static void spread_brief(Race *r, Page *p, unsigned kind, uint32_t line, Cell head) {
	if (!head) return;
	const uint16_t *brief = race_brief(r, head);
	const Cell rest = head & ~(BRIEF_HEAD | BRIEF_NUMBER);
	race_make_room(r, p, kind);
	for (uint32_t i = 0; i < LANES; i++)
		p->cells[kind][line * LANES + i] = brief[i] ? rest | (Cell)brief[i] << THREAD_SHIFT : 0;
}

void race_line_to_words(Race *r, Page *p, uint32_t line) {
	const LineState state = p->state[line];
	const uint32_t from = line * LANES;
	for (unsigned k = 0; state != LINE_WORDS && k < CELLS; k++) {
		const Cell first = p->lines[k][line];
		if (first) p->lines[k][line] = 0;
		if (state == LINE_BRIEF)
			spread_brief(r, p, k, line, first);
		else
			spread(r, p, k, from, state == LINE_ROW ? LANES : HALF, first);
		if (state == LINE_HALVES) spread(r, p, k, from + HALF, HALF, p->second[k][line]);
	}
	p->state[line] = LINE_WORDS;
}
