// Task: the registers of A's fragments hold the wrong elements, so the result
// is wrong. Load each register as mma.sync needs it.
//
// C = A · B for n × n matrices of BF16, with sums in FP32; n is a multiple of
// 16. A warp computes 16 × 16 elements of C.
#include <cuda_bf16.h>

typedef __nv_bfloat16 Number;

// d += a · b: 16 × 16 elements of A by 16 × 8 of B.
__device__ void multiply(float (&d)[4], const unsigned (&a)[4],
	const unsigned (&b)[2])
{
	asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
		"{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Two neighbors of a row.
__device__ unsigned pair(const Number *p)
{
	return *(const unsigned *)p;
}

// Two neighbors of a column.
__device__ unsigned pair(const Number *p, int n)
{
	return __bfloat16_as_ushort(p[0])
		| (unsigned)__bfloat16_as_ushort(p[n]) << 16;
}

__global__ void fragment(float *C, const Number *A, const Number *B, int n)
{
	int lane = threadIdx.x, group = lane / 4, place = lane % 4;
	A += blockIdx.y * 16 * n;
	B += blockIdx.x * 16;
	C += blockIdx.y * 16 * n + blockIdx.x * 16;
	float left[4] = {}, right[4] = {};
	for (int k = 0; k < n; k += 16) {
		unsigned a[4], b[2];
		for (int i = 0; i < 4; i++) // Which row and column of A is this?
			a[i] = pair(A + group * n + k + place * 2 + i * 8 % 16);
		for (int i = 0; i < 2; i++)
			b[i] = pair(B + (k + place * 2 + i * 8) * n + group, n);
		multiply(left, a, b);
		for (int i = 0; i < 2; i++)
			b[i] = pair(B + (k + place * 2 + i * 8) * n + 8 + group, n);
		multiply(right, a, b);
	}
	for (int i = 0; i < 4; i++) {
		float *c = C + (group + i / 2 * 8) * n + place * 2 + i % 2;
		c[0] = left[i];
		c[8] = right[i];
	}
}
