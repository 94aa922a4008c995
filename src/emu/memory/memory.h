/* Device memory of one machine. Allocations do not adjoin: unmapped addresses separate them, so that every access
 * past an end is detected. A freed allocation keeps its address and name for reports; addresses are never reused,
 * except on the device heap.
 *
 *     generic address     0x0004'0000'0000  shared window      the block's shared memory, offset 0 up;
 *                                                              from CLUSTER_STRIDE on that of the blocks of its
 *                                                              cluster, one after the other by rank
 *                         0x0005'0000'0000  local window       the thread's local memory
 *                         0x0006'0000'0000  parameter window   the kernel's parameters
 *                         0x0007'0000'0000  functions          what a function pointer holds
 *                         0x0100'0000'0000  global and constant allocations
 *                         0x0200'0000'0000  allocations at an address that the caller chose
 *                         0x4000'0000'0000  the heap of the device's malloc (heap.h)
 *                         0x8000'0000'0000  mapped host memory (MAPPED_BASE in observer.h)
 *
 * Threads: lookup is safe from all host threads, and so are adding and freeing (device-side malloc). An Allocation
 * does not move until memory_free, so a pointer to one may be kept during a launch. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

enum {
	ALLOCATION_NAME = 64,
	LOCAL_LIMIT = 512 << 10 /* bytes of local memory a thread may have (CUDA: technical specifications) */
};

#define SHARED_WINDOW UINT64_C(0x000400000000)
#define LOCAL_WINDOW UINT64_C(0x000500000000)
#define PARAM_WINDOW UINT64_C(0x000600000000)
#define FUNCTION_WINDOW UINT64_C(0x000700000000)
#define WINDOW_BYTES UINT64_C(0x000010000000)
#define CLUSTER_STRIDE UINT64_C(0x800000)
#define GLOBAL_BASE UINT64_C(0x010000000000)
#define PLACED_BASE UINT64_C(0x020000000000)
#define HEAP_BASE UINT64_C(0x400000000000)

typedef enum { ALLOC_BUFFER, ALLOC_GLOBAL, ALLOC_CONST, ALLOC_HEAP, ALLOC_MAPPED } AllocKind;

typedef struct {
	uint64_t base; /* device address, aligned to 256 */
	size_t bytes;
	size_t reach;     /* bytes that may be accessed: bytes, or 0 once freed */
	uint8_t *host;    /* NULL once freed and swept */
	uint8_t *written; /* one bit a byte, lowest first; NULL: not tracked, all count as written */
	AllocKind kind;
	bool freed;       /* of the device's heap: its bytes stay, for others */
	bool foreign;     /* the bytes have another owner, and stay when this is freed */
	const char *name; /* at most ALLOCATION_NAME - 1 characters */
} Allocation;

typedef struct Memory Memory;
typedef struct HeapImage HeapImage;

Memory *memory_new(size_t limit); /* bytes all allocations together may take; 0: no limit */
void memory_free(Memory *memory);

/* Fresh memory holds 0xff bytes, zeroed memory (module variables) is the caller's to write. NULL with err when it is
 * too large. */
Allocation *memory_add(Memory *memory, AllocKind kind, size_t bytes, const char *name, Err *err);
/* The same at an address that it had in other memory. NULL with err if that is taken, or is none of such memory. */
Allocation *memory_add_at(Memory *memory, AllocKind kind, size_t bytes, const char *name, uint64_t base, Err *err);
/* Over existing bytes, which keep their contents. base: its previous address, not otherwise allocated; 0: a new
 * address. NULL with err if that is taken. */
Allocation *memory_add_over(Memory *memory, AllocKind kind, size_t bytes, const char *name, uint8_t *host,
							uint64_t base, Err *err);
bool memory_release(Memory *memory, uint64_t base, Err *err);
/* The device's malloc and free. NULL: no room in the heap. */
Allocation *memory_malloc(Memory *memory, size_t bytes);
void memory_retire(Memory *memory, Allocation *object);
/* How large that heap is; false, and nothing changed, if live objects would not fit, or the host lacks the memory. */
bool memory_heap_limit(Memory *memory, size_t bytes);
void memory_sweep(Memory *memory);                          /* after a launch: forgets what was freed in it */
void memory_forget(Memory *memory, Allocation *allocation); /* removes it without a trace */
/* That heap as it is, from the arena: its objects with their contents, and where malloc looks for room next. To be put
 * back, also more than once, where launches leave nothing. No kernel runs at this time. */
HeapImage *memory_heap_save(const Memory *memory, Arena *arena);
void memory_heap_put_back(Memory *memory, const HeapImage *image);
bool memory_has_heap(const Memory *memory); /* objects of the device's malloc, not freed */

/* The allocation that holds addr, freed ones included; NULL: none does. */
Allocation *memory_find(const Memory *memory, uint64_t addr);
/* The compiler's own: "$str", the texts of printf. No message names it. */
static inline bool memory_is_hidden(const Allocation *a) {
	return *a->name == '$';
}
/* The allocation that an address most likely belongs to: the one that contains it, else the nearest one that is not
 * hidden. NULL: there is none. */
Allocation *memory_nearest(const Memory *memory, uint64_t addr);

/* From now on it tracks which of its bytes were written; none were so far. */
void memory_track_fresh(Memory *memory, Allocation *allocation);
void allocation_mark(Allocation *allocation, size_t offset, size_t bytes);
bool allocation_written(const Allocation *allocation, size_t offset, size_t bytes);
