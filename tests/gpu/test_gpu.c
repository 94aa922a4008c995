/* The whole way to a real GPU and back: compile, load, launch, faults, hangs, death, times. Speaks TAP; needs no
 * cmocka, so that it can be carried to a machine with nothing but a GPU. Without a GPU it is skipped by name.
 *
 *     test_gpu [KERNELS.cu]       --worker NAME: it is its own worker */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/str.h"
#include "compile/compile.h"
#include "compile/worker/service.h"
#include "device/backend/worker.h"
#include "measure/compare.h"
#include "measure/measure.h"
#include "wire/child.h"

static const Define sentinel = {.kind = DEFINE_SENTINEL};
static const Define iota = {.kind = DEFINE_IOTA};

static Device *gpu;
static DeviceModule *module;
static char *source;
static Compiled *compiled;
static int done, failed;

/* --- a small harness ---------------------------------------------------------------------------------------------- */

static void note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void note(const char *fmt, ...) {
	char text[2000];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) printf("# %s\n", line);
	fflush(stdout);
}

static bool check(bool good, const char *what) {
	printf("%s %d - %s\n", good ? "ok" : "not ok", ++done, what);
	if (!good) failed++;
	fflush(stdout);
	return good;
}

static void need(bool good, const char *what, const Err *err) {
	if (good) return;
	check(false, what);
	note("%s %s", err->what, err->hint);
	printf("1..%d\n", done);
	exit(1);
}

static Buffer buffer(ElemType type, size_t count, const char *name, Define define) {
	Buffer b = {0};
	Err err = ERR_INIT;
	need(device_buffer(gpu, type, count, name, define, &b, &err), name, &err);
	return b;
}

static Arg of(Buffer b) {
	return (Arg){.kind = ARG_BUFFER, .buffer = b};
}

static Arg integer(int v) {
	Arg a = {.kind = ARG_VALUE};
	memcpy(a.value, &v, sizeof v);
	return a;
}

static Arg number(float v) {
	Arg a = {.kind = ARG_VALUE};
	memcpy(a.value, &v, sizeof v);
	return a;
}

static DeviceKernel *kernel(const char *name) {
	DeviceKernel *k = NULL;
	Err err = ERR_INIT;
	need(device_kernel(gpu, module, name, &k, &err), name, &err);
	return k;
}

typedef struct {
	uint32_t grid[3], block[3], timeout_ms;
	size_t shared;
} Shape;

static Launch make(const char *name, Shape s, const Arg *args, uint32_t nargs) {
	Launch l = {.kernel = kernel(name), .args = args, .nargs = nargs};
	for (int i = 0; i < 3; i++) {
		l.config.grid[i] = s.grid[i] ? s.grid[i] : 1;
		l.config.block[i] = s.block[i] ? s.block[i] : 1;
	}
	l.config.shared_bytes = s.shared;
	l.config.timeout_ms = s.timeout_ms;
	return l;
}

static bool run(const LaunchList *list, LaunchOutcome *o, Err *err) {
	Answer answer = {0};
	const bool ok = device_submit(gpu, list, &(Ask){.mode = MODE_RUN}, &answer, err);
	if (ok) *o = answer.outcome;
	answer_free(&answer);
	return ok;
}

static LaunchOutcome launch(const char *name, Shape s, const Arg *args, uint32_t nargs) {
	LaunchOutcome o = {0};
	Err err = ERR_INIT;
	const Launch l = make(name, s, args, nargs);
	need(run(LIST_OF(&l), &o, &err), name, &err);
	return o;
}

static void describe(const LaunchOutcome *o) {
	const Fault *f = &o->fault;
	if (o->status == LAUNCH_OK) return;
	note("%s: %s\n  %s\n", launch_status_names[o->status], fault_kind_names[f->kind], o->message);
	if (f->located)
		note("  thread (%u, %u, %u) of block (%u, %u, %u), %s:%u\n", f->thread[0], f->thread[1], f->thread[2],
			 f->block[0], f->block[1], f->block[2], f->file, f->line);
}

/* Dead ones have no command line. */
static bool serves_the_gpu(int pid) {
	static const char tail[] = "--worker\0cuda:0";
	char path[64], line[256];
	snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
	FILE *f = fopen(path, "r");
	if (!f) return false;
	const size_t n = fread(line, 1, sizeof line, f);
	fclose(f);
	return n >= sizeof tail && memcmp(line + n - sizeof tail, tail, sizeof tail) == 0;
}

/* The GPU's: the shadow device has one, too. 0: none. */
static pid_t worker(void) {
	char path[64];
	int pid, found = 0;
	snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	FILE *f = fopen(path, "r");
	while (f && fscanf(f, "%d", &pid) == 1)
		if (serves_the_gpu(pid)) found = pid;
	if (f) fclose(f);
	return found;
}

/* The number of the line that ends in "// LINE name". */
static uint32_t line_of(const char *name) {
	char mark[64];
	uint32_t line = 1;
	snprintf(mark, sizeof mark, "// LINE %s\n", name);
	const char *at = strstr(source, mark);
	for (const char *p = source; at && p < at; p++) line += *p == '\n';
	return at ? line : 0;
}

/* The next correct launch works, and how soon. */
static void works_again(const char *after) {
	char what[100];
	Err err = ERR_INIT;
	int x = 0;
	const double begun = seconds_now();
	Buffer b = buffer(ELEM_I32, 1000, "again", iota);
	const Arg args[] = {of(b), integer(1000)};
	LaunchOutcome o = launch("increment", (Shape){.grid = {8}, .block = {128}}, args, 2);
	bool good = o.status == LAUNCH_OK && device_download(gpu, b, 999, &x, 1, &err) && x == 1000;
	snprintf(what, sizeof what, "after %s the next correct launch works", after);
	check(good, what);
	note("ready again after %.2f s", seconds_now() - begun);
	device_free(gpu, b, NULL);
}

/* --- the checks --------------------------------------------------------------------------------------------------- */

static void open_and_compile(const char *path) {
	static const char *const names[] = {"scale",    "transpose<0>", "transpose<1>", "increment", "past_end",
										"far_away", "misaligned",   "trapped",      "asserted",  "forever",
										"say",      "dynamic",      "bounded",      "nothing",   NULL};
	Err err = ERR_INIT;
	size_t len;
	const double begun = seconds_now();
	need(device_open("cuda:0", &gpu, &err), "opens", &err);
	const DeviceInfo *i = device_info(gpu);
	check(strcmp(i->backend, "cuda") == 0 && i->sms > 0 && i->cc >= 75 && i->memory_bytes > 0 && i->l2_bytes > 0,
		  "opens");
	note("%s, cc %u, %u SMs, L2 %.1f MB, %.1f GB, %.2f GHz, %.0f GB/s, shared %zu/%zu, driver %s, CUDA %s, record %s; "
		 "open in %.2f s",
		 i->gpu_name, i->cc, i->sms, (double)i->l2_bytes * 1e-6, (double)i->memory_bytes * 1e-9, i->clock_ghz,
		 i->dram_gbps, i->shared_per_block, i->shared_per_sm, i->driver, i->runtime, i->gpu ? i->gpu->name : "none",
		 seconds_now() - begun);
	source = file_read(path, FILE_SOURCE_MOST, &len, &err);
	need(source != NULL, path, &err);
	const CompileJob job = {.source = source, .path = path, .cc = i->cc, .names = names};
	need(compile(&job, &compiled, NULL, &err), "compiles", &err);
	need(device_load(gpu, compiled, &module, &err), "loads", &err);
	check(true, "compiles and loads");
}

static void launches_compute(void) {
	enum { N = 2048 };
	Err err = ERR_INIT;
	float *got = malloc((size_t)N * N * sizeof *got);
	Buffer in = buffer(ELEM_F32, (size_t)N * N, "in", iota), out = buffer(ELEM_F32, (size_t)N * N, "out", sentinel);
	const Arg args[] = {of(out), of(in), integer(N)};
	LaunchOutcome o = launch("transpose<1>", (Shape){.grid = {N / 32, N / 32}, .block = {32, 8}}, args, 3);
	bool good = o.status == LAUNCH_OK && device_download(gpu, out, 0, got, (size_t)N * N, &err);
	for (size_t y = 0; good && y < N; y++)
		for (size_t x = 0; good && x < N; x++) good = got[y * N + x] == (float)(x * N + y);
	check(good, "a transpose is right in every element");
	note("one launch: %.4f ms", o.milliseconds);
	check(o.milliseconds > 0 && o.milliseconds < 1000, "and took some time");
	free(got);
	device_free(gpu, in, NULL);
	device_free(gpu, out, NULL);
}

static void ptx_alone_loads(void) {
	Err err = ERR_INIT;
	Compiled ptx_only = *compiled;
	DeviceModule *jit = NULL;
	DeviceKernel *k = NULL;
	LaunchOutcome o = {0};
	float x = 0;
	ptx_only.cubin = NULL;
	ptx_only.cubin_bytes = 0;
	Buffer in = buffer(ELEM_F32, 100, "in", iota), out = buffer(ELEM_F32, 100, "out", sentinel);
	const Arg args[] = {of(out), of(in), number(2), integer(100)};
	bool good = device_load(gpu, &ptx_only, &jit, &err) && device_kernel(gpu, jit, "scale", &k, &err);
	const Launch l = {.kernel = k, .config = {.grid = {1, 1, 1}, .block = {128, 1, 1}}, .args = args, .nargs = 4};
	good = good && run(LIST_OF(&l), &o, &err) && device_download(gpu, out, 99, &x, 1, &err) && x == 198;
	check(good, "the driver compiles PTX where there is no machine code");
	if (!good) note("%s", err.what);
	device_unload(gpu, jit);
	device_free(gpu, in, NULL);
	device_free(gpu, out, NULL);
}

static void bulk_data_moves(void) {
	Err err = ERR_INIT;
	const size_t count = 64 << 20;
	int *sent = malloc(count * sizeof *sent), *got = malloc(count * sizeof *got);
	for (size_t i = 0; i < count; i++) sent[i] = (int)(i * 2654435761u);
	Buffer b = buffer(ELEM_I32, count, "bulk", sentinel);
	const double t0 = seconds_now();
	bool good = device_upload(gpu, b, 0, sent, count, &err);
	const double t1 = seconds_now();
	good = good && device_download(gpu, b, 0, got, count, &err);
	const double t2 = seconds_now();
	good = good && memcmp(sent, got, count * sizeof *sent) == 0;
	check(good, "256 MB go and come back");
	note("up %.2f GB/s, down %.2f GB/s", (double)count * 4e-9 / (t1 - t0), (double)count * 4e-9 / (t2 - t1));
	free(sent);
	free(got);
	device_free(gpu, b, NULL);
}

static void kernels_tell(void) {
	KernelInfo info;
	Occupancy occ;
	Err err = ERR_INIT;
	bool good = device_kernel_info(gpu, kernel("transpose<1>"), &info, &err) && info.registers > 0 &&
				!info.registers_estimated && info.static_shared == 32 * 33 * 4 &&
				device_occupancy(gpu, kernel("transpose<1>"), 256, 0, &occ, &err) && occ.blocks_per_sm > 0 &&
				occ.fraction > 0 && occ.fraction <= 1;
	check(good, "attributes and occupancy");
	if (good)
		note("transpose<1>: %u registers, %zu B shared, %u blocks and %u warps an SM (%.0f %%), limited by %s",
			 info.registers, info.static_shared, occ.blocks_per_sm, occ.warps_per_sm, occ.fraction * 100,
			 occ.limited_by);
}

static void gather(void *user, const char *text, size_t len) {
	str_addn(user, text, len);
}

static void printf_comes_back(void) {
	Str s = {0};
	LaunchOutcome o = {0};
	Err err = ERR_INIT;
	const Arg args[] = {integer(2)};
	LaunchItem item = {.launch = make("say", (Shape){.block = {2}}, args, 1)};
	const LaunchList list = {.items = &item, .nitems = 1, .print = gather, .user = &s};
	bool good = run(&list, &o, &err) && s.text && strcmp(s.text, "block 0 thread 0 of 2\nblock 0 thread 1 of 2\n") == 0;
	check(good, "printf comes back");
	if (!good) note("got: %s", s.text ? s.text : "nothing");
	str_clear(&s);
	item.launch.config.grid[0] = 2000; /* more text than a pipe holds */
	good = run(&list, &o, &err) && o.status == LAUNCH_OK;
	size_t lines = 0;
	for (size_t i = 0; i < s.len; i++) lines += s.text[i] == '\n';
	check(good && lines == 4000, "printf comes back, 4000 lines of it");
	str_free(&s);
}

static void limits_are_told(void) {
	Buffer b = buffer(ELEM_I32, 4096, "b", sentinel);
	const Arg args[] = {of(b), integer(1)}, one[] = {of(b)};
	const pid_t before = worker();
	LaunchOutcome o = launch("increment", (Shape){.block = {2048}}, args, 2);
	check(o.status == LAUNCH_LIMIT && strstr(o.message, "2048") && strstr(o.message, "1024"), "limit: threads a block");
	note("%s", o.message);
	o = launch("dynamic", (Shape){.block = {32}, .shared = 1 << 20}, args, 2);
	check(o.status == LAUNCH_LIMIT && strstr(o.message, "1048576"), "limit: shared memory");
	note("%s", o.message);
	o = launch("bounded", (Shape){.block = {512}}, one, 1);
	check(o.status == LAUNCH_LIMIT && strstr(o.message, "512") && strstr(o.message, "256"), "limit: of this kernel");
	note("%s", o.message);
	o = launch("increment", (Shape){.grid = {1, 70000}, .block = {32}}, args, 2);
	check(o.status == LAUNCH_LIMIT && strstr(o.message, "70000") && strstr(o.message, "65535"), "limit: grid");
	check(worker() == before, "limits cost nothing");
	Err err = ERR_INIT;
	int x = 0;
	const Arg most[] = {of(b), integer(200 * 256)};
	o = launch("dynamic", (Shape){.block = {32}, .shared = 200 * 1024}, most, 2);
	check(o.status == LAUNCH_OK && device_download(gpu, b, 0, &x, 1, &err) && x == 200 * 256 - 1,
		  "200 KB of shared memory, asked for");
	describe(&o);
	device_free(gpu, b, NULL);
}

typedef struct {
	const char *kernel;
	FaultKind kind;
	bool replayed;
	uint32_t block, thread;
} Case;

static void faults_are_located(void) {
	static const Case cases[] = {{"far_away", FAULT_OUT_OF_BOUNDS, true, 0, 0},
								 {"misaligned", FAULT_MISALIGNED, true, 0, 0},
								 {"trapped", FAULT_TRAP, true, 2, 5},
								 {"asserted", FAULT_ASSERT, false, 0, 0}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const Case *c = &cases[i];
		char what[100];
		Buffer b = buffer(c->kind == FAULT_MISALIGNED ? ELEM_I8 : ELEM_I32, 4096, "target", sentinel);
		const Arg args[] = {of(b)};
		const double begun = seconds_now();
		LaunchOutcome o = launch(c->kernel, (Shape){.grid = {4}, .block = {64}}, args, 1);
		const double took = seconds_now() - begun;
		bool good = o.status == LAUNCH_FAULT && o.fault.kind == c->kind && o.fault.located &&
					o.fault.replayed == c->replayed && o.fault.line == line_of(c->kernel);
		if (c->kind == FAULT_TRAP) good = good && o.fault.block[0] == c->block && o.fault.thread[0] == c->thread;
		if (c->kind == FAULT_ASSERT) good = good && o.fault.thread[0] >= 40;
		snprintf(what, sizeof what, "%s: fault with thread and line", c->kernel);
		check(good, what);
		note("in %.2f s", took);
		describe(&o);
		works_again(c->kernel);
		device_free(gpu, b, NULL);
	}
}

static void one_past_the_end(void) {
	Buffer b = buffer(ELEM_I32, 1000, "odata", sentinel);
	const Arg args[] = {of(b), integer(1000)}, fine[] = {of(b), integer(999)};
	const pid_t before = worker();
	LaunchOutcome o = launch("past_end", (Shape){.grid = {16}, .block = {64}}, args, 2);
	check(o.status == LAUNCH_FAULT && o.fault.kind == FAULT_OUT_OF_BOUNDS && strcmp(o.fault.buffer, "odata") == 0 &&
			  o.fault.offset == 4000 && o.fault.located && o.fault.block[0] == 15 && o.fault.thread[0] == 40 &&
			  o.fault.line == line_of("past_end"),
		  "a store one element past the end: buffer, element, block, thread, line");
	describe(&o);
	check(worker() == before, "which the GPU itself did not notice");
	check(launch("past_end", (Shape){.grid = {16}, .block = {64}}, fine, 2).status == LAUNCH_OK,
		  "and the next correct launch works");
	device_free(gpu, b, NULL);
}

static void *cancel_later(void *user) {
	usleep(300000);
	atomic_store(&cancel_flag, true);
	return NULL;
}

static void *kill_later(void *user) {
	usleep(300000);
	kill(*(pid_t *)user, SIGKILL);
	return NULL;
}

static void hangs_end(void) {
	pthread_t thread;
	Buffer flag = buffer(ELEM_I32, 1, "flag", (Define){.kind = DEFINE_FILL, .value = 0});
	const Arg args[] = {of(flag)};
	double begun = seconds_now();
	LaunchOutcome o = launch("forever", (Shape){.block = {32}, .timeout_ms = 500}, args, 1);
	double took = seconds_now() - begun;
	check(o.status == LAUNCH_TIMEOUT, "a kernel that never ends is stopped at its limit");
	note("in %.2f s: %s", took, o.message);
	works_again("a timeout");

	pthread_create(&thread, NULL, cancel_later, NULL);
	begun = seconds_now();
	o = launch("forever", (Shape){.block = {32}}, args, 1);
	took = seconds_now() - begun;
	pthread_join(thread, NULL);
	atomic_store(&cancel_flag, false);
	check(o.status == LAUNCH_INTERRUPTED, "Ctrl-C stops a kernel that never ends");
	note("%.2f s after it", took - 0.3);
	works_again("Ctrl-C");

	pid_t pid = worker();
	pthread_create(&thread, NULL, kill_later, &pid);
	begun = seconds_now();
	o = launch("forever", (Shape){.block = {32}}, args, 1);
	took = seconds_now() - begun;
	pthread_join(thread, NULL);
	check(o.status == LAUNCH_FAULT && strstr(o.message, "signal 9"), "kill -9 in a launch is told");
	note("%.2f s after it: %s", took - 0.3, o.message);
	works_again("kill -9");
	device_free(gpu, flag, NULL);
}

static void contents_after_death(void) {
	Err err = ERR_INIT;
	float x = 0;
	Buffer in = buffer(ELEM_F32, 100, "idata", iota), out = buffer(ELEM_F32, 100, "odata", sentinel);
	const Arg args[] = {of(out), of(in), number(3), integer(100)};
	launch("scale", (Shape){.block = {128}}, args, 4);
	kill(worker(), SIGKILL);
	check(!device_download(gpu, out, 0, &x, 1, &err) && err.kind == ERR_FAULT && strstr(err.what, "odata"),
		  "lost content is named");
	note("%s; %s", err.what, err.hint);
	check(device_download(gpu, in, 9, &x, 1, &err) && x == 9, "the input is filled again");
	LaunchOutcome o = launch("scale", (Shape){.block = {128}}, args, 4);
	check(o.status == LAUNCH_OK && device_download(gpu, out, 9, &x, 1, &err) && x == 27,
		  "and the launch that wrote it mends it");
	device_free(gpu, in, NULL);
	device_free(gpu, out, NULL);
}

static bool timed(const char *name, Shape s, const Arg *args, uint32_t nargs, double bytes, Measurement *m) {
	Err err = ERR_INIT;
	LaunchOutcome o;
	const Launch l = make(name, s, args, nargs);
	const MeasureConfig config = {.min_bytes = bytes};
	const double begun = seconds_now();
	if (!measure(gpu, LIST_OF(&l), &config, m, &o, &err)) {
		note("%s: %s", name, err.what);
		return false;
	}
	note("%-14s %.5f ms [%.5f, %.5f] min %.5f hot %.5f, %.0f GB/s, %u samples (%u left out), batch %u, %.3f GHz; %s; "
		 "in %.2f s",
		 name, m->median_ms, m->q1_ms, m->q3_ms, m->min_ms, m->hot_ms, bytes / m->median_ms * 1e-6, m->samples,
		 m->discarded, m->batch, m->clock_ghz, m->note, seconds_now() - begun);
	return true;
}

static void times_can_be_trusted(void) {
	enum { N = 4096 };
	const double bytes = 2.0 * N * N * sizeof(float);
	const Shape shape = {.grid = {N / 32, N / 32}, .block = {32, 8}};
	Measurement bad, good, again, empty, few;
	Buffer in = buffer(ELEM_F32, (size_t)N * N, "in", iota), out = buffer(ELEM_F32, (size_t)N * N, "out", sentinel);
	const Arg args[] = {of(out), of(in), integer(N)}, part[] = {of(out), of(in), number(1), integer(1000)};
	bool ok = timed("transpose<0>", shape, args, 3, bytes, &bad) &&
			  timed("transpose<1>", shape, args, 3, bytes, &good) &&
			  timed("transpose<1>", shape, args, 3, bytes, &again) &&
			  timed("nothing", (Shape){.block = {32}}, NULL, 0, 0, &empty) &&
			  timed("scale", (Shape){.grid = {8}, .block = {128}}, part, 4, bytes, &few);
	if (!check(ok, "times are taken")) return;
	/* Shared memory bounds the one, DRAM the other: twice on an H200 of 4800 GB/s, less where DRAM is slower beside the
	 * same SMs. */
	const double least = 2 * fmin(1, device_info(gpu)->dram_gbps / 4800);
	check(bad.median_ms > least * good.median_ms,
		  "the padded tile is faster than the conflicting one by what DRAM allows");
	note("padded over conflicting: %.2f times as fast", bad.median_ms / good.median_ms);
	check(fabs(good.median_ms / again.median_ms - 1) < 0.01, "a repeat agrees within 1 %");
	note("repeat differs by %.2f %%", 100 * fabs(good.median_ms / again.median_ms - 1));
	check(!good.impossible && !bad.impossible && good.batch == 1, "both are possible");
	check(empty.batch > 1 && empty.as_graph && empty.median_ms > 0 && empty.median_ms < 0.02 && *empty.note,
		  "an empty kernel is timed as a graph of many");
	check(good.overhead_ms > 0 && good.overhead_ms < 0.01, "the events' own distance is known and small");
	check(few.impossible && strstr(few.note, "impossible"), "a kernel that leaves its work undone is found out");
	check(good.clock_ghz == 0 || (good.clock_ghz > 0.2 && good.clock_ghz < 4),
		  "the SM clock is sane where it is known");
	device_free(gpu, in, NULL);
	device_free(gpu, out, NULL);
}

/* Two runs of the same kernel are told apart at most five times in a hundred; a kernel that is faster is. */
static void comparing_keeps_its_word(void) {
	enum { N = 2048, TRIES = 50 };
	const Shape shape = {.grid = {N / 32, N / 32}, .block = {32, 8}};
	const CompareConfig config = {.wall_cap_s = 0.1};
	Err err = ERR_INIT;
	LaunchOutcome o;
	Comparison c = {0};
	Buffer in = buffer(ELEM_F32, (size_t)N * N, "in", iota), out = buffer(ELEM_F32, (size_t)N * N, "out", sentinel);
	const Arg args[] = {of(out), of(in), integer(N)}, few[] = {of(out), of(in), number(1), integer(1000)};
	const Launch slow = make("transpose<0>", shape, args, 3), fast = make("transpose<1>", shape, args, 3),
				 tiny = make("scale", (Shape){.grid = {8}, .block = {128}}, few, 4);
	const Launch *const same[] = {&slow, &fast, &tiny};
	int reported = 0;
	bool ok = true;
	const double begun = seconds_now();
	for (int i = 0; ok && i < 2 * TRIES; i++) {
		const Launch *l = same[i % 3];
		ok = compare(gpu, LIST_OF(l), LIST_OF(l), &config, &c, &o, &err);
		reported += c.verdict != COMPARE_CANNOT_TELL;
		if (i < 3)
			note("%s with itself: %.4f to %.4f, %u pairs of %u", i == 2 ? "scale" : "transpose", c.low, c.high, c.pairs,
				 c.batch);
	}
	note("%d of %d told apart, in %.1f s; %s", reported, 2 * TRIES, seconds_now() - begun, err.what);
	check(ok && reported <= TRIES / 10, "a kernel cannot be told from itself");
	ok = compare(gpu, LIST_OF(&slow), LIST_OF(&fast), NULL, &c, &o, &err);
	note("padded over conflicting: %.4f (%.4f to %.4f), %u pairs", c.ratio, c.low, c.high, c.pairs);
	check(ok && c.verdict == COMPARE_FASTER && c.high < 0.6, "the padded tile is faster");
	ok = compare(gpu, LIST_OF(&fast), LIST_OF(&slow), NULL, &c, &o, &err);
	check(ok && c.verdict == COMPARE_SLOWER, "and the other way round slower");
	device_free(gpu, in, NULL);
	device_free(gpu, out, NULL);
}

static void counting_agrees(void) {
	enum { N = 1024 };
	CountReport r;
	LaunchOutcome o;
	Err err = ERR_INIT;
	Buffer in = buffer(ELEM_F32, (size_t)N * N, "in", iota), out = buffer(ELEM_F32, (size_t)N * N, "out", sentinel);
	const Arg args[] = {of(out), of(in), integer(N)};
	const Launch l = make("transpose<0>", (Shape){.grid = {N / 32, N / 32}, .block = {32, 8}}, args, 3);
	const Gpu *rules = device_info(gpu)->gpu ? device_info(gpu)->gpu : gpu_default();
	bool good = count_launches(gpu, LIST_OF(&l), rules, &rules, 1, NULL, &r, &o, &err);
	if (good) {
		const Counts c = count_report_total(&r);
		good = c.shared_load_requests == N * N / 32 && c.shared_load_wavefronts == (uint64_t)N * N;
		count_report_free(&r);
	} else {
		note("%s", err.what);
	}
	check(good, "the same launch on the emulator: 32 wavefronts a request");
	device_free(gpu, in, NULL);
	device_free(gpu, out, NULL);
}

int main(int argc, char **argv) {
	Err err = ERR_INIT;
	Device *probe;
	compile_worker_if_asked(argc, argv);
	if (argc == 3 && strcmp(argv[1], "--worker") == 0) return worker_main(WORKER_FD);
	if (!device_open("cuda:0", &probe, &err)) {
		printf("1..0 # SKIP gpu: %s\n", err.what);
		return 0;
	}
	device_close(probe);
	open_and_compile(argc > 1 ? argv[1] : TEST_GPU_KERNELS);
	launches_compute();
	ptx_alone_loads();
	bulk_data_moves();
	kernels_tell();
	printf_comes_back();
	limits_are_told();
	one_past_the_end();
	faults_are_located();
	hangs_end();
	contents_after_death();
	times_can_be_trusted();
	comparing_keeps_its_word();
	counting_agrees();
	device_close(gpu);
	compiled_free(compiled);
	free(source);
	printf("1..%d\n", done);
	return failed != 0;
}
