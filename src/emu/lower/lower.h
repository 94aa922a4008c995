/* Lowering: from PTX instructions to Ops, one function at a time. lower.c drives, constants.c finds registers that need
 * no instruction, registers.c gives the others their places, lower_*.c translate families of instructions.
 * A translator returns false where it does not cover an instruction: it then becomes an Op that faults by name when
 * executed. */
#ifndef GPULAB_EMU_LOWER_H
#define GPULAB_EMU_LOWER_H

#include "emu/code/handlers.h"
#include "emu/code/program.h"
#include "emu/memory/memory.h"

/* A branch whose targets are known only when all Ops exist. */
typedef struct {
	uint32_t op;
	uint32_t target, rejoin; /* basic blocks, or Ops if `local`; CFG_EXIT: the end */
	bool local;
	uint32_t list; /* brx: which list + 1; 0: a plain branch */
} Fixup;

typedef struct {
	const EmuModule *module;
	EmuFunction *fn;
	const PtxFunction *ptx;
	const PtxCfg *cfg;
	Arena *arena;
	VEC(Op) ops;
	VEC(Fill) fills;
	VEC(Fixup) fixups;
	VEC(uint32_t) callees, shared_refs;
	uint32_t *slot;              /* by register; NO_SLOT: none */
	Fill *constant;              /* by register; container 0: not constant */
	uint32_t frame;              /* bytes so far */
	uint32_t instr;              /* being lowered */
	uint32_t carry;              /* the frame's carry predicate, NO_SLOT until needed */
	uint32_t temp[4], temp_pred; /* scratch for translations of several Ops */
	uint32_t memory_ops;
	ParamSlot *locals; /* by index of ptx->locals: call parameters */
} Lower;

/* --- frame.c --- */
uint32_t frame_take(Lower *lower, uint32_t bytes);         /* more room in the frame, aligned to 64 */
uint32_t register_bytes(const Lower *lower, uint32_t reg); /* lane bytes: 2, 4, 8; 0: predicate; 16: two places of 8 */
uint32_t constant_slot(Lower *lower, const Fill *fill);    /* one place per constant */

/* --- constants.c --- */
void find_constants(Lower *lower);
bool constant_operand(const Lower *lower, const PtxOperand *operand, uint32_t container, Fill *out);

/* --- registers.c --- */
void place_registers(Lower *lower);
void keep_places(Lower *lower); /* fills in the function's places */

/* --- operands.c --- */
Op *emit(Lower *lower, HandlerId id); /* places all NO_SLOT; valid until the next */
uint32_t temp_slot(Lower *lower, unsigned which);
uint32_t temp_predicate(Lower *lower);
uint32_t bits_slot(Lower *lower, uint64_t bits, uint32_t container);
/* The place of a source with `container` bytes per lane; NO_SLOT: not possible. */
uint32_t source(Lower *lower, const PtxOperand *operand, uint32_t container);
uint32_t destination(Lower *lower, const PtxOperand *operand, uint32_t container);
uint32_t predicate(Lower *lower, const PtxOperand *operand); /* place of a predicate register */
uint32_t operand_bytes(const Lower *lower, const PtxOperand *operand, uint32_t fallback); /* lane bytes it has */
bool constant_bits(Lower *lower, const PtxOperand *operand, uint64_t *bits);

/* --- lower/form.c --- */
bool operands_fit(const PtxInstr *in); /* checked before any family: it has as many operands as its form */

/* --- families --- */
bool lower_alu(Lower *lower, const PtxInstr *in);
bool lower_compare(Lower *lower, const PtxInstr *in);
bool lower_convert(Lower *lower, const PtxInstr *in);
bool lower_move(Lower *lower, const PtxInstr *in);
bool lower_memory(Lower *lower, const PtxInstr *in);
bool lower_b128(Lower *lower, const PtxInstr *in);
bool lower_lanewise(Lower *lower, const PtxInstr *in);
bool lower_control(Lower *lower, const PtxInstr *in);
bool lower_call(Lower *lower, const PtxInstr *in);
bool is_scalar_fallback(const PtxInstr *in); /* then lower_scalar translates it */
bool lower_scalar(Lower *lower, const PtxInstr *in);
bool lower_matrix(Lower *lower, const PtxInstr *in);
bool lower_async(Lower *lower, const PtxInstr *in);
bool lower_texture(Lower *lower, const PtxInstr *in);
/* The place of an address operand's register or constant, its offset, OPF_ADDR32. */
bool lower_address(Lower *lower, const PtxOperand *operand, uint32_t *slot, int64_t *offset, uint8_t *flags);

static inline bool type_signed(PtxType t) {
	return t == T_S8 || t == T_S16 || t == T_S32 || t == T_S64;
}
static inline bool synchronizes(const PtxInstr *in) {
	return in->sem > SEM_WEAK || in->cache == CACHE_CV || in->cache == CACHE_CG;
}
static inline bool type_float(PtxType t) {
	return t == T_F32 || t == T_F64;
}

/* Lowers one function; its shell (ptx, index) already exists, like all others'. */
void lower_function(EmuModule *module, EmuFunction *fn);

#endif
