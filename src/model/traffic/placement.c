#include "model/traffic/placement.h"

#include <string.h>

/* As the emulator places buffers (emu/memory/memory.c): so the first launch of a session is where its memory is. */
#define FIRST UINT64_C(0x010000000000)
#define END UINT64_C(0x020000000000)
enum { ALIGN = 1 << 20, GAP = 1 << 20 };

Placement placement_of(const LaunchInfo *info) {
	Placement p = {.params = info->params};
	if (info->nfunctions && info->params) p.param_bytes = info->functions[0]->param_bytes;
	uint64_t next = FIRST;
	for (uint32_t i = 0; i < info->nranges && i < PLACEMENT_RANGES; i++) {
		const MemoryRange *r = &info->ranges[i];
		const uint64_t base = (next + ALIGN - 1) / ALIGN * ALIGN + r->base % ALIGN;
		p.of[p.n++] = (PlacedRange){r->base, r->bytes, base - r->base};
		next = base + r->bytes + GAP;
	}
	return p;
}

/* Memory that only pointers in memory lead to keeps its distances, away from the ranges. */
uint64_t placement_find(Placement *p, uint64_t address) {
	for (uint32_t i = 0; i < p->n; i++)
		if (address - p->of[i].base < p->of[i].bytes) return p->of[p->last = i].shift;
	return p->n && address >= FIRST && address < END ? (END - FIRST) / 2 : 0;
}

uint64_t placement_texture(const Placement *p, uint64_t handle) {
	for (size_t at = 0; at + sizeof handle <= p->param_bytes; at += sizeof handle)
		if (memcmp(p->params + at, &handle, sizeof handle) == 0) return at / sizeof handle;
	return handle / 16;
}
