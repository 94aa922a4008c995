/* Backward data flow: live_in = used before written ∪ (live_out − written). A guarded write does not end a life,
 * because the lanes it leaves out keep the old value. Registers are bits of dense sets, visited from the last block to
 * the first until nothing changes. Pressure is the sum of 32-bit words over the live registers at the worst
 * instruction. */
#include "ptx/analysis/liveness.h"

#include <string.h>

#include "ptx/names.h"

typedef uint64_t Word;

static bool has(const Word *set, uint32_t reg) {
	return set[reg / 64] >> reg % 64 & 1;
}
static void add(Word *set, uint32_t reg) {
	set[reg / 64] |= 1ull << reg % 64;
}
static void drop(Word *set, uint32_t reg) {
	set[reg / 64] &= ~(1ull << reg % 64);
}

/* wgmma.mma_async: the first operand is a source, too. */
static bool accumulates(const PtxInstr *in) {
	return in->op == OP_WGMMA && in->noperands && in->operands[0].kind == OPERAND_VECTOR;
}

/* The first operand is written if ops.def's operands begin with a d or a p; a barrier has a result only when it
 * reduces. */
static bool writes_first(const PtxInstr *in) {
	if (in->op == OP_BAR || in->op == OP_BARRIER) return in->mods & MOD_RED;
	if (in->op == OP_WGMMA) return accumulates(in);
	return ptx_op_has_result(in->op);
}

static void each_register(const PtxOperand *o, PtxVisit visit, void *data) {
	if (o->kind == OPERAND_REG || (o->kind == OPERAND_ADDRESS && o->has_base)) visit(data, o->reg);
	if (o->has_pair) visit(data, o->pair);
	for (uint32_t i = 0; i < o->nitems; i++) { /* lists hold scalars, an address at most a list of them */
		const PtxOperand *item = &o->items[i];
		if (item->kind == OPERAND_REG) visit(data, item->reg);
		for (uint32_t k = 0; k < item->nitems; k++) {
			if (item->items[k].kind == OPERAND_REG) visit(data, item->items[k].reg);
		}
	}
}

static bool is_result(const PtxInstr *in, uint32_t operand) {
	return operand == 0 && in->operands[0].kind != OPERAND_ADDRESS && writes_first(in);
}

void ptx_each_written(const PtxInstr *in, PtxVisit visit, void *data) {
	if (in->noperands && is_result(in, 0)) each_register(&in->operands[0], visit, data);
}

typedef struct {
	uint32_t reg;
	bool found;
} Search;

static void is_it(void *data, uint32_t reg) {
	Search *s = data;
	s->found |= s->reg == reg;
}

bool ptx_reads(const PtxInstr *in, uint32_t reg) {
	Search s = {reg, false};
	ptx_each_read(in, is_it, &s);
	return s.found;
}

bool ptx_writes(const PtxInstr *in, uint32_t reg) {
	Search s = {reg, false};
	ptx_each_written(in, is_it, &s);
	return s.found;
}

void ptx_each_read(const PtxInstr *in, PtxVisit visit, void *data) {
	if (in->guarded) visit(data, in->guard);
	for (uint32_t i = 0; i < in->noperands; i++) {
		if (!is_result(in, i) || accumulates(in)) each_register(&in->operands[i], visit, data);
	}
}

typedef struct {
	PtxCfg *cfg;
	Word *use, *kill; /* of each block */
	uint8_t *words;   /* 32-bit words of a register; 0 for predicates */
	Word *live;       /* at the point being looked at */
	uint32_t pressure;
} Flow;

static Word *row(Word *sets, const Flow *flow, uint32_t block) {
	return sets + (size_t)block * flow->cfg->live_words;
}

static void set_kill(void *data, uint32_t reg) {
	add(data, reg);
}
static void drop_use(void *data, uint32_t reg) {
	drop(data, reg);
}

static void summarise(Flow *flow, uint32_t block) {
	const PtxBlock *b = &flow->cfg->blocks[block];
	Word *use = row(flow->use, flow, block), *kill = row(flow->kill, flow, block);
	for (uint32_t i = b->end; i-- > b->first;) {
		const PtxInstr *in = &flow->cfg->function->instrs[i];
		if (!in->guarded) {
			ptx_each_written(in, set_kill, kill);
			ptx_each_written(in, drop_use, use);
		}
		ptx_each_read(in, set_kill, use);
	}
}

static bool update(Flow *flow, uint32_t block) {
	PtxCfg *cfg = flow->cfg;
	Word *in = row(cfg->live_in, flow, block), *out = row(cfg->live_out, flow, block);
	const Word *use = row(flow->use, flow, block), *kill = row(flow->kill, flow, block);
	for (uint32_t k = 0; k < cfg->blocks[block].nsucc; k++) {
		const Word *next = row(cfg->live_in, flow, cfg->blocks[block].succ[k]);
		for (uint32_t w = 0; w < cfg->live_words; w++) out[w] |= next[w];
	}
	Word changed = 0;
	for (uint32_t w = 0; w < cfg->live_words; w++) {
		Word now = use[w] | (out[w] & ~kill[w]);
		changed |= now ^ in[w];
		in[w] = now;
	}
	return changed;
}

/* Only blocks whose successors changed are looked at again. */
static void solve(Flow *flow) {
	PtxCfg *cfg = flow->cfg;
	AUTO_FREE bool *dirty = xcalloc(cfg->nblocks, sizeof *dirty);
	memset(dirty, true, cfg->nblocks);
	for (bool again = true; again;) {
		again = false;
		for (uint32_t b = cfg->nblocks; b-- > 0;) {
			if (!dirty[b]) continue;
			dirty[b] = false;
			if (!update(flow, b)) continue;
			for (uint32_t k = 0; k < cfg->blocks[b].npred; k++) {
				dirty[cfg->blocks[b].pred[k]] = true;
				again = again || cfg->blocks[b].pred[k] >= b;
			}
		}
	}
}

static void begin_life(void *data, uint32_t reg) {
	Flow *flow = data;
	if (has(flow->live, reg)) return;
	add(flow->live, reg);
	flow->pressure += flow->words[reg];
}

static void end_life(void *data, uint32_t reg) {
	Flow *flow = data;
	if (!has(flow->live, reg)) return;
	drop(flow->live, reg);
	flow->pressure -= flow->words[reg];
}

static void note_pressure(Flow *flow) {
	if (flow->pressure > flow->cfg->max_live_words32) flow->cfg->max_live_words32 = flow->pressure;
}

/* An unused result still needs a place at its instruction. */
static void measure_block(Flow *flow, uint32_t block) {
	const PtxBlock *b = &flow->cfg->blocks[block];
	const Word *out = row(flow->cfg->live_out, flow, block);
	memcpy(flow->live, out, flow->cfg->live_words * sizeof *out);
	flow->pressure = 0;
	for (uint32_t r = 0; r < flow->cfg->function->nregs; r++) flow->pressure += has(out, r) ? flow->words[r] : 0;
	note_pressure(flow);
	for (uint32_t i = b->end; i-- > b->first;) {
		const PtxInstr *in = &flow->cfg->function->instrs[i];
		ptx_each_written(in, begin_life, flow);
		note_pressure(flow);
		if (!in->guarded) ptx_each_written(in, end_life, flow);
		ptx_each_read(in, begin_life, flow);
		note_pressure(flow);
	}
}

static void size_registers(Flow *flow) {
	const PtxFunction *f = flow->cfg->function;
	for (uint32_t r = 0; r < f->nregs; r++) {
		size_t bytes = ptx_type_bytes(f->regs[r].type);
		flow->words[r] = f->regs[r].type == T_PRED ? 0 : bytes <= 4 ? 1 : (uint8_t)(bytes / 4);
	}
}

void cfg_liveness(Arena *arena, Arena *work, PtxCfg *cfg) {
	Flow flow = {.cfg = cfg, .words = arena_alloc(work, cfg->function->nregs)};
	size_registers(&flow);
	cfg->live_words = (cfg->function->nregs + 63) / 64;
	size_t size = (size_t)cfg->nblocks * cfg->live_words;
	cfg->live_in = arena_array(arena, size, sizeof(Word));
	cfg->live_out = arena_array(arena, size, sizeof(Word));
	flow.use = arena_array(work, size, sizeof(Word));
	flow.kill = arena_array(work, size, sizeof(Word));
	flow.live = arena_array(work, cfg->live_words, sizeof(Word));
	for (uint32_t b = 0; b < cfg->nblocks; b++) summarise(&flow, b);
	solve(&flow);
	for (uint32_t b = 0; b < cfg->nblocks; b++) measure_block(&flow, b);
}
