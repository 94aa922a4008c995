/* What a launch reads and writes of mapped host memory, over the link; see transfer.h. */
#ifndef GPULAB_MODEL_BUS_H
#define GPULAB_MODEL_BUS_H

#include "emu/observer.h"

typedef struct {
	uint64_t reads, read_bytes, writes, written_bytes; /* requests of up to 128 bytes, and what they carry */
} BusTraffic;

/* An access to mapped memory is counted here, and true; any other is the GPU's own memory's affair. */
bool bus_takes(BusTraffic *bus, const Gpu *gpu, const Access *access);
void bus_add(BusTraffic *bus, const BusTraffic *other);
/* ms; bound (may be NULL) receives what it is that takes so long. */
double bus_time(const BusTraffic *bus, const Gpu *gpu, const char **bound);

#endif
