/* What becomes of the value that an instruction loads, as far as the code of its function shows. */
#pragma once

#include "ptx/module.h"

typedef enum {
	VALUE_USED,
	VALUE_IGNORED, /* no instruction reads it */
	VALUE_SELECTED /* only selp does: the compiler loads ahead of a condition, and may discard the value */
} ValueUse;

ValueUse value_use(const PtxFunction *function, const PtxInstr *instr);

/* The registers that may hold a speculative value: one that a load gives whose value is only selected, or that was
 * selected or moved from such a register. They are numbered from 1 on, the others are 0; *count: how many. The caller
 * frees it. NULL: there are none. */
uint32_t *ptx_speculative(const PtxFunction *function, uint32_t *count);
