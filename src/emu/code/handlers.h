/* Every handler's number, and the tables that hold them: alu.def and memory access are compiled once for each
 * instruction set (exec.c), everything else once. handler() gives the best one for this machine. */
#ifndef GPULAB_EMU_HANDLERS_H
#define GPULAB_EMU_HANDLERS_H

#include "emu/code/program.h"

typedef enum {
	H_none,
#define OP1(name, D, A, expr) H_##name,
#define OP2(name, D, A, B, expr) H_##name,
#define OP3(name, D, A, B, C, expr) H_##name,
#define OP4(name, D, A, B, C, E, expr) H_##name,
#define CMP(name, A, expr) H_##name,
#define SEL(name, D) H_##name,
#define TINY2(name, expr, exact) H_##name,
#define TINY3(name, expr, exact) H_##name,
#include "emu/code/alu.def"
#undef OP1
#undef OP2
#undef OP3
#undef OP4
#undef CMP
#undef SEL
#undef TINY2
#undef TINY3
#define HANDLER(name) H_##name,
#include "emu/code/access.def"
#include "emu/code/out_of_line.def"
#undef HANDLER
	H_COUNT
} HandlerId;

Handler handler(HandlerId id);

/* "avx512", "avx2", "baseline": taken at the first call; GPULAB_ISA=NAME asks for a lesser one. */
const char *handler_isa(void);

/* Do the lanes in mask lie as in `shape`, their distances from the first of them? */
typedef bool (*SameShape)(const uint64_t *addr, uint32_t mask, const uint64_t *shape);
SameShape same_shape_here(void);
extern const SameShape same_shape_baseline, same_shape_avx2, same_shape_avx512;

extern const Handler handlers_baseline[H_COUNT];
extern const Handler handlers_avx2[H_COUNT];
extern const Handler handlers_avx512[H_COUNT];
extern const Handler handlers_out_of_line[H_COUNT]; /* compiled once; NULL where the others have it */

#endif
