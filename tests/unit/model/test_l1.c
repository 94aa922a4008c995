/* L1 of the model: lines whose sectors come one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/gpu.h"
#include "model/traffic/l1.h"

enum { LOADS = 20000 };

static uint64_t next(uint64_t *random) {
	return *random = *random * 6364136223846793005u + 1442695040888963407u;
}

/* Whatever ran before: its lines are as good as none. */
static void nothing_survives_a_block(void **state) {
	const Gpu *gpu = gpu_find("H200", NULL);
	(void)state;
	L1 fresh = l1_new(gpu->generation, 16, 0), used = l1_like(&fresh);
	uint64_t random = 7;
	TouchedLine missed[2];
	l1_begin(&used, 3);
	for (uint32_t i = 0; i < LOADS; i++) {
		next(&random);
		const TouchedLine line = touched_line(random >> 54, 1u << (random >> 20 & 3));
		l1_misses(&used, 0, &line, 1, missed);
	}
	l1_begin(&fresh, 4), l1_begin(&used, 4);
	uint32_t misses = 0;
	for (uint32_t i = 0; i < LOADS; i++) {
		next(&random);
		const TouchedLine line = touched_line(random >> 57, 1 + (uint32_t)(random >> 20 & 7));
		const uint32_t a = l1_misses(&fresh, 0, &line, 1, &missed[0]);
		assert_int_equal(a, l1_misses(&used, 0, &line, 1, &missed[1]));
		assert_true(!a || missed[0].bits == missed[1].bits);
		misses += a;
	}
	assert_true(misses > 128 && misses < LOADS);
	l1_free(&fresh);
	l1_free(&used);
}

static void sectors_come_one_by_one(void **state) {
	L1 l1 = l1_new(gpu_find("H200", NULL)->generation, 1, 0);
	(void)state;
	l1_begin(&l1, 0);
	for (uint32_t turn = 0; turn < 8; turn++) {
		const TouchedLine lines[] = {touched_line(1000, 1u << turn % 4), touched_line(2000, 3u << turn % 3)};
		TouchedLine missed[2];
		const uint32_t n = l1_misses(&l1, 0, lines, 2, missed);
		const uint32_t others = (const uint32_t[]){3, 4, 8, 0, 0, 0, 0, 0}[turn]; /* of 2000: 0, 1; 2; 3 */
		assert_int_equal(n, (turn < 4) + (others != 0));
		if (turn < 4) assert_int_equal(missed[0].bits, touched_line(1000, 1u << turn).bits);
		if (others) assert_int_equal(missed[n - 1].bits, touched_line(2000, others).bits);
	}
	l1_free(&l1);
}

static void no_room_is_no_cache(void **state) {
	const Gpu *gpu = gpu_find("H200", NULL);
	(void)state;
	L1 none = l1_new(gpu->generation, 1, gpu->generation->l1_bytes), like = l1_like(&none);
	assert_null(none.sets);
	assert_null(like.sets);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_survives_a_block),
		cmocka_unit_test(sectors_come_one_by_one),
		cmocka_unit_test(no_room_is_no_cache),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
