/* Counters of a launch, by PTX instruction, to be summed by kernel or by source line: an observer. Names are those of
 * the JSON output; the Nsight Compute metric of the same quantity is in docs/reference/counters.md. */
#pragma once

#include "emu/count/sass.h"
#include "emu/observer.h"
#include "ptx/analysis/adjacent.h"

typedef struct {
#define COUNT(name) uint64_t name;
#include "emu/count/counts.def"
#undef COUNT
} Counts;

/* One row a field, in order: {name, offset} for tables, JSON and completion. */
typedef struct {
	const char *name;
	size_t offset; /* of the uint64_t in Counts */
} CountField;
extern const CountField count_fields[];
extern const size_t ncount_fields;
void counts_add(Counts *to, const Counts *more);

/* The worst access an instruction made: the lanes' addresses of one warp, for `why` and the bank picture. */
typedef struct {
	bool valid;
	AccessKind kind;
	PtxSpace space;
	uint32_t width, mask, block, warp;
	uint32_t cost, ideal; /* wavefronts or sectors of it, and the ideal number for the same request */
	uint64_t addr[32];
} WorstAccess;

typedef struct {
	Observer base;                 /* first: pass &counters->base to the launch */
	const Gpu *gpu;                /* by whose rules */
	const LaunchInfo *info;        /* during the launch */
	Arena *arena;                  /* of the lists: since the launch began */
	const PtxFunction **functions; /* [nfunctions] the launch's programs, kept for counters_by_line */
	uint32_t *first;               /* [nfunctions] global number of each one's instruction 0 */
	uint32_t nfunctions;
	uint32_t ninstrs;
	bool *fp64, *special;     /* [ninstrs] */
	uint8_t *atomics;         /* [ninstrs] what an atomic is in SASS */
	const SassAccesses *sass; /* of the kernel, which then tells the widths of accesses; or NULL */
	PtxAdjacent *adjacent;    /* [ninstrs] with sass: which are one; else NULL */
	Counts *by_instr;         /* [ninstrs] */
	Counts *by_block;         /* [nblocks] if blocks are followed */
	size_t nblocks;
	bool follows_blocks;
	WorstAccess *worst; /* [ninstrs] */
	AccessPatterns patterns;
} Counters;

Counters *counters_new(const Gpu *gpu);
void counters_by_sass(Counters *counters, const SassAccesses *sass); /* which outlives the launch */
/* Before the launch: also count by block, unless there are very many. */
void counters_follow_blocks(Counters *counters);
void counters_free(Counters *counters);
Counts counters_total(const Counters *counters);
Counts counters_busiest(const Counters *counters); /* each count of the block that has most of it */

typedef struct {
	const char *file;
	uint32_t line;
	Counts counts;
	WorstAccess worst; /* the costliest relative to its ideal among the line's instructions */
} LineCounts;

/* By source line (places.h), lines in order of file and number; the caller frees. Valid while the module
 * lives. */
LineCounts *counters_by_line(const Counters *counters, const PtxModule *module, size_t *nlines);
/* Sorts lines, of several launches say, and makes one of those of the same place; returns how many are left. */
size_t lines_merge(LineCounts *lines, size_t n);
