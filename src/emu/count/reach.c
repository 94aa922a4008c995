#include "emu/count/reach.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "emu/count/kinds.h"
#include "emu/count/overlap.h"
#include "emu/count/share.h"

enum { PAGE_SHIFT = 16, PAGE_BYTES = 1 << PAGE_SHIFT, PAGE_WORDS = PAGE_BYTES / 64, SECTOR_BYTES = 32 };

/* One bit per byte of a page of global memory; and the atomics on each of its words, once there is one. */
typedef struct {
	uint64_t number; /* address >> PAGE_SHIFT */
	uint64_t read[PAGE_WORDS], written[PAGE_WORDS];
	uint32_t *atomics; /* [PAGE_BYTES / 4] */
} Page;

typedef struct {
	uint32_t working;   /* a bit for each warp that accessed global memory: a block has at most 32 */
	uint32_t scattered; /* sectors */
	Overlap *overlap;   /* while it runs */
	Share *share;       /* while it runs */
} BlockReach;

struct ReachObserver {
	Observer base;
	Page **pages; /* open addressing, capacity a power of two; NULL: free */
	size_t capacity, count;
	Page *last;     /* most accesses come back to it */
	Reach sum;      /* of what blocks report as they end; the rest is in pages and blocks */
	uint8_t *kinds; /* [ninstrs] of the original, which its forks read */
	uint32_t ninstrs;
	bool is_fork;
	BlockReach *blocks;
	size_t nblocks;
};

static size_t slot_of(const ReachObserver *e, uint64_t number) {
	size_t i = (size_t)((number * 0x9E3779B97F4A7C15u) >> 32) & (e->capacity - 1);
	while (e->pages[i] && e->pages[i]->number != number) i = (i + 1) & (e->capacity - 1);
	return i;
}

static void grow(ReachObserver *e) {
	Page **old = e->pages;
	const size_t capacity = e->capacity;
	e->capacity = capacity ? 2 * capacity : 64;
	e->pages = xcalloc(e->capacity, sizeof *e->pages);
	for (size_t i = 0; i < capacity; i++)
		if (old[i]) e->pages[slot_of(e, old[i]->number)] = old[i];
	free(old);
}

static Page *page(ReachObserver *e, uint64_t number) {
	if (e->last && e->last->number == number) return e->last;
	if (4 * (e->count + 1) > 3 * e->capacity) grow(e);
	const size_t i = slot_of(e, number);
	if (!e->pages[i]) {
		e->pages[i] = xcalloc(1, sizeof(Page));
		e->pages[i]->number = number;
		e->count++;
	}
	return e->last = e->pages[i];
}

/* An access is aligned to its width, which divides 64 bytes: it never straddles a word of the bitmap. */
static void mark(uint64_t *bitmap, uint64_t addr, uint32_t width) {
	const uint64_t at = addr & (PAGE_BYTES - 1), ones = width >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
	bitmap[at / 64] |= ones << at % 64;
}

static void count_atomic(Page *p, uint64_t addr) {
	if (!p->atomics) p->atomics = xcalloc(PAGE_BYTES / 4, sizeof *p->atomics);
	p->atomics[(addr & (PAGE_BYTES - 1)) / 4]++;
}

static BlockReach *block_of(ReachObserver *e, size_t block) {
	if (block >= e->nblocks) {
		size_t blocks = e->nblocks ? e->nblocks : 64;
		while (blocks <= block) blocks *= 2;
		e->blocks = xrealloc(e->blocks, blocks * sizeof *e->blocks);
		memset(e->blocks + e->nblocks, 0, (blocks - e->nblocks) * sizeof *e->blocks);
		e->nblocks = blocks;
	}
	return &e->blocks[block];
}

static Overlap *overlap_of(BlockReach *b) {
	if (!b->overlap) b->overlap = xcalloc(1, sizeof *b->overlap);
	return b->overlap;
}

static Share *share_of(BlockReach *b) {
	if (!b->share) b->share = share_new();
	return b->share;
}

static void free_block(BlockReach *b) {
	overlap_free(b->overlap);
	free(b->share);
	b->overlap = NULL;
	b->share = NULL;
}

/* Adds a number to those seen before, unless it is there. Mostly the one before is the same, or none is. */
static uint32_t add_once(uint64_t *seen, uint32_t count, uint64_t x) {
	for (uint32_t i = count; i > 0; i--)
		if (seen[i - 1] == x) return count;
	seen[count] = x;
	return count + 1;
}

/* Lanes access whole units of `width` bytes, and a unit is in one sector or fills several. */
static uint64_t scattered(const Access *a) {
	uint64_t units[32], sectors[32];
	uint32_t nunits = 0, nsectors = 0;
	FOR_LANES(l, a->mask) {
		const uint64_t addr = a->addr[l];
		nunits = add_once(units, nunits, addr / a->width);
		nsectors = add_once(sectors, nsectors, addr / SECTOR_BYTES);
	}
	const uint64_t whole = ((uint64_t)nunits * a->width + SECTOR_BYTES - 1) / SECTOR_BYTES + 1;
	return nsectors > whole ? nsectors - whole : 0;
}

/* Sectors that a request reads in mapped host memory. */
static uint64_t over_link(const Access *a) {
	uint64_t sectors[32];
	uint32_t n = 0;
	FOR_LANES(l, a->mask) {
		const uint64_t addr = a->addr[l];
		if (addr >= MAPPED_BASE) n = add_once(sectors, n, addr / SECTOR_BYTES);
	}
	return n;
}

static void on_access(Observer *self, const Access *a) {
	ReachObserver *e = (ReachObserver *)self;
	BlockReach *block = block_of(e, a->block);
	overlap_access(overlap_of(block), a);
	const bool global_or_shared = a->space == SPACE_GLOBAL || a->space == SPACE_SHARED;
	if (global_or_shared && a->kind == ACCESS_LOAD) share_load(share_of(block), a);
	if (a->space == SPACE_CONST) e->sum.constant_words += (uint64_t)__builtin_popcount(a->mask) * ((a->width + 3) / 4);
	if (a->space != SPACE_GLOBAL) return;
	if (a->kind != ACCESS_STORE) e->sum.link_sectors += over_link(a);
	block->working |= UINT32_C(1) << a->warp % 32;
	if (a->kind != ACCESS_ATOMIC) block->scattered += (uint32_t)scattered(a);
	FOR_LANES(l, a->mask) {
		const uint64_t addr = a->addr[l];
		Page *p = page(e, addr >> PAGE_SHIFT);
		if (a->kind != ACCESS_STORE) mark(p->read, addr, a->width);
		if (a->kind != ACCESS_LOAD) mark(p->written, addr, a->width);
		if (a->kind == ACCESS_ATOMIC) count_atomic(p, addr);
	}
}

static void on_barrier(Observer *self, const Barrier *b) {
	if (!b->warp_only) overlap_barrier(overlap_of(block_of((ReachObserver *)self, b->block)), b->warp);
}

static uint64_t larger(uint64_t a, uint64_t b) {
	return a > b ? a : b;
}

/* What blocks, or forks, add up to. */
static void add(Reach *sum, const Reach *more) {
	sum->busiest_block = larger(sum->busiest_block, more->busiest_block);
	sum->busiest_warp = larger(sum->busiest_warp, more->busiest_warp);
	sum->busiest_thread = larger(sum->busiest_thread, more->busiest_thread);
	sum->busiest_loads = larger(sum->busiest_loads, more->busiest_loads);
	sum->lone_thread = larger(sum->lone_thread, more->lone_thread);
	sum->loaded_words += more->loaded_words;
	sum->busiest_words = larger(sum->busiest_words, more->busiest_words);
	sum->constant_words += more->constant_words;
	sum->lone_loads += more->lone_loads;
	sum->serial_loads += more->serial_loads;
	sum->link_sectors += more->link_sectors;
	sum->conversions += more->conversions;
	sum->gathers += more->gathers;
}

static void on_block_end(Observer *self, const BlockCounts *b) {
	ReachObserver *e = (ReachObserver *)self;
	BlockReach *block = block_of(e, b->block);
	Reach one = {.busiest_block = b->issued, .busiest_warp = b->busiest_warp};
	for (uint32_t i = 0; i < e->ninstrs; i++) {
		if (e->kinds[i] & KIND_CONVERSION) one.conversions += b->warps[i];
		if (e->kinds[i] & KIND_GATHER) one.gathers += b->warps[i];
	}
	if (block->overlap) one.serial_loads = overlap_serial(block->overlap);
	if (block->share) {
		const ShareCounts share = share_counts(block->share);
		one.busiest_thread = share.thread;
		one.busiest_loads = share.warp;
		one.busiest_words = share.warp_words;
		one.lone_thread = share.lone_thread;
		one.lone_loads = share.lone;
		one.loaded_words = share.words;
	}
	add(&e->sum, &one);
	free_block(block);
}

static void clear(ReachObserver *e) {
	for (size_t i = 0; i < e->capacity; i++)
		if (e->pages[i]) {
			free(e->pages[i]->atomics);
			free(e->pages[i]);
		}
	for (size_t i = 0; i < e->nblocks; i++) free_block(&e->blocks[i]);
	free(e->pages);
	free(e->blocks);
	if (!e->is_fork) free(e->kinds);
	*e = (ReachObserver){.base = e->base};
}

static void on_launch_begin(Observer *self, const LaunchInfo *info) {
	ReachObserver *e = (ReachObserver *)self;
	clear(e);
	e->kinds = kinds_of(info);
	e->ninstrs = info->ninstrs;
}

static Observer *on_fork(Observer *self) {
	const ReachObserver *e = (const ReachObserver *)self;
	ReachObserver *fork = reach_new();
	fork->kinds = e->kinds;
	fork->ninstrs = e->ninstrs;
	fork->is_fork = true;
	return reach_base(fork);
}

static void merge_page(Page *to, const Page *from) {
	for (int w = 0; w < PAGE_WORDS; w++) {
		to->read[w] |= from->read[w];
		to->written[w] |= from->written[w];
	}
	if (!from->atomics) return;
	if (!to->atomics) to->atomics = xcalloc(PAGE_BYTES / 4, sizeof *to->atomics);
	for (int w = 0; w < PAGE_BYTES / 4; w++) to->atomics[w] += from->atomics[w];
}

static void on_join(Observer *self, Observer *other) {
	ReachObserver *e = (ReachObserver *)self, *fork = (ReachObserver *)other;
	for (size_t i = 0; i < fork->capacity; i++)
		if (fork->pages[i]) merge_page(page(e, fork->pages[i]->number), fork->pages[i]);
	for (size_t i = 0; i < fork->nblocks; i++) {
		block_of(e, i)->working |= fork->blocks[i].working;
		e->blocks[i].scattered += fork->blocks[i].scattered;
	}
	add(&e->sum, &fork->sum);
	reach_free(fork);
}

static const ObserverOps ops = {.fork = on_fork,
								.join = on_join,
								.launch_begin = on_launch_begin,
								.access = on_access,
								.barrier = on_barrier,
								.block_end = on_block_end};

ReachObserver *reach_new(void) {
	ReachObserver *e = xcalloc(1, sizeof *e);
	e->base.ops = &ops;
	return e;
}

void reach_free(ReachObserver *e) {
	if (!e) return;
	clear(e);
	free(e);
}

Observer *reach_base(ReachObserver *e) {
	return &e->base;
}

Reach reach_of(const ReachObserver *e) {
	Reach x = e->sum;
	for (size_t i = 0; i < e->nblocks; i++) {
		const BlockReach *b = &e->blocks[i];
		x.working_warps += (uint64_t)__builtin_popcount(b->working);
		x.scattered_sectors += b->scattered;
		if (b->scattered > x.scattered_in_block) x.scattered_in_block = b->scattered;
	}
	for (size_t i = 0; i < e->capacity; i++) {
		const Page *p = e->pages[i];
		if (!p) continue;
		for (int w = 0; w < PAGE_WORDS; w++) {
			x.read_bytes += (uint64_t)__builtin_popcountll(p->read[w]);
			x.written_bytes += (uint64_t)__builtin_popcountll(p->written[w]);
		}
		for (int w = 0; p->atomics && w < PAGE_BYTES / 4; w++)
			if (p->atomics[w] > x.busiest_address) x.busiest_address = p->atomics[w];
	}
	return x;
}
