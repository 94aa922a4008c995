/* Predictions over generated accesses of the transpose kernels: against the lecture's GTX 280. Nothing is replayed.
 * Also what a prediction must refuse, and that it does not depend on how blocks were dealt out. */
#include "streams.h"

#include <math.h>

#include "model/error.h"
#include "model/internal.h"
#include "model/traffic/contention.h"
#include "model/traffic/footprint.h"
#include "model/traffic/placement.h"

static PtxModule *module;

static Prediction predicted(const char *gpu, const char *kernel, uint32_t n, uint32_t x, uint32_t y, uint32_t forks) {
	Model *model = model_new(gpu_find(gpu, NULL));
	stream(model, module, kernel, n, x, y, forks);
	Prediction p = model_predict(model);
	model_free(model);
	return p;
}

static double gbps(Prediction p, uint32_t n) {
	assert_true(p.known && p.milliseconds > 0);
	const char *limiter = limit_name(prediction_limiter(&p)); /* one name, wherever it is shown */
	assert_memory_equal(p.bound, limiter, strlen(limiter));
	return 8.0 * n * n / p.milliseconds * 1e-6;
}

typedef struct {
	const char *kernel;
	uint32_t n, x, y;
	double gbps, tolerance;
} Claim;

static void check(const char *gpu, const Claim *claims, size_t count) {
	for (size_t i = 0; i < count; i++) {
		const Claim *c = &claims[i];
		double got = gbps(predicted(gpu, c->kernel, c->n, c->x, c->y, 1), c->n);
		if (fabs(got / c->gbps - 1) > c->tolerance)
			fail_msg("%s %s n=%u %ux%u: predicted %.1f GB/s, expected %.1f", gpu, c->kernel, c->n, c->x, c->y, got,
					 c->gbps);
	}
}

/* The lecture gives no block shape for the first three; 256 x 1 is assumed. */
static void lecture_numbers_of_the_gtx_280(void **state) {
	const Claim claims[] = {
		{"copy", 4000, 256, 1, 112.4, 0.10},  {"naive", 4000, 256, 1, 5.3, 0.10},
		{"strided", 4000, 256, 1, 2.7, 0.10}, {"tile_copy", 4000, 32, 8, 94.9, 0.10},
		{"tile", 4000, 32, 8, 75.1, 0.10},    {"padded", 4000, 32, 8, 93.4, 0.10},
		{"padded", 4096, 32, 8, 19, 0.10},    {"padded", 4352, 32, 8, 35, 0.10},
		{"padded", 4224, 32, 8, 62, 0.10},
	};
	check("GTX 280", claims, sizeof claims / sizeof claims[0]);
}

static void bounds_are_named(void **state) {
	assert_string_equal(predicted("GTX 280", "tile", 4000, 32, 8, 1).bound, "shared wavefronts");
	assert_string_equal(predicted("GTX 280", "padded", 4096, 32, 8, 1).bound, "DRAM pages, one partition at a time");
	assert_string_equal(predicted("H200", "tile", 2048, 32, 8, 1).bound, "shared wavefronts");
	assert_string_equal(predicted("H200", "padded", 4096, 32, 8, 1).bound, "DRAM bandwidth");
	assert_string_equal(predicted("H200", "naive", 2048, 32, 8, 1).bound, "L2 bandwidth (stores)");
	assert_string_equal(predicted("H200", "copy", 32, 32, 1, 1).bound, "latency at 1 warp");
	Prediction p = predicted("GTX 280", "tile", 1024, 32, 8, 1);
	assert_int_equal(p.blocks_per_sm, 3); /* the arguments lie in shared memory, too */
	assert_int_equal(p.warps_per_sm, 24);
}

static void every_gpu_orders_the_transposes(void **state) {
	for (size_t g = 0; gpu_at(g); g++) {
		const Gpu *gpu = gpu_at(g);
		Prediction tile = predicted(gpu->name, "tile", 1024, 32, 8, 1),
				   padded = predicted(gpu->name, "padded", 1024, 32, 8, 1);
		Prediction naive = predicted(gpu->name, "naive", 1024, 256, 1, 1);
		assert_true(tile.known);
		assert_ptr_equal(tile.gpu, gpu);
		assert_true(padded.milliseconds <= tile.milliseconds);
		assert_true(padded.milliseconds < naive.milliseconds);
		/* never faster than its DRAM */
		assert_true(gbps(padded, 1024) < gpu->dram_gbps);
	}
}

/* What a generation's caches and units are for shows in the direction things move. */
static void generations_differ_where_they_should(void **state) {
	assert_int_equal(gpu_generation(37)->l1_loads, L1_LOADS_READ_ONLY);
	assert_int_equal(gpu_find("GTX 680", NULL)->generation->l1_loads, L1_LOADS_NONE);
	assert_int_equal(gpu_find("RTX 4090", NULL)->generation->dram_piece, 64);
	assert_int_equal(gpu_find("P100", NULL)->generation->dram_piece, 32);
	const char *const names[] = {"GTX 480", "Tesla K40", "GTX 980", "P100", "GTX 1080", "V100"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		Prediction tile = predicted(names[i], "tile", 2048, 32, 8, 1),
				   padded = predicted(names[i], "padded", 2048, 32, 8, 1);
		assert_true(tile.limits[LIMIT_SHARED] > 2 * padded.limits[LIMIT_SHARED]);
		assert_true(tile.error == 0 && padded.error == 0); /* nobody has checked */
	}
}

static void a_measured_copy_takes_the_place_of_the_datasheet(void **state) {
	Gpu gpu = *gpu_find("H200", NULL);
	const double before = gpu_copy_gbps(&gpu);
	assert_true(fabs(before - 0.9 * gpu.dram_gbps) < 1e-6);
	gpu.copy_gbps = 1234;
	assert_true(gpu_copy_gbps(&gpu) == 1234);
	assert_true(gpu_l2_gbps(gpu_find("RTX 3090", NULL)) > 0);
}

static void forks_do_not_matter(void **state) {
	const char *const gpus[] = {"GTX 280", "H200"}, *const kernels[] = {"tile", "naive"};
	for (int g = 0; g < 2; g++)
		for (int k = 0; k < 2; k++) {
			Prediction one = predicted(gpus[g], kernels[k], 1024, 32, 8, 1);
			Prediction many = predicted(gpus[g], kernels[k], 1024, 32, 8, 5);
			assert_true(g ? one.milliseconds == many.milliseconds
						  : fabs(one.milliseconds / many.milliseconds - 1) < 1e-3);
			assert_string_equal(one.bound, many.bound);
		}
}

static void a_model_can_watch_again(void **state) {
	const char *const gpus[] = {"GTX 280", "H200"};
	for (int g = 0; g < 2; g++) {
		Model *model = model_new(gpu_find(gpus[g], NULL));
		stream(model, module, "naive", 2048, 32, 8, 2);
		stream(model, module, "padded", 1024, 32, 8, 2);
		double again = model_predict(model).milliseconds;
		model_free(model);
		assert_true(fabs(again / predicted(gpus[g], "padded", 1024, 32, 8, 2).milliseconds - 1) < 1e-9);
	}
}

static Placement placed(uint64_t first, uint64_t second) {
	const MemoryRange ranges[] = {{first, 4000}, {second, 3 << 20}, {0, 0}};
	return placement_of(&(LaunchInfo){.ranges = ranges, .nranges = 3});
}

/* What was allocated before decides an address, but no prediction. */
static void addresses_do_not_matter(void **state) {
	const uint64_t base = UINT64_C(0x010000000000), mb = 1 << 20;
	Placement fresh = placed(base, base + 2 * mb), later = placed(base + 900 * mb, base + 77 * mb);
	assert_int_equal(placement_shift(&fresh, base + 3999), 0);
	assert_int_equal(placement_shift(&fresh, base + 2 * mb + 5), 0);
	for (uint64_t at = 0; at < 4000; at += 999)
		assert_true(base + at == base + 900 * mb + at + placement_shift(&later, base + 900 * mb + at));
	assert_true(base + 2 * mb == base + 77 * mb + placement_shift(&later, base + 77 * mb));
	/* memory that no parameter leads to, host memory, the end of the address space */
	assert_true(base + placement_shift(&later, base) >= base + 1000 * mb);
	assert_int_equal(placement_shift(&later, MAPPED_BASE), 0);
	assert_int_equal(placement_shift(&later, UINT64_MAX), 0);
}

static void what_cannot_be_predicted_says_so(void **state) {
	Model *model = model_new(gpu_find("GTX 280", NULL));
	Prediction p = model_predict(model);
	assert_false(p.known);
	assert_true(p.note[0]);
	stream(model, module, "copy", 64, 32, 32, 1);
	p = model_predict(model);
	assert_false(p.known);
	assert_string_equal(p.note, "refused: 1024 threads per block asked, the GTX 280 allows 512");
	stream(model, module, "copy", 64, 32, 8, 1);
	assert_true(model_predict(model).known);
	Observer *observer = model_observer(model);
	observer->ops->launch_end(observer, &(LaunchOutcome){.status = LAUNCH_FAULT});
	p = model_predict(model);
	assert_false(p.known);
	assert_true(p.note[0]);
	model_free(model);
	model_free(NULL);
}

static void the_time_is_the_replays_and_never_beats_a_peak(void **state) {
	Prediction p = {.gpu = gpu_find("H200", NULL), .counted_ms = 4, .replayed_ms = 9};
	p.limits[LIMIT_LATENCY] = 12;
	assert_true(predicted_time(&p) == 9);
	p.limits[LIMIT_SHARED] = 10;
	assert_true(fabs(predicted_time(&p) - 10 - p.gpu->launch_us * 1e-3) < 1e-12);
	p.replayed_ms = 0;
	assert_true(predicted_time(&p) == 4);
	const char *const gpus[] = {"GTX 480", "GTX 980", "V100", "RTX 2080 Ti", "A100", "RTX 4090", "H200"};
	const char *const kernels[] = {"copy", "naive", "strided", "tile_copy", "tile", "padded"};
	for (size_t g = 0; g < sizeof gpus / sizeof *gpus; g++)
		for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
			p = predicted(gpus[g], kernels[k], 512, 32, 8, 1);
			assert_true(p.milliseconds >= p.dram_bytes / p.gpu->dram_gbps * 1e-6);
			for (int i = 0; i < LIMIT_COUNT; i++) assert_true(i == LIMIT_LATENCY || p.milliseconds >= p.limits[i]);
		}
}

/* Half of a sample and all of it: the roofline grows with the blocks, the replay's is that of the whole. */
static void samples_become_the_whole(void **state) {
	const Gpu *gpu = gpu_find("H200", NULL);
	const double launch = gpu->launch_us * 1e-3;
	const Prediction less = {.gpu = gpu, .known = true, .counted_ms = launch + 1, .milliseconds = launch + 1},
					 more = {.gpu = gpu,
							 .known = true,
							 .counted_ms = launch + 2,
							 .replayed_ms = 40,
							 .milliseconds = 40,
							 .limits = {[LIMIT_L2] = 0.5}};
	double error;
	const uint64_t less_blocks = gpu->sms, blocks = 20 * less_blocks;
	const Prediction p = model_whole(&less, &more, less_blocks, blocks, &error);
	assert_true(error < 1e-9);
	assert_true(fabs(p.counted_ms - launch - 20) < 1e-9);
	assert_true(p.replayed_ms == 40 && fabs(p.limits[LIMIT_L2] - 5) < 1e-9);
	assert_true(p.milliseconds == predicted_time(&p));
}

/* By GPU and by what takes the longest; atomics from a hundredth of the time on. */
static void errors_are_those_of_a_kind(void **state) {
	Prediction p = {.gpu = gpu_find("H200", NULL), .milliseconds = 1};
	double of_kind[] = {[KIND_MEMORY] = 0, [KIND_SHARED] = 0, [KIND_COMPUTE] = 0, [KIND_LATENCY] = 0};
	static const Limit limits[] = {LIMIT_L2, LIMIT_SHARED, LIMIT_ISSUE, LIMIT_LATENCY};
	static const double rms[] = {0.15, 0.16, 0.25, 0.12}; /* tests/gpu/public_test.py has where they are from */
	for (int i = 0; i < 4; i++) {
		p.limits[limits[i]] = 0.2 + 0.1 * i;
		assert_int_equal(kernel_kind(&p), i);
		of_kind[i] = known_error(&p);
		assert_true(of_kind[i] == rms[i]);
		assert_true(known_order(&p) > 1);
	}
	p.limits[LIMIT_ATOMICS] = 0.009;
	assert_int_equal(kernel_kind(&p), KIND_LATENCY);
	p.limits[LIMIT_ATOMICS] = 0.02;
	assert_int_equal(kernel_kind(&p), KIND_ATOMICS);
	assert_true(known_error(&p) > 0.1);
	assert_true(known_order(&p) == 0); /* no pairs were compared */
	p.bulk = true;
	assert_int_equal(kernel_kind(&p), KIND_BULK);
	assert_true(known_error(&p) == 0); /* none were timed */
	p.gpu = gpu_find("H100", NULL);
	assert_true(known_error(&p) == 0.20);
	p.gpu = gpu_find("RTX 4090", NULL);
	assert_true(known_error(&p) == 0 && known_order(&p) == 0);
	assert_true(predicted("GTX 280", "padded", 512, 32, 8, 1).error == 0.10);
	assert_true(predicted("8800 GTX", "padded", 512, 32, 8, 1).error == 0);
	assert_true(predicted("H200", "padded", 512, 32, 8, 1).order > 1);
}

static void queues_behave(void **state) {
	double d = 10;
	assert_true(fabs(mva_interval(&d, 1, 90, 1) - 100) < 1e-9);
	assert_true(fabs(mva_interval(&d, 1, 0, 7) - 10) < 1e-9);
	assert_true(fabs(mva_interval(&d, 1, 90, 200) - 10) < 0.01);
	/* two like stations, no thinking: (N + 1) / N times the demand */
	for (uint32_t n = 1; n < 20; n++)
		assert_true(fabs(mva_interval((double[]){7, 7}, 2, 0, n) - 7.0 * (n + 1) / n) < 1e-9);
	assert_true(mva_interval((double[]){0, 0}, 2, 0, 4) == 0);
}

static void touch(Footprint *f, uint64_t address, bool store) {
	const TouchedLine line = touched_sector(address / SECTOR_BYTES);
	footprint_touch(f, 0, &line, 1, store);
}

static void footprints_count_sectors_once(void **state) {
	Footprint a = {0}, b = {0};
	uint64_t read, pairs, written, blind;
	footprint_count(&a, &read, &pairs, &written, &blind);
	assert_int_equal(read + pairs + written, 0);
	for (int twice = 0; twice < 2; twice++)
		for (uint64_t i = 0; i < 10000; i++) touch(&a, 0x7f0000000000 + 64 * i, false); /* every other sector */
	footprint_count(&a, &read, &pairs, &written, &blind);
	assert_int_equal(read, 10000);
	assert_int_equal(pairs, 10000);
	assert_int_equal(written, 0);
	for (int twice = 0; twice < 2; twice++) {
		for (uint64_t i = 0; i < 5000; i++) touch(&b, 0x7f0000000000 + 32 * i, true);
		for (uint64_t i = 0; i < 300; i++) touch(&b, i << 20, false); /* far apart: many regions */
		footprint_join(&a, &b);
	}
	touch(&b, 0x7f0000000000 + 32, true); /* is empty, and its own */
	footprint_count(&b, &read, &pairs, &written, &blind);
	assert_true(!read && !pairs && written == 1 && blind == 1);
	footprint_count(&a, &read, &pairs, &written, &blind);
	assert_int_equal(read, 10300);
	assert_int_equal(written, 5000);
	assert_int_equal(blind, 2500); /* every other one had been read */
	footprint_free(&a);
	footprint_free(&b);
	touch(&a, UINT64_MAX & ~31ull, true);
	footprint_count(&a, &read, &pairs, &written, &blind);
	assert_int_equal(written, 1);
	footprint_free(&a);
}

static int load_module(void **state) {
	module = transpose_module();
	return 0;
}

static int free_module(void **state) {
	ptx_free(module);
	return 0;
}

static void the_most_contended_word_is_known(void **state) {
	Contention c = {.part = 1}, other = {.part = 1};
	assert_int_equal(c.most, 0);
	uint64_t row[32], word[32];
	for (uint64_t i = 0; i < 32; i++) row[i] = 0x1000 + 4 * i, word[i] = 0x1000;
	assert_int_equal(contention_add(&c, 0, row, UINT32_MAX, false), 4);
	assert_int_equal(c.most, 1);
	assert_int_equal(contention_add(&c, 0, word, UINT32_MAX, false), 32);
	assert_int_equal(contention_add(&c, 0, word, 0x1ff, false), 9);
	assert_int_equal(contention_add(&other, 1, word, 0xff, false), 8);
	row[1] = 0x1000;
	assert_int_equal(contention_add(&other, 1, row, 3, true), 2);
	assert_int_equal(c.most, 42);
	contention_merge(&c, &other);
	assert_int_equal(c.most, 50);
	assert_int_equal(c.most_floats, 2);
	assert_int_equal(c.operations, 55);
	contention_free(&c);
	contention_free(&other);
	assert_int_equal(c.most + c.operations, 0);
}

/* 264 blocks of eight warps on an H200 that each change 32 words; ns per warp instruction. step: in words between the
 * lanes of a warp; of: so many places, `apart` words from each other, one of them for each warp at random. */
static void atomics_take_what_was_measured(void **state) {
	static const struct {
		uint32_t step, of, apart;
		bool floats;
		double ns;
	} patterns[] = {
		{0, 1, 0, false, 23.4},    {0, 1, 0, true, 56.2},      {1, 1, 32, false, 2.37},    {8, 4096, 256, false, 0.336},
		{0, 4096, 64, true, 0.40}, {0, 64, 64, false, 1.23},   {0, 1024, 64, false, 0.43}, {0, 256, 64, true, 0.66},
		{0, 64, 32, false, 2.14},  {0, 1024, 32, true, 0.551}, {0, 4096, 1, false, 1.10},  {0, 1024, 8, false, 1.02},
		{1, 256, 32, true, 0.110}, {1, 64, 32, false, 0.209},  {0, 2, 64, false, 11.79},   {0, 16, 64, false, 2.92},
	};
	const Gpu *gpu = gpu_find("H200", NULL);
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		Contention c = {.part = 264};
		uint64_t at = 1;
		const uint32_t warps = 2112 * 8;
		for (uint32_t w = 0; w < warps; w++) {
			uint64_t addresses[32];
			at = at * 6364136223846793005 + 1442695040888963407;
			const uint64_t first = (at >> 33) % patterns[i].of * patterns[i].apart;
			for (uint64_t lane = 0; lane < 32; lane++) addresses[lane] = 4 * (first + lane * patterns[i].step);
			contention_add(&c, w / 64, addresses, UINT32_MAX, patterns[i].floats);
		}
		const double ns = contention_ns(&c, gpu, 264) / warps;
		if (fabs(ns / patterns[i].ns - 1) > 0.35) fail_msg("pattern %zu: %g ns, measured %g", i, ns, patterns[i].ns);
		contention_free(&c);
	}
}

int main(int argc, char **argv) {
	nvrtc_begin(argc, argv);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lecture_numbers_of_the_gtx_280),
		cmocka_unit_test(bounds_are_named),
		cmocka_unit_test(every_gpu_orders_the_transposes),
		cmocka_unit_test(generations_differ_where_they_should),
		cmocka_unit_test(a_measured_copy_takes_the_place_of_the_datasheet),
		cmocka_unit_test(forks_do_not_matter),
		cmocka_unit_test(a_model_can_watch_again),
		cmocka_unit_test(addresses_do_not_matter),
		cmocka_unit_test(what_cannot_be_predicted_says_so),
		cmocka_unit_test(the_time_is_the_replays_and_never_beats_a_peak),
		cmocka_unit_test(samples_become_the_whole),
		cmocka_unit_test(errors_are_those_of_a_kind),
		cmocka_unit_test(queues_behave),
		cmocka_unit_test(footprints_count_sectors_once),
		cmocka_unit_test(the_most_contended_word_is_known),
		cmocka_unit_test(atomics_take_what_was_measured),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, load_module, free_module);
}
