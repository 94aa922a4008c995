/* Where an instruction comes from, as reports name it. */
#ifndef GPULAB_EMU_PLACES_H
#define GPULAB_EMU_PLACES_H

#include "ptx/module.h"

/* The source line to name: the innermost one that is not inside the toolkit's headers. */
typedef struct {
	const char *file; /* "": not known */
	uint32_t line;
} Place;

bool of_toolkit(const char *file);                              /* a header that comes with CUDA or the compiler */
Place place_of(const PtxModule *module, const PtxInstr *instr); /* instr NULL: none */

#endif
