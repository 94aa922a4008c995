/* The state of a replay, which only its files see. */
#pragma once

#include "base/vec.h"
#include "replay/cache.h"
#include "replay/replay.h"

enum { MOST_QUEUE = 64 };
#define NEVER 1e300

typedef struct {
	double at;
	uint8_t why; /* Stall while it is not there */
} Ready;

/* When a warp's copies or products are complete: those of its last groups with all before them, and those in none. */
enum { MOST_GROUPS = 8 };
typedef struct {
	double done[MOST_GROUPS], open;
	uint32_t n;
} Groups;

typedef struct Warp {
	const ReplayWarp *trace;
	uint32_t slot;      /* of the block */
	uint32_t again;     /* how often its block was replayed before */
	uint32_t visit, op; /* next: op in ReplayCode.ops */
	uint16_t slots_left;
	Ready *registers;
	double ready;  /* operands of the next instruction are there */
	uint8_t why;   /* until then */
	double since;  /* stalls are counted up to here */
	uint64_t seen; /* Part.others of its unit, up to which they are counted */
	double stores; /* its last store has left */
	bool followed;
	double noted; /* events are noted up to here */
	uint32_t instr;
	const ReplayOp *next;
	const ReplayAccess *asks; /* NULL: none */
	bool running;
	uint8_t waits;  /* for this barrier of its block + 1; 0: for none */
	uint32_t event; /* the same of an event */
	Groups copies, products;
	struct Part *part;
	struct Warp *before, *after; /* in one of its part's lists */
} Warp;

typedef struct {
	Warp *first, *last;
} Warps;

typedef struct {
	uint32_t arrived;
	uint8_t warps; /* as of ReplayBarrier */
	double last;   /* arrival */
} BarrierState;

typedef struct {
	uint32_t missing; /* who has not told it */
	double last;      /* who has */
	uint8_t why;      /* Stall while it is waited for: what it was told last */
} EventState;

typedef struct {
	uint32_t alive;
	bool used;
	BarrierState barriers[REPLAY_BARRIERS];
	EventState *events; /* [Sim.nevents] */
} Slot;

/* A queue of a part: when its entries begin to be served; a new one has room when the oldest did. */
typedef struct {
	double starts[MOST_QUEUE];
	uint32_t at;
} Queue;

typedef struct Part {
	Queue queue, global;
	double unit_free[UNIT_COUNT];
	double gates[UNIT_COUNT];    /* when an instruction of the unit can be issued */
	uint64_t others[UNIT_COUNT]; /* cycles in which one could, and another warp's was */
	Warps sleeping;              /* those whose operands will be there, the first one first */
	Warps ready[UNIT_COUNT];     /* those whose are, by their unit, the longest wait first */
	uint32_t units;              /* bit: it has one */
	bool idle;                   /* none of them wakes by itself */
	double clock;                /* when it issues next at the earliest */
	double issued;               /* when it last did, and what that took */
	double conflicts;            /* cycles that register banks owe */
} Part;

typedef struct {
	const ReplaySm *sm;
	const ReplayCode *code;
	const ReplayWarp *warps;
	uint32_t nrecorded, warps_per_block, nblocks;
	Warp *all; /* [resident * warps_per_block] */
	Slot *slots;
	EventState *untold; /* [nrecorded * nevents] as a block of each begins */
	uint32_t nevents;
	Part parts[8];
	ReplayCache l1;
	double lsu_free, shared_free[UNIT_COUNT], l2_free, dram_free, atomics_free;
	double dram_owed;    /* fraction of a sector */
	double dram_written; /* cycles that writes took so far */
	uint32_t started, ended;
	double now, next_start, last_end;
	double *ends; /* [nblocks] */
	ReplayResult *out;
	bool follow;
	VEC(ReplayEvent) events;
} Sim;

static inline double later(double a, double b) {
	return a > b ? a : b;
}

/* lists.c: a warp that is in no list: its operands are or will be there, or it waits for something else still. */
void warp_wake(Sim *s, Warp *w);
/* Those whose operands are there now wait for their units. */
void part_collect(Part *p, double now);
void warps_remove_first(Warps *list);
static inline bool waits_longer(const Warp *a, const Warp *b) {
	return a->ready < b->ready || (a->ready == b->ready && a < b);
}
static inline double next_wake(const Part *p) {
	return p->sleeping.first ? p->sleeping.first->ready : NEVER;
}

/* async.c: an async op of a warp has been issued, and itself is done at `at`: what it begins and tells. Returns until
 * when the warp waits, for *why; *event: for which event it waits then; NO_EVENT. */
enum { NO_EVENT = UINT32_MAX };
double async_begin(Sim *s, Warp *w, double now, double at, Stall *why, uint32_t *event);
void async_wait(Sim *s, Warp *w, uint32_t event);
void async_alloc(Sim *s);
void async_free(Sim *s);
/* No warp can go on: those that wait for events do; false: there are none. */
bool async_release(Sim *s);

/* memory.c: what an access that begins at `start` takes; return when it is done. */
double memory_load(Sim *s, const Warp *w, const ReplayAccess *a, double start);
double memory_atomic(Sim *s, const ReplayAccess *a, double start);
double memory_store(Sim *s, double start, uint32_t sectors, uint32_t lines);
/* L2 and DRAM are that far behind at most, or the load and store units wait. */
double memory_admits(const Sim *s, double start);
