/* Warps on an SM whose parameters are chosen so that the answer can be worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "replay/replay.h"

enum { MOST_OPS = 64, MOST_WARPS = 64, MOST_SECTORS = 32 };

/* One block of code that every warp runs `times` times. */
typedef struct {
	ReplayOp ops[MOST_OPS];
	uint32_t nops, registers[2 * MOST_OPS];
	ReplayBlock block;
	ReplayVisit visits[MOST_WARPS][8];
	ReplayAccess accesses[MOST_WARPS][8];
	uint64_t sectors[MOST_WARPS][MOST_SECTORS];
	ReplayWarp warps[MOST_WARPS];
} Program;

static ReplaySm plain_sm(void) {
	ReplaySm sm = {.parts = 4,
				   .queue = 4,
				   .global_queue = 8,
				   .resident = 4,
				   .l1_lines = 256,
				   .latency_l1 = 30,
				   .latency_shared = 20,
				   .latency_l2 = 200,
				   .latency_dram = 500,
				   .l2_rate = 32,
				   .dram_rate = 16,
				   .l2_load_line = 1,
				   .l2_store_sector = 1,
				   .dram_of_loads = 1,
				   .dram_of_stores = 1,
				   .atomic_clocks = 10,
				   .backlog = 1000,
				   .branch_clocks = 10,
				   .barrier_clocks = 10};
	for (int i = 0; i < UNIT_COUNT; i++) sm.intervals[i] = 1;
	return sm;
}

/* Appends an operation that reads register `from` and writes `to`; 0: none. */
static ReplayOp *add_op(Program *p, ReplayUnit unit, uint32_t latency, uint32_t from, uint32_t to) {
	ReplayOp *op = &p->ops[p->nops];
	*op = (ReplayOp){.instr = p->nops, .unit = unit, .slots = 1, .uses = 1, .latency = (uint16_t)latency};
	p->registers[2 * p->nops] = from;
	p->registers[2 * p->nops + 1] = to;
	op->reads = 2 * p->nops, op->nreads = from != 0;
	op->writes = 2 * p->nops + 1, op->nwrites = to != 0;
	op->accesses = unit == UNIT_GLOBAL || unit == UNIT_SHARED;
	p->nops++;
	return op;
}

/* Every access of the program: n sectors of the warp's own, or `passes` of shared memory. */
static void give_accesses(Program *p, uint32_t warps, uint32_t passes, uint32_t nsectors) {
	for (uint32_t w = 0; w < warps; w++) {
		uint32_t n = 0;
		for (uint32_t i = 0; i < p->nops; i++) {
			if (!p->ops[i].accesses) continue;
			for (uint32_t s = 0; s < nsectors; s++)
				p->sectors[w][n * nsectors + s] = (1000 * w + n * nsectors + s) | REPLAY_PRIVATE;
			p->accesses[w][n] = (ReplayAccess){.instr = i,
											   .kind = REPLAY_LOAD,
											   .cached = true,
											   .passes = (uint16_t)passes,
											   .lines = (uint8_t)((nsectors + 3) / 4),
											   .nsectors = (uint8_t)nsectors,
											   .sectors = n * nsectors};
			n++;
		}
		p->visits[w][0] = (ReplayVisit){0, 0};
		p->visits[w][1] = (ReplayVisit){0, n};
		p->warps[w] = (ReplayWarp){p->visits[w], 1, p->accesses[w], p->sectors[w]};
	}
}

static ReplayResult run(Program *p, const ReplaySm *sm, uint32_t recorded, uint32_t warps, uint32_t blocks) {
	p->block = (ReplayBlock){0, p->nops};
	const ReplayCode code = {p->ops, &p->block, p->registers, 1, 16, p->nops};
	return replay_run(sm, &code, p->warps, recorded, warps, blocks, 1000000, false);
}

static Stall top(const ReplayResult *r) {
	Stall best = STALL_LONG_SCOREBOARD;
	for (int i = 1; i < STALL_COUNT; i++)
		if (r->totals[i] > r->totals[best]) best = (Stall)i;
	return best;
}

static void a_dependency_chain_waits(void **state) {
	Program p = {0};
	const ReplaySm sm = plain_sm();
	for (int i = 0; i < 50; i++) add_op(&p, UNIT_FP32, 4, 1, 1);
	give_accesses(&p, 1, 0, 0);
	ReplayResult r = run(&p, &sm, 1, 1, 1);
	assert_int_equal(r.issued, 50);
	assert_true(r.cycles >= 49 * 4 && r.cycles <= 50 * 4 + 2);
	assert_int_equal(top(&r), STALL_WAIT);
	assert_true(r.totals[STALL_WAIT] == 49 * 3); /* three cycles each beside the one that issues */
	free(r.stalls);
}

static void full_parts_take_turns(void **state) {
	Program p = {0};
	const ReplaySm sm = plain_sm();
	for (int i = 0; i < 40; i++) add_op(&p, UNIT_FP32, 1, 0, 2);
	give_accesses(&p, 32, 0, 0);
	ReplayResult r = run(&p, &sm, 1, 32, 1);
	assert_true(fabs(r.cycles - 40.0 * 32 / 4) <= 2);
	assert_int_equal(top(&r), STALL_NOT_SELECTED);
	free(r.stalls);
}

static void a_unit_of_half_the_lanes_takes_twice_as_long(void **state) {
	Program p = {0};
	ReplaySm sm = plain_sm();
	sm.intervals[UNIT_INT] = 2;
	for (int i = 0; i < 40; i++) add_op(&p, UNIT_INT, 1, 0, 2);
	give_accesses(&p, 32, 0, 0);
	ReplayResult r = run(&p, &sm, 1, 32, 1);
	assert_true(fabs(r.cycles - 2 * 40.0 * 32 / 4) <= 4);
	assert_true(r.totals[STALL_MATH_PIPE_THROTTLE] > r.totals[STALL_WAIT]);
	free(r.stalls);
}

static void bank_conflicts_fill_the_queue(void **state) {
	Program p = {0};
	const ReplaySm sm = plain_sm();
	for (int i = 0; i < 8; i++) add_op(&p, UNIT_SHARED, 0, 0, 3);
	give_accesses(&p, 32, 32, 0);
	ReplayResult r = run(&p, &sm, 1, 32, 1);
	/* all but the last ones, which no one waits for: those in the queues */
	assert_true(r.cycles >= (8 * 32 - 20) * 32 && r.cycles <= 8 * 32 * 32 + 40);
	assert_int_equal(top(&r), STALL_MIO_THROTTLE);
	free(r.stalls);
}

static void loads_move_at_the_rate_of_dram(void **state) {
	Program p = {0};
	ReplaySm sm = plain_sm();
	sm.latency_dram = sm.latency_l2 = 100; /* enough bytes are in flight */
	add_op(&p, UNIT_GLOBAL, 0, 0, 4);
	add_op(&p, UNIT_FP32, 4, 4, 5);
	give_accesses(&p, 64, 1, 4);
	ReplayResult one = run(&p, &sm, 4, 16, 54), many = run(&p, &sm, 4, 16, 104);
	const double bytes = 50 * 16 * 4 * 32.0; /* of the blocks that the first run does not have */
	assert_true(fabs((many.cycles - one.cycles) / (bytes / sm.dram_rate) - 1) < 0.1);
	assert_int_equal(top(&many), STALL_LONG_SCOREBOARD);
	assert_true(many.cycles >= 104 * 16 * 4 * 32 / sm.dram_rate);
	assert_true(fabs(many.steady / (16 * 4 * 32 / sm.dram_rate) - 1) < 0.1);
	free(one.stalls);
	free(many.stalls);
}

/* A warp stores `stores` times and then loads. */
static double load_after(uint32_t stores, double write_wait) {
	Program p = {0};
	ReplaySm sm = plain_sm();
	sm.write_wait = write_wait;
	for (uint32_t i = 0; i < stores; i++) add_op(&p, UNIT_GLOBAL, 0, 0, 0);
	add_op(&p, UNIT_GLOBAL, 0, 0, 4);
	add_op(&p, UNIT_FP32, 4, 4, 5);
	give_accesses(&p, 1, 1, 4);
	for (uint32_t i = 0; i < stores; i++) p.accesses[0][i].kind = REPLAY_STORE;
	ReplayResult r = run(&p, &sm, 1, 1, 1);
	free(r.stalls);
	return r.cycles;
}

/* By the share of the time that DRAM wrote; a read that waits for DRAM's queue as long as that does not wait again. */
static void reads_wait_for_what_dram_writes(void **state) {
	assert_true(load_after(0, 400) == load_after(0, 0));
	const double waits = load_after(1, 400) - load_after(1, 0);
	assert_true(waits > 150 && waits < 400 * 8 / 18.0); /* DRAM wrote for 8 of its 18 cycles; the load waited for 14 */
	assert_true(load_after(6, 20) == load_after(6, 0));
}

/* It goes on until they do, at first while the pipe of the loads is filled. */
static void it_ends_where_blocks_end_steadily(void **state) {
	Program p = {0};
	ReplaySm sm = plain_sm();
	sm.latency_dram = sm.latency_l2 = 100;
	add_op(&p, UNIT_GLOBAL, 0, 0, 4);
	for (int i = 0; i < 15; i++) add_op(&p, UNIT_FP32, 4, 4, 5);
	give_accesses(&p, 64, 1, 4);
	ReplayResult r = run(&p, &sm, 4, 16, 4000);
	assert_true(r.blocks >= 64 && r.blocks < 400);
	assert_true(r.issued >= 16384);
	assert_true(fabs(r.steady / (16 * 4 * 32 / sm.dram_rate) - 1) < 0.02);
	free(r.stalls);
}

/* Blocks that start together end together: two rounds of eight and half of one. */
static void a_round_of_blocks_counts_whole(void **state) {
	Program p = {0};
	ReplaySm sm = plain_sm();
	sm.resident = 8;
	for (int i = 0; i < 50; i++) add_op(&p, UNIT_FP32, 40, 4, 4);
	give_accesses(&p, 1, 1, 4);
	ReplayResult one = run(&p, &sm, 1, 1, 8), r = run(&p, &sm, 1, 1, 20);
	assert_true(fabs(r.cycles / one.cycles / 3 - 1) < 0.02);
	assert_true(fabs(r.steady / (one.cycles / 8) - 1) < 0.02);
	free(one.stalls);
	free(r.stalls);
}

static void common_sectors_stay_in_l1(void **state) {
	Program p = {0};
	const ReplaySm sm = plain_sm();
	add_op(&p, UNIT_GLOBAL, 0, 0, 4);
	give_accesses(&p, 64, 1, 4);
	ReplayResult own = run(&p, &sm, 4, 16, 64);
	for (uint32_t w = 0; w < 64; w++)
		for (uint32_t s = 0; s < 4; s++) p.sectors[w][s] = s;
	ReplayResult common = run(&p, &sm, 4, 16, 64);
	assert_true(common.cycles < own.cycles / 4);
	free(own.stalls);
	free(common.stalls);
}

/* A texture's load outside its image reaches no sector; a launch of such loads has no list of sectors at all. */
static void loads_without_sectors_need_no_list(void **state) {
	Program p = {0};
	const ReplaySm sm = plain_sm();
	add_op(&p, UNIT_GLOBAL, 0, 0, 4);
	give_accesses(&p, 4, 0, 0);
	for (uint32_t w = 0; w < 4; w++) p.warps[w].sectors = NULL;
	ReplayResult r = run(&p, &sm, 4, 4, 4);
	assert_int_equal(r.issued, 4);
	free(r.stalls);
}

/* Warp 0 of 8 loads before the barrier. */
static ReplayResult warp_0_is_late(ReplayBarrier barrier) {
	Program p = {0};
	const ReplaySm sm = plain_sm();
	add_op(&p, UNIT_GLOBAL, 0, 0, 4);
	add_op(&p, UNIT_FP32, 4, 4, 5);
	add_op(&p, UNIT_BARRIER, 0, 0, 0)->barrier = barrier;
	add_op(&p, UNIT_FP32, 4, 0, 6);
	give_accesses(&p, 8, 1, 4);
	for (uint32_t w = 1; w < 8; w++) p.visits[w][1].access = 0;
	for (uint32_t w = 1; w < 8; w++) p.warps[w].visits = p.visits[w];
	return run(&p, &sm, 1, 8, 1);
}

static void a_barrier_waits_for_the_last_warp(void **state) {
	ReplayResult r = warp_0_is_late((ReplayBarrier){0});
	assert_int_equal(top(&r), STALL_BARRIER);
	assert_true(r.totals[STALL_BARRIER] > 7 * 400);
	assert_true(r.stalls[3][STALL_BARRIER] == r.totals[STALL_BARRIER]); /* at the instruction after it */
	free(r.stalls);
}

/* Three warps wait for it, or for its group, and none where warps only arrive. */
static void a_barrier_of_some_warps_waits_for_these(void **state) {
	const ReplayBarrier groups = {.id = REPLAY_GROUP, .warps = 4}, arrival = {.id = 1, .warps = 8, .arrives = true};
	ReplayResult r = warp_0_is_late(groups);
	assert_true(r.totals[STALL_BARRIER] > 3 * 400 && r.totals[STALL_BARRIER] < 4 * 800);
	assert_int_equal(r.issued, 1 + 8 * 3);
	free(r.stalls);
	r = warp_0_is_late(arrival);
	assert_true(r.totals[STALL_BARRIER] == 0);
	assert_int_equal(r.issued, 1 + 8 * 3);
	free(r.stalls);
}

static void a_barrier_that_warps_have_left_is_complete(void **state) {
	Program p = {0};
	const ReplaySm sm = plain_sm();
	add_op(&p, UNIT_BARRIER, 0, 0, 0);
	add_op(&p, UNIT_FP32, 4, 0, 6);
	give_accesses(&p, 4, 0, 0);
	p.warps[3].nvisits = 0; /* as where no lane is left */
	ReplayResult r = run(&p, &sm, 1, 4, 3);
	assert_int_equal(r.blocks, 3);
	assert_int_equal(r.issued, 3 * 3 * 2);
	free(r.stalls);
}

/* Both warps of block 1 wait for DRAM, one on each part. At the barrier of block 0 its second warp, which asked L1,
 * releases the first, whose part has nothing else to do until the data is there. */
static void a_barrier_wakes_parts_that_wait_for_memory(void **state) {
	Program p = {0};
	ReplaySm sm = plain_sm();
	sm.parts = 2;
	add_op(&p, UNIT_GLOBAL, 0, 0, 4);
	add_op(&p, UNIT_FP32, 4, 4, 5);
	add_op(&p, UNIT_BARRIER, 0, 0, 0);
	add_op(&p, UNIT_FP32, 4, 0, 6);
	give_accesses(&p, 4, 1, 4);
	p.visits[0][1].access = 0;
	p.accesses[1][0].nsectors = 0;
	ReplayResult r = run(&p, &sm, 2, 2, 2);
	assert_int_equal(r.issued, 4 * 4 - 1);
	assert_true(r.stalls[1][STALL_LONG_SCOREBOARD] > 2 * 400);
	assert_true(r.stalls[3][STALL_MATH_PIPE_THROTTLE] < 10); /* the unit is free */
	free(r.stalls);
}

/* Appends an op whose copies are under way while the warp goes on. */
static void add_async(Program *p, ReplayUnit unit) {
	ReplayOp *op = add_op(p, unit, 0, 0, 0);
	op->accesses = op->async = true;
}

static void set_access(Program *p, uint32_t warp, uint32_t at, ReplayAccess access) {
	p->accesses[warp][at] = access;
	p->visits[warp][1].access = at + 1;
}

/* Two loads from DRAM, the second 300 cycles of arithmetic later, then a wait for all groups but the last `keep`. */
static ReplayResult wait_for_groups(uint16_t keep) {
	Program p = {0};
	const ReplaySm sm = plain_sm();
	for (int i = 0; i < 2; i++) {
		add_async(&p, UNIT_GLOBAL);
		add_async(&p, UNIT_NONE);
		if (i == 0) add_op(&p, UNIT_FP32, 300, 1, 1);
		if (i == 0) add_op(&p, UNIT_FP32, 300, 1, 1);
	}
	add_async(&p, UNIT_NONE);
	add_op(&p, UNIT_FP32, 4, 0, 2);
	give_accesses(&p, 1, 1, 4);
	p.accesses[0][1] = (ReplayAccess){.instr = 1, .kind = REPLAY_COMMIT};
	p.accesses[0][3] = (ReplayAccess){.instr = 5, .kind = REPLAY_COMMIT};
	p.accesses[0][4] = (ReplayAccess){.instr = 6, .kind = REPLAY_WAIT, .passes = keep};
	return run(&p, &sm, 1, 1, 1);
}

static void groups_of_copies_are_waited_for(void **state) {
	ReplayResult all = wait_for_groups(0), first = wait_for_groups(1), none = wait_for_groups(2);
	assert_int_equal(all.issued, 8);
	assert_true(all.stalls[7][STALL_LONG_SCOREBOARD] > 500);
	assert_true(first.stalls[7][STALL_LONG_SCOREBOARD] > 150 && first.stalls[7][STALL_LONG_SCOREBOARD] < 300);
	assert_true(none.totals[STALL_LONG_SCOREBOARD] == 0);
	free(all.stalls);
	free(first.stalls);
	free(none.stalls);
}

/* Warp 0 begins a bulk copy of two rows, all four warps wait for its end; nothing is told if `told` is false. */
static ReplayResult wait_for_event(bool told) {
	Program p = {0};
	const ReplaySm sm = plain_sm();
	add_async(&p, UNIT_BULK);
	add_async(&p, UNIT_SHARED);
	add_op(&p, UNIT_FP32, 4, 0, 2);
	give_accesses(&p, 4, 1, 4);
	const ReplayAccess test = {.instr = 1, .kind = REPLAY_LOAD, .passes = 1}, wait = {.instr = 1, .kind = REPLAY_AWAIT};
	for (uint32_t w = 0; w < 4; w++) {
		uint32_t n = w == 0 ? 1 : 0;
		if (w == 0) {
			p.accesses[0][n] = p.accesses[0][0];
			p.accesses[0][n++].sectors = 4;
			if (told) p.accesses[0][n++] = (ReplayAccess){.instr = 0, .kind = REPLAY_SIGNAL};
		}
		set_access(&p, w, n++, test);
		set_access(&p, w, n, wait);
	}
	return run(&p, &sm, 1, 4, 1);
}

static void warps_wait_for_a_bulk_copy(void **state) {
	ReplayResult r = wait_for_event(true);
	assert_int_equal(r.issued, 1 + 4 * 2);
	assert_int_equal(r.blocks, 1);
	assert_true(r.stalls[2][STALL_LONG_SCOREBOARD] > 4 * 450);
	free(r.stalls);
	r = wait_for_event(false);
	assert_int_equal(r.issued, 1 + 4 * 2);
	assert_true(r.totals[STALL_LONG_SCOREBOARD] == 0);
	free(r.stalls);
}

/* Each of two warps waits for what the other one tells only after that, as no trace of a launch that ended has it. */
static void no_warp_waits_for_ever(void **state) {
	Program p = {0};
	const ReplaySm sm = plain_sm();
	add_async(&p, UNIT_SHARED);
	add_async(&p, UNIT_SHARED);
	give_accesses(&p, 2, 1, 4);
	for (uint32_t w = 0; w < 2; w++) {
		set_access(&p, w, 0, (ReplayAccess){.instr = 0, .kind = REPLAY_AWAIT, .event = w});
		set_access(&p, w, 1, (ReplayAccess){.instr = 1, .kind = REPLAY_SIGNAL, .event = 1 - w});
	}
	ReplayResult r = run(&p, &sm, 1, 2, 3);
	assert_int_equal(r.blocks, 3);
	assert_int_equal(r.issued, 3 * 2 * 2);
	free(r.stalls);
}

static void atomics_wait_for_each_other(void **state) {
	Program p = {0};
	const ReplaySm sm = plain_sm();
	add_op(&p, UNIT_GLOBAL, 0, 0, 4);
	add_op(&p, UNIT_FP32, 4, 4, 5);
	give_accesses(&p, 16, 1, 1);
	for (uint32_t w = 0; w < 16; w++) {
		p.accesses[w][0].kind = REPLAY_ATOMIC;
		p.accesses[w][0].passes = 32;
	}
	ReplayResult r = run(&p, &sm, 1, 16, 1);
	assert_true(r.cycles >= 16 * 32 * 10);
	assert_int_equal(top(&r), STALL_LONG_SCOREBOARD);
	free(r.stalls);
}

static void stalls_are_all_of_the_warps_time(void **state) {
	Program p = {0};
	const ReplaySm sm = plain_sm();
	for (int i = 0; i < 4; i++) {
		add_op(&p, UNIT_GLOBAL, 0, 0, 4);
		add_op(&p, UNIT_INT, 4, 4, 5);
		add_op(&p, UNIT_BARRIER, 0, 0, 0);
	}
	give_accesses(&p, 8, 1, 4);
	ReplayResult r = run(&p, &sm, 1, 8, 1), again = run(&p, &sm, 1, 8, 1);
	double all = 0;
	for (int i = 0; i < STALL_COUNT; i++) all += r.totals[i];
	assert_true(all <= 8 * r.cycles + 8 && all > 0.9 * 8 * r.cycles);
	assert_true(r.cycles == again.cycles && !memcmp(r.totals, again.totals, sizeof r.totals));
	free(r.stalls);
	free(again.stalls);
}

/* Of each warp of the first block all cycles from its first event to its last one, without gaps. */
static void events_of_a_block_follow_each_other(void **state) {
	Program p = {0};
	const ReplaySm sm = plain_sm();
	double end[4] = {-1, -1, -1, -1}, cycles = 0;
	for (int i = 0; i < 8; i++) add_op(&p, UNIT_FP32, 4, 1, 1);
	add_op(&p, UNIT_BARRIER, 1, 0, 0);
	for (int i = 0; i < 8; i++) add_op(&p, UNIT_FP32, 4, 1, 1);
	give_accesses(&p, 4, 0, 0);
	p.block = (ReplayBlock){0, p.nops};
	const ReplayCode code = {p.ops, &p.block, p.registers, 1, 16, p.nops};
	ReplayResult r = replay_run(&sm, &code, p.warps, 1, 4, 2, 1000000, true);
	uint32_t issued = 0;
	for (uint32_t i = 0; i < r.nevents; i++) {
		const ReplayEvent *e = &r.events[i];
		assert_true(e->warp < 4 && e->cycles > 0 && (end[e->warp] < 0 || fabs(end[e->warp] - e->from) < 1e-6));
		end[e->warp] = e->from + e->cycles;
		issued += e->why == STALL_SELECTED;
		if (e->why == STALL_BARRIER) cycles += e->cycles;
	}
	assert_int_equal(issued, 4 * 17);
	assert_true(cycles > 0);
	free(r.events);
	free(r.stalls);
}

/* The warp's next instruction follows the last iteration. */
static void an_atomic_loop_holds_its_warp(void **state) {
	double cycles[2];
	for (uint32_t loops = 0; loops < 2; loops++) {
		Program p = {0};
		ReplaySm sm = plain_sm();
		sm.loop_clocks = 95;
		add_op(&p, UNIT_SHARED, 0, 0, 0);
		add_op(&p, UNIT_FP32, 4, 0, 5);
		give_accesses(&p, 1, 30, 0);
		p.accesses[0][0].lines = loops ? 10 : 0;
		ReplayResult r = run(&p, &sm, 1, 1, 1);
		cycles[loops] = r.cycles;
		free(r.stalls);
	}
	assert_true(cycles[1] - cycles[0] > 9 * 95 && cycles[1] - cycles[0] < 10 * 95);
}

/* While both resident blocks run, not while the last one is alone. */
static void the_pace_is_that_of_a_full_sm(void **state) {
	for (uint32_t slots = 1; slots <= 512; slots += 511) {
		Program p = {0};
		const ReplaySm sm = plain_sm();
		for (uint32_t i = 0; i < 8; i++) add_op(&p, UNIT_FP32, 4, 4, 4)->slots = (uint16_t)slots;
		give_accesses(&p, 1, 1, 4);
		ReplayResult r = run(&p, &sm, 1, 1, 13);
		if (slots == 1)
			assert_true(r.pace == 0); /* too few instructions to tell */
		else
			assert_true(r.pace > 0 && r.pace < r.cycles / (double)r.issued);
		free(r.stalls);
	}
}

static void names_are_nsight_computes(void **state) {
	assert_string_equal(stall_names[STALL_LONG_SCOREBOARD], "long_scoreboard");
	assert_string_equal(stall_names[STALL_NOT_SELECTED], "not_selected");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dependency_chain_waits),
		cmocka_unit_test(full_parts_take_turns),
		cmocka_unit_test(a_unit_of_half_the_lanes_takes_twice_as_long),
		cmocka_unit_test(bank_conflicts_fill_the_queue),
		cmocka_unit_test(loads_move_at_the_rate_of_dram),
		cmocka_unit_test(reads_wait_for_what_dram_writes),
		cmocka_unit_test(it_ends_where_blocks_end_steadily),
		cmocka_unit_test(a_round_of_blocks_counts_whole),
		cmocka_unit_test(common_sectors_stay_in_l1),
		cmocka_unit_test(loads_without_sectors_need_no_list),
		cmocka_unit_test(a_barrier_waits_for_the_last_warp),
		cmocka_unit_test(a_barrier_of_some_warps_waits_for_these),
		cmocka_unit_test(a_barrier_that_warps_have_left_is_complete),
		cmocka_unit_test(a_barrier_wakes_parts_that_wait_for_memory),
		cmocka_unit_test(groups_of_copies_are_waited_for),
		cmocka_unit_test(warps_wait_for_a_bulk_copy),
		cmocka_unit_test(no_warp_waits_for_ever),
		cmocka_unit_test(atomics_wait_for_each_other),
		cmocka_unit_test(stalls_are_all_of_the_warps_time),
		cmocka_unit_test(events_of_a_block_follow_each_other),
		cmocka_unit_test(an_atomic_loop_holds_its_warp),
		cmocka_unit_test(the_pace_is_that_of_a_full_sm),
		cmocka_unit_test(names_are_nsight_computes),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
