/* race.h: memory for the parts of pages, which is freed all at once. */
#include <stdlib.h>
#include <sys/mman.h>

#include "emu/check/race.h"

enum { CHUNK = 4 << 20 /* bytes */ };

void *race_room(Race *r, size_t bytes) {
	if (r->chunk_left < bytes) {
		shadow_take(r->checker.info.shadow, "race", CHUNK);
		uint8_t *chunk = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (chunk == MAP_FAILED) abort();
#ifdef MADV_HUGEPAGE
		madvise(chunk, CHUNK, MADV_HUGEPAGE);
#endif
		vec_push(&r->chunks, chunk);
		r->chunk_left = CHUNK;
	}
	uint8_t *at = vec_last(&r->chunks) + (CHUNK - r->chunk_left);
	r->chunk_left -= bytes;
	return at;
}

void race_room_free(Race *r) {
	for (size_t i = 0; i < r->chunks.len; i++) munmap(r->chunks.data[i], CHUNK);
	vec_free(&r->chunks);
	r->chunk_left = 0;
}
