/* Library routines that a launch list may contain next to kernels: the reference for the speed of the student's own.
 *
 *     sgemm   C = A · B       n × n floats stored row by row, in FP32 (no TF32)
 *     gemmex  C = A · B       the same of A and B in BF16, with sums in FP32
 *     sgeam   out = inᵀ       in: rows × columns floats stored row by row
 *     memcpy  to = from       whole buffers of one size, on the device
 * */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/values/elem.h"

typedef enum {
	LIBRARY_NONE,
	LIBRARY_SGEMM,
	LIBRARY_GEMMEX,
	LIBRARY_SGEAM,
	LIBRARY_MEMCPY,
	LIBRARY_ROUTINES
} LibraryRoutine;

enum { LIBRARY_BUFFERS = 3, LIBRARY_EXTENTS = 2 };

/* Arguments are buffers, of which the first is written and the others read, then extents. */
typedef struct {
	const char *name, *args; /* "sgemm", "C, A, B, n" */
	uint32_t nbuffers, nextents;
	ElemType writes, reads; /* of the first buffer, and of the others */
	const char *from;       /* "cuBLAS", or "" where the GPU's own driver has it */
} LibraryInfo;

const LibraryInfo *library_info(LibraryRoutine routine);
/* LIBRARY_NONE with err, which names the routines there are. */
LibraryRoutine library_find(const char *name, Err *err);

/* Elements (memcpy: 0, as many as there are) that buffer i has to have; extents are 1 or more. False: more than any
 * memory holds, or than the routine can count. */
bool library_elements(LibraryRoutine routine, const uint64_t extents[LIBRARY_EXTENTS], uint64_t *elements);

/* ERR_SETUP: this device runs no library routines. Returns false. */
bool library_missing(LibraryRoutine routine, Err *err);
