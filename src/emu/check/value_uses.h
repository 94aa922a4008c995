/* What becomes of the value that an instruction loads, as far as the code of its function shows. */
#ifndef GPULAB_EMU_VALUE_USES_H
#define GPULAB_EMU_VALUE_USES_H

#include "ptx/module.h"

typedef enum {
	VALUE_USED,
	VALUE_IGNORED, /* no instruction reads it */
	VALUE_SELECTED /* only selp does: the compiler loads ahead of a condition, and may discard the value */
} ValueUse;

ValueUse value_use(const PtxFunction *function, const PtxInstr *instr);

#endif
