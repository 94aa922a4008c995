/* The heap of the device's malloc, as large as cudaLimitMallocHeapSize says: 8 MiB unless set. Host memory is bounded
 * by that: one mapping of the limit, and one record per object, which counts against the limit, too.
 *
 *     host      | granule 0 | 1 | 2 ... |   of 16 bytes; an object is a run of them
 *     device    HEAP_BASE + granule * SLOT: objects do not adjoin there, so that an access past an end is detected
 *
 * Allocation is circular, from the end of the last object: a freed object keeps its place, and is known as freed,
 * until the search wraps around. Then its granules and record are reused. A record always remains a record of the
 * heap, with bytes inside the mapping: a pointer kept beyond the life of its object reaches another object's record,
 * never anything else.
 *
 * Threads: the caller locks. */
#pragma once

#include "base/arena.h"
#include "emu/memory/memory.h"

typedef struct Heap Heap;

Heap *heap_new(void);
void heap_free(Heap *heap);
/* Takes effect at once if the heap is empty; otherwise it may only grow: false, nothing changed. */
bool heap_limit(Heap *heap, size_t bytes);
/* Contents are 0xff bytes. NULL: no room. */
Allocation *heap_take(Heap *heap, size_t bytes);
void heap_retire(Heap *heap, Allocation *object);          /* freed: later accesses are detected */
void heap_sweep(Heap *heap);                               /* forgets what was freed */
Allocation *heap_find(const Heap *heap, uint64_t addr);    /* the object that holds addr, freed ones included */
Allocation *heap_nearest(const Heap *heap, uint64_t addr); /* the last one at or before addr */
bool heap_has_objects(const Heap *heap);                   /* not freed */
/* Its objects with their contents, and where malloc looks for room next; from the arena. */
HeapImage *heap_save(const Heap *heap, Arena *arena);
void heap_put_back(Heap *heap, const HeapImage *image);
