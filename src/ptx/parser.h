/* The parser's own parts, shared only by its files:
 *     cursor.c        the token stream, errors
 *     parser.c        module directives
 *     functions.c     headers, bodies, nested blocks, labels
 *     variables.c     declarations of registers and variables, layout of parameters and frames
 *     initializers.c  the bytes and relocations behind '='
 *     constant.c      constant expressions
 *     operands.c      one instruction: guard, opcode, operands
 *     modifiers.c     .rn.ftz.f32: the table of modifiers
 *     lines.c         .file, .loc, inlining
 *     sections.c      debug information
 *
 * Every function returns false on an error, which is already set; nothing is cleaned up on return, because all memory
 * belongs to the module's arena or to the Parser. No function recurses with the
 * text, except for nested constants, up to a limit. */
#pragma once

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "ptx/lexer.h"
#include "ptx/module.h"
#include "ptx/scope.h"

/* Hostile text must not cost more than its own length. */
enum {
	MAX_BLOCK_DEPTH = 200,
	MAX_RANGE = 1 << 22, /* registers in %r<N> */
	MAX_DIMENSIONS = 8,
	MAX_INLINE_DEPTH = 64,
	MAX_TABLE_EDGES = 1 << 20, /* targets of all brx of a function */
};
#define MAX_LIVE_WORDS ((uint64_t)16 << 20) /* of 64 bits, in the set of live registers of every block (cfg.h) */
#define MAX_VARIABLE_BYTES ((size_t)1 << 36)
#define MAX_INIT_BYTES ((size_t)64 << 20) /* of a module, beyond eight for each character of its text */

/* A use of a label; resolved when its scope closes, because most branches point forward. */
typedef struct {
	PtxOperand *operand; /* or */
	uint32_t *slot;      /* an entry of a .branchtargets list */
	Token name;
} PendingLabel;

/* An open `{`: what to go back to at its `}`. */
typedef struct {
	size_t call_bytes, first_pending;
} Block;

/* The place of the last .loc. */
typedef struct {
	uint32_t file, line, inlined_at;
} Place;

typedef struct {
	PtxFunction *f;
	VEC(PtxReg) regs;
	VEC(PtxInstr) instrs;
	VEC(PtxVar *) locals;
	VEC(uint32_t *) targets;
	VEC(uint32_t) ntargets;
	VEC(PendingLabel) pending;
	VEC(Block) blocks;
	NumberMap range_map; /* (range, number) -> register + 1, for registers that are used at all */
	uint32_t nranges;
	VEC(PtxNamed) labels;
	size_t call_bytes; /* open now; f->call_bytes is the largest ever */
	bool nounroll;     /* of the next instruction */
	Place place;
} Body;

typedef struct {
	PtxInlined inlined;
	uint32_t column, depth;
	Token name;      /* the label in .debug_str, resolved at the end */
	uint64_t offset; /* beyond the label */
} InlinedDraft;

typedef struct {
	Map *drafts;   /* what is known already -> index + 1 */
	Map *at_place; /* "file line column" -> inlined_at of the latest .loc there */
	VEC(InlinedDraft) list;
} Lines;

typedef struct {
	PtxFunction *alias;
	Token name, target;
} Alias;

typedef struct {
	Lexer lexer;
	Token tok, ahead;        /* the token to deal with, and the one after it */
	const char *begin, *end; /* of the text */
	PtxModule *m;
	Arena *arena;
	Err *err;
	Scope *scope;
	Body body; /* body.f is NULL between functions */
	Lines lines;
	size_t init_left; /* bytes left for initializers */
	VEC(PtxVar *) globals;
	VEC(PtxFunction *) functions;
	VEC(PtxSection) sections;
	VEC(const char *) files, forms;
	VEC(PtxInstr) drafts; /* by form: an instruction without operands */
	Map *form_numbers;    /* name of an instruction -> index in forms + 1 */
	Str form;             /* the one being read */
	VEC(Alias) aliases;
	VEC(PtxOperand) operands, items; /* of the instruction being read */
} Parser;

/* cursor.c */
void parser_advance(Parser *p);
bool parser_fail(Parser *p, const Token *at, const char *expected); /* "expected X, found Y" */
bool parser_error(Parser *p, const Token *at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
bool parser_at(const Parser *p, char punct);
bool parser_at_dot(const Parser *p, const char *word);
bool parser_take(Parser *p, char punct); /* true and past it, or false and still there: no error */
bool parser_take_dot(Parser *p, const char *word);
bool parser_need(Parser *p, char punct, const char *expected);
bool parser_need_int(Parser *p, uint64_t *value, const char *expected); /* an integer, '-' allowed */
bool parser_need_name(Parser *p, Token *name, const char *expected);
const char *parser_copy(Parser *p, const Token *token);
void *parser_keep(Parser *p, const void *data, size_t count, size_t size); /* a copy in the arena */
#define PARSER_KEEP(p, vec, count)                                                                                     \
	(*(count) = (uint32_t)(vec).len, parser_keep(p, (vec).data, (vec).len, sizeof *(vec).data))
bool parser_skip_directive(Parser *p); /* one with its numbers: .attribute(.unified(1, 2)) */
bool parser_skip_statement(Parser *p); /* past the next ';' */

/* functions.c */
bool parse_function(Parser *p); /* at .func or .entry */
bool parse_aliases(Parser *p);
void body_free(Body *body);

/* variables.c */
bool parse_parameters(Parser *p, PtxVar ***out, uint32_t *count, size_t *bytes); /* up to and past ')' */
bool declare_parameters(Parser *p, const Token *function, PtxVar **vars, uint32_t n);
bool parse_registers(Parser *p);
bool parse_variables(Parser *p, PtxSpace space, bool external);
bool find_register(Parser *p, const Token *name, uint32_t *out); /* false, without an error: no such register */
bool parser_space(const Parser *p, PtxSpace *out);               /* .global, .shared ... */

/* initializers.c */
typedef struct {
	uint32_t n;
	size_t size[MAX_DIMENSIONS];
} Dimensions;
bool parse_initializer(Parser *p, PtxVar *var, size_t element, Dimensions *dims);

/* constant.c */
bool parse_constant(Parser *p, uint64_t *bits);

/* operands.c */
bool parse_instruction(Parser *p);

/* modifiers.c */
void apply_modifier(PtxInstr *instr, const char *word, size_t len); /* without its dot */

/* lines.c */
bool parse_file(Parser *p);
bool parse_loc(Parser *p);
void lines_finish(Parser *p);
void lines_free(Lines *lines);

/* sections.c */
bool parse_section(Parser *p);
