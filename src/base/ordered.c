/* ordered.h */
#include "base/ordered.h"

#include <assert.h>
#include <string.h>

enum { MOST = 256 }; /* keys of a part */

struct OrderedPart {
	uint32_t n;
	OrderedEntry entries[MOST]; /* by key */
};

/* How many parts begin at or below the key. */
static size_t parts_to(const OrderedMap *o, uint64_t key) {
	size_t low = 0, high = o->parts.len;
	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (o->parts.data[middle]->entries[0].key <= key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* How many of its keys are at or below the key. */
static uint32_t entries_to(const OrderedPart *p, uint64_t key) {
	uint32_t low = 0, high = p->n;
	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (p->entries[middle].key <= key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void insert_part(OrderedMap *o, size_t at, OrderedPart *p) {
	vec_push(&o->parts, p);
	memmove(&o->parts.data[at + 1], &o->parts.data[at], (o->parts.len - 1 - at) * sizeof p);
	o->parts.data[at] = p;
}

/* Its upper half goes to a new part behind it. */
static void split(OrderedMap *o, size_t at) {
	OrderedPart *p = o->parts.data[at], *upper = xmalloc(sizeof *upper);
	assert(p->n == MOST);
	upper->n = MOST / 2;
	p->n -= upper->n;
	memcpy(upper->entries, &p->entries[p->n], upper->n * sizeof *upper->entries);
	insert_part(o, at + 1, upper);
}

/* A part with room for the key, whose neighbors' keys are on its two sides. Keys that grow leave full parts. */
static OrderedPart *part_for(OrderedMap *o, uint64_t key) {
	size_t at = parts_to(o, key);
	if (at) at--;
	const bool is_last = at + 1 >= o->parts.len;
	const OrderedPart *p = o->parts.len ? o->parts.data[at] : NULL;
	if (p && p->n < MOST) return o->parts.data[at];
	if (!p || (is_last && key > p->entries[p->n - 1].key)) {
		insert_part(o, o->parts.len, xcalloc(1, sizeof *p));
		return vec_last(&o->parts);
	}
	split(o, at);
	return o->parts.data[key >= o->parts.data[at + 1]->entries[0].key ? at + 1 : at];
}

uint64_t *ordered_at(OrderedMap *o, uint64_t key) {
	OrderedEntry *there = (OrderedEntry *)ordered_floor(o, key);
	if (there && there->key == key) return &there->value;
	OrderedPart *p = part_for(o, key);
	const uint32_t at = entries_to(p, key);
	memmove(&p->entries[at + 1], &p->entries[at], (p->n - at) * sizeof *p->entries);
	p->entries[at] = (OrderedEntry){key, 0};
	p->n++;
	o->count++;
	return &p->entries[at].value;
}

bool ordered_remove(OrderedMap *o, uint64_t key) {
	const size_t part = parts_to(o, key);
	OrderedPart *p = part ? o->parts.data[part - 1] : NULL;
	const uint32_t at = p ? entries_to(p, key) : 0;
	if (!at || p->entries[at - 1].key != key) return false;
	memmove(&p->entries[at - 1], &p->entries[at], (p->n - at) * sizeof *p->entries);
	o->count--;
	if (--p->n) return true;
	memmove(&o->parts.data[part - 1], &o->parts.data[part], (o->parts.len - part) * sizeof p);
	o->parts.len--;
	free(p);
	return true;
}

void ordered_free(OrderedMap *o) {
	for (size_t i = 0; i < o->parts.len; i++) free(o->parts.data[i]);
	vec_free(&o->parts);
	o->count = 0;
}

const OrderedEntry *ordered_floor(const OrderedMap *o, uint64_t key) {
	const size_t part = parts_to(o, key);
	if (!part) return NULL;
	const OrderedPart *p = o->parts.data[part - 1];
	return &p->entries[entries_to(p, key) - 1];
}

const OrderedEntry *ordered_ceiling(const OrderedMap *o, uint64_t key) {
	const size_t part = parts_to(o, key);
	const OrderedPart *p = part ? o->parts.data[part - 1] : NULL;
	const uint32_t at = p ? entries_to(p, key) : 0;
	if (at && p->entries[at - 1].key == key) return &p->entries[at - 1];
	if (p && at < p->n) return &p->entries[at];
	return part < o->parts.len ? &o->parts.data[part]->entries[0] : NULL;
}
