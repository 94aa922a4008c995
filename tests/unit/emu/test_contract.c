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

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_sum_is_fused), cmocka_unit_test(anything_else_is_not),
									   cmocka_unit_test(of_two_products_one_is_fused),
									   cmocka_unit_test(every_floating_type), cmocka_unit_test(factors_stay)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("emu contract", tests, NULL, NULL);
}
