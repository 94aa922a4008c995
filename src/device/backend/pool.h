/* The memory an emulator shares with the prompt, dealt out in pieces. The prompt alone deals: a worker that died takes
 * nothing along. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/ordered.h"

typedef struct {
	uint64_t first, bytes;
} Extent;

typedef struct {
	uint64_t bytes;     /* all of it; below 2^44 */
	OrderedMap free;    /* what is free: bytes, by where it begins; no two touch */
	OrderedMap by_size; /* the same, in the order of sizes */
	uint64_t used;      /* bytes dealt out */
} Pool;

void pool_init(Pool *pool, uint64_t bytes);
void pool_free(Pool *pool);
/* Large pieces begin where a huge page does. False: no room. */
bool pool_take(Pool *pool, uint64_t bytes, uint64_t *first);
void pool_give(Pool *pool, uint64_t first, uint64_t bytes);
uint64_t pool_room(uint64_t bytes); /* the size of a piece of that many bytes */
