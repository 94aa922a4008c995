/* How fast the emulator is: thread instructions a second by kernel, with counters off and on, on one host thread and on all.
 *     emu SOURCE_ROOT [n]
 * Not a test: nothing here can fail but the launches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/str.h"
#include "emu/counters.h"
#include "emu/handlers.h"
#include "emu/machine.h"

typedef struct {
	const char *name, *file, *kernel;
	uint32_t tile, block[2]; /* each block does tile x tile elements */
	uint32_t shrink;         /* of n: the work grows faster than n squared */
} Shape;

static const Shape shapes[] = {
	{"copy", "tests/ptx/transpose/sm_90.ptx", "copy", 32, {32, 8}, 1},
	{"naive transpose", "tests/ptx/transpose/sm_90.ptx", "naive", 32, {32, 8}, 1},
	{"tile 32x32", "tests/ptx/transpose/sm_90.ptx", "_Z4tileILi0EEvPfPKfi", 32, {32, 8}, 1},
	{"tile 32x33", "tests/ptx/transpose/sm_90.ptx", "_Z4tileILi1EEvPfPKfi", 32, {32, 8}, 1},
	{"matmul 16x16", "tests/bench/kernels/emu.ptx", "matmul", 16, {16, 16}, 8},
	{"mandelbrot", "tests/bench/kernels/emu.ptx", "mandel", 16, {16, 16}, 4},
	{"reduction", "tests/bench/kernels/emu.ptx", "reduce", 128, {16, 16}, 1},
};

typedef struct {
	Machine *machine;
	uint64_t out, in;
	uint32_t n;
	bool alone; /* one host thread */
} Bench;

/* On one host thread processor time counts, so that a busy machine does not blur it; on all of them the wall clock. */
static double cpu_ms(void) {
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double best_ms(const Bench *b, const EmuKernel *kernel, const Shape *s, Counters *counters) {
	struct {
		uint64_t out, in;
		uint32_t n;
	} params = {b->out, b->in, b->n / s->shrink};
	Observer *observers[] = {counters ? &counters->base : NULL};
	const uint32_t blocks = (params.n + s->tile - 1) / s->tile;
	EmuLaunch launch = {.config = {.grid = {blocks, blocks, 1}, .block = {s->block[0], s->block[1], 1}},
						.params = &params,
						.param_bytes = 20,
						.observers = observers,
						.nobservers = counters ? 1 : 0};
	double best = 1e300;
	for (int i = 0; i < 4; i++) {
		LaunchOutcome outcome;
		Err err = ERR_INIT;
		const double began = cpu_ms();
		if (!machine_launch(b->machine, kernel, &launch, &outcome, &err) || outcome.status != LAUNCH_OK) {
			fprintf(stderr, "%s: %s%s\n", s->name, err.what, outcome.message);
			exit(1);
		}
		const double ms = b->alone ? cpu_ms() - began : outcome.milliseconds;
		if (ms < best) best = ms;
	}
	return best;
}

static void run_shape(Bench *b, const char *root, const Shape *s) {
	Err err = ERR_INIT;
	char path[512];
	size_t len;
	snprintf(path, sizeof path, "%s/%s", root, s->file);
	char *text = file_read(path, &len, &err);
	PtxModule *ptx = text ? ptx_parse(text, len, &err) : NULL;
	EmuModule *module = NULL;
	if (!ptx || !machine_load(b->machine, ptx, &module, &err)) {
		fprintf(stderr, "%s: %s\n", path, err.what);
		exit(1);
	}
	const EmuKernel *kernel = emu_kernel(module, s->kernel);
	Counters *counters = counters_new(machine_gpu(b->machine));
	double on = best_ms(b, kernel, s, counters), off = best_ms(b, kernel, s, NULL);
	double instructions = (double)counters_total(counters).thread_instructions;
	printf("  %-18s %8.1f M  %8.1f ms %6.2f G/s   %8.1f ms %6.2f G/s\n", s->name, instructions / 1e6, off,
		   instructions / off / 1e6, on, instructions / on / 1e6);
	counters_free(counters);
	machine_unload(b->machine, module);
	ptx_free(ptx);
	free(text);
}

int main(int argc, char **argv) {
	if (argc < 2) {
		fprintf(stderr, "usage: %s SOURCE_ROOT [n]\n", argv[0]);
		return 64;
	}
	Err err = ERR_INIT;
	const uint32_t n = argc > 2 ? (uint32_t)atoi(argv[2]) : 4000;
	static const unsigned threads[] = {1, 0};
	for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
		Bench b = {.machine = machine_open(gpu_default(), threads[k]), .n = n, .alone = threads[k] == 1};
		const size_t bytes = (size_t)(n + 128) * (n + 128) * 4;
		if (!machine_alloc(b.machine, bytes, "out", &b.out, &err) ||
			!machine_alloc(b.machine, bytes, "in", &b.in, &err)) {
			fprintf(stderr, "%s\n", err.what);
			return 1;
		}
		memset(machine_host(b.machine, b.in, bytes), 0, bytes);
		printf("%s, %s, n = %u\n  %-18s %10s  %25s   %25s\n", handler_isa(),
			   threads[k] ? "one host thread" : "all cores", n, "", "thread ins.", "counters off", "counters on");
		for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) run_shape(&b, argv[1], &shapes[i]);
		machine_close(b.machine);
	}
	return 0;
}
