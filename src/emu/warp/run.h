/* A running launch, from the outside in:
 *
 *   Run      the launch: what it runs, on what terms, and what ends it; one for all host threads
 *   Worker   one host thread of it
 *   Cluster  blocks that a worker runs at the same time; usually one
 *   Block    its shared memory, barriers, and warps (warp.h)
 *
 * Run is divided by who uses a part: the parts that do not change while blocks run come first, then those that host
 * threads share and that are atomic or behind a lock. */
#pragma once

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
typedef struct Warp Warp;
typedef struct Adversary Adversary;

enum {
	VECTOR_BYTES = 64,    /* of the widest vectors of a host: registers and shared memory have so many behind them */
	CACHE_LINE_PAD = 128, /* bytes between data that one host thread writes often and what others read */
	ALLOCATION_CACHE = 16,
	CLUSTER_MOST = 8,        /* blocks; CUDA C++ Programming Guide, "Thread Block Clusters": what every GPU supports */
	SLICE = 512,             /* basic blocks per time slice of a warp */
	SPINNING = SLICE / 8,    /* synchronizing memory operations in it that make it look like waiting */
	CALLS_LIMIT = 64 << 10,  /* bytes of LOCAL_LIMIT for calls and alloca */
	STACKS_LIMIT = 24 << 20, /* bytes of the host's for the calls of all threads that run at once */
	PRINT_LIMIT = 16 << 20,  /* bytes of output that a launch keeps */
	NS_PER_SLICE = 1000,     /* that pass for a repeatable launch */
	STATE_LIMIT = 32 << 20   /* the same for their registers, shared and local memory, without calls */
};

/* --- a block and its cluster -------------------------------------------------------------------------------------- */

typedef struct {
	uint32_t threads;  /* arrived */
	uint32_t counted;  /* the same with whole warps as 32, for barriers with a count */
	uint32_t expected; /* that count; 0: all threads that have not ended */
	uint32_t popc;     /* bar.red: threads whose predicate is true */
} BarrierState;

typedef struct {
	uint32_t size;
	uint32_t missing; /* threads that have neither ended nor arrived at the cluster's barrier */
	bool calm;        /* in the last round of its warps none went on */
	bool went_on;     /* in its last turn, of several rounds, one did */
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

/* --- a host thread ------------------------------------------------------------------------------------------------ */

/* Where a load or store went: at last, in the last first warp of a block, and how far from one warp to the next. */
typedef struct {
	uint64_t last, first, step;
} Ahead;

struct Worker {
	_Alignas(CACHE_LINE_PAD) Run *run;
	Allocation *cache[2][ALLOCATION_CACHE]; /* that each load and store used last; [store][cache_slot] */
	Ahead ahead[2][ALLOCATION_CACHE];
	Observer **observers; /* this worker's forks, in order */
	size_t nobservers;
	Observer **on_load, **on_write;        /* those of them that observe such accesses; NULL after the last */
	AccessShapes shapes;                   /* of no instruction: no observer wants them */
	GlobalUnits units;                     /* of the access that is being reported */
	uint32_t *instr_warps, *instr_threads; /* scratch for block_end */
	uint32_t bad_accesses;                 /* after which the launch went on */
	uint32_t pace, unseen;                 /* basic blocks between two looks at its clock, and since the last */
	uint64_t seen_ns;                      /* its processor time that RunEnd.spent_ns has */
	uint64_t kernel_ns;                    /* repeatable launches: the time that kernels read */
	_Atomic uint64_t progress;             /* turns of clusters in which a warp went on; from 1 */
	_Atomic uint64_t calm_since;           /* the progress of all since which it only waits; UINT64_MAX: it has ended */
	_Atomic uint64_t tried_since;          /* the same, with `forks` set */
	uint64_t looked;                       /* the progress of all when it looked last */
	bool forks;             /* all it has only waits: also lanes below others in their warp have a turn */
	uint32_t waiting, naps; /* clusters in a row that only waited; times all of them did */
	uint8_t *before;        /* registers of a split when it was polled [before_bytes] */
	size_t before_bytes;
	uint64_t next, end; /* clusters that are its own and have not begun */
	uint64_t serials;   /* blocks it has begun */
	uint32_t nresident; /* blocks that have begun and not ended */
	Block *pool;        /* blocks to use again */
	pthread_t thread;
	Adversary *adversary;                /* NULL: the ordinary schedule */
	bool (*flips)(Adversary *adversary); /* which side of a branch runs first; NULL likewise */
};

/* Calls the observers of the worker that listen to the event. */
#define NOTIFY(worker, event, ...)                                                                                     \
	for (size_t i_ = 0; i_ < (worker)->nobservers; i_++) {                                                             \
		Observer *const self_ = (worker)->observers[i_];                                                               \
		if (self_->ops->event) self_->ops->event(self_, __VA_ARGS__);                                                  \
	}

/* --- the launch --------------------------------------------------------------------------------------------------- */

/* From cc 8.0 on, the toolkit has 1 KB of each block's shared memory for itself: %reserved_smem_offset_cap. On a GPU
 * the block's own memory is behind it; here it is behind the block's own, from _begin to _end. ptxas puts _0 at its
 * beginning for cc 9.0. At _1, which the driver chooses, cooperative groups keep barriers and values of tiles wider
 * than a warp, and count on 288 bytes, zeros at first (details/memory.h). */
enum { RESERVED_SHARED = 1024, RESERVED_1 = 128 };

/* Sizes that follow from the kernel and the launch. */
typedef struct {
	uint32_t block_threads, nwarps; /* per block */
	uint64_t nblocks, nclusters;    /* that run: of a sample, fewer than the grid has */
	uint32_t cluster[3], cluster_size;
	size_t shared_total;   /* bytes per block, with what is reserved */
	size_t shared_user;    /* without */
	size_t reserved;       /* where that begins */
	size_t dynamic_offset; /* where dynamic shared memory begins */
} LaunchShape;

/* Events that some observer wants. What no observer wants is not even put together. */
typedef struct {
	bool access, branch, barrier, fence, counts, speculation;
} EventsWanted;

/* Which worker runs which blocks, and for how long (machine/schedule.c). */
typedef struct {
	uint32_t max_resident; /* blocks a worker may hold at once */
	uint32_t slice_limit;  /* time slices per warp before the block yields */
	bool independent;      /* blocks do not wait for each other: a slow block is not taken for a waiting one */
	_Alignas(CACHE_LINE_PAD) _Atomic uint64_t next_cluster; /* not yet taken by a worker */
	atomic_bool one_by_one;                                 /* so clusters are taken from now on */
} Schedule;

typedef enum {
	STOP_NO,
	STOP_FAULT,
	STOP_CONFLICT,
	STOP_TIMEOUT,
	STOP_WORK,
	STOP_WAITS, /* every warp waits for another */
	STOP_CANCEL,
	STOP_SHADOW
} StopReason;

/* Where a launch was when its limit or a cancel ended it. */
typedef struct {
	Fault at; /* its place; not located: before any warp ran */
	uint32_t warp;
	uint64_t instructions; /* that this warp had issued */
	bool tests;            /* it waits at an mbarrier: */
	uint64_t tested;
	bool by_parity;
} Standing;

/* What ends the launch before its blocks have ended (stop.c, fault.c). All workers read `stop` all the time. */
typedef struct {
	_Alignas(CACHE_LINE_PAD) atomic_int stop; /* StopReason */
	/* The launch's limit, 0: who runs its blocks looks himself; and what it has used of it: processor time of its host
	 * threads, divided by how many of them have work. On an idle machine that is the time that passes; what is starved
	 * or suspended uses none. */
	uint64_t limit_ns;
	_Atomic uint64_t spent_ns;
	atomic_uint busy;
	uint64_t started_ns; /* of the host's clock */
	Standing standing;
	char waits[440];       /* STOP_WAITS: who waits where */
	_Atomic uint64_t work; /* basic blocks of all warps, counted by slices where the launch has a work limit */
	bool faulted;          /* this and the rest: under Run.lock */
	uint64_t fault_block;
	Fault fault;
} RunEnd;

/* What blocks printed, delivered in block order at the end. */
typedef struct {
	struct Printed *latest; /* under Run.lock */
	atomic_size_t bytes;
	_Atomic uint64_t cut; /* bytes that were too many */
} PrintedText;

enum { MOST_RANGES = 64 };

struct Run {
	Machine *machine;
	struct Textures *textures; /* the machine's */
	const EmuKernel *kernel;
	const EmuLaunch *launch;
	uint64_t grid_barrier; /* device address of what grid.sync() counts in; 0: no cooperative launch */
	LaunchShape shape;
	LaunchInfo info;                 /* the same as observers see it */
	MemoryRange ranges[MOST_RANGES]; /* its */
	EventsWanted wants;
	Schedule schedule;
	Worker *workers;
	unsigned nworkers;
	RunEnd end;
	PrintedText printed;
	Shadow shadow;
	size_t shadow_peak;   /* of all times the launch ran */
	atomic_size_t stacks; /* bytes of calls' frames and of local memory that grew */
	pthread_mutex_t lock; /* fault, printed */
	pthread_mutex_t wide; /* for atomic access to 16 bytes, and to surfaces */
};

/* --- stop.c ------------------------------------------------------------------------------------------------------- */

uint64_t clock_ns(void);
bool run_stop(Run *run, StopReason reason); /* the first reason counts; false: there is one */
/* The processor time of the calling host thread, which is this worker's, counts from now on, or up to now. */
void worker_begins(Worker *worker);
void worker_ends(Worker *worker);
uint64_t run_spent(Worker *worker); /* of the launch's limit so far; ns */
/* Whether the limit is used up, after so many basic blocks. They may take nanoseconds or, under a checker,
 * milliseconds: how often the clock is looked at follows from that. */
bool limit_is_over(Worker *worker, uint32_t basic_blocks);
static inline bool run_stopped(const Run *run) {
	return atomic_load_explicit(&run->end.stop, memory_order_relaxed) != STOP_NO;
}

/* The cause that a timeout names of a warp that tests this mbarrier. */
void mbarrier_cause(uint64_t tested, bool by_parity, char *out, size_t size);
