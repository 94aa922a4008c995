#include "model/code/code.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "model/code/sequence.h"
#include "model/code/unroll.h"
#include "ptx/analysis/adjacent.h"

/* --- what is known of each register ------------------------------------------------------------------------------- */

typedef struct {
	const PtxFunction *function;
	uint32_t *reads, *writes; /* [nregs] how often the code names it */
	bool *small;              /* [nregs] below 2^16: from tid, ntid, ctaid, nctaid */
	bool *twice;              /* [nregs] a pair of one half, twice */
	bool *low;                /* [nregs] only the low half is read */
	bool *leader;             /* [ninstrs + 1] a basic block begins here */
} Facts;

static void count_up(void *data, uint32_t reg) {
	((uint32_t *)data)[reg]++;
}

static bool is_small_special(const PtxOperand *o) {
	return o->kind == OPERAND_SPECIAL && o->special < SR_LANEID;
}

/* {%rs1, %rs1} */
static bool is_twice(const PtxOperand *o) {
	return o->kind == OPERAND_VECTOR && o->nitems == 2 && o->items[0].kind == OPERAND_REG &&
		   o->items[1].kind == OPERAND_REG && o->items[0].reg == o->items[1].reg;
}

bool code_ends_block(const PtxInstr *in) {
	return ptx_op_cost(in->op) == COST_CONTROL || ptx_op_cost(in->op) == COST_BARRIER;
}

static void mark_target(bool *leader, const PtxOperand *o) {
	if (o->kind == OPERAND_LABEL) leader[o->target] = true;
}

static Facts facts_of(const PtxFunction *f) {
	Facts facts = {f,
				   xcalloc(f->nregs + 1, sizeof(uint32_t)),
				   xcalloc(f->nregs + 1, sizeof(uint32_t)),
				   xcalloc(f->nregs + 1, sizeof(bool)),
				   xcalloc(f->nregs + 1, sizeof(bool)),
				   code_low_halves(f),
				   xcalloc(f->ninstrs + 1, sizeof(bool))};
	facts.leader[0] = true;
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		ptx_each_read(in, count_up, facts.reads);
		ptx_each_written(in, count_up, facts.writes);
		if (in->op == OP_MOV && in->noperands == 2 && in->operands[0].kind == OPERAND_REG) {
			facts.small[in->operands[0].reg] |= is_small_special(&in->operands[1]);
			facts.twice[in->operands[0].reg] |= is_twice(&in->operands[1]);
		}
		for (uint32_t k = 0; k < in->noperands; k++) mark_target(facts.leader, &in->operands[k]);
		if (code_ends_block(in)) facts.leader[i + 1] = true;
	}
	for (uint32_t list = 0; list < f->nbranch_lists; list++)
		for (uint32_t k = 0; k < f->nbranch_targets[list]; k++)
			if (f->branch_targets[list][k] < f->ninstrs) facts.leader[f->branch_targets[list][k]] = true;
	return facts;
}

static void facts_free(Facts *facts) {
	free(facts->reads);
	free(facts->writes);
	free(facts->small);
	free(facts->twice);
	free(facts->low);
	free(facts->leader);
}

/* --- issue -------------------------------------------------------------------------------------------------------- */

static PtxType main_type(const PtxInstr *in) {
	return in->ntypes ? in->types[0] : T_NONE;
}

static bool is_wide_int(PtxType t) {
	return t == T_B64 || t == T_U64 || t == T_S64;
}

static bool is_half(PtxType t) {
	return t == T_F16 || t == T_BF16 || t == T_F16X2 || t == T_BF16X2;
}

static bool is_double_word(PtxType t) {
	return is_wide_int(t) || t == T_F64;
}

/* ops.def gives one class per mnemonic; the type decides which unit an addition goes to. */
static Pipe pipe_of(const PtxInstr *in) {
	PtxType t = main_type(in);
	switch (ptx_op_cost(in->op)) {
	case COST_NONE: return PIPE_NONE;
	case COST_INT:
	case COST_MUL:
	case COST_FP32: return t == T_F64 ? PIPE_FP64 : t == T_F32 ? PIPE_FP32 : is_half(t) ? PIPE_FP16 : PIPE_INT;
	case COST_FP64: return PIPE_FP64;
	case COST_FP16: return PIPE_FP16;
	case COST_SFU: return t == T_F64 ? PIPE_FP64 : PIPE_SFU;
	case COST_CONVERT:
		return in->ntypes == 2 && (is_double_word(t) || is_double_word(in->types[1])) ? PIPE_FP64 : PIPE_CONVERT;
	case COST_MEMORY:
	case COST_ATOMIC:
	case COST_SHUFFLE: return PIPE_MEMORY;
	case COST_CONTROL:
	case COST_BARRIER: return PIPE_CONTROL;
	case COST_MATRIX: return PIPE_MATRIX;
	}
	return PIPE_INT;
}

static bool is_word_int(PtxType t) {
	return is_wide_int(t) || t == T_B32 || t == T_U32 || t == T_S32;
}

/* An address changing its width or space, a move, an argument. */
static bool costs_nothing(const PtxInstr *in) {
	if (in->op == OP_MOV || in->op == OP_CVTA) return true;
	if (in->op == OP_LD || in->op == OP_ST) return in->space == SPACE_PARAM;
	return in->op == OP_CVT && in->ntypes == 2 && is_word_int(in->types[0]) && is_word_int(in->types[1]);
}

/* Instructions a PTX instruction becomes where that is not one. Sequences as the programming guide's throughput tables
 * and disassembly of single operations suggest; the integer division's is an estimate. */
static float sequence_of(const PtxInstr *in) {
	PtxType t = main_type(in);
	bool is_float = t == T_F32 || t == T_F64;
	bool approximate = in->mods & (MOD_APPROX | MOD_FULL);
	switch (in->op) {
	case OP_DIV: return !is_float ? (is_wide_int(t) ? 70 : 20) : approximate ? 2 : 9;
	case OP_REM: return is_wide_int(t) ? 75 : 22;
	case OP_SQRT:
	case OP_RCP: return approximate ? 1 : 8;
	case OP_SIN:
	case OP_COS:
	case OP_EX2:
	case OP_LG2: return 2; /* a range reduction and the function itself */
	default: return 1;
	}
}

/* What a division or remainder of integers takes, and of the special function units, which convert, too (disassembly,
 * cc 9.0). */
enum { DIVIDE_UNSIGNED = 18, DIVIDE_SIGNED = 24, DIVIDE_SFU = 3 };

/* Slots of the sequence's pieces that use the pipe; PIPE_COUNT: of all pieces. 0: it is no sequence. */
static float slots_of_sequence(const PtxInstr *in, Pipe pipe) {
	uint32_t n;
	float slots = 0;
	const SequencePiece *pieces = code_sequence(in, &n);
	for (uint32_t i = 0; i < n; i++) {
		const bool special = pieces[i].unit == UNIT_SPECIAL || pieces[i].unit == UNIT_CONVERT;
		if (pipe == PIPE_COUNT || (pipe == PIPE_FP64 ? pieces[i].unit == UNIT_FP64 : special)) slots += pieces[i].slots;
	}
	return slots;
}

static float division_new(const PtxInstr *in) {
	const PtxType t = main_type(in);
	return t == T_S32 || t == T_S16 ? DIVIDE_SIGNED : DIVIDE_UNSIGNED;
}

/* The approximate functions of one instruction scale their argument and result where subnormal numbers are kept: a
 * comparison and two multiplications more (disassembly, cc 9.0). cc 1.x flushes them to zero. */
static float sequence_new(const PtxInstr *in) {
	const bool scales = main_type(in) == T_F32 && !(in->mods & MOD_FTZ);
	const float slots = slots_of_sequence(in, PIPE_COUNT);
	if (slots > 0) return slots;
	switch (in->op) {
	case OP_SQRT:
	case OP_RCP:
	case OP_RSQRT:
	case OP_EX2:
	case OP_LG2: return scales ? 4 : 1;
	case OP_REM: return division_new(in);
	case OP_DIV:
		if (main_type(in) != T_F32 && main_type(in) != T_F64) return division_new(in);
		return in->mods & MOD_FULL && scales ? 5 : sequence_of(in);
	default: return sequence_of(in);
	}
}

static bool operand_small(const Facts *facts, const PtxOperand *o) {
	if (o->kind == OPERAND_INT) return o->bits < 1u << 16;
	return is_small_special(o) || (o->kind == OPERAND_REG && facts->small[o->reg] && facts->writes[o->reg] == 1);
}

static bool power_of_two(const PtxOperand *o) {
	return o->kind == OPERAND_INT && o->bits && !(o->bits & (o->bits - 1));
}

/* cc 1.x multiplies 24 bits at once; 32 bits take four instructions (CUDA programming guide 3.2, section 5.4.1:
 * "multiple instructions"). Products of block and thread indices are 16 by 16 bits, powers of two are shifts. */
static float multiply_old(const Facts *facts, const PtxInstr *in) {
	if (in->noperands < 3 || in->op == OP_MUL24 || in->op == OP_MAD24) return 1;
	const PtxOperand *a = &in->operands[1], *b = &in->operands[2];
	if (power_of_two(a) || power_of_two(b)) return in->op == OP_MAD ? 2 : 1;
	if (operand_small(facts, a) && operand_small(facts, b)) return 1;
	return 4;
}

/* Issue slots of an integer division or remainder: what GPGPU-Sim's description of the GT200 has for both. Disassembly
 * of a remainder shows what they go into: a reciprocal, conversions, and products of 16-bit halves, four for each of 32
 * bits. */
enum { DIVISION_OLD = 32, WIDE_DIVISION_MORE = 15 };

/* Instructions on cc 1.x. A 64-bit division multiplies more often than later GPUs have to: an estimate. */
static float sequence_old(const PtxInstr *in) {
	const PtxType t = main_type(in);
	if ((in->op != OP_DIV && in->op != OP_REM) || t == T_F32 || t == T_F64) return sequence_of(in);
	return is_wide_int(t) ? sequence_of(in) + WIDE_DIVISION_MORE : DIVISION_OLD;
}

static float cycles_cc1(const Facts *facts, const PtxInstr *in, Pipe pipe) {
	const float n = sequence_old(in);
	switch (pipe) {
	case PIPE_FP64: return 32 * n;
	case PIPE_SFU: return n > 2 ? 4 * n : n == 2 ? 20 : 16; /* sequences are mostly plain instructions */
	case PIPE_INT: return ptx_op_cost(in->op) == COST_MUL ? 4 * multiply_old(facts, in) : 4 * n;
	default: return 4 * n;
	}
}

static bool adds(const PtxInstr *in) {
	return in->op == OP_ADD || in->op == OP_SUB || in->op == OP_ADDC || in->op == OP_SUBC;
}

static bool multiplies(const PtxInstr *in, Pipe pipe) {
	return pipe == PIPE_INT && ptx_op_cost(in->op) == COST_MUL;
}

static bool only_low(const Facts *facts, const PtxInstr *in) {
	const PtxOperand *to = in->noperands ? &in->operands[0] : NULL;
	return to && to->kind == OPERAND_REG && facts->low[to->reg] && facts->reads[to->reg];
}

/* 64-bit integers are pairs of 32-bit ones; a full 64-bit multiplication is four of 32 bits. */
static float slots_new(const Gpu *gpu, const Facts *facts, const PtxInstr *in, Pipe pipe) {
	const Generation *g = gpu->generation;
	float n = sequence_new(in);
	if (pipe != PIPE_INT) return n;
	const bool product = multiplies(in, pipe), low = only_low(facts, in), wide = !low && is_wide_int(main_type(in));
	if (product && !low && in->mods & MOD_WIDE) return n * g->multiply_wide;
	if (!wide) return product ? n * g->multiply : n;
	return product ? 4 * g->multiply : 2;
}

static bool divides_integers(const PtxInstr *in) {
	return (in->op == OP_DIV || in->op == OP_REM) && main_type(in) != T_F32 && main_type(in) != T_F64;
}

/* Packed halves alternate between two units (HFMA2 and HFMA2.MMA). Only one of them takes an operand that is the same
 * half twice, which the assembler names as such (disassembly and timing, cc 9.0). */
static bool needs_one_unit(const Facts *facts, const PtxInstr *in) {
	bool twice = false;
	for (uint32_t k = 1; k < in->noperands; k++) {
		const PtxOperand *o = &in->operands[k];
		twice |= o->kind == OPERAND_REG && facts->twice[o->reg] && facts->writes[o->reg] == 1;
	}
	return twice;
}

/* A product of a warpgroup, in uses of each part's tensor core. On an H100 (2026-11-23) it took half a cycle per
 * column, but no less than 15, and no less than shared memory takes for a and b: 128 bytes per cycle. A sparse a has
 * twice the k at the same rate of what it keeps (NVIDIA's H100 datasheet: twice the operations), and so twice the bytes
 * of b. */
static float warpgroup_use(const PtxInstr *in) {
	enum { ROWS = 64, ROW_BYTES = 32, SHARED_BYTES = 128, LEAST = 15, MATRIX_CYCLES = 2 };
	const uint32_t columns = in->shape >> 10 & 1023, k = in->shape >> 20,
				   bytes = (uint32_t)ptx_type_bytes(in->types[2]);
	if (!columns || in->noperands < 2) return 0;
	const uint32_t column_bytes = in->types[2] == T_B1 ? k / 8 : k * (bytes ? bytes : 1); /* 0: 8-bit floats */
	const uint32_t a = in->operands[1].kind == OPERAND_VECTOR ? 0 : ROWS * ROW_BYTES;
	const float cycles = fmaxf((float)columns / 2, (float)(columns * column_bytes + a) / SHARED_BYTES);
	return fmaxf(cycles, LEAST) / MATRIX_CYCLES;
}

/* Conversions from and to 64-bit types go at the rate of doubles, but no faster than 16 per cycle (CUDA programming
 * guide, throughput of arithmetic instructions: 2 on cc 7.5, 8.6, and 8.9, 4 on 5.x and 6.1, 16 on 6.0, 7.0, 8.0, and
 * 9.0). */
static float wide_conversion(const Gpu *gpu, const PtxInstr *in) {
	const bool saturates = in->mods & MOD_SAT; /* a comparison with each limit */
	return saturates ? 2 : fmaxf(1, (float)(gpu->fp32_lanes * gpu->fp64_ratio) / 16);
}

/* How often the instruction uses its unit; sequences are mostly plain integer instructions. */
static float use_new(const Gpu *gpu, const Facts *facts, const PtxInstr *in, const InstrCost *cost) {
	if (in->op == OP_WGMMA) return warpgroup_use(in);
	if (divides_integers(in)) return DIVIDE_SFU;
	const float of_sequence = slots_of_sequence(in, cost->pipe);
	if (of_sequence > 0) return of_sequence;
	if (cost->pipe == PIPE_FP16 && gpu->generation->halves_alternate && needs_one_unit(facts, in)) return 2;
	if (cost->pipe == PIPE_FP64 && ptx_op_cost(in->op) == COST_CONVERT) return wide_conversion(gpu, in);
	if (cost->pipe != PIPE_INT) return 1;
	return multiplies(in, cost->pipe) ? cost->issue * (float)gpu->generation->multiply_use : cost->issue;
}

/* A derived GPU of cc 1.x may have other units than the 8, 2 and 1 that cycles_cc1 assumes. */
static float by_units(const Gpu *gpu, Pipe pipe) {
	if (pipe == PIPE_SFU) return 2 / (float)gpu->sfu_lanes;
	if (pipe == PIPE_FP64 && gpu->fp64_ratio > 0) return 1 / (float)(gpu->fp32_lanes * gpu->fp64_ratio);
	return 8 / (float)gpu->fp32_lanes;
}

/* --- operands from shared memory, cc 1.x -------------------------------------------------------------------------- */

static bool takes_shared_operand(const PtxInstr *in) {
	if (in->op == OP_SETP || in->op == OP_SELP || in->op == OP_CVT) return false;
	PtxCost class = ptx_op_cost(in->op);
	return (class == COST_INT || class == COST_FP32 || class == COST_MUL) && ptx_type_bytes(main_type(in)) == 4;
}

/* As a source: the first operand is the result, an address or a label. */
static bool reads_register(const PtxInstr *in, uint32_t reg) {
	for (uint32_t k = 1; k < in->noperands; k++)
		if (in->operands[k].kind == OPERAND_REG && in->operands[k].reg == reg) return true;
	return false;
}

/* The two operands other than `reg` are one register: a + a * s. */
static bool others_equal(const PtxInstr *in, uint32_t reg) {
	const PtxOperand *first = NULL;
	for (uint32_t k = 1; k < in->noperands; k++) {
		const PtxOperand *o = &in->operands[k];
		if (o->kind == OPERAND_REG && o->reg == reg) continue;
		if (o->kind != OPERAND_REG) return false;
		if (first) return first->reg == o->reg;
		first = o;
	}
	return false;
}

/* The arithmetic instruction that can read load i's word itself, or ninstrs. */
static uint32_t only_use(const Facts *facts, uint32_t i) {
	const PtxFunction *f = facts->function;
	uint32_t reg = f->instrs[i].operands[0].reg;
	for (uint32_t j = i + 1; j < f->ninstrs && !facts->leader[j]; j++) {
		const PtxInstr *in = &f->instrs[j];
		if (in->op == OP_ST && in->space != SPACE_GLOBAL) return f->ninstrs; /* might change the word */
		if (reads_register(in, reg)) return takes_shared_operand(in) ? j : f->ninstrs;
	}
	return f->ninstrs;
}

static void fuse_shared_operands(const Facts *facts, InstrCost *costs) {
	const PtxFunction *f = facts->function;
	bool *has_one = xcalloc(f->ninstrs + 1, sizeof *has_one);
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		if (in->op != OP_LD || in->space != SPACE_SHARED || in->guarded || in->noperands < 2 ||
			in->operands[0].kind != OPERAND_REG)
			continue;
		uint32_t reg = in->operands[0].reg;
		if (ptx_type_bytes(main_type(in)) != 4 || facts->reads[reg] != 1 || facts->writes[reg] != 1) continue;
		uint32_t use = only_use(facts, i);
		if (use == f->ninstrs || has_one[use]) continue;
		has_one[use] = true;
		costs[i].issue = 0;
		const PtxInstr *consumer = &f->instrs[use];
		if (consumer->op == OP_FMA || (consumer->op == OP_MAD && main_type(consumer) == T_F32))
			costs[use].issue = others_equal(consumer, reg) ? 5 : 6;
	}
	free(has_one);
}

/* --- shifts of indices, cc 1.x ------------------------------------------------------------------------------------ */

static bool shifts_left(const PtxInstr *in) {
	if (in->guarded || in->noperands != 3 || in->operands[0].kind != OPERAND_REG) return false;
	return (in->op == OP_SHL && in->operands[2].kind == OPERAND_INT) ||
		   (in->op == OP_MUL && !(in->mods & MOD_HI) && power_of_two(&in->operands[2]));
}

/* An index that is shifted and then widened to 64 bits as it becomes a distance in bytes is shifted twice in PTX. Where
 * addresses have 32 bits, the two are one shift. */
static void fold_shifts(const Facts *facts, InstrCost *costs) {
	const PtxFunction *f = facts->function;
	uint32_t *writer = xcalloc(f->nregs + 1, sizeof *writer); /* + 1; of registers that are shifted and read once */
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		if (!shifts_left(in)) continue;
		const PtxOperand *from = &in->operands[1], *to = &in->operands[0];
		if (in->mods & MOD_WIDE && from->kind == OPERAND_REG && writer[from->reg])
			costs[writer[from->reg] - 1].issue = 0;
		if (!(in->mods & MOD_WIDE) && facts->reads[to->reg] == 1 && facts->writes[to->reg] == 1)
			writer[to->reg] = i + 1;
	}
	free(writer);
}

/* --- waiting ------------------------------------------------------------------------------------------------------ */

typedef struct {
	float loads, cycles;
} Depth;

typedef struct {
	Depth *of_reg;   /* [nregs] when its value is available, from the start of the block */
	uint32_t *block; /* [nregs] in which block that was */
	uint32_t now;
	Depth deepest;
} Chains;

static void deepen(void *data, uint32_t reg) {
	Chains *c = data;
	if (c->block[reg] != c->now) return;
	if (c->of_reg[reg].loads > c->deepest.loads) c->deepest.loads = c->of_reg[reg].loads;
	if (c->of_reg[reg].cycles > c->deepest.cycles) c->deepest.cycles = c->of_reg[reg].cycles;
}

static void settle(void *data, uint32_t reg) {
	Chains *c = data;
	c->block[reg] = c->now;
	c->of_reg[reg] = c->deepest;
}

bool code_waits_for_dram(const PtxInstr *in) {
	if (in->op == OP_TEX || in->op == OP_TLD4 || in->op == OP_SULD)
		return true; /* of an object; the space is not written */
	bool reads = in->op == OP_LD || in->op == OP_LDU || in->op == OP_ATOM || in->op == OP_TEX || in->op == OP_TLD4;
	return reads && (in->space == SPACE_GLOBAL || in->space == SPACE_GENERIC || in->space == SPACE_LOCAL ||
					 in->space == SPACE_TEX);
}

enum { SFU_CLOCKS = 20 }; /* estimate */

/* An unknown latency is that of comparable generations: 600 cycles for DRAM, 30 for shared memory, 4 for arithmetic. */
static float latency_of(const Gpu *gpu, const PtxInstr *in, const InstrCost *cost) {
	if (code_waits_for_dram(in)) return (float)(gpu->latency_dram > 0 ? gpu->latency_dram : 600);
	if (cost->pipe == PIPE_MEMORY && in->op != OP_ST && in->op != OP_RED)
		return in->space == SPACE_PARAM ? 0 : (float)(gpu->latency_shared > 0 ? gpu->latency_shared : 30);
	if (cost->issue <= 0) return 0;
	float alu = (float)(gpu->latency_alu > 0 ? gpu->latency_alu : 4);
	if (!gpu->generation->tesla_isa && cost->pipe == PIPE_SFU) return SFU_CLOCKS + (cost->issue - 1) * alu;
	return cost->issue > alu ? cost->issue : alu;
}

static void find_waits(const Gpu *gpu, const Facts *facts, InstrCost *costs) {
	const PtxFunction *f = facts->function;
	Chains chains = {xcalloc(f->nregs + 1, sizeof(Depth)), xcalloc(f->nregs + 1, sizeof(uint32_t)), 0, {0, 0}};
	InstrCost *start = costs;
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		if (facts->leader[i]) start = &costs[i], chains.now++;
		chains.deepest = (Depth){0, 0};
		ptx_each_read(in, deepen, &chains);
		chains.deepest.loads += code_waits_for_dram(in);
		chains.deepest.cycles += latency_of(gpu, in, &costs[i]);
		if (chains.deepest.loads > start->global_waits) start->global_waits = chains.deepest.loads;
		if (chains.deepest.cycles > start->wait) start->wait = chains.deepest.cycles;
		ptx_each_written(in, settle, &chains);
	}
	free(chains.of_reg);
	free(chains.block);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static void instruction_cost(const Gpu *gpu, const Facts *facts, const PtxInstr *in, InstrCost *cost) {
	const Generation *g = gpu->generation;
	const Pipe pipe = pipe_of(in);
	cost->pipe = pipe;
	if (g->tesla_isa) {
		cost->issue = cycles_cc1(facts, in, pipe);
		return;
	}
	cost->issue = slots_new(gpu, facts, in, pipe);
	cost->pipe_use = use_new(gpu, facts, in, cost);
	/* Where multiplications have units of their own, additions go to either: compilers write IMAD.IADD, or on cc 9.0
	 * VIADD, to balance them. */
	if (g->multiply_lanes && multiplies(in, pipe)) cost->pipe = PIPE_MULTIPLY;
	if (g->multiply_lanes && pipe == PIPE_INT && adds(in)) cost->pipe = PIPE_ADD;
}

static void join_loads(const Facts *facts, InstrCost *costs) {
	PtxAdjacent *adjacent = xcalloc(facts->function->ninstrs + 1, sizeof *adjacent);
	ptx_join_words(facts->function, facts->leader, adjacent);
	for (uint32_t i = 0; i < facts->function->ninstrs; i++) {
		costs[i].wide = adjacent[i].bytes;
		costs[i].joined = adjacent[i].joined;
		if (costs[i].joined) costs[i].issue = costs[i].pipe_use = 0;
	}
	free(adjacent);
}

/* True for an instruction at which the warps of a block or of a cluster wait for each other. */
static bool is_barrier(const PtxInstr *in) {
	if (in->op != OP_BAR && in->op != OP_BARRIER) return false;
	return !(in->mods & MOD_WARP) && !(in->scope == SCOPE_CLUSTER && in->mods & MOD_ARRIVE);
}

/* cfg: may be NULL, of a function that has none. */
static void function_costs(const Gpu *gpu, const PtxFunction *f, const PtxCfg *cfg, InstrCost *costs) {
	Facts facts = facts_of(f);
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		costs[i].barrier = is_barrier(in);
		costs[i].others =
			in->op == OP_LD && in->sem > SEM_WEAK && in->space != SPACE_SHARED && in->space != SPACE_LOCAL;
		costs[i].changes_floats =
			ptx_op_cost(in->op) == COST_ATOMIC && main_type(in) >= T_F16 && main_type(in) <= T_F64;
		if (costs_nothing(in)) continue;
		instruction_cost(gpu, &facts, in, &costs[i]);
	}
	if (gpu->generation->register_banks) code_bank_conflicts(f, facts.leader, costs);
	if (gpu->generation->tesla_isa) {
		if (cfg) code_tesla_costs(cfg, facts.leader, costs);
		fuse_shared_operands(&facts, costs);
		fold_shifts(&facts, costs);
		code_address_costs(f, facts.leader, costs);
		for (uint32_t i = 0; i < f->ninstrs; i++) costs[i].issue *= by_units(gpu, costs[i].pipe);
	} else {
		join_loads(&facts, costs);
		if (cfg) code_divisions(cfg, costs);
	}
	find_waits(gpu, &facts, costs);
	facts_free(&facts);
}

/* What an iteration takes of what ptxas does once for several. */
static void unroll_costs(const Gpu *gpu, const PtxCfg *cfg, InstrCost *costs) {
	AUTO_FREE uint8_t *role = code_unrolled(gpu, cfg, costs);
	for (uint32_t i = 0; i < cfg->function->ninstrs; i++) {
		if (role[i] != UNROLL_ONCE) continue;
		costs[i].issue /= UNROLL;
		costs[i].pipe_use /= UNROLL;
	}
}

static const PtxCfg *cfg_of(const LaunchInfo *info, uint32_t f, Arena *arena) {
	return !f && info->cfg ? info->cfg : ptx_cfg(arena, info->functions[f]);
}

InstrCost *code_costs(const Gpu *gpu, const LaunchInfo *info) {
	AUTO_ARENA Arena *arena = arena_new();
	InstrCost *costs = xcalloc(info->ninstrs + 1, sizeof *costs);
	for (uint32_t f = 0; f < info->nfunctions; f++) {
		const PtxCfg *cfg = cfg_of(info, f, arena);
		InstrCost *own = costs + info->first[f];
		function_costs(gpu, info->functions[f], cfg, own);
		if (!cfg || gpu->generation->tesla_isa) continue;
		code_atomics(cfg, gpu->cc, own);
		unroll_costs(gpu, cfg, own);
	}
	return costs;
}
