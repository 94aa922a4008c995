/* Frames and payloads: what is sent arrives, what is hostile ends in an error and nothing else. */
#include "device_test.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "device/wire.h"

static void socket_pair(int ends[2]) {
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
}

static WireLimit soon(void) {
	return (WireLimit){.until = seconds_now() + 5};
}

/* --- frames ---------------------------------------------------------------------------------------------------------------- */

static void frames_arrive(void **state) {
	int ends[2];
	Frame frame = {0};
	WireLimit limit = soon();
	socket_pair(ends);
	assert_int_equal(wire_send(ends[0], FRAME_FILL, 7, "abc", 3, &limit), WIRE_OK);
	assert_int_equal(wire_send(ends[0], FRAME_SAMPLED, 8, NULL, 0, &limit), WIRE_OK);
	assert_int_equal(wire_receive(ends[1], &frame, &limit), WIRE_OK);
	assert_int_equal(frame.type, FRAME_FILL);
	assert_int_equal(frame.sequence, 7);
	assert_int_equal(frame.len, 3);
	assert_memory_equal(frame.data, "abc", 3);
	assert_int_equal(wire_receive(ends[1], &frame, &limit), WIRE_OK);
	assert_int_equal(frame.type, FRAME_SAMPLED);
	assert_int_equal(frame.len, 0);
	close(ends[0]);
	assert_int_equal(wire_receive(ends[1], &frame, &limit), WIRE_CLOSED);
	close(ends[1]);
	free(frame.data);
}

typedef struct {
	int fd;
	size_t len;
	uint8_t *data;
} Sender;

static void *send_large(void *user) {
	Sender *s = user;
	WireLimit limit = {.until = seconds_now() + 60};
	wire_send(s->fd, FRAME_UPLOAD, 1, s->data, s->len, &limit);
	return NULL;
}

static void a_large_frame_arrives_in_pieces(void **state) {
	int ends[2];
	Frame frame = {0};
	pthread_t thread;
	Sender s = {.len = 3 * WIRE_PIECE + 12345};
	WireLimit limit = {.until = seconds_now() + 60};
	socket_pair(ends);
	s.fd = ends[0];
	s.data = malloc(s.len);
	for (size_t i = 0; i < s.len; i++) s.data[i] = (uint8_t)(i * 7 >> 3);
	assert_int_equal(pthread_create(&thread, NULL, send_large, &s), 0);
	assert_int_equal(wire_receive(ends[1], &frame, &limit), WIRE_OK);
	pthread_join(thread, NULL);
	assert_int_equal(frame.len, s.len);
	assert_memory_equal(frame.data, s.data, s.len);
	free(s.data);
	free(frame.data);
	close(ends[0]);
	close(ends[1]);
}

static void put_header(uint8_t h[WIRE_HEADER], uint32_t magic, uint16_t version, uint16_t type, uint32_t length) {
	memset(h, 0, WIRE_HEADER);
	memcpy(h, &magic, 4);
	memcpy(h + 4, &version, 2);
	memcpy(h + 6, &type, 2);
	memcpy(h + 12, &length, 4);
}

static void headers_are_checked(void **state) {
	uint8_t h[WIRE_HEADER];
	FrameType type;
	uint32_t sequence, length;
	put_header(h, WIRE_MAGIC, WIRE_VERSION, FRAME_INFO, WIRE_MAX);
	assert_true(wire_header(h, &type, &sequence, &length));
	assert_int_equal(length, WIRE_MAX);
	put_header(h, WIRE_MAGIC, WIRE_VERSION, FRAME_INFO, WIRE_MAX + 1);
	assert_false(wire_header(h, &type, &sequence, &length));
	put_header(h, WIRE_MAGIC, WIRE_VERSION, FRAME_INFO, UINT32_MAX);
	assert_false(wire_header(h, &type, &sequence, &length));
	put_header(h, WIRE_MAGIC, WIRE_VERSION, FRAME_TYPES, 0);
	assert_false(wire_header(h, &type, &sequence, &length));
	put_header(h, WIRE_MAGIC, WIRE_VERSION + 1, FRAME_INFO, 0);
	assert_false(wire_header(h, &type, &sequence, &length));
	put_header(h, WIRE_MAGIC ^ 1, WIRE_VERSION, FRAME_INFO, 0);
	assert_false(wire_header(h, &type, &sequence, &length));
}

static void a_frame_that_breaks_off_is_closed(void **state) {
	uint8_t bytes[WIRE_HEADER + 100];
	put_header(bytes, WIRE_MAGIC, WIRE_VERSION, FRAME_LOAD, 200);
	for (size_t n = 0; n < sizeof bytes; n += 3) {
		int ends[2];
		Frame frame = {0};
		WireLimit limit = soon();
		socket_pair(ends);
		assert_int_equal(write(ends[0], bytes, n), (ssize_t)n);
		close(ends[0]);
		assert_int_equal(wire_receive(ends[1], &frame, &limit), WIRE_CLOSED);
		close(ends[1]);
		free(frame.data);
	}
}

static void silence_times_out_and_a_cancel_ends_it(void **state) {
	int ends[2];
	Frame frame = {0};
	atomic_bool cancel = false;
	socket_pair(ends);
	WireLimit limit = {.until = seconds_now() + 0.02, .cancel = &cancel, .grace = 0.01};
	assert_int_equal(wire_receive(ends[1], &frame, &limit), WIRE_TIMEOUT);
	limit = (WireLimit){.until = seconds_now() + 1000, .cancel = &cancel, .grace = 0.01};
	atomic_store(&cancel, true);
	assert_int_equal(wire_receive(ends[1], &frame, &limit), WIRE_CANCELLED);
	close(ends[0]);
	close(ends[1]);
}

static void noise_is_broken_or_closed(void **state) {
	uint64_t random = 88172645463325252u;
	for (int round = 0; round < 300; round++) {
		int ends[2];
		uint8_t noise[512];
		Frame frame = {0};
		WireLimit limit = soon();
		size_t n = next_random(&random) % sizeof noise;
		for (size_t i = 0; i < n; i++) noise[i] = (uint8_t)next_random(&random);
		if (round % 2 && n >= 8)
			put_header(noise, WIRE_MAGIC, WIRE_VERSION, FRAME_LAUNCH, (uint32_t)next_random(&random));
		socket_pair(ends);
		assert_int_equal(write(ends[0], noise, n), (ssize_t)n);
		close(ends[0]);
		WireStatus status = wire_receive(ends[1], &frame, &limit);
		assert_true(status == WIRE_CLOSED || status == WIRE_BROKEN || (status == WIRE_OK && frame.len <= n));
		close(ends[1]);
		free(frame.data);
	}
}

/* --- payloads ---------------------------------------------------------------------------------------------------------------- */

static LaunchOutcome an_outcome(void) {
	LaunchOutcome o = {.status = LAUNCH_FAULT,
					   .milliseconds = 1.25,
					   .fault = {.kind = FAULT_MISALIGNED,
								 .located = true,
								 .replayed = true,
								 .block = {1, 2, 3},
								 .thread = {4, 5, 6},
								 .threads = 7,
								 .line = 31,
								 .width = 8,
								 .address = 0x123456789abcu,
								 .offset = -12,
								 .buffer_bytes = 4096,
								 .elem_bytes = 4,
								 .kernel = "tile<33>",
								 .file = "transpose.cu",
								 .space = "global",
								 .access = "store",
								 .buffer = "odata",
								 .elem_type = "float",
								 .message = "the message"},
					   .message = "what came of it"};
	return o;
}

static DeviceInfo an_info(void) {
	DeviceInfo i = {.name = "cuda:0",
					.backend = "cuda",
					.gpu_name = "NVIDIA H200",
					.cc = 90,
					.sms = 132,
					.l2_bytes = 60 << 20,
					.memory_bytes = 1ull << 37,
					.clock_ghz = 1.98,
					.dram_gbps = 4800,
					.threads_per_block = 1024,
					.shared_per_block = 232448,
					.shared_per_sm = 233472,
					.driver = "580.159.04",
					.runtime = "13.0",
					.gpu = gpu_default(),
					.can_time = true,
					.devices = 2};
	return i;
}

static BackendLaunch a_launch(void) {
	static const uint8_t params[24] = {1, 2, 3, 4};
	static const uint32_t offsets[] = {0, 8, 16}, sizes[] = {8, 8, 4};
	return (BackendLaunch){.module = 3,
						   .linked_name = "_Z4tileILi33EEvPfPKfi",
						   .config = {.grid = {10, 20, 1},
									  .block = {32, 8, 1},
									  .shared_bytes = 1024,
									  .timeout_ms = 500,
									  .schedule = UINT64_C(5) << 40,
									  .repeatable = true},
						   .params = params,
						   .param_offsets = offsets,
						   .param_sizes = sizes,
						   .nparams = 3,
						   .param_bytes = sizeof params};
}

static const TextureDesc a_texture = {.type = ELEM_U8,
									  .channels = 4,
									  .width = 640,
									  .height = 480,
									  .address = {ADDRESS_MIRROR, ADDRESS_BORDER, ADDRESS_CLAMP},
									  .filter = true,
									  .normalized = true,
									  .read_float = true};

/* Every structure that crosses, as one payload after the other: what kind of thing `which` is. */
enum { ERR_, INFO, KERNEL, OCCUPANCY, OUTCOME, COMPILED, LAUNCH, CALL, WORK, TEXTURE, KINDS };

static void put_kind(Str *s, int which) {
	const Err err = {.kind = ERR_SETUP, .what = "what", .where = "where:1", .hint = "hint"};
	const KernelInfo kernel = {.name = "tile",
							   .registers = 32,
							   .registers_estimated = true,
							   .static_shared = 4096,
							   .local_bytes = 16,
							   .const_bytes = 380,
							   .max_threads = 1024,
							   .nparams = 3};
	const Occupancy occupancy = {
		.blocks_per_sm = 8, .warps_per_sm = 64, .fraction = 0.5, .limited_by = "shared memory"};
	const Compiled compiled = {
		.cubin = (char *)"\177ELF", .cubin_bytes = 4, .ptx = (char *)".version", .ptx_bytes = 8, .cc = 90};
	const DeviceInfo info = an_info();
	const LaunchOutcome outcome = an_outcome();
	const BackendLaunch launch_ = a_launch();
	const BackendCall call = {
		.routine = LIBRARY_SGEMM, .addrs = {1, 2, 3}, .extents = {16}, .bytes = 1024, .timeout_ms = 100};
	const BackendItem items[] = {{.launch = launch_}, {.call = call}, {.launch = launch_}};
	switch (which) {
	case ERR_: put_err(s, &err); break;
	case INFO: put_device_info(s, &info); break;
	case KERNEL: put_kernel_info(s, &kernel); break;
	case OCCUPANCY: put_occupancy(s, &occupancy); break;
	case OUTCOME: put_outcome(s, &outcome); break;
	case COMPILED: put_compiled(s, &compiled); break;
	case CALL: put_call(s, &call); break;
	case WORK: put_work(s, items, 3); break;
	case TEXTURE: put_texture(s, &a_texture); break;
	default: put_launch(s, &launch_);
	}
}

/* Reads it as such; whether all was well. */
static bool get_kind(const uint8_t *data, size_t len, int which) {
	Frame frame = {.data = (uint8_t *)data, .len = len};
	Reader r = reader_of(&frame);
	Err err;
	DeviceInfo info;
	KernelInfo kernel;
	Occupancy occupancy;
	LaunchOutcome outcome;
	Compiled compiled;
	WireLaunch launch_;
	BackendCall call;
	WireWork work;
	TextureDesc texture;
	switch (which) {
	case ERR_: get_err(&r, &err); break;
	case INFO: get_device_info(&r, &info); break;
	case KERNEL: get_kernel_info(&r, &kernel); break;
	case OCCUPANCY: get_occupancy(&r, &occupancy); break;
	case OUTCOME: get_outcome(&r, &outcome); break;
	case COMPILED: get_compiled(&r, &compiled); break;
	case CALL: get_call(&r, &call); break;
	case TEXTURE: get_texture(&r, &texture); break;
	case WORK:
		get_work(&r, &work);
		wire_work_free(&work);
		break;
	default: get_launch(&r, &launch_); wire_launch_free(&launch_);
	}
	return reader_done(&r);
}

static void structures_arrive(void **state) {
	Str s = {0};
	Frame frame;
	Reader r;

	LaunchOutcome outcome = {0};
	put_kind(&s, OUTCOME);
	frame = (Frame){.data = (uint8_t *)s.text, .len = s.len};
	r = reader_of(&frame);
	get_outcome(&r, &outcome);
	assert_true(reader_done(&r));
	const LaunchOutcome sent = an_outcome();
	assert_memory_equal(&outcome.fault.block, &sent.fault.block, sizeof sent.fault.block);
	assert_int_equal(outcome.fault.offset, -12);
	assert_int_equal(outcome.fault.kind, FAULT_MISALIGNED);
	assert_string_equal(outcome.fault.kernel, "tile<33>");
	assert_string_equal(outcome.message, "what came of it");

	DeviceInfo info = {0};
	str_clear(&s);
	put_kind(&s, INFO);
	frame = (Frame){.data = (uint8_t *)s.text, .len = s.len};
	r = reader_of(&frame);
	get_device_info(&r, &info);
	assert_true(reader_done(&r));
	assert_ptr_equal(info.gpu, gpu_default());
	assert_int_equal(info.memory_bytes, 1ull << 37);
	assert_int_equal(info.devices, 2);
	assert_string_equal(info.driver, "580.159.04");

	WireLaunch got;
	const BackendLaunch want = a_launch();
	str_clear(&s);
	put_kind(&s, LAUNCH);
	frame = (Frame){.data = (uint8_t *)s.text, .len = s.len};
	r = reader_of(&frame);
	get_launch(&r, &got);
	assert_true(reader_done(&r));
	assert_string_equal(got.launch.linked_name, want.linked_name);
	assert_memory_equal(got.launch.params, want.params, want.param_bytes);
	assert_memory_equal(got.launch.param_offsets, want.param_offsets, 12);
	assert_int_equal(got.launch.config.timeout_ms, 500);
	assert_int_equal(got.launch.config.schedule, want.config.schedule);
	assert_int_equal(got.launch.config.cooperative, want.config.cooperative);
	assert_int_equal(got.launch.config.repeatable, want.config.repeatable);
	wire_launch_free(&got);
	str_free(&s);
}

static const Payloads payloads = {KINDS, put_kind, get_kind};

static void every_truncation_is_noticed(void **state) {
	every_truncation_is_refused(&payloads);
}

static void changed_bytes_never_harm(void **state) {
	changed_bytes_do_no_harm(&payloads);
}

static void absurd_lengths_are_refused(void **state) {
	Str s = {0};
	size_t len;
	put_u64(&s, UINT64_MAX);
	put_u64(&s, 1);
	Frame frame = {.data = (uint8_t *)s.text, .len = s.len};
	Reader r = reader_of(&frame);
	assert_null(get_bytes(&r, &len));
	assert_int_equal(len, 0);
	assert_true(r.bad);
	assert_int_equal(get_u64(&r), 0); /* bad stays bad */
	str_free(&s);
}

static void parameters_outside_the_block_are_refused(void **state) {
	static const uint8_t params[8];
	uint32_t offsets[] = {4}, sizes[] = {8};
	BackendLaunch l = {.linked_name = "k",
					   .config = {.grid = {1, 1, 1}, .block = {1, 1, 1}},
					   .params = params,
					   .param_bytes = sizeof params,
					   .nparams = 1,
					   .param_offsets = offsets,
					   .param_sizes = sizes};
	Str s = {0};
	put_launch(&s, &l);
	assert_false(get_kind((const uint8_t *)s.text, s.len, LAUNCH));
	offsets[0] = 0;
	str_clear(&s);
	put_launch(&s, &l);
	assert_true(get_kind((const uint8_t *)s.text, s.len, LAUNCH));
	l.config.grid[1] = 0;
	str_clear(&s);
	put_launch(&s, &l);
	assert_false(get_kind((const uint8_t *)s.text, s.len, LAUNCH));
	str_free(&s);
}

static bool call_arrives(const BackendCall *call) {
	Str s = {0};
	put_call(&s, call);
	const bool ok = get_kind((const uint8_t *)s.text, s.len, CALL);
	str_free(&s);
	return ok;
}

static bool texture_crosses(TextureDesc sent) {
	Str s = {0};
	TextureDesc got = {0};
	put_texture(&s, &sent);
	const Frame frame = {.data = (uint8_t *)s.text, .len = s.len};
	Reader r = reader_of(&frame);
	get_texture(&r, &got);
	const bool same = got.type == sent.type && got.channels == sent.channels && got.width == sent.width &&
					  got.height == sent.height && got.depth == sent.depth && got.address[0] == sent.address[0] &&
					  got.address[1] == sent.address[1] && got.address[2] == sent.address[2] &&
					  got.surface == sent.surface && got.linear_memory == sent.linear_memory &&
					  got.filter == sent.filter && got.normalized == sent.normalized &&
					  got.read_float == sent.read_float;
	const bool done = reader_done(&r);
	str_free(&s);
	return done && same;
}

static void textures_no_gpu_makes_are_refused(void **state) {
	TextureDesc d = a_texture;
	assert_true(texture_crosses(d));
	d.channels = 3;
	assert_false(texture_crosses(d));
	d = a_texture;
	d.width = 0;
	assert_false(texture_crosses(d));
	d.width = UINT32_MAX;
	assert_false(texture_crosses(d));
	d = a_texture;
	d.type = ELEM_F64;
	assert_false(texture_crosses(d));
	d = a_texture;
	d.normalized = false; /* mirrored */
	assert_false(texture_crosses(d));
	d = (TextureDesc){.surface = true, .type = ELEM_F32, .channels = 1, .width = 8, .height = 8, .depth = 8};
	assert_true(texture_crosses(d));
	d = (TextureDesc){.linear_memory = true, .type = ELEM_F32, .channels = 1, .width = 1 << 28, .address = {1, 1, 1}};
	assert_true(texture_crosses(d));
	d.height = 2;
	assert_false(texture_crosses(d));
}

static void library_calls_outside_their_buffers_are_refused(void **state) {
	BackendCall call = {.routine = LIBRARY_SGEAM, .extents = {8, 4}, .bytes = 128};
	assert_true(call_arrives(&call));
	call.bytes = 127;
	assert_false(call_arrives(&call));
	call.bytes = UINT64_MAX;
	call.extents[0] = UINT64_C(1) << 31;
	assert_false(call_arrives(&call));
	call.extents[0] = 0;
	assert_false(call_arrives(&call));
	call = (BackendCall){.routine = LIBRARY_NONE, .bytes = 128};
	assert_false(call_arrives(&call));
	call.routine = LIBRARY_ROUTINES;
	assert_false(call_arrives(&call));
	call.routine = LIBRARY_MEMCPY;
	assert_true(call_arrives(&call));
}

/* A count alone takes no memory: there have to be bytes for as many items. */
static void a_work_of_more_items_than_bytes_is_refused(void **state) {
	static const uint32_t counts[] = {0, 4, 1000000, UINT32_MAX};
	Str s = {0};
	put_kind(&s, WORK);
	for (int i = 0; i < 4; i++) {
		memcpy(s.text, &counts[i], sizeof counts[i]);
		assert_false(get_kind((const uint8_t *)s.text, s.len, WORK));
	}
	str_free(&s);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_arrive),
		cmocka_unit_test(a_large_frame_arrives_in_pieces),
		cmocka_unit_test(headers_are_checked),
		cmocka_unit_test(a_frame_that_breaks_off_is_closed),
		cmocka_unit_test(silence_times_out_and_a_cancel_ends_it),
		cmocka_unit_test(noise_is_broken_or_closed),
		cmocka_unit_test(structures_arrive),
		cmocka_unit_test(every_truncation_is_noticed),
		cmocka_unit_test(changed_bytes_never_harm),
		cmocka_unit_test(absurd_lengths_are_refused),
		cmocka_unit_test(parameters_outside_the_block_are_refused),
		cmocka_unit_test(textures_no_gpu_makes_are_refused),
		cmocka_unit_test(library_calls_outside_their_buffers_are_refused),
		cmocka_unit_test(a_work_of_more_items_than_bytes_is_refused),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
