/* Mnemonics, types and special registers by name. */
#pragma once

#include "ptx/module.h"

PtxOp ptx_op_named(const char *text, size_t len); /* OP_UNKNOWN: none of ops.def */
/* How many operands ops.def allows it; names: as there. */
typedef struct {
	uint32_t least, most;
	const char *names;
} PtxOperandCount;
PtxOperandCount ptx_operand_count(const char *names); /* "d [a] b?" */
PtxOperandCount ptx_op_operands(PtxOp op);
bool ptx_op_has_result(PtxOp op); /* its first operand is a d or a p */

bool ptx_type_named(const char *text, size_t len, PtxType *out);       /* "f32"; fp8 and similar types are T_OTHER */
bool ptx_special_named(const char *text, size_t len, PtxSpecial *out); /* "%tid", "%laneid" */
const char *ptx_special_not_executed(size_t i);                        /* by number; NULL: there are no more */
bool ptx_special_has_component(PtxSpecial special);                    /* %tid needs .x, .y or .z */
