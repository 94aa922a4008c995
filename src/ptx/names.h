/* Mnemonics, types and special registers by name. */
#ifndef GPULAB_PTX_NAMES_H
#define GPULAB_PTX_NAMES_H

#include "ptx/module.h"

PtxOp ptx_op_named(const char *text, size_t len);                      /* OP_UNKNOWN: none of ops.def */
bool ptx_type_named(const char *text, size_t len, PtxType *out);       /* "f32"; fp8 and the like give T_OTHER */
bool ptx_special_named(const char *text, size_t len, PtxSpecial *out); /* "%tid", "%laneid" */
bool ptx_special_has_component(PtxSpecial special);                    /* %tid needs .x, .y or .z */

#endif
