/* The control-flow graph of one function: basic blocks in text order, immediate post-dominators (where a diverged warp
 * meets again), and which registers are live where (register pressure; slots that can be shared). */
#pragma once

#include "ptx/module.h"

enum { CFG_EXIT = UINT32_MAX }; /* the virtual block every return leads to */

typedef struct {
	uint32_t first, end;   /* instructions [first, end) */
	uint32_t *succ, nsucc; /* block indices; a fall-through comes first */
	uint32_t *pred, npred;
	uint32_t ipdom; /* block index or CFG_EXIT */
	uint32_t meet;  /* where lanes that part at its end meet, here or at ipdom (reconvergence.c) */
} PtxBlock;

typedef struct {
	const PtxFunction *function;
	PtxBlock *blocks;
	uint32_t nblocks;
	uint32_t *block_of; /* instruction index -> block index */
	/* live_out of block b, register r: bit r of words live_out[b * live_words ...]. The parser refuses functions whose
	 * sets would take more than 128 MiB each. */
	uint64_t *live_in, *live_out;
	uint32_t live_words;
	uint32_t max_live_words32; /* highest register pressure in 32-bit registers, predicates not counted:
	                            * an estimate of what ptxas needs, used where no cubin exists (GTX 280) */
} PtxCfg;

/* The registers an instruction reads (its guard and addresses too) and those it writes, one call each; liveness.c. */
typedef void (*PtxVisit)(void *data, uint32_t reg);
void ptx_each_read(const PtxInstr *instr, PtxVisit visit, void *data);
void ptx_each_written(const PtxInstr *instr, PtxVisit visit, void *data);
bool ptx_reads(const PtxInstr *instr, uint32_t reg);
bool ptx_writes(const PtxInstr *instr, uint32_t reg);

/* Marks in between[nblocks] the blocks between a branch and where its ways meet. False: a way leads out of the function
 * before. */
bool ptx_between(const PtxCfg *cfg, const PtxBlock *branch, uint32_t meet, bool *between);

PtxCfg *ptx_cfg(Arena *arena, const PtxFunction *function); /* lives in the arena; NULL for an external function */
/* Where the others go if lanes can leave the kernel at the end of the block; CFG_EXIT: none can, or all do. */
uint32_t ptx_stays_at(const PtxCfg *cfg, uint32_t block);
