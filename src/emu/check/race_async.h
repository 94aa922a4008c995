/* What the race checker knows of a block's asynchronous copies. Each word of shared memory remembers the copy of
 * cp.async that wrote it last: its thread, and which of the thread's groups it is in; each word of global memory the
 * one that read it. A thread waits for its own groups; others then meet it at a barrier, which the order of accesses
 * covers. Bulk copies are few: a list, from which an mbarrier takes its own when a phase is over. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "emu/check/race.h"

typedef struct {
	uint32_t thread; /* + 1; 0: none */
	uint32_t group;  /* of the thread, from 0 */
	uint32_t instr;
} AsyncWord;

typedef struct {
	uint64_t word; /* address / 4 in global memory */
	AsyncWord copy;
} AsyncSource;

typedef struct {
	uint64_t from, end, barrier;
	uint32_t block, thread, instr; /* that started it */
} AsyncBulk;

typedef struct AsyncBlock {
	AsyncWord *words;            /* [shared_words] */
	uint32_t *groups, *complete; /* by thread: groups that were committed, groups that are known to be complete */
	NumberMap source_at;         /* by word + 1: index in sources + 1 */
	VEC(AsyncSource) sources;
	size_t source_room, source_most; /* that the memory limit knows of; before those that are complete are forgotten */
	VEC(AsyncBulk) bulk;
	bool any;
} AsyncBlock;

static inline bool is_complete(const AsyncBlock *s, const AsyncWord *copy) {
	return copy->group < s->complete[copy->thread - 1];
}
static inline bool is_word_copy(const PtxInstr *in) {
	return in->op == OP_CP && !(in->mods & MOD_BULK);
}

AsyncBlock *async_of(Race *race, RaceBlock *block);
void async_hit(Race *race, const Access *access, uint32_t lane, uint64_t addr, int rule, uint32_t block,
			   uint32_t thread, uint32_t instr);

bool race_source_copies(const LaunchInfo *info); /* has the launch cp.async? */
void race_source_read(Race *race, RaceBlock *block, const Access *load);
void race_source_written(Race *race, const RaceBlock *block, const Access *store);
void race_source_forget(RaceBlock *block); /* copies that are complete, where there are many */

bool race_read_only_loads(const LaunchInfo *info); /* has the launch ld.global.nc? */
void race_read_only(Race *race, const RaceBlock *block, const Access *access);
