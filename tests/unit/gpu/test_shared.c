/* Rules of shared memory: the lecture's patterns worked out by hand, and random ones against a slow reference. */
#include "check.h"

#include <math.h>
#include <string.h>

#define expect(cost, req, waves, best)                                                                                 \
	do {                                                                                                               \
		SharedCost c_ = (cost);                                                                                        \
		assert_int_equal(c_.requests, (req));                                                                          \
		assert_int_equal(c_.wavefronts, (waves));                                                                      \
		assert_int_equal(c_.ideal, (best));                                                                            \
	} while (0)

static SharedCost load(const char *gpu, uint64_t base, int64_t step, uint32_t mask, uint32_t width) {
	uint64_t addr[32];
	lanes(addr, base, step);
	return gpu_shared_cost(need(gpu), addr, mask, width, false);
}

static uint32_t gcd(uint32_t a, uint32_t b) {
	return b ? gcd(b, a % b) : a;
}

/* s[tid + offset]: never a conflict on banks of 32 bits. */
static void offsets_are_free(void **state) {
	for (uint64_t offset = 0; offset <= 33; offset++) {
		expect(load("GTX 280", 4 * offset, 4, ALL, 4), 2, 2, 2);
		expect(load("GTX 480", 4 * offset, 4, ALL, 4), 1, 1, 1);
		expect(load("GTX 680", 4 * offset, 4, ALL, 4), 1, 1, 1);
		expect(load("H200", 4 * offset, 4, ALL, 4), 1, 1, 1);
	}
}

/* s[tid * c]: as many passes as c shares with the banks; odd c is free. */
static void strides_conflict_by_common_factor(void **state) {
	for (uint32_t c = 1; c <= 33; c++) {
		expect(load("GTX 280", 0, 4 * c, ALL, 4), 2, 2 * gcd(c, 16), 2);
		expect(load("Tesla C1060", 64, 4 * c, ALL, 4), 2, 2 * gcd(c, 16), 2);
		expect(load("GTX 480", 0, 4 * c, ALL, 4), 1, gcd(c, 32), 1);
		expect(load("GTX 980", 0, 4 * c, ALL, 4), 1, gcd(c, 32), 1);
		expect(load("H200", 128, 4 * c, ALL, 4), 1, gcd(c, 32), 1);
		expect(load("H200", 33 * 128, -4 * (int64_t)c, ALL, 4), 1, gcd(c, 32), 1);
	}
	/* 64-bit banks: a stride of two words is free, too, and others conflict half as much */
	expect(load("Tesla K40", 0, 8, ALL, 4), 1, 1, 1);
	expect(load("Tesla K40", 0, 16, ALL, 4), 1, 2, 1);
	expect(load("Tesla K40", 0, 128, ALL, 4), 1, 16, 1);
	expect(load("Tesla K40", 0, 132, ALL, 4), 1, 1, 1);
	expect(load("Tesla K40", 128, 8, ALL, 4), 1, 2, 1); /* across two aligned 256 bytes: words 64 and 32 */
}

/* s[tid / c]. */
static void shared_words_are_broadcast(void **state) {
	for (int c = 1; c <= 32; c++) {
		uint64_t addr[32];
		for (int i = 0; i < 32; i++) addr[i] = 4u * (uint64_t)(i / c);
		expect(gpu_shared_cost(need("GTX 480"), addr, ALL, 4, false), 1, 1, 1);
		expect(gpu_shared_cost(need("GTX 680"), addr, ALL, 4, false), 1, 1, 1);
		expect(gpu_shared_cost(need("H200"), addr, ALL, 4, false), 1, 1, 1);
	}
	/* cc 1.x: one broadcast word a pass. Half a warp reads 16 / c words, c lanes each: a pass takes one whole word and
	 * one lane of each other word, so it ends after as many passes as there are words, or as a word has lanes. */
	const struct {
		int c;
		uint32_t passes;
	} old[] = {{1, 1}, {2, 2}, {4, 4}, {8, 2}, {16, 1}, {32, 1}};
	for (int k = 0; k < 6; k++) {
		uint64_t addr[32];
		for (int i = 0; i < 32; i++) addr[i] = 4u * (uint64_t)(i / old[k].c);
		expect(gpu_shared_cost(need("GTX 280"), addr, ALL, 4, false), 2, 2 * old[k].passes, 2);
	}
	expect(load("GTX 280", 512, 0, ALL, 4), 2, 2, 2);
	expect(load("H200", 512, 0, ALL, 4), 1, 1, 1);
}

static void bytes_of_one_word(void **state) {
	expect(load("GTX 280", 0, 1, ALL, 1), 2, 8, 2); /* four lanes a word: 4-way, as the guide warns */
	expect(load("GTX 280", 0, 2, ALL, 2), 2, 4, 2);
	expect(load("GTX 480", 0, 1, ALL, 1), 1, 1, 1);
	expect(load("H200", 0, 1, ALL, 1), 1, 1, 1);
	expect(load("H200", 0, 2, ALL, 2), 1, 1, 1);
}

/* The column of a tile: all in one bank; padded by a word: none. */
static void columns_of_tiles(void **state) {
	expect(load("GTX 280", 0, 32 * 4, ALL, 4), 2, 32, 2);
	expect(load("GTX 280", 0, 33 * 4, ALL, 4), 2, 2, 2);
	expect(load("H200", 0, 32 * 4, ALL, 4), 1, 32, 1);
	expect(load("H200", 0, 33 * 4, ALL, 4), 1, 1, 1);
	assert_int_equal(load("H200", 4 * 7, 32 * 4, ALL, 4).worst_bank, 7);
	assert_int_equal(load("GTX 280", 4 * 7, 32 * 4, ALL, 4).worst_bank, 7);
	uint64_t addr[32];
	lanes(addr, 0, 4);
	addr[31] = 4 * (32 + 5), addr[30] = 4 * (64 + 5); /* three words in bank 5 */
	SharedCost c = gpu_shared_cost(need("H200"), addr, ALL, 4, false);
	expect(c, 1, 3, 1);
	assert_int_equal(c.worst_bank, 5);
}

static void wide_words_by_generation(void **state) {
	/* cc 1.x: two (four) requests at a stride of two (four) words */
	expect(load("GTX 280", 0, 8, ALL, 8), 2, 8, 4);
	expect(load("GTX 280", 0, 16, ALL, 16), 2, 32, 8);
	/* cc 2.x: halves and quarters, free when consecutive */
	expect(load("GTX 480", 0, 8, ALL, 8), 1, 2, 2);
	expect(load("GTX 480", 0, 16, ALL, 16), 1, 4, 4);
	expect(load("GTX 480", 0, 16, ALL, 8), 1, 4, 2); /* every other double: 2-way in each half */
	/* cc 3.x: 256 bytes a pass */
	expect(load("GTX 680", 0, 8, ALL, 8), 1, 1, 1);
	expect(load("GTX 680", 8, 8, ALL, 8), 1, 2, 1); /* not aligned to 256 */
	expect(load("GTX 680", 0, 16, ALL, 16), 1, 2, 2);
	/* cc >= 5.0 */
	const char *const gpus[] = {"GTX 980", "P100", "V100", "H200"};
	for (int i = 0; i < 4; i++) {
		expect(load(gpus[i], 0, 8, ALL, 8), 1, 2, 2);
		expect(load(gpus[i], 8, 8, ALL, 8), 1, 2, 2);
		expect(load(gpus[i], 0, 16, ALL, 16), 1, 4, 4);
		expect(load(gpus[i], 0, 16, ALL, 8), 1, 4, 2);
		expect(load(gpus[i], 0, 256, ALL, 8), 1, 32, 2);  /* 16 lanes in one pair of banks, twice */
		expect(load(gpus[i], 0, 264, ALL, 8), 1, 2, 2);   /* rows of 33 doubles */
		expect(load(gpus[i], 0, 512, ALL, 16), 1, 32, 4); /* 8-way in each quarter */
	}
}

static uint32_t cycles(const char *gpu, const uint64_t *addr, uint32_t mask, uint32_t width, bool store) {
	const SharedCost cost = gpu_shared_cost(need(gpu), addr, mask, width, store);
	return gpu_shared_cycles(&cost);
}

/* Cycles measured on an H200: 32 warps, a thousand times each pattern, per warp instruction. */
static void wide_words_as_measured(void **state) {
	enum { OFF = -1 };
	int at[32];
#define measured(width, loads, stores, expression)                                                                     \
	do {                                                                                                               \
		uint64_t addr[32] = {0};                                                                                       \
		uint32_t mask = 0;                                                                                             \
		for (int i = 0; i < 32; i++) {                                                                                 \
			at[i] = (expression);                                                                                      \
			addr[i] = at[i] == OFF ? 0xdead : (uint64_t)at[i];                                                         \
			mask |= (uint32_t)(at[i] != OFF) << i;                                                                     \
		}                                                                                                              \
		const char *const gpus[] = {"GTX 980", "V100", "H200"};                                                        \
		for (int g = 0; g < 3; g++) {                                                                                  \
			assert_int_equal(cycles(gpus[g], addr, mask, width, false), loads);                                        \
			if (stores) assert_int_equal(cycles(gpus[g], addr, mask, width, true), stores);                            \
		}                                                                                                              \
	} while (0)
	measured(4, 1, 0, 4 * i);
	measured(4, 1, 0, 0);
	measured(4, 2, 0, 8 * i);
	measured(4, 32, 0, 128 * i);
	measured(8, 2, 2, 8 * i);
	measured(8, 1, 2, 0);
	measured(8, 1, 2, 8 * (i / 2));
	measured(8, 1, 2, 8 * (i / 4));
	measured(8, 1, 2, 8 * (i / 4 * 2 + i % 2));
	measured(8, 2, 2, 8 * (i / 8 * 4 + i % 4));
	measured(8, 2, 2, 8 * (i % 16));
	measured(8, 2, 2, i < 16 ? 8 * i : OFF);
	measured(8, 1, 2, i % 2 ? OFF : 4 * i);
	measured(8, 2, 2, i % 2 ? OFF : 8 * i);
	measured(8, 1, 2, i ? OFF : 0);
	measured(8, 4, 4, 16 * i);
	measured(8, 32, 32, 256 * i);
	measured(8, 2, 2, 264 * i);
	measured(8, 1, 2, i / 2 * 5 % 16 * 8);
	measured(8, 16, 0, i / 2 * 128);
	measured(8, 2, 0, i < 16 ? 8 * (i / 2) : 128 + 8 * ((i - 16) / 2));
	measured(8, 2, 2, i < 16 ? 8 * (i / 2) : 512 + 8 * ((i - 16) / 2));
	measured(8, 2, 0, i < 16 ? 8 * (i / 2) : 8 * i);
	measured(8, 2, 0, i < 16 ? 0 : 128);
	measured(8, 1, 0, i < 16 ? 8 * (i / 2) : OFF);
	measured(8, 1, 0, i % 16 ? OFF : i / 2);
	measured(8, 1, 0, i < 2 ? 8 * i : OFF);
	measured(8, 3, 3, i < 8 ? 8 * i : 128 + 8 * (i - 8));
	measured(16, 4, 4, 16 * i);
	measured(16, 2, 4, 0);
	measured(16, 2, 4, 16 * (i / 2));
	measured(16, 2, 4, 16 * (i / 4));
	measured(16, 2, 4, 16 * (i / 4 * 2 + i % 2));
	measured(16, 4, 4, 16 * (i % 8));
	measured(16, 4, 4, 16 * (i % 16));
	measured(16, 4, 4, i < 8 ? 16 * i : OFF);
	measured(16, 2, 4, i % 8 ? OFF : 16 * (i / 8));
	measured(16, 4, 4, i % 8 ? OFF : 128 * (i / 8));
	measured(16, 2, 4, i % 2 ? OFF : 8 * i);
	measured(16, 2, 4, i ? OFF : 0);
	measured(16, 32, 32, 512 * i);
	measured(16, 4, 4, 528 * i);
	measured(16, 4, 0, i < 16 ? 16 * (i / 2) : 16 * i);
	measured(16, 4, 0, i / 8 * 128);
	measured(16, 2, 0, i / 8 * 16);
	measured(16, 4, 0, i < 16 ? 16 * i : OFF);
	measured(16, 2, 0, i % 2 ? OFF : 16 * (i / 2));
#undef measured
}

/* --- as Nsight Compute counted on an H100 ------------------------------------------------------------------------- */

static uint32_t scattered(uint32_t i) {
	i *= 0x9E3779B1u;
	i ^= i >> 15;
	i *= 0x85EBCA77u;
	return i ^ i >> 13;
}

/* In bytes, of lane i with w bytes. */
#define PATTERN(name, expression)                                                                                      \
	static uint64_t at_##name(uint32_t i, uint32_t w) {                                                                \
		return (expression);                                                                                           \
	}
PATTERN(row, i *w)
PATTERN(same, i * 0 * w)
PATTERN(shifted, (i + 1) * w)
PATTERN(stride2, 2 * i * w)
PATTERN(stride3, 3 * i * w)
PATTERN(pairs, i / 2 * w)
PATTERN(quads, i / 4 * w)
PATTERN(eights, i / 8 * w)
PATTERN(halves, i / 16 * w)
PATTERN(xor2, (i & ~2u) * w)
PATTERN(xor4, (i & ~4u) * w)
PATTERN(mod8, i % 8 * w)
PATTERN(mod16, i % 16 * w)
PATTERN(bank, i * 128 + 0 * w)
PATTERN(bank2, i * 256 + 0 * w)
PATTERN(random, scattered(i) % 512 * w)
PATTERN(random32, scattered(i + 99) % 32 * w)
PATTERN(reverse, (31 - i) * w)

typedef struct {
	uint64_t (*at)(uint32_t i, uint32_t w); /* NULL: as before */
	uint32_t width, mask, loads, stores;
} Counted;

static const Counted counted[] = {
#define PATTERNS(width, name) {at_##name, width, 0, 0, 0},
#define M(mask, loads, stores) {NULL, 0, mask, loads, stores},
#include "shared_h100.def"
};

/* 128-bit loads that took one wavefront less than the rule says. */
static bool unexplained(const Counted *pattern, uint32_t mask) {
	if (pattern->width != 16) return false;
	return (pattern->at == at_mod8 && (mask == 0xffff || mask == 0x5a3c96e1)) ||
		   (pattern->at == at_random32 && mask == 0x5a3c96e1);
}

static void wavefronts_as_counted(void **state) {
	const Counted *pattern = NULL;
	uint64_t addr[32];
	for (size_t k = 0; k < sizeof counted / sizeof *counted; k++) {
		const Counted *c = &counted[k];
		if (c->at) {
			pattern = c;
			for (uint32_t i = 0; i < 32; i++) addr[i] = c->at(i, c->width);
			continue;
		}
		const uint32_t loads = gpu_shared_cost(need("H200"), addr, c->mask, pattern->width, false).wavefronts;
		const uint32_t stores = gpu_shared_cost(need("H200"), addr, c->mask, pattern->width, true).wavefronts;
		if (loads != c->loads + unexplained(pattern, c->mask) || stores != c->stores)
			fail_msg("%u bytes, lanes %08x: %u and %u, counted %u and %u", pattern->width, c->mask, loads, stores,
					 c->loads, c->stores);
	}
}

/* --- atomics that are loops, as Nsight Compute counted on an H100 ------------------------------------------------- */

typedef struct {
	uint32_t mask;
	uint64_t addr[32];
} Atomics;

static uint32_t below(uint32_t *state, uint32_t n) {
	*state = *state * 1664525u + 1013904223u;
	return (*state >> 8) % n;
}

/* The patterns of addresses and lanes that were counted, in their order. */
static Atomics next_atomics(uint32_t *state, uint32_t kind, uint32_t w) {
	Atomics p = {.mask = ALL};
	if (kind == 3 || kind == 9) {
		const uint32_t high = below(state, 65536), lanes = high << 16 | below(state, 65536);
		if (kind == 3) p.mask = lanes; /* kind 9: the lanes that add zero */
	}
	if (kind == 4) p.mask = 7;
	if (kind == 12) p.mask = 0xf;
	if (kind == 13) p.mask = 0x10001u << below(state, 16);
	for (uint32_t i = 0; i < 32; i++) {
		uint64_t *at = &p.addr[i];
		const uint32_t few = kind == 4 ? 3 : kind == 12 ? 4 : 32;
		switch (kind) {
		case 0:
		case 3: *at = below(state, 4) * 128, *at += below(state, 4) * w; break;
		case 1: *at = below(state, 32) * 128, *at += below(state, 128 / w) * w; break;
		case 2: *at = below(state, 3) * 128; break;
		case 4:
		case 9:
		case 13: *at = i < few ? below(state, 2) * 128 : 0; break;
		case 5: *at = 2 * i * w; break;
		case 6: *at = i / 2 * w; break;
		case 7: *at = i % 16 * w; break;
		case 10: *at = below(state, 16) * w; break;
		case 11: *at = below(state, 64) * w; break;
		case 12: *at = i < few ? below(state, 3) * 128 : 0; break;
		case 14: *at = (i & 1) * 128 + i / 16 * w; break;
		case 15: *at = i / 16 * 128; break;
		default: break; /* 8: one address */
		}
	}
	return p;
}

static const struct {
	uint32_t width, patterns, wavefronts;
} atomics[] = {
#define LAUNCH(width, patterns, wavefronts) {width, patterns, wavefronts},
#include "shared_atomics_h100.def"
};

static void atomics_as_counted(void **state) {
	uint32_t random = 12345, number = 0;
	for (size_t k = 0; k < sizeof atomics / sizeof *atomics; k++) {
		const uint32_t width = atomics[k].width;
		uint32_t found = 0;
		bool zeros = false; /* kinds 8 and 9 add zeros, which change no word: wide lanes need less then */
		for (uint32_t i = 0; i < atomics[k].patterns; i++, number++) {
			const Atomics p = next_atomics(&random, number % 16, width);
			found += (i ? 1024 : 1) * gpu_shared_atomic_cost(need("H200"), p.addr, p.mask, width).wavefronts;
			zeros |= number % 16 == 8 || number % 16 == 9;
		}
		if ((width == 4 || !zeros) && found != atomics[k].wavefronts)
			fail_msg("launch %zu: %u, counted %u", k, found, atomics[k].wavefronts);
	}
	const Atomics one = {ALL, {0}};
	assert_int_equal(gpu_shared_atomic_cost(need("H200"), one.addr, ALL, 4).requests, 32);
	assert_int_equal(gpu_shared_atomic_cost(need("GTX 680"), one.addr, ALL, 4).wavefronts, 0);
}

static void stores_of_one_address(void **state) {
	expect(gpu_shared_cost(need("GTX 280"), (uint64_t[32]){0}, ALL, 4, true), 2, 2, 2); /* one writer wins */
	uint64_t addr[32];
	for (int i = 0; i < 32; i++) addr[i] = (uint64_t)(i & 3); /* four bytes of one word */
	expect(gpu_shared_cost(need("GTX 280"), addr, ALL, 1, true), 2, 8, 2);
	expect(gpu_shared_cost(need("H200"), addr, ALL, 1, true), 1, 1, 1);
	for (int i = 0; i < 32; i++) addr[i] = 4u * (uint64_t)(i / 2);
	expect(gpu_shared_cost(need("GTX 280"), addr, ALL, 4, true), 2, 2, 2);
}

static void banks_of_addresses(void **state) {
	assert_int_equal(gpu_bank(need("GTX 280"), 4 * 17), 1);
	assert_int_equal(gpu_bank(need("H200"), 4 * 33 + 3), 1);
	assert_int_equal(gpu_bank(need("GTX 680"), 4 * 33), 1); /* 4-byte mode */
}

/* --- against a reference ------------------------------------------------------------------------------------------ */

/* Bank by bank, every pair of words compared. */
static uint32_t slow_passes(const uint64_t *addr, uint32_t mask, uint32_t width, uint32_t banks, bool wide_banks) {
	uint32_t worst = 0;
	for (uint32_t bank = 0; bank < banks; bank++) {
		uint64_t seen[256];
		uint32_t n = 0;
		for (int i = 0; i < 32; i++)
			for (uint32_t b = 0; b < width && mask >> i & 1; b++) {
				uint64_t word = (addr[i] + b) / 4;
				if (word % banks != bank) continue;
				uint64_t unit = wide_banks ? word / (2 * banks) : word;
				uint32_t k = 0;
				while (k < n && seen[k] != unit) k++;
				if (k == n) seen[n++] = unit;
			}
		if (n > worst) worst = n;
	}
	return worst;
}

static uint32_t slow_groups(const uint64_t *addr, uint32_t mask, uint32_t width, uint32_t lanes_at_once, uint32_t banks,
							bool wide_banks) {
	uint32_t sum = 0;
	for (uint32_t first = 0; first < 32; first += lanes_at_once) {
		uint32_t group = mask & (uint32_t)((((uint64_t)1 << lanes_at_once) - 1) << first);
		sum += slow_passes(addr, group, width, banks, wide_banks);
	}
	return sum;
}

/* The guide's text for 1.x, lane by lane with explicit sets. */
static uint32_t slow_broadcast(const uint64_t *addr, uint32_t mask, uint32_t banks) {
	uint32_t passes = 0;
	for (int half = 0; half < 2; half++) {
		bool waits[16];
		int left = 0;
		for (int i = 0; i < 16; i++) left += waits[i] = mask >> (16 * half + i) & 1;
		while (left) {
			uint64_t chosen = 0;
			for (int i = 15; i >= 0; i--)
				if (waits[i]) chosen = addr[16 * half + i] / 4;
			bool busy[64] = {false};
			busy[chosen % banks] = true;
			for (int i = 0; i < 16; i++) {
				uint64_t word = addr[16 * half + i] / 4;
				if (!waits[i] || (word != chosen && busy[word % banks])) continue;
				busy[word % banks] = true;
				waits[i] = false;
				left--;
			}
			passes++;
		}
	}
	return passes;
}

static void random_words(uint64_t addr[32], uint32_t *mask, uint32_t width, uint64_t *seed) {
	uint32_t shape = next_random(seed) % 4, range = 1 + next_random(seed) % 2000;
	uint64_t step = next_random(seed) % 70, base = next_random(seed) % 64;
	for (uint32_t i = 0; i < 32; i++)
		addr[i] = width * (shape == 0   ? base + i * step
						   : shape == 1 ? next_random(seed) % range
						   : shape == 2 ? base + i / (1 + step % 9)
										: (base + (i ^ 9)) * (1 + step % 3));
	*mask = next_random(seed) % 3 ? UINT32_MAX : next_random(seed);
	if (!*mask) *mask = 1u << 31;
}

/* Passes of a built GPU with another number of banks; its own number where banks is 0. */
static uint32_t passes_on(const char *name, uint32_t banks, const uint64_t *addr, uint32_t mask, uint32_t width,
						  bool store) {
	Gpu gpu = *need(name);
	if (banks) gpu.banks = banks;
	return gpu_shared_cost(&gpu, addr, mask, width, store).wavefronts;
}

/* The first of the banks that are asked for the most. */
static uint32_t slow_worst(const uint64_t *addr, uint32_t mask, uint32_t width) {
	const uint32_t most = slow_passes(addr, mask, width, 32, false);
	for (uint32_t bank = 0; bank < 32; bank++) {
		uint64_t words[256];
		uint32_t n = 0;
		for (int i = 0; i < 32; i++)
			for (uint32_t b = 0; b < width && mask >> i & 1; b++) {
				const uint64_t word = (addr[i] + b) / 4;
				uint32_t k = 0;
				while (k < n && words[k] != word) k++;
				if (k == n && word % 32 == bank) words[n++] = word;
			}
		if (n == most) return bank;
	}
	return UINT32_MAX;
}

static void random_patterns_match_the_reference(void **state) {
	uint64_t seed = 362436069;
	const uint32_t widths[] = {1, 2, 4, 8, 16};
	for (int round = 0; round < 20000; round++) {
		uint64_t addr[32];
		uint32_t mask, width = widths[next_random(&seed) % 5];
		random_words(addr, &mask, width, &seed);
		uint32_t at_once = width <= 4 ? 32 : width == 8 ? 16 : 8, kepler = width <= 8 ? 32 : 16;
		assert_int_equal(passes_on("GTX 480", 0, addr, mask, width, false),
						 slow_groups(addr, mask, width, at_once, 32, false));
		assert_int_equal(passes_on("GTX 980", 0, addr, mask, width, true),
						 slow_groups(addr, mask, width, at_once, 32, false));
		assert_int_equal(passes_on("H200", 0, addr, mask, width, true),
						 slow_groups(addr, mask, width, at_once, 32, false));
		assert_int_equal(passes_on("Tesla K40", 0, addr, mask, width, false),
						 slow_groups(addr, mask, width, kepler, 32, true));
		if (width > 4) continue;
		assert_int_equal(passes_on("GTX 280", 0, addr, mask, width, false), slow_broadcast(addr, mask, 16));
		assert_int_equal(gpu_shared_cost(need("H200"), addr, mask, width, true).worst_bank,
						 slow_worst(addr, mask, width));
	}
}

/* GPUs that nobody built: none of the short ways that hold for 32 or for 16 banks alone may be taken. */
static void any_number_of_banks_matches_the_reference(void **state) {
	uint64_t seed = 88172645;
	for (uint32_t banks = 1; banks <= 64; banks++)
		for (int round = 0; round < 200; round++) {
			uint64_t addr[32];
			uint32_t mask, width = 1u << next_random(&seed) % 5;
			random_words(addr, &mask, width, &seed);
			uint32_t at_once = width <= 4 ? 32 : width == 8 ? 16 : 8, kepler = width <= 8 ? 32 : 16;
			assert_int_equal(passes_on("H200", banks, addr, mask, width, true),
							 slow_groups(addr, mask, width, at_once, banks, false));
			assert_int_equal(passes_on("Tesla K40", banks, addr, mask, width, false),
							 slow_groups(addr, mask, width, kepler, banks, true));
			if (width <= 4)
				assert_int_equal(passes_on("GTX 280", banks, addr, mask, width, false),
								 slow_broadcast(addr, mask, banks));
		}
}

/* What is recognised quickly must cost what the general way finds: the same addresses, but out of lane order, so that
 * no shortcut applies. Order within a (half-)warp does not matter from cc 2.0 on. */
static void shortcuts_agree_with_the_general_way(void **state) {
	const char *const gpus[] = {"GTX 480", "GTX 980", "H200"};
	for (int g = 0; g < 3; g++)
		for (uint32_t width = 4; width <= 16; width *= 2)
			for (uint64_t base = 0; base < 40; base++)
				for (int64_t step = 0; step <= 70; step++) {
					uint64_t addr[32], shuffled[32];
					lanes(addr, width * base, (int64_t)width * step);
					for (uint32_t i = 0; i < 32; i++) shuffled[i] = addr[i ^ 6]; /* stays in its quarter */
					SharedCost a = gpu_shared_cost(need(gpus[g]), addr, ALL, width, true);
					SharedCost b = gpu_shared_cost(need(gpus[g]), shuffled, ALL, width, true);
					assert_memory_equal(&a, &b, sizeof a);
				}
	for (uint64_t base = 0; base < 40; base++) /* both halves of a warp read the same words, as in a block of 16 x 16 */
		for (int64_t step = 0; step <= 8; step += 4) {
			uint64_t addr[32], shuffled[32];
			lanes(addr, 4 * base, step);
			memcpy(addr + 16, addr, 16 * sizeof *addr);
			for (uint32_t i = 0; i < 32; i++) shuffled[i] = addr[i ^ 6];
			SharedCost a = gpu_shared_cost(need("H200"), addr, ALL, 4, false);
			SharedCost b = gpu_shared_cost(need("H200"), shuffled, ALL, 4, false);
			assert_memory_equal(&a, &b, sizeof a);
		}
	for (uint32_t width = 8; width <= 16; width *= 2) /* 1.x: as requests of 32 bits, one a part of the word */
		for (int64_t step = 1; step <= 70; step++) {
			uint64_t addr[32], shuffled[32];
			lanes(addr, 12, 4 * step);
			for (uint32_t i = 0; i < 32; i++) shuffled[i] = addr[i ^ 6];
			for (int store = 0; store < 2; store++) {
				SharedCost a = gpu_shared_cost(need("GTX 280"), addr, ALL, width, store);
				SharedCost b = gpu_shared_cost(need("GTX 280"), shuffled, ALL, width, store);
				assert_memory_equal(&a, &b, sizeof a);
			}
		}
	for (uint64_t base = 0; base < 40; base++)
		for (int64_t step = 0; step <= 70; step++) {
			uint64_t addr[32];
			lanes(addr, 4 * base, 4 * step);
			SharedCost c = gpu_shared_cost(need("GTX 280"), addr, ALL, 4, false);
			assert_int_equal(c.wavefronts, slow_broadcast(addr, ALL, 16));
			/* without its last lanes the half-warp takes the general way; the first ones decide the worst bank */
			SharedCost partial = gpu_shared_cost(need("GTX 280"), addr, 0x7fff7fff, 4, false);
			assert_int_equal(partial.wavefronts, slow_broadcast(addr, 0x7fff7fff, 16));
		}
}

/* A kernel's wild pointer reaches the rules before it is refused: they answer, whatever the number means. */
static void addresses_from_nowhere_end(void **state) {
	const uint64_t wild[] = {UINT32_MAX * 4ull, UINT32_MAX * 4ull + 3, 1ull << 63, UINT64_MAX - 2, UINT64_MAX};
	for (size_t g = 0; gpu_at(g); g++) {
		for (size_t i = 0; i < sizeof wild / sizeof *wild; i++) {
			for (uint32_t width = 1; width <= 16; width *= 2) {
				uint64_t addr[32];
				for (uint64_t lane = 0; lane < 32; lane++) addr[lane] = wild[i] - lane * lane;
				SharedCost cost = gpu_shared_cost(gpu_at(g), addr, ALL, width, false);
				assert_true(cost.wavefronts >= 1 && cost.wavefronts <= 32 * 8);
			}
		}
	}
}

typedef struct {
	SharedUse use;
	uint32_t group, stride;
	double cycles;
} Timed;
#define TIMED(use, group, stride, cycles) {use, group, stride, cycles},

static void uses_take_what_was_timed(void **state) {
	static const Timed timed[] = {
#include "shared_cycles_h200.def"
	};
	const Gpu *gpu = gpu_find("H200", NULL);
	for (size_t i = 0; i < sizeof timed / sizeof *timed; i++) {
		const Timed *t = &timed[i];
		uint64_t addr[LANES];
		for (uint32_t l = 0; l < LANES; l++) addr[l] = 4 * t->stride * (l / t->group);
		const double cycles = gpu_shared_use_cycles(gpu, addr, UINT32_MAX, 4, t->use);
		if (fabs(cycles / t->cycles - 1) > 0.15) fail_msg("pattern %zu: %g cycles, %g timed", i, cycles, t->cycles);
	}
}

static void atomics_of_a_bank_take_turns(void **state) {
	uint64_t addr[LANES];
	for (uint32_t l = 0; l < LANES; l++) addr[l] = 8 * (l / 4);
	for (size_t g = 0; gpu_at(g); g++) {
		const Gpu *gpu = gpu_at(g);
		const bool native = gpu->cc >= 50;
		assert_int_equal(gpu_shared_use_cycles(gpu, addr, UINT32_MAX, 4, SHARED_ATOMIC) == 4, native);
		if (!native) continue;
		assert_int_equal(gpu_shared_use_cycles(gpu, addr, UINT32_MAX, 4, SHARED_SWAP), 8);
		assert_int_equal(gpu_shared_use_cycles(gpu, addr, UINT32_MAX, 4, SHARED_COUNT), gpu->cc >= 80 ? 1 : 4);
		assert_int_equal(gpu_bank_lanes(addr, 0xf1, 8), 4);
	}
}

static void empty_requests_cost_nothing(void **state) {
	uint64_t addr[32] = {0};
	for (size_t g = 0; gpu_at(g); g++) {
		SharedCost c = gpu_shared_cost(gpu_at(g), addr, 0, 4, false);
		assert_int_equal(c.requests + c.wavefronts + c.ideal, 0);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(offsets_are_free),
		cmocka_unit_test(strides_conflict_by_common_factor),
		cmocka_unit_test(shared_words_are_broadcast),
		cmocka_unit_test(bytes_of_one_word),
		cmocka_unit_test(columns_of_tiles),
		cmocka_unit_test(wide_words_by_generation),
		cmocka_unit_test(wide_words_as_measured),
		cmocka_unit_test(wavefronts_as_counted),
		cmocka_unit_test(atomics_as_counted),
		cmocka_unit_test(stores_of_one_address),
		cmocka_unit_test(banks_of_addresses),
		cmocka_unit_test(random_patterns_match_the_reference),
		cmocka_unit_test(any_number_of_banks_matches_the_reference),
		cmocka_unit_test(shortcuts_agree_with_the_general_way),
		cmocka_unit_test(addresses_from_nowhere_end),
		cmocka_unit_test(uses_take_what_was_timed),
		cmocka_unit_test(atomics_of_a_bank_take_turns),
		cmocka_unit_test(empty_requests_cost_nothing),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
