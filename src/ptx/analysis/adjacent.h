/* Loads and stores of adjacent words of shared memory, of which an assembler makes one of 64 or 128 bits.
 *
 * It joins them where it can prove that the address of the first is a multiple of what is accessed. Here, too: within a
 * basic block, accesses of one size from one base, whose alignment follows from how it was computed, between accesses
 * that might be of the same words. A variable is aligned to 16. */
#pragma once

#include "ptx/module.h"

typedef struct {
	uint8_t bytes;  /* per lane of this access with those joined to it; 0: its own */
	uint8_t before; /* of these: unused ones, before its own */
	bool joined;    /* to another access: costs nothing itself */
} PtxAdjacent;

/* Marks loads of 32-bit words in of[ninstrs]. leader[i]: a block begins at i. */
void ptx_join_words(const PtxFunction *f, const bool *leader, PtxAdjacent *of);
/* Marks loads, or stores, of up to 64 bits per lane. holes: also three of four adjacent words become one load. */
void ptx_join(const PtxFunction *f, const bool *leader, PtxOp op, bool holes, PtxAdjacent *of);
/* Marks global loads through the read-only path of words that were loaded before in the block. */
void ptx_join_same(const PtxFunction *f, const bool *leader, PtxAdjacent *of);
/* Whether other loads, op OP_LD, or stores, OP_ST, of shared memory must stay on their side of the instruction. */
bool ptx_may_access_shared(const PtxInstr *in, PtxOp op);
