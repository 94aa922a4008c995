#include "model/code/issue_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "model/code/sequence.h"
#include "model/code/unroll.h"

/* Cycles, by which loads are put first; estimates of what assemblers assume. */
enum { FAR = 300, NEAR = 30, SPECIAL = 20, MOST_ORDERED = 384, NONE = UINT32_MAX };

_Static_assert(UNROLL *UNROLL_MOST <= MOST_ORDERED, "a loop that is unrolled is ordered as a whole");

/* So many loads come before the first use of one; each further pair comes after a use. In SASS of ptxas 13.0 it is 12
 * to 16; 12 in view of the held-out kernels (docs/reference/models.md). */
enum { MOST_LOADS = 12 };

typedef struct {
	const Gpu *gpu;
	const LaunchInfo *info;
	const InstrCost *costs; /* of the function */
	const PtxFunction *function;
	uint32_t first_instr, first_register;
	VEC(ReplayOp) ops;
	VEC(ReplayBlock) blocks;
	VEC(uint32_t) registers;
	VEC(uint32_t) unrolled;    /* by block of code */
	const uint8_t *predicated; /* [ninstrs] of the function: branches that are none (predicate.c) */
	bool *seen_special;        /* [SR count] read before in the function */
	uint32_t names;            /* registers of the function, with those that copies of an iteration have of their own */
	uint32_t *name;            /* [nregs] in such a copy, who holds the register's value; NULL: it does */
	uint32_t copy;             /* from 0 */
	uint32_t results;          /* where in registers those of a sequence's pieces begin; 0: the function has none yet */
} Lift;

/* --- one instruction ---------------------------------------------------------------------------------------------- */

static void note_read(void *data, uint32_t reg) {
	Lift *l = data;
	vec_push(&l->registers, l->first_register + (l->name ? l->name[reg] : reg));
}

/* What the last copy writes is left to what follows. */
static void note_write(void *data, uint32_t reg) {
	Lift *l = data;
	if (l->name) l->name[reg] = l->copy + 1 < UNROLL ? l->names++ : reg;
	note_read(l, reg);
}

static bool is_async(const PtxInstr *in) {
	return in->op == OP_CP || in->op == OP_MBARRIER || in->op == OP_WGMMA;
}

/* cp.async uses the units for loads and stores, bulk copies do not. */
static ReplayUnit async_unit(const PtxInstr *in) {
	if (in->op == OP_MBARRIER || in->mods & MOD_ARRIVE) return UNIT_SHARED;
	if (in->mods & (MOD_COMMIT | MOD_WAIT)) return UNIT_NONE;
	if (in->op == OP_WGMMA) return in->noperands ? UNIT_MATRIX : UNIT_NONE;
	return in->mods & MOD_BULK ? UNIT_BULK : UNIT_GLOBAL;
}

static ReplayUnit memory_unit(const PtxInstr *in) {
	if (ptx_op_cost(in->op) == COST_SHUFFLE) return in->op == OP_SHFL ? UNIT_SHUFFLE : UNIT_INT;
	if (in->op == OP_TEX || in->op == OP_TLD4) return UNIT_TEXTURE;
	if (in->op == OP_SULD || in->op == OP_SUST || in->op == OP_SURED) return UNIT_TEXTURE;
	if (in->space == SPACE_SHARED) return UNIT_SHARED;
	if (in->space == SPACE_CONST) return UNIT_CONSTANT;
	return UNIT_GLOBAL;
}

static ReplayUnit unit_of(const PtxInstr *in, const InstrCost *cost) {
	if (is_async(in)) return async_unit(in);
	switch (cost->pipe) {
	case PIPE_INT: return UNIT_INT;
	case PIPE_ADD: return UNIT_EITHER;
	case PIPE_MULTIPLY: return UNIT_MULTIPLY;
	case PIPE_FP32: return UNIT_FP32;
	case PIPE_FP64: return UNIT_FP64;
	case PIPE_FP16: return UNIT_FP16;
	case PIPE_SFU: return UNIT_SPECIAL;
	case PIPE_CONVERT: return UNIT_CONVERT;
	case PIPE_MEMORY: return memory_unit(in);
	case PIPE_MATRIX: return UNIT_MATRIX;
	case PIPE_CONTROL:
		if (in->op == OP_BAR || in->op == OP_BARRIER) return cost->barrier ? UNIT_BARRIER : UNIT_NONE;
		return UNIT_BRANCH;
	default: return UNIT_NONE;
	}
}

static bool has_access(const PtxInstr *in, ReplayUnit unit) {
	const PtxCost class = ptx_op_cost(in->op);
	return unit == UNIT_TEXTURE || (is_async(in) && (in->op != OP_WGMMA || in->mods & (MOD_COMMIT | MOD_WAIT))) ||
		   ((class == COST_MEMORY || class == COST_ATOMIC) &&
			(in->op == OP_LD || in->op == OP_LDU || in->op == OP_ST || in->op == OP_ATOM || in->op == OP_RED));
}

/* A thread's place in its block takes an instruction of its own, once. */
static bool reads_place(Lift *l, const PtxInstr *in) {
	if (in->op != OP_MOV || in->noperands != 2 || in->operands[1].kind != OPERAND_SPECIAL) return false;
	const PtxSpecial sr = in->operands[1].special;
	if (sr >= SR_NTID && sr < SR_CTAID) return false;
	const bool first = !l->seen_special[sr];
	l->seen_special[sr] = true;
	return first;
}

static uint32_t latency_of_unit(const Lift *l, ReplayUnit unit) {
	const uint32_t alu = l->gpu->latency_alu > 0 ? (uint32_t)l->gpu->latency_alu : 4;
	switch (unit) {
	case UNIT_SPECIAL:
	case UNIT_CONVERT: return SPECIAL;
	case UNIT_SHUFFLE: return NEAR - 6;
	case UNIT_SHARED:
	case UNIT_GLOBAL:
	case UNIT_TEXTURE:
	case UNIT_BARRIER:
	case UNIT_BRANCH: return 0;
	case UNIT_CONSTANT: return NEAR;
	case UNIT_FP64: return 2 * alu;
	default: return alu;
	}
}

static uint32_t latency_of(const Lift *l, const PtxInstr *in, ReplayUnit unit, const InstrCost *cost) {
	const bool is_alu = (unit < UNIT_ARITHMETIC && unit != UNIT_FP64) || unit == UNIT_BULK;
	return latency_of_unit(l, unit) + (is_alu && (cost->issue > 2 || in->op == OP_SETP));
}

/* bar.sync ID, THREADS and the like; bar.red has its result before, and its predicate after them. */
static ReplayBarrier barrier_of(const PtxInstr *in) {
	ReplayBarrier barrier = {0};
	if (in->scope == SCOPE_CLUSTER) return barrier;
	const uint32_t first = in->mods & MOD_RED ? 1 : 0, last = in->noperands - first;
	const PtxOperand *id = &in->operands[first], *threads = first + 1 < last ? &in->operands[first + 1] : NULL;
	if (threads && threads->kind == OPERAND_INT) barrier.warps = (uint8_t)((threads->bits + LANES - 1) / LANES);
	barrier.id = id->kind == OPERAND_INT ? (uint8_t)(id->bits % REPLAY_BARRIERS) : REPLAY_GROUP;
	barrier.arrives = in->mods & MOD_ARRIVE;
	return barrier;
}

static ReplayOp op_of(Lift *l, uint32_t i) {
	const PtxInstr *in = &l->function->instrs[i];
	const InstrCost *cost = &l->costs[i];
	ReplayOp op = {.instr = l->first_instr + i, .slots = 1, .uses = 1, .copy = (uint8_t)l->copy};
	op.reads = (uint32_t)l->registers.len;
	ptx_each_read(in, note_read, l);
	op.nreads = (uint32_t)l->registers.len - op.reads;
	op.writes = (uint32_t)l->registers.len;
	ptx_each_written(in, note_write, l);
	op.nwrites = (uint32_t)l->registers.len - op.writes;
	if (reads_place(l, in)) {
		op.unit = UNIT_SHUFFLE;
		op.latency = NEAR;
		return op;
	}
	op.free = cost->issue <= 0 && !cost->barrier;
	if (op.free) return op;
	op.unit = unit_of(in, cost);
	if (op.unit == UNIT_BARRIER) op.barrier = barrier_of(in);
	op.accesses = has_access(in, op.unit);
	op.async = is_async(in);
	op.slots = cost->issue > 1 ? (uint16_t)lroundf(cost->issue) : 1;
	op.uses = op.unit == UNIT_FP32 || op.unit == UNIT_FP64 ? op.slots : 1;
	if (cost->pipe_use > op.uses) op.uses = (uint16_t)lroundf(cost->pipe_use);
	op.gap = op.slots > 2 ? 3 : 1;
	op.conflicts = cost->bank_conflicts;
	op.latency = (uint16_t)latency_of(l, in, op.unit, cost);
	return op;
}

/* Registers of the function's own, one for each piece: sequences follow each other. */
static void make_results(Lift *l) {
	if (l->results) return;
	l->results = (uint32_t)l->registers.len;
	for (uint32_t k = 0; k < SEQUENCE_MOST; k++) vec_push(&l->registers, l->first_register + l->names++);
}

static void lift_sequence(Lift *l, uint32_t i, const SequencePiece *pieces, uint32_t n) {
	const ReplayOp whole = op_of(l, i);
	bool done = false; /* what meets then needs no operand, which the result may have replaced */
	make_results(l);
	for (uint32_t k = 0; k < n; k++) {
		const SequencePiece *piece = &pieces[k];
		ReplayOp op = {.instr = whole.instr, .unit = piece->unit, .slots = piece->slots, .uses = piece->slots};
		op.gap = piece->gap;
		op.latency = (uint16_t)latency_of_unit(l, piece->unit);
		const bool after_last = piece->after && pieces[piece->after - 1].last;
		op.reads = !piece->after ? whole.reads : after_last ? whole.writes : l->results + piece->after - 1;
		op.nreads = !piece->after ? (done ? 0 : whole.nreads) : after_last ? whole.nwrites : 1;
		op.writes = piece->last ? whole.writes : l->results + k;
		op.nwrites = piece->last ? whole.nwrites : 1;
		done |= piece->last;
		vec_push(&l->ops, op);
	}
}

/* --- order -------------------------------------------------------------------------------------------------------- */

typedef struct {
	uint32_t to, next;
} Edge;

typedef struct {
	ReplayOp op;
	uint32_t edges; /* first one + 1 */
	uint32_t before;
	double height, at;
	bool done;
} Node;

typedef struct {
	Node *nodes;
	uint32_t n;
	VEC(Edge) edges;
	uint32_t *writer;  /* [names] last one + 1 in the region */
	uint32_t *readers; /* [names] first of a chain of edges + 1 */
	VEC(Edge) reading;
	uint32_t last_store[2], loads[MOST_ORDERED], nloads; /* by space: shared, all else */
	uint32_t unused[MOST_ORDERED], nunused;              /* loads that are placed, before their first use */
} Region;

static void depends(Region *r, uint32_t to, uint32_t from) {
	if (to == from) return;
	vec_push(&r->edges, ((Edge){to, r->nodes[from].edges}));
	r->nodes[from].edges = (uint32_t)r->edges.len;
	r->nodes[to].before++;
}

static double weight(const ReplayOp *op) {
	if (op->free) return 0;
	switch (op->unit) {
	case UNIT_GLOBAL:
	case UNIT_TEXTURE: return FAR;
	case UNIT_SHARED:
	case UNIT_CONSTANT: return NEAR;
	default: return op->latency + (op->slots - 1.0) * op->gap;
	}
}

static void order_memory(Region *r, uint32_t k, const PtxInstr *in) {
	if (!r->nodes[k].op.accesses || in->cache == CACHE_NC) return;
	const int space = in->space == SPACE_SHARED ? 0 : 1;
	const bool changes = in->op != OP_LD && in->op != OP_LDU;
	if (r->last_store[space]) depends(r, k, r->last_store[space] - 1);
	if (!changes) {
		r->loads[r->nloads++] = k;
		return;
	}
	for (uint32_t i = 0; i < r->nloads; i++) depends(r, k, r->loads[i]);
	r->last_store[space] = k + 1;
}

static void order_registers(Region *r, const Lift *l, uint32_t k) {
	const ReplayOp *op = &r->nodes[k].op;
	for (uint32_t i = 0; i < op->nreads; i++) {
		const uint32_t reg = l->registers.data[op->reads + i] - l->first_register;
		if (r->writer[reg]) depends(r, k, r->writer[reg] - 1);
		vec_push(&r->reading, ((Edge){k, r->readers[reg]}));
		r->readers[reg] = (uint32_t)r->reading.len;
	}
	for (uint32_t i = 0; i < op->nwrites; i++) {
		const uint32_t reg = l->registers.data[op->writes + i] - l->first_register;
		if (r->writer[reg]) depends(r, k, r->writer[reg] - 1);
		for (uint32_t e = r->readers[reg]; e; e = r->reading.data[e - 1].next) depends(r, k, r->reading.data[e - 1].to);
		r->readers[reg] = 0;
		r->writer[reg] = k + 1;
	}
}

static void find_heights(Region *r) {
	for (uint32_t k = r->n; k-- > 0;) {
		Node *node = &r->nodes[k];
		double most = 0;
		for (uint32_t e = node->edges; e; e = r->edges.data[e - 1].next)
			if (r->nodes[r->edges.data[e - 1].to].height > most) most = r->nodes[r->edges.data[e - 1].to].height;
		node->height = most + weight(&node->op);
	}
}

static bool is_load(const ReplayOp *op) {
	return op->accesses && op->nwrites;
}

static bool leads_to(const Region *r, uint32_t from, uint32_t to) {
	for (uint32_t e = r->nodes[from].edges; e; e = r->edges.data[e - 1].next)
		if (r->edges.data[e - 1].to == to) return true;
	return false;
}

static void note_placed(Region *r, uint32_t k) {
	uint32_t left = 0;
	for (uint32_t i = 0; i < r->nunused; i++)
		if (!leads_to(r, r->unused[i], k)) r->unused[left++] = r->unused[i];
	r->nunused = left;
	if (is_load(&r->nodes[k].op)) r->unused[r->nunused++] = k;
}

/* The next: of those whose operands would be there the one with the longest way to the end, else the earliest. */
static uint32_t choose_of(const Region *r, double now, bool loads) {
	uint32_t best = NONE;
	for (uint32_t k = 0; k < r->n; k++) {
		const Node *a = &r->nodes[k];
		if (a->done || a->before || (!loads && is_load(&a->op))) continue;
		if (best == NONE) {
			best = k;
			continue;
		}
		const Node *b = &r->nodes[best];
		const bool here = a->at <= now, there = b->at <= now;
		if (here != there ? here : here ? a->height > b->height : a->at < b->at) best = k;
	}
	return best;
}

static uint32_t choose(const Region *r, double now) {
	const uint32_t best = r->nunused < MOST_LOADS ? NONE : choose_of(r, now, false);
	return best == NONE ? choose_of(r, now, true) : best;
}

static void emit_ordered(Lift *l, Region *r) {
	double now = 0;
	find_heights(r);
	for (uint32_t i = 0; i < r->n; i++) {
		const uint32_t k = choose(r, now);
		Node *node = &r->nodes[k];
		node->done = true;
		note_placed(r, k);
		if (node->at > now) now = node->at;
		vec_push(&l->ops, node->op);
		for (uint32_t e = node->edges; e; e = r->edges.data[e - 1].next) {
			Node *to = &r->nodes[r->edges.data[e - 1].to];
			const double at = now + weight(&node->op);
			to->before--;
			if (at > to->at) to->at = at;
		}
		now += node->op.free ? 0 : node->op.slots;
	}
}

static bool is_fence(const Lift *l, uint32_t i) {
	const PtxInstr *in = &l->function->instrs[i];
	uint32_t n;
	if (l->predicated[i]) return false;
	return code_ends_block(in) || in->op == OP_CALL || is_async(in) || code_sequence(in, &n);
}

static void lift_fence(Lift *l, uint32_t i) {
	uint32_t n;
	const SequencePiece *pieces = code_sequence(&l->function->instrs[i], &n);
	if (pieces)
		lift_sequence(l, i, pieces, n);
	else
		vec_push(&l->ops, op_of(l, i));
}

/* The load that a joined one is part of. */
static uint32_t leader_of(const Lift *l, uint32_t i, uint32_t first, uint32_t end) {
	const PtxOperand *mine = &l->function->instrs[i].operands[1];
	for (uint32_t j = first; j < end; j++) {
		if (!l->costs[j].wide) continue;
		const PtxOperand *its = &l->function->instrs[j].operands[1];
		const bool alike =
			mine->has_base == its->has_base && (mine->has_base ? mine->reg == its->reg : mine->symbol == its->symbol);
		if (alike && mine->offset >= its->offset && mine->offset < its->offset + l->costs[j].wide) return j;
	}
	return NONE;
}

static Region region_new(uint32_t most, uint32_t names) {
	Region r = {.nodes = xcalloc(most + 1, sizeof *r.nodes)};
	r.writer = xcalloc(names + 1, sizeof *r.writer);
	r.readers = xcalloc(names + 1, sizeof *r.readers);
	return r;
}

static void region_free(Region *r) {
	free(r->nodes);
	free(r->writer);
	free(r->readers);
	vec_free(&r->edges);
	vec_free(&r->reading);
}

static void add_node(Lift *l, Region *r, uint32_t i) {
	const uint32_t k = r->n++;
	r->nodes[k].op = op_of(l, i);
	order_registers(r, l, k);
	order_memory(r, k, &l->function->instrs[i]);
}

/* node[i]: of instruction first + i. */
static void join_nodes(const Lift *l, Region *r, uint32_t first, uint32_t end, const uint32_t *node) {
	for (uint32_t i = first; i < end; i++) {
		const uint32_t leader = l->costs[i].joined ? leader_of(l, i, first, end) : NONE;
		if (leader == NONE) continue;
		ReplayOp *op = &r->nodes[node[i - first]].op;
		op->reads = r->nodes[node[leader - first]].op.writes;
		op->nreads = r->nodes[node[leader - first]].op.nwrites;
		if (leader < i) depends(r, node[i - first], node[leader - first]);
	}
}

static void lift_region(Lift *l, uint32_t first, uint32_t end) {
	Region r = region_new(end - first, l->names);
	AUTO_FREE uint32_t *node = xcalloc(end - first + 1, sizeof *node);
	for (uint32_t i = first; i < end; i++) {
		node[i - first] = r.n;
		if (!l->predicated[i]) add_node(l, &r, i);
	}
	join_nodes(l, &r, first, end, node);
	emit_ordered(l, &r);
	region_free(&r);
}

static void count_up(void *data, uint32_t reg) {
	(void)reg;
	++*(uint32_t *)data;
}

/* A loop's block, UNROLL times: each copy has registers of its own for what it computes, and addresses that count are
 * offsets. The last copy counts, tests, and goes back. */
static void lift_unrolled(Lift *l, uint32_t first, uint32_t end, const uint8_t *role) {
	const uint32_t begin = (uint32_t)l->ops.len, branch = end - 1, n = branch - first;
	uint32_t writes = 0;
	for (uint32_t i = first; i < branch; i++) ptx_each_written(&l->function->instrs[i], count_up, &writes);
	Region r = region_new(UNROLL * n, l->names + UNROLL * writes);
	AUTO_FREE uint32_t *node = xcalloc(n + 1, sizeof *node);
	AUTO_FREE uint32_t *name = xcalloc(l->function->nregs + 1, sizeof *name);
	for (uint32_t k = 0; k < l->function->nregs; k++) name[k] = k;
	l->name = name;
	for (l->copy = 0; l->copy < UNROLL; l->copy++) {
		for (uint32_t i = first; i < branch; i++) {
			if (role[i] == UNROLL_ONCE && l->copy + 1 < UNROLL) continue;
			node[i - first] = r.n;
			add_node(l, &r, i);
		}
		join_nodes(l, &r, first, branch, node);
	}
	l->copy = 0;
	l->name = NULL;
	emit_ordered(l, &r);
	region_free(&r);
	vec_push(&l->ops, op_of(l, branch));
	l->unrolled.data[l->blocks.len - 1] = (uint32_t)l->blocks.len;
	vec_push(&l->blocks, ((ReplayBlock){begin, (uint32_t)l->ops.len}));
	vec_push(&l->unrolled, UINT32_MAX);
}

static void lift_block(Lift *l, uint32_t first, uint32_t end) {
	const uint32_t begin = (uint32_t)l->ops.len;
	for (uint32_t i = first; i < end;) {
		uint32_t stop = i;
		while (stop < end && stop - i < MOST_ORDERED && !is_fence(l, stop)) stop++;
		if (stop > i) lift_region(l, i, stop);
		i = stop;
		if (i < end && is_fence(l, i)) {
			lift_fence(l, i);
			i++;
		}
	}
	vec_push(&l->blocks, ((ReplayBlock){begin, (uint32_t)l->ops.len}));
	vec_push(&l->unrolled, UINT32_MAX);
}

static void lift_function(Lift *l, Lifted *out, const PtxCfg *cfg) {
	AUTO_FREE uint8_t *role = code_unrolled(l->gpu, cfg, l->costs);
	AUTO_FREE uint8_t *predicated = code_predicated(cfg, l->costs);
	l->predicated = predicated;
	l->names = l->function->nregs;
	l->results = 0;
	for (uint32_t b = 0; b < cfg->nblocks; b++) {
		const uint32_t first = cfg->blocks[b].first;
		while (predicated[cfg->blocks[b].end - 1]) b += predicated[cfg->blocks[b].end - 1];
		const uint32_t end = cfg->blocks[b].end;
		out->block_at[l->first_instr + first] = (uint32_t)l->blocks.len;
		lift_block(l, first, end);
		if (role[first] != UNROLL_NOT) lift_unrolled(l, first, end, role);
	}
	l->first_register += l->names;
}

Lifted *lift(const Gpu *gpu, const LaunchInfo *info, const InstrCost *costs) {
	Lifted *out = xcalloc(1, sizeof *out);
	Lift l = {.gpu = gpu, .info = info};
	out->arena = arena_new();
	out->block_at = xcalloc(info->ninstrs + 1, sizeof *out->block_at);
	memset(out->block_at, 0xff, (info->ninstrs + 1) * sizeof *out->block_at);
	l.seen_special = xcalloc(1024, sizeof *l.seen_special);
	for (uint32_t f = 0; f < info->nfunctions; f++) {
		const PtxCfg *cfg = !f && info->cfg ? info->cfg : ptx_cfg(out->arena, info->functions[f]);
		l.function = info->functions[f];
		l.costs = costs + info->first[f];
		l.first_instr = info->first[f];
		memset(l.seen_special, 0, 1024 * sizeof *l.seen_special);
		if (cfg) lift_function(&l, out, cfg);
	}
	free(l.seen_special);
	out->unrolled = l.unrolled.data;
	out->code = (ReplayCode){l.ops.data,       l.blocks.data, l.registers.data, (uint32_t)l.blocks.len,
							 l.first_register, info->ninstrs};
	return out;
}

void lift_free(Lifted *lifted) {
	if (!lifted) return;
	free((void *)lifted->code.ops);
	free((void *)lifted->code.blocks);
	free((void *)lifted->code.registers);
	free(lifted->block_at);
	free(lifted->unrolled);
	arena_free(lifted->arena);
	free(lifted);
}
