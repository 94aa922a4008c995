/* What predictions cost: processor time of a counted launch, and what the models of a GTX 280 and of an H200 add to it;
 * of the latter, the replay of blocks; and what seven GPUs add, as `generations` asks for them. ratio: what the H200's
 * adds, over counting. predict SOURCE_ROOT [n] [part of a kernel's name] Not a test: nothing here can fail but the
 * launches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/str.h"
#include "emu/count/counters.h"
#include "emu/machine.h"
#include "model/model.h"
#include "nvrtc.h"

typedef struct {
	const char *name, *file, *kernel;
	uint32_t tile[2], block[2]; /* each block does a tile of elements */
	uint32_t shrink;            /* of n: the work grows faster than n squared */
} Shape;

static const Shape shapes[] = {
	{"copy", "tests/ptx/transpose.cu", "copy", {32, 32}, {32, 8}, 1},
	{"naive transpose", "tests/ptx/transpose.cu", "naive", {32, 32}, {32, 8}, 1},
	{"tile 32x32", "tests/ptx/transpose.cu", "_Z4tileILi0EEvPfPKfi", {32, 32}, {32, 8}, 1},
	{"tile 32x33", "tests/ptx/transpose.cu", "_Z4tileILi1EEvPfPKfi", {32, 32}, {32, 8}, 1},
	{"matmul 16x16", "tests/bench/kernels/emu.cu", "matmul", {16, 16}, {16, 16}, 4},
	{"mandelbrot", "tests/bench/kernels/emu.cu", "mandel", {16, 16}, {16, 16}, 4},
	{"reduction", "tests/bench/kernels/emu.cu", "reduce", {128, 128}, {16, 16}, 1},
	{"rotation", "tests/bench/kernels/patterns.cu", "rotate", {32, 8}, {32, 8}, 4},
	{"column", "tests/bench/kernels/patterns.cu", "column", {1, 128}, {1, 128}, 8},
};

typedef struct {
	Machine *machine;
	uint64_t out, in;
	uint32_t n;
} Bench;

static double cpu_ms(void) {
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void die(const char *what, const char *why) {
	fprintf(stderr, "%s: %s\n", what, why);
	exit(1);
}

typedef struct {
	double all, replay; /* ms */
} Cost;

/* One counted launch with these models, their predictions included. replay: of the last one. */
static Cost once(const Bench *b, const EmuKernel *kernel, const Shape *s, const char *const *gpus, size_t ngpus) {
	struct {
		uint64_t out, in;
		uint32_t n;
	} params = {b->out, b->in, b->n / s->shrink / s->tile[0] * s->tile[0]}; /* whole tiles: the kernels have no guard */
	enum { MOST = 64 };
	Observer *observers[MOST + 1];
	Model *models[MOST];
	const double begun = cpu_ms();
	Counters *counters = counters_new(machine_gpu(b->machine));
	observers[0] = &counters->base;
	for (size_t i = 0; i < ngpus; i++) {
		models[i] = model_new(gpu_find(gpus[i], NULL));
		observers[i + 1] = model_observer(models[i]);
	}
	const EmuLaunch launch = {
		.config = {.grid = {params.n / s->tile[0], params.n / s->tile[1], 1}, .block = {s->block[0], s->block[1], 1}},
		.params = &params,
		.param_bytes = 20,
		.observers = observers,
		.nobservers = ngpus + 1};
	LaunchOutcome outcome;
	Err err = ERR_INIT;
	if (!machine_launch(b->machine, kernel, &launch, &outcome, &err)) die(s->name, err.what);
	if (outcome.status != LAUNCH_OK) die(s->name, outcome.message);
	double last = 0;
	for (size_t i = 0; i < ngpus; i++) {
		last = cpu_ms();
		free(model_predict(models[i]).timeline);
		model_free(models[i]);
	}
	const double end = cpu_ms();
	counters_free(counters);
	return (Cost){end - begun, end - last};
}

typedef struct {
	const char *const *gpus;
	size_t n;
	Cost best;
} Models;

/* In turns, as the machine may be slower for a while. */
static void best_of(const Bench *b, const EmuKernel *kernel, const Shape *s, Models *models, size_t nmodels) {
	for (int i = 0; i < 9; i++)
		for (Models *m = models; m < models + nmodels; m++) {
			const Cost cost = once(b, kernel, s, m->gpus, m->n);
			if (!i || cost.all < m->best.all) m->best.all = cost.all;
			if (!i || cost.replay < m->best.replay) m->best.replay = cost.replay;
		}
}

static void cost(const Bench *b, const char *root, const Shape *s) {
	static const char *const gtx280[] = {"GTX 280"}, *const h200[] = {"H200"};
	static const char *const all[] = {"GTX 280", "GTX 480", "GTX 980", "V100", "A100", "RTX 4090", "H200"};
	Err err = ERR_INIT;
	char path[512];
	EmuModule *module;
	snprintf(path, sizeof path, "%s/%s", root, s->file);
	char *text = nvrtc_ptx(path, 90, NULL);
	PtxModule *ptx = ptx_parse(text, strlen(text), &err);
	free(text);
	if (!ptx || !machine_load(b->machine, ptx, &module, &err)) die(path, err.what);
	const EmuKernel *kernel = emu_kernel(module, s->kernel);
	Models models[] = {{NULL, 0, {0, 0}}, {gtx280, 1, {0, 0}}, {h200, 1, {0, 0}}, {all, 7, {0, 0}}};
	best_of(b, kernel, s, models, 4);
	const double alone = models[0].best.all;
	printf("  %-16s %9.2f %9.2f %9.2f %9.2f %9.2f %8.2f\n", s->name, alone, models[1].best.all - alone,
		   models[2].best.all - alone, models[2].best.replay, models[3].best.all - alone,
		   models[2].best.all / alone - 1);
	machine_unload(b->machine, module);
	ptx_free(ptx);
}

int main(int argc, char **argv) {
	Err err = ERR_INIT;
	nvrtc_begin(argc, argv);
	if (argc < 2) die("usage", "predict SOURCE_ROOT [n] [NAME]");
	Bench b = {.machine = machine_open(gpu_default(), 1), .n = argc > 2 ? (uint32_t)atoi(argv[2]) : 1024};
	const size_t bytes = (size_t)(b.n + 128) * (b.n + 128) * 4;
	if (!machine_alloc(b.machine, bytes, "out", &b.out, &err) || !machine_alloc(b.machine, bytes, "in", &b.in, &err))
		die("memory", err.what);
	memset(machine_host(b.machine, b.in, bytes), 0, bytes);
	memset(machine_host(b.machine, b.out, bytes), 0, bytes);
	printf("n = %u, one host thread, ms of processor time, the least of nine\n", b.n);
	printf("  %-16s %9s %9s %9s %9s %9s %8s\n", "", "counts", "+ GTX 280", "+ H200", "replay", "+ 7 GPUs", "ratio");
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		if (strstr(shapes[i].name, argc > 3 ? argv[3] : "")) cost(&b, argv[1], &shapes[i]);
	machine_close(b.machine);
	return 0;
}
