/* Which products the emulator fuses into sums. The cases were compiled by ptxas 13.0 for sm_90, and their SASS
 * (FMUL, FADD, FFMA) says which of them it fuses. With a = b = 1 + 2^-12 the product is 1 + 2^-11 + 2^-24: rounded, it
 * loses the last term, so that each sum tells how it was computed. */
#include "bench.h"

/* %f1: 1 + 2^-12; %f2: 1 + 2^-11; %f3: 1 - 2^-12. A sum of the product and -%f2 is 2^-24 if fused, else 0. */
#define A "mov.b32 %f1, %a; mov.b32 %f2, %b; mul.f32 %f0, %f1, %f1; "
#define D(reg) "mov.b32 %d, " reg "; mov.b64 %ld, {%d, 0}; "
#define TWO(x, y) "mov.b64 %ld, {" x ", " y "}; "

enum { FUSED = 0x33800000, MINUS = 0xb3800000u };

static void gives(Bench *bench, const char *body, uint32_t low, uint32_t high) {
	uint64_t a[1] = {0x3f800800}, b[1] = {0x3f801000}, c[1] = {0};
	bench_run(bench, body, a, b, c, 1);
	const uint64_t want = (uint64_t)high << 32 | low;
	if (bench->out[0] != want)
		fail_msg("%s\n got %016llx, expected %016llx", body, (unsigned long long)bench->out[0],
				 (unsigned long long)want);
}

static void a_sum_is_fused(void **state) {
	Bench *b = bench_open();
	(void)state;
	gives(b, A "sub.f32 %f4, %f0, %f2; " D("%f4"), FUSED, 0);
	gives(b, A "sub.f32 %f4, %f2, %f0; " D("%f4"), MINUS, 0);
	gives(b, A "neg.f32 %f3, %f2; add.f32 %f4, %f0, %f3; " D("%f4"), FUSED, 0);
	gives(b, A "neg.f32 %f3, %f0; add.f32 %f4, %f3, %f2; " D("%f4"), MINUS, 0);
	gives(b, A "mov.f32 %f3, %f0; sub.f32 %f4, %f3, %f2; " D("%f4"), FUSED, 0);
	gives(b, A "mov.b32 %r1, %f0; mov.b32 %f3, %r1; sub.f32 %f4, %f3, %f2; " D("%f4"), FUSED, 0);
	gives(b, A "sub.f32 %f0, %f0, %f2; " D("%f0"), FUSED, 0);
	gives(b, A "sub.sat.f32 %f4, %f0, %f2; " D("%f4"), FUSED, 0);
	gives(b, A "bar.sync 0; sub.f32 %f4, %f0, %f2; " D("%f4"), FUSED, 0);
	gives(b, A "sub.f32 %f4, %f0, %f2; sub.f32 %f5, %f2, %f0; " TWO("%f4", "%f5"), FUSED, MINUS);
	gives(b, "mov.b32 %f1, %a; mov.b32 %f2, %b; mul.ftz.f32 %f0, %f1, %f1; sub.ftz.f32 %f4, %f0, %f2; " D("%f4"), FUSED,
		  0);
	bench_close(b);
}

static void anything_else_is_not(void **state) {
	Bench *b = bench_open();
	(void)state;
	gives(b, A "sub.rn.f32 %f4, %f0, %f2; " D("%f4"), 0, 0);
	gives(b, "mov.b32 %f1, %a; mov.b32 %f2, %b; mul.rn.f32 %f0, %f1, %f1; sub.f32 %f4, %f0, %f2; " D("%f4"), 0, 0);
	gives(b, A "sub.ftz.f32 %f4, %f0, %f2; " D("%f4"), 0, 0);
	gives(b, A "abs.f32 %f3, %f0; sub.f32 %f4, %f3, %f2; " D("%f4"), 0, 0);
	gives(b, A "sub.f32 %f4, %f0, %f2; " TWO("%f4", "%f0"), 0, 0x3f801000);
	gives(b, A "setp.gt.f32 %p1, %f0, 0f00000000; sub.f32 %f4, %f0, %f2; " D("%f4"), 0, 0);
	gives(b, A "add.f32 %f3, %f0, %f0; sub.f32 %f4, %f0, %f2; sub.f32 %f5, %f3, %f3; " D("%f4"), 0, 0);
	gives(b, A "membar.gl; sub.f32 %f4, %f0, %f2; " D("%f4"), 0, 0);
	gives(b, A "div.rn.f32 %f5, %f1, %f2; sub.f32 %f4, %f0, %f2; " D("%f4"), 0, 0);
	gives(b, A "setp.eq.u32 %p1, %i, 77; @%p1 bra L; sub.f32 %f4, %f0, %f2; " D("%f4") "L: ", 0, 0);
	gives(b, A "setp.eq.u32 %p1, %i, 0; @%p1 mov.f32 %f0, %f1; sub.f32 %f4, %f0, %f2; " D("%f4"), 0xb9800000, 0);
	bench_close(b);
}

/* %f0 = a * a, %f3 = b' * 1 with b' = -%f2: their sum is 2^-24 if the first is fused, 0 if the second is. */
#define B A "neg.f32 %f6, %f2; mul.f32 %f3, %f6, 0f3f800000; "

static void of_two_products_one_is_fused(void **state) {
	Bench *b = bench_open();
	(void)state;
	gives(b, B "add.f32 %f4, %f0, %f3; " D("%f4"), FUSED, 0);
	gives(b, B "add.f32 %f4, %f3, %f0; " D("%f4"), 0, 0);
	/* The one that is read once, whichever comes first; then the other is read by a FMA. */
	gives(b, B "add.f32 %f4, %f0, %f3; sub.f32 %f5, %f0, %f2; " TWO("%f4", "%f5"), 0, 0);
	gives(b, B "sub.f32 %f5, %f0, %f2; add.f32 %f4, %f0, %f3; " TWO("%f4", "%f5"), 0, 0);
	gives(b, B "add.f32 %f4, %f3, %f0; add.f32 %f5, %f3, %f2; " TWO("%f4", "%f5"), FUSED, 0);
	/* Both read twice: in the order of the sums. */
	gives(b, B "add.f32 %f4, %f0, %f3; sub.f32 %f5, %f0, %f2; add.f32 %f7, %f3, %f2; " TWO("%f4", "%f5"), FUSED, FUSED);
	gives(b, B "add.f32 %f4, %f3, %f0; sub.f32 %f5, %f0, %f2; add.f32 %f7, %f3, %f2; " TWO("%f4", "%f5"), 0, 0);
	gives(b, B "sub.f32 %f5, %f0, %f2; add.f32 %f7, %f3, %f2; add.f32 %f4, %f3, %f0; " TWO("%f4", "%f5"), 0, FUSED);
	bench_close(b);
}

static void every_floating_type(void **state) {
	Bench *b = bench_open();
	(void)state;
	/* 1 + 2^-27 squared is 1 + 2^-26 + 2^-54 */
	gives(b,
		  "mov.f64 %fd0, 0d3ff0000002000000; mov.f64 %fd1, 0d3ff0000004000000; mul.f64 %fd2, %fd0, %fd0; "
		  "sub.f64 %fd3, %fd2, %fd1; mov.b64 %ld, %fd3; ",
		  0, 0x3c900000);
	gives(b,
		  "mov.f64 %fd0, 0d3ff0000002000000; mov.f64 %fd1, 0d3ff0000004000000; mul.f64 %fd2, %fd0, %fd0; "
		  "sub.f64 %fd3, %fd1, %fd2; mov.b64 %ld, %fd3; ",
		  0, 0xbc900000u);
	/* 1 + 2^-6 squared is 1 + 2^-5 + 2^-12 */
	gives(b,
		  "mov.b16 %s0, 0x3c10; mov.b16 %s1, 0x3c20; mul.f16 %s2, %s0, %s0; sub.f16 %s3, %s2, %s1; "
		  "cvt.u64.u16 %ld, %s3; ",
		  0x0c00, 0);
	gives(b,
		  "mov.b16 %s0, 0x3c10; mov.b16 %s1, 0x3c20; mul.f16 %s2, %s0, %s0; sub.f16 %s3, %s1, %s2; "
		  "cvt.u64.u16 %ld, %s3; ",
		  0x8c00, 0);
	gives(b,
		  "mov.b16 %s0, 0x3c10; mov.b16 %s1, 0x3c20; mul.ftz.f16 %s2, %s0, %s0; sub.ftz.f16 %s3, %s1, %s2; "
		  "cvt.u64.u16 %ld, %s3; ",
		  0x8c00, 0);
	gives(b,
		  "mov.b32 %r0, 0x3c103c10; mov.b32 %r1, 0x3c203c20; mul.f16x2 %r2, %r0, %r0; sub.f16x2 %r3, %r2, %r1; "
		  "cvt.u64.u32 %ld, %r3; ",
		  0x0c000c00, 0);
	bench_close(b);
}

/* The factors' registers keep their places until the sum. */
static void factors_stay(void **state) {
	Bench *b = bench_open();
	(void)state;
	gives(b,
		  A "mov.b32 %f5, 0f40000000; mov.b32 %f6, 0f40400000; add.f32 %f7, %f5, %f6; sub.f32 %f4, %f0, %f2; " TWO(
			  "%f4", "%f7"),
		  FUSED, 0x40a00000);
	bench_close(b);
}

/* %f0 = a * (1 + 2^-12), with a literal */
#define M "mov.b32 %f1, %a; mov.b32 %f2, %b; mul.f32 %f0, %f1, 0f3f800800; "

static void a_product_with_a_constant_is_fused_anywhere(void **state) {
	Bench *b = bench_open();
	(void)state;
	gives(b, M "membar.gl; sub.f32 %f4, %f0, %f2; " D("%f4"), FUSED, 0);
	gives(b, M "div.rn.f32 %f5, %f1, %f2; sub.f32 %f4, %f0, %f2; " D("%f4"), FUSED, 0);
	gives(b, M "setp.eq.u32 %p1, %i, 77; @%p1 bra L; sub.f32 %f4, %f0, %f2; " D("%f4") "L: ", FUSED, 0);
	gives(b, M "sub.f32 %f4, %f0, %f2; membar.gl; sub.f32 %f5, %f2, %f0; " TWO("%f4", "%f5"), FUSED, MINUS);
	gives(b, M "neg.f32 %f3, %f0; membar.gl; add.f32 %f4, %f3, %f2; " D("%f4"), MINUS, 0);
	gives(b, M "membar.gl; mov.f32 %f3, %f0; sub.f32 %f4, %f3, %f2; " D("%f4"), FUSED, 0);
	gives(b, M "membar.gl; mul.f32 %f3, %f1, %f1; sub.f32 %f4, %f0, %f3; " D("%f4"), FUSED, 0);
	gives(b,
		  "mov.b32 %f1, %a; mov.b32 %f2, %b; mov.b32 %r1, 0xbf800800; neg.f32 %f3, %r1; mul.f32 %f0, %f3, %f1; "
		  "membar.gl; sub.f32 %f4, %f0, %f2; " D("%f4"),
		  FUSED, 0);
	/* 1 + 2^-27 squared is 1 + 2^-26 + 2^-54 */
	gives(b,
		  "cvt.f64.u32 %fd0, %i; add.rn.f64 %fd0, %fd0, 0d3ff0000002000000; mul.f64 %fd2, %fd0, 0d3ff0000002000000; "
		  "membar.gl; sub.f64 %fd3, %fd2, 0d3ff0000004000000; mov.b64 %ld, %fd3; ",
		  0, 0x3c900000);
	bench_close(b);
}

static void unless_something_else_reads_it(void **state) {
	Bench *b = bench_open();
	(void)state;
	gives(b, M "membar.gl; sub.f32 %f4, %f0, %f2; " TWO("%f4", "%f0"), 0, 0x3f801000);
	gives(b, M "add.rn.f32 %f3, %f0, %f2; membar.gl; sub.f32 %f4, %f0, %f2; " TWO("%f4", "%f3"), 0, 0x40001000);
	gives(b, M "membar.gl; sub.ftz.f32 %f4, %f0, %f2; " D("%f4"), 0, 0);
	gives(b,
		  M
		  "mov.f32 %f3, %f0; setp.eq.u32 %p1, %i, 0; @%p1 bra L; mov.f32 %f3, %f2; L: sub.f32 %f4, %f3, %f2; " D("%f4"),
		  0, 0);
	/* A product that is read once comes first, in whatever block: the other one is then read by an FMA. */
	gives(b, M "sub.f32 %f5, %f0, %f2; membar.gl; mul.f32 %f3, %f1, %f1; sub.f32 %f4, %f0, %f3; " TWO("%f4", "%f5"),
		  MINUS, 0);
	/* Not a constant: it has two values. */
	gives(b,
		  "mov.b32 %f1, %a; mov.b32 %f2, %b; mov.f32 %f3, 0f3f800800; setp.eq.u32 %p1, %i, 77; "
		  "@%p1 mov.f32 %f3, %f1; mul.f32 %f0, %f1, %f3; membar.gl; sub.f32 %f4, %f0, %f2; " D("%f4"),
		  0, 0);
	bench_close(b);
}

/* Of a parameter, and of __constant__ memory at a fixed address. */
static void constants_of_a_kernel(void **state) {
	const char *const factors[] = {"ld.param.f32 %f3, [p1];", "ld.const.f32 %f3, [c + 4];",
								   "mov.u64 %rd4, c; ld.const.f32 %f3, [%rd4 + 4];",
								   "ld.const.v2.f32 {%f5, %f3}, [c];"},
					  *const others[] = {"cvt.u64.u32 %rd4, %r1; mov.u64 %rd5, c; add.u64 %rd4, %rd4, %rd5; "
										 "ld.const.f32 %f3, [%rd4 + 4];",
										 "ld.param.f32 %f6, [p1]; add.rn.f32 %f3, %f6, 0f00000000;"};
	for (size_t i = 0; i < 6; i++) {
		Bench *b = bench_open();
		Err err = ERR_INIT;
		uint64_t addr;
		uint32_t out = 77;
		char text[2048];
		(void)state;
		snprintf(text, sizeof text,
				 PTX_HEADER ".const .align 8 .b8 c[8] = {0, 0, 0, 0, 0, 8, 128, 63};\n"
							".visible .entry k(.param .u64 p0, .param .f32 p1) {\n"
							".reg .f32 %%f<8>; .reg .b32 %%r<4>; .reg .b64 %%rd<8>;\n"
							"ld.param.u64 %%rd1, [p0]; mov.u32 %%r1, %%tid.x; cvt.rn.f32.u32 %%f1, %%r1;\n"
							"add.rn.f32 %%f1, %%f1, 0f3f800800; %s mul.f32 %%f0, %%f1, %%f3; membar.gl;\n"
							"sub.f32 %%f4, %%f0, 0f3f801000; st.global.f32 [%%rd1], %%f4; ret; }\n",
				 i < 4 ? factors[i] : others[i - 4]);
		assert_true(machine_alloc(b->machine, sizeof out, "out", &addr, &err));
		const struct {
			uint64_t to;
			uint32_t factor;
		} params = {addr, 0x3f800800};
		const LaunchConfig config = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
		assert_true(bench_launch(b, text, config, &params, 12, &err));
		assert_true(machine_read(b->machine, addr, &out, sizeof out, &err));
		if (out != (i < 4 ? FUSED : 0)) fail_msg("%s\n got %08x", text, out);
		bench_close(b);
	}
}

/* Their registers keep the factors in loops, too; a product whose factor is another one by then is left alone. */
static void movable_factors_stay(void **state) {
	Bench *b = bench_open();
	(void)state;
	gives(b,
		  M "mov.u32 %r1, 0; L: sub.f32 %f4, %f0, %f2; mov.b32 %f5, 0f40000000; add.rn.f32 %f6, %f5, %f5; "
			"mov.b32 %r2, %f6; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 3; @%p1 bra L; " TWO("%f4", "%r2"),
		  FUSED, 0x40800000);
	gives(b,
		  M
		  "mov.u32 %r1, 0; L: neg.f32 %f3, %f0; membar.gl; add.f32 %f4, %f3, %f2; mov.b32 %f5, 0f40000000; "
		  "add.rn.f32 %f6, %f5, %f5; mov.b32 %r2, %f6; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 3; @%p1 bra L; " TWO(
			  "%f4", "%r2"),
		  MINUS, 0x40800000);
	gives(b, M "mov.f32 %f1, %f2; membar.gl; sub.f32 %f4, %f0, %f2; " TWO("%f4", "%f1"), 0, 0x3f801000);
	/* Written again only when the product is no longer needed. */
	gives(b,
		  "mov.b32 %f1, %a; mov.b32 %f2, %b; mov.u32 %r1, 0; L: mul.f32 %f0, %f1, 0f3f800800; membar.gl; "
		  "sub.f32 %f4, %f0, %f2; mov.b32 %f1, %a; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 3; @%p1 bra L; " D("%f4"),
		  FUSED, 0);
	bench_close(b);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_sum_is_fused),
									   cmocka_unit_test(anything_else_is_not),
									   cmocka_unit_test(of_two_products_one_is_fused),
									   cmocka_unit_test(every_floating_type),
									   cmocka_unit_test(factors_stay),
									   cmocka_unit_test(a_product_with_a_constant_is_fused_anywhere),
									   cmocka_unit_test(unless_something_else_reads_it),
									   cmocka_unit_test(constants_of_a_kernel),
									   cmocka_unit_test(movable_factors_stay)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("emu contract", tests, NULL, NULL);
}
