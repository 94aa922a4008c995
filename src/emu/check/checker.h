/* Shared by all checkers: hits (detections, by instructions), their conversion to findings (by source lines), and
 * per-block state. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "emu/check/check.h"
#include "ptx/places.h"

enum { NO_INDEX = UINT32_MAX };

/* One detection, at one pair of instructions. Hits of the same rule and instructions are merged, keeping the one in
 * the earlier block. Beyond MOST_HITS no more are recorded. */
enum { MOST_HITS = 4096 };
/* Within what the threads of all merged hits are: a remedy has to reach as far. */
typedef enum { SPAN_WARP, SPAN_BLOCK, SPAN_GRID } HitSpan;
typedef struct {
	uint32_t rule;      /* the checker's own number */
	uint32_t instr[2];  /* global numbers; NO_INDEX: none */
	uint32_t block[2];  /* linear */
	uint32_t thread[2]; /* in the block; NO_INDEX: not known */
	AccessKind kind[2];
	PtxSpace space;
	HitSpan span; /* set by hits_add */
	uint32_t width;
	uint64_t addr;
	uint64_t count;
	uint64_t figures[3]; /* the checker's own, for its sentence */
} Hit;

typedef struct {
	VEC(Hit) list;
	NumberMap index; /* in the list, + 1 */
} Hits;

Hit hit_at(uint32_t instr, uint32_t block, uint32_t thread);
Hit hit_of(const Access *access, uint32_t lane, uint64_t addr, uint32_t width); /* one lane's, or a part of it */
size_t hits_add(Hits *hits, const Hit *hit); /* its place in the list + 1; 0: there is no room */

/* States of the blocks a worker holds, by number, with the last one cached. */
typedef struct {
	uint32_t block;
	void *state;
} BlockSlot;
typedef struct {
	VEC(BlockSlot) held;
	VEC(void *) pool;
	uint32_t last;
} Blocks;
void *blocks_find(Blocks *blocks, uint32_t block);
void *blocks_begin(Blocks *blocks, uint32_t block, void *(*make)(void *context), void *context);

typedef struct Checker Checker;
struct Checker {
	Observer base; /* first */
	CheckFlag flag;
	size_t bytes; /* of the checker's own struct, which begins with this one */
	bool is_fork; /* for another host thread: what the constructor and launch_begin made is the original's */
	const Gpu *gpu;
	LaunchInfo info; /* during the launch */
	Hits hits;
	VEC(Finding) findings;
	Blocks blocks;
	/* Fills message and hint; sites, space, buffer and count are filled already. False: do not report it. */
	bool (*describe)(const Checker *self, const Hit *hit, Finding *finding);
	void (*drop)(void *state);    /* frees the state of a block; NULL: it keeps none */
	void (*clear)(Checker *self); /* frees what else it holds; NULL: nothing */
};

void *checker_new(const Checker *kind, const Gpu *gpu); /* with the ops, bytes, and functions of this one */
void checker_free(Checker *checker);
void checker_begin(Checker *checker, const LaunchInfo *info); /* forgets the last launch */
void checker_finish(Checker *checker);                        /* hits to findings */

/* They fit ObserverOps. A fork is a copy without hits, findings, and blocks; join takes over its hits. */
Observer *checker_fork(Observer *checker);
void checker_join(Observer *checker, Observer *fork);
void checker_block_end(Observer *checker, const BlockCounts *counts);
void checker_launch_end(Observer *checker, const LaunchOutcome *outcome); /* checker_finish */

bool same_site(const FindingSite *a, const FindingSite *b);
Finding finding_of_fault(CheckFlag check, const Fault *fault); /* without a hint */

#define CHECKER(id, name, what) Checker *name##_checker_new(const Gpu *gpu);
#include "emu/check/checkers.def"
#undef CHECKER

const PtxInstr *instr_at(const LaunchInfo *info, uint32_t instr); /* by global number */
const PtxFunction *function_at(const LaunchInfo *info, uint32_t instr);
Place place_at(const LaunchInfo *info, uint32_t instr);
bool same_place(Place a, Place b);

/* Names what is at an address: buffer, offset, buffer_bytes. */
void name_address(const LaunchInfo *info, PtxSpace space, uint64_t addr, Finding *finding);
/* "block (1,0,0) thread (5,0,0)" */
void say_thread(const FindingSite *site, char *out, size_t size);

/* Does the access stay inside [0, bytes)? Checked before every access to a shadow of shared or local memory,
 * independently of the machine's own check. */
static inline bool access_inside(const Access *a, uint64_t bytes) {
	return a->end <= bytes;
}

static inline void *block_state(Blocks *blocks, uint32_t block) {
	if (blocks->last < blocks->held.len && blocks->held.data[blocks->last].block == block)
		return blocks->held.data[blocks->last].state;
	return blocks_find(blocks, block);
}
