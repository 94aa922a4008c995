/* Every handler's number, and the tables that hold them: alu.def and memory access are compiled once for each
 * instruction set (exec.c), everything else once. handler() gives the best one for this machine. */
#pragma once

#include "emu/code/program.h"
#include "gpu/pattern.h"

typedef enum {
	H_none,
#define HANDLER(name) H_##name,
#include "emu/code/access.def"
#include "emu/code/alu.def"
#include "emu/code/out_of_line.def"
#undef HANDLER
	H_COUNT
} HandlerId;

/* The types of alu.def, in bytes. */
enum {
	BYTES_u16 = 2,
	BYTES_s16 = 2,
	BYTES_u32 = 4,
	BYTES_s32 = 4,
	BYTES_u64 = 8,
	BYTES_s64 = 8,
	BYTES_f32 = 4,
	BYTES_f64 = 8
};

Handler handler(HandlerId id);

/* "avx512", "avx2", "baseline": taken at the first call; GPULAB_ISA=NAME asks for a lesser one. */
const char *handler_isa(void);

/* Do the lanes in mask lie as in `shape`, their distances from the first of them? */
SameShape same_shape_here(void);
extern const SameShape same_shape_baseline, same_shape_avx2, same_shape_avx512;

extern const Handler handlers_baseline[H_COUNT];
extern const Handler handlers_avx2[H_COUNT];
extern const Handler handlers_avx512[H_COUNT];
extern const Handler handlers_out_of_line[H_COUNT]; /* compiled once; NULL where the others have it */
