/* The first line of a worker elsewhere. */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/greeting.h"

static void comes_back(void **state) {
	Greeting own, got;
	Str line = {0};
	greeting_own(&own);
	assert_string_equal(own.version, GPULAB_VERSION);
	assert_true(*own.arch);
	snprintf(own.wire, sizeof own.wire, "6-01234567");
	snprintf(own.toolkit, sizeof own.toolkit, "13.0");
	greeting_put(&line, &own);
	assert_int_equal(line.text[line.len - 1], '\n');
	assert_true(line.len < GREETING_BYTES);
	line.text[line.len - 1] = '\0';
	assert_true(greeting_get(line.text, &got));
	assert_memory_equal(&got, &own, sizeof got);
	str_free(&line);
}

static void others_are_read_too(void **state) {
	Greeting g;
	assert_true(greeting_get("gpulab-worker later=1 version=9.9 wire=99 packs=1 more", &g));
	assert_string_equal(g.version, "9.9");
	assert_string_equal(g.arch, "");
	assert_true(g.packs);
	assert_true(greeting_get("gpulab-worker version=1 wire=2\r", &g));
	assert_string_equal(g.wire, "2");
}

static void what_is_none_is_refused(void **state) {
	static const char *const lines[] = {"",
										"gpulab-worker",
										"gpulab-worker ",
										"gpulab-worker version=1",
										"gpulab-worker wire=1",
										"gpulab-worker version= wire=",
										"Welcome to gpu4",
										"gpulab-worker =1 =2 ="};
	Greeting g;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) assert_false(greeting_get(lines[i], &g));
}

/* Its words end up on a terminal. */
static void control_characters_are_replaced(void **state) {
	Greeting g;
	char longer[2000];
	assert_true(greeting_get("gpulab-worker version=1\033[2J wire=2 host=a\007b\xff", &g));
	assert_string_equal(g.version, "1??2J");
	assert_string_equal(g.host, "a?b?");
	memset(longer, 'x', sizeof longer - 1);
	longer[sizeof longer - 1] = '\0';
	memcpy(longer, "gpulab-worker wire=2 version=", 29);
	assert_true(greeting_get(longer, &g));
	assert_int_equal(strlen(g.version), sizeof g.version - 1);
}

static void random_bytes_do_no_harm(void **state) {
	uint32_t x = 1;
	for (int i = 0; i < 20000; i++) {
		char line[120] = GREETING_MARK;
		for (size_t k = strlen(GREETING_MARK); k < sizeof line - 1; k++) {
			x = x * 1664525 + 1013904223;
			line[k] = "= vwersionpacks\r\x80"[x >> 24 & 15];
		}
		Greeting g;
		if (greeting_get(line, &g)) assert_true(strlen(g.version) < sizeof g.version);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comes_back), cmocka_unit_test(others_are_read_too), cmocka_unit_test(what_is_none_is_refused),
		cmocka_unit_test(control_characters_are_replaced), cmocka_unit_test(random_bytes_do_no_harm)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
