/* Which loads and stores of a kernel's PTX are fewer in its SASS, because the assembler joined neighboring ones, or
 * because it keeps one of several loads of the same words. Also which loads it moved behind the branch at which lanes
 * leave the kernel, so that these do not make them. */
#pragma once

#include "emu/count/sass.h"
#include "ptx/analysis/adjacent.h"

typedef struct {
	uint32_t ptx[SASS_WIDTHS], sass[SASS_WIDTHS];
	bool fused;     /* SASS has wider ones than PTX, or fewer */
	bool counted;   /* and the accesses that are joined are known */
	uint32_t moved; /* loads that are before the last branch at which lanes leave in the PTX, and behind it in SASS */
} FusedKind;

typedef struct {
	FusedKind kinds[SASS_KINDS];
} Fused;

/* of[ninstrs], zeroed: the accesses that the counters of function take as one. */
Fused fused_accesses(const PtxFunction *function, const SassAccesses *sass, PtxAdjacent *of);

/* What a report says, for example of shared loads: "32 LDS, 8 LDS.128 in SASS, 64 in the PTX". For reports. */
void fused_text(const Fused *fused, SassKind kind, char *out, size_t size);
/* "1 LDS is behind the branch at which threads leave, in the PTX it is before it". */
void fused_moved_text(const Fused *fused, SassKind kind, char *out, size_t size);
