/* L1 of the model: lists of sectors, looked up together where they were lately, hit where each sector does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/gpu.h"
#include "model/traffic/l1.h"

enum { LISTS = 24, LENGTH = 16, LOADS = 20000 };

static void lists_hit_where_their_sectors_do(void **state) {
	const Gpu *gpu = gpu_find("H200", NULL);
	for (uint64_t blocks = 1; blocks <= 256; blocks *= 4) {
		L1 one = l1_new(gpu->generation, blocks, 0), other = l1_like(&one);
		uint64_t sectors[LISTS][LENGTH], missed[2][LENGTH], random = 1, hits = 0;
		for (uint32_t i = 0; i < LISTS; i++)
			for (uint32_t k = 0; k < LENGTH; k++) sectors[i][k] = 7 * i + 100 * k;
		for (uint32_t i = 0; i < LOADS; i++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			const uint32_t list = (uint32_t)(random >> 33) % (i % 64 < 32 ? 3 : LISTS), more = (uint32_t)(random >> 60);
			const uint64_t origin = random >> 50 & 1, single = 10000 + (random >> 40) % 512;
			if (i % 5000 == 0) l1_begin(&one, i), l1_begin(&other, i);
			const uint32_t n = l1_misses_of_list(&one, list + 1, origin, sectors[list], LENGTH, missed[0]);
			assert_int_equal(n, l1_misses(&other, origin, sectors[list], LENGTH, missed[1]));
			assert_memory_equal(missed[0], missed[1], n * sizeof *missed[0]);
			hits += !n;
			if (more > 3) continue;
			assert_int_equal(l1_misses(&one, 0, &single, 1, missed[0]), l1_misses(&other, 0, &single, 1, missed[1]));
		}
		assert_true(hits > LOADS / 200 && hits < LOADS);
		l1_free(&one);
		l1_free(&other);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(lists_hit_where_their_sectors_do)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
