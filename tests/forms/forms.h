/* The forms of PTX instructions (alu.def, forms.def) one by one, and as text that can be assembled, parsed and run. */
#pragma once

#include "base/arena.h"
#include "base/str.h"
#include "ptx/module.h"

/* What an operand is: the width of its register and the values to test. */
typedef enum {
	FORM_NONE,
	FORM_PRED,
	FORM_I16,
	FORM_I32,
	FORM_I64,
	FORM_F16,
	FORM_BF16,
	FORM_F16X2,
	FORM_BF16X2,
	FORM_F32,
	FORM_F64,
	FORM_COUNT,
	FORM_LANE,
	FORM_OFFSET,
	FORM_FEW16,
	FORM_FEW32,
	FORM_FEW64,
	FORM_TAME_F16X2,
	FORM_TAME_BF16X2,
	FORM_TAME_F32,
	FORM_TAME_F64,
	FORM_LITERAL,
	FORM_KINDS
} FormKind;

typedef struct {
	FormKind kind;
	const char *text; /* LITERAL */
} FormOperand;

typedef struct {
	const char *name; /* "add.rn.f32" */
	const char *code; /* as in forms.def; NULL: the plain one */
	const char *last; /* "f32": the last type the name spells; "" none */
	PtxOp op;
	FormOperand dst[4], src[4];
	uint32_t ndst, nsrc;
} Form;

typedef struct {
	Form *data;
	size_t len;
} Forms;

Forms forms_all(Arena *arena);

uint32_t form_bytes(FormKind kind); /* of the register; predicate: 0 */

/* One form as a block of PTX: loads its sources, executes, stores each result as 64 bits. The surrounding kernel
 * (form_prologue) knows %in: this thread's place in the first input array, %out, %cell, %scell, %warp. Input arrays,
 * one for each kind and source position, lie `vectors` * 8 bytes apart; so do the results. at: number of the first
 * result. */
void form_block(const Form *form, Str *out, size_t vectors, size_t at);
void form_prologue(Str *out, const char *kernel, bool first); /* first: of the module, with its header */
void form_epilogue(Str *out);

/* Number of the input array of a source. */
static inline size_t form_input(FormKind kind, uint32_t position) {
	return (size_t)kind * 4 + position;
}
enum {
	FORM_INPUTS = FORM_KINDS * 4,
	FORM_RESULTS = 4 /* of a form, at most */,
	FORM_BLOCK = 256 /* threads of a block */,
	FORM_CELL = 64 /* bytes */
};
