/* cache.h */
#include "replay/cache.h"

#include <stdlib.h>

#include "base/arena.h"

ReplayCache replay_cache_new(uint32_t lines) {
	const uint32_t nsets = lines / CACHE_WAYS;
	return (ReplayCache){
		.sets = xcalloc(nsets + 1, sizeof(ReplaySet)), .nsets = nsets, .inverse = nsets ? UINT64_MAX / nsets + 1 : 0};
}

void replay_cache_free(ReplayCache *cache) {
	free(cache->sets);
	*cache = (ReplayCache){0};
}

/* hash % nsets, without a division: exact for 32 bits (Lemire, Kaser, Kurz: Faster remainder by direct computation,
 * 2019). */
static inline ReplaySet *set_of(const ReplayCache *cache, uint64_t line) {
	const uint32_t hash = (uint32_t)(line * UINT64_C(0x9E3779B97F4A7C15) >> 32);
	return &cache->sets[(uint64_t)((unsigned __int128)(cache->inverse * hash) * cache->nsets >> 64)];
}

double replay_cache_lookup(ReplayCache *cache, uint64_t sector, double now, ReplayMiss *miss) {
	const uint64_t line = sector >> 2;
	const uint8_t bit = (uint8_t)(1u << (sector & 3));
	ReplaySet *set = set_of(cache, line);
	for (unsigned i = 0; i < CACHE_WAYS; i++) {
		if (set->tag[i] != line + 1) continue;
		if (set->sectors[i] & bit) return set->filled[i] > now ? set->filled[i] : now;
		set->sectors[i] |= bit;
		*miss = (ReplayMiss){set, line, (uint8_t)i};
		return -1;
	}
	const uint8_t victim = set->oldest++ % CACHE_WAYS;
	set->tag[victim] = line + 1;
	set->sectors[victim] = bit;
	set->filled[victim] = 0;
	*miss = (ReplayMiss){set, line, victim};
	return -1;
}

/* Another sector of the same instruction may have taken the line's place. */
void replay_cache_fill(const ReplayMiss *miss, double at) {
	double *filled = &miss->set->filled[miss->way];
	if (miss->set->tag[miss->way] == miss->line + 1 && at > *filled) *filled = at;
}
