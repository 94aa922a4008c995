/* What is remembered of an access pattern is what the rules say, at every address and on every GPU. */
#include "check.h"

#include <string.h>

#include "gpu/pattern.h"

static uint64_t state = 1;

static uint32_t any(uint32_t below) {
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % below;
}

enum { INSTRS = 4 };
static AccessShapes shapes;

static PatternKey key_of(const uint64_t *addr, uint32_t instr, uint32_t mask, uint32_t width, uint32_t kind) {
	return (PatternKey){.addr = addr,
						.shape = shape_number(&shapes, instr, addr, mask),
						.instr = instr,
						.mask = mask,
						.width = width,
						.kind = kind};
}

/* A few shapes, which come back at other addresses. */
static uint32_t access_somewhere(uint64_t *addr, uint32_t width) {
	static const uint32_t masks[] = {UINT32_MAX, 0xffff, 0x00f0, 0xaaaaaaaa};
	const uint64_t first = UINT64_C(0x7f0000000000) + (uint64_t)any(200) * 4;
	const uint32_t step = (uint32_t[]){0, 4, 8, 68, 132, 4096}[any(6)], order = any(3);
	for (uint32_t l = 0; l < LANES; l++) addr[l] = first + (order == 1 ? 31 - l : order == 2 ? l ^ 1 : l) * step;
	return width == 4 ? masks[any(4)] : UINT32_MAX;
}

/* An access, and its n segments. */
static PatternKey access_with_segments(const Gpu *gpu, uint32_t width, bool store, uint64_t *addr, Segment *want,
									   uint32_t *n) {
	const uint32_t mask = access_somewhere(addr, width);
	*n = gpu_global_cost(gpu, addr, mask, width, store, want).transactions;
	return key_of(addr, any(INSTRS), mask, width, store);
}

static void same_segments(const Gpu *gpu, AccessPatterns *patterns, uint32_t width, bool store) {
	uint64_t addr[LANES], origin;
	Segment want[MAX_SEGMENTS];
	uint32_t n;
	const PatternKey key = access_with_segments(gpu, width, store, addr, want, &n);
	const AccessPattern *got = pattern_segments(patterns, &key, store, &origin);
	assert_int_equal(got->cost, n);
	for (uint32_t i = 0; i < n; i++)
		assert_true(origin + got->segments[i].base == want[i].base && got->segments[i].bytes == want[i].bytes);
}

static bool touches(const AccessPattern *p, uint64_t origin, uint64_t address) {
	for (uint32_t i = 0; i < p->ntouched; i++)
		if (origin / SECTORS_PER_LINE + touched_number(p->touched[i]) == address / CACHE_LINE_BYTES &&
			touched_sectors(p->touched[i]) >> address % CACHE_LINE_BYTES / SECTOR_BYTES & 1)
			return true;
	return false;
}

/* What somebody before found out of the access by this GPU's rules or others. */
static GlobalUnits *known_units(const Gpu *gpu, const PatternKey *key, bool store) {
	static GlobalUnits units;
	const Gpu *other = any(2) ? gpu : gpu_find(any(2) ? "GTX 480" : "H200", NULL);
	units.rules = NULL;
	if (any(3)) gpu_global_units(other, key->addr, key->mask, key->width, any(2) ? store : !store, &units);
	return &units;
}

static const AccessPattern *lines_of(AccessPatterns *patterns, const PatternKey *key, bool store, bool banks,
									 uint64_t *origin) {
	const AccessPattern *known = pattern_known_lines(patterns, key, origin);
	return known ? known : pattern_new_lines(patterns, key, store, banks);
}

/* All sectors of the segments, and as many as these are long: none more. */
static void same_lines(const Gpu *gpu, AccessPatterns *patterns, uint32_t width, bool store) {
	uint64_t addr[LANES], origin;
	Segment want[MAX_SEGMENTS];
	uint32_t n;
	PatternKey key = access_with_segments(gpu, width, store, addr, want, &n);
	if (any(2)) key.units = known_units(gpu, &key, store);
	const AccessPattern *got = lines_of(patterns, &key, store, true, &origin);
	uint32_t lines = 0, sectors = 0, listed = 0;
	for (uint32_t i = 0; i < n; i++) {
		lines += !i || want[i].base / CACHE_LINE_BYTES != want[i - 1].base / CACHE_LINE_BYTES;
		sectors += want[i].bytes / 32;
		for (uint32_t at = 0; at < want[i].bytes; at += 32) assert_true(touches(got, origin, want[i].base + at));
	}
	assert_int_equal(got->cost, n);
	for (uint32_t i = 0; i < got->ntouched; i++)
		listed += (uint32_t)__builtin_popcount(touched_sectors(got->touched[i]));
	assert_int_equal(got->lines, lines);
	assert_int_equal(got->sectors, sectors);
	assert_int_equal(listed, sectors);
	const SharedCost cost = gpu_shared_cost(gpu, addr, key.mask, width, false);
	assert_int_equal(got->banks, gpu_shared_cycles(&cost));
}

static void same_cycles(const Gpu *gpu, AccessPatterns *patterns, uint32_t width, SharedUse use) {
	uint64_t addr[LANES];
	const uint32_t mask = access_somewhere(addr, width);
	const uint32_t want = gpu_shared_use_cycles(gpu, addr, mask, width, use);
	const PatternKey key = key_of(addr, any(INSTRS), mask, width, use);
	assert_int_equal(pattern_shared_cycles(patterns, &key, use), want);
}

static void remembered_as_by_the_rules(void **unused) {
	const Gpu *gpu;
	(void)unused;
	for (size_t g = 0; (gpu = gpu_at(g)) != NULL; g++) {
		AccessPatterns global = {0}, lines = {0}, shared = {0};
		patterns_reset(&global, gpu, INSTRS);
		patterns_reset(&lines, gpu, INSTRS);
		patterns_reset(&shared, gpu, INSTRS);
		for (int i = 0; i < 4000; i++) {
			const uint32_t width = (uint32_t[]){4, 4, 8, 16}[any(4)];
			same_segments(gpu, &global, width, i & 1);
			if (gpu->generation->coalescing == COALESCE_UNITS) same_lines(gpu, &lines, width, i & 1);
			same_cycles(gpu, &shared, width, (SharedUse)(i % (SHARED_LOOP + 1)));
		}
		patterns_reset(&global, NULL, 0);
		patterns_reset(&lines, NULL, 0);
		patterns_reset(&shared, NULL, 0);
	}
}

/* Warps that read a tile in an order of their own each: all of their shapes begin at the same place in a line. */
static void shapes_have_places_of_their_own(void **unused) {
	AccessPatterns patterns = {0};
	uint32_t kept = 0;
	(void)unused;
	patterns_reset(&patterns, gpu_find("H200", NULL), 1);
	for (uint32_t twice = 0; twice < 2; twice++)
		for (uint32_t warp = 1; warp < 8; warp++) {
			uint64_t addr[LANES];
			for (uint32_t l = 0; l < LANES; l++) addr[l] = 1024 + 16 * (l ^ warp);
			const PatternKey key = key_of(addr, 0, UINT32_MAX, 16, 0);
			kept += twice && pattern_find(&patterns, &key, patterns.shared);
			pattern_shared_cycles(&patterns, &key, SHARED_LOAD);
		}
	assert_true(kept >= 5);
	patterns_reset(&patterns, NULL, 0);
}

/* Rows of 48 threads read the columns of a tile: two shapes, which the table of shapes has in one place, at 16 places
 * in a row of banks. */
static void shapes_that_alternate_are_kept(void **unused) {
	AccessPatterns patterns = {0};
	(void)unused;
	patterns_reset(&patterns, gpu_find("GTX 280", NULL), 1);
	for (uint32_t twice = 0; twice < 2; twice++)
		for (uint32_t warp = 0; warp < 96; warp++) {
			uint64_t addr[LANES];
			for (uint32_t l = 0; l < LANES; l++) {
				const uint32_t thread = warp % 2 * 32 + l, row = warp / 2 + thread / 48;
				addr[l] = 4 * (thread % 48 * 49 + row);
			}
			const PatternKey key = key_of(addr, 0, UINT32_MAX, 4, 0);
			if (twice) assert_non_null(pattern_find(&patterns, &key, patterns.shared));
			pattern_shared_cycles(&patterns, &key, SHARED_LOAD);
		}
	patterns_reset(&patterns, NULL, 0);
}

static void equal_numbers_are_equal_shapes(void **unused) {
	enum { MOST = 20000 };
	static uint64_t distances[MOST + 1][LANES];
	uint64_t again = 0;
	(void)unused;
	for (uint32_t i = 0; i < MOST; i++) {
		uint64_t addr[LANES], own[LANES] = {0};
		const uint32_t mask = access_somewhere(addr, 4);
		if (any(2)) addr[any(LANES)] += 4 * any(64);
		FOR_LANES(l, mask) own[l] = addr[l] - addr[first_lane(mask)] + 1;
		const uint64_t number = shape_number(&shapes, any(INSTRS), addr, mask);
		assert_true(number >= 1 && number <= MOST);
		again += distances[number][first_lane(mask)] > 0;
		if (!distances[number][first_lane(mask)]) memcpy(distances[number], own, sizeof own);
		assert_memory_equal(distances[number], own, sizeof own);
	}
	assert_true(again > MOST / 4);
}

static int begin_shapes(void **unused) {
	(void)unused;
	shapes_reset(&shapes, NULL, INSTRS);
	return 0;
}

static int end_shapes(void **unused) {
	(void)unused;
	shapes_reset(&shapes, NULL, 0);
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_shapes, end_shapes)

int main(void) {
	const struct CMUnitTest tests[] = {TEST(remembered_as_by_the_rules), TEST(shapes_have_places_of_their_own),
									   TEST(shapes_that_alternate_are_kept), TEST(equal_numbers_are_equal_shapes)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
