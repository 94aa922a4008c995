/* What the kernels around a sample read (clock.ptx). */
#ifndef GPULAB_DEVICE_CLOCK_H
#define GPULAB_DEVICE_CLOCK_H

#include <stdint.h>

typedef struct {
	uint64_t cycles, nanoseconds; /* %clock64, %globaltimer */
	uint64_t sm;                  /* its SM: counters of different SMs are not comparable */
} ClockReading;

extern const char clock_ptx[];

#endif
