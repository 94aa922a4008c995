#include "model/footprint.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static size_t slot_of(const Footprint *f, uint64_t number) {
	size_t i = (size_t)((number * 0x9E3779B97F4A7C15u) >> 32) & (f->capacity - 1);
	while (f->slots[i] && f->slots[i]->number != number) i = (i + 1) & (f->capacity - 1);
	return i;
}

static void grow(Footprint *f) {
	Footprint larger = {.capacity = f->capacity ? 2 * f->capacity : 64, .count = f->count};
	larger.slots = xcalloc(larger.capacity, sizeof *larger.slots);
	for (size_t i = 0; i < f->capacity; i++)
		if (f->slots[i]) larger.slots[slot_of(&larger, f->slots[i]->number)] = f->slots[i];
	free(f->slots);
	*f = larger;
}

static Region *region(Footprint *f, uint64_t number) {
	if (f->last && f->last->number == number) return f->last;
	if (4 * (f->count + 1) > 3 * f->capacity) grow(f);
	size_t i = slot_of(f, number);
	if (!f->slots[i]) {
		f->slots[i] = xcalloc(1, sizeof(Region));
		f->slots[i]->number = number;
		f->count++;
	}
	return f->last = f->slots[i];
}

void footprint_touch(Footprint *f, uint64_t sector_address, bool store) {
	Region *r = region(f, sector_address >> REGION_SHIFT);
	uint32_t sector = (uint32_t)(sector_address >> 5) & (REGION_WORDS * 64 - 1);
	(store ? r->written : r->read)[sector / 64] |= (uint64_t)1 << (sector % 64);
}

void footprint_merge(Footprint *to, const Footprint *from) {
	for (size_t i = 0; i < from->capacity; i++) {
		const Region *source = from->slots[i];
		if (!source) continue;
		Region *r = region(to, source->number);
		for (int w = 0; w < REGION_WORDS; w++) {
			r->read[w] |= source->read[w];
			r->written[w] |= source->written[w];
		}
	}
}

void footprint_count(const Footprint *f, uint64_t *sectors_read, uint64_t *pairs_read, uint64_t *sectors_written,
					 uint64_t *blind) {
	const uint64_t even = 0x5555555555555555u;
	*sectors_read = *pairs_read = *sectors_written = *blind = 0;
	for (size_t i = 0; i < f->capacity; i++)
		for (int w = 0; f->slots[i] && w < REGION_WORDS; w++) {
			uint64_t read = f->slots[i]->read[w];
			*sectors_read += (uint64_t)__builtin_popcountll(read);
			*pairs_read += (uint64_t)__builtin_popcountll((read | read >> 1) & even);
			*sectors_written += (uint64_t)__builtin_popcountll(f->slots[i]->written[w]);
			*blind += (uint64_t)__builtin_popcountll(f->slots[i]->written[w] & ~read);
		}
}

void footprint_free(Footprint *f) {
	for (size_t i = 0; i < f->capacity; i++) free(f->slots[i]);
	free(f->slots);
	*f = (Footprint){0};
}
