/* State of a running launch: the run, a worker per host thread, the blocks it holds, their warps.
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
#ifndef GPULAB_EMU_WARP_H
#define GPULAB_EMU_WARP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/str.h"
#include "emu/code/program.h"
#include "emu/machine.h"
#include "emu/memory/memory.h"

typedef struct Run Run;
typedef struct Worker Worker;
typedef struct Block Block;
typedef struct Split Split;
typedef struct Adversary Adversary;

enum { CLUSTER_MOST = 8 /* blocks; CUDA C++ Programming Guide, "Thread Block Clusters": what every GPU supports */ };

enum {
	CACHE_LINE_PAD = 128, /* bytes between data that one host thread writes often and what others read */
	ALLOCATION_CACHE = 16,
	SLICE = 512,             /* basic blocks per time slice of a warp */
	CALLS_LIMIT = 64 << 10,  /* bytes of LOCAL_LIMIT for calls and alloca */
	STACKS_LIMIT = 24 << 20, /* bytes of the host's for the calls of all threads that run at once */
	STATE_LIMIT = 32 << 20   /* the same for their registers, shared and local memory, without calls */
};

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
	uint32_t spins;   /* time slices in a row that looked like waiting */
	bool sync_done;   /* the warp-wide instruction at pc may run now */
};

/* The hot fields of the running split are here. */
struct Warp {
	uint8_t *regs;
	uint32_t mask;   /* lanes that run */
	uint32_t live;   /* lanes of this call that have not ended or returned */
	uint32_t masked; /* 0: lanes outside mask hold nothing of value in this frame, so all 32 may be written */
	int32_t budget;  /* basic blocks left in this time slice */
	const Op *rejoin;
	uint32_t *count_warps, *count_threads; /* by basic block of the running function */
	uint64_t issued;                       /* instructions, of this block of threads */
	Worker *worker;
	Block *block;
	Frame *frame;
	Split *split;
	uint8_t *shared;
	size_t shared_bytes;
	bool observed; /* an observer wants accesses */
	bool reports_branches;
	bool followed;                            /* an observer wants the basic blocks it enters */
	bool clustered;                           /* other blocks reach the block's shared memory */
	uint32_t sync_ops;                        /* synchronizing memory operations in this slice */
	uint32_t vain_tests;                      /* of mbarriers, in a row, whose phase was not over */
	uint32_t first_instr;                     /* global number of the running function's instruction 0 */
	uint32_t alive;                           /* lanes that have not ended */
	uint32_t lanes;                           /* lanes there are */
	uint32_t number;                          /* in the block */
	uint32_t cluster_arrived, cluster_passed; /* lanes at the cluster's barrier; that need not wait for it any more */
	uint8_t *local;                           /* [word][lane] */
	size_t local_bytes;                       /* per lane */
	Split **splits;
	uint32_t nsplits, cap_splits;
	Frame *free_frames;
};

typedef struct {
	uint32_t threads;  /* arrived */
	uint32_t counted;  /* the same with whole warps as 32, for barriers with a count */
	uint32_t expected; /* that count; 0: all threads that have not ended */
	uint32_t popc;     /* bar.red: threads whose predicate is true */
} BarrierState;

/* Blocks that run at the same time, on one worker. */
typedef struct {
	uint32_t size;
	uint32_t missing; /* threads that have neither ended nor arrived at the cluster's barrier */
	Block *block[CLUSTER_MOST];
} Cluster;

struct Block {
	uint32_t number;
	uint32_t rank;    /* in the cluster */
	Cluster *cluster; /* that of the first block */
	Cluster room;
	uint32_t ctaid[3];
	uint64_t serial; /* never the same twice in a worker; from 1 */
	Warp *warps;
	uint32_t nwarps, turn;
	uint8_t *shared;
	uint32_t threads_alive;
	uint32_t waiting; /* splits at barriers */
	BarrierState barriers[NAMED_BARRIERS];
	uint32_t *count_warps, *count_threads; /* by basic block over all functions of the kernel */
	uint64_t slices;                       /* time slices this block has had */
	uint64_t slice_limit;                  /* slices after which it yields to another */
	Str printed;
	Worker *worker;
	Block *next;
};

struct Worker {
	_Alignas(CACHE_LINE_PAD) Run *run;
	Allocation *cache[2][ALLOCATION_CACHE]; /* [store] */
	uint64_t last[2][ALLOCATION_CACHE];     /* [store] where the op of that slot went last, to fetch ahead */
	Observer **observers;                   /* this worker's forks, in order */
	size_t nobservers;
	uint32_t *instr_warps, *instr_threads; /* scratch for block_end */
	uint64_t next, end;                    /* clusters that are its own and have not begun */
	uint64_t serials;
	uint32_t bad_accesses; /* after which the launch went on */
	uint32_t ticks;        /* slices since the clock was last read */
	uint64_t kernel_ns;    /* repeatable launches: the time that kernels read */
	Block *resident, *pool;
	uint32_t nresident;
	pthread_t thread;
	bool main;
	struct timespec sleep_until;
	Adversary *adversary;                /* NULL: the ordinary schedule */
	bool (*flips)(Adversary *adversary); /* which side of a branch runs first; NULL likewise */
};

struct Run {
	uint64_t grid_barrier; /* device address of what grid.sync() counts in; 0: no cooperative launch */
	Machine *machine;
	struct Textures *textures; /* the machine's */
	const EmuKernel *kernel;
	const EmuLaunch *launch;
	LaunchInfo info;
	const EmuModule *module;
	const EmuFunction **programs; /* [info.nfunctions], the kernel's */
	uint32_t block_threads, nwarps;
	uint64_t nblocks, nclusters;
	uint32_t cluster[3], cluster_size;
	size_t shared_total, dynamic_offset;
	const uint8_t *params;
	size_t param_bytes;
	bool wants_access, wants_branch, wants_barrier, wants_fence, wants_counts, wants_blocks;
	uint32_t max_resident; /* blocks a worker may hold at once */
	uint32_t slice_limit;  /* time slices per warp before the block yields */
	bool independent;      /* blocks do not wait for each other: a slow block is not taken for a waiting one */
	_Alignas(CACHE_LINE_PAD) _Atomic uint64_t next_cluster; /* not yet taken by a worker */
	atomic_bool one_by_one;                                 /* so clusters are taken from now on */
	_Alignas(CACHE_LINE_PAD) atomic_int stop;               /* StopReason */
	uint64_t deadline_ns, started_ns;
	_Atomic uint64_t work;          /* basic blocks of all warps, counted by slices where the launch has a work limit */
	_Atomic uint64_t vain_mbarrier; /* what a warp with VAIN_TESTS saw last; 0: none, or its phase ended after all */
	Shadow shadow;
	size_t shadow_peak;   /* of all times the launch ran */
	atomic_size_t stacks; /* bytes of calls' frames and of local memory that grew */
	pthread_mutex_t lock; /* fault, printed */
	pthread_mutex_t wide; /* for atomic access to 16 bytes */
	bool faulted;
	uint64_t fault_block;
	Fault fault;
	struct Printed *printed;   /* what blocks printed, delivered in block order at the end */
	atomic_size_t print_bytes; /* of all blocks together */
	Worker *workers;
	unsigned nworkers;
};

typedef enum { STOP_NO, STOP_FAULT, STOP_CONFLICT, STOP_TIMEOUT, STOP_WORK, STOP_CANCEL, STOP_SHADOW } StopReason;

/* The cause that a timeout names if warps test an mbarrier in vain; false: they do not. */
bool mbarrier_cause(const Run *run, char *out, size_t size);

/* --- stop.c ------------------------------------------------------------------------------------------------------- */

uint64_t clock_ns(void);
void run_stop(Run *run, StopReason reason); /* the first reason counts */
bool must_stop(Worker *worker);             /* looks at the cancel and, now and then, at the clock */
/* How much a kernel does until it ends does not depend on the host, so a limit on it ends the kernel at the same place
 * everywhere. */
void work_done(Run *run, uint64_t basic_blocks);

/* --- control.c ---------------------------------------------------------------------------------------------------- */

const Op *slice_end(Warp *warp, const Op *op); /* the time slice is over: op runs again next time, or NULL */

/* --- warp.c: entries, calls, splits ------------------------------------------------------------------------------- */

void warp_begin(Warp *warp, const EmuFunction *kernel, uint32_t lanes);
void warp_release(Warp *warp);                                              /* frees what it holds */
void warp_switch(Warp *warp, Split *split);                                 /* loads the hot fields */
uint64_t warp_special(const Warp *warp, PtxSpecial special, uint32_t lane); /* %tid and the like; 0: it has none */
void warp_refresh(Warp *warp);                                              /* recomputes live and masked */
const Op *warp_pop(Warp *warp);                                             /* the top entry is done: what runs next */
const Op *warp_diverge(Warp *warp, const Op *op, uint32_t taken);           /* a divergent bra_if */
/* The running lanes diverge: `taken` go to target, the others to other; they reconverge at rejoin (NULL: at the
 * end). */
const Op *warp_part(Warp *warp, uint32_t taken, const Op *target, const Op *other, const Op *rejoin, bool taken_first);
const Op *warp_strike(Warp *warp, const Op *op, uint32_t lanes); /* these lanes are done here: the others go on */
const Op *warp_call(Warp *warp, const Op *op);
bool warp_stack_reserve(Warp *warp, uint64_t bytes); /* false: more than a thread may have of local memory */
bool warp_fork_waiting(Warp *warp); /* lanes that wait below continue as a split; false: there are none */
bool warp_gathered(Warp *warp, const Op *op,
				   uint32_t member); /* warp-wide instruction: have all arrived? False: stop, op runs again */
void warp_merge(Warp *warp);         /* merges splits that wait at the same place */

/* --- barrier.c ---------------------------------------------------------------------------------------------------- */

void barrier_check(Block *block);                           /* releases what is complete, after threads ended */
void barrier_deadlock(const Cluster *cluster);              /* no warp can run: a fault */
void barrier_report(Warp *warp, const Op *op, uint32_t id); /* notifies the observers */
void barrier_report_done(const Block *block, const BarrierDone *done);

/* --- cluster.c ---------------------------------------------------------------------------------------------------- */

uint64_t cluster_block(const Run *run, uint64_t cluster, uint32_t rank); /* its number in the grid */
uint64_t cluster_threads(const Cluster *cluster);                        /* that have not ended */
void cluster_left(Warp *warp, uint32_t lanes);                           /* threads ended */

/* --- fault.c ------------------------------------------------------------------------------------------------------ */

/* Each records the fault of the running warp at op and returns NULL; message as printf. */
const Op *fault_access(Warp *warp, const Op *op, PtxSpace space, AccessKind kind, const uint64_t *addr, uint32_t mask);
const Op *fault_at(Warp *warp, const Op *op, uint32_t lanes, FaultKind kind, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
const Op *fault_place(Warp *warp, const Op *op, uint32_t lanes, FaultKind kind, const char *file, uint32_t line,
					  const char *message);

/* --- builtin.c ---------------------------------------------------------------------------------------------------- */

const Op *builtin_call(Warp *warp, const Op *op, const CallSite *site);

/* --- bytes.c: addresses to bytes ---------------------------------------------------------------------------------- */

Allocation *memory_find_cached(Warp *warp, const Op *op, uint64_t addr); /* of an address a store just used */
/* The block whose shared memory contains the address, which becomes the offset there; NULL: none of the cluster, or
 * one that has exited. */
Block *cluster_owner(const Warp *warp, uint64_t *addr);
/* The bytes of shared memory, the block's or another one's of its cluster; NULL: outside all memory. */
uint8_t *shared_at(const Warp *warp, uint64_t addr, uint64_t bytes);
/* The byte behind a generic address, for strings and argument lists of one lane; false: outside all memory. */
bool generic_read(Warp *warp, uint32_t lane, uint64_t addr, void *to, size_t bytes);
/* One lane's elements between its registers and the bytes in memory. */
void lane_elements(Warp *warp, const Op *op, uint32_t lane, uint8_t *bytes, bool store);
void fill_sentinel(Warp *warp, const Op *op, uint32_t mask); /* ones as what a load gives these lanes */

/* --- access.c: events --------------------------------------------------------------------------------------------- */

void report_branch(Warp *warp, const Op *op, uint32_t taken);
void report_visit(Warp *warp, const Op *op);
/* Reports an access to the observers after its bounds check. Shared addresses are offsets in the memory of one block,
 * never addresses in the cluster's window. */
void report_access(Warp *warp, const Op *op, AccessKind kind, PtxSpace space, uint32_t mask, const uint64_t *addr);
/* The same of global memory, and of shared memory where all lanes are known to end in the block's own, at `end` at
 * most. form: as in Access. */
void report_inside(Warp *warp, const Op *op, AccessKind kind, PtxSpace space, uint32_t mask, const uint64_t *addr,
				   uint64_t end, uint64_t form);
/* The same of what does not store its registers as they are: element i of lane l is at regs + slots[i] +
 * l * container. */
typedef struct {
	const uint8_t *regs;
	const uint32_t *slots;
	uint32_t elements, container;
	uint32_t passed; /* as of Access */
} AccessValues;
void report_values(Warp *warp, const Op *op, AccessKind kind, PtxSpace space, uint32_t mask, const uint64_t *addr,
				   const AccessValues *values);
/* The same where each lane has a space of its own. */
void report_spaces(Warp *warp, const Op *op, AccessKind kind, const PtxSpace *spaces, uint32_t mask,
				   const uint64_t *addr, const AccessValues *values);

/* Where the lane's local memory ends: what lies beyond belongs to no call that is running. */
static inline uint64_t stack_end(const Frame *f, uint32_t lane) {
	return f->stack_end ? f->stack_end[lane] : f->local_base + f->function->local_bytes;
}

static inline uint8_t *local_at(Warp *w, uint64_t off, uint32_t lane) {
	return w->local + (off >> 2) * SLOT32 + lane * 4 + (off & 3);
}

/* The bytes at [addr, addr + bytes) if they lie in the allocation this op used last, else NULL. */
static inline uint8_t *cached_bytes(Worker *k, const Op *op, bool store, uint64_t addr, uint64_t bytes) {
	const Allocation *a = k->cache[store][op->cache_slot];
	/* Read once: another thread may free an object of the heap at any time. */
	const uint64_t at = addr - a->base, reach = __atomic_load_n(&a->reach, __ATOMIC_RELAXED);
	return at <= reach && bytes <= reach - at ? a->host + at : NULL;
}
/* Looks the address up and caches the allocation; NULL: unmapped, freed, or (store) constant memory. */
uint8_t *find_bytes(Worker *worker, const Op *op, bool store, uint64_t addr, uint64_t bytes);

static inline uint32_t first_lane(uint32_t mask) {
	return (uint32_t)__builtin_ctz(mask);
}
static inline uint32_t count_lanes(uint32_t mask) {
	return (uint32_t)__builtin_popcount(mask);
}

#endif
