/* Where the accesses of a function depend on the order in which threads run, or on time, so that a GPU and the emulator
 * count them differently, and two runs of a GPU do, too. */
#ifndef GPULAB_PTX_ORDER_H
#define GPULAB_PTX_ORDER_H

#include "ptx/module.h"

typedef enum {
	ORDER_ADDRESS, /* an address follows from the result of an atomic, or an address or a branch from what was loaded at
	                * such an address */
	ORDER_LOOP,    /* a loop repeats until other threads change a value, and parts the lanes of a warp behind it */
	ORDER_CLOCK,   /* an address or a loop follows from %clock, %globaltimer, %smid or %warpid */
	ORDER_ATOMIC,  /* an atomic on shared memory for which SASS has a loop of loads */
	ORDER_SYSTEM,  /* malloc or free: on a GPU, code that accesses memory */
	ORDER_EARLIER, /* an address, a branch or a loop follows from what was loaded where the order decided before */
	ORDER_CALL,    /* lanes that call a function, or different ones, do not wait for the others of the warp behind it */
	ORDER_HOST,    /* the grid may follow from such contents: the host read them. Never of a function */
	ORDER_SEED,    /* as ORDER_EARLIER, of data that may be random numbers begun from the time. Likewise */
	ORDER_CAUSES
} OrderCause;

/* Which counters, as a set. */
enum {
	ORDER_GLOBAL_LOADS = 1 << 0,
	ORDER_GLOBAL_STORES = 1 << 1,
	ORDER_SHARED_LOADS = 1 << 2,
	ORDER_SHARED_STORES = 1 << 3,
	ORDER_ATOMICS = 1 << 4,
	ORDER_COUNTERS = 5,
	ORDER_ALL = (1 << ORDER_COUNTERS) - 1
};

/* `ran` is where the lanes of a warp may have parted and go on by themselves: it depends on that only if instr, in the
 * loop or the call, runs, too, and `ran` in several lanes; in more lanes than instr; or in more lanes than a function
 * that instr may have called. */
typedef enum { ORDER_TOGETHER, ORDER_PARTED, ORDER_PARTED_IF_FEWER, ORDER_PARTED_IF_SCATTERED } OrderParting;

/* counters are those of the accesses that depend on it. If `ran` does not run, nothing depends on it: instr itself, or
 * what leads to the loop. */
typedef struct {
	OrderCause cause;
	unsigned counters;
	uint32_t instr, ran;
	OrderParting parting;
} OrderPlace;

/* What a generic address pointed to when an instruction ran, as a set. */
enum { ORDER_IN_GLOBAL = 1 << 0, ORDER_IN_SHARED = 1 << 1 };

/* Of a launch. */
typedef struct {
	const PtxModule *module; /* of the function */
	const uint8_t *spaces;   /* [ninstrs] ORDER_IN_GLOBAL and the like; NULL, 0: not known */
	const bool *loads;       /* [ninstrs] those of contents that an order decided; NULL: none */
} OrderRun;

/* The caller frees. In order of the causes, then of instructions. stores[ninstrs], all false: set for stores of
 * contents that an order decides, to a place or of a value that follows from the result of an atomic or from loads;
 * NULL: not wanted. */
OrderPlace *ptx_order(const PtxFunction *function, const OrderRun *run, bool *stores, size_t *count);

/* Is an atomic, if on shared memory, a loop in SASS that loads the words before it tries to change them? */
bool ptx_atomic_loops(const PtxInstr *in);

#endif
