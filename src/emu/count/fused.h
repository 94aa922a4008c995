/* Which loads and stores of a kernel's PTX are fewer in its SASS, because the assembler joined neighboring ones, or
 * because it keeps one of several loads of the same words. */
#ifndef GPULAB_EMU_FUSED_H
#define GPULAB_EMU_FUSED_H

#include "emu/count/sass.h"
#include "ptx/analysis/adjacent.h"

typedef struct {
	uint32_t ptx[SASS_WIDTHS], sass[SASS_WIDTHS];
	bool fused;   /* SASS has wider ones than PTX, or fewer */
	bool counted; /* and the accesses that are joined are known */
} FusedKind;

typedef struct {
	FusedKind kinds[SASS_KINDS];
} Fused;

/* of[ninstrs], zeroed: the accesses that the counters of function take as one. */
Fused fused_accesses(const PtxFunction *function, const SassAccesses *sass, PtxAdjacent *of);

/* Of shared loads, say: "32 LDS, 8 LDS.128 in SASS for 64 loads". For reports. */
void fused_text(const Fused *fused, SassKind kind, char *out, size_t size);

#endif
