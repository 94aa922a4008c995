/* GPUs that nobody built: what follows from a change, and what is refused. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "fields.h"

static const Gpu *derive(const char *base, const char *name, const char *field, double value, Err *err) {
	const FieldChange change = {field_named(field), value};
	assert_non_null(change.field);
	return gpu_derive(need(base), name, &change, 1, err);
}

static void a_derived_gpu_is_found_by_name(void **state) {
	const Gpu *gpu = derive("GTX 280", "GTX 280 with 32 banks", "banks", 32, NULL);
	size_t len;
	assert_non_null(gpu);
	assert_ptr_equal(gpu_find("gtx280 with 32 banks", NULL), gpu);
	assert_ptr_equal(gpu->base, need("GTX 280"));
	assert_int_equal(gpu->sms, 30);
	assert_int_equal(gpu->banks, 32);
	assert_int_equal(gpu->shared_bytes_per_clock, 64);
	const char *source = source_of(gpu, "banks", &len);
	assert_memory_equal(source, "changed, 16 in the GTX 280", len);
	assert_non_null(source_of(gpu, "dram_gbps", &len));
	assert_int_equal(need("GTX 280")->banks, 16); /* untouched */
	for (size_t i = 0; gpu_at(i); i++) assert_null(gpu_at(i)->base);
}

static void the_same_name_again_is_the_younger(void **state) {
	const Gpu *first = derive("H200", "again", "sms", 1, NULL), *second = derive("H200", "again", "sms", 2, NULL);
	size_t found = 0;
	assert_non_null(first);
	assert_ptr_equal(gpu_find("again", NULL), second);
	assert_int_equal(first->sms, 1); /* who holds it keeps it */
	for (size_t i = 0; gpu_derived_at(i); i++) found += !strcmp(gpu_derived_at(i)->name, "again");
	assert_int_equal(found, 1);
	assert_ptr_equal(derive("H200", "again", "sms", 2, NULL), second); /* nothing new */
}

static void derived_ones_can_be_derived_from(void **state) {
	const Gpu *wide = derive("GTX 280", "wide", "banks", 32, NULL), *both = derive("wide", NULL, "sms", 60, NULL);
	assert_non_null(both);
	assert_string_equal(both->name, "wide with sms=60");
	assert_int_equal(both->banks, 32);
	assert_ptr_equal(both->base, wide);
}

static void bandwidth_and_memory_clock_go_together(void **state) {
	const Gpu *fast = derive("GTX 280", "fast", "dram_gbps", 283.4, NULL);
	const Gpu *four = derive("GTX 280", "four", "partitions", 4, NULL);
	const Gpu *clock = derive("GTX 280", "clock", "memory_ghz", 0.8, NULL);
	assert_true(fabs(fast->memory_ghz - 2.214) < 0.001);
	assert_true(fabs(four->dram_gbps - 70.85) < 0.01);
	assert_true(fabs(clock->dram_gbps - 102.4) < 0.01);
	const FieldChange all[] = {{field_named("dram_gbps"), 100}, {field_named("memory_ghz"), 5}};
	Err err = ERR_INIT;
	assert_null(gpu_derive(need("GTX 280"), "both", all, 2, &err));
	assert_non_null(strstr(err.what, "contradict"));
}

static void more_banks_conflict_less(void **state) {
	const Gpu *banks32 = derive("GTX 280", "banks 32", "banks", 32, NULL),
			  *banks17 = derive("GTX 280", "17", "banks", 17, NULL);
	const Gpu *banks64 = derive("H200", "banks 64", "banks", 64, NULL),
			  *banks8 = derive("H200", "banks 8", "banks", 8, NULL);
	uint64_t addr[32];
	lanes(addr, 0, 64); /* every 16th word */
	assert_int_equal(gpu_shared_cost(need("GTX 280"), addr, (uint32_t)ALL, 4, false).wavefronts, 32);
	assert_int_equal(gpu_shared_cost(banks32, addr, (uint32_t)ALL, 4, false).wavefronts, 16);
	assert_int_equal(gpu_shared_cost(banks17, addr, (uint32_t)ALL, 4, true).wavefronts, 2);
	assert_int_equal(gpu_shared_cost(need("H200"), addr, (uint32_t)ALL, 4, false).wavefronts, 16);
	assert_int_equal(gpu_shared_cost(banks64, addr, (uint32_t)ALL, 4, false).wavefronts, 8);
	assert_int_equal(gpu_bank(banks64, 4 * 63), 63);
	lanes(addr, 0, 4);
	SharedCost row = gpu_shared_cost(banks8, addr, (uint32_t)ALL, 4, false);
	assert_int_equal(row.wavefronts, 4);
	assert_int_equal(row.ideal, 4);
	lanes(addr, 0, 0);
	row = gpu_shared_cost(banks8, addr, (uint32_t)ALL, 4, false);
	assert_int_equal(row.wavefronts, 1);
	assert_int_equal(row.ideal, 1);
}

/* What holds of any cost, whatever the banks; that the passes are the right ones is test_shared.c's to show. */
static void costs_stay_within_bounds(void **state) {
	uint64_t seed = 4242;
	for (int round = 0; round < 3000; round++) {
		uint64_t addr[32];
		const uint32_t banks = 1 + next_random(&seed) % 64, width = 4u << next_random(&seed) % 3;
		const uint32_t mask = round % 3 ? (uint32_t)ALL : next_random(&seed) | 1;
		Gpu gpu = *need(round % 2 ? "H200" : "GTX 280");
		gpu.banks = banks;
		if (round % 5)
			lanes(addr, 0, (int64_t)width * (next_random(&seed) % 70));
		else
			for (int i = 0; i < 32; i++) addr[i] = width * (next_random(&seed) % 512);
		const SharedCost cost = gpu_shared_cost(&gpu, addr, mask, width, next_random(&seed) % 2);
		assert_true(cost.wavefronts >= cost.ideal && cost.wavefronts <= 32 * (width / 4) * 2);
		assert_true(cost.worst_bank < banks);
		assert_true(cost.requests >= 1 && cost.requests <= 2);
	}
}

static void nonsense_is_refused(void **state) {
	const double nan = NAN, inf = INFINITY;
	const struct {
		const char *base, *field;
		double value;
		const char *says;
	} bad[] = {
		{"GTX 280", "banks", 0, "makes no GPU"},
		{"GTX 280", "banks", 65, "makes no GPU"},
		{"GTX 280", "banks", -16, "makes no GPU"},
		{"GTX 280", "banks", 16.5, "whole number"},
		{"GTX 280", "banks", nan, "makes no GPU"},
		{"GTX 280", "sms", inf, "makes no GPU"},
		{"GTX 280", "sms", 1e300, "makes no GPU"},
		{"GTX 280", "bank_bytes", 8, "4 bytes wide"},
		{"H200", "bank_bytes", 5, "4 or 8"},
		{"GTX 280", "cc", 20, "no way between"},
		{"H200", "cc", 13, "no way between"},
		{"H200", "cc", 42, "no such compute capability"},
		{"H200", "partitions", 4, "mean nothing"},
		{"GTX 280", "partition_bytes", 300, "power of two"},
		{"GTX 280", "shared_per_block", 32768, "more than shared_per_sm"},
		{"H200", "warps_per_sm", 8, "fewer threads"},
		{"H200", "register_unit", 4096, NULL},
		{"H200", "registers_per_sm", 10, "makes no GPU"},
		{"H200", "request_lanes", 16, "cannot be changed"},
		{"H200", "shared_bytes_per_clock", 16, "cannot be changed"},
		{"H200", "dram_gbps", 0, "makes no GPU"},
		{"H200", "fp64_ratio", 0, "makes no GPU"},
		{"H200", "copy_gbps", 5000, "more than dram_gbps"},
		{"H200", "link_gbps", 1, "faster than link_gbps"},
		{"H200", "shader_ghz", -1, "makes no GPU"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		Err err = ERR_INIT;
		const Gpu *gpu = derive(bad[i].base, "nonsense", bad[i].field, bad[i].value, &err);
		if (!bad[i].says) {
			assert_non_null(gpu);
			continue;
		}
		assert_null(gpu);
		assert_int_equal(err.kind, ERR_USAGE);
		assert_non_null(strstr(err.what, bad[i].says));
	}
	Err err = ERR_INIT;
	assert_null(gpu_derive(need("H200"), "none", NULL, 0, &err));
	assert_non_null(strstr(err.what, "nothing of the H200 is changed"));
}

static void bad_names_are_refused(void **state) {
	const char *const names[] = {
		"",    " ",  "H200", "nvidia h 200", "h100 80GB HBM3", "a\nb",
		"a:b", "\"", "-_-",  " x",           "\xc3\xa4",       "12345678901234567890123456789012345678901"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		Err err = ERR_INIT;
		assert_null(derive("H200", names[i], "sms", 5, &err));
		assert_int_equal(err.kind, ERR_USAGE);
	}
	const FieldChange many[] = {
		{field_named("sms"), 5}, {field_named("banks"), 64}, {field_named("shared_per_sm"), 262144}};
	Err err = ERR_INIT;
	assert_null(gpu_derive(need("H200"), NULL, many, 3, &err));
	assert_non_null(strstr(err.what, "name of its own"));
}

static void there_is_an_end_to_them(void **state) {
	Err err = ERR_INIT;
	int made = 0;
	while (made < 2000 && derive("H200", "many", "sms", 7 + made % 2, &err)) made++;
	assert_true(made < 1000);
	assert_non_null(strstr(err.what, "all there can be"));
	assert_non_null(gpu_find("many", NULL));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_derived_gpu_is_found_by_name),
		cmocka_unit_test(the_same_name_again_is_the_younger),
		cmocka_unit_test(derived_ones_can_be_derived_from),
		cmocka_unit_test(bandwidth_and_memory_clock_go_together),
		cmocka_unit_test(more_banks_conflict_less),
		cmocka_unit_test(costs_stay_within_bounds),
		cmocka_unit_test(nonsense_is_refused),
		cmocka_unit_test(bad_names_are_refused),
		cmocka_unit_test(there_is_an_end_to_them),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
