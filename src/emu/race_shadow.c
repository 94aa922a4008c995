/* race.h: who was where. Every access first looks at the cells of its words, then leaves itself there. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "emu/check_lanes.h"
#include "emu/memory.h"
#include "emu/race.h"

#define ALL_BYTES (UINT64_C(15) << BYTES_SHIFT)

enum { MOST_WORDS = LANES * 8, CHUNK = 4 << 20 };

typedef enum { RULE_WRITES, RULE_READ_AFTER, RULE_WRITE_AFTER, RULE_SAME_INSTR } Rule;

/* The words of one warp instruction. */
typedef struct {
	unsigned n;
	Cell *at[MOST_WORDS][CELLS];
	Cell mine[MOST_WORDS]; /* what the access leaves there */
	uint64_t addr[MOST_WORDS];
} Words;

static Cell nothing[PAGE_WORDS];

/* --- pages -------------------------------------------------------------------------------------------------------------------- */

static Cell *new_cells(Race *r) {
	enum { BYTES = PAGE_WORDS * sizeof(Cell) };
	if (r->chunk_left < BYTES) {
		Cell *chunk = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (chunk == MAP_FAILED) abort();
#ifdef MADV_HUGEPAGE
		madvise(chunk, CHUNK, MADV_HUGEPAGE);
#endif
		vec_push(&r->chunks, chunk);
		r->chunk_left = CHUNK;
	}
	Cell *cells = vec_last(&r->chunks) + (CHUNK - r->chunk_left) / sizeof(Cell);
	r->chunk_left -= BYTES;
	return cells;
}

static Page *page_slot(const Race *r, uint64_t number) {
	for (uint64_t i = number * 0x9e3779b97f4a7c15u >> 20;; i++) {
		Page *p = &r->pages[i & (r->size_pages - 1)];
		if (!p->number || p->number == number + 1) return p;
	}
}

static void grow_pages(Race *r) {
	Page *old = r->pages;
	const uint32_t n = r->size_pages;
	r->size_pages = n ? 2 * n : 64;
	r->pages = xcalloc(r->size_pages, sizeof *r->pages);
	for (uint32_t i = 0; i < n; i++)
		if (old[i].number) *page_slot(r, old[i].number - 1) = old[i];
	free(old);
}

static Page *page_of(Race *r, uint64_t number) {
	if (r->last_page && r->last_page->number == number + 1) return r->last_page;
	if (2 * r->npages >= r->size_pages) grow_pages(r);
	Page *p = page_slot(r, number);
	if (!p->number) {
		*p = (Page){.number = number + 1, .lines = xcalloc(1, sizeof(PageLines)), .cells = {nothing, nothing, nothing}};
		r->npages++;
	}
	return r->last_page = p;
}

static void make_room(Race *r, Page *p, unsigned cells) {
	if (p->cells[cells] == nothing) p->cells[cells] = new_cells(r);
}

static bool is_parted(const Page *p, uint32_t line) {
	return p->parted[line / 64] >> line % 64 & 1;
}

/* From now on each word of the line has cells of its own. */
static void part_line(Race *r, Page *p, uint32_t line) {
	if (is_parted(p, line)) return;
	p->parted[line / 64] |= UINT64_C(1) << line % 64;
	for (unsigned k = 0; k < CELLS; k++) {
		const Cell first = p->lines->cells[k][line];
		if (!first) continue;
		make_room(r, p, k);
		for (uint32_t l = 0; l < LANES; l++) p->cells[k][line * LANES + l] = first + ((Cell)l << THREAD_SHIFT);
	}
}

void race_forget(Race *r) {
	for (uint32_t i = 0; i < r->size_pages; i++) free(r->pages[i].lines);
	for (size_t i = 0; i < r->chunks.len; i++) munmap(r->chunks.data[i], CHUNK);
	vec_free(&r->chunks);
	free(r->pages);
	r->pages = r->last_page = NULL;
	r->npages = r->size_pages = 0;
	r->chunk_left = 0;
}

/* --- an access as words ------------------------------------------------------------------------------------------------------- */

static uint32_t site_of(Race *r, uint32_t instr) {
	uint16_t *site = &r->site_of[instr];
	if (!*site && r->instr_of.len <= SITE_MAX) {
		*site = (uint16_t)r->instr_of.len;
		vec_push(&r->instr_of, instr);
	}
	return *site;
}

static unsigned strength(const Access *a) {
	const unsigned scope = a->scope == SCOPE_CTA ? STRONG_CTA : STRONG_GPU;
	if (a->kind == ACCESS_ATOMIC) return scope;
	if (a->sem == SEM_NONE || a->sem == SEM_WEAK) return WEAK;
	return a->sem == SEM_VOLATILE ? VOLATILE : scope;
}

static Cell cell_of(Race *r, const RaceBlock *b, const Access *a) {
	Cell c = b->now;
	c |= (Cell)site_of(r, a->instr) << SITE_SHIFT;
	c |= (Cell)strength(a) << STRONG_SHIFT;
	if (a->kind == ACCESS_ATOMIC) c |= CELL_ATOMIC;
	return c | (Cell)(a->warp * LANES) << THREAD_SHIFT;
}

static void shared_cells(const Race *r, const RaceBlock *b, uint64_t addr, Cell *cells[CELLS]) {
	for (unsigned k = 0; k < CELLS; k++) cells[k] = b->shared + k * r->shared_words + (addr >> 2);
}

/* The cells of the word at addr; those the access will write to have room. */
static void global_cells(Race *r, bool load, uint64_t addr, Cell *cells[CELLS]) {
	Page *p = page_of(r, addr >> PAGE_SHIFT);
	const uint32_t word = (addr >> 2) & (PAGE_WORDS - 1);
	part_line(r, p, (uint32_t)(addr >> 7) % PAGE_LINES);
	for (unsigned k = 0; k < CELLS; k++) {
		if (load == (k != CELL_WRITE)) make_room(r, p, k);
		cells[k] = p->cells[k] == nothing ? nothing : p->cells[k] + word; /* one place to look for nothing stays near */
	}
}

static Cell bytes_of(uint64_t addr, uint32_t width) {
	return width >= 4 ? ALL_BYTES : (((UINT64_C(1) << width) - 1) << (addr & 3)) << BYTES_SHIFT;
}

static void to_words(Race *r, const RaceBlock *b, const Access *a, Words *w) {
	const Cell base = cell_of(r, b, a);
	const bool shared = a->space == SPACE_SHARED;
	const uint32_t nwords = (a->width + 3) / 4;
	unsigned n = 0;
	for (uint32_t m = a->mask; m; m &= m - 1) {
		const uint32_t l = (uint32_t)__builtin_ctz(m);
		const uint64_t addr = a->addr[l];
		const Cell bytes = bytes_of(addr, a->width);
		const Cell mine = base | (Cell)l << THREAD_SHIFT | bytes;
		Cell *cells[CELLS];
		if (shared)
			shared_cells(r, b, addr, cells);
		else
			global_cells(r, a->kind == ACCESS_LOAD, addr, cells);
		for (uint32_t i = 0; i < nwords; i++, n++) {
			for (unsigned k = 0; k < CELLS; k++) w->at[n][k] = cells[k] + i;
			w->mine[n] = mine;
			w->addr[n] = addr + 4 * i;
		}
	}
	w->n = n;
}

/* --- looking ------------------------------------------------------------------------------------------------------------------ */

static AccessKind kind_of(Cell c, bool write) {
	return c & CELL_ATOMIC ? ACCESS_ATOMIC : write ? ACCESS_STORE : ACCESS_LOAD;
}

static uint64_t value_of(const Access *a, uint32_t lane, uint32_t byte) {
	const uint32_t bytes = a->width / a->elements;
	uint64_t v = 0;
	memcpy(&v, a->regs + a->slots[byte / bytes] + lane * a->container, bytes);
	return v >> (8 * (byte % bytes));
}

static uint64_t low_bytes(uint64_t v, uint32_t bytes) {
	return bytes >= 8 ? v : v & ((UINT64_C(1) << (8 * bytes)) - 1);
}

/* A plain store that brings what is there already: two threads that set one flag disturb nobody. */
static bool changes_nothing(const Race *r, const Access *a, uint32_t lane, uint64_t addr) {
	const uint32_t bytes = a->width < 4 ? a->width : 4;
	const uint8_t *at = a->shared ? a->shared + addr : NULL;
	uint64_t now = 0;
	if (a->kind != ACCESS_STORE) return false;
	if (a->space == SPACE_GLOBAL) {
		const Allocation *in = memory_find(r->checker.info.memory, addr);
		if (!in || !in->host) return false;
		at = in->host + (addr - in->base);
	}
	memcpy(&now, at, bytes);
	return low_bytes(value_of(a, lane, (uint32_t)(addr - a->addr[lane])), bytes) == now;
}

static void report(Race *r, const RaceBlock *b, const Access *a, Rule rule, Cell mine, Cell other, bool other_wrote,
				   uint64_t addr) {
	const bool unknown = (other & CELL_SEVERAL) && cell_thread(other) == cell_thread(mine) &&
						 r->block_of.data[cell_time(other)] == b->number;
	const Hit hit = {.rule = rule,
					 .instr = {a->instr, r->instr_of.data[cell_site(other)]},
					 .block = {b->number, r->block_of.data[cell_time(other)]},
					 .thread = {cell_thread(mine), unknown ? NOBODY : cell_thread(other)},
					 .kind = {a->kind, kind_of(other, other_wrote)},
					 .space = a->space,
					 .width = a->width,
					 .addr = addr,
					 .count = 1};
	hits_add(&r->checker.hits, &hit);
}

static bool both_strong(const Race *r, const RaceBlock *b, bool shared, Cell mine, Cell other) {
	const uint32_t x = cell_strong(mine), y = cell_strong(other);
	const bool here = r->block_of.data[cell_time(other)] == b->number;
	if (x == WEAK || y == WEAK) return false;
	if (shared && here && x == VOLATILE && y == VOLATILE)
		return cell_thread(mine) / LANES != cell_thread(other) / LANES;
	return here || (x >= STRONG_GPU && y >= STRONG_GPU);
}

/* Shared cells may still hold what an earlier block left; its times are before this one's floor. */
static bool conflict(const Race *r, const RaceBlock *b, bool shared, Cell mine, Cell other) {
	if (!cell_time(other) || !cells_overlap(mine, other) || (shared && cell_time(other) < b->floor)) return false;
	return !both_strong(r, b, shared, mine, other) && !race_ordered(r, b, cell_thread(mine), other);
}

static void look_closely(Race *r, const RaceBlock *b, const Access *a, const Words *w, unsigned i) {
	const Cell mine = w->mine[i], write = *w->at[i][CELL_WRITE];
	const bool stores = a->kind != ACCESS_LOAD, shared = a->space == SPACE_SHARED;
	if (conflict(r, b, shared, mine, write)) {
		const bool silent =
			stores && !(write & CELL_ATOMIC) && changes_nothing(r, a, cell_thread(mine) % LANES, w->addr[i]);
		if (!silent) report(r, b, a, stores ? RULE_WRITES : RULE_READ_AFTER, mine, write, true, w->addr[i]);
		return;
	}
	for (unsigned k = CELL_READ; stores && k < CELLS; k++) {
		const Cell read = *w->at[i][k];
		if (!conflict(r, b, shared, mine, read)) continue;
		report(r, b, a, RULE_WRITE_AFTER, mine, read, false, w->addr[i]);
		return;
	}
}

/* Certainly in order: never used, or by a thread of this block before its floor, or by this very thread. `own`: times from it on
 * are this block's; 0 in shared memory, whose cells nobody else has. */
static inline bool in_order(Cell c, Cell mine, uint32_t own, uint32_t floor) {
	const uint32_t time = cell_time(c);
	const bool same = ((c ^ mine) & ((UINT64_C(1023) << THREAD_SHIFT) | CELL_SEVERAL)) == 0;
	return (time == 0) | ((time >= own) & ((time < floor) | same));
}

static void look_all(Race *r, const RaceBlock *b, const Access *a, const Words *w) {
	const uint32_t own = a->space == SPACE_SHARED ? 0 : b->own, floor = b->floor;
	const unsigned kinds = a->kind == ACCESS_LOAD ? 1 : CELLS;
	bool fine = true;
	for (unsigned k = 0; k < kinds; k++)
		for (unsigned i = 0; i < w->n; i++) fine &= in_order(*w->at[i][k], w->mine[i], own, floor);
	if (fine) return;
	for (unsigned i = 0; i < w->n; i++) look_closely(r, b, a, w, i);
}

/* --- leaving ------------------------------------------------------------------------------------------------------------------ */

/* Did another lane of the warp read the same bytes, with nothing in between that would put it before? */
static bool read_by_several(const Race *r, const RaceBlock *b, Cell old, Cell mine) {
	if (!cells_overlap(old, mine) || (cell_thread(old) == cell_thread(mine) && !(old & CELL_SEVERAL))) return false;
	return cell_time(old) == cell_time(mine) || !race_ordered(r, b, cell_thread(mine), old);
}

static void leave_read(const Race *r, const RaceBlock *b, Cell *const at[CELLS], Cell mine, uint32_t own, bool global) {
	Cell *read = at[CELL_READ], *other = at[CELL_OTHER];
	const Cell old = *read;
	const uint32_t time = cell_time(old);
	const uint32_t warps = (uint32_t)((old ^ mine) >> (THREAD_SHIFT + 5)) & 31;
	if (time >= own && (time < b->floor || !warps)) {
		*read = mine | (time >= b->floor && read_by_several(r, b, old, mine) ? CELL_SEVERAL : 0);
		return;
	}
	if (time) {
		/* In global memory a reader of another block is the one to remember. */
		const bool foreign_kept = global && time >= own && cell_time(*other) && cell_time(*other) < own;
		if (!foreign_kept) *other = old;
	}
	*read = mine;
}

/* Lanes of one instruction that write different values to one place: who comes last is chance. */
static void same_instruction(Race *r, const RaceBlock *b, const Access *a, const Words *w) {
	for (unsigned i = 0; i < w->n; i++) {
		const Cell last = *w->at[i][CELL_WRITE];
		if (last == w->mine[i] || !cells_overlap(last, w->mine[i])) continue;
		const uint32_t x = cell_thread(w->mine[i]) % LANES, y = cell_thread(last) % LANES;
		const uint32_t bytes = a->width < 4 ? a->width : 4;
		const uint64_t one = value_of(a, x, (uint32_t)(w->addr[i] - a->addr[x])),
					   two = value_of(a, y, (uint32_t)(w->addr[i] - a->addr[y]));
		if (low_bytes(one, bytes) == low_bytes(two, bytes)) continue;
		report(r, b, a, RULE_SAME_INSTR, w->mine[i], last, true, w->addr[i]);
	}
}

static void leave_all(Race *r, const RaceBlock *b, const Access *a, const Words *w) {
	if (a->kind == ACCESS_LOAD) {
		const bool global = a->space == SPACE_GLOBAL;
		for (unsigned i = 0; i < w->n; i++) leave_read(r, b, w->at[i], w->mine[i], global ? b->own : 0, global);
		return;
	}
	for (unsigned i = 0; i < w->n; i++) *w->at[i][CELL_WRITE] = w->mine[i];
	if (a->kind == ACCESS_ATOMIC || cell_strong(w->mine[0]) != WEAK) return;
	bool twice = false;
	for (unsigned i = 0; i < w->n; i++) twice |= *w->at[i][CELL_WRITE] != w->mine[i];
	if (twice) same_instruction(r, b, a, w);
}

/* --- loads put off ------------------------------------------------------------------------------------------------------------ */

static bool put_off(Race *r, RaceBlock *b, const Access *a) {
	if (a->kind != ACCESS_LOAD || b->shared_written >= b->floor || a->width < 4 || strength(a) != WEAK) return false;
	if (!b->late) b->late = xcalloc(MOST_LATE, sizeof *b->late);
	if (b->nlate == MOST_LATE) race_settle(r, b);
	LateRead *late = &b->late[b->nlate++];
	late->mine = cell_of(r, b, a) | ALL_BYTES;
	late->mask = a->mask;
	late->nwords = a->width / 4;
	lanes_words16(a->addr, late->word);
	return true;
}

static void settle_lane(const Race *r, const RaceBlock *b, const LateRead *late, uint32_t l) {
	for (uint32_t i = 0; i < late->nwords; i++) {
		Cell *cells[CELLS];
		shared_cells(r, b, 4 * (late->word[l] + i), cells);
		leave_read(r, b, cells, late->mine | (Cell)l << THREAD_SHIFT, 0, false);
	}
}

void race_settle(const Race *r, RaceBlock *b) {
	for (uint32_t i = 0; i < b->nlate; i++)
		for (uint32_t m = b->late[i].mask; m; m &= m - 1) settle_lane(r, b, &b->late[i], (uint32_t)__builtin_ctz(m));
	b->nlate = 0;
}

/* --- whole warps, one word a lane --------------------------------------------------------------------------------------------- */

/* The words of an access the quick way did all but compare the values of. */
static void compare_values(Race *r, const RaceBlock *b, const Access *a) {
	Words w;
	to_words(r, b, a, &w);
	same_instruction(r, b, a, &w);
}

/* A whole warp's plain store of words that lie apart (the columns of a transposition), to pages that nobody has read: then only the
 * last writes matter. */
static bool quick_scattered(Race *r, const RaceBlock *b, const Access *a, Cell mine) {
	Cell *at[LANES];
	for (unsigned l = 0; l < LANES; l++) {
		Page *p = page_of(r, a->addr[l] >> PAGE_SHIFT);
		part_line(r, p, (uint32_t)(a->addr[l] >> 7) % PAGE_LINES);
		if (p->cells[CELL_READ] != nothing || p->cells[CELL_OTHER] != nothing) return false;
		make_room(r, p, CELL_WRITE);
		at[l] = p->cells[CELL_WRITE] + ((a->addr[l] >> 2) & (PAGE_WORDS - 1));
		__builtin_prefetch(at[l], 1);
	}
	bool fine = true, twice = false;
	for (unsigned l = 0; l < LANES; l++) fine &= in_order(*at[l], mine + ((Cell)l << THREAD_SHIFT), b->own, b->floor);
	if (!fine) return false;
	for (unsigned l = 0; l < LANES; l++) *at[l] = mine + ((Cell)l << THREAD_SHIFT);
	for (unsigned l = 0; l < LANES; l++) twice |= *at[l] != mine + ((Cell)l << THREAD_SHIFT);
	if (twice) compare_values(r, b, a);
	return true;
}

static bool quick(Race *r, const RaceBlock *b, const Access *a) {
	if (a->mask != UINT32_MAX || a->width != 4) return false;
	const bool shared = a->space == SPACE_SHARED;
	const Pattern pattern = lanes_pattern(a->addr);
	const uint64_t first = a->addr[0];
	uint32_t index[LANES];
	QuickAccess q = {.mine = cell_of(r, b, a) | ALL_BYTES,
					 .own = shared ? 0 : b->own,
					 .floor = b->floor,
					 .block_of = r->block_of.data};
	if (pattern == PATTERN_ANY) {
		if (!shared) return a->kind == ACCESS_STORE && strength(a) == WEAK && quick_scattered(r, b, a, q.mine);
		lanes_words(a->addr, index);
		q.index = index;
	}
	const uint64_t word = q.index ? 0 : shared ? first >> 2 : (first >> 2) & (PAGE_WORDS - 1);
	Page *page = NULL;
	if (!shared) {
		if ((first ^ a->addr[LANES - 1]) >> PAGE_SHIFT) return false;
		page = page_of(r, first >> PAGE_SHIFT);
		const uint32_t line = (uint32_t)(first >> 7) % PAGE_LINES;
		if (pattern == PATTERN_ROW && first % 128 == 0 && !is_parted(page, line)) {
			for (unsigned k = 0; k < CELLS; k++) q.cells[k] = &page->lines->cells[k][line];
			if (race_quick_line(&q, a->kind == ACCESS_LOAD)) return true;
		}
		part_line(r, page, line);
		part_line(r, page, (uint32_t)(a->addr[LANES - 1] >> 7) % PAGE_LINES);
		make_room(r, page, a->kind == ACCESS_LOAD ? CELL_READ : CELL_WRITE);
	}
	for (unsigned k = 0; k < CELLS; k++) q.cells[k] = (page ? page->cells[k] : b->shared + k * r->shared_words) + word;
	if (pattern == PATTERN_ONE) return a->kind == ACCESS_LOAD && race_quick_broadcast(&q);
	if (a->kind == ACCESS_LOAD) return race_quick_load(&q);
	bool twice = false;
	if (!race_quick_store(&q, &twice)) return false;
	if (twice && a->kind == ACCESS_STORE && strength(a) == WEAK) compare_values(r, b, a);
	return true;
}

void race_look(Race *r, RaceBlock *b, const Access *a) {
	Words w;
	if (r->last_block != b->number) race_tick(r, b);
	b->touched = true;
	if (a->space == SPACE_SHARED) {
		if (put_off(r, b, a)) return;
		race_settle(r, b);
		if (a->kind != ACCESS_LOAD) b->shared_written = b->now;
	}
	if (quick(r, b, a)) return;
	to_words(r, b, a, &w);
	look_all(r, b, a, &w);
	leave_all(r, b, a, &w);
}
