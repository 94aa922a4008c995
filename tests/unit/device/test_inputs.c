/* What launches were given (device/inputs.h), on the emulator and on the fake GPU: the device to open is the first
 * argument. */
#include "device/inputs.h"
#include "device/remote/gateway.h"
#include "device_test.h"

static const char *device_name;

enum { N = 64 };

typedef struct {
	Device *device;
	DeviceModule *module;
	DeviceKernel *increment;
	Buffer data;
} Lab;

static Lab open_lab(void) {
	Lab lab = {.device = open_device(device_name)};
	lab.module = load_kernels(lab.device);
	lab.increment = kernel_of(lab.device, lab.module, "increment");
	lab.data = make_buffer(lab.device, ELEM_I32, N, "data", (Define){.kind = DEFINE_IOTA});
	return lab;
}

static Inputs *keep(const Lab *lab, DeviceKernel *kernel, const Arg *args, uint32_t nargs) {
	Inputs *inputs = NULL;
	Err err = ERR_INIT;
	const Launch launch = {
		.kernel = kernel, .config = {.grid = {1, 1, 1}, .block = {N, 1, 1}}, .args = args, .nargs = nargs};
	assert_done(inputs_keep(lab->device, LIST_OF(&launch), &inputs, &err), err);
	return inputs;
}

static void increment(const Lab *lab) {
	const Arg args[] = {arg_buffer(lab->data), arg_int(N)};
	assert_int_equal(launch(lab->device, lab->increment, 1, N, args, 2).status, LAUNCH_OK);
}

static Inputs *keep_and_increment(const Lab *lab) {
	Inputs *inputs = keep(lab, lab->increment, (const Arg[]){arg_buffer(lab->data), arg_int(N)}, 2);
	increment(lab);
	return inputs;
}

static void restore(const Lab *lab, Inputs *inputs) {
	Err err = ERR_INIT;
	assert_done(inputs_restore(lab->device, inputs, &err), err);
}

static void put_back(const Lab *lab, Inputs *inputs) {
	Err err = ERR_INIT;
	assert_done(inputs_put_back(lab->device, inputs, &err), err);
}

static void each_launch_has_its_own(void **state) {
	Lab lab = open_lab();
	Inputs *kept[4];
	for (int i = 0; i < 4; i++) kept[i] = keep_and_increment(&lab);
	for (int i = 3; i >= 0; i--) {
		restore(&lab, kept[i]);
		assert_int_equal(element(lab.device, lab.data, 5), 5 + i);
		increment(&lab); /* what is done in the past is undone */
		put_back(&lab, kept[i]);
		assert_int_equal(element(lab.device, lab.data, 5), 5 + 4);
	}
	put_back(&lab, kept[0]); /* nothing is in place: nothing happens */
	assert_int_equal(element(lab.device, lab.data, 5), 5 + 4);
	for (int i = 0; i < 4; i++) inputs_free(lab.device, kept[i]);
	device_close(lab.device);
}

static void uploads_and_definitions_change_contents(void **state) {
	Lab lab = open_lab();
	Err err = ERR_INIT;
	const int thousand = 1000;
	Inputs *first = keep_and_increment(&lab), *second = keep_and_increment(&lab);
	assert_done(device_upload(lab.device, lab.data, 5, &thousand, 1, &err), err);
	Inputs *third = keep_and_increment(&lab);
	assert_done(device_define(lab.device, lab.data, (Define){.kind = DEFINE_FILL, .value = 9}, &err), err);
	Inputs *kept[] = {first, second, third};
	const int had[] = {5, 6, 1000};
	for (int i = 0; i < 3; i++) {
		restore(&lab, kept[i]);
		assert_int_equal(element(lab.device, lab.data, 5), had[i]);
		inputs_free(lab.device, kept[i]); /* puts back */
		assert_int_equal(element(lab.device, lab.data, 5), 9);
	}
	device_close(lab.device);
}

static const char *service(void) {
	if (text_starts(device_name, "gateway:")) return GATEWAY_SERVICE;
	return text_starts(device_name, "worker:") ? device_name + strlen("worker:") : device_name;
}

static void they_outlive_the_worker(void **state) {
	Lab lab = open_lab();
	Inputs *first = keep_and_increment(&lab), *second = keep_and_increment(&lab);
	increment(&lab);
	kill_worker(service());
	restore(&lab, second);
	assert_int_equal(element(lab.device, lab.data, 5), 6);
	put_back(&lab, second);
	restore(&lab, first);
	assert_int_equal(element(lab.device, lab.data, 5), 5);
	put_back(&lab, first);
	inputs_free(lab.device, first);
	device_close(lab.device);
	inputs_free(NULL, second);
}

static void what_is_freed_or_too_large_is_gone(void **state) {
	Lab lab = open_lab();
	Err err = ERR_INIT;
	Inputs *inputs = keep_and_increment(&lab);
	assert_done(device_free(lab.device, lab.data, &err), err);
	assert_false(inputs_restore(lab.device, inputs, &err));
	assert_text(err.what, "freed");
	inputs_free(lab.device, inputs);
	lab.data = make_buffer(lab.device, ELEM_I32, (5 << 20) / 4, "large", (Define){.kind = DEFINE_IOTA});
	Inputs *defined = keep_and_increment(&lab), *written = keep_and_increment(&lab);
	err = (Err)ERR_INIT;
	assert_false(inputs_restore(lab.device, written, &err));
	assert_text(err.what, "'large' has changed since the launch");
	restore(&lab, defined);
	assert_int_equal(element(lab.device, lab.data, 5), 5);
	put_back(&lab, defined);
	assert_int_equal(element(lab.device, lab.data, 5), 7);
	inputs_free(lab.device, defined);
	inputs_free(lab.device, written);
	device_close(lab.device);
}

/* 64 MiB are kept: of 20 launches that each write 4 MiB the last 16 have theirs. */
static void the_oldest_copies_go_first(void **state) {
	enum { LAUNCHES = 20, KEPT = 16 };
	Lab lab = open_lab();
	Err err = ERR_INIT;
	lab.data = make_buffer(lab.device, ELEM_I32, (4 << 20) / 4, "big", (Define){.kind = DEFINE_IOTA});
	increment(&lab);
	Inputs *kept[LAUNCHES];
	for (int i = 0; i < LAUNCHES; i++) kept[i] = keep_and_increment(&lab);
	for (int i = 0; i < LAUNCHES; i++) {
		assert_int_equal(inputs_restore(lab.device, kept[i], &err), i >= LAUNCHES - KEPT);
		if (i >= LAUNCHES - KEPT) assert_int_equal(element(lab.device, lab.data, 5), 6 + i);
		inputs_free(lab.device, kept[i]);
	}
	assert_int_equal(element(lab.device, lab.data, 5), 6 + LAUNCHES);
	device_close(lab.device);
}

static void a_list_that_cannot_run_is_refused(void **state) {
	Lab lab = open_lab();
	Inputs *inputs = NULL;
	Err err = ERR_INIT;
	const Launch launch = {.kernel = lab.increment, .config = {.grid = {1, 1, 1}, .block = {N, 1, 1}}};
	assert_false(inputs_keep(lab.device, LIST_OF(&launch), &inputs, &err));
	assert_null(inputs);
	assert_text(err.what, "takes 2 arguments");
	device_close(lab.device);
}

int main(int argc, char **argv) {
	const int status = maybe_worker(argc, argv);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_launch_has_its_own),    cmocka_unit_test(uploads_and_definitions_change_contents),
		cmocka_unit_test(they_outlive_the_worker),    cmocka_unit_test(what_is_freed_or_too_large_is_gone),
		cmocka_unit_test(the_oldest_copies_go_first), cmocka_unit_test(a_list_that_cannot_run_is_refused),
	};
	if (status >= 0) return status;
	device_name = argc > 1 ? argv[1] : "emu";
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
