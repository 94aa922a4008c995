/* Compression: what comes back is what went in, and nothing hostile takes more than its limit. */
#include "fake.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wire/pack.h"

enum { LONG = 5 << 20, LIMIT = 8 << 20 };

static uint8_t *some(size_t len, uint32_t period) {
	uint8_t *data = malloc(len + 1);
	assert_non_null(data);
	for (size_t i = 0; i < len; i++) data[i] = (uint8_t)((i % period) * 2654435761u >> 24);
	return data;
}

static void comes_back(void **state) {
	static const size_t lengths[] = {1024, 4097, 70000, LONG};
	if (!pack_possible()) skip();
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		uint8_t *data = some(lengths[i], 300), *out = NULL;
		size_t packed, cap = 0, len = 0;
		uint8_t *shorter = pack(data, lengths[i], &packed);
		assert_non_null(shorter);
		assert_true(packed < lengths[i]);
		assert_true(unpack(shorter, packed, LIMIT, &out, &cap, &len));
		assert_int_equal(len, lengths[i]);
		assert_memory_equal(out, data, len);
		free(data);
		free(shorter);
		free(out);
	}
}

static void what_gains_nothing_stays(void **state) {
	uint8_t *noise = malloc(LONG);
	uint64_t x = 88172645463325252u;
	size_t packed;
	assert_non_null(noise);
	for (size_t i = 0; i < LONG; i++) {
		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		noise[i] = (uint8_t)x;
	}
	assert_null(pack(noise, LONG, &packed));
	assert_null(pack(noise, 5000, &packed));
	assert_null(pack("short", 5, &packed));
	free(noise);
}

/* Cut off, changed, longer than allowed, with something after it. */
static void hostile_bytes_are_refused(void **state) {
	uint8_t *data = some(LONG, 300), *out = NULL;
	size_t packed, cap = 0, len = 0;
	if (!pack_possible()) skip();
	uint8_t *good = pack(data, LONG, &packed);
	assert_non_null(good);
	assert_false(unpack(good, packed, LONG - 1, &out, &cap, &len));
	assert_true(cap <= LONG);
	for (size_t cut = 0; cut < packed; cut += 1 + packed / 50) {
		assert_false(unpack(good, cut, LIMIT, &out, &cap, &len));
		assert_int_equal(len, 0);
	}
	for (size_t at = 0; at < packed; at += 1 + packed / 200) {
		uint8_t *bad = malloc(packed + 1);
		assert_non_null(bad);
		memcpy(bad, good, packed);
		bad[at] ^= 0x55;
		if (unpack(bad, packed, LIMIT, &out, &cap, &len)) assert_true(len <= LIMIT);
		bad[at] ^= 0x55;
		bad[packed] = 0;
		assert_false(unpack(bad, packed + 1, LIMIT, &out, &cap, &len));
		free(bad);
	}
	free(good);
	free(data);
	free(out);
}

/* In a frame, and only where it was agreed on. */
static void in_frames(void **state) {
	int ends[2];
	uint8_t *data = some(100000, 300);
	Frame frame = {.packs = true};
	if (!pack_possible()) skip();
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	assert_int_equal(frame_send_packed(ends[0], FRAME_CALLS | FRAME_POSTED, 3, data, 100000, NULL), WIRE_OK);
	assert_int_equal(frame_receive(ends[1], &frame, NULL), WIRE_OK);
	assert_int_equal(frame.type, FRAME_CALLS);
	assert_true(frame.posted);
	assert_int_equal(frame.len, 100000);
	assert_memory_equal(frame.data, data, 100000);
	assert_true(frame.received < 50000);
	frame.packs = false;
	assert_int_equal(frame_send_packed(ends[0], FRAME_CALLS, 4, data, 100000, NULL), WIRE_OK);
	assert_int_equal(frame_receive(ends[1], &frame, NULL), WIRE_BROKEN);
	close(ends[0]);
	close(ends[1]);
	frame_free(&frame);
	free(data);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(comes_back), cmocka_unit_test(what_gains_nothing_stays),
									   cmocka_unit_test(hostile_bytes_are_refused), cmocka_unit_test(in_frames)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
