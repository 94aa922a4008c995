/* What L2 still has: blocks that sweep over memory, some at once, with an L2 that holds what they use or does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/traffic/l2.h"

enum { MB = 1 << 20 };

typedef struct {
	uint32_t blocks, wave, forks; /* forks take every second or third block ... */
	uint64_t lines, sweeps;       /* of a block, and how often it goes over them */
	bool shared, store, halves;   /* all blocks use the same lines; every load is followed by a store; as l2_repeats */
} Sweep;

static void block_uses(L2 *l2, const Sweep *s, uint32_t block) {
	const uint64_t from = s->shared ? 0 : block * s->lines;
	const TouchedLine line = touched_line(0, 15);
	l2_begin(l2, block);
	for (uint64_t i = 0; i < s->sweeps * s->lines; i++) {
		const uint64_t origin = (from + i % s->lines) * SECTORS_PER_LINE;
		l2_use(l2, i % 8, origin, &line, 1, false);
		if (s->store) l2_use(l2, i % 8, origin, &line, 1, true);
	}
}

static L2Repeats repeats(const Sweep *s, size_t bytes) {
	L2 all = l2_new(bytes), forks[4];
	for (uint32_t f = 0; f < s->forks; f++) forks[f] = l2_like(&all);
	for (uint32_t b = 0; b < s->blocks; b++) block_uses(&forks[b % s->forks], s, b);
	for (uint32_t f = 0; f < s->forks; f++) {
		l2_begin(&forks[f], UINT32_MAX);
		l2_join(&all, &forks[f]);
	}
	const L2Repeats result = l2_repeats(&all, s->wave, (double)bytes, s->halves);
	l2_free(&all);
	return result;
}

/* 128 blocks of 4 MB in all stay in 8 MB, 16 MB do not: what is used in turn is gone before its turn comes. */
static void holds_what_fits(void **state) {
	(void)state;
	const Sweep fits = {.blocks = 128, .wave = 128, .forks = 1, .lines = 256, .sweeps = 3};
	assert_float_equal(repeats(&fits, 8 * MB).reads, 1, 1e-9);
	const Sweep large = {.blocks = 128, .wave = 128, .forks = 1, .lines = 1024, .sweeps = 3};
	assert_float_equal(repeats(&large, 8 * MB).reads, 3, 0.01);
}

/* A line per block: those of a wave are of one page, or each opens its own again. */
static void pages_are_opened(void **state) {
	(void)state;
	Sweep neighbors = {.blocks = 1024, .wave = 8, .forks = 1, .lines = 1, .sweeps = 1, .store = true};
	assert_float_equal(repeats(&neighbors, MB / 8).pages, 1, 1e-9);
	neighbors.wave = 1;
	assert_float_equal(repeats(&neighbors, MB / 8).pages, 8, 1e-9);
}

/* 16 waves of 8 blocks over the same lines: the first wave reads them, the others find them or not. */
static void waves_share(void **state) {
	(void)state;
	const Sweep fits = {.blocks = 128, .wave = 8, .forks = 1, .lines = 1 << 15, .sweeps = 1, .shared = true};
	assert_float_equal(repeats(&fits, 8 * MB).reads, 1, 1e-9);
	assert_float_equal(repeats(&fits, 2 * MB).reads, 16, 0.01);
	Sweep halves = fits;
	halves.halves = true; /* 4 MB in both */
	assert_float_equal(repeats(&halves, 9 * MB).reads, 1, 1e-9);
	assert_float_equal(repeats(&halves, 7 * MB).reads, 16, 0.01);
	halves.shared = false;
	assert_float_equal(repeats(&halves, 7 * MB).reads, 1, 1e-9);
}

/* What a block wrote it reads from L2; what L2 lost in between was written to DRAM each time. */
static void writes_come_back(void **state) {
	(void)state;
	const Sweep fits = {.blocks = 128, .wave = 128, .forks = 1, .lines = 256, .sweeps = 3, .store = true};
	assert_float_equal(repeats(&fits, 8 * MB).writes, 1, 1e-9);
	const Sweep large = {.blocks = 128, .wave = 128, .forks = 1, .lines = 1024, .sweeps = 3, .store = true};
	assert_float_equal(repeats(&large, 8 * MB).writes, 3, 0.01);
	L2 l2 = l2_new(8 * MB);
	for (uint64_t i = 0; i < 32768; i++) {
		const TouchedLine half = touched_line(i % 16384, 3), whole = touched_line(i % 16384, 15);
		l2_begin(&l2, 0);
		l2_use(&l2, 0, 0, i < 16384 ? &half : &whole, 1, i < 16384);
	}
	l2_begin(&l2, UINT32_MAX);
	assert_float_equal(l2_repeats(&l2, 1, 8 * MB, true).reads, 0.5, 1e-9); /* half of each line was written before */
	l2_free(&l2);
}

/* Threads that deal blocks among them, and more uses than are kept, change nothing: the same lines are followed. */
static void dealt_out_alike(void **state) {
	(void)state;
	Sweep sweep = {.blocks = 512, .wave = 100, .forks = 1, .lines = 4096, .sweeps = 2, .store = true};
	const L2Repeats one = repeats(&sweep, 4 * MB);
	assert_true(one.reads > 1 && one.writes > 1);
	for (sweep.forks = 2; sweep.forks <= 4; sweep.forks++) {
		const L2Repeats more = repeats(&sweep, 4 * MB);
		assert_memory_equal(&one, &more, sizeof one);
	}
}

static void takes_turns(void **state) {
	(void)state;
	L2 turns = l2_new(4 * MB), whole = l2_new(4 * MB);
	const TouchedLine line = touched_line(0, 15);
	for (uint64_t i = 0; i < 1 << 17; i++) {
		l2_begin(&turns, i % 4);
		l2_use(&turns, 0, i / 4 % 16384 * SECTORS_PER_LINE + i % 4 * 65536, &line, 1, false);
		l2_begin(&whole, (uint32_t)(i >> 15));
		l2_use(&whole, 0, (i & 32767) % 16384 * SECTORS_PER_LINE + (i >> 15) * 65536, &line, 1, false);
	}
	l2_begin(&turns, UINT32_MAX);
	l2_begin(&whole, UINT32_MAX);
	const L2Repeats a = l2_repeats(&turns, 4, 4 * MB, false), b = l2_repeats(&whole, 4, 4 * MB, false);
	assert_memory_equal(&a, &b, sizeof a);
	assert_float_equal(a.reads, 2, 0.01);
	l2_free(&turns);
	l2_free(&whole);
}

static void nothing_used(void **state) {
	(void)state;
	L2 l2 = l2_new(0);
	const L2Repeats none = l2_repeats(&l2, 1, 0, false);
	assert_true(none.reads == 1 && none.writes == 1);
	l2_free(&l2);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(pages_are_opened), cmocka_unit_test(holds_what_fits),
									   cmocka_unit_test(waves_share),      cmocka_unit_test(writes_come_back),
									   cmocka_unit_test(dealt_out_alike),  cmocka_unit_test(takes_turns),
									   cmocka_unit_test(nothing_used)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
