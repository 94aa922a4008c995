/* A worker elsewhere, over a byte stream: what its first line may be, what nonsense it may send, what nonsense it may
 * get, and how connections end. The far end is this program, too. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/proc.h"
#include "device/backend/messages.h"
#include "device/remote/gateway.h"
#include "device/remote/kept.h"
#include "device/remote/queue.h"
#include "device_test.h"
#include "wire/greeting.h"

/* --- a far end that misbehaves ------------------------------------------------------------------------------------ */

static void say(const char *text) {
	(void)!write(1, text, strlen(text));
}

static void greet_as(void (*change)(Greeting *g)) {
	Greeting g;
	Str line = {0};
	greeting_own(&g);
	messages_layout(g.wire, sizeof g.wire);
	backend_toolkit(g.toolkit, sizeof g.toolkit);
	if (change) change(&g);
	greeting_put(&line, &g);
	say(line.text);
}

static void other_version(Greeting *g) {
	strcpy(g->version, "9.9.9");
}
static void other_toolkit(Greeting *g) {
	strcpy(g->toolkit, "11.8");
}
static void other_layout(Greeting *g) {
	strcpy(g->wire, "6-00000000");
}

/* Answers `right` calls as a gateway would whose device has been opened, then sends this. */
static void answer_wrongly(const char *kind) {
	Frame frame = {0};
	static const DeviceInfo info = {.backend = "emu", .gpu_name = "none", .cc = 75};
	static const uint8_t zeros[64];
	Str text = {0};
	record_put(&text, messages[MESSAGE_enter].answer, &info);
	bool opened = false;
	while (frame_receive(0, &frame, NULL) == WIRE_OK) {
		if (frame.posted) continue;
		if (!opened && !text_starts(kind, "enter:")) {
			frame_send(1, FRAME_ANSWER, frame.sequence, text.text, text.len, NULL);
			opened = true;
			continue;
		}
		const char *what = strchr(kind, ':') + 1;
		if (!strcmp(what, "noise")) say("this is not a frame, and longer than a header");
		if (!strcmp(what, "sequence")) frame_send(1, FRAME_ANSWER, frame.sequence + 1, NULL, 0, NULL);
		if (!strcmp(what, "short")) frame_send(1, FRAME_ANSWER, frame.sequence, "x", 1, NULL);
		if (!strcmp(what, "type")) frame_send(1, 77, frame.sequence, NULL, 0, NULL);
		if (!strcmp(what, "posted")) frame_send(1, FRAME_ANSWER | FRAME_POSTED, frame.sequence, NULL, 0, NULL);
		if (!strcmp(what, "packed")) frame_send(1, FRAME_ANSWER | FRAME_PACKED, frame.sequence, zeros, 64, NULL);
		if (!strcmp(what, "error")) frame_send(1, FRAME_ERROR, frame.sequence, zeros, 64, NULL);
		if (!strcmp(what, "lost")) frame_send(1, FRAME_LOST, frame.sequence, zeros, 64, NULL);
		if (!strcmp(what, "close")) _exit(3);
	}
	str_free(&text);
	_exit(0);
}

static int far_end(const char *kind) {
	if (!strcmp(kind, "silent")) return 0;
	if (!strcmp(kind, "words")) {
		(void)!write(2, "bash: gpulab: command not found\n", 32);
		return 127;
	}
	if (!strcmp(kind, "srun")) {
		static const char words[] =
			"step 1.0 canceled due to preemption\nsrun: error: vm: task 0: Exited with exit code 143\n";
		(void)!write(2, words, sizeof words - 1);
		return 143;
	}
	if (!strcmp(kind, "endless"))
		while (write(1, "no end to this\n", 15) == 15) {
		}
	if (!strcmp(kind, "binary")) {
		for (int i = 0; i < 1000; i++) (void)!write(1, "\0\1\2\n\xff", 5);
		return 0;
	}
	if (!strcmp(kind, "version")) greet_as(other_version);
	if (!strcmp(kind, "toolkit")) greet_as(other_toolkit);
	if (!strcmp(kind, "layout")) greet_as(other_layout);
	if (strchr(kind, ':')) {
		greet_as(NULL);
		answer_wrongly(kind);
	}
	if (!strcmp(kind, "motd")) {
		say("Welcome to gpu4.\n\n  gpulab-worker is here, too\nLast login: today\n");
		return gateway_main();
	}
	/* uname() then names the architecture of 32 bits: i686 on x86-64. */
	if (!strcmp(kind, "arch") && personality(PER_LINUX32) != -1) return gateway_main();
	pause();
	return 0;
}

static bool open_end(const char *kind, double wait_s, Device **out, Err *err) {
	const char *const start[] = {"/proc/self/exe", "--far-end", kind, NULL};
	const DevicePlace place = {
		.name = "job:test", .device = "emu:GTX 280", .start = start, .warm_s = 60, .wait_s = wait_s};
	*err = (Err)ERR_INIT;
	return device_open_place(&place, out, err);
}

/* --- greetings ---------------------------------------------------------------------------------------------------- */

static void others_are_refused_by_name(void **state) {
	static const struct {
		const char *kind, *what, *hint;
	} cases[] = {
		{"version", "its version is 9.9.9, ours is " GPULAB_VERSION, "install gpulab " GPULAB_VERSION " there"},
		{"toolkit", "its CUDA runtime is 11.8", "build gpulab"},
		{"layout", "its message format is 6-00000000", "same build"},
		{"silent", "no worker started at job:test: /proc/self/exe ended", "tries again"},
		{"words", "exited with status 127; its last message: bash: gpulab: command not found", "tries again"},
		{"srun", "exited with status 143; its last message: step 1.0 canceled due to preemption", "tries again"},
		{"endless", "is not gpulab", "PATH"},
		{"binary", "no worker started", "tries again"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Device *device = NULL;
		Err err;
		assert_false(open_end(cases[i].kind, 60, &device, &err));
		assert_int_equal(err.kind, ERR_SETUP);
		assert_text(err.what, cases[i].what);
		assert_text(err.hint, cases[i].hint);
	}
}

static void waiting_has_an_end(void **state) {
	Device *device = NULL;
	Err err;
	assert_false(open_end("never", 0.3, &device, &err));
	assert_text(err.what, "no worker started at job:test within");
	atomic_store(&cancel_flag, true);
	assert_false(open_end("never", 60, &device, &err));
	assert_int_equal(err.kind, ERR_INTERRUPTED);
	atomic_store(&cancel_flag, false);
}

/* What the messages look like decides, not what the machine is called. */
static void another_architecture_is_taken(void **state) {
	Device *device = NULL;
	Err err;
	assert_done(open_end("arch", 60, &device, &err), err);
	assert_string_equal(device_info(device)->gpu_name, "GTX 280");
	device_close(device);
}

/* What a login shell prints first is skipped. */
static void other_lines_come_first(void **state) {
	Device *device = NULL;
	Err err;
	assert_done(open_end("motd", 60, &device, &err), err);
	assert_string_equal(device_info(device)->name, "job:test");
	assert_string_equal(device_info(device)->gpu_name, "GTX 280");
	assert_true(*device_info(device)->place);
	device_close(device);
}

/* --- nonsense from there ------------------------------------------------------------------------------------------ */

static void nonsense_ends_the_connection(void **state) {
	static const char *const kinds[] = {"noise", "sequence", "short", "type", "posted", "packed", "error", "lost"};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		Device *device = NULL;
		Err err;
		char kind[64];
		Buffer buffer;
		snprintf(kind, sizeof kind, "enter:%s", kinds[i]);
		assert_false(open_end(kind, 60, &device, &err));
		assert_int_equal(err.kind, ERR_SETUP);
		snprintf(kind, sizeof kind, "later:%s", kinds[i]);
		assert_done(open_end(kind, 60, &device, &err), err);
		assert_false(device_buffer(device, ELEM_F32, 10, "a", (Define){0}, &buffer, &err));
		assert_text(err.what, "invalid message");
		device_close(device);
	}
}

static void an_end_is_named(void **state) {
	Device *device = NULL;
	Err err;
	Buffer buffer;
	assert_done(open_end("later:close", 60, &device, &err), err);
	assert_false(device_buffer(device, ELEM_F32, 10, "a", (Define){0}, &buffer, &err));
	assert_text(err.what, "the connection to job:test was lost");
	assert_text(err.hint, "connects again");
	device_close(device);
}

/* --- nonsense to there -------------------------------------------------------------------------------------------- */

/* All that a short session sends, as bytes. */
static Str session(void) {
	Str all = {0};
	int ends[2];
	Frame frame = {0};
	char piece[65536];
	const Enter enter = {.device = "emu:GTX 280", .warm_s = 1};
	const Alloc alloc = {.bytes = 4096, .name = "a", .shared = NOT_SHARED};
	const Fill fill = {.addr = 4096, .bytes = 64, .byte = 1};
	const Put put = {.addr = 4096, .bytes = 5, .data = "hello", .data_bytes = 5};
	const Bulk get = {.addr = 4096, .bytes = 64};
	const DefineElements define = {.addr = 4096, .count = 100, .type = ELEM_F32, .define = {.kind = DEFINE_IOTA}};
	const struct {
		MessageType type;
		unsigned flags;
		const void *request;
	} calls[] = {{MESSAGE_enter, 0, &enter},
				 {MESSAGE_alloc, 0, &alloc},
				 {MESSAGE_fill, FRAME_POSTED, &fill},
				 {MESSAGE_put, FRAME_POSTED, &put},
				 {MESSAGE_get, 0, &get},
				 {MESSAGE_define, FRAME_POSTED, &define},
				 {MESSAGE_get, 0, &get}};
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	for (uint32_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		Str bytes = {0};
		record_put(&bytes, messages[calls[i].type].request, calls[i].request);
		frame_send(ends[0], (uint16_t)((FRAME_CALLS + calls[i].type) | calls[i].flags), i + 1, bytes.text, bytes.len,
				   NULL);
		str_free(&bytes);
	}
	const ssize_t n = recv(ends[1], piece, sizeof piece, 0);
	assert_true(n > 0);
	str_addn(&all, piece, (size_t)n);
	close(ends[0]);
	close(ends[1]);
	frame_free(&frame);
	return all;
}

/* Gives a gateway these bytes and then the end; returns its exit status, -1: a signal. */
static int gateway_fed(const char *bytes, size_t len) {
	int ends[2], status;
	pid_t pid;
	char *argv[] = {(char *)"test", (char *)"--worker", (char *)GATEWAY_SERVICE, NULL};
	char sink[4096];
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	const int fds[] = {ends[1], ends[1], -1};
	Err err = ERR_INIT;
	assert_done(proc_start(&(ProcStart){.path = "/proc/self/exe", .argv = argv, .fds = fds, .nfds = 3}, &pid, &err),
				err);
	close(ends[1]);
	for (size_t done = 0; done < len;) {
		const ssize_t n = send(ends[0], bytes + done, len - done, MSG_NOSIGNAL);
		if (n <= 0) break;
		done += (size_t)n;
	}
	shutdown(ends[0], SHUT_WR);
	while (read(ends[0], sink, sizeof sink) > 0) {
	}
	close(ends[0]);
	assert_true(proc_wait(pid, 1e6, &status));
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void hostile_bytes_do_no_harm(void **state) {
	const Str good = session();
	uint32_t x = 12345;
	assert_int_equal(gateway_fed(good.text, good.len), 0);
	assert_int_equal(gateway_fed("", 0), 0);
	for (int i = 0; i < 60; i++) {
		Str bad = {0};
		x = x * 1664525 + 1013904223;
		if (i % 3 == 0) { /* cut off */
			str_addn(&bad, good.text, x % good.len);
		} else {
			str_addn(&bad, good.text, good.len);
			for (uint32_t k = 0; k < 1 + x % 5; k++) {
				x = x * 1664525 + 1013904223;
				bad.text[(x >> 8) % good.len] = (char)x;
			}
		}
		assert_int_equal(gateway_fed(bad.text, bad.len), 0);
		str_free(&bad);
	}
	str_free((Str *)&good);
}

/* --- contents by their hash --------------------------------------------------------------------------------------- */

/* The same 4 MB twice: the second time they are not sent. What is wrong of that ends in wrong contents. */
static void contents_go_once(void **state) {
	enum { N = 3 << 20 };
	Device *device = open_device("gateway:emu");
	float *data = malloc(N * sizeof *data), *got = malloc(N * sizeof *got);
	Buffer a, b;
	Err err = ERR_INIT;
	assert_non_null(data);
	assert_non_null(got);
	for (size_t i = 0; i < N; i++) data[i] = (float)(i * 2654435761u % 1000003);
	assert_done(device_buffer(device, ELEM_F32, N, "a", (Define){0}, &a, &err), err);
	assert_done(device_buffer(device, ELEM_F32, N, "b", (Define){0}, &b, &err), err);
	assert_done(device_upload(device, a, 0, data, N, &err), err);
	assert_done(device_upload(device, b, 0, data, N, &err), err);
	assert_done(device_download(device, b, 0, got, N, &err), err);
	assert_memory_equal(got, data, N * sizeof *got);
	kill_worker(GATEWAY_SERVICE); /* a new one has none of them */
	assert_done(device_download(device, b, 0, got, N, &err), err);
	assert_memory_equal(got, data, N * sizeof *got);
	device_close(device);
	free(data);
	free(got);
}

static void both_ends_keep_the_same(void **state) {
	Kept sender = {0}, receiver = {0};
	static uint8_t data[PUT_BYTES];
	for (uint32_t i = 0; i < 200; i++) {
		uint8_t hash[HASH_BYTES];
		memcpy(data, &i, sizeof i);
		hash_of(data, sizeof data - i, hash);
		assert_true(kept_is(hash));
		kept_add(&sender, hash, sizeof data - i, NULL);
		kept_add(&receiver, hash, sizeof data - i, i < 3 ? data : NULL);
	}
	assert_int_equal(sender.items.len, receiver.items.len);
	assert_true(sender.bytes <= PUT_KEPT_MOST && sender.bytes == receiver.bytes);
	for (size_t i = 0; i < sender.items.len; i++)
		assert_memory_equal(sender.items.data[i].hash, receiver.items.data[i].hash, HASH_BYTES);
	kept_clear(&sender);
	kept_clear(&receiver);
}

/* --- queues ------------------------------------------------------------------------------------------------------- */

static void places_in_a_queue(void **state) {
	unsigned all;
	assert_int_equal(queue_place("a\nb\nc\n", "c", &all), 3);
	assert_int_equal(all, 3);
	assert_int_equal(queue_place("  a  \r\n\n b", "b", &all), 2);
	assert_int_equal(all, 2);
	assert_int_equal(queue_place("ab\nabc", "a", &all), 0);
	assert_int_equal(queue_place("", "a", &all), 0);
	assert_int_equal(all, 0);
	assert_int_equal(queue_place("\377\n\1\n", "a", &all), 0);
}

static char seen[4096];

static void note_waiting(const char *text) {
	if (text && !*seen) snprintf(seen, sizeof seen, "%s", text);
}

/* The first line after two seconds names the place that the command of the queue prints. */
static void waiting_shows_the_place(void **state) {
	const char *const start[] = {"/proc/self/exe", "--far-end", "never", NULL}, *const queue[] = {
																					"printf", "x\\njob-7\\ny\\n", NULL};
	const DevicePlace place = {
		.name = "slurm", .device = "emu", .start = start, .queue = queue, .job = "job-7", .wait_s = 4};
	Device *device;
	Err err = ERR_INIT;
	device_waiting = note_waiting;
	assert_false(device_open_place(&place, &device, &err));
	device_waiting = NULL;
	assert_text(seen, "waiting for slurm: place 2 of 3 in the queue, ");
}

int main(int argc, char **argv) {
	int status = maybe_worker(argc, argv);
	if (status >= 0) return status;
	if (argc == 3 && strcmp(argv[1], "--far-end") == 0) return far_end(argv[2]);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(others_are_refused_by_name),    cmocka_unit_test(waiting_has_an_end),
		cmocka_unit_test(another_architecture_is_taken), cmocka_unit_test(other_lines_come_first),
		cmocka_unit_test(nonsense_ends_the_connection),  cmocka_unit_test(an_end_is_named),
		cmocka_unit_test(hostile_bytes_do_no_harm),      cmocka_unit_test(contents_go_once),
		cmocka_unit_test(both_ends_keep_the_same),       cmocka_unit_test(places_in_a_queue),
		cmocka_unit_test(waiting_shows_the_place)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
