/* Rules of global memory, against patterns worked out by hand, and against a slow and obvious reference. */
#include "check.h"

#include <stdlib.h>

static GlobalCost cost_of(const char *gpu, uint64_t base, int64_t step, uint32_t mask, uint32_t width,
						  Segment *segments) {
	uint64_t addr[32];
	lanes(addr, base, step);
	return gpu_global_cost(need(gpu), addr, mask, width, false, segments);
}

#define expect(cost, req, trans, moved)                                                                                \
	do {                                                                                                               \
		GlobalCost c_ = (cost);                                                                                        \
		assert_int_equal(c_.requests, (req));                                                                          \
		assert_int_equal(c_.transactions, (trans));                                                                    \
		assert_int_equal(c_.bytes, (moved));                                                                           \
	} while (0)

static void strict_half_warps(void **state) {
	const char *gpu = "8800 GTX";
	expect(cost_of(gpu, 0x1000, 4, ALL, 4, NULL), 2, 2, 128);
	expect(cost_of(gpu, 0x1000, 8, ALL, 8, NULL), 2, 2, 256);
	expect(cost_of(gpu, 0x1000, 16, ALL, 16, NULL), 2, 4, 512);
	expect(cost_of(gpu, 0x1004, 4, ALL, 4, NULL), 2, 32, 1024); /* one off: every element alone */
	expect(cost_of(gpu, 0x1000, 8, ALL, 4, NULL), 2, 32, 1024); /* stride 2 */
	expect(cost_of(gpu, 0x1000, 0, ALL, 4, NULL), 2, 32, 1024); /* the same word is not in lane order */
	expect(cost_of(gpu, 0x1000, 1, ALL, 1, NULL), 2, 32, 1024); /* bytes never coalesce */
	/* lanes that are off leave holes but nothing breaks */
	expect(cost_of(gpu, 0x1000, 4, 0x0000fff0, 4, NULL), 1, 1, 64);
	expect(cost_of(gpu, 0x1000, 4, 0x00010001, 4, NULL), 2, 2, 128);
	expect(cost_of(gpu, 0x1004, 4, 0x00000007, 4, NULL), 1, 3, 96);
	uint64_t addr[32];
	lanes(addr, 0x1000, 4);
	uint64_t swap = addr[3];
	addr[3] = addr[4], addr[4] = swap; /* permuted: half a warp falls apart, the other does not */
	expect(gpu_global_cost(need(gpu), addr, ALL, 4, false, NULL), 2, 17, 16 * 32 + 64);
}

static void shrinking_segments(void **state) {
	const char *gpu = "GTX 280";
	Segment s[MAX_SEGMENTS];
	expect(cost_of(gpu, 0x1000, 4, ALL, 4, s), 2, 2, 128);
	assert_int_equal(s[0].base, 0x1000);
	assert_int_equal(s[0].bytes, 64);
	assert_int_equal(s[1].base, 0x1040);
	/* offset by one word: lanes 0..15 lie in [0x1004, 0x1044): one 128 B segment that cannot shrink; lanes 16..31 in
	 * [0x1044, 0x1084): 64 B of one segment and 32 B of the next */
	expect(cost_of(gpu, 0x1004, 4, ALL, 4, s), 2, 3, 128 + 64 + 32);
	assert_int_equal(s[0].bytes, 128);
	assert_int_equal(s[1].base, 0x1040);
	assert_int_equal(s[1].bytes, 64);
	assert_int_equal(s[2].base, 0x1080);
	assert_int_equal(s[2].bytes, 32);
	expect(cost_of(gpu, 0x1020, 4, ALL, 4, NULL), 2, 3, 128 + 32 + 32); /* half of it in each: [60,80) and [80,a0) */
	expect(cost_of(gpu, 0x1000, 8, ALL, 4, NULL), 2, 2, 256);           /* stride 2: whole 128 B segments */
	expect(cost_of(gpu, 0x1000, 128, ALL, 4, NULL), 2, 32, 1024);       /* each in its own segment, shrunk to 32 B */
	expect(cost_of(gpu, 0x1000, 16000, ALL, 4, NULL), 2, 32, 1024);
	expect(cost_of(gpu, 0x1000, 0, ALL, 4, NULL), 2, 2, 64);
	expect(cost_of(gpu, 0x1000, 8, ALL, 8, NULL), 2, 2, 256);
	expect(cost_of(gpu, 0x1000, 16, ALL, 16, NULL), 2, 4, 512);
	expect(cost_of(gpu, 0x1000, 1, ALL, 1, NULL), 2, 2, 64);          /* 1-byte words: 32 B segments */
	expect(cost_of(gpu, 0x1000, 2, ALL, 2, NULL), 2, 2, 64);          /* 2-byte words: 64 B, half used */
	expect(cost_of(gpu, 0x1000, -4, 0xffff, 4, NULL), 1, 2, 32 + 64); /* descending is as good as ascending */
	/* permuted inside a segment: free from 1.2 on */
	uint64_t addr[32];
	lanes(addr, 0x1000, 4);
	for (int i = 0; i < 32; i += 2) {
		uint64_t swap = addr[i];
		addr[i] = addr[i + 1], addr[i + 1] = swap;
	}
	expect(gpu_global_cost(need(gpu), addr, ALL, 4, false, NULL), 2, 2, 128);
	expect(cost_of(gpu, 0x1000, 4, 0x00000001, 4, NULL), 1, 1, 32);
	expect(cost_of(gpu, 0x1000, 4, 0x80000000, 4, NULL), 1, 1, 32);
}

static void lines_and_sectors_of_fermi(void **state) {
	uint64_t addr[32];
	const Gpu *gpu = need("GTX 480");
	lanes(addr, 0x1000, 4);
	expect(gpu_global_cost(gpu, addr, ALL, 4, false, NULL), 1, 1, 128);
	expect(gpu_global_cost(gpu, addr, ALL, 4, true, NULL), 1, 4, 128); /* stores go to L2 in sectors */
	lanes(addr, 0x1004, 4);
	expect(gpu_global_cost(gpu, addr, ALL, 4, false, NULL), 1, 2, 256);
	lanes(addr, 0x1000, 8);
	expect(gpu_global_cost(gpu, addr, ALL, 8, false, NULL), 2, 2, 256);
	lanes(addr, 0x1000, 16);
	expect(gpu_global_cost(gpu, addr, ALL, 16, false, NULL), 4, 4, 512);
	lanes(addr, 0x1040, 16); /* quarters of 128 bytes, each across two lines */
	expect(gpu_global_cost(gpu, addr, ALL, 16, false, NULL), 4, 8, 1024);
	lanes(addr, 0x1000, 16000);
	expect(gpu_global_cost(gpu, addr, ALL, 4, false, NULL), 1, 32, 4096);
}

static void sectors(void **state) {
	const char *const gpus[] = {"GTX 680", "GTX 980", "P100", "V100", "H200"};
	for (int i = 0; i < 5; i++) {
		const char *gpu = gpus[i];
		uint32_t halves = i < 2 ? 2 : 1, quarters = i < 2 ? 4 : 1;
		expect(cost_of(gpu, 0x1000, 4, ALL, 4, NULL), 1, 4, 128);
		expect(cost_of(gpu, 0x1004, 4, ALL, 4, NULL), 1, 5, 160);
		expect(cost_of(gpu, 0x1000, 8, ALL, 4, NULL), 1, 8, 256);
		expect(cost_of(gpu, 0x1000, 32, ALL, 4, NULL), 1, 32, 1024);
		expect(cost_of(gpu, 0x1000, 16000, ALL, 4, NULL), 1, 32, 1024);
		expect(cost_of(gpu, 0x1000, 0, ALL, 4, NULL), 1, 1, 32);
		expect(cost_of(gpu, 0x1000, 8, ALL, 8, NULL), halves, 8, 256);
		expect(cost_of(gpu, 0x1000, 16, ALL, 16, NULL), quarters, 16, 512);
		expect(cost_of(gpu, 0x1000, 1, ALL, 1, NULL), 1, 1, 32);
		expect(cost_of(gpu, 0x1000, 4, 0xff, 4, NULL), 1, 1, 32);
		expect(cost_of(gpu, 0x1000, -4, ALL, 4, NULL), 1, 5, 160);
		expect(cost_of(gpu, 0x1000, 4, 0, 4, NULL), 0, 0, 0);
	}
	/* a run of wide words that is not aligned shares sectors between halves: the same sector is asked for twice */
	expect(cost_of("GTX 980", 0x1010, 16, ALL, 16, NULL), 4, 20, 640);
	expect(cost_of("H200", 0x1010, 16, ALL, 16, NULL), 1, 17, 544);
}

/* --- against a reference ------------------------------------------------------------------------------------------ */

static int by_value(const void *a, const void *b) {
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* Every byte of every lane, then sort. */
static uint32_t slow_units(const uint64_t *addr, uint32_t mask, uint32_t width, uint32_t unit) {
	uint64_t touched[32 * 16];
	size_t n = 0;
	for (int i = 0; i < 32; i++)
		for (uint32_t b = 0; b < width && mask >> i & 1; b++) touched[n++] = (addr[i] + b) / unit;
	qsort(touched, n, sizeof touched[0], by_value);
	uint32_t distinct = 0;
	for (size_t i = 0; i < n; i++) distinct += !i || touched[i] != touched[i - 1];
	return distinct;
}

/* The guide's algorithm for 1.2 and 1.3, literally: lowest lane, its segment, everybody in it, shrink, repeat. */
/* Are the segments those of the lanes, each where it comes first? */
static bool in_order(const Segment *segments, uint32_t n, const uint64_t *addr, uint32_t mask, uint32_t width) {
	uint32_t found = 0;
	for (int i = 0; i < 32; i++)
		for (uint32_t b = 0; b < width && mask >> i & 1; b++) {
			uint32_t k = 0;
			while (k < found && segments[k].base != (addr[i] + b) / 32 * 32) k++;
			if (k < found) continue;
			if (found == n || segments[found].base != (addr[i] + b) / 32 * 32) return false;
			found++;
		}
	return found == n;
}

static GlobalCost slow_segments(const uint64_t *addr, uint32_t mask, uint32_t width) {
	GlobalCost cost = {0};
	for (int half = 0; half < 2; half++) {
		uint32_t pending = mask & 0xffffu << (16 * half);
		cost.requests += pending != 0;
		while (pending) {
			uint32_t size = width == 1 ? 32 : width == 2 ? 64 : 128;
			uint64_t base = addr[__builtin_ctz(pending)] / size * size, low = base + size, high = base;
			for (int i = 0; i < 32; i++)
				if (pending >> i & 1 && addr[i] / size * size == base) {
					pending &= ~(1u << i);
					if (addr[i] < low) low = addr[i];
					if (addr[i] + width - 1 > high) high = addr[i] + width - 1;
				}
			while (size > 32) {
				if (high < base + size / 2)
					size /= 2;
				else if (low >= base + size / 2)
					base += size / 2, size /= 2;
				else
					break;
			}
			cost.transactions++;
			cost.bytes += size;
		}
	}
	return cost;
}

static void random_addresses(uint64_t addr[32], uint32_t *mask, uint32_t width, uint64_t *seed) {
	uint64_t base = 0x7f0000000000u + (uint64_t)next_random(seed) % 4096 * 16;
	uint32_t shape = next_random(seed) % 5, range = 1u << next_random(seed) % 14;
	int64_t step = (int64_t)(next_random(seed) % 80) - 16;
	for (int i = 0; i < 32; i++) {
		uint64_t word = shape == 0   ? (uint64_t)i
						: shape == 1 ? (uint64_t)(i * step)
						: shape == 2 ? next_random(seed) % range
						: shape == 3 ? (uint64_t)(i ^ 5)
									 : (uint64_t)(i / (1 + (int)(range % 7)));
		addr[i] = base / width * width + word * width;
	}
	*mask = next_random(seed) % 3 ? UINT32_MAX : next_random(seed);
}

static void random_patterns_match_the_reference(void **state) {
	uint64_t seed = 88172645463325252u;
	const uint32_t widths[] = {1, 2, 4, 8, 16};
	for (int round = 0; round < 50000; round++) {
		uint64_t addr[32];
		uint32_t mask, width = widths[next_random(&seed) % 5];
		random_addresses(addr, &mask, width, &seed);
		Segment segments[MAX_SEGMENTS];
		GlobalCost c = gpu_global_cost(need("H200"), addr, mask, width, false, segments);
		assert_int_equal(c.transactions, slow_units(addr, mask, width, 32));
		assert_int_equal(c.bytes, 32 * c.transactions);
		assert_true(in_order(segments, c.transactions, addr, mask, width));

		c = gpu_global_cost(need("GTX 280"), addr, mask, width, false, NULL);
		GlobalCost slow = slow_segments(addr, mask, width);
		assert_int_equal(c.transactions, slow.transactions);
		assert_int_equal(c.bytes, slow.bytes);
		assert_int_equal(c.requests, slow.requests);

		uint32_t lines = 0, at_once = width <= 4 ? 32 : width == 8 ? 16 : 8;
		for (uint32_t first = 0; first < 32; first += at_once)
			lines += slow_units(addr, mask & (uint32_t)((((uint64_t)1 << at_once) - 1) << first), width, 128);
		assert_int_equal(gpu_global_cost(need("GTX 480"), addr, mask, width, false, NULL).transactions, lines);
	}
}

/* Addresses that are not multiples of the width fault before they are counted; counting them must still not go
 * astray. */
static void straddling_words_stay_in_bounds(void **state) {
	uint64_t seed = 12345;
	for (int round = 0; round < 20000; round++) {
		uint64_t addr[32];
		uint32_t width = 1 + next_random(&seed) % 16, mask = next_random(&seed) | 1;
		for (int i = 0; i < 32; i++) addr[i] = next_random(&seed) % 8192;
		Segment segments[MAX_SEGMENTS];
		for (size_t g = 0; gpu_at(g); g++) {
			GlobalCost c = gpu_global_cost(gpu_at(g), addr, mask, width, round & 1, segments);
			assert_true(c.transactions >= 1 && c.transactions <= MAX_SEGMENTS);
		}
		assert_int_equal(gpu_global_cost(need("H200"), addr, mask, width, false, NULL).transactions,
						 slow_units(addr, mask, width, 32));
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strict_half_warps),
		cmocka_unit_test(shrinking_segments),
		cmocka_unit_test(lines_and_sectors_of_fermi),
		cmocka_unit_test(sectors),
		cmocka_unit_test(random_patterns_match_the_reference),
		cmocka_unit_test(straddling_words_stay_in_bounds),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
