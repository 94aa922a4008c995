/* What checkers share: hits (what was seen, by instructions), how they become findings (by source lines), and states of blocks. */
#ifndef GPULAB_EMU_CHECKER_H
#define GPULAB_EMU_CHECKER_H

#include "base/vec.h"
#include "emu/check.h"

enum { NOBODY = UINT32_MAX };

/* One thing seen, at one pair of instructions. Hits of the same rule and instructions count as one; of two the one in the
 * earlier block is kept. */
typedef struct {
	uint32_t rule;      /* the checker's own number */
	uint32_t instr[2];  /* global numbers; NOBODY: none */
	uint32_t block[2];  /* linear */
	uint32_t thread[2]; /* in the block; NOBODY: not known */
	AccessKind kind[2];
	PtxSpace space;
	uint32_t width;
	uint64_t addr;
	uint64_t count;
	uint64_t figures[3]; /* the checker's own, for its sentence */
} Hit;

typedef struct {
	VEC(Hit) list;
	uint32_t *slots; /* open addressing: index + 1 */
	uint32_t nslots;
} Hits;

void hits_add(Hits *hits, const Hit *hit);
void hits_free(Hits *hits);

typedef struct Checker Checker;
struct Checker {
	Observer base; /* first */
	CheckFlag flag;
	const Gpu *gpu;
	LaunchInfo info; /* during the launch */
	Hits hits;
	VEC(Finding) findings;
	/* Fills message and hint; sites, space, buffer and count are there already. False: not worth telling after all. */
	bool (*tell)(const Checker *self, const Hit *hit, Finding *finding);
	void (*free)(Checker *self);
};

void checker_begin(Checker *checker, const LaunchInfo *info); /* forgets the last launch */
/* A copy of a checker that begins with one, `bytes` long in all, without what it has found: for another host thread. */
void *checker_fork(const Checker *checker, size_t bytes);
void checker_adopt(Checker *checker, Checker *fork);  /* takes over the hits */
void checker_join(Observer *checker, Observer *fork); /* adopts and frees; fits ObserverOps.join */
void checker_finish(Checker *checker);                /* hits to findings */
void checker_release(Checker *checker);               /* frees what it holds, not itself */

Checker *race_checker_new(const Gpu *gpu);
Checker *init_checker_new(const Gpu *gpu);
Checker *memory_checker_new(const Gpu *gpu);
Checker *sync_checker_new(const Gpu *gpu);
Checker *unused_checker_new(const Gpu *gpu);

/* The source line to name: the innermost one that is not inside the toolkit's headers. */
typedef struct {
	const char *file;
	uint32_t line;
} Place;
const PtxInstr *instr_at(const LaunchInfo *info, uint32_t instr); /* by global number */
const PtxFunction *function_at(const LaunchInfo *info, uint32_t instr);
Place place_at(const LaunchInfo *info, uint32_t instr);
bool same_place(Place a, Place b);

/* Names what lies at an address: buffer, offset, buffer_bytes. */
void name_address(const LaunchInfo *info, PtxSpace space, uint64_t addr, Finding *finding);
/* A variable's name as written in the source: "_ZZ4tilePfE1s" is s. */
void plain_name(const char *linked, char *out, size_t size);
/* "block (1,0,0) thread (5,0,0)" */
void say_thread(const FindingSite *site, char *out, size_t size);

/* States of the blocks a worker holds, found by number; the last one found is found at once. */
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
void blocks_end(Blocks *blocks, uint32_t block);
void blocks_free(Blocks *blocks, void (*drop)(void *state));

static inline void *block_state(Blocks *blocks, uint32_t block) {
	if (blocks->last < blocks->held.len && blocks->held.data[blocks->last].block == block)
		return blocks->held.data[blocks->last].state;
	return blocks_find(blocks, block);
}

#endif
