#include "model/code/poll.h"

#include <stdlib.h>

#include "base/arena.h"

/* Is the next block only a jump back, as hand-written PTX has it? */
static bool jump_back_follows(const PtxCfg *cfg, uint32_t number) {
	const PtxBlock *next = number + 1 < cfg->nblocks ? &cfg->blocks[number + 1] : NULL;
	return next && next->end == next->first + 1 && next->nsucc == 1 && next->succ[0] == number &&
		   cfg->function->instrs[next->first].op == OP_BRA;
}

/* Where the loop of this one block ends; 0: it is none. */
static uint32_t loop_end(const PtxCfg *cfg, uint32_t number) {
	const PtxBlock *block = &cfg->blocks[number];
	for (uint32_t i = 0; i < block->nsucc; i++) {
		if (block->succ[i] == number) return block->end;
		if (block->succ[i] == number + 1 && jump_back_follows(cfg, number)) return cfg->blocks[number + 1].end;
	}
	return 0;
}

static bool polls(const PtxInstr *in) {
	if (in->op == OP_MBARRIER) return in->mods & MOD_WAIT;
	if (in->op == OP_ATOM) return in->atomic == ATOM_CAS;
	return in->op == OP_LD && (in->sem == SEM_VOLATILE || in->sem == SEM_RELAXED || in->sem == SEM_ACQUIRE);
}

/* Has it no effect but on registers? */
static bool is_harmless(const PtxInstr *in) {
	switch (ptx_op_cost(in->op)) {
	case COST_MEMORY: return in->op == OP_LD || in->op == OP_LDU || in->op == OP_MEMBAR || in->op == OP_FENCE;
	case COST_ATOMIC: return polls(in);
	case COST_CONTROL: return in->op == OP_BRA || in->op == OP_NANOSLEEP;
	case COST_BARRIER: return polls(in);
	case COST_SHUFFLE:
	case COST_MATRIX: return false;
	default: return true;
	}
}

typedef struct {
	const PtxCfg *cfg;
	uint32_t block;
	bool carried;
} Written;

static void look_whether_carried(void *data, uint32_t reg) {
	Written *w = data;
	const uint64_t *in = w->cfg->live_in + (size_t)w->block * w->cfg->live_words;
	if (in[reg / 64] >> reg % 64 & 1) w->carried = true;
}

static bool is_polling_loop(const PtxCfg *cfg, uint32_t number) {
	const PtxBlock *block = &cfg->blocks[number];
	Written written = {.cfg = cfg, .block = number};
	bool any = false;
	for (uint32_t i = block->first; i < block->end; i++) {
		const PtxInstr *in = &cfg->function->instrs[i];
		if (!is_harmless(in)) return false;
		any |= polls(in);
		ptx_each_written(in, look_whether_carried, &written);
	}
	return any && !written.carried;
}

uint32_t *poll_loops(const LaunchInfo *info) {
	uint32_t *loops = NULL;
	Arena *arena = arena_new();
	for (uint32_t f = 0; f < info->nfunctions; f++) {
		const PtxCfg *cfg = ptx_cfg(arena, info->functions[f]);
		for (uint32_t b = 0; cfg && b < cfg->nblocks; b++) {
			const uint32_t end = loop_end(cfg, b), first = info->first[f];
			if (!end || !is_polling_loop(cfg, b)) continue;
			if (!loops) loops = xcalloc(info->ninstrs + 1, sizeof *loops);
			for (uint32_t i = cfg->blocks[b].first; i < end; i++) loops[first + i] = first + cfg->blocks[b].first + 1;
		}
	}
	arena_free(arena);
	return loops;
}

/* What is kept of a warp's last access: the loop it was in, its instruction, whether the loop had been gone around. */
enum { THERE = 1, AGAIN = 2, INSTR_SHIFT = 2, LOOP_SHIFT = 32 };

bool poll_again(const uint32_t *loops, NumberMap *last, const Access *a, uint64_t *issued) {
	const uint64_t loop = loops[a->instr], key = (uint64_t)a->block << 32 | a->warp;
	if (!loop && !number_map_get(last, key)) return false;
	uint64_t *state = number_map_at(last, key);
	const bool here = loop && *state >> LOOP_SHIFT == loop;
	const bool again = here && (*state & AGAIN || a->instr <= (uint32_t)*state >> INSTR_SHIFT);
	*state = loop << LOOP_SHIFT | (uint64_t)a->instr << INSTR_SHIFT | (again ? AGAIN : 0) | THERE;
	for (uint32_t i = (uint32_t)loop - 1; loop && !here && loops[i] == loop; i++) issued[i]++;
	return again;
}
