/* Matrices that the lanes of a warp hold together: ldmatrix, stmatrix, movmatrix, mma, wmma. Source of the layouts: PTX ISA 9.0, "Warp Level
 * Matrix Multiply-Accumulate Instructions". */
#ifndef GPULAB_EMU_MATRIX_H
#define GPULAB_EMU_MATRIX_H

#include "emu/program.h"

typedef struct {
	uint32_t m, n, k;
	PtxType a, b, c, d;      /* element types */
	uint32_t na, nb, nc, nd; /* registers a lane */
	const uint32_t *slots;   /* places: d, a, b, c one after the other */
	bool saturate;
	bool whole;                /* wmma: fragments in our own layout */
	bool a_columns, b_columns; /* wmma does not need them: its fragments are matrices by row */
} MatrixProduct;

/* wmma.load, wmma.store: what fragment, of what matrix in memory. */
typedef struct {
	uint32_t rows, columns;
	PtxType type;
	bool by_column;
	uint32_t nregs;
	const uint32_t *slots;
	uint32_t stride; /* place of the stride in elements; NO_SLOT: as dense as can be */
} MatrixAccess;

#endif
