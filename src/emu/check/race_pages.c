/* race.h: the cells of global memory, page by page and line by line. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "emu/check/race.h"

Cell race_unused[PAGE_LINES];

/* --- room for the parts of pages ---------------------------------------------------------------------------------- */

enum { CHUNK = 4 << 20 /* bytes */ };

struct RaceRoom {
	pthread_mutex_t lock;
	VEC(uint8_t *) chunks; /* that no fork has */
};

RaceRoom *race_room_new(void) {
	RaceRoom *room = xcalloc(1, sizeof *room);
	pthread_mutex_init(&room->lock, NULL);
	return room;
}

void race_room_free(RaceRoom *room) {
	if (!room) return;
	for (size_t i = 0; i < room->chunks.len; i++) munmap(room->chunks.data[i], CHUNK);
	vec_free(&room->chunks);
	pthread_mutex_destroy(&room->lock);
	free(room);
}

static uint8_t *new_chunk(void) {
	uint8_t *chunk = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (chunk == MAP_FAILED) exit_out_of_memory(CHUNK);
#ifdef MADV_HUGEPAGE
	madvise(chunk, CHUNK, MADV_HUGEPAGE);
#endif
	return chunk;
}

static void take_chunk(Race *r) {
	shadow_take(r->checker.info.shadow, "race", CHUNK);
	pthread_mutex_lock(&r->room->lock);
	uint8_t *chunk = r->room->chunks.len ? r->room->chunks.data[--r->room->chunks.len] : NULL;
	pthread_mutex_unlock(&r->room->lock);
	vec_push(&r->chunks, chunk ? chunk : new_chunk());
	r->chunk_left = CHUNK;
}

/* Room for n cells, whose contents are undefined. */
static Cell *take_cells(Race *r, size_t n) {
	const size_t bytes = n * sizeof(Cell);
	assert(bytes <= CHUNK);
	if (r->chunk_left < bytes) take_chunk(r);
	uint8_t *at = vec_last(&r->chunks) + (CHUNK - r->chunk_left);
	r->chunk_left -= bytes;
	return (Cell *)at;
}

static void give_back(Race *r) {
	if (!r->chunks.len) return;
	pthread_mutex_lock(&r->room->lock);
	for (size_t i = 0; i < r->chunks.len; i++) vec_push(&r->room->chunks, r->chunks.data[i]);
	pthread_mutex_unlock(&r->room->lock);
	vec_free(&r->chunks);
	r->chunk_left = 0;
}

/* --- pages -------------------------------------------------------------------------------------------------------- */

static Page *page_make(Race *r, uint64_t addr) {
	const uint64_t number = addr >> REGION_SHIFT;
	uint64_t *place = number_map_at(&r->regions, number);
	Region *g = (Region *)(uintptr_t)*place;
	if (!g) {
		shadow_take(r->checker.info.shadow, "race", sizeof *g);
		g = xaligned(sizeof *g, _Alignof(Region));
		g->number = number;
		*place = (uintptr_t)g;
	}
	assert(g->number == number);
	Page *p = &g->pages[(addr >> PAGE_SHIFT) % REGION_PAGES];
	for (unsigned k = 0; k < CELLS && !p->lines[k]; k++) p->lines[k] = race_unused;
	return p;
}

const Page *race_page_find(const Race *r, uint64_t addr) {
	const Region *g = (const Region *)(uintptr_t)number_map_get(&r->regions, addr >> REGION_SHIFT);
	const Page *p = g ? &g->pages[(addr >> PAGE_SHIFT) % REGION_PAGES] : NULL;
	return p && p->lines[0] ? p : NULL;
}

Page *race_page_use(Race *r, uint64_t addr, uint8_t use) {
	enum { BOTH = USED_WEAK | USED_STRONG };
	Page *p = page_make(r, addr);
	const bool first = use & ~p->used & USED_STORED;
	p->used |= use;
	r->uses++;
	if (!r->undo) return p;
	if (first) shadow_take(r->checker.info.shadow, "race", undo_keep(r->undo, addr));
	/* Only the last accesses to a word are recorded: a strong one may hide a weak one. */
	if ((p->used & BOTH) == BOTH && (p->used & USED_STORED)) r->conflict = true;
	return p;
}

void race_clean(Race *r, uint64_t addr, uint64_t bytes) {
	for (uint64_t at = addr; at < addr + bytes; at += UINT64_C(1) << LINE_SHIFT) {
		const Page *p = race_page_find(r, at);
		for (unsigned k = 0; p && k < CELLS; k++) {
			Cell *line = &p->lines[k][line_of(at)];
			if (line_is_run(*line))
				*line = 0;
			else if (*line)
				memset((void *)(uintptr_t)*line, 0, HALF * sizeof(Cell));
		}
	}
}

void race_pages_forget(Race *r) {
	for (size_t i = 0; i < r->regions.size; i++) free((void *)(uintptr_t)r->regions.slots[i].value);
	give_back(r);
	number_map_free(&r->regions);
	r->region = NULL;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

void race_lines_make(Race *r, Page *p, unsigned kind) {
	assert(p->lines[kind] == race_unused);
	p->lines[kind] = memset(take_cells(r, PAGE_LINES), 0, PAGE_LINES * sizeof(Cell));
}

Cell *race_line_to_words(Race *r, Page *p, unsigned kind, uint32_t line) {
	Cell *at = race_line(r, p, kind, line);
	Cell *words = take_cells(r, HALF);
	const Cell run = *at;
	assert(!run || line_is_run(run));
	*at = (uintptr_t)words;
	if (!run) return memset(words, 0, HALF * sizeof *words);
	for (uint32_t i = 0; i < HALF; i++) words[i] = line_cell(run, i);
	return words;
}
