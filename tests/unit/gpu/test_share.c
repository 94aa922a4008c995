/* GPUs that are not whole. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/gpu.h"
#include "gpu/partial_gpu.h"

static void slices_are_named(void **state) {
	char share[48];
	gpu_share("NVIDIA H100 80GB HBM3 MIG 1g.10gb", 16, "/nowhere", share, sizeof share);
	assert_string_equal(share, "MIG slice 1g.10gb");
	gpu_share("NVIDIA A100-SXM4-80GB MIG 1g.10gb+me", 14, "/nowhere", share, sizeof share);
	assert_string_equal(share, "MIG slice 1g.10gb+me");
	gpu_share("NVIDIA H100 80GB HBM3", 132, "/nowhere", share, sizeof share);
	assert_string_equal(share, "");
	gpu_share("NVIDIA MIGHTY", 1, "/nowhere", share, sizeof share);
	assert_string_equal(share, "");
}

/* Names and SMs as drivers report them. */
static void a_slice_has_its_own_record(void **state) {
	static const struct {
		const char *driver;
		uint32_t cc, sms;
		const char *record; /* NULL: none */
	} seen[] = {
		{"NVIDIA H100 80GB HBM3", 90, 132, "H100 SXM"},
		{"NVIDIA H100 80GB HBM3", 80, 132, NULL},
		{"NVIDIA H100 80GB HBM3 MIG 1g.10gb", 90, 16, "H100 1g.10gb"},
		{"NVIDIA H100 80GB HBM3 MIG 1g.10gb+me", 90, 16, "H100 1g.10gb"},
		{"NVIDIA H100 80GB HBM3 MIG 7g.80gb", 90, 132, "H100 7g.80gb"},
		{"NVIDIA H100 80GB HBM3 MIG 1c.2g.20gb", 90, 16, NULL}, /* a compute instance in a slice shares its memory */
		{"NVIDIA H100 80GB HBM3 MIG 1g.20gb", 90, 26, NULL},    /* no such record: nothing is assumed */
		{"NVIDIA H100 PCIe MIG 1g.10gb", 90, 14, NULL},
		{"NVIDIA H200 MIG 3g.71gb", 90, 60, "H200 3g.71gb"},
		{"NVIDIA A100-SXM4-40GB MIG 1g.5gb", 80, 14, "A100 1g.5gb"},
		{"NVIDIA A100-SXM4-80GB MIG 3g.40gb", 80, 42, "A100 3g.40gb"},
		{"NVIDIA H200", 90, 132, "H200"},
		{"NVIDIA H200", 90, 66, NULL}, /* half of it, by an MPS server */
	};
	for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
		const Gpu *gpu = gpu_record(seen[i].driver, seen[i].cc, seen[i].sms);
		if (!seen[i].record) {
			assert_null(gpu);
			continue;
		}
		assert_non_null(gpu);
		assert_string_equal(gpu->name, seen[i].record);
	}
}

/* A slice has a part of its GPU's bandwidth, and no more than that part of its L2. */
static void a_slice_is_a_part(void **state) {
	static const char *const pairs[][2] = {{"H100 1g.10gb", "H100 SXM"}, {"H100 4g.40gb", "H100 SXM"},
										   {"H200 1g.18gb", "H200"},     {"H200 3g.71gb", "H200"},
										   {"A100 1g.5gb", "A100"},      {"A100 3g.40gb", "A100 80GB"}};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		const Gpu *slice = gpu_find(pairs[i][0], NULL), *whole = gpu_find(pairs[i][1], NULL);
		assert_non_null(slice);
		assert_non_null(whole);
		assert_int_equal(slice->cc, whole->cc);
		assert_true(slice->sms < whole->sms);
		assert_true(slice->dram_gbps < 0.51 * whole->dram_gbps);
		assert_true(slice->l2_bytes < whole->l2_bytes);
	}
}

/* The largest slice has all SMs of an H100 or H200, and their L2. */
static void a_slice_of_all_sms_has_the_whole_l2(void **state) {
	static const char *const pairs[][2] = {{"H100 7g.80gb", "H100 SXM"}, {"H200 7g.141gb", "H200"}};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		const Gpu *slice = gpu_find(pairs[i][0], NULL), *whole = gpu_find(pairs[i][1], NULL);
		assert_int_equal(slice->sms, whole->sms);
		assert_int_equal(slice->l2_bytes, whole->l2_bytes);
		assert_true(gpu_l2_gbps(slice) == gpu_l2_gbps(whole));
	}
}

static void a_server_is_seen_by_its_pipe(void **state) {
	char folder[] = "/tmp/gpulab-share-XXXXXX", control[64], share[48];
	assert_non_null(mkdtemp(folder));
	snprintf(control, sizeof control, "%s/control", folder);
	gpu_share("NVIDIA H200", 132, folder, share, sizeof share);
	assert_string_equal(share, "");
	FILE *file = fopen(control, "w");
	assert_non_null(file);
	fclose(file);
	gpu_share("NVIDIA H200", 132, folder, share, sizeof share);
	assert_string_equal(share, "MPS");
	gpu_share("NVIDIA H200", 66, folder, share, sizeof share);
	assert_string_equal(share, "MPS, 66 of 132 SMs");
	unlink(control);
	rmdir(folder);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(slices_are_named), cmocka_unit_test(a_slice_has_its_own_record),
									   cmocka_unit_test(a_slice_is_a_part),
									   cmocka_unit_test(a_slice_of_all_sms_has_the_whole_l2),
									   cmocka_unit_test(a_server_is_seen_by_its_pipe)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
