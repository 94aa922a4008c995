// C = A · B for n × n matrices of floats, row by row: the factors are rounded to
// a shorter type, and tensor cores multiply them. n is a multiple of 64.
//
// A block of four warps computes 64 × 64 elements of C, each warp 16 rows. The
// kernels show what the types do to the result; they are not tuned.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "mma.cuh"

constexpr int TILE = 64;     // rows and columns of C for a block
constexpr int THREADS = 128;

// --- The types: how a float is rounded, and which instruction multiplies -----

struct Tf32 {
	typedef unsigned Number;
	typedef float Sum;
	static __device__ Number rounded(float x)
	{
		unsigned bits;
		asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
		return bits;
	}
	static __device__ float value(Sum s) { return s; }
	static __device__ void multiply(Sum (&d)[4], const unsigned *a,
		const unsigned *b) { multiply_tf32(d, a, b); }
};

struct Bf16 {
	typedef __nv_bfloat16 Number;
	typedef float Sum;
	static __device__ Number rounded(float x) { return __float2bfloat16(x); }
	static __device__ float value(Sum s) { return s; }
	static __device__ void multiply(Sum (&d)[4], const unsigned *a,
		const unsigned *b) { multiply_bf16(d, a, b); }
};

struct Fp16 {
	typedef __half Number;
	typedef float Sum;
	static __device__ Number rounded(float x) { return __float2half(x); }
	static __device__ float value(Sum s) { return s; }
	static __device__ void multiply(Sum (&d)[4], const unsigned *a,
		const unsigned *b) { multiply_fp16(d, a, b); }
};

struct E4m3 {
	typedef __nv_fp8_e4m3 Number;
	typedef float Sum;
	static __device__ Number rounded(float x) { return Number(x); }
	static __device__ float value(Sum s) { return s; }
	static __device__ void multiply(Sum (&d)[4], const unsigned *a,
		const unsigned *b) { multiply_e4m3(d, a, b); }
};

// Integers have no exponent: floats from -1 to 1 become -127 to 127.
struct Int8 {
	typedef signed char Number;
	typedef int Sum;
	static __device__ Number rounded(float x) { return __float2int_rn(127 * x); }
	static __device__ float value(Sum s) { return s * (1.0f / (127 * 127)); }
	static __device__ void multiply(Sum (&d)[4], const unsigned *a,
		const unsigned *b) { multiply_int8(d, a, b); }
};

// --- A product by warps --------------------------------------------------------

// Lane l has, of each 16 × 8 sums of its warp, rows l / 4 and l / 4 + 8, columns
// l % 4 * 2 and the next.
template <class Type>
__device__ void write(float *C, int n, const typename Type::Sum (&sum)[8][4])
{
	int t = threadIdx.x, row = blockIdx.y * TILE + t / 32 * 16 + t % 32 / 4;
	float *c = C + (size_t)row * n + blockIdx.x * TILE + t % 4 * 2;
#pragma unroll
	for (int j = 0; j < 8; j++)
#pragma unroll
		for (int i = 0; i < 4; i++)
			c[(size_t)(i / 2 * 8) * n + j * 8 + i % 2] = Type::value(sum[j][i]);
}

// Rows of 64 bytes, of A and of transposed B, padded to 80 for ldmatrix.
template <class Type> struct Tiles {
	static constexpr int DEPTH = 64 / sizeof(typename Type::Number);
	alignas(16) typename Type::Number a[TILE][DEPTH * 5 / 4];
	alignas(16) typename Type::Number b[TILE][DEPTH * 5 / 4];

	__device__ void fill(const float *A, const float *B, int n, int k)
	{
		A += (size_t)blockIdx.y * TILE * n + k;
		B += (size_t)k * n + blockIdx.x * TILE;
		for (int i = threadIdx.x; i < TILE * DEPTH; i += THREADS) {
			int row = i / DEPTH, column = i % DEPTH;
			a[row][column] = Type::rounded(A[(size_t)row * n + column]);
			row = i / TILE, column = i % TILE;
			b[column][row] = Type::rounded(B[(size_t)row * n + column]);
		}
	}
};

template <class Type> __global__ void __launch_bounds__(THREADS)
	product(float *C, const float *A, const float *B, int n)
{
	__shared__ Tiles<Type> tiles;
	int t = threadIdx.x, l = t % 32, first = t / 32 * 16;
	typename Type::Sum sum[8][4] = {};
	for (int k = 0; k < n; k += tiles.DEPTH) {
		tiles.fill(A, B, n, k);
		__syncthreads();
#pragma unroll
		for (int half = 0; half < 64; half += 32) { // bytes of a row
			unsigned a[4], b[4];
			load_matrices(a, (char *)tiles.a[first + l % 16] + half + l / 16 * 16);
#pragma unroll
			for (int j = 0; j < 8; j += 2) { // two groups of 8 columns
				load_matrices(b, (char *)tiles.b[j * 8 + l % 8 + l / 16 * 8]
					+ half + l / 8 % 2 * 16);
				Type::multiply(sum[j], a, b);
				Type::multiply(sum[j + 1], a, b + 2);
			}
		}
		__syncthreads();
	}
	write<Type>(C, n, sum);
}

// FP32 throughout: each thread computes 8 × 4 neighboring elements.
__global__ void __launch_bounds__(THREADS)
	product_fp32(float *C, const float *A, const float *B, int n)
{
	int t = threadIdx.x, row = blockIdx.y * TILE + t / 16 * 8;
	int column = blockIdx.x * TILE + t % 16 * 4;
	float sum[8][4] = {};
	for (int k = 0; k < n; k++) {
		float4 b = *(const float4 *)(B + (size_t)k * n + column);
#pragma unroll
		for (int i = 0; i < 8; i++) {
			float a = A[(size_t)(row + i) * n + k];
			sum[i][0] += a * b.x;
			sum[i][1] += a * b.y;
			sum[i][2] += a * b.z;
			sum[i][3] += a * b.w;
		}
	}
	for (int i = 0; i < 8; i++)
		*(float4 *)(C + (size_t)(row + i) * n + column) = make_float4(sum[i][0],
			sum[i][1], sum[i][2], sum[i][3]);
}
