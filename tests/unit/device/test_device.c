/* The public face over the emulator: with memory that both processes share, and without (fake.h). Every test runs on
 * both. */
#include "device_test.h"

#include <stdio.h>

#include "base/cancel.h"
#include "base/str.h"

static const char *device_name; /* of the group under way */
static const Define sentinel = {.kind = DEFINE_SENTINEL};
static const Define iota = {.kind = DEFINE_IOTA};

/* --- opening ------------------------------------------------------------------------------------------------------ */

static void it_says_what_it_is(void **state) {
	Device *d = open_device(device_name);
	const DeviceInfo *info = device_info(d);
	assert_string_equal(info->name, device_name);
	assert_string_equal(info->backend, "emu");
	assert_string_equal(info->gpu_name, gpu_default()->name);
	assert_ptr_equal(info->gpu, gpu_default());
	assert_int_equal(info->cc, gpu_default()->cc);
	assert_int_equal(info->can, CAN_EMULATE | CAN_LOCATE | CAN_RESIZE_HEAP);
	device_close(d);
}

static void unknown_names_are_refused(void **state) {
	static const char *const names[] = {"emu:GTX 9000", "worker:emu:GTX 9000", "worker:nothing", "tpu", "", "emul",
										"cuda:x"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		Device *d = NULL;
		Err err = ERR_INIT;
		assert_false(device_open(names[i], &d, &err));
		assert_null(d);
		assert_int_equal(err.kind, ERR_SETUP);
		assert_true(*err.what);
	}
}

static void the_list_has_every_emulated_gpu(void **state) {
	size_t count, emulated = 0;
	DeviceInfo *list = device_list(&count);
	for (size_t i = 0; i < count; i++) emulated += strcmp(list[i].backend, "emu") == 0;
	for (size_t i = 0; i < emulated; i++) assert_ptr_equal(list[count - emulated + i].gpu, gpu_at(i));
	assert_null(gpu_at(emulated));
	assert_true(emulated > 5);
	free(list);
}

/* --- buffers ------------------------------------------------------------------------------------------------------ */

static void buffers_are_filled_by_their_definition(void **state) {
	Device *d = open_device(device_name);
	Err err = ERR_INIT;
	enum { COUNT = 3000000 }; /* more than one piece */
	int *got = malloc(COUNT * sizeof *got), *want = malloc(COUNT * sizeof *want);
	Buffer b = make_buffer(d, ELEM_I32, COUNT, "b", (Define){.kind = DEFINE_IOTA, .value = 3});
	assert_done(device_download(d, b, 0, got, COUNT, &err), err);
	for (int i = 0; i < COUNT; i++) assert_int_equal(got[i], i + 3);
	assert_done(device_define(d, b, (Define){.kind = DEFINE_RANDOM, .seed = 9}, &err), err);
	assert_done(device_download(d, b, 0, got, COUNT, &err), err);
	elem_fill_random(ELEM_I32, want, COUNT, 9);
	assert_memory_equal(got, want, COUNT * sizeof *got);
	assert_done(device_define(d, b, (Define){.kind = DEFINE_FILL, .value = 7}, &err), err);
	assert_done(device_download(d, b, COUNT - 1, got, 1, &err), err);
	assert_int_equal(got[0], 7);
	assert_done(device_define(d, b, sentinel, &err), err);
	assert_done(device_download(d, b, 12345, got, 1, &err), err);
	assert_int_equal(got[0], -1);
	free(got);
	free(want);
	device_close(d);
}

static Digest digest_of(Device *d, Buffer b) {
	Digest digest = {{0}};
	assert_true(device_digest(d, b, &digest));
	return digest;
}

static bool same(Digest a, Digest b) {
	return memcmp(&a, &b, sizeof a) == 0;
}

static void put_byte(Device *d, Buffer b, size_t at, uint8_t byte) {
	Err err = ERR_INIT;
	assert_done(device_upload(d, b, at, &byte, 1, &err), err);
}

/* Any byte counts, and where it stands; also those of a last word that is not whole. */
static void digests_tell_contents_apart(void **state) {
	Device *d = open_device(device_name);
	enum { COUNT = (1 << 20) + 3 };
	const Define random = {.kind = DEFINE_RANDOM, .seed = 5};
	static const size_t places[] = {0, 7, 8, 12345, COUNT / 2, COUNT - 4, COUNT - 1};
	Err err = ERR_INIT;
	Digest digest;
	Buffer b = make_buffer(d, ELEM_U8, COUNT, "b", random), few = make_buffer(d, ELEM_U8, 1000, "few", random);
	assert_false(device_digest(d, few, &digest)); /* had as fast */
	if (strcmp(device_name, "emu") == 0) {
		assert_false(device_digest(d, b, &digest));
		device_close(d);
		return;
	}
	const Digest whole = digest_of(d, b);
	assert_true(same(whole, digest_of(d, b)));
	uint8_t *content = xmalloc(COUNT); /* its digest is the same here as there */
	assert_done(device_download(d, b, 0, content, COUNT, &err), err);
	assert_true(device_digest_of(d, content, COUNT, &digest) && same(whole, digest));
	content[COUNT - 1] ^= 1;
	assert_true(device_digest_of(d, content, COUNT, &digest) && !same(whole, digest));
	free(content);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		uint8_t was;
		assert_done(device_download(d, b, places[i], &was, 1, &err), err);
		put_byte(d, b, places[i], was ^ 0x10);
		digest = digest_of(d, b);
		assert_int_not_equal(digest.sums[0], whole.sums[0]);
		assert_int_not_equal(digest.sums[1], whole.sums[1]);
		put_byte(d, b, places[i], was);
		assert_true(same(whole, digest_of(d, b)));
	}
	Buffer other = make_buffer(d, ELEM_U8, COUNT, "other", random);
	assert_true(same(whole, digest_of(d, other)));
	device_close(d);
}

static void digests_know_the_order_of_words(void **state) {
	Device *d = open_device(device_name);
	enum { COUNT = 1 << 18 };
	const uint64_t ab[2] = {3, 11}, ba[2] = {11, 3};
	Err err = ERR_INIT;
	Digest digest;
	Buffer b = make_buffer(d, ELEM_I64, COUNT, "b", (Define){.kind = DEFINE_FILL, .value = 0});
	if (device_digest(d, b, &digest)) {
		assert_done(device_upload(d, b, 1000, ab, 2, &err), err);
		digest = digest_of(d, b);
		assert_done(device_upload(d, b, 1000, ba, 2, &err), err);
		assert_false(same(digest, digest_of(d, b)));
		assert_done(device_upload(d, b, 1000, ab, 2, &err), err);
		assert_true(same(digest, digest_of(d, b)));
		Device *elsewhere = open_device(device_name); /* another key */
		Buffer its = make_buffer(elsewhere, ELEM_I64, COUNT, "b", (Define){.kind = DEFINE_FILL, .value = 0});
		assert_done(device_upload(elsewhere, its, 1000, ab, 2, &err), err);
		assert_false(same(digest, digest_of(elsewhere, its)));
		device_close(elsewhere);
	} else {
		assert_string_equal(device_name, "emu");
	}
	device_close(d);
}

static void sixty_four_megabytes_go_and_come_back(void **state) {
	Device *d = open_device(device_name);
	Err err = ERR_INIT;
	const size_t count = 16 << 20;
	uint32_t *sent = malloc(count * 4), *got = malloc(count * 4);
	for (size_t i = 0; i < count; i++) sent[i] = (uint32_t)(i * 2654435761u);
	Buffer b = make_buffer(d, ELEM_U32, count, "large", sentinel);
	assert_done(device_upload(d, b, 0, sent, count, &err), err);
	assert_done(device_download(d, b, 0, got, count, &err), err);
	assert_memory_equal(sent, got, count * 4);
	sent[1000] = 1;
	assert_done(device_upload(d, b, 1000, sent + 1000, 1, &err), err);
	assert_done(device_download(d, b, 999, got, 3, &err), err);
	assert_memory_equal(got, sent + 999, 12);
	free(sent);
	free(got);
	device_close(d);
}

static void ranges_are_checked(void **state) {
	Device *d = open_device(device_name);
	Buffer b = make_buffer(d, ELEM_F32, 10, "ten", sentinel);
	float x[10] = {0};
	static const struct {
		size_t first, count;
	} bad[] = {{0, 11}, {10, 1}, {11, 0}, {SIZE_MAX, 1}, {5, SIZE_MAX}, {SIZE_MAX, SIZE_MAX}};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		Err err = ERR_INIT;
		assert_false(device_upload(d, b, bad[i].first, x, bad[i].count, &err));
		assert_int_equal(err.kind, ERR_USAGE);
		assert_text(err.what, "ten");
		assert_false(device_download(d, b, bad[i].first, x, bad[i].count, NULL));
	}
	assert_true(device_upload(d, b, 10, x, 0, NULL));
	device_close(d);
}

static void senseless_buffers_are_refused(void **state) {
	Device *d = open_device(device_name);
	Buffer b = {7, 7};
	Err err = ERR_INIT;
	assert_false(device_buffer(d, ELEM_F32, 0, "none", sentinel, &b, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_false(device_buffer(d, ELEM_F64, SIZE_MAX, "too many", sentinel, &b, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_false(device_buffer(d, ELEM_F64, (size_t)1 << 58, "too many", sentinel, &b, &err));
	assert_int_equal(b.slot, 7); /* outputs stay untouched */
	device_close(d);
}

static void stale_handles_are_reported(void **state) {
	Device *d = open_device(device_name);
	Err err = ERR_INIT;
	float x;
	Buffer a = make_buffer(d, ELEM_F32, 4, "a", iota);
	assert_done(device_free(d, a, &err), err);
	assert_false(device_download(d, a, 0, &x, 1, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_text(err.what, "freed");
	assert_false(device_free(d, a, &err));
	Buffer b = make_buffer(d, ELEM_F32, 4, "b", iota); /* takes the same slot */
	assert_int_equal(b.slot, a.slot);
	assert_false(device_download(d, a, 0, &x, 1, &err));
	assert_true(device_download(d, b, 3, &x, 1, &err));
	assert_float_equal(x, 3, 0);
	static const Buffer wild[] = {{0, 0}, {99, 1}, {UINT32_MAX, UINT32_MAX}, {0, 99}};
	for (size_t i = 0; i < sizeof wild / sizeof *wild; i++) {
		BufferInfo info;
		assert_false(device_download(d, wild[i], 0, &x, 1, &err));
		assert_false(device_buffer_info(d, wild[i], &info, &err));
		assert_int_equal(err.kind, ERR_USAGE);
	}
	device_close(d);
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static void a_launch_computes(void **state) {
	Device *d = open_device(device_name);
	DeviceModule *m = load_kernels(d);
	Err err = ERR_INIT;
	enum { COUNT = 1000 };
	Buffer in = make_buffer(d, ELEM_F32, COUNT, "in", iota), out = make_buffer(d, ELEM_F32, COUNT, "out", sentinel);
	BufferInfo info;
	const Arg args[] = {arg_buffer(out), arg_buffer(in), arg_float(2), arg_int(COUNT)};
	DeviceKernel *scale = kernel_of(d, m, "scale<float>");
	assert_ptr_equal(scale, kernel_of(d, m, "scale<float>"));
	assert_int_equal(launch(d, scale, 8, 128, args, 4).status, LAUNCH_OK);
	float got[COUNT];
	assert_done(device_download(d, out, 0, got, COUNT, &err), err);
	for (int i = 0; i < COUNT; i++) assert_float_equal(got[i], 2.0F * (float)i, 0);
	device_buffer_info(d, in, &info, NULL);
	assert_false(info.written);
	device_buffer_info(d, out, &info, NULL);
	assert_true(info.written);
	assert_string_equal(info.name, "out");

	Arg half = arg_buffer(in);
	half.offset = 2000; /* from element 500 on */
	const Arg offset_args[] = {arg_buffer(out), half, arg_float(1), arg_int(10)};
	assert_int_equal(launch(d, scale, 1, 32, offset_args, 4).status, LAUNCH_OK);
	assert_done(device_download(d, out, 0, got, 1, &err), err);
	assert_float_equal(got[0], 500, 0);
	device_unload(d, m);
	device_close(d);
}

static void arguments_are_checked(void **state) {
	Device *d = open_device(device_name);
	DeviceModule *m = load_kernels(d);
	DeviceKernel *scale = kernel_of(d, m, "scale"), *structure = kernel_of(d, m, "by_structure"), *none;
	Buffer b = make_buffer(d, ELEM_F32, 4, "b", sentinel);
	const Arg good[] = {arg_buffer(b), arg_buffer(b), arg_float(1), arg_int(4)};
	size_t bytes;
	Err err;

	assert_int_equal(launch_refused(d, scale, 1, 1, good, 3).kind, ERR_USAGE);
	const Arg swapped[] = {good[0], good[2], good[1], good[3]};
	err = launch_refused(d, scale, 1, 1, swapped, 4);
	assert_text(err.what, "parameter 3");
	Arg outside[] = {good[0], good[1], good[2], good[3]};
	outside[1].offset = 17;
	assert_text(launch_refused(d, scale, 1, 1, outside, 4).what, "outside 'b'");
	outside[1] = arg_buffer((Buffer){55, 1});
	assert_int_equal(launch_refused(d, scale, 1, 1, outside, 4).kind, ERR_USAGE);
	assert_text(launch_refused(d, scale, 0, 1, good, 4).what, "grid");
	assert_text(launch_refused(d, scale, 1, 0, good, 4).what, "block");
	assert_text(launch_refused(d, structure, 1, 1, (Arg[]){arg_int(1), good[0]}, 2).what, "32 bytes");

	assert_int_equal(ptx_type_bytes(device_kernel_param(scale, 2, &bytes)), 4);
	assert_int_equal(bytes, 4);
	assert_int_equal(device_kernel_param(scale, 4, &bytes), T_NONE);
	Err unknown = ERR_INIT;
	assert_false(device_kernel(d, m, "scael", &none, &unknown));
	assert_int_equal(unknown.kind, ERR_USAGE);
	assert_text(unknown.hint, "scale<float>");
	device_close(d);
}

static void broken_modules_are_refused(void **state) {
	Device *d = open_device(device_name);
	DeviceModule *m = NULL;
	Err err = ERR_INIT;
	Compiled bad = {.ptx = (char *)"this is no PTX", .ptx_bytes = 14};
	assert_false(device_load(d, &bad, &m, &err));
	bad = (Compiled){0};
	assert_false(device_load(d, &bad, &m, &err));
	assert_null(m);
	m = load_kernels(d); /* and the device still works */
	device_close(d);
}

static void kernels_tell_about_themselves(void **state) {
	Device *d = open_device(device_name);
	DeviceKernel *scale = kernel_of(d, load_kernels(d), "scale");
	KernelInfo info;
	Occupancy occupancy;
	Err err = ERR_INIT;
	assert_done(device_kernel_info(d, scale, &info, &err), err);
	assert_string_equal(info.name, "scale");
	assert_int_equal(info.nparams, 4);
	assert_true(info.registers > 0 && info.registers_estimated);
	assert_int_equal(info.max_threads, 1024);
	assert_done(device_occupancy(d, scale, 256, 0, &occupancy, &err), err);
	assert_true(occupancy.blocks_per_sm >= 1 && occupancy.fraction > 0 && occupancy.fraction <= 1);
	assert_true(*occupancy.limited_by);
	assert_false(device_occupancy(d, scale, 4096, 0, &occupancy, &err));
	device_close(d);
}

static void gather(void *user, const char *text, size_t len) {
	str_addn(user, text, len);
}

static void printf_comes_back(void **state) {
	Device *d = open_device(device_name);
	DeviceKernel *say = kernel_of(d, load_kernels(d), "say");
	Str said = {0};
	LaunchOutcome outcome;
	Err err = ERR_INIT;
	const Arg args[] = {arg_int(3)};
	const Launch call = {.kernel = say, .config = {.grid = {1, 1, 1}, .block = {3, 1, 1}}, .args = args, .nargs = 1};
	const LaunchList list = {.items = &(const LaunchItem){.launch = call}, .nitems = 1, .print = gather, .user = &said};
	assert_done(run_list(d, &list, &outcome, &err), err);
	assert_int_equal(outcome.status, LAUNCH_OK);
	assert_string_equal(said.text, "thread 0 of 3\nthread 1 of 3\nthread 2 of 3\n");
	str_free(&said);
	device_close(d);
}

static void one_past_the_end_is_located(void **state) {
	Device *d = open_device(device_name);
	DeviceModule *m = load_kernels(d);
	Buffer b = make_buffer(d, ELEM_I32, 100, "victim", sentinel);
	const Arg args[] = {arg_buffer(b), arg_int(100)};
	LaunchOutcome o = launch(d, kernel_of(d, m, "past_end"), 4, 32, args, 2);
	assert_int_equal(o.status, LAUNCH_FAULT);
	assert_int_equal(o.fault.kind, FAULT_OUT_OF_BOUNDS);
	assert_true(o.fault.located);
	assert_false(o.fault.replayed);
	assert_string_equal(o.fault.buffer, "victim");
	assert_int_equal(o.fault.offset, 400);
	assert_int_equal(o.fault.elem_bytes, 4);
	assert_string_equal(o.fault.elem_type, "int");
	assert_int_equal(o.fault.block[0], 3);
	assert_int_equal(o.fault.thread[0], 4);
	assert_string_equal(o.fault.kernel, "past_end");
	assert_text(o.fault.file, "kernels.cu");
	assert_int_equal(o.fault.line, 9);
	/* and the next correct launch works */
	const Arg fine[] = {arg_buffer(b), arg_int(99)};
	assert_int_equal(launch(d, kernel_of(d, m, "past_end"), 4, 32, fine, 2).status, LAUNCH_OK);
	device_close(d);
}

static void limits_give_both_figures(void **state) {
	Device *d = open_device("emu:GTX 280");
	Buffer b = make_buffer(d, ELEM_I32, 100, "b", sentinel);
	const Arg args[] = {arg_buffer(b), arg_int(100)};
	LaunchOutcome o = launch(d, kernel_of(d, load_kernels(d), "increment"), 1, 1024, args, 2);
	assert_int_equal(o.status, LAUNCH_LIMIT);
	assert_text(o.message, "1024");
	assert_text(o.message, "512");
	assert_text(o.message, "GTX 280");
	device_close(d);
}

static void what_never_ends_is_stopped(void **state) {
	Device *d = open_device(device_name);
	DeviceModule *m = load_kernels(d);
	Err err = ERR_INIT;
	LaunchOutcome o;
	Buffer flag = make_buffer(d, ELEM_I32, 1, "flag", (Define){.kind = DEFINE_FILL, .value = 1});
	const Arg args[] = {arg_buffer(flag)}, fine[] = {arg_buffer(flag), arg_int(1)};
	const Launch call = {.kernel = kernel_of(d, m, "forever"),
						 .config = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .timeout_ms = 200},
						 .args = args,
						 .nargs = 1};
	assert_done(run_launch(d, &call, &o, &err), err);
	assert_int_equal(o.status, LAUNCH_TIMEOUT);
	assert_true(*o.message);
	assert_int_equal(launch(d, kernel_of(d, m, "increment"), 1, 32, fine, 2).status, LAUNCH_OK);
	int got;
	assert_done(device_download(d, flag, 0, &got, 1, &err), err);
	assert_int_equal(got, 2); /* the content the definition gave it, and one */
	device_close(d);
}

static void a_cancel_stops_it(void **state) {
	Device *d = open_device(device_name);
	DeviceModule *m = load_kernels(d);
	Buffer flag = make_buffer(d, ELEM_I32, 1, "flag", (Define){.kind = DEFINE_FILL, .value = 1});
	const Arg args[] = {arg_buffer(flag)}, fine[] = {arg_buffer(flag), arg_int(1)};
	atomic_store(&cancel_flag, true);
	LaunchOutcome o = launch(d, kernel_of(d, m, "forever"), 1, 32, args, 1);
	atomic_store(&cancel_flag, false);
	assert_int_equal(o.status, LAUNCH_INTERRUPTED);
	assert_int_equal(launch(d, kernel_of(d, m, "increment"), 1, 32, fine, 2).status, LAUNCH_OK);
	device_close(d);
}

static void a_launch_is_counted(void **state) {
	Device *d = open_device(device_name);
	DeviceModule *m = load_kernels(d);
	Err err = ERR_INIT;
	Answer answer = {0};
	float got;
	Buffer in = make_buffer(d, ELEM_F32, 1024, "in", iota), out = make_buffer(d, ELEM_F32, 1024, "out", sentinel);
	const Arg args[] = {arg_buffer(out), arg_buffer(in), arg_float(2), arg_int(1024)};
	const Launch call = {.kernel = kernel_of(d, m, "scale"),
						 .config = {.grid = {8, 1, 1}, .block = {128, 1, 1}},
						 .args = args,
						 .nargs = 4};
	assert_done(count_list(d, LIST_OF(&call), &answer, &err), err);
	assert_int_equal(answer.outcome.status, LAUNCH_OK);
	assert_false(answer.from_definitions);
	assert_int_equal(answer.nitems, 1);
	const Counts total = answer.items[0].total;
	assert_int_equal(total.global_load_requests, 32);
	assert_int_equal(total.global_load_sectors, 128);
	assert_int_equal(total.global_store_sectors, 128);
	assert_done(device_download(d, out, 1, &got, 1, &err), err);
	assert_float_equal(got, 2, 0);
	assert_int_equal(answer.items[0].total.global_load_requests, 32); /* outlives the next call */
	answer_free(&answer);
	answer_free(&answer); /* twice does no harm */
	device_close(d);
}

static void two_devices_do_not_mix(void **state) {
	Device *a = open_device(device_name), *b = open_device("emu:GTX 280");
	Err err = ERR_INIT;
	int x;
	DeviceModule *ma = load_kernels(a), *mb = load_kernels(b);
	Buffer ba = make_buffer(a, ELEM_I32, 4, "ba", iota);
	Buffer bb = make_buffer(b, ELEM_I32, 4, "bb", (Define){.kind = DEFINE_IOTA, .value = 10});
	const Arg args_a[] = {arg_buffer(ba), arg_int(4)}, args_b[] = {arg_buffer(bb), arg_int(4)};
	assert_int_equal(launch(a, kernel_of(a, ma, "increment"), 1, 32, args_a, 2).status, LAUNCH_OK);
	assert_int_equal(launch(b, kernel_of(b, mb, "increment"), 1, 32, args_b, 2).status, LAUNCH_OK);
	device_close(a);
	assert_done(device_download(b, bb, 1, &x, 1, &err), err);
	assert_int_equal(x, 12);
	device_close(b);
}

static void timing_is_refused(void **state) {
	Device *d = open_device(device_name);
	Err err = ERR_INIT;
	LaunchOutcome o;
	Sample sample;
	Buffer b = make_buffer(d, ELEM_I32, 4, "b", iota);
	const Arg args[] = {arg_buffer(b), arg_int(4)};
	const Launch call = {.kernel = kernel_of(d, load_kernels(d), "increment"),
						 .config = {.grid = {1, 1, 1}, .block = {4, 1, 1}},
						 .args = args,
						 .nargs = 2};
	const SampleConfig config = {.count = 1, .batch = 1};
	assert_false(take_samples(d, LIST_OF(&call), &config, &sample, &o, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_text(err.hint, "--device cuda");
	device_close(d);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(it_says_what_it_is),
	cmocka_unit_test(unknown_names_are_refused),
	cmocka_unit_test(the_list_has_every_emulated_gpu),
	cmocka_unit_test(buffers_are_filled_by_their_definition),
	cmocka_unit_test(digests_tell_contents_apart),
	cmocka_unit_test(digests_know_the_order_of_words),
	cmocka_unit_test(sixty_four_megabytes_go_and_come_back),
	cmocka_unit_test(ranges_are_checked),
	cmocka_unit_test(senseless_buffers_are_refused),
	cmocka_unit_test(stale_handles_are_reported),
	cmocka_unit_test(a_launch_computes),
	cmocka_unit_test(arguments_are_checked),
	cmocka_unit_test(broken_modules_are_refused),
	cmocka_unit_test(kernels_tell_about_themselves),
	cmocka_unit_test(printf_comes_back),
	cmocka_unit_test(one_past_the_end_is_located),
	cmocka_unit_test(limits_give_both_figures),
	cmocka_unit_test(what_never_ends_is_stopped),
	cmocka_unit_test(a_cancel_stops_it),
	cmocka_unit_test(a_launch_is_counted),
	cmocka_unit_test(two_devices_do_not_mix),
	cmocka_unit_test(timing_is_refused),
};

int main(int argc, char **argv) {
	int status = maybe_worker(argc, argv);
	if (status >= 0) return status;
	device_name = argc > 1 ? argv[1] : "emu";
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name(device_name, tests, NULL, NULL);
}
