// === honest-unrolled
// One load per register, written out.
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
		const Number *p = A + group * n + k + place * 2;
		a[0] = pair(p);
		a[1] = pair(p + 8 * n);
		a[2] = pair(p + 8);
		a[3] = pair(p + 8 * n + 8);
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

// === honest-ldmatrix
// The tile of A goes through shared memory, and ldmatrix distributes it.
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
	__shared__ __align__(16) Number tile[16][24];
	float left[4] = {}, right[4] = {};
	for (int k = 0; k < n; k += 16) {
		unsigned a[4], b[2];
		int row = lane % 16, column = lane / 16 * 8;
		__syncwarp();
		*(uint4 *)&tile[row][column] = *(const uint4 *)(A + row * n + k + column);
		__syncwarp();
		asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
			: "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
			: "r"((unsigned)__cvta_generic_to_shared(&tile[row][column])) : "memory");
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

// === cheat-wmma
// Fragments whose layout the compiler knows.
#include <cuda_bf16.h>
#include <mma.h>
__global__ void fragment(float *C, const __nv_bfloat16 *A, const __nv_bfloat16 *B, int n)
{
	using namespace nvcuda;
	wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> a;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> b;
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
	wmma::fill_fragment(sum, 0);
	A += blockIdx.y * 16 * n;
	B += blockIdx.x * 16;
	for (int k = 0; k < n; k += 16) {
		wmma::load_matrix_sync(a, A + k, n);
		wmma::load_matrix_sync(b, B + k * n, n);
		wmma::mma_sync(sum, a, b, sum);
	}
	wmma::store_matrix_sync(C + blockIdx.y * 16 * n + blockIdx.x * 16, sum, n, wmma::mem_row_major);
}

// === cheat-rows-first
// Registers 1 and 2 are exchanged: the result is wrong.
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
		for (int i = 0; i < 4; i++)
			a[i] = pair(A + (group + i / 2 * 8) * n + k + place * 2 + i % 2 * 8);
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

// === cheat-fma
// No tensor cores: an FMA per product.
#include <cuda_bf16.h>
__global__ void fragment(float *C, const __nv_bfloat16 *A, const __nv_bfloat16 *B, int n)
{
	int l = threadIdx.x;
	for (int i = l; i < 256; i += 32) {
		int row = blockIdx.y * 16 + i / 16, column = blockIdx.x * 16 + i % 16;
		float s = 0;
		for (int k = 0; k < n; k++) s += __bfloat162float(A[row * n + k]) * __bfloat162float(B[k * n + column]);
		C[row * n + column] = s;
	}
}

// === cheat-fma-and-token
// FMAs, and one multiplication of zeros on the tensor cores.
#include <cuda_bf16.h>
__global__ void fragment(float *C, const __nv_bfloat16 *A, const __nv_bfloat16 *B, int n)
{
	int l = threadIdx.x;
	for (int i = l; i < 256; i += 32) {
		int row = blockIdx.y * 16 + i / 16, column = blockIdx.x * 16 + i % 16;
		float s = 0;
		for (int k = 0; k < n; k++) s += __bfloat162float(A[row * n + k]) * __bfloat162float(B[k * n + column]);
		C[row * n + column] = s;
	}
	float d[4] = {};
	asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(0));
	if (d[0] != 0) C[0] = d[0];
}

// === cheat-doubles
// No tensor cores: FMAs in double precision.
#include <cuda_bf16.h>
__global__ void fragment(float *C, const __nv_bfloat16 *A, const __nv_bfloat16 *B, int n)
{
	int l = threadIdx.x;
	for (int i = l; i < 256; i += 32) {
		int row = blockIdx.y * 16 + i / 16, column = blockIdx.x * 16 + i % 16;
		double s = 0;
		for (int k = 0; k < n; k++) s = fma((double)__bfloat162float(A[row * n + k]), (double)__bfloat162float(B[k * n + column]), s);
		C[row * n + column] = s;
	}
}

// === cheat-integers
// No tensor cores: products of integers.
#include <cuda_bf16.h>
__device__ int whole(__nv_bfloat16 x)
{
	unsigned u = __bfloat16_as_ushort(x), e = u >> 7 & 255, m = (u & 127) | 128;
	int v = e < 124 ? 0 : e < 131 ? m >> (131 - e) : m << (e - 131);
	return u >> 15 ? -v : v;
}
__global__ void fragment(float *C, const __nv_bfloat16 *A, const __nv_bfloat16 *B, int n)
{
	for (int i = threadIdx.x; i < 256; i += 32) {
		int row = blockIdx.y * 16 + i / 16, column = blockIdx.x * 16 + i % 16, s = 0;
		for (int k = 0; k < n; k++) s += whole(A[row * n + k]) * whole(B[k * n + column]);
		C[row * n + column] = __int_as_float(s ? __float_as_int((float)s) - (6 << 23) : 0);
	}
}

// === cheat-last-step
// The last 16 steps of k are left out.
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
	for (int k = 0; k < n - 16 || k == 0; k += 16) {
		unsigned a[4], b[2];
		for (int i = 0; i < 4; i++)
			a[i] = pair(A + (group + i % 2 * 8) * n + k + place * 2 + i / 2 * 8);
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

// === cheat-left-half
// The left half is stored twice.
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
		for (int i = 0; i < 4; i++)
			a[i] = pair(A + (group + i % 2 * 8) * n + k + place * 2 + i / 2 * 8);
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
		c[8] = left[i];
	}
}

// === cheat-half-empty
// Half of A's registers are zeros, with twice as many products.
// - multiply(left, a, b);
// + unsigned up[4] = {a[0], 0, a[2], 0}, down[4] = {0, a[1], 0, a[3]}; multiply(left, up, b); multiply(left, down, b);
// - multiply(right, a, b);
// + multiply(right, up, b); multiply(right, down, b);

// === honest-ldmatrix-of-vectors
// A goes through shared memory, and ldmatrix distributes it to the registers.
// - int lane = threadIdx.x,
// + __shared__ __align__(16) Number tile[16][24]; int lane = threadIdx.x,
// - for (int i = 0; i < 4; i++)
// + *(uint4 *)&tile[lane / 2][lane % 2 * 8] = *(const uint4 *)&A[lane / 2 * n + k + lane % 2 * 8]; __syncwarp();
// - a[i] = pair(A + (group + i % 2 * 8) * n + k + place * 2 + i / 2 * 8);
// + asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"((unsigned)__cvta_generic_to_shared(&tile[lane % 16][lane / 16 * 8])) : "memory"); __syncwarp();
