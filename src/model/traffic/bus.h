/* What a launch reads and writes of mapped host memory, over the link; see transfer.h. */
#pragma once

#include "emu/observer.h"

typedef struct {
	uint64_t reads, read_bytes, writes, written_bytes; /* requests of up to 128 bytes, and what they carry */
} BusTraffic;

static inline bool bus_takes(const Access *access) { /* a warp's access goes to memory of one kind */
	return access->addr[__builtin_ctz(access->mask)] >= MAPPED_BASE;
}
/* The segments an access needs of host memory (gpu_global_cost), those that a cache has left out. */
void bus_count(BusTraffic *bus, AccessKind kind, const Segment *segments, uint32_t n);
void bus_add(BusTraffic *bus, const BusTraffic *other);
/* ms; bound (may be NULL) receives what it is that takes so long. */
double bus_time(const BusTraffic *bus, const Gpu *gpu, const char **bound);
