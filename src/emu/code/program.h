/* A PTX function lowered once to what the executor runs: by execution time opcode, types, state space and register
 * places are settled. An Op is one step; its handler executes it for the 32 lanes of a warp and returns the next Op.
 *
 * A register is a lane array inside the frame of its function, addressed by its byte offset there:
 *
 *     frame   | predicates, 32 bits each | 32 x u32 | 32 x u64      | ... | call parameters | constants and specials |
 *               bit l is lane l            %r1        %rd7                  32 x u32 a word   filled when made
 *
 * Registers that never change during a launch (an immediate, %tid, a kernel parameter, the address of a variable)
 * need no instruction: they are constant slots. Registers whose live ranges do not overlap share a place (PtxCfg
 * liveness). */
#pragma once

#include "base/vec.h"
#include "emu/memory/memory.h"
#include "gpu/lanes.h"
#include "ptx/analysis/cfg.h"
#include "ptx/module.h"

/* Barriers of a block have numbers; the number after the last one is the barrier of its cluster. Then come what warps
 * wait for that are at setmaxnreg, and at wgmma.mma_async. */
enum { NAMED_BARRIERS = 16, CLUSTER_BARRIER = NAMED_BARRIERS, REGISTER_POOL, WARPGROUP };
enum { BAR_SYNC, BAR_ARRIVE, BAR_POPC, BAR_AND, BAR_OR }; /* Op.kind of bar */

enum { SLOT32 = 4 * LANES, SLOT64 = 8 * LANES, NO_SLOT = UINT32_MAX };

typedef struct Op Op;
typedef struct Warp Warp;
typedef struct EmuFunction EmuFunction;
typedef const Op *(*Handler)(Warp *warp, const Op *op); /* NULL: the warp stops here for now */

/* A table of jumps (brx), in Ops from its own. */
typedef struct {
	const int32_t *distance;
	uint32_t count;
	const Op *rejoin;
	const Op *out; /* as of a branch; NULL: rejoin */
} JumpTable;

/* The handler defines d, a, b, c, e: by default the places of destination and sources in the frame. */
struct Op {
	Handler run;
	uint32_t d, a, b, c, e;
	uint32_t instr; /* index into PtxFunction.instrs */
	int64_t imm;    /* address offset, lane mask, table; branch: distance to its target in Ops */
	union {
		const Op *rejoin;     /* branch: the Op of reconvergence; NULL: at the function's end */
		const uint32_t *list; /* places of a vector's elements */
		const JumpTable *jumps;
		const void *aux;
	};
	uint8_t bytes;      /* memory: of one element */
	uint8_t vector;     /* memory: elements */
	uint8_t container;  /* memory: bytes of a lane in the register: 2, 4, 8 */
	uint8_t flags;      /* OPF_* */
	uint8_t space;      /* PtxSpace */
	uint8_t cache_slot; /* the cached allocation of the worker to try first */
	uint16_t kind;      /* handler's own */
	union {
		uint32_t extra[2];
		int32_t out; /* branch: Ops to where lanes go that do not get to rejoin; 0: there are none */
	};
};

enum {
	OPF_SIGNED = 1,      /* loads: sign-extend into the container */
	OPF_ADDR32 = 2,      /* the address register has 32 bits */
	OPF_NEGATED = 4,     /* the predicate is negated */
	OPF_GUARDED = 8,     /* ret, exit: for the lanes of predicate a */
	OPF_EXIT_FIRST = 16, /* branch: the side that jumps ends at once */
	OPF_ALIGNED = 32,    /* barrier: for whole warps */
	OPF_SYNC = 64,       /* volatile, relaxed and stronger: other threads may wait for it */
	OPF_RESULT = 128     /* atom rather than red; bar.red */
};

/* What a constant slot is filled with when a frame is made. */
typedef enum { FILL_BITS, FILL_PARAM, FILL_SPECIAL, FILL_LOCAL, FILL_SHARED } FillKind;
typedef struct {
	FillKind kind;
	uint32_t slot;
	uint8_t container, bytes; /* lane bytes; PARAM: bytes read */
	bool sign;
	bool per_block;    /* %ctaid: again for every block */
	uint64_t bits;     /* BITS: value; PARAM: offset; SPECIAL: PtxSpecial; LOCAL: offset in the function's local frame;
	                           * SHARED: offset in the variable */
	const PtxVar *var; /* SHARED: the variable, whose place is decided at launch */
} Fill;

/* Where a parameter lies: words of 32 lanes in the frame. */
typedef struct {
	uint32_t slot, words;
} ParamSlot;

/* Where a register lies, for stepping. */
typedef struct {
	uint32_t slot;
	uint8_t container; /* lane bytes: 2, 4, 8; 16: two places of 8; 0: a predicate */
	bool constant;     /* filled when the frame is made */
} RegisterPlace;

struct EmuFunction {
	const PtxFunction *ptx;
	PtxCfg *cfg;
	uint32_t index; /* among the module's functions */
	Op *ops;
	uint32_t nops;
	uint32_t *op_of_block; /* basic block -> index of its first Op */
	uint32_t frame_bytes;  /* all lane arrays */
	Fill *fills;
	uint32_t nfills, nblock_fills; /* the per-block ones come first */
	ParamSlot *params, *returns;   /* device functions */
	size_t shared_bytes;           /* static shared memory of its own variables, their offsets included */
	size_t local_bytes;            /* per thread and call */
	uint32_t *callees;             /* indices of functions it calls directly */
	uint32_t ncallees;
	uint32_t *shared_refs; /* module-scope shared variables it names: indices of module globals */
	uint32_t nshared_refs;
	RegisterPlace *places; /* by register of ptx, of a module that keeps them; else NULL */
	uint8_t *begins;       /* likewise, by Op: an instruction begins with it */
	bool grows;            /* it uses it uses alloca: its frame of local memory has no fixed size */
	bool indirect;         /* calls through pointers or takes addresses of functions: any function may run */
};

/* A call, shared by all its executions. */
typedef enum {
	BUILTIN_NONE,
	BUILTIN_VPRINTF,
	BUILTIN_ASSERTFAIL,
	BUILTIN_MALLOC,
	BUILTIN_FREE,
	BUILTIN_SET_CONDITIONAL,
	BUILTIN_OTHER
} Builtin;
typedef struct {
	const EmuFunction *callee; /* NULL: builtin, or by register */
	Builtin builtin;
	const char *name;
	const PtxInstr *instr;
	uint32_t target; /* place of the function pointer (u64), or NO_SLOT */
	ParamSlot *args, *rets;
	uint32_t nargs, nrets;
} CallSite;

typedef struct EmuModule EmuModule;
typedef struct EmuKernel EmuKernel;
struct EmuModule {
	const PtxModule *ptx;
	Arena *arena;
	EmuFunction **functions; /* [ptx->nfunctions] */
	Allocation **globals;    /* [ptx->nglobals]; NULL: shared, or external */
	EmuKernel **kernels;     /* [nkernels] */
	uint32_t nkernels;
	const struct Match *forms; /* [ptx->nforms]: how each is translated */
	bool keeps_registers;
	uint32_t nspeculative; /* registers that may hold a speculative value */
	EmuModule *next;
};

/* An entry function, all functions it can reach, and the layout of their shared variables:
 *     | module-scope variables named | the functions' own variables | dynamic shared memory (extern) | */
struct EmuKernel {
	EmuModule *module;
	const EmuFunction **programs; /* [nprograms]; the kernel itself first */
	uint32_t nprograms;
	const PtxFunction **ptx; /* the same, as parsed */
	uint32_t *first;         /* [nprograms]: global number of instruction 0 */
	uint32_t ninstrs;
	uint32_t *first_instr, *first_block; /* by index of the module's function; UINT32_MAX: out of reach */
	uint32_t ncode_blocks;
	uint64_t *function_shared;   /* by index of the module's function: where its shared variables begin */
	uint64_t *global_shared;     /* by index of the module's global; UINT64_MAX: not in this kernel's shared memory */
	uint32_t pool_registers;     /* per thread at launch, if setmaxnreg moves registers; 0: it does nothing (load.c) */
	size_t static_shared;        /* bytes */
	const PtxInstr *launches;    /* where the launcher does */
	const PtxFunction *launcher; /* the first that launches kernels itself, by a direct call; NULL: none does */
	bool reserves_shared;        /* its code asks where the toolkit's own part of shared memory is */
	size_t dynamic_offset; /* where dynamic shared memory begins: a multiple of 16 and of its variables' alignment */
};
