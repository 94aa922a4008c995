/* written.h: bits for bytes (Allocation.written), eight of them at a time where it matters. */
#include <string.h>

#include "emu/machine/internal.h"
#include "emu/machine/written.h"

#define UNTOUCHED UINT32_C(0xfff5fdf5)
enum { WORD = sizeof(uint32_t), BLOCK = 64 /* bytes that have 64 bits */ };

static Allocation *tracked(Machine *m, uint64_t addr, size_t bytes) {
	Allocation *a = memory_find(m->memory, addr);
	return a && !a->freed && a->written && bytes <= a->bytes - (addr - a->base) ? a : NULL;
}

static bool is_awaited(const Allocation *a) {
	return a->base >= PLACED_BASE && a->base < HEAP_BASE;
}

void machine_await_host(Machine *m, uint64_t addr) {
	const uint32_t word = UNTOUCHED;
	machine_track_fresh(m, addr);
	Allocation *a = tracked(m, addr, 0);
	for (size_t i = 0; a && i < a->bytes; i += WORD)
		memcpy(a->host + i, &word, a->bytes - i < WORD ? a->bytes - i : WORD);
}

static bool block_is_written(const Allocation *a, size_t at) {
	uint64_t bits;
	if (at % BLOCK || a->bytes - at < BLOCK) return false;
	memcpy(&bits, a->written + at / 8, sizeof bits);
	return bits == UINT64_MAX;
}

/* A word that the host wrote a part of counts as written. */
void machine_look_for_host(Machine *m, uint64_t addr) {
	const uint32_t word = UNTOUCHED;
	Allocation *a = tracked(m, addr, 0);
	if (!a || !is_awaited(a)) return;
	for (size_t i = 0, n; i < a->bytes; i += n) {
		n = block_is_written(a, i) ? BLOCK : a->bytes - i < WORD ? a->bytes - i : WORD;
		if (n <= WORD && memcmp(a->host + i, &word, n) != 0) allocation_mark(a, i, n);
	}
}

/* The end of the range from `at` on whose bytes are all written, or all unwritten. */
static size_t range_end(const Allocation *a, size_t at, size_t end, bool *written) {
	*written = allocation_written(a, at, 1);
	const uint8_t same = *written ? 0xff : 0;
	while (at < end) {
		if (at % 8 == 0 && end - at >= 8 && a->written[at / 8] == same)
			at += 8;
		else if (allocation_written(a, at, 1) == *written)
			at++;
		else
			break;
	}
	return at;
}

static void unmark(Allocation *a, size_t at, size_t bytes) {
	for (; bytes; at++, bytes--) {
		if (at % 8 == 0 && bytes >= 8) {
			memset(a->written + at / 8, 0, bytes / 8);
			at += bytes / 8 * 8;
			bytes %= 8;
			if (!bytes) return;
		}
		a->written[at / 8] &= (uint8_t) ~(1u << at % 8);
	}
}

/* Of a variable it is known from its first copy on: what that leaves as zeros, nothing has written. */
static void track_variable(Machine *m, uint64_t to, size_t bytes) {
	const Allocation *a = memory_find(m->memory, to);
	size_t used = a ? a->bytes : 0;
	if (!a || a->written || (a->kind != ALLOC_CONST && a->kind != ALLOC_GLOBAL)) return;
	while (used && !a->host[used - 1]) used--;
	if (to == a->base && used <= bytes) machine_track_fresh(m, to);
}

void machine_move_written(Machine *m, uint64_t to, uint64_t from, size_t bytes) {
	track_variable(m, to, bytes);
	Allocation *a = tracked(m, to, bytes), *source = from ? tracked(m, from, bytes) : NULL;
	if (!a || !bytes) return;
	const size_t at = to - a->base;
	if (source) machine_look_for_host(m, from);
	if (!source) allocation_mark(a, at, bytes);
	for (size_t i = 0, n; source && i < bytes; i += n) {
		bool written;
		const size_t first = from - source->base + i;
		n = range_end(source, first, first + bytes - i, &written) - first;
		if (written)
			allocation_mark(a, at + i, n);
		else
			unmark(a, at + i, n);
	}
}

bool machine_gap(Machine *m, uint64_t addr, size_t bytes, size_t from, Gap *out) {
	const Allocation *a = tracked(m, addr, bytes);
	if (!a) return false;
	const size_t first = addr - a->base, end = first + bytes;
	for (size_t at = first + from, next; at < end; at = next) {
		bool written;
		next = range_end(a, at, end, &written);
		*out = (Gap){at - first, next - at};
		if (!written) return true;
	}
	return false;
}
