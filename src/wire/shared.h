/* Memory that the prompt and a worker both map. It begins with a Shared; the rest is the service's to use. */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
	atomic_bool cancel; /* the current call is to end early */
} Shared;
enum { SHARED_DATA = 4096 }; /* where the service's part begins */

/* Maps all of it, in huge pages where the system has them for such memory: a buffer of 64 MB is 32 of those, or 16 384
 * faults on each side. NULL: no address space. */
uint8_t *shared_map(int descriptor, size_t bytes);
void shared_unmap(uint8_t *shared, size_t bytes);
