/* Where an instruction comes from, as reports name it: a line that a person wrote. What is in a header of the toolkit
 * is at the call of it. */
#pragma once

#include "ptx/module.h"

/* The innermost place that is not inlined from the toolkit's headers. file 0: not known. */
typedef struct {
	uint32_t file, line;
	uint32_t inlined_at; /* as in PtxInstr: the calls around that place */
} Spot;

typedef struct {
	const char *file; /* "": not known */
	uint32_t line;
} Place;

Spot spot_of(const PtxModule *module, const PtxInstr *instr); /* instr NULL: none */
/* In a function of the toolkit's that was not inlined: the call of it is to be named. */
bool spot_in_toolkit(const PtxModule *module, Spot spot);
Place place_of_spot(const PtxModule *module, Spot spot);

/* The same without the calls that led there: that of the first call in the text. */
Place place_of(const PtxModule *module, const PtxFunction *function, const PtxInstr *instr);
