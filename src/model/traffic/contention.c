#include "model/traffic/contention.h"

enum { MOST = 1 << 20 };

void contention_add(Contention *c, uint64_t address, uint64_t count) {
	if (!count || (c->counts.count == MOST && !number_map_get(&c->counts, address))) return;
	const uint64_t now = *number_map_at(&c->counts, address) += count;
	if (now > c->most) c->most = now;
}

void contention_merge(Contention *to, const Contention *from) {
	for (size_t i = 0; i < from->counts.size; i++)
		contention_add(to, from->counts.slots[i].key, from->counts.slots[i].value);
}

void contention_free(Contention *c) {
	number_map_free(&c->counts);
	c->most = 0;
}
