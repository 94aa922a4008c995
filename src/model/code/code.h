/* What each PTX instruction costs an SM, and what a warp waits for. PTX is not what runs: these rules say what is
 * counted.
 *
 * Issue. Moves, loads of arguments, conversions of an address between spaces and between 32 and 64 bits cost nothing:
 * registers are renamed, arguments are operands (shared memory on cc 1.x, constant bank later), addresses are 32 bits
 * wide on cc 1.x. Everything else is one instruction, more where one PTX instruction expands to a sequence (division,
 * 32-bit multiplication on cc 1.x). On cc 1.x a load from shared memory whose only use is an arithmetic instruction
 * nearby is that instruction's operand: it costs nothing itself, a MAD with it 6 cycles instead of 4 (5 where its
 * other operands are one register), as the lecturer measured. There, too, an address of shared memory far from its
 * base takes an addition (address.c), and a branch that may diverge more than one instruction (tesla.c).
 *
 * Waiting. Loads are assumed to be moved up within a block of code without branch, label or barrier, as compilers do,
 * so that those of one block wait together unless one needs another's result. The longest chain of dependent loads
 * counts. */
#pragma once

#include "emu/observer.h"
#include "ptx/analysis/cfg.h"

typedef enum {
	PIPE_NONE,
	PIPE_INT,
	PIPE_ADD, /* integer additions and multiplications, where they can go to other units */
	PIPE_MULTIPLY,
	PIPE_FP32,
	PIPE_FP64,
	PIPE_FP16,
	PIPE_SFU,
	PIPE_CONVERT,
	PIPE_MEMORY,
	PIPE_CONTROL,
	PIPE_MATRIX,
	PIPE_COUNT
} Pipe;

typedef struct {
	float issue;          /* cc 1.x: cycles a warp instruction occupies the SM; later: issue slots */
	float pipe_use;       /* of `pipe`, in warp instructions */
	float bank_conflicts; /* cycles that a scheduler's register banks need beyond its issue slots */
	Pipe pipe;
	/* At the first instruction of a block, for one warp that executes it: */
	float global_waits; /* length of the longest chain of dependent loads from global memory */
	float wait; /* cycles from its first to its last instruction in an otherwise empty machine, those loads included */
	bool barrier;        /* of the block */
	uint8_t wide;        /* bytes per lane of this load from shared memory with those joined to it; 0: its own */
	bool changes_floats; /* an atomic operation on floating-point numbers */
	bool aggregated;     /* an atomic operation that one lane makes for the warp */
	bool others; /* returns what other blocks changed: an atomic operation on global memory whose result is used, or
	                      * a load that says so */
	uint8_t shared_use; /* SharedUse of an atomic operation, should its address be in shared memory */
	bool joined;        /* to another load from shared memory: costs nothing itself */
} InstrCost;

/* One a global instruction number of info; the caller frees. */
InstrCost *code_costs(const Gpu *gpu, const LaunchInfo *info);

/* cc 1.x: adds to costs (of f's instructions) what addresses of shared memory take that no instruction can name.
 * leader[i]: a block begins at i. */
void code_address_costs(const PtxFunction *f, const bool *leader, InstrCost *costs);

/* cc 1.x: changes costs by what needs no instruction of its own and by branches that may split a warp (tesla.c). */
void code_tesla_costs(const PtxCfg *cfg, const bool *leader, InstrCost *costs);

/* From cc 2.0 on: what integer divisions by a loop's constant become (divide.c), and atomic operations (atomics.c). */
void code_divisions(const PtxCfg *cfg, InstrCost *costs);
void code_atomics(const PtxCfg *cfg, uint32_t cc, InstrCost *costs);

/* [nregs] 64-bit integers of which only the low half is read (low_half.c). The caller frees. */
bool *code_low_halves(const PtxFunction *f);

/* [ninstrs] of branches around a few instructions, which get a predicate instead (predicate.c): how many blocks further
 * they go. The caller frees. */
uint8_t *code_predicated(const PtxCfg *cfg, const InstrCost *costs);

/* Where FP32 issues every cycle: what reading three registers takes (banks.c). */
void code_bank_conflicts(const PtxFunction *f, const bool *leader, InstrCost *costs);

/* Whether its result comes from global memory; whether no load moves up past it. */
bool code_waits_for_dram(const PtxInstr *in);
bool code_ends_block(const PtxInstr *in);

/* Most registers live at once if an address takes one register, as on cc 1.x, and loads that wait together have one
 * each. */
uint32_t code_registers_32bit(const PtxCfg *cfg);
