/* The race checker by itself, on accesses made up here. It has quick ways for whole warps that go over rows, half rows and columns;
 * warps that come in two parts take the long way. Both must find the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "emu/checker.h"
#include "emu/memory.h"

enum { LANES = 32, WARPS = 2, BLOCKS = 3, ACCESSES = 80, WORDS = 6 * 4096, ROUNDS = 4000 };

typedef struct {
	Memory *memory;
	uint64_t base;
	LaunchInfo info;
	Checker *race;
	Observer *fork;
	uint32_t values[LANES];
} Stage;

static uint32_t draw(uint64_t *seed) {
	*seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(*seed >> 33);
}

/* Memory keeps its poison: no store brings what is there already. */
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
						   .memory = s->memory};
	s->race = race_checker_new(gpu_default());
	for (uint32_t l = 0; l < LANES; l++) s->values[l] = l;
}

static void close_stage(Stage *s) {
	s->race->free(s->race);
	memory_free(s->memory);
}

typedef struct {
	uint32_t block, warp;
	bool barrier;
	AccessKind kind;
	uint64_t addr[LANES];
} Step;

/* Each round keeps to a few lines, so that accesses meet, and to blocks one after another, as they mostly run. */
static Step draw_step(const Stage *s, uint64_t *seed, uint32_t block, uint32_t lines) {
	Step t = {.block = block, .warp = draw(seed) % WARPS, .barrier = draw(seed) % 6 == 0};
	t.kind = draw(seed) % 3 ? ACCESS_LOAD : ACCESS_STORE;
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
		t.addr[l] = s->base + 4 * (uint64_t)word;
	}
	return t;
}

static void hear(Stage *s, const Step *t, uint32_t instr, uint32_t mask) {
	const uint32_t slot = 0;
	const Access a = {.instr = instr,
					  .kind = t->kind,
					  .space = SPACE_GLOBAL,
					  .width = 4,
					  .mask = mask,
					  .addr = t->addr,
					  .block = t->block,
					  .warp = t->warp,
					  .regs = (const uint8_t *)s->values,
					  .slots = &slot,
					  .elements = 1,
					  .container = 4};
	s->fork->ops->access(s->fork, &a);
}

/* counts[i]: words of access i that raced with an earlier one. */
static void play(Stage *s, uint64_t seed, bool whole, uint64_t counts[ACCESSES]) {
	const ObserverOps *ops = s->race->base.ops;
	ops->launch_begin(&s->race->base, &s->info);
	s->fork = ops->fork(&s->race->base);
	const uint32_t lines = 1 + draw(&seed) % 8;
	for (uint32_t i = 0; i < ACCESSES; i++) {
		const uint32_t block = i * BLOCKS / ACCESSES;
		if (i == 0 || block != (i - 1) * BLOCKS / ACCESSES) ops->block_begin(s->fork, block);
		const Step t = draw_step(s, &seed, block, lines);
		if (t.barrier) {
			const BarrierDone done = {.block = block, .arrived = WARPS * LANES, .alive = WARPS * LANES};
			ops->barrier_done(s->fork, &done);
		}
		if (whole) {
			hear(s, &t, i, UINT32_MAX);
		} else {
			hear(s, &t, i, 0xffff);
			hear(s, &t, i, 0xffff0000);
		}
	}
	ops->join(&s->race->base, s->fork);
	memset(counts, 0, ACCESSES * sizeof *counts);
	for (size_t i = 0; i < s->race->hits.list.len; i++) {
		const Hit *h = &s->race->hits.list.data[i];
		counts[h->instr[0]] += h->count;
	}
}

static void quick_ways_find_what_the_long_one_does(void **unused) {
	(void)unused;
	Stage s;
	uint64_t quick[ACCESSES], slow[ACCESSES], found = 0, clean = 0;
	open_stage(&s);
	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		play(&s, seed, true, quick);
		play(&s, seed, false, slow);
		for (uint32_t i = 0; i < ACCESSES; i++) {
			if (quick[i] != slow[i])
				fail_msg("seed %llu, access %u: %llu words, the long way %llu", (unsigned long long)seed, i,
						 (unsigned long long)quick[i], (unsigned long long)slow[i]);
			found += quick[i] != 0;
			clean += !quick[i];
		}
	}
	assert_true(found > ROUNDS && clean > ROUNDS);
	close_stage(&s);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quick_ways_find_what_the_long_one_does),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
