/* Fuzzing of the emulator under all checkers: any bytes choose a few forms of forms.def, where their addresses lead,
 * and the shape of the launch. The programs are always well formed; what they do is not: addresses of every space, of
 * the blocks of a cluster, of memory that is not there, lane by lane, as texture handles, and barriers where nobody
 * else comes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/check/check.h"
#include "emu/count/counters.h"
#include "emu/machine.h"
#include "emu/memory/memory.h"
#include "forms.h"

enum { VECTORS = 512, BUFFER = 1 << 19, MOST_FORMS = 6, ADDRESSES = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* --- the input, byte by byte; zeros once it is used up ------------------------------------------------------------ */

typedef struct {
	const uint8_t *at;
	size_t left;
} Input;

static uint32_t take(Input *in, uint32_t below) {
	uint32_t v = 0;
	for (uint32_t most = 1; in->left && most < below; most <<= 8) {
		v = v << 8 | *in->at++;
		in->left--;
		if (most > UINT32_MAX >> 8) break;
	}
	return v % below;
}

/* --- programs ----------------------------------------------------------------------------------------------------- */

typedef struct {
	uint64_t buffer, texture, surface;
} Places;

/* Somewhere of interest, as a number or as the address of a variable. */
static void add_address(Str *out, Input *in, const Places *p, const char *reg, unsigned bytes) {
	static const uint64_t offsets[] = {0, 4, 16, 64, 4096, 8, 1, 0x3ff0, 0x8000, UINT64_C(0) - 4};
	const uint64_t bases[] = {p->buffer,
							  p->buffer + BUFFER,
							  0,
							  SHARED_WINDOW,
							  SHARED_WINDOW + CLUSTER_STRIDE,
							  SHARED_WINDOW + 2 * CLUSTER_STRIDE,
							  SHARED_WINDOW + WINDOW_BYTES,
							  LOCAL_WINDOW,
							  LOCAL_WINDOW + LOCAL_LIMIT,
							  PARAM_WINDOW,
							  FUNCTION_WINDOW,
							  p->texture,
							  p->surface,
							  CLUSTER_STRIDE,
							  3 * CLUSTER_STRIDE,
							  UINT64_MAX,
							  GLOBAL_BASE,
							  MAPPED_BASE};
	const uint64_t base = bases[take(in, sizeof bases / sizeof *bases)];
	const uint64_t at = base + offsets[take(in, sizeof offsets / sizeof *offsets)];
	const uint32_t how = take(in, 6);
	if (how == 0)
		str_addf(out, "\tmov.b%u %s, 0x%llx;\n", 8 * bytes, reg, (unsigned long long)(bytes == 4 ? (uint32_t)at : at));
	else if (how == 1 && bytes == 8)
		str_addf(out, "\tmov.b64 %s, on_stack;\n\tcvta.local.u64 %s, %s;\n", reg, reg, reg);
	else if (how == 2 && bytes == 8)
		str_addf(out, "\tmov.b64 %s, cells_shared;\n\tcvta.shared.u64 %s, %s;\n\tmapa.u64 %s, %s, %u;\n", reg, reg, reg,
				 reg, reg, take(in, 3));
	else if (how == 2)
		str_addf(out, "\tmapa.shared::cluster.u32 %s, %s, %u;\n", reg, reg, take(in, 3));
	else
		return; /* as the prologue made it: the thread's own */
	static const uint32_t steps[] = {0, 4, 8, 16, 1, 64, 4096, 0x800000};
	const uint32_t step = steps[take(in, sizeof steps / sizeof *steps)];
	if (bytes == 8)
		str_addf(out, "\tmad.wide.u32 %s, %%lane, %u, %s;\n", reg, step, reg);
	else
		str_addf(out, "\tmad.lo.u32 %s, %%lane, %u, %s;\n", reg, step, reg);
}

/* Some lanes keep another address: a warp's accesses then go to several spaces. */
static void add_addresses(Str *out, Input *in, const Places *p) {
	static const char *const wide[] = {"%cell", "%wild"};
	static const char *const narrow[] = {"%scell", "%warp"};
	str_add(out,
			"\t.local .align 16 .b8 on_stack[64];\n\t.reg .b64 %wild, %o64;\n\t.reg .b32 %lane, %o32;\n\t.reg .pred "
			"%odd;\n\tmov.u32 %lane, %laneid;\n\tmov.b64 %wild, %in;\n");
	for (unsigned i = 0; i < ADDRESSES; i++) {
		const char *reg = i < 2 ? wide[i] : narrow[i - 2], *kept = i < 2 ? "%o64" : "%o32";
		const unsigned bits = i < 2 ? 64 : 32;
		const bool mixed = take(in, 4) == 1;
		if (mixed) str_addf(out, "\tmov.b%u %s, %s;\n", bits, kept, reg);
		add_address(out, in, p, reg, bits / 8);
		if (!mixed) continue;
		str_addf(out, "\tand.b32 %%t, %%lane, %u;\n\tsetp.eq.u32 %%odd, %%t, 0;\n", take(in, 32));
		str_addf(out, "\tselp.b%u %s, %s, %s, %%odd;\n", bits, reg, reg, kept);
	}
	str_add(out, "\tmov.u32 %t, %tid.x;\n");
}

/* The forms' [%in] leads where %wild does; their sources still come from the inputs. */
static void add_form(Str *out, const Form *form, Input *in, uint32_t label) {
	Str block = {0};
	const bool guarded = take(in, 4) == 1;
	form_block(form, &block, VECTORS, 0);
	if (guarded)
		str_addf(out, "\tsetp.%s.u32 %%odd, %%lane, %u;\n\t@%%odd bra SKIP%u;\n", take(in, 2) ? "lt" : "eq",
				 take(in, 32), label);
	for (const char *p = block.text; *p;) {
		const bool plain = !strncmp(p, "[%in]", 5) || !strncmp(p, "[%in,", 5);
		str_addn(out, plain ? "[%wild" : p, plain ? 6 : 1);
		p += plain ? 4 : 1;
	}
	if (guarded) str_addf(out, "SKIP%u:\n", label);
	str_free(&block);
}

static void add_program(Str *out, const Forms *forms, Input *in, const Places *p) {
	static const char *const clusters[] = {"",
										   "",
										   ".reqnctapercluster 1",
										   ".reqnctapercluster 2",
										   ".reqnctapercluster 2, 2",
										   ".explicitcluster .reqnctapercluster 4"};
	const char *cluster = clusters[take(in, sizeof clusters / sizeof *clusters)];
	Str prologue = {0};
	form_prologue(&prologue, "k", true);
	char *body = strchr(strstr(prologue.text, ".entry"), '{');
	str_addn(out, prologue.text, (size_t)(body - prologue.text));
	str_addf(out, "%s\n%s", cluster, body);
	add_addresses(out, in, p);
	const uint32_t n = 1 + take(in, MOST_FORMS);
	const bool repeats = take(in, 3) == 1;
	if (repeats) str_add(out, "\t.reg .b32 %turn;\n\tmov.u32 %turn, 0;\nAGAIN:\n");
	for (uint32_t i = 0; i < n; i++) add_form(out, &forms->data[take(in, (uint32_t)forms->len)], in, i);
	if (repeats)
		str_addf(out, "\tadd.u32 %%turn, %%turn, 1;\n\tsetp.lt.u32 %%odd, %%turn, %u;\n\t@%%odd bra AGAIN;\n",
				 1 + take(in, 40));
	form_epilogue(out);
	str_free(&prologue);
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static LaunchConfig shape(Input *in) {
	static const uint32_t threads[] = {32, 1, 33, 64, 45, 256, 17, 128};
	static const uint32_t shared[] = {0, 0, 16, 4096, 40000, 200000};
	LaunchConfig c = {.grid = {1 + take(in, 4), 1 + take(in, 2), 1}, .block = {threads[take(in, 8)], 1, 1}};
	if (take(in, 4) == 1) c.block[1] = 1 + take(in, 3);
	c.shared_bytes = shared[take(in, 6)];
	c.schedule = take(in, 4) == 1 ? 1 + take(in, 256) : 0;
	c.cooperative = take(in, 8) == 1;
	c.timeout_ms = 20;
	return c;
}

static void fill_inputs(Machine *m, uint64_t buffer) {
	uint64_t *at = machine_host(m, buffer, BUFFER);
	for (size_t i = 0; i < BUFFER / 8; i++) at[i] = (i * UINT64_C(0x9e3779b97f4a7c15)) >> (i % 61);
}

static void launch(Machine *m, EmuModule *module, Input *in, const Places *p) {
	const EmuKernel *k = emu_kernel(module, "k");
	const LaunchConfig c = shape(in);
	const unsigned flags = take(in, 4) == 1 ? take(in, CHECK_ALL + 1) : CHECK_ALL;
	const uint64_t params[3] = {p->buffer, p->buffer, p->buffer};
	LaunchOutcome outcome;
	Err err = ERR_INIT;
	CheckSet *set = checks_new(machine_gpu(m), flags);
	Counters *counters = counters_new(machine_gpu(m));
	Observer *observers[8];
	size_t n, findings;
	Observer **checkers = checks_observers(set, &n);
	memcpy(observers, checkers, n * sizeof *observers);
	observers[n++] = &counters->base;
	const EmuLaunch job = {
		.config = c, .params = params, .param_bytes = sizeof params, .observers = observers, .nobservers = n};
	machine_launch(m, k, &job, &outcome, &err);
	checks_findings(set, &findings);
	checks_free(set);
	counters_free(counters);
}

static TextureDesc texel_shape(Input *in, bool surface) {
	static const ElemType types[] = {ELEM_F32, ELEM_U8, ELEM_I16, ELEM_F16};
	TextureDesc d = {.surface = surface, .type = types[take(in, 4)], .channels = 1u << take(in, 3)};
	d.width = 1 + take(in, 20);
	d.height = take(in, 6);
	d.depth = take(in, 4) == 1 ? 1 + take(in, 4) : 0;
	d.layers = !d.depth && take(in, 4) == 1 ? 1 + take(in, 4) : 0;
	if (surface) return d;
	d.linear_memory = !d.height && take(in, 2);
	d.normalized = !d.linear_memory && take(in, 2);
	d.filter = !d.linear_memory && elem_is_float(d.type) && take(in, 2);
	for (unsigned i = 0; i < 3; i++) d.address[i] = d.normalized ? (AddressMode)take(in, ADDRESS_MODES) : ADDRESS_CLAMP;
	return d;
}

static const Forms *all_forms(void) {
	static Forms forms;
	static Arena *arena; /* for the life of the process */
	if (!arena) forms = forms_all(arena = arena_new());
	return &forms;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	Input in = {data, size};
	Err err = ERR_INIT;
	Str text = {0};
	Places p = {0};
	EmuModule *module;
	Machine *m = machine_open(gpu_find("H200", &err), 1 + take(&in, 2));
	const bool tracked = take(&in, 2);
	if (!machine_alloc(m, BUFFER, "buffer", &p.buffer, &err)) abort();
	if (tracked) machine_track_fresh(m, p.buffer);
	/* Some shapes are refused; then there is none, and its handle is 0. */
	const TextureDesc texture = texel_shape(&in, false), surface = texel_shape(&in, true);
	machine_texture(m, &texture, "t", &p.texture, &err);
	machine_texture(m, &surface, "s", &p.surface, &err);
	fill_inputs(m, p.buffer);
	add_program(&text, all_forms(), &in, &p);
	PtxModule *ptx = ptx_parse(text.text, text.len, &err);
	if (!ptx) {
		fprintf(stderr, "%s\n%s\n", err.what, text.text);
		abort(); /* the table and this program only make what is well formed */
	}
	if (getenv("SHOW")) fputs(text.text, stderr);
	if (machine_load(m, ptx, &module, &err)) launch(m, module, &in, &p);
	machine_close(m);
	ptx_free(ptx);
	str_free(&text);
	return 0;
}
