#include "device_test.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "device/wire.h"
#include "device/worker.h"
#include "fake.h"

int maybe_worker(int argc, char **argv) {
	if (argc != 3 || strcmp(argv[1], "--worker") != 0) return -1;
	if (text_starts(argv[2], "fake")) return worker_serve(fake_backend(argv[2]), WORKER_FD);
	return worker_main(argv[2], WORKER_FD);
}

Device *open_device(const char *name) {
	Device *device = NULL;
	Err err = ERR_INIT;
	assert_done(device_open(name, &device, &err), err);
	return device;
}

DeviceModule *load_kernels(Device *device) {
	DeviceModule *module = NULL;
	Err err = ERR_INIT;
	CompiledName names[] = {{(char *)"scale<float>", (char *)"scale"}};
	Compiled compiled = {.cc = 75, .names = names, .nnames = 1};
	compiled.ptx = file_read(TEST_KERNELS, &compiled.ptx_bytes, &err);
	assert_non_null(compiled.ptx);
	assert_done(device_load(device, &compiled, &module, &err), err);
	free(compiled.ptx);
	return module;
}

DeviceKernel *kernel_of(Device *device, DeviceModule *module, const char *name) {
	DeviceKernel *kernel = NULL;
	Err err = ERR_INIT;
	assert_done(device_kernel(device, module, name, &kernel, &err), err);
	return kernel;
}

Buffer make_buffer(Device *device, ElemType type, size_t count, const char *name, Define define) {
	Buffer buffer = {0};
	Err err = ERR_INIT;
	assert_done(device_buffer(device, type, count, name, define, &buffer, &err), err);
	return buffer;
}

Arg arg_buffer(Buffer buffer) {
	return (Arg){.kind = ARG_BUFFER, .buffer = buffer};
}

Arg arg_int(int value) {
	Arg arg = {.kind = ARG_VALUE};
	memcpy(arg.value, &value, sizeof value);
	return arg;
}

Arg arg_float(float value) {
	Arg arg = {.kind = ARG_VALUE};
	memcpy(arg.value, &value, sizeof value);
	return arg;
}

static Launch make_launch(DeviceKernel *kernel, uint32_t blocks, uint32_t threads, const Arg *args, uint32_t nargs) {
	return (Launch){
		.kernel = kernel, .config = {.grid = {blocks, 1, 1}, .block = {threads, 1, 1}}, .args = args, .nargs = nargs};
}

LaunchOutcome launch(Device *device, DeviceKernel *kernel, uint32_t blocks, uint32_t threads, const Arg *args,
					 uint32_t nargs) {
	LaunchOutcome outcome = {0};
	Err err = ERR_INIT;
	const Launch call = make_launch(kernel, blocks, threads, args, nargs);
	assert_done(device_launch(device, &call, &outcome, &err), err);
	return outcome;
}

Err launch_refused(Device *device, DeviceKernel *kernel, uint32_t blocks, uint32_t threads, const Arg *args,
				   uint32_t nargs) {
	LaunchOutcome outcome = {0};
	Err err = ERR_INIT;
	const Launch call = make_launch(kernel, blocks, threads, args, nargs);
	assert_false(device_launch(device, &call, &outcome, &err));
	assert_int_not_equal(err.kind, ERR_NONE);
	return err;
}

size_t children(pid_t *out, size_t most) {
	char path[64];
	size_t n = 0;
	int pid;
	snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	FILE *f = fopen(path, "r");
	if (!f) return 0;
	while (n < most && fscanf(f, "%d", &pid) == 1) out[n++] = pid;
	fclose(f);
	return n;
}

size_t open_descriptors(void) {
	size_t n = 0;
	DIR *dir = opendir("/proc/self/fd");
	assert_non_null(dir);
	while (readdir(dir)) n++;
	closedir(dir);
	return n;
}

uint64_t next_random(uint64_t *state) {
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* In memory of its own and no larger, so that a read past the end is one. */
static uint8_t *exactly(const char *data, size_t len) {
	uint8_t *copy = malloc(len ? len : 1);
	assert_non_null(copy);
	memcpy(copy, data, len);
	return copy;
}

void every_truncation_is_refused(const Payloads *payloads) {
	for (int kind = 0; kind < payloads->kinds; kind++) {
		Str s = {0};
		payloads->put(&s, kind);
		assert_true(payloads->get((const uint8_t *)s.text, s.len, kind));
		for (size_t n = 0; n < s.len; n++) {
			uint8_t *shorter = exactly(s.text, n);
			assert_false(payloads->get(shorter, n, kind));
			free(shorter);
		}
		put_u8(&s, 0);
		assert_false(payloads->get((const uint8_t *)s.text, s.len, kind)); /* something is left over */
		str_free(&s);
	}
}

void changed_bytes_do_no_harm(const Payloads *payloads) {
	uint64_t random = 1234567;
	int refused = 0;
	for (int kind = 0; kind < payloads->kinds; kind++) {
		Str s = {0};
		payloads->put(&s, kind);
		for (int round = 0; round < 3000; round++) {
			uint8_t *copy = exactly(s.text, s.len);
			for (int k = 0; k < 1 + round % 4; k++) copy[next_random(&random) % s.len] = (uint8_t)next_random(&random);
			if (!payloads->get(copy, s.len, kind)) refused++;
			free(copy);
		}
		str_free(&s);
	}
	assert_true(refused > 100);
}
