/* Predicates on the 32 addresses of a warp, which every checker evaluates at every access; compiled for several
 * instruction sets. */
#ifndef GPULAB_EMU_CHECK_LANES_H
#define GPULAB_EMU_CHECK_LANES_H

#include <stdint.h>

/* Functions marked with it are compiled for several x86 instruction sets; the loader picks the best one. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
	!defined(__SANITIZE_THREAD__)
#define MANY_ISAS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MANY_ISAS
#endif

/* Of all 32: the same address; consecutive words; consecutive words in each half; else. */
typedef enum { PATTERN_ONE, PATTERN_ROW, PATTERN_HALVES, PATTERN_ANY } Pattern;
Pattern lanes_pattern(const uint64_t *addr);
void lanes_words(const uint64_t *addr, uint32_t *index); /* addr / 4 */
void lanes_words16(const uint64_t *addr, uint16_t *index);

typedef struct {
	uint64_t low, high; /* lowest and highest address */
} LaneSpan;
LaneSpan lanes_span(const uint64_t *addr, uint32_t mask); /* mask is not 0 */

#endif
