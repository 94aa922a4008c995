/* Which counters of a launch could be others on a GPU, or in another run, and why (ptx/analysis/order.h): of the
 * instructions that ran. */
#ifndef GPULAB_EMU_DEPENDENCE_H
#define GPULAB_EMU_DEPENDENCE_H

#include "emu/count/counters.h"
#include "ptx/analysis/order.h"

typedef struct {
	OrderCause cause;
	uint32_t counters; /* a set of ORDER_GLOBAL_LOADS and the like */
	const char *file;  /* in the kernel, of the first place; NULL: not known */
	uint32_t line;
} Dependence;

extern const char *const dependence_counters[ORDER_COUNTERS]; /* their names in count_fields */

/* At most one of a cause, in their order; returns how many. Valid while the module lives. */
size_t counters_dependences(const Counters *counters, const PtxModule *module, Dependence out[ORDER_CAUSES]);
/* Adds those of another launch to n; returns how many there are then. */
size_t dependences_merge(Dependence out[ORDER_CAUSES], size_t n, const Dependence *more, size_t nmore);

#endif
