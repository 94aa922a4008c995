/* A warp: 32 lanes that run one Op at a time, and where its lanes continue that do not run now.
 *
 * Divergence. A warp has a reconvergence stack. The top entry runs; an entry below holds the place where it continues
 * once all above it are popped. A divergent branch turns the top entry into "all lanes, at the reconvergence point"
 * (the immediate post-dominator) and pushes the two sides:
 *
 *                     | mask 0f0f  pc then   rejoin R |  runs
 *     @p bra then     | mask f0f0  pc else   rejoin R |  waits for its turn
 *     ...             | mask ffff  pc R      rejoin - |  waits for both
 *
 * A side that reaches R is popped. Lanes that exit or return are removed from the entries below when those become the
 * top.
 *
 * Splits. If some lanes of a warp must wait (a barrier that is not for the whole warp, a lock that another lane
 * holds), the others continue as a warp split of their own with a copy of the entries below; splits that reach the
 * same warp-wide instruction merge again. Nearly every warp has one split for its whole life. */
#pragma once

#include <assert.h>

#include "emu/warp/run.h"

typedef struct Split Split;

/* --- where lanes continue ----------------------------------------------------------------------------------------- */

/* One call of a function by a warp. */
typedef struct Frame Frame;
struct Frame {
	const EmuFunction *function;
	Frame *caller; /* or, in the pool, the next free one */
	uint8_t *regs;
	const CallSite *site;
	uint32_t mask;       /* lanes that called */
	uint32_t returned;   /* of these, lanes that are back */
	uint32_t refs;       /* splits that hold it */
	uint64_t local_base; /* where its local variables begin */
	uint64_t *stack_end; /* [32] of functions that use alloca: where each lane's local memory ends; else NULL */
	uint32_t depth;
	uint64_t filled_for; /* serial of the block its per-block constants are for; 0: not filled */
};

typedef struct {
	uint32_t mask;
	uint32_t calling; /* call by pointer: lanes whose turn is still to come */
	const Op *pc;     /* where it continues when it becomes the top */
	const Op *rejoin; /* its reconvergence point; NULL: the end of the function */
	Frame *frame;     /* the lowest entry of a call: its frame; NULL otherwise */
	const Op *ret;    /* same: where the caller goes on */
} StackEntry;

typedef enum { SPLIT_READY, SPLIT_BARRIER, SPLIT_SYNC, SPLIT_DONE } SplitState;

struct Split {
	SplitState state;
	const Op *pc; /* next to run; BARRIER: the barrier */
	Frame *frame;
	StackEntry *entries; /* [nentries]; the top one runs */
	uint32_t nentries, cap;
	uint32_t barrier; /* BARRIER: its number */
	uint32_t member;  /* SYNC: lanes waited for */
	uint32_t passed;  /* SYNC: of these, lanes that went on behind it; until it has run */
	uint32_t spins;   /* time slices in a row that looked like waiting */
	uint8_t polls;    /* times in a row that it was polled and waited, up to a limit */
	uint8_t skip;     /* turns before it is polled; one that waits does not run in them */
	uint8_t strides;  /* times in a row that it was polled and went on */
	bool suspected;   /* of waiting: its last slice had synchronizing memory operations */
	bool waits;       /* polled, it came back to where it was */
	bool sync_done;   /* the warp-wide instruction at pc may run now */
};

/* --- the warp ----------------------------------------------------------------------------------------------------- */

/* What observers want to hear of this warp. A handler tests one flag and goes on. */
typedef struct {
	bool accesses, branches, speculation;
	bool visits; /* the basic blocks it enters */
} WarpReports;

/* Signs that a warp only waits: for a lock, or for an mbarrier. */
typedef struct {
	uint32_t sync_ops; /* synchronizing memory operations in this slice */
	bool tests;        /* it tested an mbarrier last whose phase was not over: */
	bool by_parity;    /* by the parity of its phase */
	uint64_t tested;   /* that mbarrier */
	bool polled;       /* machine/wait.c looks whether it only waits */
	bool changed;      /* an atomic changed memory since then */
} Spinning;

/* Lanes at the barrier of the cluster. */
typedef struct {
	uint32_t arrived;
	uint32_t passed; /* need not wait for it any more */
} ClusterLanes;

typedef struct {
	uint8_t *bytes;  /* [word][lane] */
	size_t per_lane; /* bytes */
} LocalMemory;

typedef struct {
	Split **data; /* [cap]; behind len: NULL, or one to use again */
	uint32_t len, cap;
} Splits;

struct Warp {
	/* What nearly every handler touches, of the split that runs: warp_switch loads it. */
	uint8_t *regs;
	uint32_t mask;   /* lanes that run */
	uint32_t live;   /* lanes of this call that have not ended or returned */
	uint32_t masked; /* 0: lanes outside mask hold nothing of value in this frame, so all 32 may be written */
	int32_t budget;  /* basic blocks left in this part of the time slice */
	const Op *rejoin;
	uint32_t *count_warps, *count_threads; /* by basic block of the running function */
	uint64_t issued;                       /* instructions, of this block of threads */
	Worker *worker;
	Block *block;
	Frame *frame;
	Split *split;
	uint8_t *shared;
	size_t shared_bytes;
	uint32_t first_instr; /* global number of the running function's instruction 0 */
	WarpReports reports;
	Spinning spinning;

	/* The rest is for divergence, calls and barriers. */
	uint32_t part;       /* basic blocks of this part of the time slice: it ends when a look at the clock is due */
	uint32_t done, rest; /* before it and after it */
	uint32_t alive;      /* lanes that have not ended */
	uint32_t lanes;      /* lanes there are */
	uint32_t number;     /* in the block */
	uint32_t registers;  /* per thread, by setmaxnreg; 0: as at launch */
	ClusterLanes cluster;
	LocalMemory local;
	Splits splits;
	Frame *free_frames;
};

static inline uint32_t count_lanes(uint32_t mask) {
	return (uint32_t)__builtin_popcount(mask);
}

/* The running split seems to wait: its slice ends with this basic block. */
static inline void slice_cut(Warp *w) {
	if (w->spinning.polled) return;
	w->part -= (uint32_t)w->budget;
	w->budget = 0;
	w->rest = 0;
	w->spinning.sync_ops += SPINNING;
}

/* The running split waits at op for a barrier of the block; then it goes on after it. */
static inline void split_wait(Warp *w, const Op *op, uint32_t barrier) {
	assert(w->split->state == SPLIT_READY);
	w->split->state = SPLIT_BARRIER;
	w->split->barrier = barrier;
	w->split->pc = op;
	w->block->waiting++;
}
static inline void split_go_on(Block *b, Split *s) {
	assert(s->state == SPLIT_BARRIER && b->waiting > 0);
	b->waiting--;
	s->state = SPLIT_READY;
	s->pc++;
}

/* --- warp.c: entries, calls, splits ------------------------------------------------------------------------------- */

void warp_begin(Warp *warp, const EmuFunction *kernel, uint32_t lanes);
void warp_release(Warp *warp);                                              /* frees what it holds */
void warp_switch(Warp *warp, Split *split);                                 /* loads the hot fields */
uint64_t warp_special(const Warp *warp, PtxSpecial special, uint32_t lane); /* %tid and the like; 0: it has none */
const Op *warp_pop(Warp *warp);                                             /* the top entry is done: what runs next */
const Op *warp_diverge(Warp *warp, const Op *op, uint32_t taken);           /* a divergent bra_if */
/* Where diverged lanes meet: at rejoin (NULL: at the end), but those that get to out (NULL: there are none) before. */
typedef struct {
	const Op *rejoin, *out;
} Meeting;
/* The running lanes diverge: `taken` go to target, the others to other. */
const Op *warp_part(Warp *warp, uint32_t taken, const Op *target, const Op *other, Meeting meeting, bool taken_first);
const Op *warp_leave(Warp *warp, const Op *op); /* at an `out`: do lanes of the same call wait for these here? */
const Op *warp_strike(Warp *warp, const Op *op, uint32_t lanes); /* these lanes are done here: the others go on */
const Op *warp_call(Warp *warp, const Op *op);
bool warp_stack_reserve(Warp *warp, uint64_t bytes); /* false: more than a thread may have of local memory */
bool warp_fork_waiting(Warp *warp); /* lanes that wait below continue as a split; false: there are none */
bool warp_gathered(Warp *warp, const Op *op,
				   uint32_t member); /* warp-wide instruction: have all arrived? False: stop, op runs again */
void warp_merge(Warp *warp);         /* merges splits that wait at the same place */

/* --- slice.c ------------------------------------------------------------------------------------------------------ */

void slice_begin(Warp *warp);
bool slice_end(Warp *warp, const Op *op); /* budget is used up before op; true: it runs next time */

/* --- fault.c ------------------------------------------------------------------------------------------------------ */

/* Each records the fault of the running warp at op and returns NULL; message as printf. */
const Op *fault_access(Warp *warp, const Op *op, PtxSpace space, AccessKind kind, const uint64_t *addr, uint32_t mask);
const Op *fault_at(Warp *warp, const Op *op, uint32_t lanes, FaultKind kind, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
const Op *fault_place(Warp *warp, const Op *op, uint32_t lanes, FaultKind kind, const char *file, uint32_t line,
					  const char *message);

bool stop_at(Warp *warp, const Op *op, StopReason reason); /* the first counts, with its place; false: there is one */
/* After so many basic blocks, with the running warp at op: looks at the cancel and, now and then, at the clock. */
bool must_stop(Warp *warp, const Op *op, uint32_t basic_blocks);
/* How much a kernel does until it ends does not depend on the host, so a limit on it ends the kernel at the same place
 * everywhere. */
void work_done(Warp *warp, const Op *op, uint64_t basic_blocks);

/* --- builtin.c ---------------------------------------------------------------------------------------------------- */

const Op *builtin_call(Warp *warp, const Op *op, const CallSite *site);
