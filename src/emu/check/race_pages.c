/* race.h: the cells of global memory, page by page and line by line. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "emu/check/race.h"

Cell race_nothing[PAGE_WORDS];

/* --- room --------------------------------------------------------------------------------------------------------- */

void race_make_line_room(Race *r, Cell **lines) {
	if (*lines == race_nothing) *lines = race_room(r, PAGE_LINES * sizeof(Cell));
}

void race_make_room(Race *r, Page *p, unsigned kind) {
	if (p->cells[kind] == race_nothing) p->cells[kind] = race_room(r, PAGE_WORDS * sizeof(Cell));
}

/* --- pages -------------------------------------------------------------------------------------------------------- */

Page *race_page_make(Race *r, uint64_t addr) {
	const uint64_t number = addr >> REGION_SHIFT;
	uint64_t *place = number_map_at(&r->regions, number);
	Region *g = (Region *)(uintptr_t)*place;
	if (!g) {
		shadow_take(r->checker.info.shadow, "race", sizeof *g);
		g = aligned_alloc(_Alignof(Region), sizeof *g);
		if (!g) abort();
		memset(g, 0, sizeof *g);
		g->number = number;
		*place = (uintptr_t)g;
	}
	Page *p = &g->pages[(addr >> PAGE_SHIFT) % REGION_PAGES];
	for (unsigned k = 0; k < CELLS && !p->cells[k]; k++) p->lines[k] = p->second[k] = p->cells[k] = race_nothing;
	return p;
}

const Page *race_page_find(const Race *r, uint64_t addr) {
	const Region *g = (const Region *)(uintptr_t)number_map_get(&r->regions, addr >> REGION_SHIFT);
	const Page *p = g ? &g->pages[(addr >> PAGE_SHIFT) % REGION_PAGES] : NULL;
	return p && p->lines[0] ? p : NULL;
}

void race_page_use(Race *r, Page *p, uint64_t addr, uint8_t use) {
	enum { BOTH = USED_WEAK | USED_STRONG };
	const bool first = use & ~p->used & USED_STORED;
	p->used |= use;
	if (!r->undo) return;
	if (first) undo_keep(r->undo, r, addr);
	/* Only the last accesses to a word are recorded: a strong one may hide a weak one. */
	if ((p->used & BOTH) == BOTH && (p->used & USED_STORED)) r->conflict = true;
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

void race_clean_lines(Race *r, uint64_t addr, uint64_t bytes) {
	for (uint64_t at = addr; at < addr + bytes; at += UINT64_C(1) << LINE_SHIFT) {
		Page *p = (Page *)race_page_find(r, at);
		const uint32_t line = line_of(at);
		if (!p) continue;
		p->state[line] = LINE_ROW;
		for (unsigned k = 0; k < CELLS; k++) {
			if (p->lines[k] != race_nothing) p->lines[k][line] = 0;
			if (p->second[k] != race_nothing) p->second[k][line] = 0;
			if (p->cells[k] != race_nothing) memset(p->cells[k] + line * LANES, 0, LANES * sizeof(Cell));
		}
	}
}

void race_pages_forget(Race *r) {
	for (size_t i = 0; i < r->regions.size; i++) free((void *)(uintptr_t)r->regions.slots[i].value);
	race_room_free(r);
	vec_free(&r->packed);
	r->npacked = 0;
	number_map_free(&r->regions);
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

bool race_line_to_half_rows(Race *r, Page *p, uint32_t line) {
	if (p->state[line] != LINE_ROW) return p->state[line] == LINE_HALF_ROWS;
	for (unsigned k = 0; k < CELLS; k++) {
		if (!p->lines[k][line]) continue;
		race_make_line_room(r, &p->second[k]);
		p->second[k][line] = p->lines[k][line] + ((Cell)HALF << THREAD_SHIFT);
	}
	p->state[line] = LINE_HALF_ROWS;
	return true;
}

bool race_line_to_packed(Race *r, Page *p, uint32_t line, unsigned kind, Cell head) {
	if (p->state[line] != LINE_ROW) return false;
	for (unsigned k = 0; k < CELLS; k++)
		if (p->lines[k][line]) return false;
	if (r->npacked > PACKED_NUMBER >> THREAD_SHIFT) return false;
	if (r->npacked % PACKED_LINES == 0)
		vec_push(&r->packed, race_room(r, PACKED_LINES * LANES * sizeof **r->packed.data));
	race_make_line_room(r, &p->lines[kind]);
	p->state[line] = LINE_PACKED;
	p->lines[kind][line] = head | (Cell)r->npacked++ << THREAD_SHIFT;
	return true;
}

static void spread(Race *r, Page *p, unsigned kind, uint32_t from, uint32_t words, Cell first) {
	if (!first) return;
	race_make_room(r, p, kind);
	for (uint32_t i = 0; i < words; i++) p->cells[kind][from + i] = first + ((Cell)i << THREAD_SHIFT);
}

static void unpack_line(Race *r, Page *p, unsigned kind, uint32_t line, Cell head) {
	if (!head) return;
	const uint16_t *packed = race_packed(r, head);
	const Cell rest = head & ~(PACKED_HEAD | PACKED_NUMBER);
	race_make_room(r, p, kind);
	for (uint32_t i = 0; i < LANES; i++)
		p->cells[kind][line * LANES + i] = packed[i] ? rest | (Cell)packed[i] << THREAD_SHIFT : 0;
}

void race_line_to_words(Race *r, Page *p, uint32_t line) {
	const LineState state = p->state[line];
	const uint32_t from = line * LANES;
	for (unsigned k = 0; state != LINE_WORDS && k < CELLS; k++) {
		const Cell first = p->lines[k][line];
		if (first) p->lines[k][line] = 0;
		if (state == LINE_PACKED)
			unpack_line(r, p, k, line, first);
		else
			spread(r, p, k, from, state == LINE_ROW ? LANES : HALF, first);
		if (state == LINE_HALF_ROWS) spread(r, p, k, from + HALF, HALF, p->second[k][line]);
	}
	p->state[line] = LINE_WORDS;
}
