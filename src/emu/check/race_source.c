/* Sources for the race checker: those of asynchronous copies, and of loads that assume read-only memory.
 *
 * What cp.async reads may be written only once it was waited for,
 * also by the thread that started the copy, and also behind a barrier: neither waits for it. Stores of other blocks
 * race with the copy's load as with any other (race_shadow.c).
 *
 * What ld.global.nc reads nothing may write as long as the kernel runs, in whatever order: it may come from a cache
 * that no fence and no barrier touches. The cells of a word say what wrote it, and which load was the last. */
#include "emu/check/race_async.h"

enum { MANY = 1 << 14 }; /* words */

bool race_source_copies(const LaunchInfo *info) {
	for (uint32_t f = 0; f < info->nfunctions; f++)
		for (uint32_t i = 0; i < info->functions[f]->ninstrs; i++)
			if (is_word_copy(&info->functions[f]->instrs[i])) return true;
	return false;
}

static void keep(AsyncBlock *s, Shadow *limit, uint64_t word, AsyncWord copy) {
	if (s->sources.len == s->source_room) {
		shadow_take(limit, "race", MANY * (sizeof *s->sources.data + 2 * sizeof(NumberSlot)));
		s->source_room += MANY;
	}
	uint64_t *at = number_map_at(&s->source_at, word + 1);
	if (!*at) {
		vec_push(&s->sources, (AsyncSource){word, copy});
		*at = s->sources.len;
	}
	s->sources.data[*at - 1].copy = copy;
}

/* If a word is copied twice, the later copy is kept: it is complete last, but for another thread's. */
void race_source_read(Race *r, RaceBlock *b, const Access *a) {
	AsyncBlock *s = async_of(r, b);
	FOR_LANES(l, a->mask) {
		const uint32_t thread = a->warp * LANES + l;
		for (uint64_t i = a->addr[l] / 4; i < (a->addr[l] + a->width + 3) / 4; i++)
			keep(s, r->checker.info.shadow, i, (AsyncWord){thread + 1, s->groups[thread], a->instr});
	}
}

void race_source_forget(RaceBlock *b) {
	AsyncBlock *s = b->async;
	size_t kept = 0;
	if (s->sources.len < MANY || s->sources.len < s->source_most) return;
	number_map_free(&s->source_at);
	for (size_t i = 0; i < s->sources.len; i++) {
		const AsyncSource source = s->sources.data[i];
		if (is_complete(s, &source.copy)) continue;
		s->sources.data[kept++] = source;
		*number_map_at(&s->source_at, source.word + 1) = kept;
	}
	s->sources.len = kept;
	s->source_most = 2 * kept;
}

void race_source_written(Race *r, const RaceBlock *b, const Access *a) {
	const AsyncBlock *s = b->async;
	if (!s || !s->sources.len) return;
	FOR_LANES(l, a->mask)
		for (uint64_t i = a->addr[l] / 4; i < (a->addr[l] + a->width + 3) / 4; i++) {
			const uint64_t at = number_map_get(&s->source_at, i + 1);
			const AsyncWord *copy = at ? &s->sources.data[at - 1].copy : NULL;
			if (copy && !is_complete(s, copy))
				async_hit(r, a, l, i * 4, RULE_SOURCE, a->block, copy->thread - 1, copy->instr);
		}
}

/* --- read-only loads ---------------------------------------------------------------------------------------------- */

static bool is_read_only(const PtxInstr *in) {
	return in && in->op == OP_LD && in->space == SPACE_GLOBAL && in->cache == CACHE_NC;
}

bool race_read_only_loads(const LaunchInfo *info) {
	for (uint32_t f = 0; f < info->nfunctions; f++)
		for (uint32_t i = 0; i < info->functions[f]->ninstrs; i++)
			if (is_read_only(&info->functions[f]->instrs[i])) return true;
	return false;
}

static void read_only_hit(Race *r, const RaceBlock *b, const Access *a, uint32_t lane, uint64_t addr, Cell cell,
						  AccessKind kind) {
	const Hit hit = {.rule = RULE_READ_ONLY,
					 .instr = {a->instr, r->instr_of.data[cell_site(cell)]},
					 .block = {b->number, r->block_of.data[cell_time(cell)]},
					 .thread = {a->warp * LANES + lane, cell & CELL_SEVERAL ? NO_INDEX : cell_thread(cell)},
					 .kind = {a->kind, kind},
					 .space = a->space,
					 .width = a->width,
					 .addr = addr,
					 .count = 1};
	hits_add(&r->checker.hits, &hit);
}

static void look_at_word(Race *r, const RaceBlock *b, const Access *a, uint32_t lane, const Page *p, uint64_t addr) {
	const Cell bytes = a->width >= 4 ? ALL_BYTES : ((UINT64_C(1) << a->width) - 1) << (addr & 3) << BYTES_SHIFT;
	const bool loads = a->kind == ACCESS_LOAD;
	for (unsigned k = loads ? CELL_WRITE : CELL_READ; k < (loads ? CELL_READ : CELLS); k++) {
		const Cell cell = line_cell(p->lines[k][line_of(addr)], word_of(addr));
		if (!cell_time(cell) || !cells_overlap(cell, bytes)) continue;
		if (!loads && !is_read_only(instr_at(&r->checker.info, r->instr_of.data[cell_site(cell)]))) continue;
		const AccessKind wrote = cell & CELL_ATOMIC ? ACCESS_ATOMIC : ACCESS_STORE;
		return read_only_hit(r, b, a, lane, addr, cell, loads ? wrote : ACCESS_LOAD);
	}
}

void race_read_only(Race *r, const RaceBlock *b, const Access *a) {
	const uint8_t use = a->kind == ACCESS_LOAD ? USED_STORED : USED_READ;
	const Page *p = NULL;
	uint64_t number = UINT64_MAX;
	if (use == USED_STORED && !is_read_only(instr_at(&r->checker.info, a->instr))) return;
	FOR_LANES(l, a->mask)
		for (uint64_t at = a->addr[l]; at < a->addr[l] + a->width; at += 4) {
			if (at >> PAGE_SHIFT != number) p = race_page_find(r, at);
			number = at >> PAGE_SHIFT;
			if (p && p->used & use) look_at_word(r, b, a, l, p, at);
		}
}
