/* Frames: what is sent arrives, what is hostile ends in a status and nothing else. */
#include "fake.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { A_CALL = FRAME_CALLS };
static const double GUARD_S = 1e6; /* without an end: tests/guard.py ends what hangs */

static void socket_pair(int ends[2]) {
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
}

static WireLimit guard(void) {
	return (WireLimit){.patience = GUARD_S};
}

static void put_header(uint8_t h[FRAME_HEADER], uint32_t magic, uint16_t version, uint16_t type, uint32_t length) {
	memset(h, 0, FRAME_HEADER);
	memcpy(h, &magic, 4);
	memcpy(h + 4, &version, 2);
	memcpy(h + 6, &type, 2);
	memcpy(h + 12, &length, 4);
}

/* --- arrival ------------------------------------------------------------------------------------------------------ */

static void frames_arrive(void **state) {
	int ends[2];
	Frame frame = {0};
	WireLimit limit = guard();
	socket_pair(ends);
	assert_int_equal(frame_send(ends[0], A_CALL, 7, "abc", 3, &limit), WIRE_OK);
	assert_int_equal(frame_send(ends[0], FRAME_PROGRESS, 8, NULL, 0, &limit), WIRE_OK);
	assert_int_equal(frame_receive(ends[1], &frame, &limit), WIRE_OK);
	assert_int_equal(frame.type, A_CALL);
	assert_int_equal(frame.sequence, 7);
	assert_int_equal(frame.len, 3);
	assert_memory_equal(frame.data, "abc", 3);
	assert_int_equal(frame_receive(ends[1], &frame, &limit), WIRE_OK);
	assert_int_equal(frame.type, FRAME_PROGRESS);
	assert_int_equal(frame.sequence, 8);
	assert_int_equal(frame.len, 0);
	close(ends[0]);
	assert_int_equal(frame_receive(ends[1], &frame, &limit), WIRE_CLOSED);
	close(ends[1]);
	free(frame.data);
}

typedef struct {
	int fd;
	size_t len;
	uint8_t *data;
	WireStatus status;
} Sender;

static void *send_large(void *user) {
	Sender *s = user;
	WireLimit limit = guard();
	s->status = frame_send(s->fd, A_CALL, 1, s->data, s->len, &limit);
	return NULL;
}

/* Larger than the socket's buffer and than the pieces in which the receiver takes memory, and not a multiple of
 * either. */
static void a_large_frame_arrives_in_pieces(void **state) {
	int ends[2];
	Frame frame = {0};
	pthread_t thread;
	Sender s = {.len = (13 << 20) + 12345};
	WireLimit limit = guard();
	socket_pair(ends);
	s.fd = ends[0];
	s.data = malloc(s.len);
	assert_non_null(s.data);
	for (size_t i = 0; i < s.len; i++) s.data[i] = (uint8_t)(i * 7 >> 3);
	assert_int_equal(pthread_create(&thread, NULL, send_large, &s), 0);
	assert_int_equal(frame_receive(ends[1], &frame, &limit), WIRE_OK);
	pthread_join(thread, NULL);
	assert_int_equal(s.status, WIRE_OK);
	assert_int_equal(frame.len, s.len);
	assert_memory_equal(frame.data, s.data, s.len);
	free(s.data);
	free(frame.data);
	close(ends[0]);
	close(ends[1]);
}

static void memory_is_reused(void **state) {
	int ends[2];
	Frame frame = {0};
	WireLimit limit = guard();
	char text[1000] = {0};
	socket_pair(ends);
	assert_int_equal(frame_send(ends[0], A_CALL, 1, text, sizeof text, &limit), WIRE_OK);
	assert_int_equal(frame_send(ends[0], A_CALL, 2, "short", 5, &limit), WIRE_OK);
	assert_int_equal(frame_receive(ends[1], &frame, &limit), WIRE_OK);
	const uint8_t *before = frame.data;
	assert_int_equal(frame_receive(ends[1], &frame, &limit), WIRE_OK);
	assert_ptr_equal(frame.data, before);
	assert_int_equal(frame.len, 5);
	close(ends[0]);
	close(ends[1]);
	free(frame.data);
}

static void a_frame_beyond_the_limit_is_not_sent(void **state) {
	int ends[2];
	char byte = 0;
	socket_pair(ends);
	assert_int_equal(frame_send(ends[0], A_CALL, 1, &byte, (size_t)FRAME_MAX + 1, NULL), WIRE_BROKEN);
	assert_int_equal(recv(ends[1], &byte, 1, MSG_DONTWAIT), -1);
	close(ends[0]);
	close(ends[1]);
}

/* --- hostile ------------------------------------------------------------------------------------------------------ */

static void headers_are_checked(void **state) {
	static const struct {
		uint32_t magic;
		uint16_t version, type;
		uint32_t length;
		bool right;
	} cases[] = {{FRAME_MAGIC, FRAME_VERSION, A_CALL, FRAME_MAX, true},
				 {FRAME_MAGIC, FRAME_VERSION, FRAME_TYPES - 1, 0, true},
				 {FRAME_MAGIC, FRAME_VERSION, A_CALL, FRAME_MAX + 1u, false},
				 {FRAME_MAGIC, FRAME_VERSION, A_CALL, UINT32_MAX, false},
				 {FRAME_MAGIC, FRAME_VERSION, FRAME_TYPES, 0, false},
				 {FRAME_MAGIC, FRAME_VERSION + 1, A_CALL, 0, false},
				 {FRAME_MAGIC ^ 1, FRAME_VERSION, A_CALL, 0, false}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int ends[2];
		uint8_t h[FRAME_HEADER];
		uint16_t type = 0;
		uint32_t sequence, length = 0;
		Frame frame = {0};
		WireLimit limit = guard();
		put_header(h, cases[i].magic, cases[i].version, cases[i].type, cases[i].length);
		assert_int_equal(frame_header(h, &type, &sequence, &length), cases[i].right);
		if (cases[i].right) {
			assert_int_equal(type, cases[i].type);
			assert_int_equal(length, cases[i].length);
			continue;
		}
		socket_pair(ends);
		assert_int_equal(write(ends[0], h, sizeof h), sizeof h);
		assert_int_equal(frame_receive(ends[1], &frame, &limit), WIRE_BROKEN);
		close(ends[0]);
		close(ends[1]);
		free(frame.data);
	}
}

static void a_frame_that_breaks_off_is_closed(void **state) {
	uint8_t bytes[FRAME_HEADER + 100] = {0};
	put_header(bytes, FRAME_MAGIC, FRAME_VERSION, A_CALL, 200);
	for (size_t n = 0; n < sizeof bytes; n += 3) {
		int ends[2];
		Frame frame = {0};
		WireLimit limit = guard();
		socket_pair(ends);
		assert_int_equal(write(ends[0], bytes, n), (ssize_t)n);
		close(ends[0]);
		assert_int_equal(frame_receive(ends[1], &frame, &limit), WIRE_CLOSED);
		close(ends[1]);
		free(frame.data);
	}
}

/* A header alone takes no memory to speak of: the length in it may be a lie. */
static void memory_is_taken_as_bytes_arrive(void **state) {
	int ends[2];
	uint8_t header[FRAME_HEADER];
	Frame frame = {0};
	WireLimit limit = guard();
	put_header(header, FRAME_MAGIC, FRAME_VERSION, A_CALL, FRAME_MAX);
	socket_pair(ends);
	assert_int_equal(write(ends[0], header, sizeof header), sizeof header);
	close(ends[0]);
	assert_int_equal(frame_receive(ends[1], &frame, &limit), WIRE_CLOSED);
	assert_true(frame.cap <= FRAME_MAX / 16);
	close(ends[1]);
	free(frame.data);
}

static uint64_t next_random(uint64_t *s) {
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s;
}

static void noise_is_broken_or_closed(void **state) {
	uint64_t random = 88172645463325252u;
	for (int i = 0; i < 300; i++) {
		int ends[2];
		uint8_t noise[512] = {0};
		Frame frame = {0};
		WireLimit limit = guard();
		const size_t n = next_random(&random) % sizeof noise;
		for (size_t k = 0; k < n; k++) noise[k] = (uint8_t)next_random(&random);
		if (i % 2 && n >= FRAME_HEADER)
			put_header(noise, FRAME_MAGIC, FRAME_VERSION, A_CALL, (uint32_t)next_random(&random));
		socket_pair(ends);
		assert_int_equal(write(ends[0], noise, n), (ssize_t)n);
		close(ends[0]);
		const WireStatus status = frame_receive(ends[1], &frame, &limit);
		assert_true(status == WIRE_CLOSED || status == WIRE_BROKEN || (status == WIRE_OK && frame.len <= n));
		close(ends[1]);
		free(frame.data);
	}
}

/* --- limits ------------------------------------------------------------------------------------------------------- */

static void silence_times_out(void **state) {
	int ends[2];
	Frame frame = {0};
	atomic_bool cancel = false, forward = false;
	socket_pair(ends);
	WireLimit limit = {.patience = 0.02, .cancel = &cancel, .forward = &forward};
	assert_int_equal(frame_receive(ends[1], &frame, &limit), WIRE_TIMEOUT);
	assert_false(atomic_load(&forward));
	close(ends[0]);
	close(ends[1]);
	free(frame.data);
}

static void a_reader_that_stands_still_times_out_the_sender(void **state) {
	int ends[2];
	const size_t len = 16 << 20;
	char *data = calloc(len, 1);
	socket_pair(ends);
	WireLimit limit = {.patience = 0.02};
	assert_int_equal(frame_send(ends[0], A_CALL, 1, data, len, &limit), WIRE_TIMEOUT);
	close(ends[1]);
	limit = guard();
	assert_int_equal(frame_send(ends[0], A_CALL, 1, data, len, &limit), WIRE_CLOSED); /* and no SIGPIPE */
	close(ends[0]);
	free(data);
}

static void a_cancel_ends_the_wait_and_is_forwarded(void **state) {
	int ends[2];
	Frame frame = {0};
	atomic_bool cancel = true, forward = false;
	socket_pair(ends);
	WireLimit limit = {.patience = 1e6, .cancel = &cancel, .forward = &forward, .grace = 0.01};
	assert_int_equal(frame_receive(ends[1], &frame, &limit), WIRE_CANCELLED);
	assert_true(atomic_load(&forward));
	limit = (WireLimit){.patience = 1e6, .cancel = &cancel}; /* no grace, no flag to set */
	assert_int_equal(frame_receive(ends[1], &frame, &limit), WIRE_CANCELLED);
	close(ends[0]);
	close(ends[1]);
	free(frame.data);
}

typedef struct {
	int fd;
	atomic_bool *reported;
} Obedient;

static void *answer_once_told(void *user) {
	const Obedient *o = user;
	WireLimit limit = guard();
	while (!atomic_load(o->reported)) usleep(1000);
	frame_send(o->fd, FRAME_ANSWER, 3, NULL, 0, &limit);
	return NULL;
}

/* The other end sees the flag and stops by itself: within the grace its answer counts. */
static void an_answer_within_the_grace_arrives(void **state) {
	int ends[2];
	Frame frame = {0};
	pthread_t thread;
	atomic_bool cancel = true, forward = false;
	socket_pair(ends);
	Obedient o = {ends[0], &forward};
	WireLimit limit = guard();
	limit.cancel = &cancel;
	limit.forward = &forward;
	limit.grace = GUARD_S;
	assert_int_equal(pthread_create(&thread, NULL, answer_once_told, &o), 0);
	assert_int_equal(frame_receive(ends[1], &frame, &limit), WIRE_OK);
	pthread_join(thread, NULL);
	assert_int_equal(frame.sequence, 3);
	close(ends[0]);
	close(ends[1]);
	free(frame.data);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_arrive),
		cmocka_unit_test(a_large_frame_arrives_in_pieces),
		cmocka_unit_test(memory_is_reused),
		cmocka_unit_test(a_frame_beyond_the_limit_is_not_sent),
		cmocka_unit_test(headers_are_checked),
		cmocka_unit_test(a_frame_that_breaks_off_is_closed),
		cmocka_unit_test(memory_is_taken_as_bytes_arrive),
		cmocka_unit_test(noise_is_broken_or_closed),
		cmocka_unit_test(silence_times_out),
		cmocka_unit_test(a_reader_that_stands_still_times_out_the_sender),
		cmocka_unit_test(a_cancel_ends_the_wait_and_is_forwarded),
		cmocka_unit_test(an_answer_within_the_grace_arrives),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("frame", tests, NULL, NULL);
}
