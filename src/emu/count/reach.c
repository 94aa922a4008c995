#include "emu/count/reach.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "emu/count/copies.h"
#include "emu/count/loads.h"

/* Atomics on each word of a page of global memory that has any. */
enum { PAGE_SHIFT = 16, PAGE_BYTES = 1 << PAGE_SHIFT, PAGE_WORDS = PAGE_BYTES / 4 };
typedef struct {
	uint64_t number; /* address >> PAGE_SHIFT */
	uint32_t atomics[PAGE_WORDS];
} Page;

typedef struct {
	uint32_t working[LANES]; /* lanes of each warp that accessed global memory: a block has at most 32 */
	uint32_t scattered;      /* sectors */
	Loads *loads;            /* while it runs */
	Copies *copies;          /* the same */
	uint64_t *work;          /* the same, [LANES]: instructions of each warp, if some of the kernel's wait */
} BlockReach;

/* Instructions of kinds that an exercise is about, or that show a detour around it: conversions between floats and
 * integers (fixed point instead of floats), texture gathers (instead of the texture's filter). */
enum {
	KIND_CONVERSION = 1,
	KIND_GATHER,
	KIND_DIVISION,
	KIND_VOTE,
	KIND_SHUFFLE,
	KIND_ACTIVEMASK,
	KIND_POPCOUNT,
	KIND_FLOAT,
	KIND_BITS,
	KIND_PRODUCT,
	KIND_WAITING,
	KIND_MBARRIER,
	KINDS
};
static const size_t count_of_kind[KINDS] = {
	[KIND_CONVERSION] = offsetof(Reach, conversions), [KIND_GATHER] = offsetof(Reach, gathers),
	[KIND_DIVISION] = offsetof(Reach, divisions),     [KIND_VOTE] = offsetof(Reach, votes),
	[KIND_SHUFFLE] = offsetof(Reach, shuffles),       [KIND_POPCOUNT] = offsetof(Reach, popcounts),
	[KIND_FLOAT] = offsetof(Reach, float_operations), [KIND_WAITING] = offsetof(Reach, waiting),
	[KIND_BITS] = offsetof(Reach, bit_operations),    [KIND_PRODUCT] = offsetof(Reach, products),
	[KIND_MBARRIER] = offsetof(Reach, waiting),       [KIND_ACTIVEMASK] = offsetof(Reach, activemasks)};

static uint64_t *count_of(Reach *r, int kind) {
	return (uint64_t *)(void *)((char *)r + count_of_kind[kind]);
}

struct ReachObserver {
	Observer base;
	VEC(Page *) pages;
	NumberMap index; /* of pages by number, + 1 */
	Page *last;      /* most accesses come back to it */
	Reach sum;       /* of what blocks report as they end; the rest is in pages and blocks */
	uint8_t *kinds;  /* [ninstrs] of the original, which its forks read */
	uint32_t ninstrs;
	LaunchInfo info;
	uint32_t *work; /* [ninstrs] also the original's: how many instructions of the basic block that begins there do
	                  * not wait; NULL: none of the kernel waits */
	bool is_fork;
	BlockReach *blocks;
	size_t nblocks;
};

static Page *page(ReachObserver *e, uint64_t number) {
	if (e->last && e->last->number == number) return e->last;
	uint64_t *index = number_map_at(&e->index, number);
	if (!*index) {
		vec_push(&e->pages, xcalloc(1, sizeof(Page)));
		vec_last(&e->pages)->number = number;
		*index = e->pages.len;
	}
	return e->last = e->pages.data[*index - 1];
}

static void count_atomic(ReachObserver *e, uint64_t addr) {
	page(e, addr >> PAGE_SHIFT)->atomics[(addr & (PAGE_BYTES - 1)) / 4]++;
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

static Loads *loads_of(BlockReach *b) {
	if (!b->loads) b->loads = loads_new();
	return b->loads;
}

/* Different numbers, of which each lane adds one. */
typedef struct {
	uint64_t seen[LANES], least, most;
	uint32_t count;
} Different;

/* Mostly lanes go up or down, or share a number with the lane before: only the others are looked for. */
static void add_once(Different *d, uint64_t x) {
	if (d->count && x <= d->most && x >= d->least)
		for (uint32_t i = d->count; i > 0; i--)
			if (d->seen[i - 1] == x) return;
	if (!d->count || x < d->least) d->least = x;
	if (!d->count || x > d->most) d->most = x;
	d->seen[d->count++] = x;
}

enum { LOADED_WORD = 4 }; /* bytes */

/* Lanes access whole units of `width` bytes, and a unit is in one sector or fills several. Of a word of which only some
 * bytes are used a compiler may load no more than these, so what counts of a load is at least its word. */
static uint64_t scattered(const Access *a) {
	const uint32_t width = a->kind == ACCESS_LOAD && a->width < LOADED_WORD ? LOADED_WORD : a->width;
	Different units, sectors;
	units.count = sectors.count = 0;
	FOR_LANES(l, a->mask) {
		const uint64_t addr = a->addr[l];
		add_once(&units, addr / width);
		add_once(&sectors, addr / SECTOR_BYTES);
	}
	const uint64_t whole = ((uint64_t)units.count * width + SECTOR_BYTES - 1) / SECTOR_BYTES + 1;
	return sectors.count > whole ? sectors.count - whole : 0;
}

/* Sectors that a request reads in mapped host memory. */
static uint64_t over_link(const Access *a) {
	Different sectors;
	sectors.count = 0;
	FOR_LANES(l, a->mask) {
		const uint64_t addr = a->addr[l];
		if (addr >= MAPPED_BASE) add_once(&sectors, addr / SECTOR_BYTES);
	}
	return sectors.count;
}

static uint64_t larger(uint64_t a, uint64_t b) {
	return a > b ? a : b;
}

static bool is_counted(const Access *a) {
	return a->kind != ACCESS_ATOMIC && (a->space == SPACE_GLOBAL || a->space == SPACE_SHARED);
}

static uint64_t words_of(const Access *a) {
	return (uint64_t)__builtin_popcount(a->mask) * ((a->width + LOADED_WORD - 1) / LOADED_WORD);
}

static const PtxInstr *instr_at(const LaunchInfo *info, uint32_t instr) {
	uint32_t f = info->nfunctions - 1;
	while (info->first[f] > instr) f--;
	return &info->functions[f]->instrs[instr - info->first[f]];
}

/* Does the word become another one whenever this is done again with the same operand? */
static bool adds_up(const ReachObserver *e, const Access *a) {
	const PtxAtomic of = instr_at(&e->info, a->instr)->atomic;
	uint64_t x = 0, any = 0;
	if (a->elements != 1) return true;
	FOR_LANES(l, a->mask) {
		memcpy(&x, a->regs + a->slots[0] + (size_t)l * a->container, a->container);
		any |= x;
	}
	return of == ATOM_INC || of == ATOM_DEC || (any && (of == ATOM_ADD || of == ATOM_XOR));
}

/* How often a thread looks at a flag depends on when others run. It waits if it makes the same access again, with no
 * other one to global memory in between: a load that may see what others store, or an atomic that does no more the
 * second time than the first time. */
static bool is_poll(const ReachObserver *e, BlockReach *block, const Access *a) {
	if (!loads_repeats(loads_of(block), a)) return false;
	return a->kind == ACCESS_LOAD ? a->sem > SEM_WEAK : a->kind == ACCESS_ATOMIC && !adds_up(e, a);
}

static void on_access(Observer *self, const Access *a) {
	ReachObserver *e = (ReachObserver *)self;
	BlockReach *block = block_of(e, a->block);
	if (a->space == SPACE_GLOBAL && a->kind != ACCESS_STORE) e->sum.link_sectors += over_link(a);
	if (a->space == SPACE_GLOBAL && is_poll(e, block, a)) {
		e->sum.polls += a->kind == ACCESS_ATOMIC;
		return;
	}
	if (is_counted(a)) loads_add(loads_of(block), a);
	if (a->space == SPACE_SHARED && a->kind == ACCESS_LOAD) copies_use(block->copies, a->warp);
	if (a->kind == ACCESS_ATOMIC && a->space == SPACE_SHARED && e->kinds[a->instr] != KIND_MBARRIER)
		e->sum.shared_updates += (uint64_t)__builtin_popcount(a->mask);
	if (a->kind == ACCESS_LOAD && a->space == SPACE_CONST) e->sum.constant_words += words_of(a);
	if (a->kind == ACCESS_STORE && a->space == SPACE_SHARED)
		e->sum.shared_stored += (uint64_t)__builtin_popcount(a->mask) * a->width;
	if (a->space != SPACE_GLOBAL) return;
	block->working[a->warp % LANES] |= a->mask;
	if (a->kind != ACCESS_ATOMIC) block->scattered += (uint32_t)scattered(a);
	if (a->kind != ACCESS_ATOMIC) return;
	FOR_LANES(l, a->mask) {
		count_atomic(e, a->addr[l]);
	}
}

static void on_async(Observer *self, const AsyncEvent *event) {
	ReachObserver *e = (ReachObserver *)self;
	BlockReach *b = block_of(e, event->block);
	if (event->kind == ASYNC_INIT) e->sum.mbarriers += (uint64_t)__builtin_popcount(event->mask);
	if (event->kind == ASYNC_BULK && event->owner == event->block)
		FOR_LANES(l, event->mask) {
			loads_bulk(loads_of(b), event->addr[l], event->bytes);
		}
	if (!b->copies) b->copies = copies_new();
	copies_add(b->copies, event);
}

static void on_barrier(Observer *self, const Barrier *b) {
	if (!b->warp_only) loads_barrier(loads_of(block_of((ReachObserver *)self, b->block)), b->warp);
}

static void on_warp_sync(Observer *self, const WarpSync *y) {
	ReachObserver *e = (ReachObserver *)self;
	const uint8_t kind = e->kinds[y->instr];
	if (kind == KIND_SHUFFLE || kind == KIND_VOTE) loads_exchange(loads_of(block_of(e, y->block)), y->warp, y->mask);
}

/* What blocks, or forks, add up to. */
static void add(Reach *sum, Reach *more) {
	sum->busiest_warp = larger(sum->busiest_warp, more->busiest_warp);
	sum->busiest_loads = larger(sum->busiest_loads, more->busiest_loads);
	sum->lone_thread = larger(sum->lone_thread, more->lone_thread);
	sum->loaded_words += more->loaded_words;
	sum->busiest_words = larger(sum->busiest_words, more->busiest_words);
	sum->warp_words = larger(sum->warp_words, more->warp_words);
	sum->block_words = larger(sum->block_words, more->block_words);
	sum->thread_stored = larger(sum->thread_stored, more->thread_stored);
	sum->constant_words += more->constant_words;
	sum->shared_stored += more->shared_stored;
	sum->serial_loads += more->serial_loads;
	sum->copy_uses += more->copy_uses;
	sum->copy_bytes += more->copy_bytes;
	sum->link_sectors += more->link_sectors;
	sum->busiest_stores = larger(sum->busiest_stores, more->busiest_stores);
	sum->combining_warps += more->combining_warps;
	sum->idle_at_end = larger(sum->idle_at_end, more->idle_at_end);
	sum->away_at_end = larger(sum->away_at_end, more->away_at_end);
	sum->shared_updates += more->shared_updates;
	sum->late_words += more->late_words;
	sum->tile_words += more->tile_words;
	sum->shared_stores += more->shared_stores;
	sum->shared_neighbors += more->shared_neighbors;
	sum->global_stores += more->global_stores;
	sum->global_neighbors += more->global_neighbors;
	sum->mbarriers += more->mbarriers;
	sum->polls += more->polls;
	for (int kind = 1; kind < KIND_MBARRIER; kind++) *count_of(sum, kind) += *count_of(more, kind);
}

static bool is_by_thread(uint8_t kind) {
	return kind == KIND_POPCOUNT || kind == KIND_FLOAT || kind == KIND_BITS;
}

static void on_block_end(Observer *self, const BlockCounts *b) {
	ReachObserver *e = (ReachObserver *)self;
	BlockReach *block = block_of(e, b->block);
	Reach one = {.busiest_warp = b->busiest_warp};
	for (uint32_t i = 0; i < e->ninstrs; i++)
		if (e->kinds[i]) *count_of(&one, e->kinds[i]) += is_by_thread(e->kinds[i]) ? b->threads[i] : b->warps[i];
	if (block->work) one.busiest_warp = 0;
	for (int w = 0; block->work && w < LANES; w++) one.busiest_warp = larger(one.busiest_warp, block->work[w]);
	one.idle_at_end = one.away_at_end = LANES;
	if (block->loads) {
		const LoadCounts loads = loads_counts(block->loads);
		one.busiest_loads = loads.warp;
		one.busiest_words = loads.warp_words;
		one.lone_thread = loads.lone_thread;
		one.loaded_words = loads.words;
		one.warp_words = loads.warp_all;
		one.block_words = loads.block_words;
		one.thread_stored = loads.thread_stored;
		one.serial_loads = loads.serial;
		one.busiest_stores = loads.warp_stores;
		one.combining_warps = loads.combining;
		one.idle_at_end = LANES - loads.last_lanes;
		one.away_at_end = LANES - loads.end_lanes;
		one.late_words = loads.late_words;
		one.tile_words = loads.tile_words;
		one.shared_stores = loads.shared.lanes;
		one.shared_neighbors = loads.shared.neighbors;
		one.global_stores = loads.global.lanes;
		one.global_neighbors = loads.global.neighbors;
	}
	const CopyCounts copies = copies_counts(block->copies);
	one.copy_uses = copies.uses;
	one.copy_bytes = copies.in_flight;
	add(&e->sum, &one);
	loads_free(block->loads);
	copies_free(block->copies);
	free(block->work);
	block->loads = NULL;
	block->copies = NULL;
	block->work = NULL;
}

static void clear(ReachObserver *e) {
	for (size_t i = 0; i < e->pages.len; i++) free(e->pages.data[i]);
	for (size_t i = 0; i < e->nblocks; i++) {
		loads_free(e->blocks[i].loads);
		copies_free(e->blocks[i].copies);
		free(e->blocks[i].work);
	}
	vec_free(&e->pages);
	number_map_free(&e->index);
	free(e->blocks);
	if (!e->is_fork) free(e->kinds);
	if (!e->is_fork) free(e->work);
	*e = (ReachObserver){.base = e->base};
}

static bool is_float(PtxType t) {
	return t >= T_F16 && t <= T_F64;
}

static bool is_integer(PtxType t) {
	return t >= T_U8 && t <= T_S64;
}

static bool is_conversion(const PtxInstr *in) {
	if (in->ntypes < 2) return false;
	const PtxType to = in->types[0], from = in->types[1];
	return (is_float(to) && is_integer(from)) || (is_integer(to) && is_float(from));
}

/* Is a file one of the toolkit's with cuda::barrier, cuda::pipeline, and what these call to wait? */
static bool is_of_waiting(const char *file) {
	static const char *const words[] = {"barrier", "pipeline", "__thread", "chrono", "nanosleep"};
	const char *in = file ? strstr(file, "/include/") : NULL;
	if (in) in = strstr(in, "/cuda/");
	for (size_t i = 0; in && i < sizeof words / sizeof *words; i++)
		if (strstr(in, words[i])) return true;
	return false;
}

static uint8_t kind_of(const PtxInstr *in) {
	switch (in->op) {
	case OP_TLD4: return KIND_GATHER;
	case OP_CVT: return is_conversion(in) ? KIND_CONVERSION : 0;
	case OP_DIV:
	case OP_REM: return in->ntypes && is_integer(in->types[0]) ? KIND_DIVISION : 0;
	case OP_VOTE: return KIND_VOTE;
	case OP_SHFL:
	case OP_REDUX: return KIND_SHUFFLE;
	case OP_ACTIVEMASK: return KIND_ACTIVEMASK;
	case OP_POPC: return KIND_POPCOUNT;
	case OP_ADD:
	case OP_SUB:
	case OP_MUL:
	case OP_MAD:
	case OP_FMA: return in->ntypes && in->types[0] == T_F32 ? KIND_FLOAT : 0;
	case OP_MBARRIER: return KIND_MBARRIER;
	case OP_MMA: return KIND_PRODUCT;
	case OP_AND:
	case OP_OR:
	case OP_XOR:
	case OP_LOP3:
	case OP_SHR:
	case OP_SHF:
	case OP_BFE:
	case OP_BFI:
	case OP_PRMT: return in->ntypes && in->types[0] == T_PRED ? 0 : KIND_BITS;
	default: return 0;
	}
}

static uint8_t kind_at(const PtxModule *m, const PtxInstr *in) {
	const uint8_t kind = kind_of(in);
	return kind != KIND_MBARRIER && in->file && is_of_waiting(m->files[in->file]) ? KIND_WAITING : kind;
}

static uint8_t *kinds_of(const LaunchInfo *info) {
	uint8_t *of = xcalloc(info->ninstrs + 1, sizeof *of);
	for (uint32_t f = 0; f < info->nfunctions; f++)
		for (uint32_t i = 0; i < info->functions[f]->ninstrs; i++)
			of[info->first[f] + i] = kind_at(info->module, &info->functions[f]->instrs[i]);
	return of;
}

static bool has_waiting(const uint8_t *kinds, uint32_t n) {
	for (uint32_t i = 0; i < n; i++)
		if (kinds[i] == KIND_WAITING) return true;
	return false;
}

/* Only of a kernel without functions, whose basic blocks are known. */
static uint32_t *work_of(const LaunchInfo *info, const uint8_t *kinds) {
	if (info->nfunctions > 1 || !has_waiting(kinds, info->ninstrs)) return NULL;
	uint32_t *work = xcalloc(info->ninstrs + 1, sizeof *work);
	for (uint32_t b = 0; b < info->cfg->nblocks; b++) {
		const PtxBlock *block = &info->cfg->blocks[b];
		for (uint32_t i = block->first; i < block->end; i++)
			work[block->first] += kinds[i] != KIND_WAITING && kinds[i] != KIND_MBARRIER;
	}
	return work;
}

static bool on_follows(const Observer *self, uint32_t block) {
	(void)block;
	return ((const ReachObserver *)self)->work;
}

static void on_visit(Observer *self, uint32_t block, uint32_t warp, uint32_t instr) {
	ReachObserver *e = (ReachObserver *)self;
	BlockReach *b = block_of(e, block);
	if (!e->work) return;
	if (!b->work) b->work = xcalloc(LANES, sizeof *b->work);
	b->work[warp % LANES] += e->work[instr];
}

static void on_launch_begin(Observer *self, const LaunchInfo *info) {
	ReachObserver *e = (ReachObserver *)self;
	clear(e);
	e->kinds = kinds_of(info);
	e->work = work_of(info, e->kinds);
	e->ninstrs = info->ninstrs;
	e->info = *info;
}

static Observer *on_fork(Observer *self) {
	const ReachObserver *e = (const ReachObserver *)self;
	ReachObserver *fork = reach_new();
	fork->kinds = e->kinds;
	fork->work = e->work;
	fork->ninstrs = e->ninstrs;
	fork->info = e->info;
	fork->is_fork = true;
	return reach_base(fork);
}

static void merge_page(Page *to, const Page *from) {
	for (int w = 0; w < PAGE_WORDS; w++) to->atomics[w] += from->atomics[w];
}

static void on_join(Observer *self, Observer *other) {
	ReachObserver *e = (ReachObserver *)self, *fork = (ReachObserver *)other;
	for (size_t i = 0; i < fork->pages.len; i++) merge_page(page(e, fork->pages.data[i]->number), fork->pages.data[i]);
	for (size_t i = 0; i < fork->nblocks; i++) {
		for (int w = 0; w < LANES; w++) block_of(e, i)->working[w] |= fork->blocks[i].working[w];
		e->blocks[i].scattered += fork->blocks[i].scattered;
	}
	add(&e->sum, &fork->sum);
	reach_free(fork);
}

static const ObserverOps ops = {.fork = on_fork,
								.join = on_join,
								.launch_begin = on_launch_begin,
								.access = on_access,
								.follows = on_follows,
								.visit = on_visit,
								.async = on_async,
								.barrier = on_barrier,
								.warp_sync = on_warp_sync,
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
		for (int w = 0; w < LANES; w++) {
			x.working_warps += b->working[w] != 0;
			x.working_threads += (uint64_t)__builtin_popcount(b->working[w]);
		}
		x.scattered_sectors += b->scattered;
		if (b->scattered > x.scattered_in_block) x.scattered_in_block = b->scattered;
	}
	for (size_t i = 0; i < e->pages.len; i++)
		for (int w = 0; w < PAGE_WORDS; w++)
			x.busiest_address = larger(x.busiest_address, e->pages.data[i]->atomics[w]);
	return x;
}
