/* The approximate functions, by digests of their results: a regression test. No digest came from a GPU. They are those
 * of the emulator as it was compared with an NVIDIA H200 on 2026-11-23, most forms for all arguments
 * (docs/reference/exactness.md). */
#include "bench.h"

enum { SPREAD = 1 << 18, EDGES = 1 << 15, ARGUMENTS = SPREAD + EDGES, BLOCK = 256 };

typedef struct {
	const char *body; /* from %a and %b, %la, or %sa to %ld */
	uint64_t digest;
} Form;

#define F32(name) name " %d, %a;\ncvt.u64.u32 %ld, %d;"
#define DIV(name) name " %d, %a, %b;\ncvt.u64.u32 %ld, %d;"
#define F64(name) name " %ld, %la;"
#define F16(name) name " %sd, %sa;\ncvt.u64.u16 %ld, %sd;"

static const Form forms[] = {
	{F32("rcp.approx.f32"), 0xb14200594b573535u},       {F32("rcp.approx.ftz.f32"), 0x3403e5894d9a9490u},
	{F32("rsqrt.approx.f32"), 0xd506dfa8fbcbdd01u},     {F32("rsqrt.approx.ftz.f32"), 0x27536beb1f689493u},
	{F32("sqrt.approx.f32"), 0x05a86244a379542cu},      {F32("sqrt.approx.ftz.f32"), 0x332e40d9c81c0934u},
	{F32("ex2.approx.f32"), 0x841728ba27733bc1u},       {F32("ex2.approx.ftz.f32"), 0xcf4906cb4caefc44u},
	{F32("lg2.approx.f32"), 0x902696da65012997u},       {F32("lg2.approx.ftz.f32"), 0x64e18e26caa71277u},
	{F32("sin.approx.f32"), 0x13fdd12119584e03u},       {F32("sin.approx.ftz.f32"), 0x13fdd12119584e03u},
	{F32("cos.approx.f32"), 0xb9dc017a03a5e49bu},       {F32("cos.approx.ftz.f32"), 0xb9dc017a03a5e49bu},
	{F32("tanh.approx.f32"), 0xcb905287109d3c2fu},      {DIV("div.approx.f32"), 0xc0cd9bb56b99056fu},
	{DIV("div.approx.ftz.f32"), 0x90cd0504c638d684u},   {DIV("div.full.f32"), 0x2469c94092b4532au},
	{DIV("div.full.ftz.f32"), 0x88a0f7f4c428aa5au},     {F64("rcp.approx.ftz.f64"), 0x4610e8fef9d3e5c0u},
	{F64("rsqrt.approx.ftz.f64"), 0xe40de46d777e7a8fu}, {F64("rsqrt.approx.f64"), 0x1c094113f50ae5ffu},
	{F16("ex2.approx.ftz.bf16"), 0xc3481efce6bbe167u},
};

/* Numbers spread over all bit patterns, and 32 on either side of each power of two; the upper word is another. */
static uint64_t argument(uint32_t i) {
	const uint32_t edge = i - SPREAD, a = i < SPREAD ? i * 16381 : (edge >> 6 << 23) + (edge & 63) - 32;
	return (uint64_t)(a * 2654435761u ^ a >> 15) << 32 | a;
}
/* Double precision: a is the upper word. */
static uint64_t swapped(uint64_t x) {
	return x >> 32 | x << 32;
}

static uint64_t digest(const uint64_t *results) {
	uint64_t h = 0;
	for (uint32_t i = 0; i < ARGUMENTS; i++) h = (h ^ results[i]) * 0x9e3779b97f4a7c15u + (h >> 29);
	return h;
}

static uint64_t run(Bench *bench, const Form *form, uint64_t in, uint64_t out, uint64_t *results) {
	char text[2048];
	Err err = ERR_INIT;
	const uint64_t params[] = {in, out};
	snprintf(text, sizeof text,
			 PTX_HEADER
			 ".visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
			 ".reg .b16 %%sa, %%sd; .reg .b32 %%a, %%b, %%d, %%i, %%n; .reg .b64 %%la, %%ld, %%in, %%out;\n"
			 "ld.param.u64 %%in, [p0];\nld.param.u64 %%out, [p1];\nmov.u32 %%i, %%tid.x;\n"
			 "mov.u32 %%n, %%ctaid.x;\nmad.lo.u32 %%i, %%n, %d, %%i;\nmad.wide.u32 %%in, %%i, 8, %%in;\n"
			 "mad.wide.u32 %%out, %%i, 8, %%out;\nld.global.u64 %%la, [%%in];\n"
			 "mov.b64 {%%a, %%b}, %%la;\ncvt.u16.u32 %%sa, %%a;\n%s\nst.global.u64 [%%out], %%ld;\nret;\n}\n",
			 BLOCK, form->body);
	const LaunchConfig config = {.grid = {ARGUMENTS / BLOCK, 1, 1}, .block = {BLOCK, 1, 1}, .timeout_ms = 60000};
	if (!bench_launch(bench, text, config, params, sizeof params, &err)) fail_msg("%s\n%s", err.what, form->body);
	if (bench->outcome.status != LAUNCH_OK) fail_msg("%s\n%s", bench->outcome.message, form->body);
	assert_true(machine_read(bench->machine, out, results, ARGUMENTS * sizeof *results, &err));
	return digest(results);
}

static void same_bits(void **state) {
	Bench *bench = bench_open();
	Err err = ERR_INIT;
	uint64_t in, out, *values = malloc(ARGUMENTS * sizeof *values);
	size_t wrong = 0;
	(void)state;
	assert_true(machine_alloc(bench->machine, ARGUMENTS * sizeof *values, "arguments", &in, &err));
	assert_true(machine_alloc(bench->machine, ARGUMENTS * sizeof *values, "results", &out, &err));
	for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
		const bool wide = strstr(forms[f].body, ".f64") != NULL;
		for (uint32_t i = 0; i < ARGUMENTS; i++) values[i] = wide ? swapped(argument(i)) : argument(i);
		assert_true(machine_write(bench->machine, in, values, ARGUMENTS * sizeof *values, &err));
		const uint64_t got = run(bench, &forms[f], in, out, values);
		if (got != forms[f].digest && ++wrong)
			print_error("%.*s: 0x%016llx, expected 0x%016llx\n", (int)strcspn(forms[f].body, " "), forms[f].body,
						(unsigned long long)got, (unsigned long long)forms[f].digest);
	}
	free(values);
	bench_close(bench);
	assert_int_equal(wrong, 0);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
