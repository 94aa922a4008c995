/* How fast the emulator is: thread instructions a second by kernel, with counters off and on, and what the checkers
 * cost. emu SOURCE_ROOT [n] [part of a kernel's name] First on one host thread, by processor time; then on all cores,
 * by the wall clock: how many times faster that is than one host thread, the two taking turns, and how many times as
 * long it takes there under all checkers. Then the most memory the process held, beside its buffers; and, where
 * Oclgrind is installed, the 1024 x 1024 tiled transpose there and here, counting instructions in both, by processor
 * time. Not a test: nothing here can fail but the launches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sys/resource.h>
#include <unistd.h>

#include "base/str.h"
#include "emu/check/check.h"
#include "emu/code/handlers.h"
#include "emu/count/counters.h"
#include "emu/machine.h"
#include "nvrtc.h"

typedef struct {
	const char *name, *file, *kernel;
	uint32_t tile, block[2]; /* each block does tile x tile elements */
	uint32_t shrink;         /* of n: the work grows faster than n squared */
} Shape;

enum { CC = 90 };

static const Shape shapes[] = {
	{"copy", "tests/ptx/transpose.cu", "copy", 32, {32, 8}, 1},
	{"naive transpose", "tests/ptx/transpose.cu", "naive", 32, {32, 8}, 1},
	{"tile 32x32", "tests/ptx/transpose.cu", "_Z4tileILi0EEvPfPKfi", 32, {32, 8}, 1},
	{"tile 32x33", "tests/ptx/transpose.cu", "_Z4tileILi1EEvPfPKfi", 32, {32, 8}, 1},
	{"matmul 16x16", "tests/bench/kernels/emu.cu", "matmul", 16, {16, 16}, 8},
	{"mandelbrot", "tests/bench/kernels/emu.cu", "mandel", 16, {16, 16}, 4},
	{"reduction", "tests/bench/kernels/emu.cu", "reduce", 128, {16, 16}, 1},
};

typedef struct {
	Machine *machine;
	uint64_t out, in;
	uint32_t n;
} Bench;

typedef struct {
	Observer **observers;
	size_t count;
} Ears;

static double clock_ms(clockid_t clock) {
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Processor time does not blur on a busy machine; the wall clock shows what several cores bring. */
typedef struct {
	double cpu_ms, wall_ms;
} Time;

static Time best_of(const Bench *b, const EmuKernel *kernel, const Shape *s, Ears ears, int times) {
	struct {
		uint64_t out, in;
		uint32_t n;
	} params = {b->out, b->in, b->n / s->shrink / s->tile * s->tile}; /* whole tiles: the kernels have no guard */
	const uint32_t blocks = params.n / s->tile;
	EmuLaunch launch = {.config = {.grid = {blocks, blocks, 1}, .block = {s->block[0], s->block[1], 1}},
						.params = &params,
						.param_bytes = 20,
						.observers = ears.observers,
						.nobservers = ears.count};
	Time best = {1e300, 1e300};
	for (int i = 0; i < times; i++) {
		LaunchOutcome outcome;
		Err err = ERR_INIT;
		const double cpu = clock_ms(CLOCK_PROCESS_CPUTIME_ID), wall = clock_ms(CLOCK_MONOTONIC);
		if (!machine_launch(b->machine, kernel, &launch, &outcome, &err) || outcome.status != LAUNCH_OK) {
			fprintf(stderr, "%s: %s%s\n", s->name, err.what, outcome.message);
			exit(1);
		}
		const double cpu_ms = clock_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu, wall_ms = clock_ms(CLOCK_MONOTONIC) - wall;
		if (cpu_ms < best.cpu_ms) best.cpu_ms = cpu_ms;
		if (wall_ms < best.wall_ms) best.wall_ms = wall_ms;
	}
	return best;
}

static const EmuKernel *load(const Bench *b, const char *root, const Shape *s, PtxModule **ptx, EmuModule **module) {
	Err err = ERR_INIT;
	char path[512];
	snprintf(path, sizeof path, "%s/%s", root, s->file);
	char *text = nvrtc_ptx(path, CC, NULL);
	*ptx = ptx_parse(text, strlen(text), &err);
	free(text);
	if (!*ptx || !machine_load(b->machine, *ptx, module, &err)) {
		fprintf(stderr, "%s: %s\n", path, err.what);
		exit(1);
	}
	return emu_kernel(*module, s->kernel);
}

static Time checked(const Bench *b, const EmuKernel *kernel, const Shape *s, unsigned flags) {
	CheckSet *checks = checks_new(machine_gpu(b->machine), flags);
	Ears ears;
	ears.observers = checks_observers(checks, &ears.count);
	const Time best = best_of(b, kernel, s, ears, 2);
	checks_free(checks);
	return best;
}

static void speed(const Bench *b, const char *root, const Shape *s) {
	PtxModule *ptx;
	EmuModule *module;
	const EmuKernel *kernel = load(b, root, s, &ptx, &module);
	Counters *counters = counters_new(machine_gpu(b->machine));
	Observer *observers[] = {&counters->base};
	const double on = best_of(b, kernel, s, (Ears){observers, 1}, 4).cpu_ms;
	const double off = best_of(b, kernel, s, (Ears){0}, 4).cpu_ms;
	const double giga = (double)counters_total(counters).thread_instructions / 1e6;
	printf("  %-16s %8.1f %6.2f %6.2f  ", s->name, off, giga / off, giga / on);
	static const unsigned flags[] = {CHECK_MEMORY, CHECK_INIT, CHECK_RACE, CHECK_SYNC, CHECK_UNUSED, CHECK_ALL};
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		printf(" %5.2f", checked(b, kernel, s, flags[i]).cpu_ms / off);
	printf("\n");
	counters_free(counters);
	machine_unload(b->machine, module);
	ptx_free(ptx);
}

static void keep_best(double *best, double ms) {
	if (ms < *best) *best = ms;
}

static void all_cores(const Bench *one, const Bench *all, const char *root, const Shape *s) {
	PtxModule *ptx[2];
	EmuModule *module[2];
	const EmuKernel *alone = load(one, root, s, &ptx[0], &module[0]), *shared = load(all, root, s, &ptx[1], &module[1]);
	double ms[3] = {1e300, 1e300, 1e300};
	for (int round = 0; round < 8; round++) {
		keep_best(&ms[0], best_of(one, alone, s, (Ears){0}, 1).wall_ms);
		keep_best(&ms[1], best_of(all, shared, s, (Ears){0}, 2).wall_ms);
		if (round % 2) keep_best(&ms[2], checked(all, shared, s, CHECK_ALL).wall_ms);
	}
	printf("  %-16s %8.1f %8.2f %14.1f %6.2f\n", s->name, ms[1], ms[0] / ms[1], ms[2], ms[2] / ms[1]);
	machine_unload(one->machine, module[0]);
	machine_unload(all->machine, module[1]);
	ptx_free(ptx[0]);
	ptx_free(ptx[1]);
}

/* So that the memory it takes shows. */
static void run_once(const Bench *b, const char *root, const Shape *s) {
	PtxModule *ptx;
	EmuModule *module;
	best_of(b, load(b, root, s, &ptx, &module), s, (Ears){0}, 1);
	machine_unload(b->machine, module);
	ptx_free(ptx);
}

static Bench open_bench(unsigned threads, uint32_t n, size_t bytes) {
	Err err = ERR_INIT;
	Bench b = {.machine = machine_open(gpu_default(), threads), .n = n};
	if (!machine_alloc(b.machine, bytes, "out", &b.out, &err) || !machine_alloc(b.machine, bytes, "in", &b.in, &err)) {
		fprintf(stderr, "%s\n", err.what);
		exit(1);
	}
	memset(machine_host(b.machine, b.in, bytes), 0, bytes);
	memset(machine_host(b.machine, b.out, bytes), 0, bytes);
	return b;
}

/* --- beside Oclgrind ---------------------------------------------------------------------------------------------- */

enum { OTHER_N = 1024 };

static double children_s(void) {
	struct rusage u;
	getrusage(RUSAGE_CHILDREN, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* What oclgrind-kernel reads: program, kernel, sizes, arguments. */
static bool write_simulation(const char *path, const char *root) {
	FILE *f = fopen(path, "w");
	if (!f) return false;
	fprintf(f, "%s/tests/bench/kernels/tile.cl\ntile\n%d %d 1\n32 8 1\n\n", root, OTHER_N, OTHER_N / 4);
	for (int i = 0; i < 2; i++) fprintf(f, "<size=%d fill=%d float>\n", OTHER_N * OTHER_N * 4, i);
	fprintf(f, "<size=4 int>\n%d\n", OTHER_N);
	return fclose(f) == 0;
}

static double oclgrind_s(const char *root) {
	char path[] = "/tmp/gpulab-bench-XXXXXX", command[600];
	const int fd = mkstemp(path);
	if (fd < 0) return 0;
	close(fd);
	snprintf(command, sizeof command, "oclgrind-kernel --inst-counts %s >/dev/null 2>&1", path);
	const double before = children_s();
	const bool ran = write_simulation(path, root) && system(command) == 0;
	unlink(path);
	return ran ? children_s() - before : 0;
}

static void beside_oclgrind(Bench *b, const char *root) {
	static const Shape tile = {"tile 32x33", "tests/ptx/transpose.cu", "_Z4tileILi1EEvPfPKfi", 32, {32, 8}, 1};
	if (system("command -v oclgrind-kernel >/dev/null 2>&1") != 0) {
		printf("\nOclgrind is not installed, so there is no comparison with it\n");
		return;
	}
	PtxModule *ptx;
	EmuModule *module;
	b->n = OTHER_N;
	const EmuKernel *kernel = load(b, root, &tile, &ptx, &module);
	Counters *counters = counters_new(machine_gpu(b->machine));
	Observer *observers[] = {&counters->base};
	const double here = best_of(b, kernel, &tile, (Ears){observers, 1}, 4).cpu_ms, there = oclgrind_s(root) * 1e3;
	if (there > 0)
		printf("\n1024 x 1024 tiled transpose: here %.2f ms, Oclgrind with --inst-counts %.0f ms: %.0f times as fast\n",
			   here, there, there / here);
	else
		printf("\nOclgrind does not run here\n");
	counters_free(counters);
	machine_unload(b->machine, module);
	ptx_free(ptx);
}

int main(int argc, char **argv) {
	enum { SHAPES = sizeof shapes / sizeof *shapes };
	nvrtc_begin(argc, argv);
	if (argc < 2) {
		fprintf(stderr, "usage: %s SOURCE_ROOT [n] [NAME]\n", argv[0]);
		return 64;
	}
	const uint32_t n = argc > 2 ? (uint32_t)atoi(argv[2]) : 4000;
	const size_t bytes = (size_t)(n + 128) * (n + 128) * 4;
	const char *only = argc > 3 ? argv[3] : "";
	struct rusage usage;

	Bench one = open_bench(1, n, bytes);
	for (size_t i = 0; i < SHAPES; i++)
		if (strstr(shapes[i].name, only)) run_once(&one, argv[1], &shapes[i]);
	getrusage(RUSAGE_SELF, &usage);
	const double held = (double)usage.ru_maxrss / 1024, buffers = 2 * (double)bytes / (1 << 20);
	printf("%s, n = %u, one host thread: ms, 10^9 thread instructions/s, and times as long under checkers\n",
		   handler_isa(), n);
	printf("  %-16s %8s %6s %6s   %5s %5s %5s %5s %5s %5s\n", "", "ms", "plain", "counts", "mem.", "init", "race",
		   "sync", "unus.", "all");
	for (size_t i = 0; i < SHAPES; i++)
		if (strstr(shapes[i].name, only)) speed(&one, argv[1], &shapes[i]);

	Bench all = open_bench(0, n, bytes);
	printf("\nall cores, by the wall clock: ms, times as fast as one; under all checkers: ms, times as long\n");
	for (size_t i = 0; i < SHAPES; i++)
		if (strstr(shapes[i].name, only)) all_cores(&one, &all, argv[1], &shapes[i]);
	machine_close(all.machine);
	machine_close(one.machine);
	Bench other = open_bench(1, OTHER_N, (size_t)(OTHER_N + 128) * (OTHER_N + 128) * 4);
	printf("\nmemory: %.0f MiB held, %.0f MiB of them buffers: %.2f times, less 50 MiB\n", held, buffers,
		   (held - 50) / buffers);
	beside_oclgrind(&other, argv[1]);
	machine_close(other.machine);
	return 0;
}
