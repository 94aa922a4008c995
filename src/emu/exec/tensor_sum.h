/* Sums of products as the tensor cores of an H100 or H200 make them, bit for bit (docs/reference/exactness.md).
 *
 * Products are exact. All terms, the addend too, are truncated (toward zero) some bits below the largest exponent among
 * them, where a product has the sum of its factors' exponents, and added exactly:
 *
 *     largest    1.0110...................|    `point` bits below the binary point
 *     another        1.01011101...........|1101 lost
 */
#pragma once

#include "emu/exec/lanes.h"
#include "ptx/module.h"

/* MOST_FACTORS: of a column of 8-bit floats, of which a sparse row takes half. */
enum { MOST_FACTORS = 64, POINT = 25, POINT_OF_BYTES = 13 };

/* A row of a or a column of b. */
typedef struct {
	f64 number[MOST_FACTORS];
	s16 exponent[MOST_FACTORS]; /* a subnormal number has that of the smallest normal one */
	bool special;               /* there is an infinity or a NaN among them */
} Factors;

f64 element_number(PtxType type, u64 bits);
u16 fp8_half(u8 bits, bool wide); /* wide: e5m2 */

void factors_set(Factors *f, u32 i, PtxType type, f64 number);

f64 tensor_sum(const Factors *a, const Factors *b, u32 n, s32 point, PtxType addend, f64 c);

/* What the sum becomes. */
u32 truncated_f32(f64 sum, u32 bits); /* toward zero, to so many bits */
u16 rounded_f16(f64 sum);             /* to nearest even; what becomes zero is positive */
