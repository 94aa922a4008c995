/* Sources of asynchronous copies for the race checker: what cp.async reads may be written only once it was waited for,
 * also by the thread that started the copy, and also behind a barrier: neither waits for it. Stores of other blocks
 * race with the copy's load as with any other (race_shadow.c). */
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
