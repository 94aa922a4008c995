/* Which bytes of global memory a launch read, wrote, and changed atomically. An observer, for whoever compares launches
 * with each other. */
#pragma once

#include "emu/observer.h"

enum { TOUCHED_READ = 1, TOUCHED_WRITTEN = 2, TOUCHED_ATOMIC = 4, MOST_TOUCHED = 1 << 20 };

/* Adjacent bytes with the same kinds. */
typedef struct {
	uint64_t addr, bytes;
	uint32_t kinds; /* a set */
} Touched;

typedef struct TouchedObserver TouchedObserver;

TouchedObserver *touched_new(void);
void touched_free(TouchedObserver *observer); /* NULL is allowed */
Observer *touched_base(TouchedObserver *observer);
/* After the launch, by address; the caller frees it. NULL with *n = 0: nothing, or more than MOST_TOUCHED pieces. */
Touched *touched_of(const TouchedObserver *observer, uint32_t *n);
