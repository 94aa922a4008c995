/* Products of the tensor cores (cases.h) on the emulator, against what an H100 gave, or against a GPU.
 *
 *     products --digests FILE [--only WORD]                     on the emulator
 *     products --gpu cuda:0 [--write-digests FILE]              on both, every bit compared
 *     products --record FILE                                    the emulator's results, one after the other
 *     products --results FILE [--write-digests FILE]            against results of a GPU in the same form
 *
 * A digest is that of all results of a kernel. Speaks TAP. --worker NAME: it is its own worker. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "cases.h"
#include "device/backend/worker.h"
#include "device/device.h"

enum { MOST_INPUT = 4 << 20, MOST_RESULTS = 1 << 20, SHOWN = 4 }; /* words */

typedef struct {
	const char *gpu, *digests, *write_digests, *record, *results, *only;
} Settings;

typedef struct {
	Device *device;
	Buffer inputs, results;
	DeviceModule *module;
	DeviceKernel *kernel;
	uint32_t *got;
} Side;

typedef struct {
	Settings set;
	ProductList list;
	Side emu, gpu;
	uint32_t *inputs;
	char *digests;
	FILE *record, *results, *write;
	size_t lost, different, undigested, cases;
} Run;

static void fail(const char *what, const Err *err) {
	printf("Bail out! %s: %s %s\n", what, err->what, err->hint);
	exit(1);
}

/* --- one device --------------------------------------------------------------------------------------------------- */

static void open_side(Side *s, const char *name) {
	Err err = ERR_INIT;
	const Define zero = {.kind = DEFINE_FILL};
	if (!device_open(name, &s->device, &err) ||
		!device_buffer(s->device, ELEM_U32, MOST_INPUT, "inputs", zero, &s->inputs, &err) ||
		!device_buffer(s->device, ELEM_U32, MOST_RESULTS, "results", zero, &s->results, &err))
		fail(name, &err);
	s->got = xcalloc(MOST_RESULTS, sizeof *s->got);
}

static char *text_of(const ProductKernel *k, size_t *len) {
	char *text = NULL;
	FILE *out = open_memstream(&text, len);
	product_prologue(out);
	product_ptx(k, out);
	fclose(out);
	return text;
}

static bool load(Side *s, const ProductKernel *k) {
	Err err = ERR_INIT;
	size_t len;
	char *text = text_of(k, &len);
	Compiled c = {.ptx = text, .ptx_bytes = len, .cc = 90, .log = (char *)""};
	const bool ok =
		device_load(s->device, &c, &s->module, &err) && device_kernel(s->device, s->module, k->name, &s->kernel, &err);
	if (!ok) printf("# %s: %s %s\n", k->name, err.what, err.hint);
	free(text);
	return ok;
}

static Arg number(uint64_t v) {
	Arg a = {.kind = ARG_VALUE};
	memcpy(a.value, &v, 8);
	return a;
}

static bool execute(const Run *run, Side *s, const ProductCase *c) {
	Err err = ERR_INIT;
	const uint32_t in = product_input_words(c), out = product_result_words(c);
	const Arg args[] = {{.kind = ARG_BUFFER, .buffer = s->inputs},
						{.kind = ARG_BUFFER, .buffer = s->results},
						number(c->descriptor_a),
						number(c->descriptor_b),
						number(c->image),
						number(4 * in),
						number(4 * out)};
	Launch launch = {.kernel = s->kernel, .args = args, .nargs = 7};
	Answer answer = {0};
	launch.config = (LaunchConfig){.grid = {c->blocks, 1, 1}, .block = {product_threads(c->kernel), 1, 1}};
	launch.config.shared_bytes = c->image;
	if (!device_upload(s->device, s->inputs, 0, run->inputs, (size_t)in * c->blocks, &err) ||
		!device_submit(s->device, LIST_OF(&launch), &(Ask){.mode = MODE_RUN}, &answer, &err))
		return printf("# %s: %s %s\n", c->name, err.what, err.hint), false;
	const LaunchOutcome outcome = answer.outcome;
	answer_free(&answer);
	const bool ok =
		outcome.status == LAUNCH_OK && device_download(s->device, s->results, 0, s->got, (size_t)out * c->blocks, &err);
	if (!ok) printf("# %s: %s %s\n", c->name, outcome.fault.message, err.what);
	return ok;
}

/* --- results ------------------------------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t h) {
	h ^= h >> 33;
	h *= UINT64_C(0xff51afd7ed558ccd);
	h ^= h >> 29;
	return h * UINT64_C(0xc4ceb9fe1a85ec53);
}

/* Only of the threads whose results count. */
static uint64_t add_digest(uint64_t h, const ProductCase *c, const uint32_t *got) {
	const uint32_t each = product_result_words(c), kept = c->kept * c->kernel->nc;
	for (uint32_t b = 0; b < c->blocks; b++)
		for (uint32_t i = 0; i < kept; i++) h = mix(h ^ got[b * each + i]) + i;
	return h;
}

static bool same(const ProductCase *c, const uint32_t *emu, const uint32_t *gpu) {
	const uint32_t each = product_result_words(c), kept = c->kept * c->kernel->nc;
	uint32_t wrong = 0;
	for (uint32_t b = 0; b < c->blocks; b++)
		for (uint32_t i = 0; i < kept; i++)
			if (emu[b * each + i] != gpu[b * each + i] && wrong++ < SHOWN)
				printf("# %s block %u thread %u register %u: emulator %08x, GPU %08x\n", c->name, b, i / c->kernel->nc,
					   i % c->kernel->nc, emu[b * each + i], gpu[b * each + i]);
	if (wrong) printf("# %s: %u of %u differ\n", c->name, wrong, kept * c->blocks);
	return !wrong;
}

static void record(const Run *run, const ProductCase *c, const uint32_t *got) {
	const uint32_t each = product_result_words(c), kept = c->kept * c->kernel->nc;
	for (uint32_t b = 0; run->record && b < c->blocks; b++) fwrite(got + (size_t)b * each, 4, kept, run->record);
}

static bool read_results(Run *run, const ProductCase *c) {
	const uint32_t each = product_result_words(c), kept = c->kept * c->kernel->nc;
	for (uint32_t b = 0; b < c->blocks; b++)
		if (fread(run->gpu.got + (size_t)b * each, 4, kept, run->results) != kept) return false;
	return true;
}

/* The GPU's results; false: there are none. */
static bool other_side(Run *run, const ProductCase *c) {
	return run->results ? read_results(run, c) : execute(run, &run->gpu, c);
}

static bool run_case(Run *run, const ProductCase *c, uint64_t *emu, uint64_t *gpu) {
	const uint32_t words = product_input_words(c);
	run->cases++;
	for (uint32_t b = 0; b < c->blocks; b++) product_inputs(c, b, run->inputs + (size_t)b * words);
	const bool compared = run->gpu.got != NULL, ran = execute(run, &run->emu, c);
	if ((compared && !other_side(run, c)) || !ran) {
		memset(run->emu.got, 0xee, MOST_RESULTS * sizeof *run->emu.got);
		record(run, c, run->emu.got);
		run->lost++;
		return false;
	}
	record(run, c, run->emu.got);
	*emu = add_digest(*emu, c, run->emu.got);
	if (!compared) return true;
	*gpu = add_digest(*gpu, c, run->gpu.got);
	return same(c, run->emu.got, run->gpu.got);
}

static void against_digest(Run *run, const ProductKernel *k, uint64_t emu) {
	char name[128];
	snprintf(name, sizeof name, "%s ", k->name);
	for (const char *p = run->digests; (p = strstr(p, name)); p++) {
		if (p != run->digests && p[-1] != '\n') continue;
		if (strtoull(p + strlen(name), NULL, 16) == emu) return;
		run->different++;
		printf("# %s differs from what the GPU gave\n", k->name);
		return;
	}
	run->undigested++;
	printf("# %s has no digest\n", k->name);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static void run_kernel(Run *run, const ProductKernel *k) {
	uint64_t emu = 0, gpu = 0;
	bool good = true;
	if (!load(&run->emu, k) || (run->gpu.device && !load(&run->gpu, k))) {
		run->lost++;
		return;
	}
	for (size_t i = 0; i < run->list.ncases; i++)
		if (run->list.cases[i].kernel == k) good &= run_case(run, &run->list.cases[i], &emu, &gpu);
	device_unload(run->emu.device, run->emu.module);
	if (run->gpu.device) device_unload(run->gpu.device, run->gpu.module);
	if (run->gpu.got) run->different += !good;
	if (run->digests) against_digest(run, k, emu);
	if (run->write && run->gpu.got) fprintf(run->write, "%s %016llx\n", k->name, (unsigned long long)gpu);
}

static void read_settings(Settings *s, int argc, char **argv) {
	const struct {
		const char *name, **value;
	} words[] = {{"--gpu", &s->gpu},       {"--digests", &s->digests}, {"--write-digests", &s->write_digests},
				 {"--record", &s->record}, {"--results", &s->results}, {"--only", &s->only}};
	for (int i = 1; i + 1 < argc; i += 2)
		for (size_t k = 0; k < sizeof words / sizeof *words; k++)
			if (!strcmp(argv[i], words[k].name)) *words[k].value = argv[i + 1];
}

static FILE *writes(const char *path) {
	FILE *f = path ? fopen(path, "w") : NULL;
	if (!path || f) return f;
	printf("Bail out! %s cannot be written\n", path);
	exit(1);
}

int main(int argc, char **argv) {
	Run run = {0};
	Device *probe = NULL;
	Err err = ERR_INIT;
	if (argc == 3 && !strcmp(argv[1], "--worker")) return worker_main(WORKER_FD);
	setvbuf(stdout, NULL, _IOLBF, 0);
	read_settings(&run.set, argc, argv);
	if (run.set.gpu && !device_open(run.set.gpu, &probe, &err)) {
		printf("1..0 # SKIP products: %s\n", err.what);
		return 0;
	}
	if (run.set.digests && !(run.digests = file_read(run.set.digests, FILE_SOURCE_MOST, NULL, &err)))
		fail("digests", &err);
	run.write = writes(run.set.write_digests);
	run.record = writes(run.set.record);
	run.list = product_list();
	run.inputs = xcalloc(MOST_INPUT, sizeof *run.inputs);
	open_side(&run.emu, "emu");
	if (run.set.gpu) open_side(&run.gpu, run.set.gpu);
	if (run.set.results && !(run.results = fopen(run.set.results, "rb"))) fail(run.set.results, &err);
	if (run.results) run.gpu.got = xcalloc(MOST_RESULTS, sizeof *run.gpu.got);
	for (size_t i = 0; i < run.list.nkernels; i++)
		if (!run.set.only || strstr(run.list.kernels[i].name, run.set.only)) run_kernel(&run, &run.list.kernels[i]);
	const bool good = !run.different && !run.lost && !run.undigested;
	printf("%s 1 - every bit as %s gave it: %zu products, %zu kernels differ, %zu products did not run\n1..1\n",
		   good ? "ok" : "not ok", run.gpu.got ? "the GPU" : "an H100", run.cases, run.different, run.lost);
	if (run.write) fclose(run.write);
	if (run.record) fclose(run.record);
	if (run.results) fclose(run.results);
	product_list_free(&run.list);
	device_close(probe);
	device_close(run.emu.device);
	device_close(run.gpu.device);
	free(run.emu.got);
	free(run.gpu.got);
	free(run.inputs);
	free(run.digests);
	return !good;
}
