/* sinkable.h. From the branch back to the beginning: a register is used if an instruction between needs it, or a way
 * that does not lead to the lanes that stay. What computes a register that is not used can sink, and needs nothing
 * then. */
#include "ptx/analysis/sinkable.h"

#include "base/arena.h"
#include "ptx/analysis/adjacent.h"

typedef struct {
	const PtxCfg *cfg;
	uint32_t leave, stay; /* blocks: the branch is at the end of one, lanes that stay go to the other */
	uint64_t *used;       /* registers, as in live_in */
	bool changed;         /* shared memory, between here and the branch */
	bool needed;
} Sink;

static void use(void *data, uint32_t reg) {
	((Sink *)data)->used[reg / 64] |= 1ull << reg % 64;
}

static void look_up(void *data, uint32_t reg) {
	Sink *s = data;
	s->needed |= s->used[reg / 64] >> reg % 64 & 1;
}

static bool is_needed(Sink *s, const PtxInstr *in) {
	s->needed = false;
	ptx_each_written(in, look_up, s);
	return s->needed;
}

/* What is needed after a block, but for the lanes that stay and for blocks that were looked at before. */
static void use_after(Sink *s, uint32_t block) {
	const PtxBlock *b = &s->cfg->blocks[block];
	for (uint32_t k = 0; k < b->nsucc; k++) {
		const uint32_t to = b->succ[k], words = s->cfg->live_words;
		if (to == s->stay || (to > block && to <= s->leave)) continue;
		for (uint32_t w = 0; w < words; w++) s->used[w] |= s->cfg->live_in[(size_t)to * words + w];
	}
}

static bool is_load(const Sink *s, const PtxInstr *in) {
	if (in->op != OP_LD || in->guarded || in->sem > SEM_WEAK) return false;
	return in->space == SPACE_SHARED ? !s->changed : in->space == SPACE_GLOBAL && in->cache == CACHE_NC;
}

/* Nothing but a result comes of it. */
static bool is_arithmetic(const PtxInstr *in) {
	switch (ptx_op_cost(in->op)) {
	case COST_MEMORY:
	case COST_CONTROL:
	case COST_BARRIER:
	case COST_SHUFFLE:
	case COST_ATOMIC:
	case COST_MATRIX: return false;
	default: return !in->guarded;
	}
}

/* The last block at whose end lanes leave, and others go on behind it; nblocks: there is none. */
static uint32_t find_leave(const PtxCfg *cfg) {
	for (uint32_t b = cfg->nblocks; b-- > 0;) {
		const uint32_t stay = ptx_stays_at(cfg, b);
		if (stay != CFG_EXIT && stay > b) return b;
	}
	return cfg->nblocks;
}

uint32_t ptx_sinkable(const PtxCfg *cfg, bool *sinkable) {
	const PtxFunction *f = cfg->function;
	const uint32_t leave = find_leave(cfg);
	if (leave == cfg->nblocks) return f->ninstrs;
	AUTO_ARENA Arena *arena = arena_new();
	Sink s = {cfg, leave, ptx_stays_at(cfg, leave), .used = arena_array(arena, cfg->live_words + 1, sizeof *s.used)};
	for (uint32_t i = cfg->blocks[leave].end; i-- > 0;) {
		const PtxInstr *in = &f->instrs[i];
		if (i + 1 == cfg->blocks[cfg->block_of[i]].end) use_after(&s, cfg->block_of[i]);
		s.changed |= ptx_may_access_shared(in, OP_ST);
		const bool load = is_load(&s, in);
		if ((load || is_arithmetic(in)) && !is_needed(&s, in))
			sinkable[i] = load;
		else
			ptx_each_read(in, use, &s);
	}
	return cfg->blocks[leave].end - 1;
}
