// C = A · B for n × n matrices of floats, row by row, whose factors are rounded
// to FP8 (E4M3) and multiplied by a warpgroup of Hopper. n is a multiple of 128.
//
// A block computes 64 × 64 elements of C. Threads round the tiles and store them
// in pieces of 8 rows of 16 bytes, the layout without a swizzle.
#include <cuda_fp8.h>

#include "hopper.cuh"

constexpr int TILE = 64;    // rows and columns of C for a block
constexpr int DEPTH = 128;  // columns of A and rows of B at a time
constexpr int THREADS = 128;

// Rows of a, or columns of b.
struct Tile {
	alignas(128) __nv_fp8_e4m3 piece[TILE / 8][DEPTH / 16][8][16];

	__device__ void set(int row, int k, float x)
	{
		piece[row / 8][k / 16][row % 8][k % 16] = __nv_fp8_e4m3(x);
	}
};

// Where 32 bytes of each row begin: the next 16 bytes of a row are 128 bytes
// further, the next 8 rows 1024.
__device__ unsigned long long descriptor(const Tile &tile, int k)
{
	return (shared_address(tile.piece[0][k / 16]) & 0x3ffff) >> 4
		| (128ull >> 4) << 16 | (1024ull >> 4) << 32;
}

// d += a · b or, if `first`, d = a · b: 64 rows of 32 bytes, 64 columns.
__device__ void multiply_64x64x32(float (&d)[32], unsigned long long a,
	unsigned long long b, bool first)
{
	asm volatile("{ .reg .pred p; setp.eq.s32 p, %34, 0;"
		" wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3 {"
		"%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, "
		"%15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, "
		"%28, %29, %30, %31}, %32, %33, p, 1, 1; }"
		: EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16), EIGHT(d, 24)
		: "l"(a), "l"(b), "r"((int)first));
}

__device__ void fill(Tile &a, Tile &b, const float *A, const float *B, int n,
	int k)
{
	A += (size_t)blockIdx.y * TILE * n + k;
	B += (size_t)k * n + blockIdx.x * TILE;
	for (int i = threadIdx.x; i < TILE * DEPTH; i += THREADS) {
		a.set(i / DEPTH, i % DEPTH, A[(size_t)(i / DEPTH) * n + i % DEPTH]);
		b.set(i % TILE, i / TILE, B[(size_t)(i / TILE) * n + i % TILE]);
	}
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ void multiply(float (&sum)[32], const Tile &a, const Tile &b,
	bool fresh)
{
	wgmma_fence();
#pragma unroll
	for (int k = 0; k < DEPTH; k += 32)
		multiply_64x64x32(sum, descriptor(a, k), descriptor(b, k),
			fresh && k == 0);
	wgmma_commit();
	wgmma_wait<0>();
}

__device__ void write(float *C, int n, const float (&sum)[32])
{
	int t = threadIdx.x, row = blockIdx.y * TILE + t / 32 * 16 + t % 32 / 4;
	float *c = C + (size_t)row * n + blockIdx.x * TILE + t % 4 * 2;
#pragma unroll
	for (int i = 0; i < 32; i++)
		c[(size_t)(i / 2 % 2 * 8) * n + i / 4 * 8 + i % 2] = sum[i];
}

// The tensor cores form all sums.
__global__ void __launch_bounds__(THREADS)
	product(float *C, const float *A, const float *B, int n)
{
	__shared__ Tile a, b;
	float sum[32];
	for (int k = 0; k < n; k += DEPTH) {
		fill(a, b, A, B, n, k);
		__syncthreads();
		multiply(sum, a, b, k == 0);
		__syncthreads();
	}
	write(C, n, sum);
}

// The tensor cores sum 128 products; ordinary FP32 additions sum these.
__global__ void __launch_bounds__(THREADS)
	promoted(float *C, const float *A, const float *B, int n)
{
	__shared__ Tile a, b;
	float sum[32] = {};
	for (int k = 0; k < n; k += DEPTH) {
		float part[32];
		fill(a, b, A, B, n, k);
		__syncthreads();
		multiply(part, a, b, true);
#pragma unroll
		for (int i = 0; i < 32; i++)
			sum[i] += part[i];
		__syncthreads();
	}
	write(C, n, sum);
}
