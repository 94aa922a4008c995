/* Roots, reciprocals, and divisions that are rounded correctly, and divisions of 64-bit integers: in SASS some
 * instructions, a branch past a call for operands that are rare, and a place where the lanes meet again. Nothing is
 * moved across, so that a warp does one after the other, whatever else it could do. Read off SASS of ptxas 13.0 for
 * cc 7.5 and 9.0, which differ by an instruction at most, but for the call that divides 64 bits; others are taken for
 * the same. */
#pragma once

#include "ptx/module.h"
#include "replay/replay.h"

/* Instructions for one unit, each of which needs the one before if gap is more than 1. */
typedef struct {
	ReplayUnit unit;
	uint8_t slots, gap;
	uint8_t after; /* the piece whose result it needs, from 1; 0: the operands */
	bool last;     /* has the result */
} SequencePiece;
enum { SEQUENCE_MOST = 8 /* pieces */ };

/* [*n]; NULL, and *n is 0: the instruction is none of them. */
const SequencePiece *code_sequence(const PtxInstr *in, uint32_t *n);
