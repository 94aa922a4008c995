/* How many atomic operations of a launch went to the word that most of them went to. */
#ifndef GPULAB_MODEL_CONTENTION_H
#define GPULAB_MODEL_CONTENTION_H

#include "base/map.h"

/* All zeros: nothing seen yet. */
typedef struct {
	NumberMap counts; /* by address */
	uint64_t most;
} Contention;

/* Beyond a million different words new ones are no longer counted: that many do not wait for each other. */
void contention_add(Contention *c, uint64_t address, uint64_t count);
void contention_merge(Contention *to, const Contention *from);
void contention_free(Contention *c);

#endif
