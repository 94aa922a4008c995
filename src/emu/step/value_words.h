/* Expressions over the lanes of a warp, in postfix notation, as value_words.c reads them and value.c evaluates them. A
 * word is one step:
 *
 *     %r3:s32  %tid.x:u32       a register, a special register, as that type
 *     %r3,%r9,!%r7:s32          of several registers the one that the lane wrote last; none if that is one after a !
 *     %r3:when                  the moment after the instruction that wrote it, as u64
 *     #3f800000:f32             a constant: its bits in hexadecimal digits
 *     param+8:u64               a parameter of the kernel, by its offset
 *     shared:NAME               the address of a variable, as u64; local: and global: likewise
 *     load:shared:s8:s32        an address becomes what is there: space, type in memory, type of the value
 *     extent:global             an address becomes how many bytes there are from it to the end of its allocation
 *     cvt:s32:f32               from one type to another, as in C
 *     add:s32 ...               sub mul div rem and or xor shl shr, neg not, lt le gt ge eq ne (they give s32)
 *     lazy:and ... join:and     between them the right side of C's &&, for lanes where the left one holds; or: C's ||
 *     lazy:sel ... else:sel ... sel:f32   C's ?:, each side for its own lanes */
#pragma once

#include "base/vec.h"
#include "emu/exec/lanes.h"
#include "emu/step/stepper.h"

enum { STACK_MOST = 32, WORD_MOST = 512, PICK_MOST = 16, LAZY_MOST = 32 };

typedef enum {
	V_ADD,
	V_SUB,
	V_MUL,
	V_DIV,
	V_REM,
	V_AND,
	V_OR,
	V_XOR,
	V_SHL,
	V_SHR,
	V_LT,
	V_LE,
	V_GT,
	V_GE,
	V_EQ,
	V_NE,
	V_BINARY, /* those before it take two values */
	V_NEG = V_BINARY,
	V_NOT,
	V_OPERATIONS
} Operation;

/* A type in memory. */
typedef struct {
	const char *name;
	uint8_t bytes;
	bool sign;
} ValueCell;
extern const ValueCell value_cells[];

typedef enum {
	W_REGISTER,
	W_SPECIAL,
	W_CONSTANT,
	W_PARAM,
	W_VARIABLE,
	W_LOAD,
	W_EXTENT,
	W_CONVERT,
	W_OPERATION,
	W_LAZY,
	W_ELSE,
	W_JOIN,
	W_SELECT
} WordKind;
typedef struct {
	WordKind kind;
	ValueType type, from;
	uint32_t operation; /* OPERATION; SPECIAL: PtxSpecial; LOAD: index of value_cells; LAZY to SELECT: LazyKind */
	uint32_t skip;      /* LAZY, ELSE: the word that ends what begins here */
	uint64_t bits;      /* CONSTANT; PARAM: offset */
	PtxSpace space;     /* LOAD, VARIABLE */
	char name[128];     /* REGISTER, VARIABLE */
	const PtxFunction *function; /* REGISTER: whose registers `regs` are; NULL: not looked up yet */
	uint32_t regs[PICK_MOST], nregs;
	bool without[PICK_MOST]; /* after a ! */
	bool when;               /* REGISTER: not its value */
	uint64_t serial;         /* SPECIAL: of the block that `lanes` are for, in this warp; 0: none */
	uint32_t warp;
	uint64_t lanes[LANES];
} ValueWord;

typedef enum { LAZY_AND, LAZY_OR, LAZY_SELECT, LAZY_KINDS } LazyKind;

struct ValueCode {
	VEC(ValueWord) words;
};
