/* Lowering: from PTX instructions to Ops, one function at a time. lower.c drives, constants.c finds registers that need
 * no instruction, registers.c gives the others their places, table.c finds the row of an instruction, the other files
 * translate families of them. A translator returns false where it does not cover the operands: the instruction then
 * becomes an Op that faults by name when executed. */
#pragma once

#include "emu/code/handlers.h"
#include "emu/code/program.h"
#include "emu/code/scalar.h"
#include "emu/memory/memory.h"

/* A branch whose targets are known only when all Ops exist. */
typedef struct {
	uint32_t op;
	uint32_t target, rejoin; /* basic blocks, or Ops if `local`; CFG_EXIT: the end */
	uint32_t out;            /* not `local`: basic block where lanes go that do not get to rejoin; or rejoin */
	bool local;
	uint32_t list; /* brx: which list + 1; 0: a plain branch */
} Fixup;

/* A sum that ptxas computes as an FMA: ±a * b ± c of the factors of a product and its other operand. */
typedef struct {
	uint32_t product; /* the mul's instruction + 1; 0: not fused */
	uint8_t addend;   /* which operand of the sum */
	bool minus_product, minus_addend;
} Fused;

/* A register that keeps its value as long as another one does. */
typedef struct {
	uint32_t reg, with;
} Kept;

typedef struct {
	EmuModule *module;
	EmuFunction *fn;
	const PtxFunction *ptx;
	const PtxCfg *cfg;
	Arena *arena;
	VEC(Op) ops;
	VEC(Fill) fills;
	VEC(Fixup) fixups;
	VEC(uint32_t) callees, shared_refs;
	VEC(Kept) kept;
	uint32_t *slot;              /* by register; NO_SLOT: none */
	Fill *constant;              /* by register; container 0: not constant */
	Fused *fused;                /* by instruction */
	uint32_t frame;              /* bytes so far */
	uint32_t instr;              /* being lowered */
	uint32_t carry;              /* the frame's carry predicate, NO_SLOT until needed */
	uint32_t temp[4], temp_pred; /* scratch for translations of several Ops */
	uint32_t memory_ops;
	uint32_t *speculative; /* by register: its number as a speculative one + 1, 0: it is none; NULL: all are none */
	ParamSlot *locals;     /* by index of ptx->locals: call parameters */
} Lower;

/* --- frame.c --- */
uint32_t frame_take(Lower *lower, uint32_t bytes);         /* more room in the frame, aligned to 64 */
uint32_t register_bytes(const Lower *lower, uint32_t reg); /* lane bytes: 2, 4, 8; 0: predicate; 16: two places of 8 */
uint32_t constant_slot(Lower *lower, const Fill *fill);    /* one place per constant */

/* --- constants.c --- */
void find_constants(Lower *lower);
bool constant_operand(const Lower *lower, const PtxOperand *operand, uint32_t container, Fill *out);

bool window_of(PtxSpace space, uint64_t *window); /* of generic addresses; false: the space has none */

/* --- contract.c --- */
void contract_products(Lower *lower);

/* --- movable.c --- */
bool is_product(const PtxInstr *in); /* that may be fused into a sum */
bool is_sum(const PtxInstr *in);     /* that may take a product */
bool passes_on(const PtxInstr *in);  /* a copy or the negative */
/* What a register holds wherever it is read: a product or its negative. */
typedef struct {
	uint32_t mul; /* instruction + 1; 0: none that is movable */
	bool negative;
} Movable;
Movable *find_movable(const Lower *lower); /* by register; to be freed */

/* --- speculation.c --- */
void find_speculation(Lower *lower);
void lower_speculation(Lower *lower, const PtxInstr *in); /* for observers, ahead of an instruction */

/* --- registers.c --- */
void place_registers(Lower *lower);
void keep_places(Lower *lower); /* fills in the function's places */

/* --- operands.c --- */
Op *emit(Lower *lower, HandlerId id); /* places all NO_SLOT; valid until the next */
Op *emit_on(Lower *lower, HandlerId id, uint32_t d, uint32_t a, uint32_t b, uint32_t c); /* with these places */
/* With the places of the instruction's operands, of as many bytes per lane, in the order d, a, b, c, e; PREDICATE: a
 * predicate; 0: none. NULL: an operand has no such place. */
enum { PREDICATE = 1 };
Op *emit_operands(Lower *lower, HandlerId id, const PtxInstr *in, const uint8_t bytes[5]);
/* The same where the operands go to other fields, a word each (instructions.def). */
Op *emit_places(Lower *lower, HandlerId id, const PtxInstr *in, const char *places);
uint32_t temp_slot(Lower *lower, unsigned which);
uint32_t temp_predicate(Lower *lower);
uint32_t bits_slot(Lower *lower, uint64_t bits, uint32_t container);
/* The place of a source with `container` bytes per lane; NO_SLOT: not possible. */
uint32_t source(Lower *lower, const PtxOperand *operand, uint32_t container);
uint32_t destination(Lower *lower, const PtxOperand *operand, uint32_t container);
uint32_t predicate(Lower *lower, const PtxOperand *operand); /* place of a predicate register */
uint32_t operand_bytes(const Lower *lower, const PtxOperand *operand, uint32_t fallback); /* lane bytes it has */
bool constant_bits(Lower *lower, const PtxOperand *operand, uint64_t *bits);

/* --- table.c: alu.def and instructions.def --- */
typedef struct Row Row;
/* The row of a form, and the number of the alternative of [a|b] that it takes. */
typedef struct Match {
	const Row *row;
	int choice;
} Match;

struct Row {
	const char *forms, *operands;
	bool (*translate)(Lower *lower, const PtxInstr *in, const Match *match);
	int kind; /* for the translator; of alu.def: the handler */
	ScalarFn scalar;
	uint8_t bytes[5]; /* of alu.def and SCALAR: per lane, of the result and of the sources; 1: a predicate; 0: none */
};

const Match *match_forms(Arena *arena, const PtxModule *ptx); /* of each of its forms; row NULL: no such form */
Match match_next(const Match *match, const char *form);       /* another row for the same */
bool match_takes(const Match *match, const PtxInstr *in);     /* as many operands as the instruction has */

#define ROW(forms, operands, translate, kind)                                                                          \
	bool lower_##translate(Lower *lower, const PtxInstr *in, const Match *match);
#define SCALAR(forms, function, imm, d, a, b, c, e)
#include "emu/code/instructions.def"
bool lower_arithmetic(Lower *lower, const PtxInstr *in, const Match *match);
bool lower_compare(Lower *lower, const PtxInstr *in, const Match *match);
bool lower_select(Lower *lower, const PtxInstr *in, const Match *match);
bool lower_scalar(Lower *lower, const PtxInstr *in, const Match *match);

/* The place of an address operand's register or constant, its offset, OPF_ADDR32. */
bool lower_address(Lower *lower, const PtxOperand *operand, uint32_t *slot, int64_t *offset, uint8_t *flags);
/* An access to n elements of so many bytes, at the address that the operand is; NULL: it is none. */
Op *emit_access(Lower *lower, HandlerId id, const PtxInstr *in, const PtxOperand *where, uint32_t bytes, uint32_t n);

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
