/* race.h: the last accesses to each word. Every access first checks the cells of its words, then stores itself
 * there. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/isas.h"
#include "emu/check/lanes.h"
#include "emu/check/race.h"
#include "emu/memory/memory.h"

typedef enum { RULE_WRITES, RULE_READ_AFTER, RULE_WRITE_AFTER, RULE_SAME_INSTR } Rule;

/* The words of one warp instruction, lane after lane. */
typedef struct {
	unsigned n;
	Cell mine[MOST_WORDS]; /* the new cell */
	uint64_t addr[MOST_WORDS];
	const Cell *was[CELLS]; /* before the access: in place or in copies; NULL: there are none */
	Cell copies[CELLS][MOST_WORDS];
	Cell *to[MOST_WORDS]; /* where the new ones go; or, */
	Cell *row;            /* if not NULL, there, one after the other */
	bool apart;           /* no two words are the same */
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
	return (strength(a) >= STRONG_GPU ? USED_STRONG : USED_WEAK) | (a->kind == ACCESS_LOAD ? USED_READ : USED_STORED);
}

static Cell cell_of(Race *r, const RaceBlock *b, const Access *a) {
	assert(b->now && b->now < r->block_of.len && r->block_of.data[b->now] == b->number);
	Cell c = b->now;
	c |= (Cell)site_of(r, a->instr) << SITE_SHIFT;
	c |= (Cell)strength(a) << STRONG_SHIFT;
	if (a->kind == ACCESS_ATOMIC) c |= CELL_ATOMIC;
	return c | (Cell)(a->warp * LANES) << THREAD_SHIFT;
}

static Cell bytes_of(uint64_t addr, uint32_t width) {
	return width >= 4 ? ALL_BYTES : (((UINT64_C(1) << width) - 1) << (addr & 3)) << BYTES_SHIFT;
}

/* One word for each of all lanes. */
MANY_ISAS static unsigned set_whole_warp(Words *w, const uint64_t *addr, Cell base) {
	for (unsigned l = 0; l < LANES; l++) {
		w->mine[l] = (base | ALL_BYTES) + ((Cell)l << THREAD_SHIFT);
		w->addr[l] = addr[l];
	}
	return LANES;
}

static void set_words(Words *w, const uint64_t *addr, uint32_t mask, uint32_t width, Cell base) {
	unsigned n = 0;
	if (mask == UINT32_MAX && width == 4) {
		n = set_whole_warp(w, addr, base);
	} else {
		FOR_LANES(l, mask)
			for (uint32_t i = 0; i < width; i += 4, n++) {
				w->mine[n] = base | (Cell)l << THREAD_SHIFT | bytes_of(addr[l], width);
				w->addr[n] = addr[l] + i;
			}
	}
	assert(n && n <= MOST_WORDS);
	w->n = n;
}

/* No look is needed at the reads of shared memory if there were none since the block's floor. */
static void find_shared(const Race *r, const RaceBlock *b, unsigned writes, bool row, Words *w) {
	Cell *cells[CELLS];
	for (unsigned k = 0; k < CELLS; k++) {
		const bool used = k == CELL_WRITE || writes != CELL_WRITE || b->shared_read >= b->floor;
		assert(!row || w->addr[0] / 4 + w->n <= r->shared_words);
		cells[k] = b->shared + k * r->shared_words + (row ? w->addr[0] / 4 : 0);
		w->was[k] = !used ? NULL : row ? cells[k] : w->copies[k];
		for (unsigned i = 0; used && !row && i < w->n; i++) w->copies[k][i] = cells[k][w->addr[i] / 4];
	}
	w->row = row ? cells[writes] : NULL;
	w->apart = false;
	for (unsigned i = 0; !row && i < w->n; i++) w->to[i] = cells[writes] + w->addr[i] / 4;
}

static const Cell *global_cells(const Words *w, Page *const *page, unsigned kind, Cell *cells) {
	Cell used = 0;
	for (unsigned i = 0; i < w->n; i++) used |= page[i]->lines[kind][line_of(w->addr[i])];
	for (unsigned i = 0; used && i < w->n; i++)
		cells[i] = line_cell(page[i]->lines[kind][line_of(w->addr[i])], word_of(w->addr[i]));
	return used ? cells : NULL;
}

/* Are the words in the same lines as those found before? If so, *to is where they are. */
MANY_ISAS static bool in_lines_of(const Found *f, const uint64_t *addr, Cell **to) {
	uint64_t differs = 0;
	for (unsigned i = 0; i < f->n; i++) {
		differs |= addr[i] >> LINE_SHIFT ^ f->line[i];
		to[i] = f->words[i] + word_of(addr[i]);
	}
	return !differs;
}

static void find_lines(Race *r, Found *f, unsigned writes, const Words *w) {
	f->n = w->n;
	f->used = 0;
	f->apart = true;
	for (unsigned i = 0; i < w->n; i++) {
		const uint64_t addr = w->addr[i];
		Page *p = race_page(r, addr, f->use);
		assert((p->used & f->use) == f->use);
		f->page[i] = p;
		f->used |= p->used;
		f->words[i] = race_line_words(r, p, writes, line_of(addr));
		f->line[i] = addr >> LINE_SHIFT;
		f->apart &= !i || f->line[i] > f->line[i - 1];
	}
	f->uses = r->uses;
}

static void find_global(Race *r, uint8_t use, unsigned writes, Words *w) {
	Found *f = &r->found[line_of(w->addr[0]) % FOUND];
	const bool found = f->n == w->n && f->uses == r->uses && f->use == use;
	if (!found || !in_lines_of(f, w->addr, w->to)) {
		f->use = use;
		find_lines(r, f, writes, w);
		in_lines_of(f, w->addr, w->to);
	}
	for (unsigned k = 0; k < CELLS; k++) {
		const uint8_t needs = k == CELL_WRITE ? USED_STORED : USED_READ;
		w->was[k] = f->used & needs && k != writes ? global_cells(w, f->page, k, w->copies[k]) : NULL;
	}
	Cell any = 0;
	for (unsigned i = 0; i < w->n; i++) any |= w->copies[writes][i] = *w->to[i];
	w->was[writes] = any ? w->copies[writes] : NULL;
	w->row = NULL;
	w->apart = f->apart;
}

static void find_words(Race *r, const RaceBlock *b, const Access *a, Words *w) {
	const unsigned writes = a->kind == ACCESS_LOAD ? CELL_READ : CELL_WRITE;
	if (a->space == SPACE_SHARED)
		find_shared(r, b, writes, a->width == 4 && lanes_pattern(a) == PATTERN_ROW, w);
	else
		find_global(r, use_of(a), writes, w);
}

/* --- all cells of an access --------------------------------------------------------------------------------------- */

MANY_ISAS static bool all_in_order(const Cell *cells, const Cell *mine, unsigned n, uint64_t own, uint64_t floor) {
	uint64_t fine = yes(true);
	for (unsigned i = 0; i < n; i++) fine &= cell_in_order(cells[i], mine[i], own, floor);
	return fine;
}

/* True: something moved to the others. ask: the results of cell_read. */
MANY_ISAS static bool read_all(const Cell *mine, Cell *read, Cell *other, unsigned n, uint64_t own, uint64_t floor,
							   bool *ask) {
	uint64_t asked = 0, moved = 0;
	for (unsigned i = 0; i < n; i++) {
		Cell r = read[i], o = other[i];
		asked |= cell_read(mine[i], &r, &o, own, floor);
		moved |= o ^ other[i];
		read[i] = r;
		other[i] = o;
	}
	*ask = asked;
	return moved;
}

/* --- checking ----------------------------------------------------------------------------------------------------- */

static AccessKind kind_of(Cell c, bool write) {
	return c & CELL_ATOMIC ? ACCESS_ATOMIC : write ? ACCESS_STORE : ACCESS_LOAD;
}

static uint64_t value_of(const Access *a, uint32_t lane, uint32_t byte) {
	assert(a->elements && byte < a->width && lane < LANES);
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

static void contend(RaceBlock *b, const Access *a, uint64_t addr, size_t hit) {
	enum { MOST_CONTENDED = 64 }; /* of any more words one is like another */
	if (b->contended.len && b->contended.data[0].floor != b->floor) b->contended.len = 0;
	for (size_t i = 0; i < b->contended.len; i++)
		if (b->contended.data[i].hit == hit && b->contended.data[i].addr == addr) return;
	if (b->contended.len == MOST_CONTENDED) return;
	vec_push(&b->contended, (Contended){addr, a->space, a->warp, b->floor, hit});
}

/* An access of a contended word by another warp. */
static void widen_contended(Race *r, const RaceBlock *b, const Access *a) {
	for (size_t i = 0; i < b->contended.len; i++) {
		const Contended *c = &b->contended.data[i];
		if (c->floor != b->floor || c->space != a->space || c->warp == a->warp) continue;
		for (uint32_t mask = a->mask; mask; mask &= mask - 1) {
			const uint64_t addr = a->addr[__builtin_ctz(mask)];
			Hit *hit = &r->checker.hits.list.data[c->hit - 1];
			if (addr - c->addr < hit->width && hit->span == SPAN_WARP) hit->span = SPAN_BLOCK;
		}
	}
}

static void report(Race *r, RaceBlock *b, const Access *a, Rule rule, Cell mine, Cell other, bool other_wrote,
				   uint64_t addr) {
	assert(cell_time(other) && cell_time(other) < r->block_of.len && cell_site(other) < r->instr_of.len);
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
	const size_t added = hits_add(&r->checker.hits, &hit);
	if (added && r->checker.hits.list.data[added - 1].span == SPAN_WARP) contend(b, a, hit.addr, added);
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

static void look_closely(Race *r, RaceBlock *b, const Access *a, const Words *w, unsigned i) {
	const Cell mine = w->mine[i], write = w->was[CELL_WRITE] ? w->was[CELL_WRITE][i] : 0;
	const bool stores = a->kind != ACCESS_LOAD, shared = a->space == SPACE_SHARED;
	if (conflict(r, b, shared, mine, write)) {
		const bool silent =
			stores && !(write & CELL_ATOMIC) && changes_nothing(r, a, cell_thread(mine) % LANES, w->addr[i]);
		if (!silent) report(r, b, a, stores ? RULE_WRITES : RULE_READ_AFTER, mine, write, true, w->addr[i]);
		return;
	}
	for (unsigned k = CELL_READ; stores && k < CELLS; k++) {
		const Cell read = w->was[k] ? w->was[k][i] : 0;
		if (!conflict(r, b, shared, mine, read)) continue;
		report(r, b, a, RULE_WRITE_AFTER, mine, read, false, w->addr[i]);
		return;
	}
}

/* Times from this one on are this block's; in shared memory, whose cells no other block uses, all are. */
static uint32_t own_from(const RaceBlock *b, bool shared) {
	return shared ? 0 : b->own;
}

static void look_all(Race *r, RaceBlock *b, const Access *a, const Words *w) {
	const unsigned kinds = a->kind == ACCESS_LOAD ? 1 : CELLS;
	const uint32_t own = own_from(b, a->space == SPACE_SHARED);
	bool fine = true;
	for (unsigned k = 0; k < kinds; k++) fine &= !w->was[k] || all_in_order(w->was[k], w->mine, w->n, own, b->floor);
	for (unsigned i = 0; !fine && i < w->n; i++) look_closely(r, b, a, w, i);
}

/* --- storing ------------------------------------------------------------------------------------------------------ */

/* Lanes of one instruction that write different values to one location: the result is undefined. */
static void same_instruction(Race *r, RaceBlock *b, const Access *a, const Words *w) {
	for (unsigned i = 0; i < w->n; i++) {
		const Cell last = *w->to[i];
		if (last == w->mine[i] || !cells_overlap(last, w->mine[i])) continue;
		const uint32_t x = cell_thread(w->mine[i]) % LANES, y = cell_thread(last) % LANES;
		const uint32_t bytes = a->width < 4 ? a->width : 4;
		const uint64_t one = value_of(a, x, (uint32_t)(w->addr[i] - a->addr[x])),
					   two = value_of(a, y, (uint32_t)(w->addr[i] - a->addr[y]));
		if (low_bytes(one, bytes) == low_bytes(two, bytes)) continue;
		report(r, b, a, RULE_SAME_INSTR, w->mine[i], last, true, w->addr[i]);
	}
}

/* True: words of several lanes are the same. */
static bool leave(const Words *w, const Cell *cells) {
	Cell differs = 0;
	if (w->row) {
		memcpy(w->row, cells, w->n * sizeof *cells);
		return false;
	}
	for (unsigned i = 0; i < w->n; i++) *w->to[i] = cells[i];
	for (unsigned i = 0; !w->apart && i < w->n; i++) differs |= *w->to[i] ^ cells[i];
	return differs;
}

static void copy_cells(Cell *to, const Cell *from, unsigned n) {
	if (from)
		memcpy(to, from, n * sizeof *to);
	else
		memset(to, 0, n * sizeof *to);
}

static void leave_reads(Race *r, const RaceBlock *b, bool shared, const Words *w) {
	Cell read[MOST_WORDS], other[MOST_WORDS];
	bool ask;
	copy_cells(read, w->was[CELL_READ], w->n);
	copy_cells(other, w->was[CELL_OTHER], w->n);
	const bool moved = read_all(w->mine, read, other, w->n, own_from(b, shared), b->floor, &ask);
	for (unsigned i = 0; ask && i < w->n; i++) {
		const Cell was = w->was[CELL_READ][i];
		if (cell_time(was) != cell_time(read[i]) && race_ordered(r, b, cell_thread(read[i]), was)) read[i] = w->mine[i];
	}
	for (unsigned i = 0; moved && i < w->n; i++) {
		const uint64_t addr = w->addr[i];
		if (w->was[CELL_OTHER] && other[i] == w->was[CELL_OTHER][i]) continue;
		Cell *words = shared ? b->shared + CELL_OTHER * r->shared_words + addr / 4
							 : race_line_words(r, race_page(r, addr, 0), CELL_OTHER, line_of(addr)) + word_of(addr);
		*words = other[i];
	}
	if (!leave(w, read)) return;
	for (unsigned i = 0; i < w->n; i++)
		if (*w->to[i] != read[i] && cells_overlap(*w->to[i], read[i])) *w->to[i] |= CELL_SEVERAL;
}

/* --- deferred loads ----------------------------------------------------------------------------------------------- */

static bool put_off(Race *r, RaceBlock *b, const Access *a, Cell mine) {
	if (a->kind != ACCESS_LOAD || b->shared_written >= b->floor || a->width < 4 || strength(a) != WEAK) return false;
	if (r->shared_words > UINT16_MAX) return false; /* of a derived GPU: no room for its word numbers */
	if (!b->late) b->late = xcalloc(MOST_LATE, sizeof *b->late);
	if (b->nlate == MOST_LATE) race_settle(r, b);
	assert(b->nlate < MOST_LATE);
	LateRead *late = &b->late[b->nlate++];
	late->mine = mine | ALL_BYTES;
	late->mask = a->mask;
	late->nwords = a->width / 4;
	lanes_words16(a->addr, late->word);
	return true;
}

void race_settle(Race *r, RaceBlock *b) {
	Words w;
	for (uint32_t i = 0; i < b->nlate; i++) {
		const LateRead *late = &b->late[i];
		uint64_t addr[LANES];
		for (uint32_t l = 0; l < LANES; l++) addr[l] = 4 * (uint64_t)late->word[l];
		set_words(&w, addr, late->mask, 4 * late->nwords, late->mine);
		find_shared(r, b, CELL_READ, false, &w);
		leave_reads(r, b, true, &w);
		b->shared_read = b->now;
	}
	b->nlate = 0;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

/* Lines whose threads access other numbers of words have other threads, but for the first word. */
static bool line_in_order(const RaceBlock *b, Cell line, Cell mine) {
	if (line && !line_is_run(line)) return false;
	return cell_past(line, b->own, b->floor) ||
		   (!((line ^ mine) & ALL_BYTES) && cell_in_order(line, mine, b->own, b->floor));
}

static bool load_line(Race *r, const RaceBlock *b, Page *p, uint32_t line, Cell mine) {
	Cell read = p->lines[CELL_READ][line], other = p->lines[CELL_OTHER][line];
	const Cell was = other;
	if (!(read | other | p->lines[CELL_WRITE][line])) {
		*race_line(r, p, CELL_READ, line) = mine;
		return true;
	}
	if ((read && !line_is_run(read)) || (other && !line_is_run(other))) return false;
	if (!cell_past(read, b->own, b->floor) && (read ^ mine) & ALL_BYTES) return false;
	if (!line_in_order(b, p->lines[CELL_WRITE][line], mine)) return false;
	if (cell_read(mine, &read, &other, b->own, b->floor)) return false;
	*race_line(r, p, CELL_READ, line) = read;
	if (other != was) *race_line(r, p, CELL_OTHER, line) = other;
	return true;
}

static bool store_line(Race *r, const RaceBlock *b, Page *p, uint32_t line, Cell mine) {
	const Cell any = p->lines[CELL_WRITE][line] | p->lines[CELL_READ][line] | p->lines[CELL_OTHER][line];
	for (unsigned k = 0; any && k < CELLS; k++)
		if (!line_in_order(b, p->lines[k][line], mine)) return false;
	*race_line(r, p, CELL_WRITE, line) = mine;
	return true;
}

/* Whole lines, lane after lane. False: they are not, or need a closer look; what is done is done again then.
 * On its own, so that accesses of shared memory save few registers. */
__attribute__((noinline)) static bool look_at_lines(Race *r, const RaceBlock *b, const Access *a, Cell mine) {
	const Pattern pattern = lanes_pattern(a);
	const uint64_t *addr = a->addr, half = (uint64_t)HALF * a->width;
	if ((pattern != PATTERN_ROW && pattern != PATTERN_HALVES) || a->width < 4) return false;
	if ((addr[0] | addr[HALF]) % (4 * HALF) || addr[HALF] - addr[0] + half <= 2 * half - 1) return false;
	const unsigned n = a->width / 4, lanes = HALF / n;
	const uint8_t use = use_of(a);
	mine |= (Cell)(RUN + (unsigned)__builtin_ctz(n)) << BYTES_SHIFT;
	for (unsigned lane = 0; lane < LANES; lane += lanes) {
		const uint64_t at = addr[lane];
		const Cell cell = mine + ((Cell)lane << THREAD_SHIFT);
		Page *p = race_page(r, at, use);
		if (!(a->kind == ACCESS_LOAD ? load_line : store_line)(r, b, p, line_of(at), cell)) return false;
	}
	return true;
}

/* --- all accesses ------------------------------------------------------------------------------------------------- */

/* A load of one word by all lanes, as if it were by the first. False: it is not, or needs a closer look. */
static bool look_at_one(Race *r, const RaceBlock *b, const Access *a, Cell mine, Words *w) {
	const bool shared = a->space == SPACE_SHARED;
	if (a->kind != ACCESS_LOAD || a->width != 4 || lanes_pattern(a) != PATTERN_ONE) return false;
	set_words(w, a->addr, 1, 4, mine | CELL_SEVERAL);
	find_words(r, b, a, w);
	if (w->was[CELL_WRITE] && !cell_past(*w->was[CELL_WRITE], own_from(b, shared), b->floor)) return false;
	leave_reads(r, b, shared, w);
	return true;
}

/* On its own, because the words take a lot of stack. */
__attribute__((noinline)) static void look_at_words(Race *r, RaceBlock *b, const Access *a, Cell mine) {
	Words w;
	if (look_at_one(r, b, a, mine, &w)) return;
	set_words(&w, a->addr, a->mask, a->width, mine);
	find_words(r, b, a, &w);
	look_all(r, b, a, &w);
	if (a->kind == ACCESS_LOAD)
		leave_reads(r, b, a->space == SPACE_SHARED, &w);
	else if (leave(&w, w.mine) && a->kind == ACCESS_STORE && strength(a) == WEAK)
		same_instruction(r, b, a, &w);
}

void race_look(Race *r, RaceBlock *b, const Access *a) {
	assert(a->mask && a->warp < b->nwarps && a->block == b->number);
	if (r->last_block != b->number) race_tick(r, b);
	if (b->contended.len) widen_contended(r, b, a);
	const Cell mine = cell_of(r, b, a);
	b->touched = true;
	if (a->space == SPACE_SHARED) {
		if (put_off(r, b, a, mine)) return;
		race_settle(r, b);
		*(a->kind == ACCESS_LOAD ? &b->shared_read : &b->shared_written) = b->now;
	} else if (look_at_lines(r, b, a, mine)) {
		return;
	}
	look_at_words(r, b, a, mine);
}
