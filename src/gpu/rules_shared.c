/* What a warp's access to shared memory costs in wavefronts, by compute capability (CUDA programming guide, "shared
 * memory").
 *
 *   1.x     16 banks of 32 bits, half-warps apart. A load picks one broadcast word a pass, serves all its readers and
 *           one reader in every other bank. Which word is picked is unspecified; here it is the lowest waiting lane's.
 *           Writers of the same address are one write. Words of 64 and 128 bits are 2 and 4 requests of 32 bits each.
 *           The instruction is repeated for the whole warp: the half-warp with fewer wavefronts waits for the other
 *           (timed by others on a GTX 295 and an 8800 GT, NVIDIA's forum, 'cudaprof "Warp Serialize" counter').
 *   2.x     32 banks of 32 bits, any number of words broadcast at once. 64-bit words by half-warps, 128-bit by
 *           quarters.
 *   3.x     32 banks of 64 bits, in the 4-byte mode that is the default: bank = word mod 32, and a bank delivers the
 *           words i and i + 32 of one aligned 256 bytes together.
 *   >= 5.0  32 banks of 32 bits, any number of words broadcast. 64-bit words take the lanes in 2 groups of 16, 128-bit
 *           words in 4 groups of 8. Nsight Compute counts no wavefront for a group without active lanes; by the clock
 *           such a group takes a cycle as well. Where all lanes of each pair (i, i xor 1), or of each pair (i, i xor
 *           2), read the same address, a lane without an active partner counting as such a pair, loads take two
 *           neighboring groups together if these do not conflict. Up to 16 lanes that load one address are one
 *           wavefront. Cycles were measured pattern by pattern on an H200, wavefronts on an H100
 *           (docs/reference/models.md); NVIDIA describes the pairs for cc 7.0 and 7.5 (its forum, "Unexpected shared
 *           memory bank conflict"); for the others from 5.0 on it is assumed.
 *
 * Two words that differ and lie in one bank conflict; the same word never does (1.x: but for the broadcast rule). */
#include <string.h>

#include "gpu/gpu.h"

enum {
	MAX_BANKS = 64, /* of a derived GPU */
	MOST_WORDS = 9, /* 32 bytes of a lane, wherever they begin */
};

/* --- distinct units a bank, cc >= 2.0 -------------------------------------------------------------------- */

static inline uint32_t bank_of(uint32_t banks, uint32_t word) {
	return banks == 32 ? word & 31 : word % banks;
}

/* What the lanes ask for: a key for all that a bank delivers at once, which has the bank's number. Words are counted
 * rather than compared with a last one: an address from nowhere may wrap, and must not keep the count going. Word
 * numbers are taken modulo 2^32: shared memory is smaller than that by far. */
static uint32_t list_keys(const Gpu *gpu, const uint64_t *addr, uint32_t mask, uint32_t width,
						  uint32_t keys[LANES * MOST_WORDS]) {
	const bool wide_banks = gpu->bank_bytes == 8;
	const uint32_t row = 2 * gpu->banks;
	uint64_t before = ~addr[__builtin_ctz(mask)];
	uint32_t n = 0;
	for (; mask; mask &= mask - 1) {
		const uint64_t at = addr[__builtin_ctz(mask)];
		const uint32_t first = (uint32_t)(at / 4), words = (uint32_t)((at % 4 + width + 3) / 4);
		if (at == before) continue; /* neighbors mostly read the same words where words are wide */
		before = at;
		for (uint32_t i = 0; i < words; i++) {
			const uint32_t word = first + i;
			keys[n++] = wide_banks ? word / row * row + bank_of(gpu->banks, word) : word;
		}
	}
	return n;
}

/* The same of a whole warp whose lanes ask for a word each. This may be asked once for each access (pattern.h). */
static bool list_words(const Gpu *gpu, const uint64_t *addr, uint32_t width, uint32_t keys[LANES]) {
	uint64_t all = 0;
	for (uint32_t l = 0; l < LANES; l++) {
		keys[l] = (uint32_t)(addr[l] / 4);
		all |= addr[l];
	}
	return gpu->bank_bytes == 4 && width == 4 && all % 4 == 0;
}

/* A wavefront: each bank serves all who ask for the same; returns how many keys are left for the next one. */
static inline uint32_t serve(uint32_t banks, uint32_t *keys, uint32_t n, uint32_t *worst_bank) {
	uint32_t served[MAX_BANKS], left = 0, worst = MAX_BANKS;
	for (uint32_t i = 0; i < n; i++) served[bank_of(banks, keys[i])] = keys[i];
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t key = keys[i], bank = bank_of(banks, key);
		worst = bank < worst ? bank : worst;
		keys[left] = key;
		left += served[bank] != key;
	}
	if (worst_bank) *worst_bank = worst;
	return left;
}

/* The same of a whole row of banks, without branches that follow no pattern. */
static uint32_t serve_row(uint32_t *keys, uint32_t *worst_bank) {
	uint32_t served[LANES], waiting = 0, banks = 0, left = 0;
	for (uint32_t i = 0; i < LANES; i++) served[keys[i] % LANES] = keys[i];
#pragma GCC unroll 32
	for (uint32_t i = 0; i < LANES; i++) {
		waiting |= (uint32_t)(served[keys[i] % LANES] != keys[i]) << i;
		banks |= 1u << keys[i] % LANES;
	}
	for (; waiting; waiting &= waiting - 1) keys[left++] = keys[__builtin_ctz(waiting)];
	if (worst_bank) *worst_bank = (uint32_t)__builtin_ctz(banks);
	return left;
}

/* All wavefronts of keys that ascend, so that equal ones are neighbors: as many as a bank has different ones. 0: they
 * do not ascend. */
static uint32_t serve_ascending(const uint32_t keys[LANES], uint32_t *worst_bank) {
	uint8_t count[LANES] = {0}, most = 0;
	uint32_t before = keys[0], descents = 0;
	count[before % LANES] = 1;
	for (uint32_t i = 1; i < LANES; i++) {
		const uint32_t key = keys[i];
		count[key % LANES] += key != before;
		descents += key < before;
		before = key;
	}
	if (descents) return 0;
	for (uint32_t bank = 0; bank < LANES; bank++) most = count[bank] > most ? count[bank] : most;
	if (worst_bank) *worst_bank = (uint32_t)((const uint8_t *)memchr(count, most, LANES) - count);
	return most;
}

/* Wavefronts of the lanes of mask together. The banks of the last one are the worst; worst_bank: NULL for none. */
static uint32_t wavefronts_of(const Gpu *gpu, const uint64_t *addr, uint32_t mask, uint32_t width,
							  uint32_t *worst_bank) {
	uint32_t keys[LANES * MOST_WORDS], n = LANES, wavefronts = 0;
	if (!mask) return 0;
	if (mask != UINT32_MAX || !list_words(gpu, addr, width, keys)) n = list_keys(gpu, addr, mask, width, keys);
	if (gpu->banks == LANES && n == LANES) {
		if ((wavefronts = serve_ascending(keys, worst_bank))) return wavefronts;
		n = serve_row(keys, worst_bank);
		wavefronts++;
	}
	for (; n; wavefronts++)
		n = gpu->banks == LANES ? serve(LANES, keys, n, worst_bank) : serve(gpu->banks, keys, n, worst_bank);
	return wavefronts;
}

/* --- cc 1.x ---------------------------------------------------------------------------------------------- */

static uint32_t load_wavefronts_half(uint32_t banks, const uint32_t word[16], uint32_t mask) {
	uint32_t wavefronts = 0;
	while (mask) {
		uint32_t broadcast = word[__builtin_ctz(mask)], waiting = 0;
		uint64_t used_banks = (uint64_t)1 << broadcast % banks;
		for (uint32_t m = mask; m; m &= m - 1) {
			uint32_t lane = (uint32_t)__builtin_ctz(m);
			uint64_t bank = (uint64_t)1 << word[lane] % banks;
			if (word[lane] == broadcast) continue;
			if (used_banks & bank) waiting |= 1u << lane;
			used_banks |= bank;
		}
		mask = waiting;
		wavefronts++;
	}
	return wavefronts;
}

/* Different addresses in one bank, also inside one word, are written one after the other. */
static uint32_t store_wavefronts_half(uint32_t banks, const uint64_t *addr, uint32_t mask) {
	uint8_t count[MAX_BANKS] = {0};
	uint32_t wavefronts = 0;
	for (uint32_t m = mask; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m), bank = (uint32_t)(addr[lane] / 4 % banks);
		bool repeated = false;
		for (uint32_t before = mask & ((1u << lane) - 1); before && !repeated; before &= before - 1)
			repeated = addr[__builtin_ctz(before)] == addr[lane];
		if (!repeated && ++count[bank] > wavefronts) wavefronts = count[bank];
	}
	return wavefronts;
}

static uint32_t worst_bank_half(uint32_t banks, const uint64_t *addr, uint32_t mask) {
	uint8_t count[MAX_BANKS] = {0};
	uint32_t worst = 0;
	for (; mask; mask &= mask - 1) count[addr[__builtin_ctz(mask)] / 4 % banks]++;
	for (uint32_t b = 1; b < banks; b++)
		if (count[b] > count[worst]) worst = b;
	return worst;
}

static uint32_t half_wavefronts(uint32_t banks, const uint64_t *addr, uint32_t mask, uint32_t width, bool store) {
	uint32_t wavefronts = 0, words = width > 4 ? (width + 3) / 4 : 1;
	for (uint32_t w = 0; w < words; w++) {
		uint64_t at[16] = {0};
		uint32_t word[16] = {0};
		for (uint32_t m = mask; m; m &= m - 1) {
			uint32_t lane = (uint32_t)__builtin_ctz(m);
			at[lane] = addr[lane] + 4 * w;
			word[lane] = (uint32_t)(at[lane] / 4);
		}
		wavefronts += store ? store_wavefronts_half(banks, at, mask) : load_wavefronts_half(banks, word, mask);
	}
	return wavefronts;
}

static SharedCost half_warps(const Gpu *gpu, const uint64_t *addr, uint32_t mask, uint32_t width, bool store) {
	SharedCost cost = {0};
	uint32_t worst = 0, banks = gpu->banks;
	for (int half = 0; half < 2; half++) {
		const uint64_t *a = addr + 16 * half;
		uint32_t m = mask >> (16 * half) & 0xffff;
		if (!m) continue;
		uint32_t wavefronts = half_wavefronts(banks, a, m, width, store);
		cost.requests++;
		cost.wavefronts += wavefronts;
		uint32_t ideal = (width > 4 ? (width + 3) / 4 : 1) * ((16 + banks - 1) / banks);
		cost.ideal += banks >= 16 || ideal < wavefronts ? ideal : wavefronts;
		if (wavefronts > worst) worst = wavefronts, cost.worst_bank = worst_bank_half(banks, a, m);
	}
	cost.idle = 2 * worst - cost.wavefronts;
	return cost;
}

/* --- cc >= 2.0 ------------------------------------------------------------------------------------------- */

/* Do the lanes of mask come in pairs (i, i xor distance) that read one address, lanes without an
 * active partner aside? */
static bool paired(const uint64_t *addr, uint32_t mask, uint32_t distance) {
	for (uint32_t m = mask; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m), partner = lane ^ distance;
		if (mask >> partner & 1 && addr[lane] != addr[partner]) return false;
	}
	return true;
}

/* Lanes served together: as many as fill 32 banks once. How a warp is split belongs to the generation, whatever the
 * banks of a derived GPU. */
static uint32_t lanes_at_once(const Gpu *gpu, uint32_t width) {
	return lanes_within(gpu->bank_bytes * 32, width);
}

/* Wavefronts a group needs without conflict: one, unless there are fewer than 32 banks. No more than the `wavefronts`
 * it takes, which lanes that read the same word may bring down. */
static uint32_t ideal_wavefronts(const Gpu *gpu, uint32_t lanes, uint32_t width, uint32_t wavefronts) {
	if (gpu->banks >= 32) return 1;
	uint32_t row = gpu->bank_bytes * gpu->banks, bytes = lanes * (width < 4 ? 4 : width);
	uint32_t ideal = (bytes + row - 1) / row;
	if (ideal > wavefronts) ideal = wavefronts;
	return ideal ? ideal : 1;
}

/* An access on its way through the groups of lanes. */
typedef struct {
	const Gpu *gpu;
	const uint64_t *addr;
	uint32_t width, worst;
	SharedCost cost;
} Grouped;

static void add_group(Grouped *g, uint32_t mask) {
	uint32_t bank = 0;
	if (!mask) return;
	const uint32_t wavefronts = wavefronts_of(g->gpu, g->addr, mask, g->width, &bank);
	g->cost.wavefronts += wavefronts;
	g->cost.ideal += ideal_wavefronts(g->gpu, (uint32_t)__builtin_popcount(mask), g->width, wavefronts);
	if (wavefronts > g->worst) g->worst = wavefronts, g->cost.worst_bank = bank;
}

static uint32_t lanes_from(uint32_t first, uint32_t lanes) {
	return (lanes == LANES ? UINT32_MAX : (1u << lanes) - 1) << first;
}

static bool without_conflict(const Grouped *g, uint32_t mask) {
	uint32_t bank;
	return !mask || wavefronts_of(g->gpu, g->addr, mask, g->width, &bank) == 1;
}

static bool one_address(const uint64_t *addr, uint32_t mask) {
	for (uint32_t m = mask; m; m &= m - 1)
		if (addr[__builtin_ctz(m)] != addr[__builtin_ctz(mask)]) return false;
	return true;
}

/* cc >= 5.0, words of 64 and 128 bits. */
static void wide_words(Grouped *g, uint32_t mask, uint32_t lanes, bool store) {
	SharedCost *cost = &g->cost;
	const bool pairs = !store && (paired(g->addr, mask, 1) || paired(g->addr, mask, 2));
	for (uint32_t first = 0; first < LANES; first += 2 * lanes) {
		const uint32_t low = mask & lanes_from(first, lanes), high = mask & lanes_from(first + lanes, lanes);
		if (pairs && without_conflict(g, low | high)) {
			add_group(g, low | high);
			cost->idle += !(low | high);
			continue;
		}
		add_group(g, low);
		add_group(g, high);
		cost->idle += !low + !high;
	}
	if (!store && cost->wavefronts > 1 && __builtin_popcount(mask) <= LANES / 2 && one_address(g->addr, mask)) {
		cost->idle += cost->wavefronts - 1;
		cost->wavefronts = cost->ideal = 1;
	}
}

SharedCost gpu_shared_cost(const Gpu *gpu, const uint64_t addr[LANES], uint32_t mask, uint32_t width, bool store) {
	if (!mask || !width) return (SharedCost){0};
	if (gpu->generation->tesla_isa) return half_warps(gpu, addr, mask, width, store);
	Grouped g = {.gpu = gpu, .addr = addr, .width = width, .cost = {.requests = 1}};
	const uint32_t lanes = lanes_at_once(gpu, width);
	if (lanes < LANES && gpu->generation->pairs_lanes) {
		wide_words(&g, mask, lanes, store);
		return g.cost;
	}
	for (uint32_t first = 0; first < LANES; first += lanes) add_group(&g, mask & lanes_from(first, lanes));
	return g.cost;
}

/* The lanes of one group that succeed: of each bank the lowest, unless the group before changed its word. */
static uint32_t successes(const uint64_t *addr, uint32_t left, uint32_t group, uint32_t before, uint32_t width) {
	uint32_t banks = 0, won = 0;
	for (uint32_t m = left & group; m; m &= m - 1) {
		const uint32_t lane = (uint32_t)__builtin_ctz(m), bank = 1u << addr[lane] / width % (128 / width);
		bool changed = false;
		if (banks & bank) continue;
		banks |= bank;
		for (uint32_t b = before; b && !changed; b &= b - 1) changed = addr[__builtin_ctz(b)] == addr[lane];
		if (!changed) won |= 1u << lane;
	}
	return won;
}

SharedCost gpu_shared_atomic_cost(const Gpu *gpu, const uint64_t addr[LANES], uint32_t mask, uint32_t width) {
	SharedCost cost = {0};
	if (!gpu->generation->pairs_lanes) return cost;
	const uint32_t group = width == 8 ? lanes_from(0, LANES / 2) : UINT32_MAX;
	for (uint32_t left = mask; left;) {
		const SharedCost loads = gpu_shared_cost(gpu, addr, left, width, false);
		cost.requests += loads.requests;
		cost.wavefronts += loads.wavefronts;
		cost.ideal += loads.ideal;
		uint32_t won = successes(addr, left, group, 0, width);
		won |= successes(addr, left, ~group, won, width);
		left &= ~won;
	}
	return cost;
}

/* --- how long an access takes ------------------------------------------------------------------------------------- */

/* Cycles per lane of the busiest bank: an atomic changes one word at a time, whichever it is. Timed on an H200 with 8
 * warps, 1 to 32 lanes per word and per bank (tests/unit/gpu/shared_cycles_h200.def). An iteration of a loop loads and
 * swaps. */
enum { SWAP_CYCLES = 2, LOOP_CYCLES = 3 };

uint32_t gpu_bank_lanes(const uint64_t addr[LANES], uint32_t mask, uint32_t width) {
	enum { BYTES = 128 };
	uint8_t lanes[BYTES / 4] = {0}, most = 0;
	const uint32_t word = width > 4 ? 8 : 4;
	for (; mask; mask &= mask - 1) {
		uint8_t *of_bank = &lanes[addr[__builtin_ctz(mask)] % BYTES / word];
		if (++*of_bank > most) most = *of_bank;
	}
	return most;
}

/* One that counts is a store of the words that differ: from cc 8.0 on there is an instruction for it. */
uint32_t gpu_shared_use_cycles(const Gpu *gpu, const uint64_t addr[LANES], uint32_t mask, uint32_t width,
							   SharedUse use) {
	if (gpu->generation->pairs_lanes && use >= SHARED_ATOMIC && (use != SHARED_COUNT || gpu->cc < 80)) {
		const uint32_t lanes = gpu_bank_lanes(addr, mask, width);
		return use == SHARED_LOOP ? LOOP_CYCLES * lanes : use == SHARED_SWAP ? SWAP_CYCLES * lanes : lanes;
	}
	if (!gpu->generation->tesla_isa && lanes_at_once(gpu, width) == LANES)
		return wavefronts_of(gpu, addr, mask, width, NULL);
	const SharedCost cost = gpu_shared_cost(gpu, addr, mask, width, use == SHARED_STORE || use == SHARED_COUNT);
	return gpu_shared_cycles(&cost);
}

uint32_t gpu_shared_period(const Gpu *gpu) {
	return gpu->generation->tesla_isa ? 64 : gpu->bank_bytes == 8 ? 256 : 4;
}

uint32_t gpu_bank(const Gpu *gpu, uint64_t addr) {
	return (uint32_t)(addr / 4 % gpu->banks);
}

/* --- constant memory ------------------------------------------------------------------------------------- */

/* What a warp's access to constant memory costs in wavefronts: in each the cache delivers one word, to all lanes that
 * read it (CUDA programming guide, "constant memory"). A lane's access of 8 or 16 bytes is one word here. */
uint32_t gpu_constant_wavefronts(const uint64_t addr[LANES], uint32_t mask, uint32_t width) {
	uint64_t words[LANES];
	uint32_t wavefronts = 0;
	for (uint32_t m = mask; m; m &= m - 1) {
		const uint64_t word = addr[__builtin_ctz(m)] / (width > 4 ? width : 4);
		uint32_t k = 0;
		while (k < wavefronts && words[k] != word) k++;
		words[k] = word;
		if (k == wavefronts) wavefronts++;
	}
	return wavefronts;
}
