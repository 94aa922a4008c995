/* A PTX module as NVRTC wrote it, parsed and resolved: every register, symbol, label and callee is an index or a
 * pointer, every instruction knows its opcode, its types, its modifiers and the CUDA source line it came from.
 * Nothing is executed or judged here: what the emulator does not know yet it names itself (emu/).
 *
 *     text --lexer--> tokens --parser--> PtxModule --cfg.h--> basic blocks, post-dominators, liveness
 *
 * Ownership: everything lives in the module's arena, which the last ptx_free frees. The text need not outlive the call.
 * Failure: ptx_parse returns NULL and fills Err with the PTX line; hostile input never crashes it (tests/fuzz). */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

/* Opcodes: one line of ops.def each. OP_UNKNOWN carries its mnemonic in PtxInstr.text for the message. */
typedef enum {
	OP_UNKNOWN = 0,
#define OP(id, mnemonic, operands, cost, help) OP_##id,
#include "ptx/ops.def"
#undef OP
	OP_COUNT
} PtxOp;

/* Lists of words, as many on a line as fit: */
/* clang-format off */

/* What an instruction costs the issue logic (MODEL: cost class); the models map classes to cycles. */
typedef enum { COST_NONE, COST_INT, COST_MUL, COST_FP32, COST_FP64, COST_FP16, COST_SFU, COST_CONVERT, COST_MEMORY,
	COST_CONTROL, COST_BARRIER, COST_SHUFFLE, COST_ATOMIC, COST_MATRIX } PtxCost;

typedef enum {
	T_NONE, T_PRED,
	T_B8, T_B16, T_B32, T_B64, T_B128,
	T_U8, T_U16, T_U32, T_U64,
	T_S8, T_S16, T_S32, T_S64,
	T_F16, T_BF16, T_F16X2, T_BF16X2, T_TF32, T_F32, T_F64,
	/* Elements of matrices and of packed registers: no register, no memory cell has these types. */
	T_B1, T_U2, T_S2, T_U4, T_S4, T_U16X2, T_S16X2, T_E4M3, T_E5M2, T_E4M3X2, T_E5M2X2,
	T_OTHER /* a type of which the emulator runs no instruction */
} PtxType;

/* State spaces. SPACE_GENERIC: an address that names its space at run time. */
typedef enum { SPACE_GENERIC, SPACE_REG, SPACE_PARAM, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST,
	SPACE_TEX } PtxSpace;

typedef enum { CMP_NONE, CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE, CMP_LO, CMP_LS, CMP_HI, CMP_HS,
	CMP_EQU, CMP_NEU, CMP_LTU, CMP_LEU, CMP_GTU, CMP_GEU, CMP_NUM, CMP_NAN } PtxCompare;
typedef enum { BOOL_NONE, BOOL_AND, BOOL_OR, BOOL_XOR } PtxBool;
typedef enum { ROUND_NONE, ROUND_RN, ROUND_RZ, ROUND_RM, ROUND_RP, ROUND_RNA,
	ROUND_RNI, ROUND_RZI, ROUND_RMI, ROUND_RPI } PtxRound;
typedef enum { ATOM_NONE, ATOM_AND, ATOM_OR, ATOM_XOR, ATOM_CAS, ATOM_EXCH, ATOM_ADD, ATOM_INC, ATOM_DEC, ATOM_MIN,
	ATOM_MAX } PtxAtomic;
typedef enum { SHFL_NONE, SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX } PtxShuffle;
typedef enum { VOTE_NONE, VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT } PtxVote;
typedef enum { SCOPE_NONE, SCOPE_CTA, SCOPE_CLUSTER, SCOPE_GPU, SCOPE_SYS } PtxScope;
typedef enum { SEM_NONE, SEM_WEAK, SEM_RELAXED, SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL, SEM_SC, SEM_VOLATILE } PtxSem;
typedef enum { CACHE_NONE, CACHE_CA, CACHE_CG, CACHE_CS, CACHE_LU, CACHE_CV, CACHE_WB, CACHE_WT, CACHE_NC } PtxCache;

/* Modifiers without a value, as far as something asks for them. */
enum {
	MOD_FTZ = 1 << 0, MOD_SAT = 1 << 1, MOD_APPROX = 1 << 2, MOD_FULL = 1 << 3, MOD_HI = 1 << 4, MOD_UNI = 1 << 5,
	MOD_CC = 1 << 6, MOD_SYNC = 1 << 7, MOD_NAN = 1 << 8, MOD_ALIGNED = 1 << 9, MOD_ARRIVE = 1 << 10, MOD_RED = 1 << 11,
	MOD_RELU = 1 << 12, MOD_SATFINITE = 1 << 13, MOD_COL = 1 << 14, MOD_BULK = 1 << 15, MOD_PROXY = 1 << 16,
	MOD_TO = 1 << 17,   /* cvta.to */
	MOD_WARP = 1 << 18, /* bar.warp.sync: __syncwarp */
	MOD_SHARED_CLUSTER = 1 << 19, MOD_MBARRIER_INIT = 1 << 20,
	MOD_INIT = 1 << 21, MOD_INVAL = 1 << 22, MOD_EXPECT_TX = 1 << 23, MOD_WAIT = 1 << 24, /* mbarrier; groups, too */
	MOD_WIDE = 1 << 25, MOD_CACHE_HINT = 1 << 26, MOD_COMMIT = 1 << 27,
};

/* Of a product of matrices, .m16n8k16: m, n and k in one number, none of which is above 999. */
#define PTX_SHAPE(m, n, k) ((m) | (n) << 10 | (k) << 20)

typedef enum { OPERAND_NONE, OPERAND_REG, OPERAND_INT, OPERAND_FLOAT, OPERAND_SPECIAL, OPERAND_SYMBOL, OPERAND_ADDRESS,
	OPERAND_VECTOR, OPERAND_LABEL, OPERAND_FUNCTION, OPERAND_SINK /* _ */ } PtxOperandKind;

/* Special registers. Vectors are addressed by component: SR_TID + 0, 1, 2. */
typedef enum { SR_TID = 0, SR_NTID = 3, SR_CTAID = 6, SR_NCTAID = 9, SR_LANEID = 12, SR_WARPID, SR_NWARPID, SR_SMID,
	SR_NSMID, SR_GRIDID, SR_LANEMASK_EQ, SR_LANEMASK_LE, SR_LANEMASK_LT, SR_LANEMASK_GE, SR_LANEMASK_GT, SR_CLOCK,
	SR_CLOCK_HI, SR_CLOCK64, SR_GLOBALTIMER, SR_GLOBALTIMER_LO, SR_GLOBALTIMER_HI, SR_DYNAMIC_SMEM_SIZE,
	SR_TOTAL_SMEM_SIZE, SR_ENVREG1, SR_ENVREG2, SR_RESERVED_BEGIN, SR_RESERVED_END, SR_RESERVED_CAP,
	SR_RESERVED_0, SR_RESERVED_1 /* of %reserved_smem_offset */, SR_CLUSTER_CTARANK, SR_CLUSTER_NCTARANK, SR_CLUSTERID,
	SR_NCLUSTERID = SR_CLUSTERID + 3, SR_CLUSTER_CTAID = SR_NCLUSTERID + 3, SR_CLUSTER_NCTAID = SR_CLUSTER_CTAID + 3,
	SR_OTHER = SR_CLUSTER_NCTAID + 3 /* named in PtxInstr.text */ } PtxSpecial;
/* clang-format on */

typedef struct PtxVar PtxVar;
typedef struct PtxFunction PtxFunction;

/* ADDRESS: [reg + offset], [symbol + offset], or [offset] alone (no base, no symbol); items: what follows a texture
 * or a tensor map inside the brackets. A call always has three operands: VECTOR of returns, FUNCTION or REG, VECTOR
 * of arguments (lists may be empty); an indirect one has a fourth, a FUNCTION without a body for its .callprototype. */
typedef struct PtxOperand {
	PtxOperandKind kind;
	bool negated;  /* !p, -x as an operand */
	bool has_pair; /* d|p: pair is the register after the bar */
	uint32_t reg;  /* REG: index into PtxFunction.regs; ADDRESS: base register if has_base */
	uint32_t pair;
	bool has_base;  /* ADDRESS: [reg + offset] rather than [symbol + offset] */
	int64_t offset; /* ADDRESS, SYMBOL: bytes */
	uint64_t bits;  /* INT: two's complement; FLOAT: the bits of a double, or of a float if is_f32 */
	bool is_f32;    /* 0f3F800000 */
	PtxSpecial special;
	const PtxVar *symbol;        /* SYMBOL; ADDRESS without base */
	const PtxFunction *function; /* FUNCTION: callee; may be external (vprintf, malloc, free, __assertfail) */
	uint32_t target;             /* LABEL: index of the instruction that follows (== ninstrs: the end) */
	struct PtxOperand *items;    /* VECTOR, and the argument lists of call */
	uint32_t nitems;
} PtxOperand;

typedef struct {
	PtxOp op;
	uint32_t form;    /* index into PtxModule.forms */
	PtxType types[4]; /* in the order written; destination first (cvt.f32.s32) */
	uint8_t ntypes;
	uint32_t vector; /* .v2 .v4 (.v8): 1 otherwise */
	PtxSpace space;  /* ld, st, atom, red, cvta, isspacep... */
	PtxCompare compare;
	PtxBool combine;
	PtxRound round;
	PtxAtomic atomic;
	PtxShuffle shuffle;
	PtxVote vote;
	PtxScope scope;
	PtxSem sem;
	PtxCache cache;
	uint32_t mods;  /* MOD_* */
	uint32_t shape; /* PTX_SHAPE */
	bool nounroll;  /* .pragma "nounroll" stands before it: ptxas leaves the loop that begins here as it is */
	bool unknown;   /* a part of an operand is nothing that the emulator knows: %r1.b0 */
	bool guarded, guard_negated;
	uint32_t guard;       /* register index */
	PtxOperand *operands; /* in the order written, destination first; call: returns VECTOR, callee, arguments VECTOR */
	uint32_t noperands;
	uint32_t file, line; /* CUDA source, 1-based index into PtxModule.files and line; 0: none. The innermost place.
	                          * Where the compiler names no line, the one before it in the function */
	uint32_t inlined_at; /* index + 1 into PtxModule.inlined: where this function was inlined; 0: not inlined */
	uint32_t text_line;  /* line in the PTX text */
	const char *text;    /* the instruction as written, for messages */
} PtxInstr;

/* A place a function was inlined: its own name, and the call's place (itself maybe inlined). */
typedef struct {
	const char *function;
	uint32_t file, line, inlined_at;
} PtxInlined;

typedef struct {
	const char *name;
	PtxType type;
} PtxReg;

/* A name for a place: of a label the index of the instruction that follows, in a section a byte. */
typedef struct {
	const char *name;
	size_t at;
} PtxNamed;

/* Debug information. */
typedef struct {
	const char *name; /* "debug_info" */
	uint8_t *bytes;
	uint32_t nbytes;
	PtxNamed *labels; /* that it declares */
	uint32_t nlabels;
	PtxNamed *names; /* where it has the address of a name, or an offset from it, which is in the bytes */
	uint32_t nnames;
} PtxSection;

/* A variable of any space. Initializers of .global and .const are bytes plus relocations to other symbols. */
typedef struct {
	size_t offset;        /* into the bytes */
	const PtxVar *symbol; /* or */
	const PtxFunction *function;
	int64_t addend;
	bool generic; /* generic(symbol) */
} PtxReloc;

struct PtxVar {
	const char *name;
	PtxSpace space;
	PtxType type;
	size_t bytes, align; /* bytes 0: extern .shared array, sized at launch */
	size_t offset;       /* PARAM: from the start of the parameter block; LOCAL, SHARED of a function: in its frame */
	const uint8_t *init; /* `bytes` of them; NULL: zero */
	const PtxReloc *relocs; /* 8 bytes each */
	uint32_t nrelocs;
	bool external;
	uint64_t at;              /* of the module: the address that it has to have; 0: any */
	uint32_t index;           /* in its list: globals of the module; params, returns or locals of the function */
	const PtxFunction *owner; /* NULL: module scope */
};

struct PtxFunction {
	const char *name; /* as linked: _Z4tileILi1EEvPfPKfi */
	uint32_t index;   /* in the module's functions; of a prototype UINT32_MAX */
	bool entry, external;
	PtxVar **params; /* in order; space PARAM; offset laid out as the ABI does */
	uint32_t nparams;
	size_t param_bytes;
	PtxVar **returns;
	uint32_t nreturns;
	PtxVar **locals; /* .local, .shared and call-sequence .param variables declared inside */
	uint32_t nlocals;
	PtxReg *regs; /* those that are used, and those declared by a name of their own */
	uint32_t nregs;
	PtxInstr *instrs;
	uint32_t ninstrs;
	PtxNamed *labels;
	uint32_t nlabels;
	uint32_t **branch_targets; /* .branchtargets lists for brx.idx: referred to by an INT operand (list index) */
	uint32_t *nbranch_targets, nbranch_lists;
	uint32_t max_threads;               /* .maxntid product; 0: not given */
	uint32_t max_registers, min_blocks; /* .maxnreg, .minnctapersm; 0: not given */
	uint32_t cluster[3];                /* .reqnctapercluster: blocks of a cluster; 0: not given */
	/* Sizes of the frames that the offsets of locals count in. Call-sequence parameters of blocks that are never open
	 * at the same time share their bytes. */
	size_t local_bytes, shared_bytes, call_bytes;
	uint32_t file, line;       /* where it begins in the source; 0: unknown */
	const PtxFunction *caller; /* the first in the text that calls it by name; NULL: none */
	const PtxInstr *called_at; /* that call */
};

typedef struct PtxModule {
	Arena *arena;
	atomic_uint users;
	uint32_t version_major, version_minor;
	uint32_t target; /* 75 for sm_75 */
	const char *target_name;
	const char **files; /* index 1.. as .file says; [0] unused */
	uint32_t nfiles;
	PtxInlined *inlined;
	uint32_t ninlined;
	const char **forms; /* the names of all instructions, each once: "fma.rn.f32" */
	uint32_t nforms;
	PtxVar **globals; /* .global, .const, module-scope .shared */
	uint32_t nglobals;
	PtxFunction **functions;
	uint32_t nfunctions;
	PtxSection *sections;
	uint32_t nsections;
} PtxModule;

PtxModule *ptx_parse(const char *text, size_t len, Err *err);
PtxModule *ptx_share(PtxModule *module); /* the same one for another user, who frees it, too; NULL is allowed */
void ptx_free(PtxModule *module);        /* NULL is allowed */

const PtxFunction *ptx_function(const PtxModule *module, const char *name); /* NULL: not there */
const PtxSection *ptx_section(const PtxModule *module, const char *name);   /* the same */
const char *ptx_op_name(PtxOp op);                                          /* "add" */
const char *ptx_op_help(PtxOp op);                                          /* "addition" */
PtxCost ptx_op_cost(PtxOp op);
/* Is an atomic, if on shared memory, a loop in SASS that loads the words before it tries to change them? */
bool ptx_atomic_loops(const PtxInstr *in);
const char *ptx_type_name(PtxType t);       /* "f32" */
size_t ptx_type_bytes(PtxType t);           /* pred: 1 */
const char *ptx_space_name(PtxSpace s);     /* "shared" */
extern const char *const ptx_space_names[]; /* by enumerator; NULL at their end */
