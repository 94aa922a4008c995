/* The parts that need no device: definitions, what a kernel uses, what people are told. */
#include "device_test.h"

#include <stdio.h>

#include "base/str.h"
#include "device/backend/define.h"
#include "device/backend/unavailable.h"
#include "device/contents/uses.h"

/* --- definitions -------------------------------------------------------------------------------------------------- */

static void pieces_make_the_whole(void **state) {
	static const Define defines[] = {{.kind = DEFINE_SENTINEL},
									 {.kind = DEFINE_FILL, .value = 3.5},
									 {.kind = DEFINE_IOTA, .value = 0.1},
									 {.kind = DEFINE_IOTA, .value = -7},
									 {.kind = DEFINE_RANDOM, .seed = 42}};
	enum { COUNT = 1000 };
	uint8_t whole[COUNT * 8], pieces[COUNT * 8];
	for (size_t d = 0; d < sizeof defines / sizeof *defines; d++)
		for (int t = 0; t < ELEM_TYPES; t++) {
			const ElemType type = (ElemType)t;
			const size_t size = elem_bytes(type);
			define_elements(defines[d], type, 0, COUNT, whole);
			for (size_t first = 0, n; first < COUNT; first += n) {
				n = COUNT - first < 37 ? COUNT - first : 37;
				define_elements(defines[d], type, first, n, pieces + first * size);
			}
			assert_memory_equal(whole, pieces, COUNT * size);
		}
}

static void definitions_say_what_they_are(void **state) {
	float f[3];
	int i[3];
	define_elements((Define){.kind = DEFINE_IOTA, .value = 0.5}, ELEM_F32, 10, 3, f);
	assert_float_equal(f[2], 12.5, 0);
	define_elements((Define){.kind = DEFINE_IOTA, .value = 5}, ELEM_I32, (size_t)1 << 30, 3, i);
	assert_int_equal(i[1], (1 << 30) + 6);
	define_elements((Define){.kind = DEFINE_SENTINEL}, ELEM_I32, 0, 3, i);
	assert_int_equal(i[0], -1);

	uint8_t byte = 1;
	assert_true(define_is_byte((Define){.kind = DEFINE_FILL, .value = 0}, ELEM_F64, &byte));
	assert_int_equal(byte, 0);
	assert_true(define_is_byte((Define){.kind = DEFINE_FILL, .value = -1}, ELEM_I32, &byte));
	assert_int_equal(byte, 0xff);
	assert_false(define_is_byte((Define){.kind = DEFINE_FILL, .value = 1}, ELEM_I32, &byte));
	assert_false(define_is_byte((Define){.kind = DEFINE_IOTA}, ELEM_U8, &byte));
}

/* --- uses --------------------------------------------------------------------------------------------------------- */

static void uses_follow_the_pointers(void **state) {
	static const struct {
		const char *kernel;
		uint8_t uses[4];
		uint32_t n;
	} want[] = {{"scale", {USE_WRITE, USE_READ}, 2},
				{"past_end", {USE_WRITE}, 1},
				{"before_start", {USE_WRITE}, 1},
				{"increment", {USE_READ | USE_WRITE}, 1},
				{"count", {USE_READ | USE_WRITE}, 1},
				{"forever", {USE_READ}, 1},
				{"called", {USE_WRITE, USE_READ | USE_WRITE}, 2} /* what a function does with it is not looked at */};
	Err err = ERR_INIT;
	PtxModule *module = ptx_parse(kernels_ptx(), strlen(kernels_ptx()), &err);
	assert_non_null(module);
	for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
		uint8_t uses[16];
		const PtxFunction *f = ptx_function(module, want[k].kernel);
		assert_non_null(f);
		assert_true(f->nparams <= 16);
		kernel_uses(f, uses);
		for (uint32_t i = 0; i < want[k].n; i++)
			if (uses[i] != want[k].uses[i])
				fail_msg("%s: parameter %u: %d, not %d", want[k].kernel, i, uses[i], want[k].uses[i]);
	}
	ptx_free(module);
}

static uint8_t use_of_first(const char *body) {
	Err err = ERR_INIT;
	Str s = {0};
	uint8_t uses[2];
	str_add(&s, ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q)\n{\n"
				".reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<3>; .local .align 8 .b8 stack[16];\n");
	str_add(&s, body);
	str_add(&s, "ret;\n}\n");
	PtxModule *module = ptx_parse(s.text, s.len, &err);
	if (!module) fail_msg("%s\n%s", err.what, s.text);
	kernel_uses(ptx_function(module, "k"), uses);
	ptx_free(module);
	str_free(&s);
	return uses[0];
}

static void uses_err_on_the_side_of_use(void **state) {
	assert_int_equal(use_of_first(""), 0);
	assert_int_equal(use_of_first("ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1];"), USE_READ);
	/* through arithmetic, in a loop, before it is assigned in the text */
	assert_int_equal(use_of_first("bra IN; BACK: st.global.u32 [%rd3+4], %r1; ret; IN: ld.param.u64 %rd1, [p];"
								  "cvta.to.global.u64 %rd2, %rd1; add.s64 %rd3, %rd2, 16; bra BACK;"),
					 USE_WRITE);
	/* a pointer that goes to memory can come back */
	assert_int_equal(use_of_first("ld.param.u64 %rd1, [p]; mov.u64 %rd2, stack; st.local.u64 [%rd2], %rd1;"),
					 USE_READ | USE_WRITE);
	/* the address of a parameter */
	assert_int_equal(use_of_first("mov.b64 %rd1, q; ld.param.u64 %rd2, [%rd1]; st.global.u32 [%rd2], %r1;") & USE_WRITE,
					 USE_WRITE);
	assert_int_equal(use_of_first("ld.param.u64 %rd1, [p]; atom.global.add.u32 %r1, [%rd1], 1;"), USE_READ | USE_WRITE);
	assert_int_equal(use_of_first("ld.param.u64 %rd1, [p]; red.global.add.u32 [%rd1], 1;"), USE_READ | USE_WRITE);
	/* selected by a predicate */
	assert_int_equal(use_of_first("ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; selp.b64 %rd3, %rd2, %rd1, %p1;"
								  "ld.global.u32 %r1, [%rd3];"),
					 USE_READ);
}

/* --- outcomes as errors ------------------------------------------------------------------------------------------- */

static void what_ended_a_launch_is_an_error(void **state) {
	Err err = ERR_INIT;
	LaunchOutcome o = {.status = LAUNCH_TIMEOUT, .message = "The kernel was still running after 2 s."};
	assert_false(launch_error(&o, &err));
	assert_int_equal(err.kind, ERR_TIMEOUT);
	assert_string_equal(err.what, o.message);
	o = (LaunchOutcome){.status = LAUNCH_LIMIT,
						.message = "The launch requests 1024 threads per block; the GTX 280 allows 512."};
	launch_error(&o, &err);
	assert_int_equal(err.kind, ERR_FAULT);
	assert_string_equal(err.what, o.message);
	o = (LaunchOutcome){.status = LAUNCH_INTERRUPTED};
	launch_error(&o, &err);
	assert_int_equal(err.kind, ERR_INTERRUPTED);
	o = (LaunchOutcome){
		.status = LAUNCH_FAULT,
		.fault = {.located = true, .file = "kernels/transpose.cu", .line = 31, .message = "It wrote past the end."}};
	launch_error(&o, &err);
	assert_int_equal(err.kind, ERR_FAULT);
	assert_string_equal(err.what, "It wrote past the end.");
	assert_string_equal(err.where, "kernels/transpose.cu:31");
}

/* --- GPUs that cannot be had -------------------------------------------------------------------------------------- */

static void numbers_of_gpus(void **state) {
	static const char *const wrong[] = {"cuda:",   "cuda:x",  "cuda:-1", "cuda:1x",     "cuda:0x1", "cuda: 1",
										"cuda:1 ", "cuda:+1", "cuda1",   "cuda:123456", "",         "emu"};
	Err err = ERR_INIT;
	int ordinal = -1;
	assert_true(gpu_ordinal("cuda", &ordinal, &err) && ordinal == 0);
	assert_true(gpu_ordinal("cuda:12", &ordinal, &err) && ordinal == 12);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		ordinal = 77;
		assert_false(gpu_ordinal(wrong[i], &ordinal, &err));
		assert_int_equal(ordinal, 77);
		assert_int_equal(err.kind, ERR_SETUP);
		assert_text(err.what, wrong[i]);
	}
	Device *device;
	assert_false(device_open("cuda:zero", &device, &err)); /* with or without a driver */
	assert_text(err.what, "\"cuda:zero\" names no GPU");
}

static void gpus_that_cannot_be_had(void **state) {
	static const uint32_t pids[] = {11, 22, 33, 44, 55, 66, 77};
	Err err = ERR_INIT;
	assert_false(gpu_not_there(1, 1, &err));
	assert_text(err.what, "there is no GPU cuda:1: the machine has one, cuda:0");
	assert_false(gpu_not_there(8, 4, &err));
	assert_text(err.what, "the machine has 4, cuda:0 to cuda:3");
	assert_text(err.hint, "CUDA_VISIBLE_DEVICES");
	assert_false(gpu_busy(2, MODE_PROHIBITED, NULL, 0, &err));
	assert_text(err.what, "cuda:2 does not allow computing");
	assert_text(err.hint, "nvidia-smi -i 2 -c DEFAULT");
	assert_false(gpu_busy(0, MODE_EXCLUSIVE, pids, 1, &err));
	assert_text(err.what, "one process at a time, and another one uses it: process 11");
	assert_text(err.hint, "--device");
	assert_false(gpu_busy(0, MODE_EXCLUSIVE, NULL, 0, &err));
	assert_int_equal(err.what[strlen(err.what) - 1], 't');
	assert_false(gpu_busy(0, MODE_DEFAULT, pids, 3, &err));
	assert_text(err.what, "busy or reserved by another process: processes 11, 22 and 33");
	assert_false(gpu_busy(0, MODE_DEFAULT, pids, 7, &err));
	assert_text(err.what, "11, 22, 33, 44, 55 and 2 more");
	assert_false(gpu_busy(0, (ComputeMode)99, pids, 0, &err));
	assert_int_equal(err.kind, ERR_SETUP);
}

int main(int argc, char **argv) {
	maybe_worker(argc, argv);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_make_the_whole),           cmocka_unit_test(definitions_say_what_they_are),
		cmocka_unit_test(uses_follow_the_pointers),        cmocka_unit_test(uses_err_on_the_side_of_use),
		cmocka_unit_test(what_ended_a_launch_is_an_error), cmocka_unit_test(numbers_of_gpus),
		cmocka_unit_test(gpus_that_cannot_be_had),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
