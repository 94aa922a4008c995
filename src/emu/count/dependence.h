/* Which counters of a launch could be others on a GPU, or in another run, and why (ptx/analysis/order.h): of the
 * instructions that ran. */
#ifndef GPULAB_EMU_DEPENDENCE_H
#define GPULAB_EMU_DEPENDENCE_H

#include "base/vec.h"
#include "emu/count/counters.h"
#include "ptx/analysis/order.h"

typedef struct {
	OrderCause cause;
	uint32_t counters; /* a set of ORDER_GLOBAL_LOADS and the like */
	const char *file;  /* in the kernel, of the first place; NULL: not known */
	uint32_t line;
} Dependence;

/* A whole allocation. */
typedef struct {
	uint64_t addr, bytes;
} ByteRange;

/* What a launch found: memory whose contents follow from the order of threads in launches before, and whether random
 * numbers may have been begun from the time. */
typedef struct {
	const ByteRange *ordered;
	uint32_t nordered;
	bool seeded;
} Earlier;

typedef VEC(uint64_t) Addresses;

extern const char *const dependence_counters[ORDER_COUNTERS]; /* their names in count_fields */
uint32_t counters_not_zero(const Counts *counts);             /* of these, as a set */

/* At most one of a cause, in their order; returns how many. Valid while the module lives. Adds to *ordered where the
 * launch stored what follows from an order: one address per instruction. */
size_t counters_dependences(const Counters *counters, const PtxModule *module, const Earlier *earlier,
							Dependence out[ORDER_CAUSES], Addresses *ordered);
/* Adds those of another launch to n; returns how many there are then. */
size_t dependences_merge(Dependence out[ORDER_CAUSES], size_t n, const Dependence *more, size_t nmore);

#endif
