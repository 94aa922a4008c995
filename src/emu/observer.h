/* Observers get the events of an emulated launch: counters, memory, race and sync checkers, the models' collectors.
 * The executor knows none of them; a new one is one new file. Every callback may be NULL.
 *
 * Blocks run on several host threads. Before the launch each observer is forked once per host thread; a fork is only
 * ever called from its own thread, so it needs no locks; afterwards every fork is joined into the original, in order.
 * A launch may restart: launch_begin discards what was joined before.
 *
 * Instructions are not reported one by one: the executor counts how often each basic block ran and with how many
 * threads, and reports the totals at the end of each thread block (block_end), which makes counting instructions
 * nearly free. */
#pragma once

#include "emu/shadow.h"
#include "gpu/gpu.h"
#include "gpu/lanes.h"
#include "gpu/launch.h"
#include "gpu/pattern.h"
#include "ptx/analysis/cfg.h"
#include "ptx/module.h"

typedef struct Observer Observer;

typedef struct {
	uint64_t base, bytes;
} MemoryRange;

/* A function's code as observers see it: instruction numbers index `function->instrs`. Programs of one launch (kernel
 * and device functions it can reach) are numbered; the kernel is 0. */
typedef struct {
	const PtxModule *module;
	const PtxFunction **functions;
	uint32_t nfunctions;
	const uint32_t *first; /* first[f]: global number of function f's instruction 0 */
	uint32_t ninstrs;      /* over all functions */
	LaunchConfig config;
	size_t static_shared_bytes; /* per block */
	uint32_t registers;         /* per thread: estimate from liveness (PtxCfg.max_live_words32) of the kernel */
	const Assembled *assembled; /* [nassembled] better than that estimate */
	uint32_t nassembled;
	const PtxCfg *cfg; /* of the kernel */
	const Gpu *gpu;
	struct Memory *memory; /* global memory; by its own rules during the launch (memory.h) */
	uint32_t cluster[3];   /* blocks of a cluster in each direction, at least 1 */
	size_t shared_bytes;   /* per block, dynamic ones included */
	size_t shared_user;    /* of these, the kernel's own; behind them is what the toolkit has reserved */
	const uint64_t
		*function_shared; /* [module->nfunctions] where a function's own shared variables begin in the block's */
	const uint64_t
		*global_shared;    /* [module->nglobals] the same of module-scope ones; UINT64_MAX: not in this kernel */
	const uint8_t *params; /* the kernel's parameters, as PtxVar offsets say */
	/* Allocations of device memory: first those that parameters point into, in their order, then module variables. */
	const MemoryRange *ranges;
	uint32_t nranges;
	unsigned workers; /* host threads that run blocks */
	Shadow *shadow;   /* memory limit of the checkers; NULL: no limit */
} LaunchInfo;

/* Global addresses from here on are mapped host memory; below, device memory. */
#define MAPPED_BASE UINT64_C(0x800000000000)

typedef enum { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC } AccessKind;

/* How a half-warp accesses memory: consecutive elements, all lanes the same one, or else. */
enum { HALF_ANY, HALF_ROW, HALF_ONE };

/* Both halves of a warp, and the distance between their first lanes; 0: one of them is HALF_ANY. */
static inline uint64_t access_form(uint32_t low, uint32_t high, uint64_t distance) {
	return low && high && distance == (uint64_t)(int32_t)distance ? low | high << 2 | distance << 32 : 0;
}
uint64_t access_form_of(const uint64_t *addr, uint32_t width); /* of 32 lanes */

/* Different for different shapes: a form fixes the distances of words of one width; its four low bits are not all 0. */
static inline uint64_t access_shape(uint64_t form, uint32_t width, uint64_t number) {
	return form ? form | width << 4 : number << 4;
}

/* One warp instruction touching memory. Lanes outside mask have no meaning. */
typedef struct {
	uint32_t instr; /* global number */
	AccessKind kind;
	PtxSpace space; /* resolved: GLOBAL, SHARED, LOCAL, CONST, never GENERIC */
	uint32_t width; /* bytes per lane, vector included */
	uint32_t mask;  /* active lanes, never 0 */
	const uint64_t
		*addr;      /* [32]; GLOBAL: device address; SHARED: from the block's shared base; LOCAL: from the frame's */
	uint64_t end;   /* SHARED, LOCAL: no lane reaches past it */
	uint64_t form;  /* not 0: access_form of all 32 lanes, so that equal forms have equal distances from the first */
	uint64_t shape; /* where an observer wants shapes, for pattern.h; else 0 */
	PtxCache cache;
	PtxSem sem;
	PtxScope scope;
	uint32_t block; /* linear block number */
	uint32_t warp;  /* in the block */
	uint32_t owner; /* SHARED: number of the block that owns the memory: this one, or another of its cluster */
	/* Stores: element i of lane l lies at regs + slots[i] + l * container. shared: the owner's, before the access. */
	const uint8_t *regs;
	const uint32_t *slots;
	uint32_t elements, container;
	const uint8_t *shared;
	uint32_t passed;    /* of lanes that test an mbarrier: those whose phase is over */
	GlobalUnits *units; /* GLOBAL: what observers know of it; NULL: it is to be found out */
} Access;

static inline PatternKey access_key(const Access *a) {
	return (PatternKey){.addr = a->addr,
						.shape = a->shape,
						.instr = a->instr,
						.mask = a->mask,
						.width = a->width,
						.kind = (uint32_t)a->kind | (uint32_t)a->space << 8,
						.units = a->units};
}

/* Asynchronous copies into shared memory, and products that read it. A copy's load and store are accesses, reported
 * before it; what it writes may be read only after it was waited for. What a product reads is no access. */
typedef enum {
	ASYNC_COPY,   /* cp.async: `bytes` to each lane's addr */
	ASYNC_COMMIT, /* the lanes' copies so far are a group */
	ASYNC_WAIT,   /* the lanes' groups but for the last `keep` are complete */
	ASYNC_BULK,   /* a bulk copy, whose end the mbarrier at `barrier` is told */
	/* What lanes do with the mbarrier at `barrier`, which has been reported as an access. */
	ASYNC_INIT,
	ASYNC_ARRIVE,
	ASYNC_ARRIVE_LATER, /* when the lanes' copies are complete */
	ASYNC_TEST,
	/* wgmma. A product is of four warps from `warp` on, the others of one warp. */
	ASYNC_PRODUCT, /* the product reads `npieces` pieces of 16 bytes of the block's shared memory */
	ASYNC_PRODUCT_COMMIT,
	ASYNC_PRODUCT_WAIT
} AsyncKind;
typedef struct {
	AsyncKind kind;
	uint32_t instr, block, warp, mask;
	uint32_t bytes, keep;
	const uint64_t *addr; /* [32] from the owner's shared base */
	uint64_t barrier;
	uint32_t phase;         /* of it, 0 or 1 in turns, before the event */
	bool over;              /* the phase that is tested for: so the one before `phase` */
	uint32_t parity[2];     /* TEST by parity: the largest operand, and the lane that gives it */
	uint32_t owner;         /* of the memory at addr and barrier: this block, or another of its cluster */
	const uint32_t *pieces; /* offsets from the block's shared base */
	uint32_t npieces;
} AsyncEvent;

/* A row of a bulk or tensor copy: adjacent bytes of global memory, and of shared memory, which no thread moves. */
typedef struct {
	uint32_t instr, block, warp;
	AccessKind kind;       /* of global memory */
	uint64_t addr;         /* there */
	uint32_t bytes;        /* there, 0: none */
	uint32_t shared_bytes; /* written or read */
} BulkRow;

/* A warp called printf: what the toolkit's code accesses in global memory for it. */
typedef struct {
	uint32_t instr, block, warp;
	PrintfCost cost;
} PrintfTraffic;

/* One warp instruction reading texels, or reading or writing a surface; once for each object its lanes name. */
typedef struct {
	uint32_t instr;
	AccessKind kind;
	bool surface;
	uint32_t mask;
	uint32_t texel_bytes;
	uint64_t texture;        /* which: the handle */
	const uint64_t *sectors; /* [nsectors] the different sectors of 32 bytes it touches, counted within the object */
	uint32_t nsectors;
	uint32_t block, warp;
} TextureAccess;

typedef struct {
	uint32_t instr;
	uint32_t block, warp;
	uint32_t active; /* lanes that reached it */
	uint32_t taken;  /* lanes that jumped; divergent if neither 0 nor active */
} Branch;

/* What an instruction does with registers that may hold a speculative value (value_uses.h): one that was loaded ahead
 * of a condition. They have numbers, each its own in a module. A load gives such a value to `writes`, a selection takes
 * the first of `reads` where its predicate holds, else the second, and a move copies; whatever else reads uses them. */
typedef enum { SPECULATION_LOAD, SPECULATION_SELECT, SPECULATION_MOVE, SPECULATION_USE } SpeculationKind;
enum { NOT_SPECULATIVE = UINT32_MAX };
typedef struct {
	SpeculationKind kind;
	uint32_t *reads, *writes; /* NOT_SPECULATIVE: another register, a constant */
	uint32_t nreads, nwrites;
} SpeculationStep;

/* Such an instruction is about to run, ahead of the access of a load. */
typedef struct {
	const SpeculationStep *step;
	uint32_t instr;
	uint32_t block, warp;
	uint32_t depth; /* of calls: registers of another depth are others */
	uint32_t mask;
	uint32_t picked; /* SELECT: lanes whose predicate holds */
} Speculation;

typedef struct {
	uint32_t instr;
	uint32_t block, warp;
	uint32_t mask;
	uint32_t id;    /* named barrier */
	bool warp_only; /* bar.warp.sync */
} Barrier;

/* A barrier is complete: the threads that waited for it continue after this. */
typedef struct {
	uint32_t block;
	uint32_t id;
	uint32_t arrived;  /* threads */
	uint32_t alive;    /* threads of the block that have not ended */
	uint32_t expected; /* threads the instruction asked for; 0: all */
} BarrierDone;

/* A warp instruction that names its members (bar.warp.sync, shfl.sync, vote.sync...) is about to run. */
typedef struct {
	uint32_t instr;
	uint32_t block, warp;
	uint32_t mask;  /* lanes that have arrived */
	uint32_t alive; /* lanes that have not ended, or that did behind the instruction while others waited there */
	const uint32_t *member; /* [32]: the mask each lane gave */
	const uint32_t *source; /* [32]: of a shuffle, the lane that each lane reads; else NULL */
} WarpSync;

/* Totals of one finished block of threads, by instruction: how often warps issued it, and threads executed it. */
typedef struct {
	uint32_t block;          /* linear */
	const uint32_t *warps;   /* [ninstrs], this block only */
	const uint32_t *threads; /* [ninstrs] */
	uint64_t busiest_warp;   /* instructions of the warp that issued most */
} BlockCounts;

typedef struct {
	Observer *(*fork)(Observer *self);            /* a new one for another host thread */
	void (*join)(Observer *self, Observer *fork); /* takes over what fork gathered and frees it */
	void (*launch_begin)(Observer *self, const LaunchInfo *info);
	void (*block_begin)(Observer *self, uint32_t block);
	void (*access)(Observer *self, const Access *access);
	bool ignores_loads; /* of the accesses */
	bool wants_shapes;  /* Access.shape */
	/* Who takes rows is not told the accesses of 16 bytes that a bulk copy consists of. */
	void (*bulk)(Observer *self, const BulkRow *row);
	/* If one listens, a launch goes on after a bad load, store or atomic: it gives ones, and writes nothing. */
	void (*bad_access)(Observer *self, const Fault *fault);
	void (*texture)(Observer *self, const TextureAccess *access);
	void (*printf_traffic)(Observer *self, const PrintfTraffic *traffic);
	void (*fresh)(Observer *self, uint64_t addr,
				  size_t bytes); /* malloc returned these bytes, which may have been used before */
	void (*branch)(Observer *self, const Branch *branch); /* conditional branches only */
	void (*speculation)(Observer *self, const Speculation *speculation);
	/* Whether the ways of this block's warps are wanted; asked after block_begin. NULL: no. */
	bool (*follows)(const Observer *self, uint32_t block);
	/* A warp enters a basic block whose first instruction has this global number. */
	void (*visit)(Observer *self, uint32_t block, uint32_t warp, uint32_t instr);
	void (*barrier)(Observer *self, const Barrier *barrier); /* each warp's arrival */
	void (*barrier_done)(Observer *self, const BarrierDone *done);
	void (*warp_sync)(Observer *self, const WarpSync *sync);
	void (*async)(Observer *self, const AsyncEvent *event);
	void (*fence)(Observer *self, uint32_t instr, uint32_t block, uint32_t warp, uint32_t mask, PtxScope scope);
	void (*block_end)(Observer *self, const BlockCounts *counts);
	void (*launch_end)(Observer *self, const LaunchOutcome *outcome);
} ObserverOps;

/* Of observers to which the order of the events of different blocks matters. serial: in this launch it does, so that
 * one host thread runs it. In others each host thread has an order of its own, as long as blocks are independent.
 * conflict: this fork saw dependent blocks; called after each block, true ends the run. validate: called on the
 * original after a run on several host threads: the joint result of the forks equals that of one host thread. false:
 * it has restored what the launch wrote to global memory; the launch restarts on one host thread. */
typedef struct {
	bool (*serial)(const Observer *self, const LaunchInfo *info);
	bool (*conflict)(const Observer *fork);
	bool (*validate)(Observer *self, Observer *const *forks, unsigned nforks, bool ended_well);
} ObserverOrder;

struct Observer {
	const ObserverOps *ops;
	const ObserverOrder *order; /* NULL: any order will do */
};
