/* Kernels under every checker. `checks DIR` runs each DIR/NN-name.cu through the machine:
 *     bugs    every line marked must be named by a finding of that checker, and every finding must be marked
 *     clean   nothing may be found, and the results must be those of the CPU reference
 *
 * What a file says in comments:
 *     // @kernel NAME                 as in CUDA C++: sum, scan<256>
 *     // @gpu NAME                    whose rules; H200 unless said
 *     // @grid X [Y Z]   // @block X [Y Z]   // @shared BYTES
 *     // @buffer NAME TYPE COUNT FORMULA | poison      f32 f64 i32 u32 i64 u8 u16; poison: the host writes nothing
 *     // @free NAME                   freed before the launch, its address passed all the same
 *     // @arg NAME [BYTES] | TYPE FORMULA
 *     // @expect NAME FORMULA         clean: every element afterwards (formula.h)
 *     // @near NAME TOLERANCE FORMULA
 *     // @reference FUNCTION          clean: one of references.c computes what is expected
 *     code;  // @race                 bugs: a finding of this checker names this line; also @memory @init @sync @unused
 *     // @anywhere unused             bugs: a finding without a line
 *     // @schedules                   bugs: some adversarial schedule gives another answer than the ordinary one
 *
 * Every clean kernel gives its reference's results under adversarial schedules too (GPULAB_SCHEDULES of them, 3 unless
 * set). */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "compile/compile.h"
#include "compile/worker/service.h"
#include "emu/check/check.h"
#include "emu/machine.h"
#include "formula.h"
#include "references.h"

enum { MAX_BUFFERS = 12, MAX_ARGS = 16, MAX_MARKS = 32, MAX_EXPECTED = 8 };

typedef struct {
	char name[32], init[256], type[8];
	size_t count, bytes; /* of an element */
	uint8_t *before, *after;
	uint64_t addr;
	bool poison, freed;
} KernelBuffer;

typedef struct {
	uint32_t line; /* 0: anywhere */
	unsigned flag;
	bool seen;
} Mark;

typedef struct {
	char path[300], title[128], kernel[128], gpu[64], reference[64];
	char *source;
	bool clean, schedules;
	LaunchConfig config;
	KernelBuffer buffers[MAX_BUFFERS];
	char args[MAX_ARGS][256];
	char expected[MAX_EXPECTED][400];
	bool near[MAX_EXPECTED];
	Mark marks[MAX_MARKS];
	size_t nbuffers, nargs, nexpected, nmarks;
} Kernel;

/* --- elements ----------------------------------------------------------------------------------------------------- */

static size_t type_bytes(const char *type) {
	return strstr(type, "64") ? 8 : strstr(type, "32") ? 4 : strstr(type, "16") ? 2 : 1;
}

static Number load(const char *type, const uint8_t *at) {
	const size_t n = type_bytes(type);
	Number v = {.is_int = true};
	float f;
	if (type[0] == 'f') {
		v.is_int = false;
		if (n == 8)
			memcpy(&v.x, at, 8);
		else
			memcpy(&f, at, 4), v.x = f;
		return v;
	}
	memcpy(&v.n, at, n);
	if (type[0] == 'i' && n < 8) v.n = (int64_t)((uint64_t)v.n << (64 - 8 * n)) >> (64 - 8 * n);
	return v;
}

static void store(const char *type, uint8_t *at, Number v) {
	const double d = as_double(v);
	const float f = (float)d;
	const int64_t n = as_int(v);
	if (type[0] == 'f')
		memcpy(at, type_bytes(type) == 8 ? (const void *)&d : (const void *)&f, type_bytes(type));
	else
		memcpy(at, &n, type_bytes(type));
}

static KernelBuffer *find_buffer(Kernel *k, const char *name) {
	for (size_t i = 0; i < k->nbuffers; i++)
		if (!strcmp(k->buffers[i].name, name)) return &k->buffers[i];
	return NULL;
}

static bool element_of(void *user, const char *name, int64_t index, Number *out) {
	const KernelBuffer *b = find_buffer(user, name);
	if (!b || index < 0 || (size_t)index >= b->count) return false;
	*out = load(b->type, b->before + (size_t)index * b->bytes);
	return true;
}

static Number evaluate(Kernel *k, const char *text, int64_t i) {
	const FormulaContext context = {.i = {.is_int = true, .n = i}, .element = element_of, .user = k};
	Number v;
	const char *bad;
	if (!formula(text, &context, &v, &bad)) fail_msg("%s: no formula: %s (at \"%s\")", k->path, text, bad);
	return v;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void broken(const Kernel *k, unsigned line, const char *what) {
	fprintf(stderr, "%s:%u: %s\n", k->path, line, what);
	exit(2);
}

static bool read_buffer(Kernel *k, const char *rest) {
	KernelBuffer *b = &k->buffers[k->nbuffers++];
	if (k->nbuffers > MAX_BUFFERS) return false;
	if (sscanf(rest, "%31s %7s %zu %255[^\n]", b->name, b->type, &b->count, b->init) != 4) return false;
	b->bytes = type_bytes(b->type);
	b->poison = !strcmp(b->init, "poison");
	return strchr("fiu", b->type[0]) != NULL;
}

static bool read_setting(Kernel *k, const char *word, const char *rest) {
	LaunchConfig *c = &k->config;
	if (!strcmp(word, "kernel")) return snprintf(k->kernel, sizeof k->kernel, "%s", rest) > 0;
	if (!strcmp(word, "gpu")) return snprintf(k->gpu, sizeof k->gpu, "%s", rest) > 0;
	if (!strcmp(word, "grid")) return sscanf(rest, "%u %u %u", &c->grid[0], &c->grid[1], &c->grid[2]) >= 1;
	if (!strcmp(word, "block")) return sscanf(rest, "%u %u %u", &c->block[0], &c->block[1], &c->block[2]) >= 1;
	if (!strcmp(word, "shared")) return sscanf(rest, "%zu", &c->shared_bytes) == 1;
	if (!strcmp(word, "buffer")) return read_buffer(k, rest);
	if (!strcmp(word, "schedules")) return k->schedules = true;
	if (!strcmp(word, "free")) return find_buffer(k, rest) && (find_buffer(k, rest)->freed = true);
	if (!strcmp(word, "reference")) return snprintf(k->reference, sizeof k->reference, "%s", rest) > 0;
	if (!strcmp(word, "arg"))
		return k->nargs < MAX_ARGS && snprintf(k->args[k->nargs++], sizeof k->args[0], "%s", rest) > 0;
	if (!strcmp(word, "expect") || !strcmp(word, "near")) {
		if (k->nexpected == MAX_EXPECTED) return false;
		k->near[k->nexpected] = word[0] == 'n';
		return snprintf(k->expected[k->nexpected++], sizeof k->expected[0], "%s", rest) > 0;
	}
	return false;
}

static void read_comment(Kernel *k, const char *comment, uint32_t number) {
	char word[32];
	int at = 0;
	if (sscanf(comment, "%31s %n", word, &at) < 1) broken(k, number, "an empty comment");
	const char *rest = comment + at;
	const bool anywhere = !strcmp(word, "anywhere");
	unsigned flag;
	if (checks_parse(anywhere ? rest : word, &flag, NULL)) {
		if (k->nmarks == MAX_MARKS) broken(k, number, "too many marks");
		k->marks[k->nmarks++] = (Mark){.line = anywhere ? 0 : number, .flag = flag};
	} else if (!read_setting(k, word, rest))
		broken(k, number, "a comment that is not understood");
}

static void read_line(Kernel *k, char *line, uint32_t number) {
	for (char *comment = strstr(line, "// @"), *next; comment; comment = next) {
		next = strstr(comment + 4, "// @");
		if (next) next[-1] = '\0';
		read_comment(k, comment + 4, number);
	}
}

static Kernel *read_kernel(const char *folder, const char *name) {
	Err err = ERR_INIT;
	Kernel *k = xcalloc(1, sizeof *k);
	snprintf(k->path, sizeof k->path, "%.180s/%.100s", folder, name);
	snprintf(k->title, sizeof k->title, "%.100s", name);
	snprintf(k->gpu, sizeof k->gpu, "H200");
	k->config = (LaunchConfig){.grid = {1, 1, 1}, .block = {1, 1, 1}, .timeout_ms = 20000};
	k->clean = text_ends(folder, "clean");
	k->source = file_read(k->path, FILE_SOURCE_MOST, NULL, &err);
	if (!k->source) broken(k, 0, err.what);
	char *text = xstrdup(k->source);
	uint32_t number = 0;
	for (char *line = text, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next) *next++ = '\0';
		read_line(k, line, ++number);
	}
	free(text);
	if (k->clean == (k->nmarks > 0)) broken(k, 0, k->clean ? "a clean kernel with marks" : "a bug without a mark");
	if (k->clean && !k->nexpected && !k->reference[0]) broken(k, 0, "a clean kernel without a reference");
	return k;
}

/* --- running ------------------------------------------------------------------------------------------------------ */

static void make_buffers(Kernel *k, Machine *m) {
	Err err = ERR_INIT;
	for (size_t i = 0; i < k->nbuffers; i++) {
		KernelBuffer *b = &k->buffers[i];
		free(b->before);
		free(b->after);
		b->before = xcalloc(b->count + 1, b->bytes);
		b->after = xcalloc(b->count + 1, b->bytes);
		if (b->poison) memset(b->before, 0xff, b->count * b->bytes);
		for (size_t e = 0; e < b->count && !b->poison; e++)
			store(b->type, b->before + e * b->bytes, evaluate(k, b->init, (int64_t)e));
		assert_true(machine_alloc(m, b->count * b->bytes, b->name, &b->addr, &err));
		machine_track_fresh(m, b->addr);
		if (!b->poison) assert_true(machine_write(m, b->addr, b->before, b->count * b->bytes, &err));
		if (b->freed) assert_true(machine_release(m, b->addr, &err));
	}
}

static void refill(Kernel *k, Machine *m) {
	Err err = ERR_INIT;
	for (size_t i = 0; i < k->nbuffers; i++) {
		const KernelBuffer *b = &k->buffers[i];
		if (!b->freed) assert_true(machine_write(m, b->addr, b->before, b->count * b->bytes, &err));
	}
}

static void read_back(Kernel *k, Machine *m) {
	Err err = ERR_INIT;
	for (size_t i = 0; i < k->nbuffers; i++) {
		const KernelBuffer *b = &k->buffers[i];
		if (!b->freed) assert_true(machine_read(m, b->addr, b->after, b->count * b->bytes, &err));
	}
}

static size_t pack(Kernel *k, const PtxFunction *f, uint8_t *params) {
	if (k->nargs != f->nparams) fail_msg("%s: %zu arguments for %u parameters", k->path, k->nargs, f->nparams);
	for (size_t i = 0; i < k->nargs; i++) {
		char first[64], rest[256] = "0";
		assert_true(sscanf(k->args[i], "%63s %255[^\n]", first, rest) >= 1);
		uint8_t *at = params + f->params[i]->offset;
		const KernelBuffer *b = find_buffer(k, first);
		const uint64_t addr = b ? b->addr + (uint64_t)as_int(evaluate(k, rest, 0)) : 0;
		if (b)
			memcpy(at, &addr, 8);
		else
			store(first, at, evaluate(k, rest, 0));
	}
	return f->param_bytes;
}

static void describe(const Finding *f, Str *out) {
	str_addf(out, "\n  %s", check_name(f->check));
	for (uint32_t s = 0; s < f->nsites; s++) str_addf(out, " line %u (%s)", f->site[s].line, f->site[s].access);
	str_addf(out, " x%llu: %s", (unsigned long long)f->count, f->message);
}

static bool names(const Finding *f, Mark *mark) {
	if (!(mark->flag & f->check)) return false;
	bool here = !mark->line && !f->nsites;
	for (uint32_t s = 0; s < f->nsites; s++) here |= f->site[s].line == mark->line;
	mark->seen |= here;
	return here;
}

static void compare_findings(Kernel *k, const Finding *found, size_t n) {
	Str text = {0};
	bool good = true;
	str_add(&text, "found:");
	for (size_t i = 0; i < n; i++) {
		bool expected = false;
		for (size_t x = 0; x < k->nmarks; x++) expected |= names(&found[i], &k->marks[x]);
		good &= expected;
		describe(&found[i], &text);
	}
	for (size_t x = 0; x < k->nmarks; x++) {
		if (k->marks[x].seen) continue;
		good = false;
		str_addf(&text, "\nmissed: %s at line %u", check_name((CheckFlag)k->marks[x].flag), k->marks[x].line);
	}
	if (getenv("CHECKS_SHOW")) fprintf(stderr, "%s %s\n", k->title, text.text);
	if (!good) fail_msg("%s: %s", k->path, text.text);
	str_free(&text);
}

static void compare_elements(const Kernel *k, const KernelBuffer *b, size_t i, Number want, double tolerance) {
	const Number got = load(b->type, b->after + i * b->bytes);
	const double x = as_double(want), y = as_double(got);
	const bool same = want.is_int && got.is_int ? want.n == got.n : x == y || fabs(x - y) <= tolerance * (1 + fabs(x));
	if (!same) fail_msg("%s: %s[%zu] is %.9g, expected %.9g", k->path, b->name, i, y, x);
}

static void compare_results(Kernel *k) {
	for (size_t x = 0; x < k->nexpected; x++) {
		char name[32], text[400];
		double tolerance = 0;
		if (k->near[x])
			assert_int_equal(sscanf(k->expected[x], "%31s %lf %399[^\n]", name, &tolerance, text), 3);
		else
			assert_int_equal(sscanf(k->expected[x], "%31s %399[^\n]", name, text), 2);
		const KernelBuffer *b = find_buffer(k, name);
		assert_non_null(b);
		for (size_t i = 0; i < b->count; i++) compare_elements(k, b, i, evaluate(k, text, (int64_t)i), tolerance);
	}
	if (!k->reference[0]) return;
	ReferenceBuffer buffers[MAX_BUFFERS];
	for (size_t i = 0; i < k->nbuffers; i++) {
		const KernelBuffer *b = &k->buffers[i];
		buffers[i] = (ReferenceBuffer){.count = b->count, .data = xcalloc(b->count + 1, b->bytes)};
		memcpy(buffers[i].data, b->before, b->count * b->bytes);
	}
	if (!reference_run(k->reference, buffers)) fail_msg("%s: no reference %s", k->path, k->reference);
	for (size_t i = 0; i < k->nbuffers; i++) {
		const KernelBuffer *b = &k->buffers[i];
		for (size_t e = 0; e < b->count && !buffers[i].ignore; e++)
			compare_elements(k, b, e, load(b->type, (uint8_t *)buffers[i].data + e * b->bytes), buffers[i].tolerance);
		free(buffers[i].data);
	}
}

static Compiled *compile_kernel(Kernel *k, const Gpu *gpu) {
	Err err = ERR_INIT;
	const char *const wanted[] = {k->kernel, NULL};
	const CompileJob job = {.source = k->source,
							.source_bytes = strlen(k->source),
							.path = k->path,
							.cc = gpu->cc < 75 ? 75 : gpu->cc,
							.names = wanted,
							.for_emulator = true};
	Compiled *compiled;
	if (!compile(&job, &compiled, NULL, &err)) fail_msg("%s", err.what);
	return compiled;
}

/* A kernel ready to be launched. */
typedef struct {
	Compiled *compiled;
	PtxModule *ptx;
	Machine *machine;
	EmuModule *module;
	const EmuKernel *kernel;
	uint8_t params[1024];
	EmuLaunch launch;
} Ready;

static void load_module(const Kernel *k, Ready *r) {
	Err err = ERR_INIT;
	if (r->module) machine_unload(r->machine, r->module);
	assert_true(machine_load(r->machine, r->ptx, &r->module, &err));
	r->kernel = emu_kernel(r->module, compiled_linked_name(r->compiled, k->kernel));
	if (!r->kernel) fail_msg("%s has no kernel %s", k->path, k->kernel);
}

static void open_machine(Kernel *k, const Gpu *gpu, Ready *r, unsigned threads) {
	machine_close(r->machine);
	r->module = NULL;
	r->machine = machine_open(gpu, threads);
	load_module(k, r);
	make_buffers(k, r->machine);
	r->launch = (EmuLaunch){.config = k->config, .params = r->params};
	r->launch.param_bytes = pack(k, emu_kernel_function(r->kernel), r->params);
}

static void make_ready(Kernel *k, const Gpu *gpu, Ready *r) {
	Err err = ERR_INIT;
	r->compiled = compile_kernel(k, gpu);
	r->ptx = ptx_parse(r->compiled->ptx, r->compiled->ptx_bytes, &err);
	if (!r->ptx) fail_msg("%s", err.what);
	open_machine(k, gpu, r, 2);
}

static void put_away(Ready *r) {
	machine_close(r->machine);
	ptx_free(r->ptx);
	compiled_free(r->compiled);
}

static void launch(const Kernel *k, Ready *r, LaunchOutcome *outcome) {
	Err err = ERR_INIT;
	if (!machine_launch(r->machine, r->kernel, &r->launch, outcome, &err)) fail_msg("%s: %s", k->path, err.what);
	if (k->clean && outcome->status != LAUNCH_OK)
		fail_msg("%s: schedule %u: %s (line %u)", k->path, (unsigned)r->launch.config.schedule, outcome->message,
				 outcome->fault.line);
}

static void run_checked(Kernel *k, const Gpu *gpu, Ready *r) {
	LaunchOutcome outcome;
	size_t nfound;
	CheckSet *checks = checks_new(gpu, CHECK_ALL);
	r->launch.observers = checks_observers(checks, &r->launch.nobservers);
	launch(k, r, &outcome);
	const Finding *found = checks_findings(checks, &nfound);
	compare_findings(k, found, nfound);
	read_back(k, r->machine);
	if (k->clean) compare_results(k);
	checks_free(checks);
	r->launch.observers = NULL;
	r->launch.nobservers = 0;
}

static uint64_t digest(const Kernel *k) {
	uint64_t hash = 1469598103934665603u;
	for (size_t i = 0; i < k->nbuffers; i++)
		for (size_t b = 0; b < k->buffers[i].count * k->buffers[i].bytes; b++)
			hash = (hash ^ k->buffers[i].after[b]) * 1099511628211u;
	return hash;
}

static char *all_findings(Kernel *k, const Gpu *gpu, Ready *r, unsigned threads) {
	LaunchOutcome outcome;
	size_t n;
	Str text = {0};
	open_machine(k, gpu, r, threads);
	CheckSet *checks = checks_new(gpu, CHECK_ALL);
	r->launch.observers = checks_observers(checks, &r->launch.nobservers);
	launch(k, r, &outcome);
	const Finding *f = checks_findings(checks, &n);
	for (size_t i = 0; i < n; i++)
		str_addf(&text, "%s %u %u %llu: %s\n", check_name(f[i].check), f[i].site[0].line, f[i].site[1].line,
				 (unsigned long long)f[i].count, f[i].message);
	checks_free(checks);
	read_back(k, r->machine);
	r->launch.observers = NULL;
	r->launch.nobservers = 0;
	if (!k->clean) str_addf(&text, "memory: %llx\n", (unsigned long long)digest(k));
	return str_take(&text);
}

/* How many host threads the machine has does not show: the same findings and counts, and a kernel that is wrong leaves
 * what it leaves on one. */
static void compare_threads(Kernel *k, const Gpu *gpu, Ready *r) {
	r->launch.config.schedule = 0;
	char *one = all_findings(k, gpu, r, 1);
	for (unsigned threads = 2; threads <= 4; threads++) {
		char *more = all_findings(k, gpu, r, threads);
		if (strcmp(one, more) != 0) fail_msg("%s: 1 thread found\n%s%u found\n%s", k->path, one, threads, more);
		free(more);
	}
	free(one);
}

static unsigned schedules_wanted(void) {
	const char *wanted = getenv("GPULAB_SCHEDULES");
	return wanted ? (unsigned)strtoul(wanted, NULL, 10) : 3;
}

/* From the same beginning: buffers and module variables as they were. */
static void run_schedule(Kernel *k, Ready *r, unsigned seed) {
	LaunchOutcome outcome;
	r->launch.config.schedule = seed;
	load_module(k, r);
	refill(k, r->machine);
	launch(k, r, &outcome);
	read_back(k, r->machine);
}

static void run_clean_schedules(Kernel *k, Ready *r) {
	for (unsigned seed = 1; seed <= schedules_wanted(); seed++) {
		run_schedule(k, r, seed);
		compare_results(k);
	}
}

/* The first seed whose answer is not the ordinary schedule's, and that it gives the same answer again. */
static void find_schedule(Kernel *k, Ready *r) {
	const uint64_t ordinary = digest(k);
	for (unsigned seed = 1; seed <= 64; seed++) {
		uint64_t answer[2];
		for (int i = 0; i < 2; i++) {
			run_schedule(k, r, seed);
			answer[i] = digest(k);
		}
		assert_true(answer[0] == answer[1]);
		if (answer[0] == ordinary) continue;
		if (getenv("CHECKS_SHOW")) fprintf(stderr, "%s: schedule %u\n", k->title, seed);
		return;
	}
	fail_msg("%s: 64 schedules give the same answer", k->path);
}

static void run_kernel(void **state) {
	Kernel *k = *state;
	Err err = ERR_INIT;
	const Gpu *gpu = gpu_find(k->gpu, &err);
	assert_non_null(gpu);
	Ready ready = {0};
	make_ready(k, gpu, &ready);
	run_checked(k, gpu, &ready);
	if (k->clean) run_clean_schedules(k, &ready);
	if (k->schedules) find_schedule(k, &ready);
	compare_threads(k, gpu, &ready);
	put_away(&ready);
}

/* --- which -------------------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b) {
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv) {
	Err err = ERR_INIT;
	VEC(char *) names_ = {0};
	compile_worker_if_asked(argc, argv);
	if (argc < 2) return 2;
	DIR *dir = opendir(argv[1]);
	for (struct dirent *e; dir && (e = readdir(dir));)
		if (text_ends(e->d_name, ".cu") && (argc < 3 || strstr(e->d_name, argv[2])))
			vec_push(&names_, xstrdup(e->d_name));
	if (dir) closedir(dir);
	if (!names_.len) return fprintf(stderr, "%s: no kernels\n", argv[1]), 2;
	if (!nvrtc_version(&err)) {
		printf("1..0 # SKIP %s\n", err.what);
		return 0;
	}
	qsort(names_.data, names_.len, sizeof *names_.data, by_name);
	struct CMUnitTest *tests = xcalloc(names_.len, sizeof *tests);
	Kernel **kernels = xcalloc(names_.len, sizeof *kernels);
	for (size_t i = 0; i < names_.len; i++) {
		kernels[i] = read_kernel(argv[1], names_.data[i]);
		tests[i] = (struct CMUnitTest){.name = kernels[i]->title, .test_func = run_kernel, .initial_state = kernels[i]};
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const int failed = _cmocka_run_group_tests("checks", tests, names_.len, NULL, NULL);
	for (size_t i = 0; i < names_.len; i++) {
		for (size_t b = 0; b < kernels[i]->nbuffers; b++) {
			free(kernels[i]->buffers[b].before);
			free(kernels[i]->buffers[b].after);
		}
		free(kernels[i]->source);
		free(kernels[i]);
		free(names_.data[i]);
	}
	vec_free(&names_);
	free(kernels);
	free(tests);
	return failed;
}
