#include "model/contention.h"

#include <stdlib.h>

#include "base/arena.h"

enum { FIRST = 256, MOST = 1 << 20 };

static Contended *slot_of(const Contention *c, uint64_t address) {
	size_t i = (size_t)((address * 0x9E3779B97F4A7C15u) >> 32) & (c->capacity - 1);
	while (c->slots[i].count && c->slots[i].address != address) i = (i + 1) & (c->capacity - 1);
	return &c->slots[i];
}

static void grow(Contention *c) {
	Contention larger = {.capacity = c->capacity ? 2 * c->capacity : FIRST, .n = c->n, .most = c->most};
	larger.slots = xcalloc(larger.capacity, sizeof *larger.slots);
	for (size_t i = 0; i < c->capacity; i++)
		if (c->slots[i].count) *slot_of(&larger, c->slots[i].address) = c->slots[i];
	free(c->slots);
	*c = larger;
}

void contention_add(Contention *c, uint64_t address, uint64_t count) {
	if (!c->capacity) grow(c);
	Contended *slot = slot_of(c, address);
	if (!slot->count) {
		if (c->n == MOST) return;
		if (2 * ++c->n > c->capacity) {
			grow(c);
			slot = slot_of(c, address);
		}
		slot->address = address;
	}
	slot->count += count;
	if (slot->count > c->most) c->most = slot->count;
}

void contention_merge(Contention *to, const Contention *from) {
	for (size_t i = 0; i < from->capacity; i++)
		if (from->slots[i].count) contention_add(to, from->slots[i].address, from->slots[i].count);
}

void contention_free(Contention *c) {
	free(c->slots);
	*c = (Contention){0};
}
