#include "emu/count/share.h"

#include "base/arena.h"

enum { WARPS = 32, WORD = 4, PAIR = 2, FEW = 8 };

struct Share {
	uint64_t words[WARPS][LANES], with_few[WARPS][LANES];
	uint64_t requests[WARPS], global_words[WARPS]; /* of global memory */
	uint64_t lone;
};

Share *share_new(void) {
	return xcalloc(1, sizeof(Share));
}

void share_load(Share *s, const Access *a) {
	const uint32_t words = (a->width + WORD - 1) / WORD, warp = a->warp % WARPS;
	const int lanes = __builtin_popcount(a->mask);
	FOR_LANES(lane, a->mask) {
		s->words[warp][lane] += words;
		if (lanes <= FEW) s->with_few[warp][lane] += words;
	}
	if (a->space == SPACE_GLOBAL) {
		s->requests[warp]++;
		s->global_words[warp] += (uint64_t)lanes * words;
	}
	if (lanes <= PAIR) s->lone += words;
}

static uint64_t larger(uint64_t a, uint64_t b) {
	return a > b ? a : b;
}

ShareCounts share_counts(const Share *s) {
	ShareCounts most = {.lone = s->lone};
	for (uint32_t w = 0; w < WARPS; w++) {
		most.warp = larger(most.warp, s->requests[w]);
		most.warp_words = larger(most.warp_words, s->global_words[w]);
		for (uint32_t l = 0; l < LANES; l++) {
			most.words += s->words[w][l];
			most.thread = larger(most.thread, s->words[w][l]);
			most.lone_thread = larger(most.lone_thread, s->with_few[w][l]);
		}
	}
	return most;
}
