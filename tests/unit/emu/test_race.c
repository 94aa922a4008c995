/* The race checker by itself, on accesses made up here. It has quick ways for whole warps that go over rows, half rows
 * or one word, in global and in shared memory; warps that come in two parts take the long way. Both must find the same.
 * So must two forks that heard different blocks, unless they say that they do not agree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "emu/check/checker.h"
#include "emu/memory/memory.h"
#include "gpu/lanes.h"

enum { WARPS = 2, BLOCKS = 3, ACCESSES = 80, WORDS = 6 * 4096, ROUNDS = 2000, MOST_WIDE = 4 /* words per lane */ };

typedef struct {
	Memory *memory;
	uint64_t base;
	LaunchInfo info;
	Checker *race;
	Observer *forks[2];
	unsigned nforks;
	uint32_t values[MOST_WIDE][LANES];
	uint8_t shared[WORDS * 4];
} Stage;

static uint32_t draw(uint64_t *seed) {
	*seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(*seed >> 33);
}

static void open_stage(Stage *s) {
	static const PtxFunction none = {0};
	static const PtxFunction *functions[] = {&none};
	static const uint32_t first[] = {0};
	Err err = ERR_INIT;
	s->memory = memory_new(0);
	const Allocation *a = memory_add(s->memory, ALLOC_BUFFER, WORDS * 4, "words", &err);
	assert_non_null(a);
	s->base = a->base;
	s->info = (LaunchInfo){.functions = functions,
						   .nfunctions = 1,
						   .first = first,
						   .ninstrs = ACCESSES,
						   .config = {.grid = {BLOCKS, 1, 1}, .block = {WARPS * LANES, 1, 1}},
						   .cluster = {1, 1, 1},
						   .shared_bytes = WORDS * 4,
						   .memory = s->memory};
	s->race = race_checker_new(gpu_default());
}

static void close_stage(Stage *s) {
	checker_free(s->race);
	memory_free(s->memory);
}

typedef struct {
	uint32_t block, warp;
	bool barrier, shared;
	AccessKind kind;
	uint32_t wide; /* words per lane */
	uint64_t addr[LANES];
} Step;

/* Each round keeps to a few lines, so that accesses meet, and to blocks one after another, as they mostly run. */
static Step draw_step(const Stage *s, uint64_t *seed, uint32_t block, uint32_t lines) {
	Step t = {.block = block, .warp = draw(seed) % WARPS, .barrier = draw(seed) % 6 == 0};
	t.kind = draw(seed) % 3 ? ACCESS_LOAD : ACCESS_STORE;
	t.wide = draw(seed) % 3 ? 1 : 2u << draw(seed) % 2;
	t.shared = draw(seed) % 3 == 0;
	const uint32_t shape = draw(seed) % 6, line = draw(seed) % lines,
				   other = (line + 1 + draw(seed) % lines) % (2 * lines);
	const uint32_t column = draw(seed) % LANES, shift = draw(seed) % 3 ? 0 : draw(seed) % LANES;
	for (uint32_t l = 0; l < LANES; l++) {
		uint32_t word = 0;
		switch (shape) {
		case 0:
		case 1: word = line * LANES + shift + l; break; /* a row */
		case 2:
		case 3: word = (l < 16 ? line : other) * LANES + 16 * (shift & 1) + l % 16; break; /* two half rows */
		case 4: word = l * 128 + column; break;                                            /* a column */
		default: word = t.kind == ACCESS_LOAD ? line * LANES : l * 96 + column; break; /* one for all, or a column */
		}
		if (line == other && t.kind == ACCESS_STORE) word = line * LANES + l;
		t.addr[l] = (t.shared ? 0 : s->base) + 4 * (uint64_t)word * t.wide;
	}
	return t;
}

static void observe(Stage *s, const Step *t, uint32_t instr, uint32_t mask) {
	static const uint32_t slots[MOST_WIDE] = {0, 4 * LANES, 8 * LANES, 12 * LANES};
	const Access a = {.instr = instr,
					  .kind = t->kind,
					  .space = t->shared ? SPACE_SHARED : SPACE_GLOBAL,
					  .width = 4 * t->wide,
					  .mask = mask,
					  .addr = t->addr,
					  .form = mask == UINT32_MAX ? access_form_of(t->addr, 4 * t->wide) : 0,
					  .block = t->block,
					  .owner = t->block,
					  .warp = t->warp,
					  .shared = t->shared ? s->shared : NULL,
					  .regs = (const uint8_t *)s->values,
					  .slots = slots,
					  .elements = t->wide,
					  .container = 4};
	Observer *fork = s->forks[t->block % s->nforks];
	fork->ops->access(fork, &a);
}

/* Where every block keeps to itself, in its own part of a page or two. */
static void move_apart(const Stage *s, Step *t) {
	enum { PART = 1024 };
	const uint32_t width = 4 * t->wide;
	for (uint32_t l = 0; l < LANES && !t->shared; l++) {
		const uint32_t n = (uint32_t)(t->addr[l] - s->base) / width;
		t->addr[l] = s->base + width * (uint64_t)((n / (PART - 3 * LANES) + n) % PART + t->block * PART);
	}
}

typedef struct {
	uint64_t words[ACCESSES]; /* of access i, that raced with an earlier one */
	bool blocks;              /* one with another block */
} Found;

static void count(const Stage *s, Found *found) {
	*found = (Found){0};
	for (size_t i = 0; i < s->race->hits.list.len; i++) {
		const Hit *h = &s->race->hits.list.data[i];
		found->words[h->instr[0]] += h->count;
		found->blocks |= h->block[0] != h->block[1];
	}
}

static void play_step(Stage *s, const Step *t, uint32_t instr, bool whole) {
	Observer *fork = s->forks[t->block % s->nforks];
	const BarrierDone done = {.block = t->block, .arrived = WARPS * LANES, .alive = WARPS * LANES};
	if (t->barrier) fork->ops->barrier_done(fork, &done);
	/* no store brings what is there already */
	for (uint32_t i = 0; i < MOST_WIDE * LANES; i++) s->values[i / LANES][i % LANES] = instr * LANES + i % LANES + 1;
	observe(s, t, instr, whole ? UINT32_MAX : 0xffff);
	if (!whole) observe(s, t, instr, 0xffff0000);
}

static void store(const Stage *s, const Step *t) {
	const Allocation *a = memory_find(s->memory, s->base);
	for (uint32_t l = 0; t->kind == ACCESS_STORE && !t->shared && l < LANES; l++)
		for (uint32_t i = 0; i < t->wide; i++) memcpy(a->host + (t->addr[l] - s->base) + 4 * i, &s->values[i][l], 4);
}

/* Do they agree? */
static bool play(Stage *s, uint64_t seed, bool whole, unsigned nforks, Found *found) {
	const ObserverOps *ops = s->race->base.ops;
	s->nforks = s->info.workers = nforks;
	ops->launch_begin(&s->race->base, &s->info);
	for (unsigned i = 0; i < nforks; i++) s->forks[i] = ops->fork(&s->race->base);
	const uint32_t n = draw(&seed) % 2 ? ACCESSES : 4 + draw(&seed) % 8;
	const uint32_t strays = draw(&seed) % 3 ? 1 + draw(&seed) % (2 * n) : 0; /* which step, if any, keeps to no part */
	const uint32_t lines = 1 + draw(&seed) % 8;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t block = i * BLOCKS / n;
		Observer *fork = s->forks[block % nforks];
		if (i == 0 || block != (i - 1) * BLOCKS / n) ops->block_begin(fork, block);
		Step t = draw_step(s, &seed, block, lines);
		if (strays && strays != i) move_apart(s, &t);
		play_step(s, &t, i, whole);
		if (nforks > 1) store(s, &t);
	}
	const bool agreed = nforks == 1 || s->race->base.order->validate(&s->race->base, s->forks, nforks, true);
	for (unsigned i = 0; i < nforks; i++) ops->join(&s->race->base, s->forks[i]);
	count(s, found);
	return agreed;
}

static void quick_ways_find_what_the_long_one_does(void **unused) {
	(void)unused;
	Stage s;
	uint64_t found = 0, clean = 0;
	open_stage(&s);
	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		Found quick, slow;
		play(&s, seed, true, 1, &quick);
		play(&s, seed, false, 1, &slow);
		for (uint32_t i = 0; i < ACCESSES; i++) {
			if (quick.words[i] != slow.words[i])
				fail_msg("seed %llu, access %u: %llu words, the long way %llu", (unsigned long long)seed, i,
						 (unsigned long long)quick.words[i], (unsigned long long)slow.words[i]);
			found += quick.words[i] != 0;
			clean += !quick.words[i];
		}
	}
	assert_true(found > ROUNDS && clean > ROUNDS);
	close_stage(&s);
}

/* Poison, or anything else. */
static uint8_t byte_before(uint64_t seed, size_t i) {
	return seed % 2 ? 0xff : (uint8_t)(i * 7 + i / 1000);
}

static bool is_as_before(const Stage *s, uint64_t seed) {
	const Allocation *a = memory_find(s->memory, s->base);
	for (size_t i = 0; i < a->bytes; i++)
		if (a->host[i] != byte_before(seed, i)) return false;
	return true;
}

static void fill(const Stage *s, uint64_t seed) {
	const Allocation *a = memory_find(s->memory, s->base);
	for (size_t i = 0; i < a->bytes; i++) a->host[i] = byte_before(seed, i);
}

static void forks_that_agree_find_what_one_does(void **unused) {
	(void)unused;
	Stage s;
	uint64_t agreed = 0, not_agreed = 0;
	open_stage(&s);
	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		Found one, two;
		fill(&s, seed);
		play(&s, seed, true, 1, &one);
		const bool agree = play(&s, seed, true, 2, &two);
		if (agree && memcmp(one.words, two.words, sizeof one.words) != 0)
			fail_msg("seed %llu: they agree and found something else", (unsigned long long)seed);
		if (agree && one.blocks) fail_msg("seed %llu: they agree and blocks raced", (unsigned long long)seed);
		if (!agree) assert_true(is_as_before(&s, seed)); /* what was written is put back */
		agreed += agree;
		not_agreed += !agree;
	}
	assert_true(agreed > ROUNDS / 4 && not_agreed > ROUNDS / 4);
	close_stage(&s);
}

/* A column, but for one lane that stores where another does. */
static uint64_t hits_of_column(Stage *s, uint32_t lane, uint32_t other) {
	Step t = {.kind = ACCESS_STORE, .wide = 1};
	Found found;
	for (uint32_t l = 0; l < LANES; l++) t.addr[l] = s->base + 4 * (uint64_t)(l == lane ? other : l) * 96;
	s->nforks = s->info.workers = 1;
	s->race->base.ops->launch_begin(&s->race->base, &s->info);
	s->forks[0] = s->race->base.ops->fork(&s->race->base);
	s->race->base.ops->block_begin(s->forks[0], 0);
	play_step(s, &t, 0, true);
	s->race->base.ops->join(&s->race->base, s->forks[0]);
	count(s, &found);
	return found.words[0];
}

static void two_lanes_of_a_column_that_store_to_one_word_race(void **unused) {
	(void)unused;
	Stage s;
	open_stage(&s);
	for (uint32_t lane = 0; lane < LANES; lane++)
		for (uint32_t other = 0; other < LANES; other++)
			assert_int_equal(hits_of_column(&s, lane, other), lane != other);
	close_stage(&s);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_lanes_of_a_column_that_store_to_one_word_race),
		cmocka_unit_test(quick_ways_find_what_the_long_one_does),
		cmocka_unit_test(forks_that_agree_find_what_one_does),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
