/* Device memory of one machine. Allocations stand apart: between two lie addresses that belong to nobody, so that every step
 * past an end is seen. What was freed keeps its address and its name for the report; addresses are never used again.
 *
 *     generic address     0x0004'0000'0000  shared window      the block's shared memory, offset 0 up; from CLUSTER_STRIDE on that of
 *                                                              the blocks of its cluster, one after the other by rank
 *                         0x0005'0000'0000  local window       the thread's local memory
 *                         0x0006'0000'0000  parameter window   the kernel's parameters
 *                         0x0007'0000'0000  functions          what a function pointer holds
 *                         0x0100'0000'0000  global and constant allocations
 *                         0x8000'0000'0000  mapped memory of the host (MAPPED_BASE in observer.h)
 *
 * Threads: finding is safe from all host threads; adding and freeing too (device-side malloc). An Allocation stays where it is
 * until memory_free, so a pointer to one may be kept over a launch. */
#ifndef GPULAB_EMU_MEMORY_H
#define GPULAB_EMU_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { ALLOCATION_NAME = 64 };

#define SHARED_WINDOW UINT64_C(0x000400000000)
#define LOCAL_WINDOW UINT64_C(0x000500000000)
#define PARAM_WINDOW UINT64_C(0x000600000000)
#define FUNCTION_WINDOW UINT64_C(0x000700000000)
#define WINDOW_BYTES UINT64_C(0x000010000000)
#define CLUSTER_STRIDE UINT64_C(0x800000)
#define GLOBAL_BASE UINT64_C(0x010000000000)

typedef enum { ALLOC_BUFFER, ALLOC_GLOBAL, ALLOC_CONST, ALLOC_HEAP, ALLOC_MAPPED } AllocKind;

typedef struct {
	uint64_t base; /* device address, aligned to 256 */
	size_t bytes;
	size_t reach;     /* bytes that may be accessed: bytes, or 0 once freed */
	uint8_t *host;    /* NULL once freed and swept */
	uint8_t *written; /* one bit a byte, lowest first; NULL: not tracked, all count as written */
	AllocKind kind;
	bool freed;
	char name[ALLOCATION_NAME];
} Allocation;

typedef struct Memory Memory;

Memory *memory_new(size_t limit); /* bytes all allocations together may take; 0: no limit */
void memory_free(Memory *memory);

/* Fresh memory holds 0xff bytes, zeroed memory (module variables) is the caller's to write. NULL with err when it is too large. */
Allocation *memory_add(Memory *memory, AllocKind kind, size_t bytes, const char *name, Err *err);
bool memory_release(Memory *memory, uint64_t base, Err *err);
void memory_retire(Memory *memory, Allocation *allocation); /* freed by a kernel: its bytes stay until memory_sweep */
void memory_sweep(Memory *memory);
void memory_forget(Memory *memory, Allocation *allocation); /* as if it had never been there */
bool memory_has_heap(const Memory *memory);                 /* objects of the device's malloc, not freed */

/* The allocation that holds addr, freed ones included; NULL: nobody's. */
Allocation *memory_find(const Memory *memory, uint64_t addr);
/* The one an address most likely meant: the holder, else the nearest end or begin. NULL: there is none at all. */
Allocation *memory_nearest(const Memory *memory, uint64_t addr);

/* From now on fresh allocations remember which of their bytes were written. */
void memory_track(Memory *memory, bool on);
bool memory_tracks(const Memory *memory);
void memory_track_fresh(Memory *memory, Allocation *allocation); /* this one, too; nothing of it was written so far */
void allocation_mark(Allocation *allocation, size_t offset, size_t bytes);
bool allocation_written(const Allocation *allocation, size_t offset, size_t bytes);

#endif
