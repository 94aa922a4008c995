/* One SM, warp instruction by warp instruction: the warps of some blocks, as they were recorded, compete for issue
 * slots, units, queues and bandwidth. It says how many cycles a number of blocks takes, and what the warps waited for,
 * by instruction. It knows neither PTX nor any GPU: what an instruction uses is in ReplayOp, what the SM has in
 * ReplaySm. Deterministic; time advances from event to event, so that idle cycles cost nothing.
 *
 * Each of the SM's parts issues one instruction a cycle, of the warp that was ready first. An instruction waits for its
 * registers, then for its unit. Shared memory, shuffles, barriers, special functions and constants go through a queue
 * of the part, accesses to global memory through another; where the queue is full the warp cannot issue. Behind the
 * queues a server serves all parts in order of arrival. Misses of L1 take their share of L2's and DRAM's bandwidth. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As Nsight Compute names them (smsp__average_warps_issue_stalled_*), and what they mean. */
#define STALLS(X)                                                                                                      \
	X(SELECTED, "selected", "an instruction was issued")                                                               \
	X(LONG_SCOREBOARD, "long_scoreboard", "data of global or local memory, or of a texture")                           \
	X(SHORT_SCOREBOARD, "short_scoreboard", "data of shared memory, a shuffle or a special function")                  \
	X(WAIT, "wait", "the result of an arithmetic instruction")                                                         \
	X(BARRIER, "barrier", "the other warps of the block at a barrier")                                                 \
	X(MIO_THROTTLE, "mio_throttle", "room in the queue for shared memory and special functions")                       \
	X(LG_THROTTLE, "lg_throttle", "room in the queue for global memory")                                               \
	X(TEX_THROTTLE, "tex_throttle", "room in the queue for textures")                                                  \
	X(MATH_PIPE_THROTTLE, "math_pipe_throttle", "an arithmetic unit")                                                  \
	X(BRANCH_RESOLVING, "branch_resolving", "the target of a branch")                                                  \
	X(DISPATCH_STALL, "dispatch_stall", "operands that share a bank of the registers")                                 \
	X(NOT_SELECTED, "not_selected", "its turn: another warp was issued")                                               \
	X(DRAIN, "drain", "its stores to leave, at its end")
#define STALL_ENUM(name, text, meaning) STALL_##name,
typedef enum { STALLS(STALL_ENUM) STALL_COUNT } Stall;

extern const char *const stall_names[]; /* "long_scoreboard"; NULL at their end */

typedef enum {
	UNIT_NONE, /* issue slots alone */
	UNIT_INT,
	UNIT_MULTIPLY,
	UNIT_EITHER, /* of the two, the one that is free first */
	UNIT_FP32,
	UNIT_FP64,
	UNIT_FP16,
	UNIT_MATRIX,
	UNIT_ARITHMETIC, /* so many are arithmetic units */
	/* through the queue of the part, served for the part alone */
	UNIT_SPECIAL = UNIT_ARITHMETIC,
	UNIT_CONVERT,
	/* through the queue of the part, served for the whole SM */
	UNIT_SHARED,
	UNIT_SHUFFLE,
	UNIT_CONSTANT,
	UNIT_BARRIER,
	/* through queues of their own */
	UNIT_GLOBAL,
	UNIT_TEXTURE,
	UNIT_BULK, /* copies past the units for loads and stores */
	UNIT_BRANCH,
	UNIT_COUNT
} ReplayUnit;

/* Barriers of a block. If the number is not known, each group of as many neighboring warps as take part has its own. */
enum { REPLAY_BARRIERS = 16, REPLAY_GROUP = REPLAY_BARRIERS };

typedef struct {
	uint8_t id;
	uint8_t warps; /* that take part; 0: all that have not ended */
	bool arrives;  /* goes on without waiting */
} ReplayBarrier;

typedef struct {
	uint32_t instr; /* the caller's number; results are by it */
	ReplayUnit unit;
	ReplayBarrier barrier; /* of UNIT_BARRIER */
	uint16_t slots;        /* issue slots, one after the other where there are several */
	uint16_t uses;         /* times the unit's interval */
	uint16_t latency;      /* cycles to the result, without what the unit and memory take */
	uint16_t gap;          /* cycles between two of its slots */
	float conflicts;       /* cycles more that the part's register banks take */
	bool free;             /* takes no slot: its result is there when its operands are */
	bool accesses;         /* has a ReplayAccess wherever a lane runs it; without one it does nothing */
	uint8_t copy;          /* its access is this one of those of instr in the visit, from 0 */
	bool async;            /* has one or more, and the warp goes on while what it begins is under way */
	uint32_t reads, nreads, writes, nwrites; /* in ReplayCode.registers */
} ReplayOp;

/* Straight code: ops [first, end) in the order of issue. */
typedef struct {
	uint32_t first, end;
} ReplayBlock;

typedef struct {
	const ReplayOp *ops;
	const ReplayBlock *blocks;
	const uint32_t *registers;
	uint32_t nblocks, nregisters, ninstrs; /* ninstrs: most of ReplayOp.instr + 1; nregisters: the same of registers */
} ReplayCode;

typedef enum {
	REPLAY_LOAD,
	REPLAY_STORE,
	REPLAY_ATOMIC,
	/* of ReplayOp.async */
	REPLAY_COMMIT,          /* the warp's loads so far are a group */
	REPLAY_WAIT,            /* its groups but for the last `passes` are complete */
	REPLAY_COMMIT_PRODUCTS, /* the same of products */
	REPLAY_WAIT_PRODUCTS,
	REPLAY_SIGNAL,       /* `event` is told once what the op began is done */
	REPLAY_SIGNAL_LATER, /* once all loads of the warp are */
	REPLAY_AWAIT         /* `event` has been told by all that tell it */
} ReplayKind;

/* What a warp instruction asks of memory. */
typedef struct {
	uint32_t instr;
	uint8_t kind;    /* ReplayKind */
	bool cached;     /* looks in L1 */
	uint16_t passes; /* of the banks of data or tags; atomics: operations in L2 */
	uint8_t lines; /* of 128 bytes; of shared memory: iterations of the loop that an atomic is in SASS, 0: it is none */
	uint8_t nsectors;
	union {
		uint32_t sectors; /* loads: nsectors numbers in ReplayWarp.sectors */
		uint32_t event;   /* REPLAY_SIGNAL and later: of the block, from 0: a phase of an mbarrier */
	};
} ReplayAccess;

/* Set in the number of a sector that blocks other than the recorded one do not read: where a recorded block is replayed
 * again it stands for a block with sectors of its own. */
#define REPLAY_PRIVATE (UINT64_C(1) << 63)

/* A visit of a block of code, by the lanes of a warp that took the way there. */
typedef struct {
	uint32_t block;
	uint32_t access; /* the first of its accesses; they end where the next visit's begin */
} ReplayVisit;

typedef struct {
	const ReplayVisit *visits; /* [nvisits + 1]: the last one's access is where the last visit's end */
	uint32_t nvisits;
	const ReplayAccess *accesses;
	const uint64_t *sectors;
} ReplayWarp;

typedef struct {
	double intervals[UNIT_COUNT]; /* cycles between two uses: of a part's unit, or of the SM's */
	uint32_t parts;
	uint32_t queue, global_queue; /* entries of a part */
	uint32_t resident;            /* blocks at once */
	uint32_t l1_lines;            /* of 128 bytes; 0: none */
	double latency_l1, latency_shared, latency_l2, latency_dram;
	/* this SM's share: bytes a cycle */
	double l2_rate, dram_rate;
	double l2_load_line, l2_store_sector, l2_store_line; /* generation.h */
	double dram_of_loads, dram_of_stores;                /* of the sectors that reach L2, those that go to DRAM */
	double atomic_clocks;                                /* of an operation, with those of other SMs */
	double access_clocks;                                /* what a load or store takes at least */
	double loop_clocks;                                  /* an iteration of an atomic on shared memory that is a loop */
	double write_wait;   /* of a read while DRAM does nothing but write; else its share of the time */
	double backlog;      /* cycles of requests that L2, DRAM and atomics may be behind */
	double block_clocks; /* between two blocks that start */
	double start_clocks,
		end_clocks; /* from a block's start to its first instruction; from its end until its room is free */
	double branch_clocks, barrier_clocks;
} ReplaySm;

/* What a warp of a followed block does for some cycles: it waits, or an instruction of it is issued
 * (STALL_SELECTED). */
typedef struct {
	uint32_t warp;  /* in its block */
	uint32_t instr; /* the next one to be issued */
	Stall why;
	double from, cycles;
} ReplayEvent;

typedef struct {
	double cycles;
	double steady;                 /* cycles a block takes where many follow each other */
	uint64_t issued;               /* warp instructions */
	double pace;                   /* cycles per issue from the beginning to the end of a block, the least */
	double l2_loads;               /* sectors that a block reads from L2, as l2_load_line weighs them */
	uint32_t blocks;               /* that were replayed: fewer than asked for where it ended early */
	double (*stalls)[STALL_COUNT]; /* [ninstrs] warp cycles; the caller frees */
	double totals[STALL_COUNT];
	ReplayEvent *events; /* [nevents] of the block that is followed, warp by warp in time; the caller frees */
	uint32_t nevents;
} ReplayResult;
enum { REPLAY_EVENTS = 1 << 16 }; /* at most */

/* nblocks blocks, one after the other as room is there; block i is the recorded one i % nrecorded. warps[recorded *
 * warps_per_block
 * + w]. It ends early where blocks end at a steady rate, and after `limit` instructions (the resident blocks end): then
 * cycles are those of the blocks that ended.
 * follow: the result has the events of the first block. */
ReplayResult replay_run(const ReplaySm *sm, const ReplayCode *code, const ReplayWarp *warps, uint32_t nrecorded,
						uint32_t warps_per_block, uint32_t nblocks, uint64_t limit, bool follow);
