/* How wide the loads and stores of a kernel are in SASS, how many of them are behind the last EXIT that only some lanes
 * take, and how many registers it has, as its cubin says. An ELF file with one section of 16-byte instructions per
 * kernel; nothing of it is trusted. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { SASS_LDS, SASS_STS, SASS_LDG, SASS_STG, SASS_KINDS } SassKind;
enum { SASS_WIDTHS = 3 }; /* up to 32 bits per lane, 64, 128 */

typedef struct {
	uint32_t count[SASS_KINDS][SASS_WIDTHS], behind[SASS_KINDS][SASS_WIDTHS];
	bool leaves; /* there is such an EXIT */
} SassAccesses;

/* False: no cubin for cc 7.0 to 9.0, or no such kernel in it. */
bool sass_accesses(const void *cubin, size_t bytes, const char *kernel, SassAccesses *out);
/* Registers per thread; 0: no cubin, or none that says so. */
uint32_t sass_registers(const void *cubin, size_t bytes, const char *kernel);
/* Local memory per thread in bytes: arrays, and registers that were spilled; 0: none, or no cubin that says so. */
uint32_t sass_local_bytes(const void *cubin, size_t bytes, const char *kernel);
