/* The lecture's six transpose numbers at n = 4000, from NVRTC's PTX run by the emulator with models listening: the GTX
 * 280 of the lecture and an H200 whose timings of the same kernels are at hand. What the kernels compute is checked,
 * too. */
#include "streams.h"

#include <math.h>

#include "emu/machine.h"

enum { N = 4000 };

typedef struct {
	const char *kernel;
	uint32_t x, y;
	double lecture;  /* GB/s, GTX 280; the shapes of the first three are assumed */
	double measured; /* GB/s, H200: median of this kernel, shape and size, L2 flushed; 0: another shape was timed */
} Claim;

static const Claim claims[] = {
	{"copy", 256, 1, 112.4, 2331},    {"naive", 256, 1, 5.3, 482}, {"strided", 256, 1, 2.7, 368},
	{"tile_copy", 32, 8, 94.9, 3515}, {"tile", 32, 8, 75.1, 1515}, {"padded", 32, 8, 93.4, 3370},
};

static struct {
	PtxModule *ptx;
	Machine *machine;
	EmuModule *module;
	uint64_t in, out;
} lab;

static void must(bool ok, const Err *err) {
	if (!ok) fail_msg("%s", err->what);
}

static int set_up(void **state) {
	Err err = ERR_INIT;
	size_t bytes = sizeof(float) * N * N;
	lab.ptx = transpose_module();
	lab.machine = machine_open(gpu_find("GTX 280", NULL), 0);
	must(machine_load(lab.machine, lab.ptx, &lab.module, &err), &err);
	must(machine_alloc(lab.machine, bytes, "in", &lab.in, &err), &err);
	must(machine_alloc(lab.machine, bytes, "out", &lab.out, &err), &err);
	float *data = xmalloc(bytes);
	for (uint32_t i = 0; i < N * N; i++) data[i] = (float)(i % 16777213);
	must(machine_write(lab.machine, lab.in, data, bytes, &err), &err);
	free(data);
	return 0;
}

static int tear_down(void **state) {
	machine_close(lab.machine);
	ptx_free(lab.ptx);
	return 0;
}

static void launch(const Claim *c, Observer **observers, size_t nobservers) {
	struct {
		uint64_t out, in;
		int32_t n;
	} params = {lab.out, lab.in, N};
	bool tiled = c->y == 8;
	EmuLaunch l = {
		.config = {.grid = {(N + (tiled ? TILE : c->x) - 1) / (tiled ? TILE : c->x), N / (tiled ? TILE : c->y), 1},
				   .block = {c->x, c->y, 1}},
		.params = &params,
		.param_bytes = 20,
		.observers = observers,
		.nobservers = nobservers,
	};
	LaunchOutcome outcome;
	Err err = ERR_INIT;
	const EmuKernel *kernel = emu_kernel(lab.module, c->kernel);
	assert_non_null(kernel);
	must(machine_launch(lab.machine, kernel, &l, &outcome, &err), &err);
	if (outcome.status != LAUNCH_OK) fail_msg("%s: %s %s", c->kernel, outcome.message, outcome.fault.message);
}

static void check_result(const char *kernel) {
	const float *in = machine_host(lab.machine, lab.in, sizeof(float) * N * N);
	const float *out = machine_host(lab.machine, lab.out, sizeof(float) * N * N);
	bool copies = !strcmp(kernel, "copy") || !strcmp(kernel, "strided") || !strcmp(kernel, "tile_copy");
	for (uint32_t y = 0; y < N; y++)
		for (uint32_t x = 0; x < N; x++)
			if (out[y * N + x] != in[copies ? y * N + x : x * N + y])
				fail_msg("%s: wrong at row %u, column %u", kernel, y, x);
}

static double rate(Prediction p) {
	assert_true(p.known);
	return 8.0 * N * N / p.milliseconds * 1e-6;
}

static void near(const Claim *c, const char *gpu, double got, double expected, double tolerance) {
	print_message("# %-8s %-9s %7.1f GB/s predicted, %7.1f known, %+5.1f %%\n", gpu, c->kernel, got, expected,
				  100 * (got / expected - 1));
	if (fabs(got / expected - 1) > tolerance) fail_msg("%s: %.1f GB/s, expected %.1f", c->kernel, got, expected);
}

static void emulated_claims(void **state) {
	const Gpu *gtx = gpu_find("GTX 280", NULL), *h200 = gpu_find("H200", NULL);
	for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
		const Claim *c = &claims[i];
		Model *old = model_new(gtx), *new = model_new(h200);
		launch(c, (Observer *[]){model_observer(old), model_observer(new)}, 2);
		check_result(c->kernel);
		near(c, gtx->name, rate(model_predict(old)), c->lecture, 0.10);
		near(c, h200->name, rate(model_predict(new)), c->measured, 0.25);
		/* and what generated accesses give: the stream is the same, whatever order the threads of the host ran in */
		Model *generated = model_new(gtx);
		stream(generated, lab.ptx, c->kernel, N, c->x, c->y, 1);
		assert_true(fabs(rate(model_predict(old)) / rate(model_predict(generated)) - 1) < 0.02);
		model_free(old);
		model_free(new);
		model_free(generated);
	}
}

/* Copies of 400 MB that the GPU-STREAM project recorded: 175 GB/s on a GTX 580, whose chip the GTX 480 has with 92 % of
 * the bandwidth, 220 on a K40 without ECC, 169 on a GTX 980. What a copy attains of DRAM is from there; here the rest
 * of the model, whose constants are of an H200, is in its way. */
static void copies_of_older_gpus(void **state) {
	static const struct {
		const char *gpu;
		double gbps;
	} copied[] = {{"GTX 480", 161}, {"Tesla K40", 220}, {"GTX 980", 169}};
	enum { GPUS = sizeof copied / sizeof *copied };
	for (size_t k = 0; k < sizeof claims / sizeof *claims; k += 5) { /* the plain copy, the transposition */
		Model *models[GPUS];
		Observer *observers[GPUS];
		for (size_t g = 0; g < GPUS; g++) {
			models[g] = model_new(gpu_find(copied[g].gpu, NULL));
			observers[g] = model_observer(models[g]);
		}
		launch(&claims[k], observers, GPUS);
		for (size_t g = 0; g < GPUS; g++) {
			const Prediction p = model_predict(models[g]);
			near(&claims[k], copied[g].gpu, rate(p), copied[g].gbps, 0.15);
			assert_true(p.replayed_ms > 0);
			for (int i = 0; i < LIMIT_COUNT; i++) assert_true(i == LIMIT_LATENCY || p.milliseconds > p.limits[i]);
			model_free(models[g]);
		}
	}
}

int main(int argc, char **argv) {
	nvrtc_begin(argc, argv);
	const struct CMUnitTest tests[] = {cmocka_unit_test(emulated_claims), cmocka_unit_test(copies_of_older_gpus)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
