/* vec.h: doubling growth. */
#include "base/vec.h"

#include "base/arena.h"

void vec_grow_(void **data, size_t *cap, size_t need, size_t size) {
	if (need <= *cap) return;
	size_t grown = *cap ? *cap * 2 : 8;
	if (grown < need) grown = need;
	*data = xrealloc(*data, grown * size);
	*cap = grown;
}
