/* The Counters observer by itself: whatever it remembers of patterns, its sums are those of gpu/ asked afresh for every
 * access, on every GPU there is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "emu/count/counters.h"

static uint64_t state = 88172645463325252u;

static uint32_t random_below(uint32_t n) {
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 33) % n;
}

/* Strides, rows of 16, permutations, broadcasts, chance: shifted a little between calls, as a kernel's loop does. */
static void make_access(Access *a, uint64_t addr[32], PtxSpace space) {
	static const uint32_t widths[] = {1, 2, 4, 8, 16};
	static uint32_t shape, stride = 1, width = 4, mask = 0xffffffffu; /* kept for a while, as a loop does */
	if (random_below(4) == 0) {
		shape = random_below(5);
		stride = random_below(3) ? random_below(40) : 32;
		width = widths[random_below(5)];
		mask = random_below(3) ? 0xffffffffu : random_below(0x7fffffff) | 1;
	}
	const uint64_t base = (space == SPACE_GLOBAL ? 0x10000000000u : 0) + (uint64_t)random_below(64) * width;
	for (uint32_t l = 0; l < 32; l++) {
		uint32_t at = l * stride;
		if (shape == 1) at = l % 16 + l / 16 * stride * 16;
		if (shape == 2) at = l ^ 5;
		if (shape == 3) at = stride;
		if (shape == 4) at = random_below(64);
		addr[l] = base + (uint64_t)at * width;
	}
	*a = (Access){.kind = random_below(2) ? ACCESS_LOAD : ACCESS_STORE,
				  .space = space,
				  .width = width,
				  .mask = mask,
				  .addr = addr,
				  .instr = random_below(3)};
}

static void as_asked_afresh(void **unused) {
	const uint32_t ninstrs = 3, first[] = {0};
	const PtxFunction function = {.name = "k", .ninstrs = 3};
	const PtxFunction *functions[] = {&function};
	const LaunchInfo info = {.functions = functions, .nfunctions = 1, .first = first, .ninstrs = ninstrs};
	for (size_t g = 0; gpu_at(g); g++) {
		const Gpu *gpu = gpu_at(g);
		Counters *c = counters_new(gpu);
		const ObserverOps *ops = c->base.ops;
		ops->launch_begin(&c->base, &info);
		uint64_t sectors = 0, wavefronts = 0, requests = 0;
		for (int i = 0; i < 4000; i++) {
			uint64_t addr[32];
			Access a;
			make_access(&a, addr, random_below(2) ? SPACE_GLOBAL : SPACE_SHARED);
			a.block = (uint32_t)i;
			ops->access(&c->base, &a);
			const bool store = a.kind == ACCESS_STORE;
			if (a.space == SPACE_GLOBAL) {
				const GlobalCost cost = gpu_global_cost(gpu, addr, a.mask, a.width, store, NULL);
				sectors += cost.transactions;
				requests += cost.requests;
			} else {
				const SharedCost cost = gpu_shared_cost(gpu, addr, a.mask, a.width, store);
				wavefronts += cost.wavefronts;
				requests += cost.requests;
			}
			const Counts n = counters_total(c);
			if (n.global_load_sectors + n.global_store_sectors != sectors ||
				n.shared_load_wavefronts + n.shared_store_wavefronts != wavefronts)
				fail_msg("%s: access %d: width %u mask %08x first address %llx", gpu->name, i, a.width, a.mask,
						 (unsigned long long)addr[0]);
			assert_int_equal(n.global_load_requests + n.global_store_requests + n.shared_load_requests +
								 n.shared_store_requests,
							 requests);
		}
		ops->launch_end(&c->base, NULL);
		counters_free(c);
	}
}

/* A whole warp that accesses neighboring words has its ideal on every GPU, whatever transactions are counted in. */
static void dense_is_ideal(void **unused) {
	const uint32_t first[] = {0};
	const PtxFunction function = {.name = "k", .ninstrs = 1, .instrs = (PtxInstr[1]){{.line = 1, .file = 1}}};
	const PtxFunction *functions[] = {&function};
	const LaunchInfo info = {.functions = functions, .nfunctions = 1, .first = first, .ninstrs = 1};
	for (size_t g = 0; gpu_at(g); g++)
		for (uint32_t width = 4; width <= 16; width *= 2)
			for (int store = 0; store < 2; store++) {
				Counters *c = counters_new(gpu_at(g));
				c->base.ops->launch_begin(&c->base, &info);
				uint64_t addr[32];
				for (uint32_t l = 0; l < 32; l++) addr[l] = 0x10000000000u + (uint64_t)l * width;
				const AccessKind kind = store ? ACCESS_STORE : ACCESS_LOAD;
				const Access a = {
					.kind = kind, .space = SPACE_GLOBAL, .width = width, .mask = UINT32_MAX, .addr = addr};
				c->base.ops->access(&c->base, &a);
				const WorstAccess *worst = &c->worst[0];
				if (worst->cost != worst->ideal)
					fail_msg("%s, %s of %u bytes: %u, ideally %u", gpu_at(g)->name, store ? "store" : "load", width,
							 worst->cost, worst->ideal);
				c->base.ops->launch_end(&c->base, NULL);
				counters_free(c);
			}
}

static void every_field_is_listed(void **unused) {
	assert_int_equal(ncount_fields * sizeof(uint64_t), sizeof(Counts));
	for (size_t i = 0; i < ncount_fields; i++) assert_int_equal(count_fields[i].offset, i * sizeof(uint64_t));
}

static LineCounts line_of(const char *file, uint32_t line, uint64_t barriers, WorstAccess worst) {
	return (LineCounts){.file = file, .line = line, .counts = {.barriers = barriers}, .worst = worst};
}

/* Whatever order the lines of several launches come in: in equals the greater cost, the earlier block, the earlier warp
 * stays. */
static void lines_of_launches_become_one_list(void **unused) {
	const WorstAccess none = {.valid = false}, small = {.valid = true, .cost = 2, .ideal = 1, .block = 0, .warp = 0},
					  large = {.valid = true, .cost = 8, .ideal = 4, .block = 3, .warp = 1},
					  earlier = {.valid = true, .cost = 8, .ideal = 4, .block = 2, .warp = 7},
					  earliest = {.valid = true, .cost = 8, .ideal = 4, .block = 2, .warp = 6};
	const LineCounts given[] = {line_of("b.cu", 1, 1, small),    line_of("a.cu", 9, 10, small),
								line_of("a.cu", 9, 20, large),   line_of("a.cu", 2, 5, none),
								line_of("a.cu", 9, 40, earlier), line_of("a.cu", 9, 80, earliest),
								line_of("a.cu", 2, 6, small)};
	enum { N = sizeof given / sizeof *given };
	for (size_t first = 0; first < N; first++) {
		LineCounts lines[N];
		for (size_t i = 0; i < N; i++) lines[i] = given[(first + i) % N];
		assert_int_equal(lines_merge(lines, N), 3);
		assert_true(strcmp(lines[0].file, "a.cu") == 0 && lines[0].line == 2 && lines[0].counts.barriers == 11);
		assert_true(lines[0].worst.valid && lines[0].worst.cost == 2);
		assert_true(lines[1].line == 9 && lines[1].counts.barriers == 150);
		assert_true(lines[1].worst.cost == 8 && lines[1].worst.block == 2 && lines[1].worst.warp == 6);
		assert_true(strcmp(lines[2].file, "b.cu") == 0 && lines[2].counts.barriers == 1);
	}
	assert_int_equal(lines_merge(NULL, 0), 0);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_asked_afresh), cmocka_unit_test(dense_is_ideal),
									   cmocka_unit_test(every_field_is_listed),
									   cmocka_unit_test(lines_of_launches_become_one_list)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("emu counters", tests, NULL, NULL);
}
