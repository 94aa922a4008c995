#include "model/traffic/footprint.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static Region *region_of(Footprint *f, uint64_t number) {
	uint64_t *index = number_map_at(&f->index, number);
	if (!*index) {
		Region *r = xcalloc(1, sizeof *r);
		r->number = number;
		vec_push(&f->regions, r);
		*index = f->regions.len;
	}
	return f->last = f->regions.data[*index - 1];
}

void footprint_touch(Footprint *f, const Segment *segments, uint32_t n, bool store) {
	Region *r = f->last;
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t number = segments[i].base >> REGION_SHIFT;
		if (!r || r->number != number) r = region_of(f, number);
		const uint32_t sector = (uint32_t)(segments[i].base >> 5) & (REGION_WORDS * 64 - 1);
		const uint64_t bits = (UINT64_C(1) << segments[i].bytes / 32) - 1;
		(store ? r->written : r->read)[sector / 64] |= bits << (sector % 64);
	}
}

uint32_t segments_lines(const Segment *segments, uint32_t n) {
	uint32_t lines = 0;
	for (uint32_t i = 0; i < n; i++) lines += !i || segments[i].base >> 7 != segments[i - 1].base >> 7;
	return lines;
}

uint32_t segments_sectors(const Segment *segments, uint32_t n) {
	uint32_t bytes = 0;
	for (uint32_t i = 0; i < n; i++) bytes += segments[i].bytes;
	return bytes / 32;
}

uint32_t footprint_lines(BulkRow *row, Segment *lines) {
	const uint64_t end = (row->addr + row->bytes + 31) & ~UINT64_C(31);
	uint64_t at = row->addr & ~UINT64_C(31);
	uint32_t n = 0;
	for (uint64_t next; at < end && n < ROW_LINES; at = next) {
		next = (at | 127) + 1 < end ? (at | 127) + 1 : end;
		lines[n++] = (Segment){.base = at, .bytes = (uint32_t)(next - at)};
	}
	row->bytes = at < end ? (uint32_t)(row->addr + row->bytes - at) : 0;
	row->addr = at;
	return n;
}

void footprint_merge(Footprint *to, const Footprint *from) {
	for (size_t i = 0; i < from->regions.len; i++) {
		const Region *source = from->regions.data[i];
		Region *r = region_of(to, source->number);
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
	for (size_t i = 0; i < f->regions.len; i++)
		for (int w = 0; w < REGION_WORDS; w++) {
			const uint64_t read = f->regions.data[i]->read[w], written = f->regions.data[i]->written[w];
			*sectors_read += (uint64_t)__builtin_popcountll(read);
			*pairs_read += (uint64_t)__builtin_popcountll((read | read >> 1) & even);
			*sectors_written += (uint64_t)__builtin_popcountll(written);
			*blind += (uint64_t)__builtin_popcountll(written & ~read);
		}
}

void footprint_free(Footprint *f) {
	for (size_t i = 0; i < f->regions.len; i++) free(f->regions.data[i]);
	vec_free(&f->regions);
	number_map_free(&f->index);
	*f = (Footprint){0};
}
