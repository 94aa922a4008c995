#include "device_test.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/proc.h"
#include "compile/compile.h"
#include "compile/worker/service.h"
#include "device/backend/worker.h"
#include "device/remote/gateway.h"
#include "fake.h"
#include "nvrtc.h"
#include "wire/child.h"

int maybe_worker(int argc, char **argv) {
	compile_worker_if_asked(argc, argv);
	if (argc != 3 || strcmp(argv[1], "--worker") != 0) return -1;
	if (strcmp(argv[2], GATEWAY_SERVICE) == 0) return gateway_main();
	if (text_starts(argv[2], "fake")) return worker_serve(fake_backend(argv[2]), WORKER_FD);
	const char *mad = getenv("TEST_MAD_EMULATOR");
	return mad ? worker_serve(mad_emulator(mad), WORKER_FD) : worker_main(WORKER_FD);
}

/* "gateway:emu": by a gateway at the other end of a byte stream, as over ssh. */
static bool open_elsewhere(const char *name, Device **out, Err *err) {
	const char *const start[] = {proc_self(), "--worker", GATEWAY_SERVICE, NULL};
	const DevicePlace place = {
		.name = name, .device = name + strlen("gateway:"), .start = start, .warm_s = 60, .wait_s = 60};
	return device_open_place(&place, out, err);
}

Device *open_device(const char *name) {
	Device *device = NULL;
	Err err = ERR_INIT;
	assert_done(text_starts(name, "gateway:") ? open_elsewhere(name, &device, &err) : device_open(name, &device, &err),
				err);
	return device;
}

const char *kernels_ptx(void) {
	static char *ptx;
	Err err = ERR_INIT;
	if (!nvrtc_version(&err)) skip();
	if (!ptx) ptx = nvrtc_ptx(GPULAB_SOURCE_ROOT "/tests/unit/device/kernels.cu", OLDER_GENERATOR, NULL);
	return ptx;
}

DeviceModule *load_kernels(Device *device) {
	DeviceModule *module = NULL;
	Err err = ERR_INIT;
	CompiledName names[] = {{(char *)"scale<float>", (char *)"scale"}};
	Compiled compiled = {.cc = 75, .names = names, .nnames = 1, .ptx = (char *)kernels_ptx()};
	compiled.ptx_bytes = strlen(compiled.ptx);
	assert_done(device_load(device, &compiled, &module, &err), err);
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

int element(Device *device, Buffer buffer, size_t i) {
	int value = 0;
	Err err = ERR_INIT;
	assert_done(device_download(device, buffer, i, &value, 1, &err), err);
	return value;
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

/* --- questions ---------------------------------------------------------------------------------------------------- */

static bool ask(Device *device, const LaunchList *list, const Ask *question, Answer *answer, LaunchOutcome *outcome,
				Err *err) {
	if (!device_submit(device, list, question, answer, err)) return false;
	if (outcome) *outcome = answer->outcome;
	return true;
}

bool run_list(Device *device, const LaunchList *list, LaunchOutcome *outcome, Err *err) {
	Answer answer = {0};
	const bool ok = ask(device, list, &(Ask){.mode = MODE_RUN}, &answer, outcome, err);
	answer_free(&answer);
	return ok;
}

bool run_launch(Device *device, const Launch *launch, LaunchOutcome *outcome, Err *err) {
	return run_list(device, LIST_OF(launch), outcome, err);
}

bool take_samples(Device *device, const LaunchList *list, const SampleConfig *config, Sample *samples,
				  LaunchOutcome *outcome, Err *err) {
	Answer answer = {0};
	const bool ok = ask(device, list, &(Ask){.mode = MODE_TIME, .sampling = *config}, &answer, outcome, err);
	assert_true(answer.nsamples <= config->count);
	if (answer.nsamples) memcpy(samples, answer.samples, answer.nsamples * sizeof *samples);
	answer_free(&answer);
	return ok;
}

bool count_list(Device *device, const LaunchList *list, Answer *answer, Err *err) {
	return ask(device, list, &(Ask){.mode = MODE_COUNT, .rules = gpu_default()}, answer, NULL, err);
}

bool emulate(Device *device, const Launch *launch, LaunchOutcome *outcome, bool *from_definitions, Err *err) {
	Answer answer = {0};
	const bool ok = count_list(device, LIST_OF(launch), &answer, err);
	if (ok && outcome) *outcome = answer.outcome;
	if (ok && from_definitions) *from_definitions = answer.from_definitions;
	answer_free(&answer);
	return ok;
}

LaunchOutcome launch(Device *device, DeviceKernel *kernel, uint32_t blocks, uint32_t threads, const Arg *args,
					 uint32_t nargs) {
	LaunchOutcome outcome = {0};
	Err err = ERR_INIT;
	const Launch call = make_launch(kernel, blocks, threads, args, nargs);
	assert_done(run_launch(device, &call, &outcome, &err), err);
	return outcome;
}

Err launch_refused(Device *device, DeviceKernel *kernel, uint32_t blocks, uint32_t threads, const Arg *args,
				   uint32_t nargs) {
	LaunchOutcome outcome = {0};
	Err err = ERR_INIT;
	const Launch call = make_launch(kernel, blocks, threads, args, nargs);
	assert_false(run_launch(device, &call, &outcome, &err));
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

/* Dead ones have no command line. */
static bool serves(pid_t pid, const char *service) {
	char path[64], line[128] = "";
	snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
	FILE *f = fopen(path, "r");
	if (!f) return false;
	const size_t n = fread(line, 1, sizeof line - 1, f);
	fclose(f);
	const char *mark = memmem(line, n, "--worker", sizeof "--worker");
	return mark && strcmp(mark + sizeof "--worker", service) == 0;
}

pid_t worker_of(const char *service) {
	pid_t pids[32], found = 0;
	const size_t n = children(pids, 32);
	for (size_t i = 0; i < n; i++) {
		if (!serves(pids[i], service)) continue;
		assert_int_equal(found, 0);
		found = pids[i];
	}
	assert_int_not_equal(found, 0);
	return found;
}

void kill_worker(const char *service) {
	const pid_t pid = worker_of(service);
	siginfo_t info;
	kill(pid, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
}

typedef struct {
	pid_t pid;
	double after;
} Killer;

static void *kill_later(void *user) {
	const Killer *k = user;
	usleep((useconds_t)(k->after * 1e6));
	kill(k->pid, SIGKILL);
	return NULL;
}

pthread_t kill_worker_in(const char *service, double seconds) {
	static Killer killer;
	pthread_t thread;
	killer = (Killer){.pid = worker_of(service), .after = seconds};
	assert_int_equal(pthread_create(&thread, NULL, kill_later, &killer), 0);
	return thread;
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
