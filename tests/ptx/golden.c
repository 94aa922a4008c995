/* Golden tests: a kernel, a launch, and what must come of it. Each .cu file beside this one has kernels, which NVRTC
 * compiles when the test runs, with both of its code generators, and at its end a comment with cases, which run on the
 * PTX of each, with one and with three host threads.
 *
 * A case, line by line (# begins a comment):
 *     case NAME                      begins one
 *     gpu NAME                       whose rules; H200 unless said
 *     kernel LINKED_NAME
 *     grid X Y Z, block X Y Z, shared BYTES, timeout MS, work BASIC_BLOCKS (of all warps, at most)
 *     buffer NAME TYPE COUNT FORMULA what it holds before: f32 f64 i32 u32 i64 u8 u16 (f16 as bits)
 *     arg NAME [BYTES]               a buffer, BYTES from its start
 *     arg TYPE FORMULA               a value
 *     arg struct TYPE V TYPE V ...   a struct with its fields aligned as in C
 *     status ok|fault|limit|timeout
 *     expect NAME FORMULA            every element afterwards
 *     near NAME TOLERANCE FORMULA    the same within a relative error
 *     values NAME V V V ...          the first elements, literally
 *     count COUNTER FORMULA          of the whole launch
 *     fault KIND                     words as fault_kind_name gives them
 *     at BX BY BZ TX TY TZ           the faulting block and thread
 *     line N, threads N, target NAME OFFSET BYTES
 *     says TEXT                      the message has it
 *     print TEXT                     printf wrote exactly this (\n for a line's end); several are joined */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "emu/count/counters.h"
#include "emu/machine.h"
#include "formula.h"
#include "nvrtc.h"

enum { MAX_BUFFERS = 16, MAX_ARGS = 24, MAX_CHECKS = 64 };

typedef enum { EL_F32, EL_F64, EL_I32, EL_U32, EL_I64, EL_U8, EL_U16 } Element;
static const char *const element_names[] = {"f32", "f64", "i32", "u32", "i64", "u8", "u16"};
static const size_t element_bytes[] = {4, 8, 4, 4, 8, 1, 2};

typedef struct {
	char name[32], init[256];
	Element type;
	size_t count;
	uint8_t *before, *after;
	uint64_t addr;
} TestBuffer;

typedef struct {
	char what[32], rest[512];
	unsigned line;
} Check;

typedef struct {
	char file[400], name[64], kernel[128], gpu[64], status[16];
	LaunchConfig config;
	TestBuffer buffers[MAX_BUFFERS];
	size_t nbuffers;
	char args[MAX_ARGS][400];
	size_t nargs;
	Check checks[MAX_CHECKS];
	size_t nchecks;
} Case;

typedef struct {
	Case *c;
	const char *ptx; /* its text */
	unsigned threads;
	char title[300];
} Run;

/* --- numbers and buffers --- */

static Number load(Element t, const uint8_t *at) {
	Number v = {.is_int = true};
	switch (t) {
	case EL_F32: {
		float f;
		memcpy(&f, at, 4);
		return (Number){.x = f};
	}
	case EL_F64: {
		double d;
		memcpy(&d, at, 8);
		return (Number){.x = d};
	}
	case EL_I32: {
		int32_t n;
		memcpy(&n, at, 4);
		v.n = n;
		return v;
	}
	case EL_U32: {
		uint32_t n;
		memcpy(&n, at, 4);
		v.n = n;
		return v;
	}
	case EL_I64: memcpy(&v.n, at, 8); return v;
	case EL_U8: v.n = *at; return v;
	case EL_U16: {
		uint16_t n;
		memcpy(&n, at, 2);
		v.n = n;
		return v;
	}
	}
	return v;
}

static void store(Element t, uint8_t *at, Number v) {
	float f = (float)as_double(v);
	double d = as_double(v);
	int64_t n = as_int(v);
	if (t == EL_F32)
		memcpy(at, &f, 4);
	else if (t == EL_F64)
		memcpy(at, &d, 8);
	else
		memcpy(at, &n, element_bytes[t]);
}

static TestBuffer *find_buffer(Case *c, const char *name) {
	for (size_t i = 0; i < c->nbuffers; i++)
		if (!strcmp(c->buffers[i].name, name)) return &c->buffers[i];
	return NULL;
}

static bool element_of(void *user, const char *name, int64_t index, Number *out) {
	TestBuffer *b = find_buffer(user, name);
	if (!b || index < 0 || (size_t)index >= b->count || !b->before) return false;
	*out = load(b->type, b->before + (size_t)index * element_bytes[b->type]);
	return true;
}

static Number evaluate(Case *c, const char *text, int64_t i) {
	FormulaContext context = {.i = {.is_int = true, .n = i}, .element = element_of, .user = c};
	Number v;
	const char *bad;
	if (!formula(text, &context, &v, &bad))
		fail_msg("%s/%s: no formula: %s (at \"%s\", i = %lld)", c->file, c->name, text, bad, (long long)i);
	return v;
}

static bool element_named(const char *name, Element *out) {
	for (size_t i = 0; i < sizeof element_names / sizeof *element_names; i++)
		if (!strcmp(name, element_names[i])) return *out = (Element)i, true;
	return false;
}

/* --- reading cases --- */

static void broken(const char *file, unsigned line, const char *what) {
	fprintf(stderr, "%s:%u: %s\n", file, line, what);
	exit(2);
}

static bool setting(Case *c, const char *word, const char *rest) {
	LaunchConfig *l = &c->config;
	if (!strcmp(word, "kernel")) return sscanf(rest, "%127s", c->kernel) == 1;
	if (!strcmp(word, "gpu")) return snprintf(c->gpu, sizeof c->gpu, "%s", rest) > 0;
	if (!strcmp(word, "status")) return sscanf(rest, "%15s", c->status) == 1;
	if (!strcmp(word, "grid")) return sscanf(rest, "%u %u %u", &l->grid[0], &l->grid[1], &l->grid[2]) >= 1;
	if (!strcmp(word, "block")) return sscanf(rest, "%u %u %u", &l->block[0], &l->block[1], &l->block[2]) >= 1;
	if (!strcmp(word, "shared")) return sscanf(rest, "%zu", &l->shared_bytes) == 1;
	if (!strcmp(word, "work")) return sscanf(rest, "%" SCNu64, &l->work_limit) == 1;
	if (!strcmp(word, "timeout")) return sscanf(rest, "%u", &l->timeout_ms) == 1;
	return false;
}

static bool add_buffer(Case *c, const char *rest) {
	char type[16];
	if (c->nbuffers == MAX_BUFFERS) return false;
	TestBuffer *b = &c->buffers[c->nbuffers++];
	return sscanf(rest, "%31s %15s %zu %255[^\n]", b->name, type, &b->count, b->init) == 4 &&
		   element_named(type, &b->type);
}

static Case *new_case(const char *file, const char *name) {
	Case *c = xcalloc(1, sizeof *c);
	snprintf(c->file, sizeof c->file, "%s", file);
	snprintf(c->name, sizeof c->name, "%s", name);
	snprintf(c->gpu, sizeof c->gpu, "H200");
	snprintf(c->status, sizeof c->status, "ok");
	c->config = (LaunchConfig){.grid = {1, 1, 1}, .block = {1, 1, 1}, .timeout_ms = 60000};
	return c;
}

typedef VEC(Case *) Cases;

static void read_line(Cases *cases, const char *file, char *line, unsigned number) {
	char word[32], *hash = strchr(line, '#');
	int at = 0;
	if (hash && (hash == line || hash[-1] == ' ')) *hash = '\0';
	if (sscanf(line, "%31s %n", word, &at) < 1) return;
	char *rest = strcmp(word, "print") ? line + at : line + strlen("print "); /* a text may begin with spaces */
	for (size_t n = strlen(rest); n && rest[n - 1] == ' ';) rest[--n] = '\0';
	if (!strcmp(word, "case")) {
		vec_push(cases, new_case(file, rest));
		return;
	}
	if (!cases->len) broken(file, number, "a line before the first case");
	Case *c = vec_last(cases);
	if (!strcmp(word, "buffer")) {
		if (!add_buffer(c, rest)) broken(file, number, "a buffer is NAME TYPE COUNT FORMULA");
	} else if (!strcmp(word, "arg")) {
		if (c->nargs == MAX_ARGS) broken(file, number, "too many arguments");
		snprintf(c->args[c->nargs++], sizeof c->args[0], "%s", rest);
	} else if (!setting(c, word, rest)) {
		if (c->nchecks == MAX_CHECKS) broken(file, number, "too many checks");
		Check *k = &c->checks[c->nchecks++];
		snprintf(k->what, sizeof k->what, "%s", word);
		snprintf(k->rest, sizeof k->rest, "%s", rest);
		k->line = number;
	}
}

static void read_cases(Cases *cases, const char *file) {
	static const char mark[] = "/* Cases (golden.c)\n";
	Err err = ERR_INIT;
	char *text = file_read(file, FILE_SOURCE_MOST, NULL, &err), *own = text ? strstr(text, mark) : NULL, *end = NULL;
	if (own) end = strstr(own += strlen(mark), "*/");
	if (!end) broken(file, 0, "no cases");
	*end = '\0';
	unsigned number = 1;
	for (const char *c = text; c < own; c++) number += *c == '\n';
	for (char *line = own, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next) *next++ = '\0';
		read_line(cases, file, line, number++);
	}
	free(text);
}

/* --- running --- */

static void make_buffers(Case *c, Machine *m) {
	Err err = ERR_INIT;
	for (size_t i = 0; i < c->nbuffers; i++) {
		TestBuffer *b = &c->buffers[i];
		size_t n = element_bytes[b->type];
		if (!b->before) {
			b->before = xcalloc(b->count + 1, n);
			b->after = xcalloc(b->count + 1, n);
			for (size_t k = 0; k < b->count; k++) store(b->type, b->before + k * n, evaluate(c, b->init, (int64_t)k));
		}
		assert_true(machine_alloc(m, b->count * n, b->name, &b->addr, &err));
		assert_true(machine_write(m, b->addr, b->before, b->count * n, &err));
	}
}

static void pack_struct(Case *c, const char *fields, uint8_t *to, size_t room) {
	char type[16], value[64];
	size_t at = 0;
	for (int step; sscanf(fields, "%15s %63s %n", type, value, &step) == 2; fields += step) {
		Element t = EL_I32;
		assert_true(element_named(type, &t));
		at = (at + element_bytes[t] - 1) / element_bytes[t] * element_bytes[t];
		assert_true(at + element_bytes[t] <= room);
		store(t, to + at, evaluate(c, value, 0));
		at += element_bytes[t];
	}
}

static size_t pack_args(Case *c, const PtxFunction *f, uint8_t *params) {
	assert_int_equal(c->nargs, f->nparams);
	for (size_t i = 0; i < c->nargs; i++) {
		char first[64], rest[400] = "0";
		Element type;
		assert_true(sscanf(c->args[i], "%63s %399[^\n]", first, rest) >= 1);
		uint8_t *at = params + f->params[i]->offset;
		if (!strcmp(first, "struct")) {
			pack_struct(c, rest, at, f->params[i]->bytes);
			continue;
		}
		if (element_named(first, &type)) {
			store(type, at, evaluate(c, rest, 0));
			continue;
		}
		TestBuffer *b = find_buffer(c, first);
		assert_non_null(b);
		uint64_t addr = b->addr + (uint64_t)as_int(evaluate(c, rest, 0));
		memcpy(at, &addr, 8);
	}
	return f->param_bytes;
}

static void keep_text(void *user, const char *text, size_t len) {
	str_addn(user, text, len);
}

static void check_elements(Case *c, TestBuffer *b, double tolerance, const char *text) {
	for (size_t i = 0; i < b->count; i++) {
		Number want = evaluate(c, text, (int64_t)i), got = load(b->type, b->after + i * element_bytes[b->type]);
		double x = as_double(want), y = as_double(got);
		bool same = tolerance == 0 && want.is_int && got.is_int
						? want.n == got.n
						: x == y || fabs(x - y) <= tolerance * fabs(x) || (x != x && y != y);
		if (!same) fail_msg("%s/%s: %s[%zu] is %.9g, expected %.9g", c->file, c->name, b->name, i, y, x);
	}
}

static uint64_t counter_named(const Counts *counts, const char *name) {
	for (size_t i = 0; i < ncount_fields; i++)
		if (!strcmp(count_fields[i].name, name))
			return *(const uint64_t *)((const char *)counts + count_fields[i].offset);
	fail_msg("no counter is called %s", name);
	return 0;
}

static void unescape(char *text) {
	char *to = text;
	for (char *from = text; *from; from++) {
		if (from[0] == '\\' && from[1] == 'n')
			*to++ = '\n', from++;
		else
			*to++ = *from;
	}
	*to = '\0';
}

typedef struct {
	const LaunchOutcome *outcome;
	const Counts *counts;
	Str expected_print;
	bool prints;
} Results;

static bool check_fault(Case *c, const Check *k, const Fault *f) {
	unsigned v[6];
	char name[64];
	long long offset;
	size_t bytes;
	if (!strcmp(k->what, "fault"))
		assert_string_equal(fault_kind_names[f->kind], k->rest);
	else if (!strcmp(k->what, "line"))
		assert_int_equal(f->line, atoi(k->rest));
	else if (!strcmp(k->what, "threads"))
		assert_int_equal(f->threads, atoi(k->rest));
	else if (!strcmp(k->what, "at") &&
			 sscanf(k->rest, "%u %u %u %u %u %u", v, v + 1, v + 2, v + 3, v + 4, v + 5) == 6) {
		for (int i = 0; i < 3; i++) {
			assert_int_equal(f->block[i], v[i]);
			assert_int_equal(f->thread[i], v[3 + i]);
		}
	} else if (!strcmp(k->what, "target") && sscanf(k->rest, "%63s %lld %zu", name, &offset, &bytes) == 3) {
		assert_string_equal(f->buffer, name);
		assert_int_equal(f->offset, offset);
		assert_int_equal(f->buffer_bytes, bytes);
	} else
		return false;
	return true;
}

static void check(Case *c, const Check *k, Results *r) {
	char name[64], text[512], number[32];
	if (!strcmp(k->what, "expect") && sscanf(k->rest, "%63s %511[^\n]", name, text) == 2) {
		assert_non_null(find_buffer(c, name));
		check_elements(c, find_buffer(c, name), 0, text);
	} else if (!strcmp(k->what, "near") && sscanf(k->rest, "%63s %31s %511[^\n]", name, number, text) == 3) {
		assert_non_null(find_buffer(c, name));
		check_elements(c, find_buffer(c, name), atof(number), text);
	} else if (!strcmp(k->what, "values")) {
		int at = 0, step;
		assert_int_equal(sscanf(k->rest, "%63s %n", name, &at), 1);
		TestBuffer *b = find_buffer(c, name);
		assert_non_null(b);
		for (size_t i = 0; sscanf(k->rest + at, "%31s %n", number, &step) == 1; i++, at += step) {
			assert_true(i < b->count);
			double want = as_double(evaluate(c, number, 0)),
				   got = as_double(load(b->type, b->after + i * element_bytes[b->type]));
			if (want != got) fail_msg("%s/%s: %s[%zu] is %.9g, expected %.9g", c->file, c->name, name, i, got, want);
		}
	} else if (!strcmp(k->what, "count") && sscanf(k->rest, "%63s %511[^\n]", name, text) == 2) {
		uint64_t got = counter_named(r->counts, name), want = (uint64_t)as_int(evaluate(c, text, 0));
		if (got != want)
			fail_msg("%s/%s: %s is %llu, expected %llu", c->file, c->name, name, (unsigned long long)got,
					 (unsigned long long)want);
	} else if (!strcmp(k->what, "says")) {
		if (!strstr(r->outcome->message, k->rest))
			fail_msg("%s/%s: \"%s\" does not say \"%s\"", c->file, c->name, r->outcome->message, k->rest);
	} else if (!strcmp(k->what, "print")) {
		snprintf(text, sizeof text, "%s", k->rest);
		unescape(text);
		str_add(&r->expected_print, text);
		r->prints = true;
	} else if (!check_fault(c, k, &r->outcome->fault)) {
		broken(c->file, k->line, "a line that is not understood");
	}
}

/* Handlers find out on their own ways how lanes lie. */
typedef struct {
	Observer base;
	atomic_size_t wrong;
} FormWatch;

static void look_at_form(Observer *self, const Access *a) {
	const uint64_t form = a->mask == UINT32_MAX ? access_form_of(a->addr, a->width) : 0;
	if (a->form != form) atomic_fetch_add(&((FormWatch *)self)->wrong, 1);
}

static const ObserverOps form_ops = {.access = look_at_form};

static void run_case(void **state) {
	Run *run = *state;
	Case *c = run->c;
	Err err = ERR_INIT;
	PtxModule *ptx = ptx_parse(run->ptx, strlen(run->ptx), &err);
	if (!ptx) fail_msg("%s", err.what);
	const Gpu *gpu = gpu_find(c->gpu, &err);
	assert_non_null(gpu);
	Machine *m = machine_open(gpu, run->threads);
	EmuModule *module;
	assert_true(machine_load(m, ptx, &module, &err));
	const EmuKernel *kernel = emu_kernel(module, c->kernel);
	if (!kernel) fail_msg("%s has no kernel %s", c->file, c->kernel);
	make_buffers(c, m);
	uint8_t params[1024] = {0};
	Counters *counters = counters_new(gpu);
	FormWatch watch = {.base.ops = &form_ops};
	Observer *observers[] = {&counters->base, &watch.base};
	Str printed = {0};
	EmuLaunch launch = {.config = c->config,
						.params = params,
						.observers = observers,
						.nobservers = 2,
						.print = keep_text,
						.user = &printed};
	launch.param_bytes = pack_args(c, emu_kernel_function(kernel), params);
	LaunchOutcome outcome;
	if (!machine_launch(m, kernel, &launch, &outcome, &err)) fail_msg("%s", err.what);
	if (strcmp(launch_status_names[outcome.status], c->status))
		fail_msg("%s/%s: %s, expected %s: %s (%s:%u)", c->file, c->name, launch_status_names[outcome.status], c->status,
				 outcome.message, outcome.fault.file, outcome.fault.line);
	assert_int_equal(watch.wrong, 0);
	for (size_t i = 0; i < c->nbuffers; i++)
		assert_true(machine_read(m, c->buffers[i].addr, c->buffers[i].after,
								 c->buffers[i].count * element_bytes[c->buffers[i].type], &err));
	Counts counts = counters_total(counters);
	Results results = {.outcome = &outcome, .counts = &counts};
	for (size_t i = 0; i < c->nchecks; i++) check(c, &c->checks[i], &results);
	if (results.prints) assert_string_equal(printed.text ? printed.text : "", results.expected_print.text);
	str_free(&results.expected_print);
	str_free(&printed);
	counters_free(counters);
	machine_close(m);
	ptx_free(ptx);
}

/* --- which --- */

typedef VEC(Run *) Runs;

static void add_runs(Runs *runs, Case *c, const char *subject, const char *ptx, const char *generator) {
	for (unsigned threads = 1; threads <= 3; threads += 2) {
		Run *r = xcalloc(1, sizeof *r);
		*r = (Run){.c = c, .ptx = ptx, .threads = threads};
		snprintf(r->title, sizeof r->title, "%.80s %.60s, %s code generator, on %u thread%s", subject, c->name,
				 generator, threads, threads > 1 ? "s" : "");
		vec_push(runs, r);
	}
}

int main(int argc, char **argv) {
	nvrtc_begin(argc, argv);
	if (argc != 2) return fprintf(stderr, "golden NAME, of NAME.cu beside golden.c\n"), 2;
	Cases cases = {0};
	Runs runs = {0};
	char source[400];
	snprintf(source, sizeof source, "%s/tests/ptx/%.80s.cu", GPULAB_SOURCE_ROOT, argv[1]);
	read_cases(&cases, source);
	char *older = nvrtc_ptx(source, OLDER_GENERATOR, NULL), *newer = nvrtc_ptx(source, NEWER_GENERATOR, NULL);
	for (size_t i = 0; i < cases.len; i++) {
		add_runs(&runs, cases.data[i], argv[1], older, "older");
		add_runs(&runs, cases.data[i], argv[1], newer, "newer");
	}
	struct CMUnitTest *tests = xcalloc(runs.len + 1, sizeof *tests);
	for (size_t i = 0; i < runs.len; i++) {
		tests[i].name = runs.data[i]->title;
		tests[i].test_func = run_case;
		tests[i].initial_state = runs.data[i];
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	int failed = _cmocka_run_group_tests("golden", tests, runs.len, NULL, NULL);
	for (size_t i = 0; i < cases.len; i++) {
		for (size_t b = 0; b < cases.data[i]->nbuffers; b++) {
			free(cases.data[i]->buffers[b].before);
			free(cases.data[i]->buffers[b].after);
		}
		free(cases.data[i]);
	}
	for (size_t i = 0; i < runs.len; i++) free(runs.data[i]);
	free(tests);
	free(older);
	free(newer);
	vec_free(&cases);
	vec_free(&runs);
	return failed;
}
