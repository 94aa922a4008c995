/* cc 1.x: the minimum number of registers per thread, from PTX.
 *
 * The values live at once, with an address counting as one. And the loads of a block that are taken to wait together:
 * each of them needs its register from the start of the block on, as does all that is alive there. PTX shows the loads
 * where they are used, one after the other through one register, which does not match the waits that are counted. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "model/code/code.h"

typedef struct {
	const PtxFunction *function;
	uint64_t *live;
	uint32_t count, most;
} Pressure;

/* Pointers and products of index arithmetic are one register wide there; a double is two. */
static uint32_t registers_of(const PtxFunction *f, uint32_t reg) {
	const PtxType t = f->regs[reg].type;
	return t == T_PRED ? 0 : t == T_F64 ? 2 : 1;
}

static void live_begin(void *data, uint32_t reg) {
	Pressure *p = data;
	if (p->live[reg / 64] >> reg % 64 & 1) return;
	p->live[reg / 64] |= 1ull << reg % 64;
	p->count += registers_of(p->function, reg);
	if (p->count > p->most) p->most = p->count;
}

static void live_end(void *data, uint32_t reg) {
	Pressure *p = data;
	if (!(p->live[reg / 64] >> reg % 64 & 1)) return;
	p->live[reg / 64] &= ~(1ull << reg % 64);
	p->count -= registers_of(p->function, reg);
}

/* --- loads in flight ---------------------------------------------------------------------------------------------- */

typedef struct {
	const PtxFunction *function;
	uint32_t *depth;    /* [nregs] loads its value depends on, one after another, in this block */
	uint32_t *block;    /* [nregs] the block it was written in */
	uint32_t *by_depth; /* [ninstrs + 1] registers of the loads of each depth */
	uint32_t now, deepest, words;
} Loads;

static void deepen(void *data, uint32_t reg) {
	Loads *l = data;
	if (l->block[reg] == l->now && l->depth[reg] > l->deepest) l->deepest = l->depth[reg];
}

static void settle(void *data, uint32_t reg) {
	Loads *l = data;
	l->block[reg] = l->now;
	l->depth[reg] = l->deepest;
	l->words += registers_of(l->function, reg);
}

/* Registers of the most loads among instructions first to end that wait together. */
static uint32_t under_way(Loads *l, uint32_t first, uint32_t end) {
	uint32_t most = 0;
	l->now++;
	memset(l->by_depth, 0, (end - first + 1) * sizeof *l->by_depth);
	for (uint32_t i = first; i < end; i++) {
		const PtxInstr *in = &l->function->instrs[i];
		l->deepest = l->words = 0;
		ptx_each_read(in, deepen, l);
		const bool load = code_waits_for_dram(in);
		l->deepest += load;
		ptx_each_written(in, settle, l);
		if (!load) continue;
		uint32_t *together = &l->by_depth[l->deepest];
		*together += l->words;
		if (*together > most) most = *together;
	}
	return most;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* From the last instruction of a block of the graph to its first. */
static void walk_block(const PtxBlock *block, Pressure *p, Loads *loads) {
	uint32_t end = block->end;
	for (uint32_t i = block->end; i-- > block->first;) {
		const PtxInstr *in = &p->function->instrs[i];
		ptx_each_written(in, live_begin, p);
		if (!in->guarded) ptx_each_written(in, live_end, p);
		ptx_each_read(in, live_begin, p);
		if (i > block->first && !code_ends_block(in - 1)) continue;
		const uint32_t together = p->count + under_way(loads, i, end);
		if (together > p->most) p->most = together;
		end = i;
	}
}

uint32_t code_registers_32bit(const PtxCfg *cfg) {
	if (!cfg->live_out) return cfg->max_live_words32;
	const PtxFunction *f = cfg->function;
	Pressure p = {.function = f, .live = xcalloc(cfg->live_words + 1, sizeof(uint64_t))};
	Loads loads = {.function = f,
				   .depth = xcalloc(f->nregs + 1, sizeof(uint32_t)),
				   .block = xcalloc(f->nregs + 1, sizeof(uint32_t)),
				   .by_depth = xcalloc(f->ninstrs + 1, sizeof(uint32_t))};
	for (uint32_t b = 0; b < cfg->nblocks; b++) {
		const uint64_t *out = cfg->live_out + (size_t)b * cfg->live_words;
		memset(p.live, 0, cfg->live_words * sizeof *p.live);
		p.count = 0;
		for (uint32_t r = 0; r < f->nregs; r++)
			if (out[r / 64] >> r % 64 & 1) live_begin(&p, r);
		walk_block(&cfg->blocks[b], &p, &loads);
	}
	free(p.live);
	free(loads.depth);
	free(loads.block);
	free(loads.by_depth);
	return p.most > 2 ? p.most : 2;
}
