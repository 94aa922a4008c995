/* The records themselves, finding one by name, occupancy and limits. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#include "fields.h"
#include "gpu/launch.h"
#include "gpu/memory.h"

/* The first exercise of many courses multiplies these. */
static void memory_gives_the_peak(void **state) {
	static const char *const some[] = {"8600 GT", "GTX 280", "GTX 1080", "A100 1g.5gb", "RTX 3060", "H200", "B200"};
	for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
		const Gpu *g = gpu_find(some[i], NULL);
		const GpuMemory m = gpu_memory(g);
		const double peak = 2.0 * m.khz * (m.bus_bits / 8) / 1e6;
		assert_true(peak > 0.999 * g->dram_gbps && peak < 1.001 * g->dram_gbps);
	}
	for (size_t i = 0; gpu_at(i); i++)
		if (!gpu_memory(gpu_at(i)).mebibytes) fail_msg("%s has no memory", gpu_at(i)->name);
	for (size_t i = 0; gpu_card_at(i); i++)
		if (!gpu_memory(gpu_card_at(i)).mebibytes) fail_msg("%s has no memory", gpu_card_at(i)->name);
}

static void names_find_records(void **state) {
	const char *const spellings[][2] = {
		{"GTX 280", "GTX 280"},
		{"gtx280", "GTX 280"},
		{"GeForce GTX 280", "GTX 280"},
		{"NVIDIA GeForce GTX-280", "GTX 280"},
		{"NVIDIA H200", "H200"},
		{" h 2 0 0 ", "H200"},
		{"C1060", "Tesla C1060"},
		{"tesla c1060", "Tesla C1060"},
		{"K40", "Tesla K40"},
		{"Tesla V100-SXM2-16GB", "V100"},
		{"NVIDIA A100-SXM4-80GB", "A100 80GB"},
		{"NVIDIA A100-SXM4-40GB", "A100"},
		{"NVIDIA H100 80GB HBM3", "H100 SXM"},
		{"NVIDIA GeForce RTX 2080 Ti", "RTX 2080 Ti"},
		{"NVIDIA GeForce RTX 3060 Laptop GPU", "RTX 3060 Laptop"},
		{"NVIDIA A100-SXM4-40GB MIG 1g.5gb", "A100 1g.5gb"},
		{"Tesla T4", "T4"},
	};
	for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
		assert_string_equal(need(spellings[i][0])->name, spellings[i][1]);
	assert_string_equal(gpu_default()->name, "H200");
}

static void typed_names_may_be_prefixes(void **state) {
	const char *const typed[][2] = {{"h200", "H200"},
									{"h2", "H200"},
									{"h200 3", "H200 3g.71gb"},
									{"h100", "H100 SXM"},
									{"A100", "A100"},
									{"a100 8", "A100 80GB"},
									{"rtx 2080 t", "RTX 2080 Ti"},
									{"nvidia geforce rtx 2080", "RTX 2080"},
									{"l40s", "L40S"},
									{"jetson agx o", "Jetson AGX Orin"},
									{"xavier", "Jetson AGX Xavier"},
									{"nvidia c20", "Tesla C2050"}};
	for (size_t i = 0; i < sizeof typed / sizeof typed[0]; i++) {
		const Gpu *found = gpu_find_typed(typed[i][0], NULL);
		assert_non_null(found);
		assert_string_equal(found->name, typed[i][1]);
	}
	Err err = ERR_INIT;
	assert_null(gpu_find("h2", &err)); /* a driver's name is whole */
	assert_null(gpu_find_typed("RTX", &err));
	assert_non_null(strstr(err.what, "ambiguous"));
	assert_non_null(strstr(err.hint, "RTX 2080 Ti, RTX 3090, RTX 4090"));
	assert_null(gpu_find_typed("jetson", &err));
	assert_non_null(strstr(err.hint, "Jetson TX2, Jetson AGX Xavier, Jetson Orin Nano"));
	assert_null(gpu_find_typed("voodoo", &err));
}

static void wrong_names_are_refused(void **state) {
	char longest[5000];
	memset(longest, 'G', sizeof longest - 1);
	longest[sizeof longest - 1] = 0;
	const char *const names[] = {"",       " ",        "---", "NVIDIA", "nvidia geforce", "\xff\xfe\x80", "%s%n%n",
								 "GTX 28", "H100 PCI", "G",   longest,  "GTX 280\n",      "\x01"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		Err err = ERR_INIT;
		assert_null(gpu_find(names[i], &err));
		assert_int_equal(err.kind, ERR_SETUP);
		assert_non_null(strstr(err.hint, "GTX 280")); /* what there is */
	}
	Err err = ERR_INIT;
	assert_null(gpu_find(NULL, &err));
	assert_int_equal(err.kind, ERR_SETUP);
	assert_null(gpu_find("no such thing", NULL));
}

static void misspelt_names_get_a_suggestion(void **state) {
	const char *const pairs[][2] = {
		{"GTX 208", "GTX 280"}, {"H20", "H200"}, {"2080", "RTX 2080 Ti"}, {"GXT 480", "GTX 480"}};
	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		Err err = ERR_INIT;
		char expected[64];
		assert_null(gpu_find(pairs[i][0], &err));
		snprintf(expected, sizeof expected, "did you mean \"%s\"?", pairs[i][1]);
		assert_non_null(strstr(err.hint, expected));
	}
	Err err = ERR_INIT;
	assert_null(gpu_find("Radeon VII", &err));
	assert_null(strstr(err.hint, "did you mean"));
}

/* How many there are. */
static size_t check_records(const Gpu *(*at)(size_t)) {
	const char *const sourced[] = {"sms",
								   "shader_ghz",
								   "dram_gbps",
								   "fp32_lanes",
								   "sfu_lanes",
								   "fp64_ratio",
								   "l2_bytes",
								   "launch_us",
								   "threads_per_block",
								   "warps_per_sm",
								   "blocks_per_sm",
								   "registers_per_sm",
								   "registers_per_thread",
								   "register_unit",
								   "warp_unit",
								   "shared_unit",
								   "shared_reserved",
								   "shared_per_sm",
								   "shared_per_block",
								   "shared_bytes_per_clock",
								   "max_grid",
								   "max_block",
								   "link_gbps",
								   "to_device_gbps",
								   "from_device_gbps",
								   "pageable_to_gbps",
								   "pageable_from_gbps",
								   "copy_us",
								   "copy_engines",
								   "mapped_read_gbps"};
	size_t n = 0;
	uint32_t before = 0;
	for (const Gpu *gpu; (gpu = at(n)); n++) {
		size_t len;
		const Generation *g = gpu->generation;
		assert_true(gpu->cc >= before); /* oldest first */
		assert_true(g == gpu_generation(gpu->cc) && g->cc == gpu->cc && g->tesla_isa == (gpu->request_lanes == 16));
		assert_true(g->tesla_isa ||
					(g->load_line && g->request_bytes >= 128 && g->dram_attained > 0.5 && g->issue > 0 &&
					 g->pass_clocks > 0 && g->atomic_clocks > 0 && g->atomic_sectors > 0 && g->texture_units > 0 &&
					 g->l1_line && g->dram_piece && g->int_lanes > 0 && g->multiply > 0));
		before = gpu->cc;
		assert_true(gpu->sms && gpu->fp32_lanes && gpu->sfu_lanes && gpu->warps_per_sm && gpu->blocks_per_sm &&
					gpu->warp_unit);
		assert_true(gpu->shader_ghz > 0.5 && gpu->shader_ghz < 3 && gpu->dram_gbps > 20 && gpu->launch_us > 0);
		assert_true(gpu->registers_per_sm && gpu->registers_per_thread && gpu->shared_unit && gpu->shared_per_sm);
		assert_true(gpu->threads_per_block <= gpu->warps_per_sm * 32 || gpu->cc < 20);
		assert_true(gpu->banks * gpu->bank_bytes * (gpu->cc < 30 ? 1u : 2u) >= gpu->shared_bytes_per_clock);
		assert_true((gpu->partitions != 0) == (gpu->cc < 20));
		assert_true((gpu->memory_ghz != 0) == (gpu->cc < 20));
		assert_true(gpu->pageable_to_gbps > 0 && gpu->to_device_gbps > gpu->pageable_to_gbps &&
					gpu->link_gbps > gpu->to_device_gbps && gpu->copy_us > 0 && gpu->copy_engines <= 2);
		assert_true(gpu->pageable_from_gbps > 0 && gpu->from_device_gbps > gpu->pageable_from_gbps &&
					gpu->link_gbps > gpu->from_device_gbps);
		assert_true((gpu->mapped_read_gbps > 0) == (gpu->cc > 10) && (gpu->mapped_read_mhz > 0) == (gpu->cc > 10));
		assert_true(strncmp(gpu->link, "PCIe ", 5) == 0);
		if (gpu->cc > 10) assert_non_null(source_of(gpu, "mapped_write_gbps", &len));
		if (gpu->cc > 10) assert_non_null(source_of(gpu, "mapped_read_mhz", &len));
		for (size_t i = 0; i < sizeof sourced / sizeof sourced[0]; i++) {
			assert_non_null(source_of(gpu, sourced[i], &len));
			assert_true(len > 3);
		}
		if (gpu->latency_alu > 0) assert_non_null(source_of(gpu, "latency_alu", &len));
		if (gpu->latency_shared > 0) assert_non_null(source_of(gpu, "latency_shared", &len));
		if (gpu->latency_dram > 0) assert_non_null(source_of(gpu, "latency_dram", &len));
		if (gpu->l2_gbps > 0) assert_non_null(source_of(gpu, "l2_gbps", &len));
		if (gpu->partitions) assert_non_null(source_of(gpu, "partition_bytes", &len));
		assert_ptr_equal(gpu_find(gpu->name, NULL), gpu);
	}
	return n;
}

static void records_are_complete_and_sourced(void **state) {
	assert_true(check_records(gpu_at) >= 17);
	assert_true(check_records(gpu_card_at) >= 60);
	size_t len = 0;
	const char *source = source_of(need("GTX 280"), "memory_ghz", &len);
	assert_int_equal(strncmp(source, "GeForce GTX 280 datasheet (1107 MHz GDDR3)", len), 0);
	assert_null(source_of(need("GTX 280"), "colour", &len));
	assert_null(source_of(need("GTX 280"), "dram", &len)); /* a whole field's name only */
}

/* Products of a chip whose L2 was measured have as much of its bandwidth per SM and cycle. */
static void l2_bandwidth_is_the_chips(void **state) {
	const char *const pairs[][2] = {{"V100 PCIe", "V100"},    {"Titan V", "V100"},     {"A30", "A100"},
									{"A100 7g.40gb", "A100"}, {"H100 PCIe", "H200"},   {"H100 NVL", "H200"},
									{"GH200", "H200"},        {"H200 1g.18gb", "H200"}};
	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		const Gpu *card = need(pairs[i][0]), *chip = need(pairs[i][1]);
		const double own = gpu_l2_gbps(card) / (card->sms * card->shader_ghz),
					 measured = chip->l2_gbps / (chip->sms * chip->shader_ghz);
		assert_true(own > 0.999 * measured && own < 1.001 * measured);
	}
}

/* Peak rates that follow from the records, against the well-known ones. */
static void derived_peaks_agree(void **state) {
	const struct {
		const char *gpu;
		double gflops; /* FP32, two a multiply-add */
	} known[] = {
		{"GTX 280", 622}, {"GTX 480", 1345},  {"GTX 680", 3090},    {"Tesla K40", 4290}, {"P100", 10600},
		{"V100", 15700},  {"A100", 19500},    {"RTX 3090", 35600},  {"RTX 4090", 82600}, {"H200", 66900},
		{"8600 GT", 76},  {"M2090", 1331},    {"K20X", 3935},       {"GTX 970", 3920},   {"GTX 1080 Ti", 11340},
		{"T4", 8140},     {"RTX 2060", 6450}, {"A30", 10300},       {"RTX 3060", 12740}, {"A6000", 38710},
		{"L40S", 91600},  {"L4", 30300},      {"H100 PCIe", 51200}, {"RTX 4060", 15110}, {"RTX 5090", 104800}};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		const Gpu *gpu = need(known[i].gpu);
		double gflops = 2 * gpu->sms * gpu->fp32_lanes * gpu->shader_ghz;
		assert_true(gflops > 0.99 * known[i].gflops && gflops < 1.01 * known[i].gflops);
	}
	const Gpu *old[] = {need("8800 GTX"), need("GTX 280"), need("Tesla C1060")};
	for (int i = 0; i < 3; i++) { /* two transfers a clock of 8 bytes from every partition */
		double gbps = 2 * old[i]->memory_ghz * 8 * old[i]->partitions;
		assert_true(gbps > 0.99 * old[i]->dram_gbps && gbps < 1.01 * old[i]->dram_gbps);
	}
}

typedef struct {
	const char *gpu;
	uint32_t threads, registers;
	size_t shared;
	uint32_t blocks;
	const char *limited_by;
} Case;

/* 65,536 registers: 168 for each of 384 threads, in steps of 8. */
static void a_compiler_fits_a_block(void **state) {
	const Gpu *h100 = gpu_find("H100", NULL);
	Occupancy o;
	Err err = ERR_INIT;
	assert_int_equal(gpu_fit_registers(h100, 384, 200), 168);
	assert_int_equal(gpu_fit_registers(h100, 384, 100), 100);
	assert_int_equal(gpu_fit_registers(h100, 32, 400), 400);
	assert_int_equal(gpu_fit_registers(h100, 1024, 0), 0);
	assert_true(gpu_occupancy(h100, 384, 168, 0, &o, &err));
	assert_false(gpu_occupancy(h100, 384, 169, 0, &o, &err));
	err_clear(&err);
}

static void occupancy_matches_the_calculator(void **state) {
	const Case cases[] = {
		/* cc 1.0: registers by block in units of 256; the calculator's own example is 256 threads, 10 registers, 4
		 * KB */
		{"8800 GTX", 256, 10, 4096 - 16, 3, "warps"},
		{"8800 GTX", 256, 12, 0, 2, "registers"}, /* 8 * 32 * 12 = 3072, 8192 / 3072 */
		{"8800 GTX", 96, 10, 0, 6, "registers"},  /* three warps count as four: 1280, 8192 / 1280 */
		/* cc 1.3: units of 512 */
		{"GTX 280", 256, 16, 0, 4, "warps"},
		{"GTX 280", 256, 17, 0, 3, "registers"},
		{"GTX 280", 256, 10, 4096, 3, "shared memory"}, /* a 32 x 32 float tile: 4096 + 16 becomes 4608 */
		{"GTX 280", 256, 10, 4096 - 16, 4, "warps"},
		{"GTX 280", 32, 10, 0, 8, "blocks"},
		{"GTX 280", 512, 16, 8192 - 16, 2, "warps"},
		/* cc 2.0: units of 64 a warp, two parts */
		{"GTX 480", 256, 20, 0, 6, "warps"},
		{"GTX 480", 256, 21, 0, 5, "registers"}, /* 704 a warp, 23 in a part, 46 / 8 */
		{"GTX 480", 192, 63, 0, 2, "registers"}, /* 2048 a warp (2016 rounded up to 64s), 8 in a part, 16 / 6 */
		{"GTX 480", 256, 20, 16384, 3, "shared memory"},
		/* cc 3.5: units of 256 a warp, four parts */
		{"Tesla K40", 256, 32, 0, 8, "warps"},
		{"Tesla K40", 256, 33, 0, 6, "registers"}, /* 1280 a warp, 12 in a part, 48 / 8 */
		{"Tesla K40", 64, 16, 0, 16, "blocks"},
		{"Tesla K40", 1024, 64, 0, 1, "registers"},
		/* later */
		{"GTX 980", 256, 32, 24576, 4, "shared memory"},
		{"P100", 96, 80, 0, 8, "registers"}, /* 2560 a warp, two parts of 12: 24 / 3 */
		{"V100", 256, 40, 0, 6, "registers"},
		{"RTX 2080 Ti", 256, 32, 0, 4, "warps"},
		{"A100", 128, 32, 48 * 1024, 3, "shared memory"}, /* 1 KB more is reserved */
		{"RTX 3090", 256, 40, 0, 6, "warps"},
		{"RTX 4090", 32, 16, 0, 24, "blocks"},
		{"H200", 256, 32, 0, 8, "warps"},
		{"H200", 1024, 64, 0, 1, "registers"},
		{"H200", 256, 32, 227 * 1024, 1, "shared memory"},
		{"H200", 32, 255, 0, 8, "registers"}, /* 8192 a warp, two in a part */
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const Case *c = &cases[i];
		const Gpu *gpu = need(c->gpu);
		Occupancy o;
		Err err = ERR_INIT;
		if (!gpu_occupancy(gpu, c->threads, c->registers, c->shared, &o, &err)) fail_msg("%s: %s", c->gpu, err.what);
		if (o.blocks_per_sm != c->blocks || strcmp(o.limited_by, c->limited_by))
			fail_msg("case %zu, %s: %u blocks limited by %s, expected %u by %s", i, c->gpu, o.blocks_per_sm,
					 o.limited_by, c->blocks, c->limited_by);
		uint32_t warps = c->blocks * ((c->threads + 31) / 32);
		assert_int_equal(o.warps_per_sm, warps);
		assert_true(o.fraction > 0 && o.fraction <= 1 && o.fraction * gpu->warps_per_sm == warps);
	}
}

static void refusals_carry_both_values(void **state) {
	const Gpu *old = need("GTX 280"), *h200 = need("H200");
	Err err = ERR_INIT;
	Occupancy o = {.blocks_per_sm = 99};
	assert_false(gpu_allows(old, (uint32_t[3]){10, 10, 1}, (uint32_t[3]){32, 32, 1}, 0, &err));
	assert_int_equal(err.kind, ERR_FAULT);
	assert_string_equal(err.what, "1024 threads per block asked, the GTX 280 allows 512");
	assert_true(err.hint[0]);
	err_clear(&err);
	assert_false(gpu_allows(old, (uint32_t[3]){1, 1, 2}, (uint32_t[3]){32, 8, 1}, 0, &err));
	assert_string_equal(err.what, "2 blocks in z asked, the GTX 280 allows 1");
	err_clear(&err);
	assert_false(gpu_allows(h200, (uint32_t[3]){1, 65536, 1}, (uint32_t[3]){32, 8, 1}, 0, &err));
	assert_string_equal(err.what, "65536 blocks in y asked, the H200 allows 65535");
	err_clear(&err);
	assert_false(gpu_allows(h200, (uint32_t[3]){1, (uint32_t)-1, 1}, (uint32_t[3]){32, 8, 1}, 0, &err));
	assert_string_equal(err.hint, "a negative number was taken for this one: look at how it is computed");
	assert_false(gpu_allows(h200, (uint32_t[3]){1, 1, 1}, (uint32_t[3]){(uint32_t)-32, 1, 1}, 0, &err));
	assert_string_equal(err.hint, "a negative number was taken for this one: look at how it is computed");
	assert_false(gpu_allows(h200, (uint32_t[3]){1, 1, 1}, (uint32_t[3]){1, 1, 65}, 0, &err));
	assert_string_equal(err.what, "65 threads per block in z asked, the H200 allows 64");
	err_clear(&err);
	assert_false(gpu_allows(h200, (uint32_t[3]){1, 1, 1}, (uint32_t[3]){32, 1, 1}, 300000, &err));
	assert_string_equal(err.what, "300000 bytes of shared memory per block asked, the H200 allows 232448");
	err_clear(&err);
	assert_false(gpu_allows(h200, (uint32_t[3]){0, 1, 1}, (uint32_t[3]){32, 1, 1}, 0, &err));
	assert_false(gpu_allows(h200, (uint32_t[3]){1, 1, 1}, (uint32_t[3]){32, 0, 1}, 0, &err));
	/* products that leave 64 bits */
	assert_false(gpu_allows(h200, (uint32_t[3]){1, 1, 1}, (uint32_t[3]){UINT32_MAX, UINT32_MAX, UINT32_MAX}, 0, &err));
	assert_false(gpu_allows(h200, (uint32_t[3]){1, 1, 1}, (uint32_t[3]){65536, 65536, 4294967295u}, 0, &err));
	assert_true(gpu_allows(h200, (uint32_t[3]){2147483647, 65535, 65535}, (uint32_t[3]){1024, 1, 1}, 232448, NULL));

	assert_false(gpu_occupancy(old, 1024, 10, 0, &o, &err));
	assert_false(gpu_occupancy(old, 0, 10, 0, &o, &err));
	assert_false(gpu_occupancy(old, 512, 100, 0, &o, &err));
	assert_non_null(strstr(err.what, "registers per block"));
	assert_false(gpu_occupancy(old, 256, 10, 16384, &o, &err)); /* no room for the arguments */
	assert_false(gpu_occupancy(h200, 256, 256, 0, &o, &err));
	assert_non_null(strstr(err.what, "the H200 allows 255"));
	assert_false(gpu_occupancy(h200, 256, 32, SIZE_MAX, &o, &err));
	assert_int_equal(o.blocks_per_sm, 99); /* untouched by failures */
}

static void samples_of_blocks(void **state) {
	LaunchConfig c = {.grid = {1000, 37, 1}, .block = {32, 1, 1}};
	assert_int_equal(launch_blocks_run(&c), 37000);
	assert_int_equal(launch_block_of(&c, 36999), 36999);
	c.sample = 1;
	assert_int_equal(launch_blocks_run(&c), 2 * SAMPLE_LEAST);
	c.sample = 2 * SAMPLE_RUN - 1;
	assert_int_equal(launch_blocks_run(&c), 2 * SAMPLE_RUN);
	c.sample = UINT64_MAX;
	assert_int_equal(launch_blocks_run(&c), 37000);
	for (c.sample = 1; c.sample < 40000; c.sample += c.sample < 500 ? 41 : 717) {
		static uint8_t seen[1 << 16];
		memset(seen, 0, sizeof seen);
		c.sample_half = false;
		const uint64_t run = launch_blocks_run(&c);
		assert_true(run >= c.sample || run == 37000);
		for (uint64_t i = 0; i < run; i++) {
			const uint64_t block = launch_block_of(&c, i);
			assert_true(block < 37000 && !seen[block]);
			seen[block] = 1;
		}
		c.sample_half = true;
		const uint64_t half = launch_blocks_run(&c);
		assert_int_equal(half, run == 37000 ? run : run / 2);
		for (uint64_t i = 0; i < half; i++)
			assert_int_equal(seen[launch_block_of(&c, i)]--, 1); /* part of the sample, once */
	}
	c.sample = 480;
	c.schedule = 5;
	assert_int_equal(launch_blocks_run(&c), 37000);
	assert_int_equal(launch_block_of(&c, 36999), 36999);
}

static void long_rows_are_folded(void **state) {
	const Gpu *old = gpu_find("GTX 280", NULL), *h200 = gpu_find("H200", NULL);
	uint32_t out[3];
	gpu_fold(old, (uint32_t[3]){262144, 1, 1}, out);
	assert_int_equal(out[1], 5);
	assert_true(out[0] <= 65535 && (uint64_t)out[0] * out[1] >= 262144);
	assert_true(gpu_allows(old, out, (uint32_t[3]){128, 1, 1}, 0, NULL));
	gpu_fold(old, (uint32_t[3]){65536, 2, 1}, out); /* two axes were meant */
	assert_int_equal(out[0], 65536);
	gpu_fold(old, (uint32_t[3]){65535, 1, 1}, out);
	assert_int_equal(out[1], 1);
	gpu_fold(h200, (uint32_t[3]){262144, 1, 1}, out);
	assert_int_equal(out[0], 262144);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_of_blocks),
		cmocka_unit_test(memory_gives_the_peak),
		cmocka_unit_test(names_find_records),
		cmocka_unit_test(typed_names_may_be_prefixes),
		cmocka_unit_test(wrong_names_are_refused),
		cmocka_unit_test(misspelt_names_get_a_suggestion),
		cmocka_unit_test(records_are_complete_and_sourced),
		cmocka_unit_test(l2_bandwidth_is_the_chips),
		cmocka_unit_test(derived_peaks_agree),
		cmocka_unit_test(a_compiler_fits_a_block),
		cmocka_unit_test(occupancy_matches_the_calculator),
		cmocka_unit_test(refusals_carry_both_values),
		cmocka_unit_test(long_rows_are_folded),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
