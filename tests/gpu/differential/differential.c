/* Every form of every PTX instruction (emu/code/forms.def) on many vectors of operands.
 *
 *     differential [--digests FILE]                        on the emulator: digests of the results as a GPU once gave
 * them, bounds of approximate instructions, and results the host works out (expect.h) differential --gpu cuda:0
 * [--vectors N] [--report FILE] [--record FILE] [--write-digests FILE] on both, every bit compared
 *
 * A result of which no GPU has given a digest yet must be one that the host works out for every vector.
 *
 * Speaks TAP. --worker NAME: it is its own worker. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "approximate.h"
#include "base/file.h"
#include "base/vec.h"
#include "coverage.h"
#include "device/backend/worker.h"
#include "device/device.h"
#include "expect.h"
#include "operands.h"
#include "wire/child.h"

enum { GROUP = 64, DIGEST_VECTORS = 4096, RECORD_VECTORS = 512, SHOWN = 12 };

typedef struct {
	const char *gpu, *digests, *write_digests, *report, *record, *only;
	size_t vectors;
} Settings;

/* One device with its three buffers. */
typedef struct {
	Device *device;
	Buffer inputs, results, cells;
	uint64_t *got; /* results of the group at hand: [result][vector] */
} Side;

typedef struct {
	Settings set;
	Forms forms;
	bool *covered;
	uint64_t *inputs;
	Side emu, gpu;
	FILE *report, *record, *write;
	char *digests;
	size_t nforms, nresults, nbits, nwithin, nexpected;                            /* compared, by kind */
	size_t uncovered, different, beyond, gpu_beyond, unexpected, undigested, lost; /* forms */
	double worst_emu, worst_gpu;
} Run;

static void fail(const char *what, const Err *err) {
	printf("Bail out! %s: %s %s\n", what, err->what, err->hint);
	exit(1);
}

/* --- buffers ------------------------------------------------------------------------------------------------------ */

static void open_side(Side *s, const char *name, const Run *run) {
	Err err = ERR_INIT;
	const size_t n = run->set.vectors;
	const Define zero = {.kind = DEFINE_FILL}, data = {.kind = DEFINE_DATA};
	if (!device_open(name, &s->device, &err) ||
		!device_buffer(s->device, ELEM_U64, FORM_INPUTS * n, "inputs", data, &s->inputs, &err) ||
		!device_buffer(s->device, ELEM_U64, (size_t)GROUP * FORM_RESULTS * n, "results", zero, &s->results, &err) ||
		!device_buffer(s->device, ELEM_U64, n * FORM_CELL / 8, "cells", zero, &s->cells, &err) ||
		!device_upload(s->device, s->inputs, 0, run->inputs, FORM_INPUTS * n, &err))
		fail(name, &err);
	s->got = xcalloc((size_t)GROUP * FORM_RESULTS * n, sizeof *s->got);
}

static bool execute(Side *s, const char *ptx, size_t len, size_t nresults, size_t vectors) {
	Err err = ERR_INIT;
	Compiled c = {.ptx = (char *)ptx, .ptx_bytes = len, .cc = 90, .log = (char *)""};
	DeviceModule *module;
	Launch launch = {.config = {.grid = {(uint32_t)(vectors / FORM_BLOCK), 1, 1}, .block = {FORM_BLOCK, 1, 1}}};
	const Arg args[] = {{.kind = ARG_BUFFER, .buffer = s->inputs},
						{.kind = ARG_BUFFER, .buffer = s->results},
						{.kind = ARG_BUFFER, .buffer = s->cells}};
	Answer answer = {0};
	launch.args = args;
	launch.nargs = 3;
	if (!device_load(s->device, &c, &module, &err) ||
		!device_kernel(s->device, module, "forms", &launch.kernel, &err) ||
		!device_submit(s->device, LIST_OF(&launch), &(Ask){.mode = MODE_RUN}, &answer, &err))
		return printf("# %s: %s %s\n", device_info(s->device)->name, err.what, err.hint), false;
	const LaunchOutcome outcome = answer.outcome;
	answer_free(&answer);
	const bool ok =
		outcome.status == LAUNCH_OK && device_download(s->device, s->results, 0, s->got, nresults * vectors, &err);
	if (!ok)
		printf("# %s: the launch ended otherwise: %s %s\n", device_info(s->device)->name, outcome.fault.message,
			   err.what);
	device_unload(s->device, module);
	return ok;
}

/* --- one form ----------------------------------------------------------------------------------------------------- */

static void gather(const Run *run, const Form *f, size_t v, uint64_t operands[4]) {
	for (uint32_t k = 0; k < 4; k++)
		operands[k] = k < f->nsrc ? run->inputs[form_input(f->src[k].kind, k) * run->set.vectors + v] : 0;
}

static void describe(const Run *run, const Form *f, uint32_t k, size_t v, uint64_t emu, uint64_t other,
					 const char *whose) {
	uint64_t x[4];
	gather(run, f, v, x);
	fprintf(run->report, "%s result %u, vector %zu: %llx %llx %llx %llx: emulator %llx, %s %llx\n", f->name, k, v,
			(unsigned long long)x[0], (unsigned long long)x[1], (unsigned long long)x[2], (unsigned long long)x[3],
			(unsigned long long)emu, whose, (unsigned long long)other);
}

static bool same_bits(Run *run, const Form *f, uint32_t k, const uint64_t *emu, const uint64_t *gpu) {
	size_t wrong = 0;
	for (size_t v = 0; v < run->set.vectors; v++)
		if (emu[v] != gpu[v] && wrong++ < SHOWN) describe(run, f, k, v, emu[v], gpu[v], "GPU");
	if (wrong) fprintf(run->report, "%s result %u: %zu of %zu differ\n", f->name, k, wrong, run->set.vectors);
	return !wrong;
}

static double worst_error(const Run *run, const Form *f, const uint64_t *got, size_t *where) {
	double worst = 0;
	for (size_t v = 0; v < run->set.vectors; v++) {
		uint64_t x[4];
		gather(run, f, v, x);
		const double e = approximate_error(f, x, got[v]);
		if (e > worst) {
			worst = e;
			*where = v;
		}
	}
	return worst;
}

static void within(Run *run, const Form *f, const uint64_t *emu, const uint64_t *gpu) {
	size_t at = 0;
	const double e = worst_error(run, f, emu, &at);
	if (e > 1) {
		run->beyond++;
		describe(run, f, 0, at, emu[at], gpu ? gpu[at] : 0, "GPU");
	}
	const double g = gpu ? worst_error(run, f, gpu, &at) : 0;
	if (g > 1) {
		run->gpu_beyond++;
		describe(run, f, 0, at, emu[at], gpu[at], "GPU");
	}
	fprintf(run->report, "%s: at most %.3f of the bound on the emulator", f->name, e);
	if (gpu) fprintf(run->report, ", %.3f on the GPU", g);
	fprintf(run->report, "\n");
}

/* True: the host knows what every one must be. */
static bool as_expected(Run *run, const Form *f, uint32_t k, const uint64_t *emu) {
	const Operands all = {.inputs = run->inputs, .vectors = run->set.vectors};
	size_t known = 0, wrong = 0;
	uint64_t want;
	for (size_t v = 0; v < run->set.vectors; v++) {
		if (!expect(f, k, &all, v, &want)) continue;
		known++;
		if (want != emu[v] && wrong++ < SHOWN) describe(run, f, k, v, emu[v], want, "host");
	}
	run->nexpected += k == 0 && known != 0;
	run->unexpected += wrong != 0;
	return known == run->set.vectors;
}

/* --- digests ------------------------------------------------------------------------------------------------------ */

static uint64_t digest(const uint64_t *results) {
	uint64_t h = 0;
	for (size_t v = 0; v < DIGEST_VECTORS; v++) h = mix(h ^ results[v]) + v;
	return h;
}

/* Forms of the same name are told apart by how many came before. */
static void label(const Run *run, const Form *f, uint32_t k, char *out, size_t size) {
	size_t before = 0;
	for (const Form *g = run->forms.data; g < f; g++) before += !strcmp(g->name, f->name);
	snprintf(out, size, "%s/%zu.%u ", f->name, before, k);
}

static void against_digest(Run *run, const Form *f, uint32_t k, const uint64_t *emu, bool worked_out) {
	char name[128];
	label(run, f, k, name, sizeof name);
	for (const char *p = run->digests; (p = strstr(p, name)); p++) {
		if (p != run->digests && p[-1] != '\n') continue;
		if (strtoull(p + strlen(name), NULL, 16) != digest(emu)) {
			run->different++;
			fprintf(run->report, "%sdiffers from what the GPU gave\n", name);
		}
		return;
	}
	run->undigested += !worked_out;
	fprintf(run->report, "%shas no digest%s\n", name, worked_out ? ", the host works it out" : "");
}

/* --- groups ------------------------------------------------------------------------------------------------------- */

static void keep_record(Run *run, const Form *f, uint32_t k, const uint64_t *got) {
	const uint32_t bytes = form_bytes(f->dst[k].kind) == 8 ? 8 : 4;
	for (size_t v = 0; run->record && v < RECORD_VECTORS; v++) fwrite(&got[v], bytes, 1, run->record);
}

static void exactly(Run *run, const Form *f, uint32_t k, const uint64_t *emu, const uint64_t *gpu) {
	char name[128];
	label(run, f, k, name, sizeof name);
	run->nbits++;
	const bool worked_out = as_expected(run, f, k, emu);
	if (gpu)
		run->different += !same_bits(run, f, k, emu, gpu);
	else if (run->digests)
		against_digest(run, f, k, emu, worked_out);
	if (run->write && gpu) fprintf(run->write, "%s%016llx\n", name, (unsigned long long)digest(gpu));
}

static void compare(Run *run, size_t number, size_t at) {
	const size_t n = run->set.vectors;
	const Form *f = &run->forms.data[number];
	const Side *recorded = run->gpu.device ? &run->gpu : &run->emu;
	for (uint32_t k = 0; k < f->ndst; k++) keep_record(run, f, k, recorded->got + (at + k) * n);
	if (!run->covered[number]) return;
	run->nforms++;
	for (uint32_t k = 0; k < f->ndst; k++) {
		const uint64_t *emu = run->emu.got + (at + k) * n, *gpu = run->gpu.device ? run->gpu.got + (at + k) * n : NULL;
		run->nresults++;
		if (approximate(f)) {
			run->nwithin++;
			within(run, f, emu, gpu);
		} else {
			exactly(run, f, k, emu, gpu);
		}
	}
}

static bool wanted(const Run *run, size_t i) {
	return run->forms.data[i].ndst && (run->covered[i] || run->gpu.device || run->set.record) &&
		   (!run->set.only || strstr(run->forms.data[i].name, run->set.only));
}

/* On a GPU the forms that the emulator does not cover run too: what they give is recorded. */
static bool run_on(const Run *run, Side *side, const size_t *members, size_t n, bool all) {
	Str text = {0};
	size_t at = 0;
	form_prologue(&text, "forms", true);
	for (size_t i = 0; i < n; i++) {
		const Form *f = &run->forms.data[members[i]];
		if (all || run->covered[members[i]]) form_block(f, &text, run->set.vectors, at);
		at += f->ndst;
	}
	form_epilogue(&text);
	const bool ok = execute(side, text.text, text.len, at, run->set.vectors);
	str_free(&text);
	return ok;
}

static void run_group(Run *run, const size_t *members, size_t n) {
	size_t at = 0;
	if (!run_on(run, &run->emu, members, n, false) || (run->gpu.device && !run_on(run, &run->gpu, members, n, true))) {
		printf("# the %zu forms from %s on were not compared\n", n, run->forms.data[members[0]].name);
		run->lost += n;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		compare(run, members[i], at);
		at += run->forms.data[members[i]].ndst;
	}
}

static void run_all(Run *run) {
	size_t members[GROUP], n = 0;
	for (size_t i = 0; i < run->forms.len; i++) {
		if (!run->covered[i]) fprintf(run->report, "%s is not covered\n", run->forms.data[i].name);
		run->uncovered += !run->covered[i];
		if (wanted(run, i)) members[n++] = i;
		if (n == GROUP || (n && i + 1 == run->forms.len)) {
			run_group(run, members, n);
			n = 0;
		}
	}
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void make_inputs(Run *run) {
	const size_t n = run->set.vectors;
	run->inputs = xcalloc(FORM_INPUTS * n, sizeof *run->inputs);
	for (uint32_t kind = 0; kind < FORM_KINDS; kind++)
		for (uint32_t k = 0; k < 4; k++)
			for (size_t v = 0; v < n; v++) run->inputs[form_input(kind, k) * n + v] = operand((FormKind)kind, k, v);
}

static FILE *writes(const char *path) {
	FILE *f = path ? fopen(path, "w") : NULL;
	if (path && !f) {
		printf("Bail out! %s cannot be written\n", path);
		exit(1);
	}
	return f;
}

static void result(int number, bool good, const char *what) {
	printf("%s %d - %s\n", good ? "ok" : "not ok", number, what);
}

static void summary(const Run *run) {
	const DeviceInfo *info = run->gpu.device ? device_info(run->gpu.device) : NULL;
	char text[300];
	if (info) printf("# %s, driver %s, against the emulator\n", info->gpu_name, info->driver);
	printf("# %zu forms, %zu results, %zu vectors each; %zu forms are not covered\n", run->nforms, run->nresults,
		   run->set.vectors, run->uncovered);
	snprintf(text, sizeof text, "every bit as %s: %zu results, %zu differ", info ? "on the GPU" : "a GPU gave it",
			 run->nbits, run->different);
	result(1, !run->different && !run->lost && (info || !run->digests || !run->undigested), text);
	snprintf(text, sizeof text, "approximate results within their bounds: %zu, beyond %zu (GPU %zu)", run->nwithin,
			 run->beyond, run->gpu_beyond);
	result(2, !run->beyond, text);
	snprintf(text, sizeof text, "as the host works them out: %zu forms, %zu differ", run->nexpected, run->unexpected);
	result(3, !run->unexpected, text);
	printf("1..3\n");
}

static void read_settings(Settings *s, int argc, char **argv) {
	const struct {
		const char *name, **value;
	} words[] = {{"--gpu", &s->gpu},       {"--digests", &s->digests}, {"--write-digests", &s->write_digests},
				 {"--report", &s->report}, {"--record", &s->record},   {"--only", &s->only}};
	for (int i = 1; i + 1 < argc; i += 2) {
		for (size_t k = 0; k < sizeof words / sizeof *words; k++)
			if (!strcmp(argv[i], words[k].name)) *words[k].value = argv[i + 1];
		if (!strcmp(argv[i], "--vectors")) s->vectors = strtoull(argv[i + 1], NULL, 10) / FORM_BLOCK * FORM_BLOCK;
	}
	if (s->vectors < DIGEST_VECTORS) s->vectors = DIGEST_VECTORS;
}

int main(int argc, char **argv) {
	Run run = {0};
	Device *probe = NULL;
	Err err = ERR_INIT;
	if (argc == 3 && !strcmp(argv[1], "--worker")) return worker_main(WORKER_FD);
	setvbuf(stdout, NULL, _IOLBF, 0);
	read_settings(&run.set, argc, argv);
	Arena *arena = arena_new();
	run.forms = forms_all(arena);
	run.covered = arena_array(arena, run.forms.len, sizeof *run.covered);
	if (!coverage_of(&run.forms, run.covered, &err)) fail("coverage", &err);
	run.report = run.set.report ? writes(run.set.report) : stderr;
	run.record = writes(run.set.record);
	run.write = writes(run.set.write_digests);
	if (run.set.digests && !(run.digests = file_read(run.set.digests, FILE_SOURCE_MOST, NULL, &err)))
		fail("digests", &err);
	if (run.set.gpu && !device_open(run.set.gpu, &probe, &err)) {
		printf("1..0 # SKIP differential: %s\n", err.what);
		goto cleanup;
	}
	make_inputs(&run);
	open_side(&run.emu, "emu", &run);
	if (run.set.gpu) open_side(&run.gpu, run.set.gpu, &run);
	run_all(&run);
	summary(&run);
cleanup:
	if (run.record) fclose(run.record);
	if (run.write) fclose(run.write);
	if (run.set.report) fclose(run.report);
	device_close(probe);
	device_close(run.emu.device);
	device_close(run.gpu.device);
	free(run.emu.got);
	free(run.gpu.got);
	free(run.inputs);
	free(run.digests);
	arena_free(arena);
	return run.different || run.lost || run.beyond || run.unexpected;
}
