/* Matrices distributed over the lanes of a warp or a warpgroup: ldmatrix, stmatrix, movmatrix, mma, wmma, wgmma. Source
 * of the layouts: PTX ISA 9.0, "Warp Level Matrix Multiply-Accumulate Instructions". */
#pragma once

#include "emu/code/program.h"

static inline uint32_t element_bits(PtxType t) {
	switch (t) {
	case T_F64: return 64;
	case T_U8:
	case T_S8:
	case T_E4M3:
	case T_E5M2: return 8;
	case T_F16:
	case T_BF16: return 16;
	case T_U4:
	case T_S4: return 4;
	case T_B1: return 1;
	default: return 32;
	}
}

/* Of each four elements of a row of a sparse a (pairs of 4-bit ones), or of two tf32, half are kept. */
typedef struct {
	uint32_t bits, stored; /* of an element; elements of a row that are kept */
	uint32_t metadata;     /* place of which they are */
	uint32_t selector;     /* the first thread of four that holds some, in units of how many hold a row's */
} Sparsity;

typedef struct {
	uint32_t m, n, k;
	PtxType a, b, c, d;      /* element types */
	uint32_t na, nb, nc, nd; /* registers per lane */
	const uint32_t *slots;   /* places: d, a, b, c one after the other */
	bool saturate;
	PtxBool combine; /* of bits: how a and b are combined before they are counted */
	bool sparse;     /* kept: which elements of a */
	Sparsity kept;
	bool whole;                /* wmma: fragments in our own layout, but for elements smaller than a byte */
	bool a_columns, b_columns; /* wmma does not need them: its fragments are matrices by row */
} MatrixProduct;

/* wgmma.mma_async: 64 rows of a, of which each of a warpgroup's four warps has 16 and their sums. A row of a has 32
 * bytes, of a sparse one those that are kept. */
enum { GROUP_WARPS = 4, GROUP_ROWS = 64, GROUP_MOST_COLUMNS = 256 };

typedef struct {
	uint32_t n, k;
	PtxType a, b, d;
	uint32_t nd, na;              /* registers per lane; na 0: a is in shared memory */
	const uint32_t *slots;        /* places: d, a */
	uint32_t descriptor[2];       /* places of 64 bits: of a, of b */
	uint32_t adds;                /* place of the predicate: d is added to; else it is replaced */
	bool negated_adds;            /* the predicate is */
	bool negate[2], by_column[2]; /* of a, of b; by_column: not k, but the rows of a or columns of b are adjacent */
	bool saturate;
	bool sparse;
	Sparsity kept; /* stored: also of a dense a */
} GroupProduct;

/* wmma.load, wmma.store: what fragment, of what matrix in memory. Of elements smaller than a byte a lane holds 32 bits
 * of a row (of a) or a column (of b), as mma has it. */
typedef struct {
	uint32_t rows, columns;
	PtxType type;
	bool by_column;
	uint32_t nregs;
	const uint32_t *slots;
	uint32_t stride; /* place of the stride in elements; NO_SLOT: as dense as can be */
} MatrixAccess;
