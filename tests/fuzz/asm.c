/* Random PTX in `asm volatile`, all the way: forms of forms.def, some of them spoiled, as inline assembly of a CUDA
 * kernel, compiled by NVRTC, run on the emulator under all checkers. fuzz_asm [seconds [seed]] Each kernel has a
 * process of its own. One that dies while it runs is a failure: its source stays in fuzz_asm_SEED.cu. What NVRTC
 * refuses, or dies of, is counted. Run it with XDG_CACHE_HOME in a folder of its own: every source is a new entry of
 * the cache. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compile/compile.h"
#include "compile/worker/service.h"
#include "emu/check/check.h"
#include "emu/count/counters.h"
#include "emu/machine.h"
#include "forms.h"

enum { VECTORS = 512, BUFFER = 1 << 19, MOST_FORMS = 3, CHILD_SECONDS = 60 };

typedef enum { STAGE_COMPILE, STAGE_REFUSED, STAGE_LOAD, STAGE_RUN, STAGE_DONE, STAGES } Stage;

static uint64_t state;

static uint32_t any(uint32_t below) {
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)((state >> 16) % below);
}

/* --- sources ------------------------------------------------------------------------------------------------------ */

static void replace(Str *text, const char *from, const char *to) {
	Str out = {0};
	const size_t len = strlen(from);
	for (const char *p = text->text; *p;) {
		const bool here = !strncmp(p, from, len);
		str_addn(&out, here ? to : p, here ? strlen(to) : 1);
		p += here ? len : 1;
	}
	str_free(text);
	*text = out;
}

/* One character of the assembly is another, or gone, or twice there. */
static void spoil(Str *text) {
	static const char letters[] = "0123456789,.;[]{}abcdefrx-+|!_@";
	if (!text->len) return;
	const size_t at = any((uint32_t)text->len);
	switch (any(3)) {
	case 0: text->text[at] = letters[any(sizeof letters - 1)]; break;
	case 1:
		memmove(text->text + at, text->text + at + 1, text->len - at);
		text->len--;
		break;
	default: {
		Str out = {0};
		str_addn(&out, text->text, at + 1);
		str_add(&out, text->text + at);
		str_free(text);
		*text = out;
	}
	}
}

/* Where the forms' addresses lead. */
static void add_addresses(Str *out) {
	static const char *const wild[] = {"0x400000000", "0x400800000",        "0x500000000",  "0x600000000",
									   "0",           "0xfffffffffffffffc", "0x10000000000"};
	static const char *const narrow[] = {"0x800000", "0x801000", "0xfffffffc", "4", "0x7ffffc"};
	if (any(3) == 0) str_addf(out, "\tmov.b64 %%cell, %s;\n", wild[any(sizeof wild / sizeof *wild)]);
	if (any(3) == 0) str_addf(out, "\tmov.b32 %%scell, %s;\n", narrow[any(sizeof narrow / sizeof *narrow)]);
	if (any(4) == 0)
		str_add(out, "\tmov.b64 %cell, cells_shared;\n\tcvta.shared.u64 %cell, %cell;\n\tmapa.u64 %cell, "
					 "%cell, 0;\n");
	if (any(4) == 0) str_addf(out, "\tmad.lo.u32 %%scell, %%t, %u, %%scell;\n", 1u << any(12));
}

static void add_asm(Str *out, const Forms *forms) {
	Str ptx = {0};
	form_prologue(&ptx, "k", false);
	replace(&ptx, "ld.param.u64 %in, [inputs]", "mov.b64 %in, %0");
	replace(&ptx, "ld.param.u64 %out, [results]", "mov.b64 %out, %1");
	replace(&ptx, "ld.param.u64 %cell, [cells]", "mov.b64 %cell, %2");
	add_addresses(&ptx);
	const uint32_t n = 1 + any(MOST_FORMS);
	for (uint32_t i = 0; i < n; i++) {
		Str block = {0};
		form_block(&forms->data[any((uint32_t)forms->len)], &block, VECTORS, 0);
		if (any(4) == 0) spoil(&block);
		str_addn(&ptx, block.text, block.len);
		str_free(&block);
	}
	str_add(&ptx, "\t}\n");
	str_add(out, "\tasm volatile(\n");
	for (const char *line = strchr(ptx.text, '{'); *line;) { /* registers have a second %, operands one */
		const size_t len = strcspn(line, "\n");
		str_add(out, "\t\t\"");
		for (size_t i = 0; i < len; i++) {
			const bool operand = line[i] == '%' && strchr("012", line[i + 1]);
			if (line[i] == '"' || line[i] == '\\') continue;
			str_addn(out, line[i] == '\t' ? " " : &line[i], 1);
			if (line[i] == '%' && !operand) str_add(out, "%");
		}
		str_add(out, "\\n\"\n");
		line += len + (line[len] == '\n');
	}
	str_add(out, "\t\t:: \"l\"(in), \"l\"(out), \"l\"(cells) : \"memory\");\n");
	str_free(&ptx);
}

static void add_source(Str *out, const Forms *forms) {
	static const char *const attributes[] = {"", "", "__cluster_dims__(1, 1, 1) ", "__cluster_dims__(2, 1, 1) "};
	str_add(out, "__device__ void called() {}\n");
	str_addf(out, "extern \"C\" __global__ void %sk(long long *in, long long *out, long long *cells)\n{\n",
			 attributes[any(4)]);
	if (any(3) == 0) str_addf(out, "\tif (threadIdx.x %% 32 < %u)\n", 1 + any(32));
	add_asm(out, forms);
	str_add(out, "}\n");
}

/* --- one kernel --------------------------------------------------------------------------------------------------- */

static void describe(int to, Stage stage) {
	const char s = (char)stage;
	if (write(to, &s, 1) != 1) _exit(1);
}

static void launch(Machine *m, const EmuKernel *k, uint64_t buffer) {
	static const uint32_t threads[] = {32, 64, 1, 45, 256};
	const uint64_t params[3] = {buffer, buffer, buffer};
	LaunchOutcome outcome;
	Err err = ERR_INIT;
	size_t n;
	if (emu_kernel_function(k)->param_bytes != sizeof params) return;
	CheckSet *set = checks_new(machine_gpu(m), CHECK_ALL);
	EmuLaunch job = {.config = {.grid = {2 * (1 + any(2)), 1, 1}, .block = {threads[any(5)], 1, 1}, .timeout_ms = 200},
					 .params = params,
					 .param_bytes = sizeof params};
	job.observers = checks_observers(set, &job.nobservers);
	machine_launch(m, k, &job, &outcome, &err);
	checks_findings(set, &n);
	checks_free(set);
}

static void child(const char *source, int to) {
	const CompileJob job = {.source = source, .path = "fuzz_asm.cu", .cc = 90};
	Compiled *compiled;
	Err err = ERR_INIT;
	EmuModule *module;
	uint64_t buffer;
	alarm(CHILD_SECONDS);
	describe(to, STAGE_COMPILE);
	if (!compile(&job, &compiled, NULL, &err)) {
		describe(to, err.kind == ERR_COMPILE ? STAGE_REFUSED : STAGE_RUN);
		if (err.kind != ERR_COMPILE) fprintf(stderr, "%s\n", err.what);
		_exit(err.kind == ERR_COMPILE ? 0 : 5);
	}
	describe(to, STAGE_LOAD);
	PtxModule *ptx = ptx_parse(compiled->ptx, compiled->ptx_bytes, &err);
	if (!ptx) { /* NVRTC took it: so must the parser, or say what it does not know */
		fprintf(stderr, "%s\n", err.what);
		_exit(6);
	}
	Machine *m = machine_open(gpu_find("H200", &err), 2);
	if (!machine_alloc(m, BUFFER, "buffer", &buffer, &err)) _exit(1);
	machine_track_fresh(m, buffer);
	uint64_t *at = machine_host(m, buffer, BUFFER);
	for (size_t i = 0; i < BUFFER / 8; i++) at[i] = (i * UINT64_C(0x9e3779b97f4a7c15)) >> (i % 61);
	describe(to, STAGE_RUN);
	if (machine_load(m, ptx, &module, &err) && emu_kernel(module, "k")) launch(m, emu_kernel(module, "k"), buffer);
	machine_close(m);
	ptx_free(ptx);
	compiled_free(compiled);
	describe(to, STAGE_DONE);
	exit(0);
}

/* How far it came; ok: and did not die there. */
static Stage try_source(const char *source, bool *ok) {
	int ends[2], status;
	char stage = STAGE_COMPILE, next;
	if (pipe(ends)) abort();
	const pid_t pid = fork();
	if (pid < 0) abort();
	if (!pid) {
		close(ends[0]);
		child(source, ends[1]);
	}
	close(ends[1]);
	while (read(ends[0], &next, 1) == 1) stage = next;
	close(ends[0]);
	if (waitpid(pid, &status, 0) != pid) abort();
	*ok = status == 0;
	return (Stage)stage;
}

int main(int argc, char **argv) {
	compile_worker_if_asked(argc, argv);
	const long seconds = argc > 1 ? atol(argv[1]) : 60;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	const time_t end = time(NULL) + seconds;
	Arena *arena = arena_new();
	const Forms forms = forms_all(arena);
	unsigned long count[STAGES] = {0}, lost = 0, failures = 0, total = 0;
	for (; time(NULL) < end; seed++) {
		Str source = {0};
		bool ok;
		state = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
		for (int i = 0; i < 8; i++) any(2);
		add_source(&source, &forms);
		const Stage stage = try_source(source.text, &ok);
		total++;
		count[stage]++;
		if (!ok && stage == STAGE_COMPILE) lost++;
		if (!ok && stage != STAGE_COMPILE) {
			char name[64];
			snprintf(name, sizeof name, "fuzz_asm_%llu.cu", (unsigned long long)seed);
			FILE *f = fopen(name, "w");
			if (f) fputs(source.text, f), fclose(f);
			printf("seed %llu: died at stage %d, see %s\n", (unsigned long long)seed, (int)stage, name);
			failures++;
		}
		str_free(&source);
	}
	printf("%lu kernels: %lu ran, %lu refused by NVRTC, %lu of which it died, %lu failures\n", total, count[STAGE_DONE],
		   count[STAGE_REFUSED], lost, failures);
	arena_free(arena);
	return failures != 0;
}
