/* GPUs that are not whole. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/gpu.h"
#include "gpu/share.h"

static void slices_are_named(void **state) {
	char share[48];
	gpu_share("NVIDIA H100 80GB HBM3 MIG 1g.10gb", "/nowhere", share, sizeof share);
	assert_string_equal(share, "MIG slice 1g.10gb");
	gpu_share("NVIDIA H100 80GB HBM3", "/nowhere", share, sizeof share);
	assert_string_equal(share, "");
	gpu_share("NVIDIA MIGHTY", "/nowhere", share, sizeof share);
	assert_string_equal(share, "");
}

/* A slice has fewer multiprocessors and less bandwidth than the GPU it is of, whose record would be wrong for it. */
static void a_slice_is_not_modelled_as_the_whole(void **state) {
	assert_non_null(gpu_record("NVIDIA H100 80GB HBM3", 90));
	assert_null(gpu_record("NVIDIA H100 80GB HBM3", 80));
	assert_null(gpu_record("NVIDIA H100 80GB HBM3 MIG 1g.10gb", 90));
}

static void a_server_is_seen_by_its_pipe(void **state) {
	char folder[] = "/tmp/gpulab-share-XXXXXX", control[64], share[48];
	assert_non_null(mkdtemp(folder));
	snprintf(control, sizeof control, "%s/control", folder);
	gpu_share("NVIDIA H200", folder, share, sizeof share);
	assert_string_equal(share, "");
	FILE *file = fopen(control, "w");
	assert_non_null(file);
	fclose(file);
	gpu_share("NVIDIA H200", folder, share, sizeof share);
	assert_string_equal(share, "MPS");
	unlink(control);
	rmdir(folder);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(slices_are_named),
									   cmocka_unit_test(a_slice_is_not_modelled_as_the_whole),
									   cmocka_unit_test(a_server_is_seen_by_its_pipe)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
