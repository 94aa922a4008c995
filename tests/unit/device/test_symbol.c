/* Module variables on the emulator and on the fake GPU: the device to open is the first argument. */
#include "device/remote/gateway.h"
#include "device_test.h"

#include <stdio.h>

static const char *device_name;
static const Define sentinel = {.kind = DEFINE_SENTINEL};

typedef struct {
	Device *device;
	DeviceModule *module;
	Buffer out;
} Lab;

static Lab open_lab(void) {
	Lab lab = {.device = open_device(device_name)};
	lab.module = load_kernels(lab.device);
	lab.out = make_buffer(lab.device, ELEM_F32, 4, "out", sentinel);
	return lab;
}

static uint32_t symbol(const Lab *lab, const char *name) {
	uint32_t number = 0;
	Err err = ERR_INIT;
	assert_done(device_symbol(lab->module, name, &number, &err), err);
	return number;
}

static void weigh(Lab *lab, float *got) {
	const Arg args[] = {arg_buffer(lab->out)};
	Err err = ERR_INIT;
	LaunchOutcome o = launch(lab->device, kernel_of(lab->device, lab->module, "weigh"), 1, 4, args, 1);
	assert_int_equal(o.status, LAUNCH_OK);
	assert_done(device_download(lab->device, lab->out, 0, got, 4, &err), err);
}

static int ticks(Lab *lab) {
	int value = 0;
	Err err = ERR_INIT;
	assert_done(device_symbol_download(lab->device, lab->module, symbol(lab, "ticks"), 0, &value, sizeof value, &err),
				err);
	return value;
}

static void set_ticks(Lab *lab, int value) {
	Err err = ERR_INIT;
	assert_done(device_symbol_upload(lab->device, lab->module, symbol(lab, "ticks"), 0, &value, sizeof value, &err),
				err);
}

static const char *service(void) {
	if (text_starts(device_name, "gateway:")) return GATEWAY_SERVICE;
	return text_starts(device_name, "worker:") ? device_name + strlen("worker:") : device_name;
}

static void about(void **state) {
	Lab lab = open_lab();
	SymbolInfo info;
	device_symbol_info(lab.module, symbol(&lab, "weights"), &info);
	assert_string_equal(info.name, "weights");
	assert_int_equal(info.bytes, 16);
	assert_true(info.constant);
	device_symbol_info(lab.module, symbol(&lab, "ticks"), &info);
	assert_int_equal(info.bytes, 4);
	assert_int_equal(info.type, T_U32);
	assert_false(info.constant || info.stale);
	device_close(lab.device);
}

static void initial_values_and_uploads(void **state) {
	Lab lab = open_lab();
	const float sent[] = {10, 20, 30, 40}, fifty = 50;
	float got[4];
	Err err = ERR_INIT;
	weigh(&lab, got);
	for (int i = 0; i < 4; i++) assert_true(got[i] == (float)(i + 1));
	assert_int_equal(ticks(&lab), 8);
	assert_done(device_symbol_upload(lab.device, lab.module, symbol(&lab, "weights"), 0, sent, sizeof sent, &err), err);
	assert_done(device_symbol_upload(lab.device, lab.module, symbol(&lab, "weights"), 8, &fifty, 4, &err), err);
	weigh(&lab, got);
	assert_true(got[0] == 10 && got[1] == 20 && got[2] == 50 && got[3] == 40);
	assert_int_equal(ticks(&lab), 9);
	device_close(lab.device);
}

static void wrong_names_and_ranges(void **state) {
	Lab lab = open_lab();
	uint32_t number;
	char data[32] = {0};
	Err err = ERR_INIT;
	assert_false(device_symbol(lab.module, "weihgts", &number, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_text(err.hint, "weights");
	assert_false(device_symbol(lab.module, "$str", &number, NULL));
	number = symbol(&lab, "weights");
	assert_false(device_symbol_upload(lab.device, lab.module, number, 0, data, 17, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_false(device_symbol_upload(lab.device, lab.module, number, SIZE_MAX, data, 2, NULL));
	assert_false(device_symbol_download(lab.device, lab.module, number, 16, data, 1, NULL));
	assert_false(device_symbol_download(lab.device, lab.module, number, 1, data, SIZE_MAX, NULL));
	device_close(lab.device);
}

/* Two namespaces have a "taps", and so has the file: that name alone means the file's, wherever it stands among
 * them. */
static void an_exact_name_is_not_ambiguous(void **state) {
	static char first[] = "_ZN1a4tapsE", second[] = "_ZN1b4tapsE", file[] = "taps";
	char *const orders[][3] = {{first, second, file}, {first, file, second}, {file, first, second}};
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
		Device *device = open_device(device_name);
		char ptx[512];
		uint32_t number;
		SymbolInfo info;
		Err err = ERR_INIT;
		DeviceModule *module = NULL;
		Compiled compiled = {.cc = 75, .ptx = ptx};
		compiled.ptx_bytes = (size_t)snprintf(ptx, sizeof ptx,
											  ".version 8.0\n.target sm_75\n.address_size 64\n"
											  ".global .u32 %s;\n.global .u32 %s;\n.global .u32 %s;\n"
											  ".visible .entry scale()\n{\n\tret;\n}\n",
											  orders[i][0], orders[i][1], orders[i][2]);
		assert_done(device_load(device, &compiled, &module, &err), err);
		assert_done(device_symbol(module, "taps", &number, &err), err);
		device_symbol_info(module, number, &info);
		assert_string_equal(info.name, "taps");
		assert_done(device_symbol(module, "b::taps", &number, &err), err);
		device_symbol_info(module, number, &info);
		assert_string_equal(info.name, "b::taps");
		device_close(device);
	}
}

static void uploads_survive_a_worker(void **state) {
	Lab lab = open_lab();
	const float sent[] = {4, 3, 2, 1};
	float got[4];
	Err err = ERR_INIT;
	assert_done(device_symbol_upload(lab.device, lab.module, symbol(&lab, "weights"), 0, sent, sizeof sent, &err), err);
	set_ticks(&lab, 30);
	kill_worker(service());
	assert_int_equal(ticks(&lab), 30);
	weigh(&lab, got);
	assert_true(got[0] == 4 && got[3] == 1);
	kill_worker(service());
	assert_done(device_symbol_download(lab.device, lab.module, symbol(&lab, "weights"), 0, got, sizeof got, &err), err);
	assert_true(got[1] == 3); /* no kernel can have changed it */
	device_close(lab.device);
}

static void what_kernels_wrote_is_stale(void **state) {
	Lab lab = open_lab();
	float got[4];
	int value;
	SymbolInfo info;
	Err err = ERR_INIT;
	set_ticks(&lab, 100);
	weigh(&lab, got);
	assert_int_equal(ticks(&lab), 101);
	kill_worker(service());
	assert_false(device_symbol_download(lab.device, lab.module, symbol(&lab, "ticks"), 0, &value, sizeof value, &err));
	assert_int_equal(err.kind, ERR_FAULT);
	assert_text(err.what, "ticks");
	device_symbol_info(lab.module, symbol(&lab, "ticks"), &info);
	assert_true(info.stale);
	weigh(&lab, got); /* begins from what was uploaded */
	assert_int_equal(ticks(&lab), 101);
	set_ticks(&lab, 5);
	assert_int_equal(ticks(&lab), 5);
	device_close(lab.device);
}

/* A symbol comes and goes through a window; what buffers hold is elsewhere. */
static void symbols_leave_buffers_alone(void **state) {
	Lab lab = open_lab();
	float sent[4], got[4];
	int value;
	Err err = ERR_INIT;
	const float mine[] = {21, 22, 23, 24};
	assert_done(device_upload(lab.device, lab.out, 0, mine, 4, &err), err);
	set_ticks(&lab, 1234);
	assert_int_equal(ticks(&lab), 1234);
	assert_done(device_download(lab.device, lab.out, 0, got, 4, &err), err);
	assert_memory_equal(got, mine, sizeof mine);
	weigh(&lab, sent);
	assert_done(device_symbol_download(lab.device, lab.module, symbol(&lab, "ticks"), 0, &value, sizeof value, &err),
				err);
	assert_int_equal(value, 1235);
	assert_done(device_download(lab.device, lab.out, 0, got, 4, &err), err);
	assert_memory_equal(got, sent, sizeof sent);
	device_close(lab.device);
}

/* An emulated run beside the device sees the variables as they are, and changes none of them. */
static void emulation_sees_them(void **state) {
	Lab lab = open_lab();
	const float sent[] = {7, 7, 7, 7};
	float got[4];
	const Arg args[] = {arg_buffer(lab.out)};
	LaunchOutcome o;
	Err err = ERR_INIT;
	assert_done(device_symbol_upload(lab.device, lab.module, symbol(&lab, "weights"), 0, sent, sizeof sent, &err), err);
	set_ticks(&lab, 1);
	weigh(&lab, got);
	const Launch call = {.kernel = kernel_of(lab.device, lab.module, "weigh"),
						 .config = {.grid = {1, 1, 1}, .block = {4, 1, 1}},
						 .args = args,
						 .nargs = 1};
	for (int round = 0; round < 2; round++) {
		assert_done(emulate(lab.device, &call, &o, NULL, &err), err);
		assert_int_equal(o.status, LAUNCH_OK);
	}
	/* the emulator itself has no shadow: there it was the launch */
	assert_int_equal(ticks(&lab), text_ends(device_name, "worker:fake") ? 2 : 4);
	device_close(lab.device);
}

/* The address of a buffer in a variable is the one of the side that runs the kernel, and of a new worker. */
static void addresses_of_buffers(void **state) {
	static char ptx[] = ".version 8.0\n.target sm_75\n.address_size 64\n.global .align 16 .b8 weights[16];\n"
						".visible .entry scale(.param .u64 out)\n{\n"
						"\t.reg .b64 %rd<3>;\n\t.reg .f32 %f<2>;\n\tld.param.u64 %rd1, [out];\n"
						"\tld.global.u64 %rd2, [weights+8];\n\tld.global.f32 %f1, [%rd2+4];\n"
						"\tst.global.f32 [%rd1], %f1;\n\tret;\n}\n";
	const Compiled compiled = {.cc = 75, .ptx = ptx, .ptx_bytes = sizeof ptx - 1};
	Device *device = open_device(device_name);
	DeviceModule *module = NULL;
	uint32_t number;
	LaunchOutcome o;
	Err err = ERR_INIT;
	const Buffer in = make_buffer(device, ELEM_F32, 4, "in", (Define){.kind = DEFINE_IOTA}),
				 out = make_buffer(device, ELEM_F32, 4, "out", sentinel);
	assert_done(device_load(device, &compiled, &module, &err), err);
	assert_done(device_symbol(module, "weights", &number, &err), err);
	const Arg args[] = {arg_buffer(out)};
	const Launch call = {.kernel = kernel_of(device, module, "scale"),
						 .config = {.grid = {1, 1, 1}, .block = {1, 1, 1}},
						 .args = args,
						 .nargs = 1};
	ArgPointer pointer = {.at = 8, .buffer = in, .offset = 8};
	for (int round = 0; round < 2; round++) { /* the kernel may have written to it, so it goes with a worker */
		assert_done(device_define(device, in, (Define){.kind = DEFINE_IOTA}, &err), err);
		assert_done(device_symbol_upload_pointers(device, module, number, &pointer, 1, &err), err);
		if (round) kill_worker(service());
		assert_done(emulate(device, &call, &o, NULL, &err), err);
		assert_int_equal(o.status, LAUNCH_OK);
	}
	const uint64_t none = 0; /* what is uploaded later counts */
	assert_done(device_symbol_upload(device, module, number, 8, &none, sizeof none, &err), err);
	assert_done(emulate(device, &call, &o, NULL, &err), err);
	assert_int_equal(o.status, LAUNCH_FAULT);
	pointer.at = 9;
	assert_false(device_symbol_upload_pointers(device, module, number, &pointer, 1, NULL));
	device_close(device);
}

int main(int argc, char **argv) {
	int status = maybe_worker(argc, argv);
	if (status >= 0) return status;
	device_name = argc > 1 ? argv[1] : "emu";
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(about),
		cmocka_unit_test(initial_values_and_uploads),
		cmocka_unit_test(wrong_names_and_ranges),
		cmocka_unit_test(an_exact_name_is_not_ambiguous),
		cmocka_unit_test(symbols_leave_buffers_alone),
		cmocka_unit_test(emulation_sees_them),
		cmocka_unit_test(uploads_survive_a_worker),
		cmocka_unit_test(what_kernels_wrote_is_stale),
		cmocka_unit_test(addresses_of_buffers),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
