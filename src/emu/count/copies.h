/* How many bytes of copies with cp.async a block's warps have in flight while they use shared memory: those that they
 * have started and not waited for. A kernel that waits for all its copies before it uses a tile has none. */
#pragma once

#include "emu/observer.h"

typedef struct Copies Copies;

typedef struct {
	uint64_t uses;      /* requests to load from shared memory since the block's first copy */
	uint64_t in_flight; /* bytes that the same warp had in flight, summed over these */
} CopyCounts;

Copies *copies_new(void);
void copies_add(Copies *copies, const AsyncEvent *event); /* other events than those of cp.async are ignored */
void copies_use(Copies *copies, uint32_t warp);           /* the warp loads from shared memory; NULL: no copy so far */
CopyCounts copies_counts(const Copies *copies);           /* NULL: none */
void copies_free(Copies *copies);                         /* NULL: nothing */
