/* vec.h: doubling growth. */
#include "base/vec.h"

#include <stdint.h>
#include <string.h>

void vec_grow_(void **data, size_t *cap, size_t need, size_t size) {
	if (need <= *cap) return;
	size_t grown = *cap ? *cap * 2 : 8, bytes;
	if (grown < need) grown = need;
	if (__builtin_mul_overflow(grown, size, &bytes)) bytes = SIZE_MAX; /* which xrealloc refuses */
	*data = xrealloc(*data, bytes);
	*cap = grown;
}

void vec_grow_in_(Arena *arena, void **data, size_t *cap, size_t need, size_t size) {
	if (need <= *cap) return;
	const size_t grown = *cap ? *cap * 2 : 8;
	void *moved = arena_array(arena, grown, size);
	if (*cap) memcpy(moved, *data, *cap * size);
	*data = moved;
	*cap = grown;
}
