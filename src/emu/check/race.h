/* The race checker's state. Method (check/race.c: events; race_shadow.c: the last accesses to each word;
 * race_order.c: the causality order):
 *
 * Two accesses race when they touch the same bytes, one of them writes, not both are strong (volatile, relaxed,
 * atomic, of a scope that holds both threads: then PTX calls them morally strong; but not two volatile ones of lanes
 * of one warp to shared memory, as code did that relied on lockstep warps), and nothing orders the two (PTX ISA,
 * "Memory Consistency Model": causality order).
 *
 * Time. A time is a number that belongs to one block: whenever threads of a block synchronize, the block takes the
 * next one. An access carries its block's current time, so one number identifies the block and orders the access
 * within it.
 *
 * Before. An access of time t is known to a thread, that is, comes before what that thread does now, if
 *     it is the thread's own, or
 *     the same block's and t < the block's floor: the time of its last barrier, or
 *     the same warp's and t < the warp's floor, or the matrix of which lanes synchronized says so:
 *     bar.warp.sync, shfl.sync, vote.sync...
 *     (before cc 7.0 a warp runs in lockstep and always knows itself), or
 *     the thread acquired a clock (clock.h) that covers it.
 *
 * Clocks. A thread that fences and then writes strongly, or writes with release, stores its clock as of the fence at
 * that address. A thread that reads the address strongly may acquire it: at once with acquire semantics, else at its
 * next fence of fitting scope; a barrier or a warp-wide instruction also acquires it (the last block of a reduction
 * reads its ticket, then all its threads pass __syncthreads()). Writes that a thread's own fence made visible to the
 * device before a barrier count as known to the whole block after it, so that another thread may release them; the
 * same holds for a warp and its synchronizations. For that warps keep `dirty` lanes, those with stores and no fence
 * since.
 *
 * Shadow. Each 4-byte word has three cells: the last write, the last read, and the last read by another thread (of
 * another warp; in global memory preferably of another block):
 *     | several 1 | atomic 1 | strong 2 | bytes 4 | site 14 | thread 10 | time 32 |
 * site numbers the instructions that access memory; several: other lanes of the warp did the same.
 * Global memory has them in pages, by lines of 16 words. As long as lane after lane accesses a whole line, it has one
 * cell of each kind, from which those of its words follow; later on each word has its own.
 * Order. A kernel whose operations may order threads of different blocks runs on one host thread, in one order of
 * events. In any other kernel (race_independent.c) blocks that do not race are independent, so host threads may share
 * them: each has a shadow of its own. If two blocks of a host thread conflict, or the shadows show afterwards that
 * blocks of two host threads do, what the launch wrote is restored (memory/undo.c) and it runs again, in one order. So
 * the findings are always those of one order.
 * Shared memory of clusters of several blocks is accessed by other blocks: there a word has an address of its own
 * above all global ones, CLUSTER_MEMORY plus an offset for each running block, and is treated like global memory.
 * A plain load of shared memory that was not written since the block's floor can only race with a write before the
 * next barrier, which is rarely seen: such loads are deferred, entered into the cells when there is a write, and
 * dropped at the barrier. */
#pragma once

#include "emu/check/checker.h"
#include "emu/check/clock.h"
#include "emu/memory/undo.h"
#include "gpu/lanes.h"

typedef uint64_t Cell;

enum {
	HALF = LANES / 2,
	THREAD_SHIFT = 32,
	SITE_SHIFT = 42,
	SITE_MAX = (1 << 14) - 1,
	BYTES_SHIFT = 56,
	STRONG_SHIFT = 60,
	PAGE_WORDS = 4096,
	PAGE_SHIFT = UNDO_SHIFT, /* of an address */
	PAGE_LINES = PAGE_WORDS / HALF,
	LINE_SHIFT = 6,
	REGION_PAGES = 1024,
	REGION_SHIFT = PAGE_SHIFT + 10,
	CLUSTER_BARRIER = 16,
	BARRIERS,
	MOST_LATE = 1024,
	MOST_WORDS = LANES * 8, /* of an access */
	FOUND = 4
};
#define ALL_BYTES (UINT64_C(15) << BYTES_SHIFT)
#define THREAD_BITS (UINT64_C(1023) << THREAD_SHIFT)
#define WARP_BITS (UINT64_C(31) << (THREAD_SHIFT + 5))
#define CLUSTER_MEMORY (UINT64_C(1) << 60)
#define CELL_ATOMIC (UINT64_C(1) << 62)
#define CELL_SEVERAL (UINT64_C(1) << 63)

enum { WEAK, STRONG_CTA, STRONG_GPU, VOLATILE }; /* of cells; a volatile access has the widest scope */
enum { LEVEL_CTA, LEVEL_GPU, LEVELS };           /* of fences and clocks */
enum { CELL_WRITE, CELL_READ, CELL_OTHER, CELLS };

static inline uint32_t cell_time(Cell c) {
	return (uint32_t)c;
}
static inline uint32_t cell_thread(Cell c) {
	return (uint32_t)(c >> THREAD_SHIFT) & 1023;
}
static inline uint32_t cell_site(Cell c) {
	return (uint32_t)(c >> SITE_SHIFT) & SITE_MAX;
}
static inline uint32_t cell_strong(Cell c) {
	return (uint32_t)(c >> STRONG_SHIFT) & 3;
}
static inline bool cells_overlap(Cell a, Cell b) {
	return (a & b) >> BYTES_SHIFT & 15;
}

/* All ones or zero, in 64 bits, so that a comparison is of eight lanes. */
static inline uint64_t yes(bool x) {
	return -(uint64_t)x;
}
/* Unused, or by a thread of this block before its floor. own: times from it on are this block's; 0 in shared memory,
 * whose cells no other block uses. */
static inline uint64_t cell_past(Cell c, uint64_t own, uint64_t floor) {
	const uint64_t t = c & UINT32_MAX;
	return yes(t == 0) | (yes(t >= own) & yes(t < floor));
}
/* Certainly ordered: past, or by this thread itself. */
static inline uint64_t cell_in_order(Cell c, Cell mine, uint64_t own, uint64_t floor) {
	return cell_past(c, own, floor) |
		   (yes(((c ^ mine) & (THREAD_BITS | CELL_SEVERAL)) == 0) & yes((c & UINT32_MAX) >= own));
}
/* What a read leaves of the last read and the other one. Another thread's read moves to the other one, where a reader
 * of another block has priority; that of another lane of the warp becomes "several", unless it is ordered before: if it
 * has another time the result is all ones, and race_ordered says. */
static inline uint64_t cell_read(Cell mine, Cell *read, Cell *other, uint64_t own, uint64_t floor) {
	const uint64_t old = *read, t = old & UINT32_MAX, other_time = *other & UINT32_MAX;
	const uint64_t ours = yes(t >= own), recent = yes(t >= floor), warp = yes(((old ^ mine) & WARP_BITS) == 0);
	const uint64_t same = yes(((old ^ mine) & THREAD_BITS) == 0) & yes((old & CELL_SEVERAL) == 0);
	const uint64_t several = ours & recent & warp & ~same & yes((old & mine & ALL_BYTES) != 0);
	const uint64_t kept = ours & yes(other_time != 0) & yes(other_time < own);
	const uint64_t moves = ~(ours & (~recent | warp)) & yes(t != 0) & ~kept;
	*other ^= (*other ^ old) & moves;
	*read = mine | (several & CELL_SEVERAL);
	return several & yes(t != (mine & UINT32_MAX));
}

/* A lane's state for release and acquire. */
typedef struct {
	uint32_t fence[LEVELS];      /* time of its last fence; 0: none */
	uint32_t floor[LEVELS];      /* the block's floor then */
	uint32_t warp_floor[LEVELS]; /* the warp's */
	Clock *knows;
	Clock *read[LEVELS]; /* read strongly, not fenced yet */
} LaneOrder;

typedef struct {
	uint32_t floor;
	uint32_t dirty[LEVELS];  /* lanes with stores (LEVEL_GPU: global ones) and no fence of the level since */
	uint32_t fenced[LEVELS]; /* all its lanes' writes before this time are fenced and known to all its lanes */
	bool parted;             /* met holds something */
	uint32_t (*met)[LANES];  /* [lane][other]: accesses of other before this time are known to lane */
	LaneOrder *lanes;        /* [LANES]; NULL: nothing special */
	Clock *knows;            /* all lanes */
	uint32_t arrived[BARRIERS], waits[BARRIERS]; /* lanes at a barrier that is not complete; those of them that wait */
} RaceWarp;

typedef struct {
	Clock *left[LEVELS];
	uint32_t block; /* left[LEVEL_CTA] is of this block's threads */
} SyncPlace;

/* Addresses where something was released. */
typedef struct {
	NumberMap index; /* by address: index in list + 1 */
	VEC(SyncPlace) list;
} Places;

/* A deferred load of whole words. */
typedef struct {
	Cell mine; /* of lane 0 */
	uint32_t mask, nwords;
	uint16_t word[LANES];
} LateRead;

/* A word that lanes of one warp raced for. If another warp uses it, too, before the next barrier, ordering the lanes of
 * a warp is not enough. */
typedef struct {
	uint64_t addr;
	PtxSpace space;
	uint32_t warp, floor; /* the block's */
	size_t hit;           /* hits_add's */
} Contended;

typedef struct {
	uint32_t number;
	uint32_t now; /* its present time */
	uint32_t own; /* times from here to now are all its own */
	uint32_t floor;
	uint32_t fenced; /* writes before this time are visible to the device and known to the block */
	bool fresh;      /* it has no time yet */
	bool touched;    /* an access has the present time */
	bool acquired;   /* some thread knows a clock */
	Clock *knows;    /* all threads */
	RaceWarp *warps;
	uint32_t nwarps;
	Cell *shared;                         /* [CELLS][words] */
	uint32_t shared_written, shared_read; /* the last times something wrote there, and its cells got a read */
	LateRead *late;                       /* [MOST_LATE] or NULL */
	uint32_t nlate;
	VEC(Contended) contended;
	Places places;            /* in shared memory */
	struct AsyncBlock *async; /* copies that were not waited for; NULL: there were none */
	struct ProxyBlock *proxy; /* what the async proxy reads; NULL: nothing yet */
	uint32_t slot;            /* slot of its shared memory in CLUSTER_MEMORY, among blocks that run at the same time */
} RaceBlock;

/* How a page was used: by accesses that race with any of another block; by strong ones, which race with weak ones
 * only; by stores; by loads. */
enum { USED_WEAK = 1, USED_STRONG = 2, USED_STORED = 4, USED_READ = 8 };

/* A line is 0: unused; or that cell, of its first word, with RUN + n for its bytes: each thread accesses 2^n words; or,
 * without bytes, the address of its words' cells. */
enum { RUN = 8 };
typedef struct {
	_Alignas(32) Cell *lines[CELLS]; /* [PAGE_LINES] or race_unused; NULL: an unused page */
	uint8_t used;                    /* USED_* */
} Page;

typedef struct {
	uint64_t number;
	Page pages[REGION_PAGES];
} Region;

/* Where the cells of an access are, in lines with one for each word. The block's next warp often accesses other words
 * of the same lines: those need no search. */
typedef struct {
	uint32_t n, uses; /* Race.uses then: since then no page was used in another way */
	uint8_t use;      /* the access's */
	uint8_t used;     /* of all pages */
	bool apart;       /* each word is in another line */
	uint64_t line[MOST_WORDS];
	Cell *words[MOST_WORDS];
	Page *page[MOST_WORDS];
} Found;

/* Memory for the parts of pages, which the next launch uses again: new memory costs the host more than filling it. */
typedef struct RaceRoom RaceRoom;

typedef struct {
	Checker checker;
	Undo *undo;                  /* the launch runs on several host threads: what it writes; the forks share it */
	bool conflict;               /* and blocks of this fork conflict */
	bool lockstep;               /* warps run in lockstep: cc < 7.0 */
	uint32_t nwarps, lanes_last; /* of a block; lanes of its last warp */
	size_t shared_words;
	bool proxy;              /* something reads shared memory by the async proxy */
	bool copies;             /* cp.async reads global memory */
	bool read_only;          /* ld.global.nc reads it */
	uint32_t cluster;        /* blocks of a cluster */
	uint64_t cluster_stride; /* bytes a slot in CLUSTER_MEMORY: a power of two */
	uint32_t nslots;
	uint32_t fences;        /* seen in the launch */
	size_t clocks;          /* bytes of clocks when they were last asked for */
	uint32_t last_block;    /* that took a time */
	VEC(uint32_t) block_of; /* by time */
	uint16_t *site_of;      /* [ninstrs]; 0: none yet */
	VEC(uint32_t) instr_of; /* by site */
	NumberMap regions;      /* Region pointers by number */
	Region *region;         /* the last one that was asked for */
	uint32_t uses;          /* new ones of pages */
	Found found[FOUND];     /* by the first word's line */
	RaceRoom *room;         /* the forks share it */
	VEC(uint8_t *) chunks;  /* of it, for the parts of pages */
	size_t chunk_left;
	Places places; /* in global memory */
} Race;

/* --- race_order.c --- */

uint64_t race_cluster_memory(const Race *race, uint32_t block); /* where a block's shared memory is in CLUSTER_MEMORY */

void race_tick(Race *race, RaceBlock *block);
/* Does the access in this cell come before what the thread does now? */
bool race_ordered(const Race *race, const RaceBlock *block, uint32_t thread, Cell cell);
void race_fence(Race *race, RaceBlock *block, uint32_t warp, uint32_t mask, unsigned level);
/* A strong access of a lane: what it releases at the address, what it acquires there. */
void race_release(Race *race, RaceBlock *block, uint32_t warp, uint32_t lane, uint64_t addr, bool shared, bool now,
				  unsigned level);
void race_acquire(Race *race, RaceBlock *block, uint32_t warp, uint32_t lane, uint64_t addr, bool shared, bool now,
				  unsigned level);
/* Lanes of a warp synchronized. Where they are not all of its lanes, as for race_met_some, race_settle comes first. */
void race_met(Race *race, RaceBlock *block, uint32_t warp, uint32_t group);
bool race_whole_warp(const Race *race, uint32_t warp, uint32_t group); /* all lanes that the launch has in it */
void race_met_all(Race *race, RaceBlock *block);                       /* a barrier of the whole block */
void race_met_cluster(RaceBlock *const *blocks, uint32_t n);           /* each of which has just synchronized */
void race_met_some(Race *race, RaceBlock *block, uint32_t barrier);    /* of those that arrived at it */
void places_clear(Places *places);

/* --- race_pages.c --- */

extern Cell race_unused[PAGE_LINES];

RaceRoom *race_room_new(void);
void race_room_free(RaceRoom *room); /* NULL is allowed; no fork holds any of it */
Page *race_page_use(Race *race, uint64_t addr, uint8_t use);
void race_lines_make(Race *race, Page *page, unsigned kind);
Cell *race_line_to_words(Race *race, Page *page, unsigned kind, uint32_t line);
void race_pages_forget(Race *race);

static inline uint32_t line_of(uint64_t addr) {
	return (uint32_t)(addr >> LINE_SHIFT) % PAGE_LINES;
}
static inline uint32_t word_of(uint64_t addr) {
	return (uint32_t)(addr >> 2) % HALF;
}
static inline bool line_is_run(Cell line) {
	return line & ALL_BYTES;
}
static inline Cell line_cell(Cell line, uint32_t word) {
	if (!line) return 0;
	if (!line_is_run(line)) return ((const Cell *)(uintptr_t)line)[word];
	const uint32_t lane = word >> (line >> BYTES_SHIFT & (RUN - 1));
	return (line | ALL_BYTES) + ((Cell)lane << THREAD_SHIFT);
}
/* The line, to be written. */
static inline Cell *race_line(Race *race, Page *p, unsigned kind, uint32_t line) {
	if (p->lines[kind] == race_unused) race_lines_make(race, p, kind);
	return &p->lines[kind][line];
}
/* The cells of the line's words; from now on they have their own. */
static inline Cell *race_line_words(Race *race, Page *p, unsigned kind, uint32_t line) {
	const Cell at = p->lines[kind][line];
	return at && !line_is_run(at) ? (Cell *)(uintptr_t)at : race_line_to_words(race, p, kind, line);
}
/* The page of an access, marked with its use. */
static inline Page *race_page(Race *race, uint64_t addr, uint8_t use) {
	const uint64_t number = addr >> REGION_SHIFT;
	Region *g = race->region;
	if (!g || g->number != number) g = race->region = (Region *)(uintptr_t)number_map_get(&race->regions, number);
	Page *p = g ? &g->pages[(addr >> PAGE_SHIFT) % REGION_PAGES] : NULL;
	return p && (p->used & use) == use ? p : race_page_use(race, addr, use);
}
const Page *race_page_find(const Race *race, uint64_t addr); /* NULL: not accessed */

/* --- race_independent.c --- */

bool race_blocks_are_independent(
	const LaunchInfo *info);                    /* nothing in the kernel may put threads of different blocks in order */
bool race_meet(Race *const *forks, unsigned n); /* blocks of two forks conflict */

/* --- race_async.c --- */

void race_async(Race *race, RaceBlock *block, const AsyncEvent *event);
void race_async_look(Race *race, RaceBlock *block,
					 const Access *access);                      /* an access that may be of what a copy still writes */
void race_async_passed(RaceBlock *block, uint64_t mbarrier);     /* its phase is over */
void race_async_arrived(RaceBlock *block, const Access *access); /* cp.async.mbarrier.arrive */
void race_async_drop(RaceBlock *block);
enum { RULE_ASYNC = 5, RULE_SOURCE, RULE_PROXY, RULE_PRODUCT_READ, RULE_PRODUCT_WRITE, RULE_READ_ONLY };

/* --- race_proxy.c --- */

bool race_proxy_reads(const LaunchInfo *info); /* has the launch an instruction that reads by the async proxy? */
void race_proxy(Race *race, RaceBlock *block, const AsyncEvent *event);     /* of products */
void race_proxy_access(Race *race, RaceBlock *block, const Access *access); /* of the block's own shared memory */
void race_proxy_fence(Race *race, RaceBlock *block, uint32_t warp, uint32_t mask); /* fence.proxy.async */
void race_proxy_drop(RaceBlock *block);

/* --- race_shadow.c --- */

void race_look(Race *race, RaceBlock *block, const Access *access);
void race_settle(Race *race, RaceBlock *block);             /* enters the deferred loads into their cells */
void race_clean(Race *race, uint64_t addr, uint64_t bytes); /* clears the cells of whole lines */
