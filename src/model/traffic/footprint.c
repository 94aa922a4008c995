#include "model/traffic/footprint.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/isas.h"

static Region *find_region(Footprint *f, uint64_t number) {
	uint64_t *index = number_map_at(&f->index, number);
	if (!*index) {
		Region *r = xcalloc(1, sizeof *r);
		r->number = number;
		vec_push(&f->regions, r);
		*index = f->regions.len;
	}
	return f->recent[number % RECENT_REGIONS] = f->regions.data[*index - 1];
}

static inline Region *region_of(Footprint *f, uint64_t number) {
	Region *r = f->recent[number % RECENT_REGIONS];
	return r && r->number == number ? r : find_region(f, number);
}

void footprint_touch(Footprint *f, uint64_t origin, const TouchedLine *lines, uint32_t n, bool store) {
	uint64_t number = UINT64_MAX, *bits = NULL; /* of the last region */
	Region *r = NULL;
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t sector = origin + touched_number(lines[i]) * SECTORS_PER_LINE;
		if (sector >> SECTOR_BITS != number) {
			r = region_of(f, number = sector >> SECTOR_BITS);
			bits = store ? r->written : r->read;
		}
		const uint32_t bit = (uint32_t)sector & (REGION_WORDS * 64 - 1);
		bits[bit / 64] |= (uint64_t)touched_sectors(lines[i]) << (bit % 64);
		r->touched |= UINT64_C(1) << bit / 64;
	}
}

uint32_t footprint_lines(BulkRow *row, TouchedLine *lines) {
	uint64_t sector = row->addr / SECTOR_BYTES;
	const uint64_t end = (row->addr + row->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
	uint32_t n = 0;
	for (; sector < end && n < ROW_LINES; n++) {
		lines[n] = touched_sector(sector);
		while (++sector < end && sector % SECTORS_PER_LINE) lines[n].bits |= 1u << sector % SECTORS_PER_LINE;
	}
	row->bytes = sector < end ? (uint32_t)(row->addr + row->bytes - sector * SECTOR_BYTES) : 0;
	row->addr = sector * SECTOR_BYTES;
	return n;
}

static void merge(Region *to, const Region *from) {
	to->touched |= from->touched;
	for (uint64_t left = from->touched; left; left &= left - 1) {
		const int w = __builtin_ctzll(left);
		to->read[w] |= from->read[w];
		to->written[w] |= from->written[w];
	}
}

void footprint_join(Footprint *to, Footprint *from) {
	for (size_t i = 0; i < from->regions.len; i++) {
		Region *region = from->regions.data[i];
		uint64_t *index = number_map_at(&to->index, region->number);
		if (*index) {
			merge(to->regions.data[*index - 1], region);
			free(region);
			continue;
		}
		vec_push(&to->regions, region);
		*index = to->regions.len;
	}
	from->regions.len = 0;
	footprint_free(from);
}

static inline uint32_t bits_of(uint64_t word) {
	return (uint32_t)__builtin_popcountll(word);
}

MANY_ISAS void footprint_count(const Footprint *f, uint64_t *sectors_read, uint64_t *pairs_read,
							   uint64_t *sectors_written, uint64_t *blind) {
	const uint64_t even = 0x5555555555555555u;
	uint64_t sectors = 0, pairs = 0, stored = 0, unread = 0;
	for (size_t i = 0; i < f->regions.len; i++)
		for (uint64_t left = f->regions.data[i]->touched; left; left &= left - 1) {
			const int w = __builtin_ctzll(left);
			const uint64_t read = f->regions.data[i]->read[w], written = f->regions.data[i]->written[w];
			sectors += bits_of(read);
			pairs += bits_of((read | read >> 1) & even);
			stored += bits_of(written);
			unread += bits_of(written & ~read);
		}
	*sectors_read = sectors;
	*pairs_read = pairs;
	*sectors_written = stored;
	*blind = unread;
}

void footprint_free(Footprint *f) {
	for (size_t i = 0; i < f->regions.len; i++) free(f->regions.data[i]);
	vec_free(&f->regions);
	number_map_free(&f->index);
	*f = (Footprint){0};
}
