/* Why the counters of a launch could differ on a GPU, or from run to run: what threads do can depend on the order in
 * which they run, and the emulator runs them in an order of its own. One rule per cause, applied to the instructions
 * that ran: an instruction that lets a thread see the order is enough, whether or not an address follows from it. */
#pragma once

#include "emu/count/counters.h"

typedef enum {
	NONDETERMINISM_ATOMIC, /* the result of an atomic is used */
	/* a wait for an mbarrier, or a volatile, relaxed or acquire load: so often as timing says. Of shared memory only
	 * in a loop, where its value decides what a thread does */
	NONDETERMINISM_WAIT,
	NONDETERMINISM_CLOCK,  /* %clock, %globaltimer, %smid or %warpid */
	NONDETERMINISM_SHARED, /* an atomic on shared memory that is a loop in SASS: repeated where warps collide */
	NONDETERMINISM_HEAP,   /* malloc or free: on a GPU, code that accesses memory */
	NONDETERMINISM_CAUSES
} NondeterminismCause;

typedef struct {
	NondeterminismCause cause;
	const char *file; /* the kernel's own, of the first place; NULL: not known. Valid while the module lives */
	uint32_t line;
} Nondeterminism;

/* At most one of each cause, in their order; returns how many. */
size_t counters_nondeterminism(const Counters *counters, const PtxModule *module,
							   Nondeterminism out[NONDETERMINISM_CAUSES]);
/* Adds those of another launch to n; returns how many there are then. */
size_t nondeterminism_merge(Nondeterminism out[NONDETERMINISM_CAUSES], size_t n, const Nondeterminism *more,
							size_t nmore);
