/* race.h: the last accesses to each word. Every access first checks the cells of its words, then stores itself
 * there. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "emu/check/lanes.h"
#include "emu/check/race.h"
#include "emu/memory/memory.h"

#define ALL_BYTES (UINT64_C(15) << BYTES_SHIFT)

enum { MOST_WORDS = LANES * 8, MOST_BRIEF_SITES = 64 };

typedef enum { RULE_WRITES, RULE_READ_AFTER, RULE_WRITE_AFTER, RULE_SAME_INSTR } Rule;

/* The words of one warp instruction. */
typedef struct {
	unsigned n;
	Cell *at[MOST_WORDS][CELLS];
	Cell mine[MOST_WORDS]; /* the new cell */
	uint64_t addr[MOST_WORDS];
} Words;

/* --- an access as words ------------------------------------------------------------------------------------------- */

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

/* Strong accesses of the widest scopes do not race with those of other blocks. */
static uint8_t use_of(const Access *a) {
	return (strength(a) >= STRONG_GPU ? USED_STRONG : USED_WEAK) | (a->kind == ACCESS_LOAD ? 0 : USED_STORED);
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
static void global_cells(Race *r, uint8_t use, uint64_t addr, Cell *cells[CELLS]) {
	const bool load = !(use & USED_STORED);
	Page *p = race_page(r, addr, use);
	race_line_to_words(r, p, line_of(addr));
	for (unsigned k = 0; k < CELLS; k++) {
		if (load == (k != CELL_WRITE)) race_make_room(r, p, k);
		/* One shared empty page stays in the cache. */
		cells[k] = p->cells[k] == race_nothing ? race_nothing : p->cells[k] + word_of(addr);
	}
}

static Cell bytes_of(uint64_t addr, uint32_t width) {
	return width >= 4 ? ALL_BYTES : (((UINT64_C(1) << width) - 1) << (addr & 3)) << BYTES_SHIFT;
}

static void to_words(Race *r, const RaceBlock *b, const Access *a, Words *w) {
	const Cell base = cell_of(r, b, a);
	const bool shared = a->space == SPACE_SHARED;
	const uint8_t use = use_of(a);
	const uint32_t nwords = (a->width + 3) / 4;
	unsigned n = 0;
	FOR_LANES(l, a->mask) {
		const uint64_t addr = a->addr[l];
		const Cell bytes = bytes_of(addr, a->width);
		const Cell mine = base | (Cell)l << THREAD_SHIFT | bytes;
		Cell *cells[CELLS];
		if (shared)
			shared_cells(r, b, addr, cells);
		else
			global_cells(r, use, addr, cells);
		for (uint32_t i = 0; i < nwords; i++, n++) {
			for (unsigned k = 0; k < CELLS; k++) w->at[n][k] = cells[k] + i;
			w->mine[n] = mine;
			w->addr[n] = addr + 4 * i;
		}
	}
	w->n = n;
}

/* --- checking ----------------------------------------------------------------------------------------------------- */

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

/* A plain store of the value already there: two threads that set one flag do not race. */
static bool changes_nothing(const Race *r, const Access *a, uint32_t lane, uint64_t addr) {
	const uint32_t bytes = a->width < 4 ? a->width : 4;
	const uint8_t *at = a->shared ? a->shared + addr : NULL;
	uint64_t now = 0;
	if (a->kind != ACCESS_STORE) return false;
	if (addr >= CLUSTER_MEMORY) {
		at = a->shared + (addr & (r->cluster_stride - 1));
	} else if (a->space == SPACE_GLOBAL) {
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
					 .thread = {cell_thread(mine), unknown ? NO_INDEX : cell_thread(other)},
					 .kind = {a->kind, kind_of(other, other_wrote)},
					 .space = addr >= CLUSTER_MEMORY ? SPACE_SHARED : a->space,
					 .width = a->width,
					 .addr = addr >= CLUSTER_MEMORY ? addr & (r->cluster_stride - 1) : addr,
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

/* Shared cells may still hold entries of an earlier block; its times are before this one's floor. */
static bool conflict(Race *r, const RaceBlock *b, bool shared, Cell mine, Cell other) {
	if (!cell_time(other) || (shared && cell_time(other) < b->floor)) return false;
	if (both_strong(r, b, shared, mine, other)) return false;
	/* Different bytes of one word do not conflict, but each hides the other's entry. */
	if (!shared && r->block_of.data[cell_time(other)] != b->number) r->conflict = true;
	return cells_overlap(mine, other) && !race_ordered(r, b, cell_thread(mine), other);
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

/* Certainly ordered: unused, or by a thread of this block before its floor, or by this thread itself. `own`: times
 * from it on are this block's; 0 in shared memory, whose cells no other block uses. */
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

/* --- storing ------------------------------------------------------------------------------------------------------ */

/* Did another lane of the warp read the same bytes, without an order between the two? */
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
		/* In global memory a reader of another block has priority. */
		const bool foreign_kept = global && time >= own && cell_time(*other) && cell_time(*other) < own;
		if (!foreign_kept) *other = old;
	}
	*read = mine;
}

/* Lanes of one instruction that write different values to one location: the result is undefined. */
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

/* --- deferred loads ----------------------------------------------------------------------------------------------- */

static bool put_off(Race *r, RaceBlock *b, const Access *a) {
	if (a->kind != ACCESS_LOAD || b->shared_written >= b->floor || a->width < 4 || strength(a) != WEAK) return false;
	if (r->shared_words > UINT16_MAX) return false; /* of a derived GPU: no room for its word numbers */
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
		FOR_LANES(l, b->late[i].mask) settle_lane(r, b, &b->late[i], l);
	b->nlate = 0;
}

/* --- whole warps, one word a lane --------------------------------------------------------------------------------- */

/* The words of an access that the SIMD path handled except for comparing values. */
static void compare_values(Race *r, const RaceBlock *b, const Access *a) {
	Words w;
	to_words(r, b, a, &w);
	same_instruction(r, b, a, &w);
}

/* Lines that are packed, or fresh, throughout. */
static bool simd_packed(Race *r, const RaceBlock *b, const Access *a, const SimdAccess *q) {
	const Cell mine = q->mine;
	const bool load = a->kind == ACCESS_LOAD;
	const unsigned kind = load ? CELL_READ : CELL_WRITE;
	const uint32_t site = cell_site(mine);
	if (!site || site >= MOST_BRIEF_SITES) return false;
	const Cell head = (mine & ~PACKED_NUMBER) | PACKED_HEAD;
	const uint16_t me = (uint16_t)(mine >> THREAD_SHIFT);
	uint16_t *at[LANES];
	for (uint32_t l = 0; l < LANES; l++) {
		Page *p = race_page(r, a->addr[l], q->use);
		const uint32_t line = line_of(a->addr[l]);
		if ((p->lines[kind][line] & ~PACKED_NUMBER) != head && !race_line_to_packed(r, p, line, kind, head))
			return false;
		at[l] = race_packed(r, p->lines[kind][line]) + word_of(a->addr[l]) % LANES;
	}
	bool fine = true, twice = false;
	for (uint32_t l = 0; l < LANES; l++) fine &= !*at[l] || *at[l] == me + l;
	if (!fine) return false;
	for (uint32_t l = 0; l < LANES; l++) *at[l] = (uint16_t)(me + l);
	for (uint32_t l = 0; l < LANES; l++) twice |= *at[l] != me + l;
	if (twice && load) return false; /* the general path records "several" */
	if (twice) compare_values(r, b, a);
	return true;
}

static void line_cells(Race *r, Cell **lines, uint32_t line, bool load, Cell *cells[CELLS]) {
	race_make_line_room(r, &lines[load ? CELL_READ : CELL_WRITE]);
	if (load && lines[CELL_READ][line]) race_make_line_room(r, &lines[CELL_OTHER]);
	for (unsigned k = 0; k < CELLS; k++) cells[k] = &lines[k][line];
}

/* A row, or two half rows, of lines that only whole warps, or half-warps, have accessed. */
static bool simd_lines(Race *r, const Access *a, const SimdAccess *q) {
	const bool load = a->kind == ACCESS_LOAD;
	const uint64_t first = a->addr[0];
	Cell *cells[2][CELLS];
	if ((first | a->addr[HALF]) % (4 * HALF)) return false;
	Page *p = race_page(r, first, q->use);
	uint32_t line = line_of(first);
	if (first % (4 * LANES) == 0 && a->addr[HALF] == first + 4 * HALF && p->state[line] == LINE_ROW) {
		line_cells(r, p->lines, line, load, cells[0]);
		return race_simd_line(q, cells[0], q->mine, load);
	}
	for (unsigned h = 0; h < 2; h++) {
		const uint64_t addr = a->addr[HALF * h];
		p = race_page(r, addr, q->use);
		line = line_of(addr);
		if (!race_line_to_half_rows(r, p, line)) return false;
		line_cells(r, addr % (4 * LANES) ? p->second : p->lines, line, load, cells[h]);
	}
	return race_simd_line(q, cells[0], q->mine, load) &&
		   race_simd_line(q, cells[1], q->mine + ((Cell)HALF << THREAD_SHIFT), load);
}

/* The cells of `words` words from addr on; false: they are in two pages. */
static bool words_from(Race *r, uint64_t addr, uint32_t words, uint8_t use, Cell *cells[CELLS]) {
	const uint64_t last = addr + 4 * (words - 1);
	if ((addr ^ last) >> PAGE_SHIFT) return false;
	Page *p = race_page(r, addr, use);
	race_line_to_words(r, p, line_of(addr));
	race_line_to_words(r, p, line_of(last));
	race_make_room(r, p, use & USED_STORED ? CELL_WRITE : CELL_READ);
	for (unsigned k = 0; k < CELLS; k++) cells[k] = p->cells[k] + word_of(addr);
	return true;
}

static bool simd_global(Race *r, const RaceBlock *b, const Access *a, Pattern pattern, SimdAccess *q) {
	const bool load = a->kind == ACCESS_LOAD;
	const bool apart = a->addr[0] - a->addr[HALF] + (4 * HALF - 1) > 8 * HALF - 2; /* the halves do not share a word */
	bool twice;
	if (pattern == PATTERN_ONE)
		return load && words_from(r, a->addr[0], 1, q->use, q->cells[0]) && race_simd_broadcast(q);
	if (pattern == PATTERN_ANY || !apart) {
		if (a->kind == ACCESS_ATOMIC || strength(a) != WEAK) return false;
		return simd_packed(r, b, a, q);
	}
	if (simd_lines(r, a, q)) return true;
	q->room_for_other = true;
	for (unsigned h = 0; h < 2; h++) {
		if (!words_from(r, a->addr[HALF * h], HALF, q->use, q->cells[h])) return false;
		q->room_for_other &= race_page(r, a->addr[HALF * h], q->use)->cells[CELL_OTHER] != race_nothing;
	}
	return load ? race_simd_load(q) : race_simd_store(q, &twice);
}

static bool simd_shared(Race *r, const RaceBlock *b, const Access *a, Pattern pattern, SimdAccess *q, uint32_t *index) {
	const bool row = pattern == PATTERN_ROW || pattern == PATTERN_ONE;
	for (unsigned k = 0; k < CELLS; k++) {
		q->cells[0][k] = b->shared + k * r->shared_words + (row ? a->addr[0] >> 2 : 0);
		q->cells[1][k] = q->cells[0][k] + HALF;
	}
	if (pattern == PATTERN_ONE) return a->kind == ACCESS_LOAD && race_simd_broadcast(q);
	if (!row) {
		lanes_words(a->addr, index);
		q->index = index;
	}
	if (a->kind == ACCESS_LOAD) return race_simd_load(q);
	bool twice = false;
	if (!race_simd_store(q, &twice)) return false;
	if (twice && a->kind == ACCESS_STORE && strength(a) == WEAK) compare_values(r, b, a);
	return true;
}

static bool simd_access(Race *r, const RaceBlock *b, const Access *a) {
	if (a->mask != UINT32_MAX || a->width != 4) return false;
	const bool shared = a->space == SPACE_SHARED;
	const Pattern pattern = lanes_pattern(a);
	uint32_t index[LANES];
	SimdAccess q = {.mine = cell_of(r, b, a) | ALL_BYTES,
					.use = use_of(a),
					.own = shared ? 0 : b->own,
					.floor = b->floor,
					.block_of = r->block_of.data};
	return shared ? simd_shared(r, b, a, pattern, &q, index) : simd_global(r, b, a, pattern, &q);
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
	if (simd_access(r, b, a)) return;
	to_words(r, b, a, &w);
	look_all(r, b, a, &w);
	leave_all(r, b, a, &w);
}
