/* How many atomic operations of a launch went to the word that most of them went to. */
#ifndef GPULAB_MODEL_CONTENTION_H
#define GPULAB_MODEL_CONTENTION_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint64_t address, count; /* count 0: unused */
} Contended;

/* All zeros: nothing seen yet. */
typedef struct {
	Contended *slots; /* [capacity], a hash table: capacity a power of two */
	size_t capacity, n;
	uint64_t most;
} Contention;

/* Beyond a million different words new ones are no longer counted: that many do not wait for each other. */
void contention_add(Contention *c, uint64_t address, uint64_t count);
void contention_merge(Contention *to, const Contention *from);
void contention_free(Contention *c);

#endif
