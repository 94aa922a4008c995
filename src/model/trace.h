/* Records the way of the warps of a few blocks of a launch and what they ask of memory, for replay (replay/replay.h).
 * The blocks are spread over those that run, but not at equal distances; as many as an SM could hold threads of, and a
 * few where it gets fewer, since blocks may differ. What is recorded is bounded: of warps that run for very long it is
 * the beginning. A block's events come from one host thread, so forks share this. */
#pragma once

#include "gpu/pattern.h"
#include "model/code/issue_order.h"
#include "model/internal.h"

typedef struct Trace Trace;

/* follow: a block whose events the replay's result has, with lines for instructions; NULL: none. */
Trace *trace_new(const Gpu *gpu, const LaunchInfo *info, const InstrCost *costs, const uint32_t *follow);
/* The block that is followed; another one if the launch does not run the one that was wanted. */
uint32_t trace_followed(const Trace *trace);
void trace_free(Trace *trace); /* NULL is allowed */

/* The warps of a block; NULL: it is not recorded. */
typedef struct Recorded Recorded;
Recorded *trace_block(const Trace *trace, uint32_t block);
/* loop: of those of poll_loops, whose iterations count once; their accesses, too, are not to be passed on. 0: none. */
void trace_visit(const Trace *trace, Recorded *block, uint32_t warp, uint32_t instr, uint32_t loop);
/* p: what an access to global memory touches (pattern_known_lines); cached: in L1, if it is there. */
void trace_global(Recorded *block, const Access *a, uint64_t origin, const AccessPattern *p, uint32_t passes,
				  bool cached);
/* Of all other spaces: as many passes of its server; of constants in parts of what a word takes. iterations: of the
 * loop that SASS has for it; 0: none. */
enum { CONSTANT_PARTS = 2 };
void trace_passes(Recorded *block, const Access *a, uint32_t passes, uint32_t iterations);
/* Lines of a row, from 0 on. */
void trace_bulk(Recorded *block, const BulkRow *row, const TouchedLine *lines, uint32_t n);
/* Events that are of no other block's mbarrier. polled: in a loop that ends when the phase is over. */
void trace_async(const Trace *trace, Recorded *block, const AsyncEvent *event, bool polled);
void trace_texture(Recorded *block, const TextureAccess *a, uint64_t base);

/* What each SM that has blocks does of the whole launch. */
typedef struct {
	double read_bytes, written_bytes;     /* of DRAM */
	double dram_longer;                   /* than a copy of as many bytes takes */
	double read_sectors, written_sectors; /* that reach L2 */
	double atomics_ns, atomics;           /* what atomic operations take together, and how many there are */
	double instructions; /* warp instructions of all blocks that ran: the more, the more are replayed */
	double recorded;     /* the same of a block in the trace, on average */
	/* of the block that has most, of all and of those in the trace; longest 0: it says nothing */
	double longest, longest_recorded;
	double wait;   /* cycles per instruction of a warp in an otherwise empty machine */
	double spread; /* standard deviation of what blocks have, over the mean */
} TraceLoad;

/* of `blocks` blocks in all; result->stalls as replay's, the caller frees. cycles: of all of the SM's blocks. *unequal:
 * it matters for them that blocks differ. *alone: the longest block's, if the launch ends with it; else unchanged. */
ReplayResult trace_replay(const Trace *trace, const Gpu *gpu, const Occupancy *occupancy, const LaunchSeen *launch,
						  const TraceLoad *load, bool *unequal, double *alone);

/* Fills the lines of a prediction. */
void trace_lines(const Trace *trace, const ReplayResult *result, Prediction *out);
