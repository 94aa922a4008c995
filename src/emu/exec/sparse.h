/* Sparse matrices of products (mma.sp, wgmma.mma_async.sp). Source: PTX ISA 9.0, "Matrix multiply-accumulate operation
 * using mma.sp instruction with sparse matrix A" and "Asynchronous Multiply-and-Accumulate Instruction:
 * wgmma.mma_async.sp". */
#pragma once

#include "emu/code/matrix.h"
#include "emu/exec/lanes.h"

/* The row of b that stored element i of a row of a is multiplied with. row: of the 16 that the warp holds. */
u32 sparse_partner(const Warp *w, const Sparsity *s, u32 row, u32 i);
