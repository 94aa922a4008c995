/* Every arithmetic instruction against C that was written for the test alone, on operands that sit on the edges. */
#include <fenv.h>
#include <math.h>

#include "bench.h"

typedef uint64_t (*Expect)(uint64_t a, uint64_t b, uint64_t c);

static const uint64_t edges[] = {0,
								 1,
								 2,
								 3,
								 7,
								 31,
								 32,
								 33,
								 63,
								 64,
								 127,
								 128,
								 255,
								 256,
								 0x7fff,
								 0x8000,
								 0xffff,
								 0x10000,
								 0x7fffff,
								 0x800000,
								 0x12345678,
								 0x7fffffff,
								 0x80000000,
								 0x80000001,
								 0xfffffffe,
								 0xffffffff,
								 0x100000000,
								 0x7fffffffffffffff,
								 0x8000000000000000,
								 0xdeadbeefcafebabe,
								 0xfffffffffffffffe,
								 0xffffffffffffffff};
enum { EDGES = sizeof edges / sizeof *edges };

typedef struct {
	const char *body;
	Expect expect;
} Case;

static uint64_t random_bits(uint64_t *state) {
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Edge against edge, then random operands; the last lanes of the second warp stay away, so that masks are used too. */
static void check_case(Bench *bench, const Case *c) {
	uint64_t state = 88172645463325252u, a[64], b[64], d[64];
	for (unsigned round = 0; round < 24; round++) {
		const unsigned n = round & 1 ? 64 : 45;
		for (unsigned l = 0; l < n; l++) {
			const bool edge = round < 16;
			a[l] = edge ? edges[(l + round) % EDGES] : random_bits(&state);
			b[l] = edge ? edges[(l * 5 + round * 3) % EDGES] : random_bits(&state);
			d[l] = edge ? edges[(l * 11 + round * 7) % EDGES] : random_bits(&state);
		}
		bench_run(bench, c->body, a, b, d, n);
		for (unsigned l = 0; l < n; l++) {
			uint64_t want = c->expect(a[l], b[l], d[l]);
			if (bench->out[l] != want)
				fail_msg("%s\n a %llx b %llx c %llx: got %llx, expected %llx", c->body, (unsigned long long)a[l],
						 (unsigned long long)b[l], (unsigned long long)d[l], (unsigned long long)bench->out[l],
						 (unsigned long long)want);
		}
	}
}

static void check_all(const Case *cases, size_t n) {
	Bench *bench = bench_open();
	for (size_t i = 0; i < n; i++) check_case(bench, &cases[i]);
	bench_close(bench);
}
#define CHECK(list) check_all(list, sizeof list / sizeof *list)

#define W "\ncvt.u64.u32 %ld, %d;"
#define H "\ncvt.u64.u16 %ld, %sd;"
#define P "\nselp.b32 %d, 1, 0, %p1;\ncvt.u64.u32 %ld, %d;"
#define E(name, expr)                                                                                                  \
	static uint64_t name(uint64_t a, uint64_t b, uint64_t c) {                                                         \
		(void)a, (void)b, (void)c;                                                                                     \
		return (uint64_t)(expr);                                                                                       \
	}
#define U(x) ((uint32_t)(x))
#define S(x) ((int32_t)(x))
#define Z(x) ((int64_t)(x))

/* --- integers --- */

/* clang-format off */
E(add32, U(a + b)) E(sub64, a - b) E(add16, (uint16_t)(a + b)) E(mul32, U(U(a) * U(b)))
E(mulhiu, ((uint64_t)U(a) * U(b)) >> 32) E(mulhis, U((Z(S(a)) * S(b)) >> 32)) E(wideu, (uint64_t)U(a) * U(b))
E(wides, Z(S(a)) * S(b)) E(wide16, U((int32_t)(int16_t)a *(int16_t)b))
E(hi64u, (uint64_t)(((unsigned __int128)a * b) >> 64)) E(hi64s, (uint64_t)(((__int128)Z(a) * Z(b)) >> 64))
E(mad32, U(a * b + c)) E(madwide, (uint64_t)(Z(S(a)) * S(b)) + c) E(madhi, U((((uint64_t)U(a) * U(b)) >> 32) + c))
E(mad64, a * b + c) E(divu, U(b) ? U(a) / U(b) : 0xffffffffu) E(divs, U(S(b) == 0 ? -1 : Z(S(a)) / S(b)))
E(remu, U(b) ? U(a) % U(b) : ~0u) E(rems, U(S(b) == 0 ? -1 : Z(S(a)) % S(b))) E(div64, b ? a / b : UINT64_MAX)
E(mins, U(S(a) < S(b) ? a : b)) E(maxu64, a > b ? a : b) E(abs32, U(S(a) < 0 ? 0u - U(a) : U(a))) E(neg64, 0 - a)
E(not32, U(~a)) E(cnot, U(a) == 0) E(shl32, U(b) > 31 ? 0 : U(U(a) << U(b))) E(shr32, U(b) > 31 ? 0 : U(a) >> U(b))
E(sar32, U(S(a) >> (U(b) > 31 ? 31 : U(b)))) E(shl64, U(b) > 63 ? 0 : a << U(b))
E(sar64, Z(a) >> (U(b) > 63 ? 63 : U(b))) E(shr16, U(b) > 15 ? 0 : (uint16_t)a >> U(b))
E(satadd, U(Z(S(a)) + S(b) > INT32_MAX ? INT32_MAX : Z(S(a)) + S(b) < INT32_MIN ? INT32_MIN : Z(S(a)) + S(b)))
E(mul24, U((a & 0xffffff) * (b & 0xffffff))) E(mad24s, U(Z(S(a << 8) >> 8) * (S(b << 8) >> 8) + c))
E(sadu, U(c) + (U(a) > U(b) ? U(a) - U(b) : U(b) - U(a)))
	/* clang-format on */
	static uint64_t sad_wrap(uint64_t a, uint64_t b, uint64_t c) {
	return U(sadu(a, b, c));
}

static void integers(void **state) {
	static const Case list[] = {{"add.s32 %d, %a, %b;" W, add32},
								{"sub.u64 %ld, %la, %lb;", sub64},
								{"add.u16 %sd, %sa, %sb;" H, add16},
								{"mul.lo.s32 %d, %a, %b;" W, mul32},
								{"mul.hi.u32 %d, %a, %b;" W, mulhiu},
								{"mul.hi.s32 %d, %a, %b;" W, mulhis},
								{"mul.wide.u32 %ld, %a, %b;", wideu},
								{"mul.wide.s32 %ld, %a, %b;", wides},
								{"mul.wide.s16 %d, %sa, %sb;" W, wide16},
								{"mul.hi.u64 %ld, %la, %lb;", hi64u},
								{"mul.hi.s64 %ld, %la, %lb;", hi64s},
								{"mad.lo.u32 %d, %a, %b, %c;" W, mad32},
								{"mad.wide.s32 %ld, %a, %b, %lc;", madwide},
								{"mad.hi.u32 %d, %a, %b, %c;" W, madhi},
								{"mad.lo.s64 %ld, %la, %lb, %lc;", mad64},
								{"div.u32 %d, %a, %b;" W, divu},
								{"div.s32 %d, %a, %b;" W, divs},
								{"rem.u32 %d, %a, %b;" W, remu},
								{"rem.s32 %d, %a, %b;" W, rems},
								{"div.u64 %ld, %la, %lb;", div64},
								{"min.s32 %d, %a, %b;" W, mins},
								{"max.u64 %ld, %la, %lb;", maxu64},
								{"abs.s32 %d, %a;" W, abs32},
								{"neg.s64 %ld, %la;", neg64},
								{"not.b32 %d, %a;" W, not32},
								{"cnot.b32 %d, %a;" W, cnot},
								{"shl.b32 %d, %a, %b;" W, shl32},
								{"shr.u32 %d, %a, %b;" W, shr32},
								{"shr.s32 %d, %a, %b;" W, sar32},
								{"shl.b64 %ld, %la, %b;", shl64},
								{"shr.s64 %ld, %la, %b;", sar64},
								{"shr.u16 %sd, %sa, %b;" H, shr16},
								{"add.sat.s32 %d, %a, %b;" W, satadd},
								{"mul24.lo.u32 %d, %a, %b;" W, mul24},
								{"mad24.lo.s32 %d, %a, %b, %c;" W, mad24s},
								{"sad.u32 %d, %a, %b, %c;" W, sad_wrap}};
	CHECK(list);
}

/* --- bits --- */

/* clang-format off */
E(popc, __builtin_popcount(U(a))) E(popc64, __builtin_popcountll(a)) E(clz, U(a) ? __builtin_clz(U(a)) : 32)
E(clz64, a ? __builtin_clzll(a) : 64)
	/* clang-format on */
	static uint64_t brev(uint64_t a, uint64_t b, uint64_t c) {
	uint32_t r = 0;
	(void)b, (void)c;
	for (int i = 0; i < 32; i++) r |= (uint32_t)(a >> i & 1) << (31 - i);
	return r;
}
static uint64_t bfind_s(uint64_t a, uint64_t b, uint64_t c) {
	uint32_t x = S(a) < 0 ? ~U(a) : U(a);
	(void)b, (void)c;
	for (int i = 31; i >= 0; i--)
		if (x >> i & 1) return (uint64_t)i;
	return 0xffffffffu;
}
static uint64_t bfe_any(uint64_t a, unsigned at, unsigned len, unsigned width, int sign) {
	uint64_t r = 0;
	unsigned top = at + len - 1 < width - 1 ? at + len - 1 : width - 1;
	unsigned sbit = !sign || len == 0 ? 0 : (unsigned)(a >> top & 1);
	for (unsigned i = 0; i < width; i++) r |= (uint64_t)(i < len && at + i < width ? a >> (at + i) & 1 : sbit) << i;
	return r;
}
/* clang-format off */
E(bfe_u32, bfe_any(U(a), b & 255, c & 255, 32, 0)) E(bfe_s32, bfe_any(U(a), b & 255, c & 255, 32, 1))
E(bfe_s64, bfe_any(a, U(b) > 255 ? 255 : U(b), U(c) > 255 ? 255 : U(c), 64, 1))
	/* clang-format on */
	static uint64_t bfi(uint64_t a, uint64_t b, uint64_t c) { /* len is fixed at 9 */
	uint32_t r = U(b);
	for (unsigned i = 0, at = c & 255; i < 9 && at + i < 32; i++)
		r = (r & ~(1u << (at + i))) | (U(a) >> i & 1) << (at + i);
	return r;
}
static uint64_t prmt(uint64_t a, uint64_t b, uint64_t c) {
	uint8_t bytes[8];
	uint32_t r = 0;
	for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(a >> 8 * i), bytes[4 + i] = (uint8_t)(b >> 8 * i);
	for (int i = 0; i < 4; i++) {
		unsigned sel = c >> 4 * i & 15, v = bytes[sel & 7];
		r |= (uint32_t)(sel & 8 ? (v & 0x80 ? 0xff : 0) : v) << 8 * i;
	}
	return r;
}
/* clang-format off */
E(lop, U((a & b) | (~a & c))) E(xor3, U(a ^ b ^ c))
	/* clang-format on */
	static uint64_t shf_left(uint64_t a, uint64_t b, uint64_t c) {
	unsigned n = U(c) > 32 ? 32 : U(c);
	return n == 0 ? U(b) : n == 32 ? U(a) : U(U(b) << n | U(a) >> (32 - n));
}
static uint64_t shf_right(uint64_t a, uint64_t b, uint64_t c) {
	unsigned n = U(c) & 31;
	return n == 0 ? U(a) : U(U(b) << (32 - n) | U(a) >> n);
}
static uint64_t dp4a(uint64_t a, uint64_t b, uint64_t c) {
	uint32_t r = U(c);
	for (int i = 0; i < 32; i += 8) r += (uint32_t)((int8_t)(a >> i) * (int8_t)(b >> i));
	return r;
}

static void bits(void **state) {
	static const Case list[] = {{"popc.b32 %d, %a;" W, popc},
								{"popc.b64 %d, %la;" W, popc64},
								{"clz.b32 %d, %a;" W, clz},
								{"clz.b64 %d, %la;" W, clz64},
								{"brev.b32 %d, %a;" W, brev},
								{"bfind.s32 %d, %a;" W, bfind_s},
								{"bfe.u32 %d, %a, %b, %c;" W, bfe_u32},
								{"bfe.s32 %d, %a, %b, %c;" W, bfe_s32},
								{"bfe.s64 %ld, %la, %b, %c;", bfe_s64},
								{"bfi.b32 %d, %a, %b, %c, 9;" W, bfi},
								{"prmt.b32 %d, %a, %b, %c;" W, prmt},
								{"lop3.b32 %d, %a, %b, %c, 0xca;" W, lop},
								{"lop3.b32 %d, %a, %b, %c, 0x96;" W, xor3},
								{"shf.l.clamp.b32 %d, %a, %b, %c;" W, shf_left},
								{"shf.r.wrap.b32 %d, %a, %b, %c;" W, shf_right},
								{"dp4a.s32.s32 %d, %a, %b, %c;" W, dp4a}};
	CHECK(list);
}

/* --- carries: 128-bit sums from 32-bit parts --- */

/* clang-format off */
E(wide_add, U(((unsigned __int128)a + b) >> 64) + U(c)) E(wide_sub, U((((unsigned __int128)a - b) >> 64) + c))
E(add64, a + b) E(madcc, (uint64_t)U(a) * U(b) + U(c))
	/* clang-format on */
	static uint64_t wide_add_cut(uint64_t a, uint64_t b, uint64_t c) {
	return U(wide_add(a, b, c));
}

static void carries(void **state) {
	static const Case list[] = {
		{"add.cc.u64 %l1, %la, %lb;\naddc.u32 %d, %c, 0;" W, wide_add_cut},
		{"sub.cc.u64 %l1, %la, %lb;\nsubc.u32 %d, %c, 0;" W, wide_sub},
		{"mov.b64 {%r1, %r2}, %la;\nmov.b64 {%r3, %r4}, %lb;\nadd.cc.u32 %r5, %r1, %r3;\naddc.u32 %r6, %r2, "
		 "%r4;\nmov.b64 %ld, {%r5, %r6};",
		 add64},
		{"mad.lo.cc.u32 %r1, %a, %b, %c;\nmadc.hi.u32 %r2, %a, %b, 0;\nmov.b64 %ld, {%r1, %r2};", madcc}};
	CHECK(list);
}

/* --- floats --- */

static float fl(uint64_t bits) {
	uint32_t b = U(bits);
	float f;
	memcpy(&f, &b, 4);
	return f;
}
static uint64_t fb(float f) {
	uint32_t b;
	memcpy(&b, &f, 4);
	return f != f ? 0x7fffffffu : b;
}
static double db(uint64_t bits) {
	double d;
	memcpy(&d, &bits, 8);
	return d;
}
static uint64_t bd(double d) {
	uint64_t b;
	memcpy(&b, &d, 8);
	return b;
}
static float flush(float x) {
	return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

static float rounded(int mode, char op, float a, float b, float c) {
	volatile float x = a, y = b, z = c, r;
	int old = fegetround();
	fesetround(mode);
	r = op == '+' ? x + y : op == '*' ? x * y : op == '/' ? x / y : fmaf(x, y, z);
	fesetround(old);
	return r;
}

/* clang-format off */
E(x_fadd, fb(fl(a) + fl(b))) E(x_fsub, fb(fl(a) - fl(b))) E(x_fmul, fb(fl(a) * fl(b)))
E(x_ffma, fb(fmaf(fl(a), fl(b), fl(c)))) E(x_fdiv, fb(fl(a) / fl(b))) E(x_fsqrt, fb(sqrtf(fl(a))))
E(frcp, fb(1.0f / fl(a))) E(faddz, fb(rounded(FE_TOWARDZERO, '+', fl(a), fl(b), 0)))
E(fmulm, fb(rounded(FE_DOWNWARD, '*', fl(a), fl(b), 0))) E(ffmap, fb(rounded(FE_UPWARD, 'f', fl(a), fl(b), fl(c))))
E(fdivz, fb(rounded(FE_TOWARDZERO, '/', fl(a), fl(b), 0))) E(fmulftz, fb(flush(flush(fl(a)) * flush(fl(b)))))
E(fneg, fl(a) != fl(a) ? 0x7fffffffu : U(a) ^ 0x80000000u) E(fabs_, fl(a) != fl(a) ? 0x7fffffffu : U(a) & 0x7fffffff)
	/* clang-format on */
	static uint64_t x_fmin(uint64_t a, uint64_t b, uint64_t c) {
	(void)c;
	float x = fl(a), y = fl(b);
	if (x != x || y != y) return fb(x != x ? y : x);
	if (x == y) return U(a) | U(b);
	return fb(x < y ? x : y);
}
static uint64_t fsat(uint64_t a, uint64_t b, uint64_t c) {
	(void)c;
	float x = fl(a) + fl(b);
	return fb(x > 1 ? 1 : x > 0 ? x : 0.0f);
}
/* clang-format off */
E(dadd, bd(db(a) + db(b))) E(dfma, bd(fma(db(a), db(b), db(c)))) E(ddiv, bd(db(a) / db(b)))
	/* clang-format on */

	/* The same bits spread over exponents: integers alone are nearly all subnormal. */
	static uint64_t spread32(uint64_t x) {
	return U(x * 0x9E3779B97F4A7C15u >> 20);
}
static uint64_t spread64(uint64_t x) {
	return x * 0x9E3779B97F4A7C15u;
}

static void check_floats(const Case *cases, size_t n, uint64_t (*spread)(uint64_t), bool skip_nan) {
	static const uint64_t special32[] = {0, 0x80000000u, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000u, 0x7fc00000,
										 1, 0x80000001u, 0x007fffff, 0x00800000, 0x7f7fffff, 0x3effffff,  0x4b000001};
	Bench *bench = bench_open();
	for (size_t k = 0; k < n; k++) {
		for (unsigned round = 0; round < 16; round++) {
			uint64_t a[64], b[64], c[64];
			for (unsigned l = 0; l < 64; l++) {
				a[l] = spread(l * 977 + round * 131071 + 1);
				b[l] = spread(l * 31337 + round * 65537 + 2);
				c[l] = spread(l * 7919 + round * 8191 + 3);
				if (round < 4 && spread == spread32) {
					a[l] = special32[l % 14];
					b[l] = special32[(l / 4 + round) % 14];
					c[l] = special32[(l / 3 + round * 5) % 14];
				}
				if (round & 4 && spread == spread32) b[l] = (a[l] ^ 0x80000000u) + l; /* nearly cancels */
			}
			bench_run(bench, cases[k].body, a, b, c, 64);
			for (unsigned l = 0; l < 64; l++) {
				uint64_t want = cases[k].expect(a[l], b[l], c[l]);
				if (skip_nan && db(want) != db(want))
					continue; /* a double's NaN keeps a payload that is not specified */
				if (want != bench->out[l])
					fail_msg("%s\n a %llx b %llx c %llx: got %llx, expected %llx", cases[k].body,
							 (unsigned long long)a[l], (unsigned long long)b[l], (unsigned long long)c[l],
							 (unsigned long long)bench->out[l], (unsigned long long)want);
			}
		}
	}
	bench_close(bench);
}

#define F "mov.b32 %f1, %a;\nmov.b32 %f2, %b;\nmov.b32 %f3, %c;\n"
#define FW "\nmov.b32 %d, %f4;" W
#define D "mov.b64 %fd1, %la;\nmov.b64 %fd2, %lb;\nmov.b64 %fd3, %lc;\n"
#define DW "\nmov.b64 %ld, %fd0;"

static void floats(void **state) {
	static const Case single[] = {
		{F "add.f32 %f4, %f1, %f2;" FW, x_fadd},    {F "sub.rn.f32 %f4, %f1, %f2;" FW, x_fsub},
		{F "mul.f32 %f4, %f1, %f2;" FW, x_fmul},    {F "fma.rn.f32 %f4, %f1, %f2, %f3;" FW, x_ffma},
		{F "div.rn.f32 %f4, %f1, %f2;" FW, x_fdiv}, {F "sqrt.rn.f32 %f4, %f1;" FW, x_fsqrt},
		{F "rcp.rn.f32 %f4, %f1;" FW, frcp},        {F "add.rz.f32 %f4, %f1, %f2;" FW, faddz},
		{F "mul.rm.f32 %f4, %f1, %f2;" FW, fmulm},  {F "fma.rp.f32 %f4, %f1, %f2, %f3;" FW, ffmap},
		{F "div.rz.f32 %f4, %f1, %f2;" FW, fdivz},  {F "mul.ftz.f32 %f4, %f1, %f2;" FW, fmulftz},
		{F "neg.f32 %f4, %f1;" FW, fneg},           {F "abs.f32 %f4, %f1;" FW, fabs_},
		{F "min.f32 %f4, %f1, %f2;" FW, x_fmin},    {F "add.sat.f32 %f4, %f1, %f2;" FW, fsat}};
	static const Case twice[] = {{D "add.f64 %fd0, %fd1, %fd2;" DW, dadd},
								 {D "fma.rn.f64 %fd0, %fd1, %fd2, %fd3;" DW, dfma},
								 {D "div.rn.f64 %fd0, %fd1, %fd2;" DW, ddiv}};
	check_floats(single, sizeof single / sizeof *single, spread32, false);
	check_floats(twice, sizeof twice / sizeof *twice, spread64, true);
}

/* --- comparisons and selection --- */

/* clang-format off */
E(lt_s, S(a) < S(b)) E(hi_u, U(a) > U(b)) E(ge_64, Z(a) >= Z(b)) E(eq_16, (uint16_t)a == (uint16_t)b)
E(both, S(a) < S(b) && (c & 1)) E(either, S(a) < S(b) || !(c & 1)) E(flt, fl(a) < fl(b)) E(fltu, !(fl(a) >= fl(b)))
E(fne, fl(a) < fl(b) || fl(a) > fl(b)) E(fneu, !(fl(a) == fl(b))) E(fnum, fl(a) == fl(a) && fl(b) == fl(b))
E(set_u, S(a) < S(b) ? 0xffffffffu : 0) E(set_f, S(a) < S(b) ? 0x3f800000u : 0) E(second, !(S(a) < S(b)))
E(slct, U(S(c) >= 0 ? a : b))
/* clang-format on */

#define LOW "and.b32 %r1, %c, 1;\nsetp.ne.u32 %p2, %r1, 0;\n"

					static void comparisons(void **state) {
	static const Case ints[] = {{"setp.lt.s32 %p1, %a, %b;" P, lt_s},
								{"setp.hi.u32 %p1, %a, %b;" P, hi_u},
								{"setp.ge.s64 %p1, %la, %lb;" P, ge_64},
								{"setp.eq.b16 %p1, %sa, %sb;" P, eq_16},
								{LOW "setp.lt.and.s32 %p1, %a, %b, %p2;" P, both},
								{LOW "setp.lt.or.s32 %p1, %a, %b, !%p2;" P, either},
								{"setp.lt.s32 %p3|%p1, %a, %b;" P, second},
								{"set.lt.u32.s32 %d, %a, %b;" W, set_u},
								{"set.lt.f32.s32 %f4, %a, %b;" FW, set_f},
								{"slct.u32.s32 %d, %a, %b, %c;" W, slct}};
	static const Case floats_[] = {{F "setp.lt.f32 %p1, %f1, %f2;" P, flt},
								   {F "setp.ltu.f32 %p1, %f1, %f2;" P, fltu},
								   {F "setp.ne.f32 %p1, %f1, %f2;" P, fne},
								   {F "setp.neu.f32 %p1, %f1, %f2;" P, fneu},
								   {F "setp.num.f32 %p1, %f1, %f2;" P, fnum}};
	CHECK(ints);
	check_floats(floats_, sizeof floats_ / sizeof *floats_, spread32, false);
}

/* --- conversions --- */

/* clang-format off */
E(s8_s32, U((int8_t)a)) E(u8_u32, a & 255) E(s64_s32, Z(S(a))) E(sat_u8, S(a) < 0 ? 0 : S(a) > 255 ? 255 : S(a))
E(sat_s16, U(S(a) > 32767 ? 32767 : S(a) < -32768 ? -32768 : S(a))) E(f_s, fb((float)S(a))) E(f_u64, fb((float)a))
E(d_u64, bd((double)a))
	/* clang-format on */
	static uint64_t int_from(float x, float (*round)(float), double low, double high) {
	if (x != x) return 0;
	double r = round(x);
	return (uint64_t)(int64_t)(r < low ? low : r > high ? high : r);
}
/* clang-format off */
E(i_rz, U(int_from(fl(a), truncf, INT32_MIN, INT32_MAX))) E(i_rn, U(int_from(fl(a), rintf, INT32_MIN, INT32_MAX)))
E(u_rp, U(int_from(fl(a), ceilf, 0, UINT32_MAX))) E(s8_rm, U((int8_t)int_from(fl(a), floorf, -128, 127)))
E(f_rmi, fb(floorf(fl(a))))
	/* clang-format on */
	static uint64_t narrow_to(double x, int mode) {
	int old = fegetround();
	volatile double v = x;
	fesetround(mode);
	volatile float f = (float)v;
	fesetround(old);
	const float r = f;
	uint32_t bits; /* as it is: a NaN keeps what fits of its payload */
	memcpy(&bits, &r, 4);
	return bits;
}
/* clang-format off */
E(f_d_rn, narrow_to(db(a), FE_TONEAREST)) E(f_d_rz, narrow_to(db(a), FE_TOWARDZERO))
E(f_d_rp, narrow_to(db(a), FE_UPWARD)) E(f_d_rm, narrow_to(db(a), FE_DOWNWARD))
	/* clang-format on */

	static void conversions(void **state) {
	static const Case ints[] = {{"cvt.s32.s8 %d, %a;" W, s8_s32},       {"cvt.u32.u8 %d, %a;" W, u8_u32},
								{"cvt.s64.s32 %ld, %a;", s64_s32},      {"cvt.sat.u8.s32 %d, %a;" W, sat_u8},
								{"cvt.sat.s16.s32 %d, %a;" W, sat_s16}, {"cvt.rn.f32.s32 %f4, %a;" FW, f_s},
								{"cvt.rn.f32.u64 %f4, %la;" FW, f_u64}, {"cvt.rn.f64.u64 %fd0, %la;" DW, d_u64}};
	static const Case single[] = {{F "cvt.rzi.s32.f32 %d, %f1;" W, i_rz},
								  {F "cvt.rni.s32.f32 %d, %f1;" W, i_rn},
								  {F "cvt.rpi.u32.f32 %d, %f1;" W, u_rp},
								  {F "cvt.rmi.s8.f32 %d, %f1;" W, s8_rm},
								  {F "cvt.rmi.f32.f32 %f4, %f1;" FW, f_rmi}};
	static const Case twice[] = {{D "cvt.rn.f32.f64 %f4, %fd1;" FW, f_d_rn},
								 {D "cvt.rz.f32.f64 %f4, %fd1;" FW, f_d_rz},
								 {D "cvt.rp.f32.f64 %f4, %fd1;" FW, f_d_rp},
								 {D "cvt.rm.f32.f64 %f4, %fd1;" FW, f_d_rm}};
	CHECK(ints);
	check_floats(single, sizeof single / sizeof *single, spread32, false);
	check_floats(twice, sizeof twice / sizeof *twice, spread64, false);
}

/* --- half precision: every value there and back, and sums against doubles rounded by hand --- */

static double half_value(uint32_t h) {
	int e = h >> 10 & 31;
	double m = h & 1023, v = e == 31 ? (m != 0 ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
	return h & 0x8000 ? -v : v;
}
static uint32_t half_from(double x) {
	if (x != x) return 0x7fff;
	uint32_t best = 0, sign = signbit(x) ? 0x8000 : 0;
	double size = fabs(x), least = INFINITY;
	if (size >= 65520) return sign | 0x7c00;
	for (uint32_t h = 0; h < 0x7c00; h++) {
		double off = fabs(half_value(h) - size);
		if (off < least || (off == least && !(h & 1))) best = h, least = off;
	}
	return sign | best;
}
/* clang-format off */
E(h_add, half_from(half_value(a & 0xffff) + half_value(b & 0xffff)))
E(h_mul, half_from(half_value(a & 0xffff) * half_value(b & 0xffff)))
E(h_fma, half_from(fma(half_value(a & 0xffff), half_value(b & 0xffff), half_value(c & 0xffff))))
E(h_f32, fb((float)half_value(a & 0xffff))) E(h_from, half_from(fl(a)))
	/* clang-format on */

	static void halves(void **state) {
	static const Case list[] = {{"cvt.f32.f16 %f4, %sa;" FW, h_f32},
								{"add.f16 %sd, %sa, %sb;" H, h_add},
								{"mul.f16 %sd, %sa, %sb;" H, h_mul},
								{"fma.rn.f16 %sd, %sa, %sb, %sc;" H, h_fma},
								{F "cvt.rn.f16.f32 %sd, %f1;" H, h_from}};
	Bench *bench = bench_open();
	for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
		for (unsigned round = 0; round < 4; round++) {
			uint64_t a[64], b[64], c[64];
			for (unsigned l = 0; l < 64; l++) {
				a[l] = k == 4 ? fb((float)half_value(spread32(l + 64 * round) & 0x7bff) * (1 + (float)l / 40000))
							  : spread32(l * 3 + round * 977);
				b[l] = spread32(l * 5 + round * 131);
				c[l] = spread32(l * 7 + round * 31);
			}
			bench_run(bench, list[k].body, a, b, c, 64);
			for (unsigned l = 0; l < 64; l++) {
				uint64_t want = list[k].expect(a[l], b[l], c[l]);
				if (want != bench->out[l])
					fail_msg("%s: a %llx b %llx: got %llx, expected %llx", list[k].body, (unsigned long long)a[l],
							 (unsigned long long)b[l], (unsigned long long)bench->out[l], (unsigned long long)want);
			}
		}
	}
	bench_close(bench);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(integers),    cmocka_unit_test(bits),
									   cmocka_unit_test(carries),     cmocka_unit_test(floats),
									   cmocka_unit_test(comparisons), cmocka_unit_test(conversions),
									   cmocka_unit_test(halves)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("emu alu", tests, NULL, NULL);
}
