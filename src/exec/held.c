#include "exec/held.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"

static Held *held_of(const OrderedEntry *e) {
	return e ? (Held *)(uintptr_t)e->value : NULL; /* NOLINT(performance-no-int-to-ptr) */
}

Held *held_add(HeldMap *all, uint64_t addr, uint64_t bytes, const char *name) {
	Held *held = xcalloc(1, sizeof *held);
	held->addr = addr;
	held->bytes = bytes;
	snprintf(held->name, sizeof held->name, "%s", name);
	*ordered_at(&all->map, addr) = (uintptr_t)held;
	return held;
}

Held *held_at(const HeldMap *all, uint64_t addr) {
	Held *h = held_of(ordered_floor(&all->map, addr));
	return h && addr - h->addr < h->bytes ? h : NULL;
}

void held_remove(HeldMap *all, Held *held) {
	ordered_remove(&all->map, held->addr);
	blob_drop(held->last);
	free(held);
}

void held_free(HeldMap *all) {
	for (Held *h; (h = held_first(all));) held_remove(all, h);
	ordered_free(&all->map);
}

Held *held_first(const HeldMap *all) {
	return held_of(ordered_first(&all->map));
}

Held *held_next(const HeldMap *all, const Held *held) {
	return held_of(ordered_ceiling(&all->map, held->addr + 1));
}
