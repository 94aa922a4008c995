/* From numbers to numbers, in the order of the keys: for what is looked up by the nearest key, such as the allocation
 * that contains an address. All zeros: empty. Keys are in short sorted lists, one after the other, so that a change
 * moves a short list, however many keys there are. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

typedef struct {
	uint64_t key, value;
} OrderedEntry;

typedef struct OrderedPart OrderedPart;

typedef struct {
	VEC(OrderedPart *) parts; /* none is empty, and the keys of each are below those of the next */
	size_t count;             /* of keys */
} OrderedMap;

/* Where the key's value is until the next change; a new key has 0. */
uint64_t *ordered_at(OrderedMap *o, uint64_t key);
bool ordered_remove(OrderedMap *o, uint64_t key); /* false: it was not there */
void ordered_free(OrderedMap *o);                 /* empty again */

/* The greatest key up to this one, and the least from this one on, until the next change. NULL: there is none. */
const OrderedEntry *ordered_floor(const OrderedMap *o, uint64_t key);
const OrderedEntry *ordered_ceiling(const OrderedMap *o, uint64_t key);

/* for (const OrderedEntry *e = ordered_first(o); e; e = ordered_next(o, e)) */
static inline const OrderedEntry *ordered_first(const OrderedMap *o) {
	return ordered_ceiling(o, 0);
}

static inline const OrderedEntry *ordered_next(const OrderedMap *o, const OrderedEntry *e) {
	return e->key == UINT64_MAX ? NULL : ordered_ceiling(o, e->key + 1);
}
