// === honest-padded
// Rows of 80 bytes.
#include <cuda_bf16.h>

typedef __nv_bfloat16 Number;

constexpr int TILE = 64, DEPTH = 32, PIECE = 8; // a piece is 16 bytes

// Four 8 × 8 matrices; lanes 8 i to 8 i + 7 name the rows of matrix i.
__device__ void load_matrices(unsigned (&to)[4], const Number *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
		: "r"((unsigned)__cvta_generic_to_shared(row)));
}

// d += a · b: 16 × 16 elements of A by 16 × 8 of B.
__device__ void multiply(float (&d)[4], const unsigned *a, const unsigned *b)
{
	asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
		"{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Where piece p of row r is in a tile.
__device__ int at(int r, int p)
{
	return r * 40 + p * PIECE;
}

__global__ void conflict_free(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE * 40];
	__shared__ __align__(128) Number b[TILE * 40];
	int t = threadIdx.x, lane = t % 32, row = t / 32 * 16;
	A += blockIdx.y * TILE * n;
	B += blockIdx.x * TILE * n;
	float sum[8][4] = {};
	for (int k = 0; k < n; k += DEPTH) {
		for (int r = t / 4; r < TILE; r += 32) {
			int p = t % 4;
			*(uint4 *)&a[at(r, p)] = *(const uint4 *)&A[r * n + k + p * PIECE];
			*(uint4 *)&b[at(r, p)] = *(const uint4 *)&B[r * n + k + p * PIECE];
		}
		__syncthreads();
		for (int p = 0; p < DEPTH / PIECE; p += 2) {
			unsigned fa[4], fb[4];
			load_matrices(fa, &a[at(row + lane % 16, p + lane / 16)]);
#pragma unroll
			for (int j = 0; j < 8; j += 2) {
				int r = j * 8 + lane % 8 + lane / 16 * 8;
				load_matrices(fb, &b[at(r, p + lane / 8 % 2)]);
				multiply(sum[j], fa, fb);
				multiply(sum[j + 1], fa, fb + 2);
			}
		}
		__syncthreads();
	}
	float *c = C + (blockIdx.y * TILE + row + lane / 4) * n + blockIdx.x * TILE
		+ lane % 4 * 2;
#pragma unroll
	for (int j = 0; j < 8; j++) {
		*(float2 *)(c + j * 8) = make_float2(sum[j][0], sum[j][1]);
		*(float2 *)(c + 8 * n + j * 8) = make_float2(sum[j][2], sum[j][3]);
	}
}

// === honest-rotated
// Pieces are rotated instead of exchanged.
#include <cuda_bf16.h>

typedef __nv_bfloat16 Number;

constexpr int TILE = 64, DEPTH = 32, PIECE = 8; // a piece is 16 bytes

// Four 8 × 8 matrices; lanes 8 i to 8 i + 7 name the rows of matrix i.
__device__ void load_matrices(unsigned (&to)[4], const Number *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
		: "r"((unsigned)__cvta_generic_to_shared(row)));
}

// d += a · b: 16 × 16 elements of A by 16 × 8 of B.
__device__ void multiply(float (&d)[4], const unsigned *a, const unsigned *b)
{
	asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
		"{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Where piece p of row r is in a tile.
__device__ int at(int r, int p)
{
	return r * DEPTH + (p + r / 2) % 4 * PIECE;
}

__global__ void conflict_free(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE * DEPTH];
	__shared__ __align__(128) Number b[TILE * DEPTH];
	int t = threadIdx.x, lane = t % 32, row = t / 32 * 16;
	A += blockIdx.y * TILE * n;
	B += blockIdx.x * TILE * n;
	float sum[8][4] = {};
	for (int k = 0; k < n; k += DEPTH) {
		for (int r = t / 4; r < TILE; r += 32) {
			int p = t % 4;
			*(uint4 *)&a[at(r, p)] = *(const uint4 *)&A[r * n + k + p * PIECE];
			*(uint4 *)&b[at(r, p)] = *(const uint4 *)&B[r * n + k + p * PIECE];
		}
		__syncthreads();
		for (int p = 0; p < DEPTH / PIECE; p += 2) {
			unsigned fa[4], fb[4];
			load_matrices(fa, &a[at(row + lane % 16, p + lane / 16)]);
#pragma unroll
			for (int j = 0; j < 8; j += 2) {
				int r = j * 8 + lane % 8 + lane / 16 * 8;
				load_matrices(fb, &b[at(r, p + lane / 8 % 2)]);
				multiply(sum[j], fa, fb);
				multiply(sum[j + 1], fa, fb + 2);
			}
		}
		__syncthreads();
	}
	float *c = C + (blockIdx.y * TILE + row + lane / 4) * n + blockIdx.x * TILE
		+ lane % 4 * 2;
#pragma unroll
	for (int j = 0; j < 8; j++) {
		*(float2 *)(c + j * 8) = make_float2(sum[j][0], sum[j][1]);
		*(float2 *)(c + 8 * n + j * 8) = make_float2(sum[j][2], sum[j][3]);
	}
}

// === honest-core-matrices
// Eight rows of a piece are 128 bytes in one place, as wgmma wants them.
#include <cuda_bf16.h>

typedef __nv_bfloat16 Number;

constexpr int TILE = 64, DEPTH = 32, PIECE = 8; // a piece is 16 bytes

// Four 8 × 8 matrices; lanes 8 i to 8 i + 7 name the rows of matrix i.
__device__ void load_matrices(unsigned (&to)[4], const Number *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
		: "r"((unsigned)__cvta_generic_to_shared(row)));
}

// d += a · b: 16 × 16 elements of A by 16 × 8 of B.
__device__ void multiply(float (&d)[4], const unsigned *a, const unsigned *b)
{
	asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
		"{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Where piece p of row r is in a tile.
__device__ int at(int r, int p)
{
	return (r / 8 * 32 + p * 8 + r % 8) * PIECE; // 8 rows of a piece are together
}

__global__ void conflict_free(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE * DEPTH];
	__shared__ __align__(128) Number b[TILE * DEPTH];
	int t = threadIdx.x, lane = t % 32, row = t / 32 * 16;
	A += blockIdx.y * TILE * n;
	B += blockIdx.x * TILE * n;
	float sum[8][4] = {};
	for (int k = 0; k < n; k += DEPTH) {
		for (int r = t / 32 * 8 + t % 8; r < TILE; r += 32) {
			int p = t / 8 % 4;
			*(uint4 *)&a[at(r, p)] = *(const uint4 *)&A[r * n + k + p * PIECE];
			*(uint4 *)&b[at(r, p)] = *(const uint4 *)&B[r * n + k + p * PIECE];
		}
		__syncthreads();
		for (int p = 0; p < DEPTH / PIECE; p += 2) {
			unsigned fa[4], fb[4];
			load_matrices(fa, &a[at(row + lane % 16, p + lane / 16)]);
#pragma unroll
			for (int j = 0; j < 8; j += 2) {
				int r = j * 8 + lane % 8 + lane / 16 * 8;
				load_matrices(fb, &b[at(r, p + lane / 8 % 2)]);
				multiply(sum[j], fa, fb);
				multiply(sum[j + 1], fa, fb + 2);
			}
		}
		__syncthreads();
	}
	float *c = C + (blockIdx.y * TILE + row + lane / 4) * n + blockIdx.x * TILE
		+ lane % 4 * 2;
#pragma unroll
	for (int j = 0; j < 8; j++) {
		*(float2 *)(c + j * 8) = make_float2(sum[j][0], sum[j][1]);
		*(float2 *)(c + 8 * n + j * 8) = make_float2(sum[j][2], sum[j][3]);
	}
}

// === honest-wider-padding
// Rows of 112 bytes: seven places from row to row.
#include <cuda_bf16.h>

typedef __nv_bfloat16 Number;

constexpr int TILE = 64, DEPTH = 32, PIECE = 8; // a piece is 16 bytes

// Four 8 × 8 matrices; lanes 8 i to 8 i + 7 name the rows of matrix i.
__device__ void load_matrices(unsigned (&to)[4], const Number *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
		: "r"((unsigned)__cvta_generic_to_shared(row)));
}

// d += a · b: 16 × 16 elements of A by 16 × 8 of B.
__device__ void multiply(float (&d)[4], const unsigned *a, const unsigned *b)
{
	asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
		"{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Where piece p of row r is in a tile.
__device__ int at(int r, int p)
{
	return r * 56 + p * PIECE;
}

__global__ void conflict_free(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE * 56];
	__shared__ __align__(128) Number b[TILE * 56];
	int t = threadIdx.x, lane = t % 32, row = t / 32 * 16;
	A += blockIdx.y * TILE * n;
	B += blockIdx.x * TILE * n;
	float sum[8][4] = {};
	for (int k = 0; k < n; k += DEPTH) {
		for (int r = t / 4; r < TILE; r += 32) {
			int p = t % 4;
			*(uint4 *)&a[at(r, p)] = *(const uint4 *)&A[r * n + k + p * PIECE];
			*(uint4 *)&b[at(r, p)] = *(const uint4 *)&B[r * n + k + p * PIECE];
		}
		__syncthreads();
		for (int p = 0; p < DEPTH / PIECE; p += 2) {
			unsigned fa[4], fb[4];
			load_matrices(fa, &a[at(row + lane % 16, p + lane / 16)]);
#pragma unroll
			for (int j = 0; j < 8; j += 2) {
				int r = j * 8 + lane % 8 + lane / 16 * 8;
				load_matrices(fb, &b[at(r, p + lane / 8 % 2)]);
				multiply(sum[j], fa, fb);
				multiply(sum[j + 1], fa, fb + 2);
			}
		}
		__syncthreads();
	}
	float *c = C + (blockIdx.y * TILE + row + lane / 4) * n + blockIdx.x * TILE
		+ lane % 4 * 2;
#pragma unroll
	for (int j = 0; j < 8; j++) {
		*(float2 *)(c + j * 8) = make_float2(sum[j][0], sum[j][1]);
		*(float2 *)(c + 8 * n + j * 8) = make_float2(sum[j][2], sum[j][3]);
	}
}

// === cheat-row-only
// The exclusive or is with the row: rows 0 and 4 have the same banks.
#include <cuda_bf16.h>

typedef __nv_bfloat16 Number;

constexpr int TILE = 64, DEPTH = 32, PIECE = 8; // a piece is 16 bytes

// Four 8 × 8 matrices; lanes 8 i to 8 i + 7 name the rows of matrix i.
__device__ void load_matrices(unsigned (&to)[4], const Number *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
		: "r"((unsigned)__cvta_generic_to_shared(row)));
}

// d += a · b: 16 × 16 elements of A by 16 × 8 of B.
__device__ void multiply(float (&d)[4], const unsigned *a, const unsigned *b)
{
	asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
		"{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Where piece p of row r is in a tile.
__device__ int at(int r, int p)
{
	return r * DEPTH + (p ^ r % 4) * PIECE;
}

__global__ void conflict_free(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE * DEPTH];
	__shared__ __align__(128) Number b[TILE * DEPTH];
	int t = threadIdx.x, lane = t % 32, row = t / 32 * 16;
	A += blockIdx.y * TILE * n;
	B += blockIdx.x * TILE * n;
	float sum[8][4] = {};
	for (int k = 0; k < n; k += DEPTH) {
		for (int r = t / 4; r < TILE; r += 32) {
			int p = t % 4;
			*(uint4 *)&a[at(r, p)] = *(const uint4 *)&A[r * n + k + p * PIECE];
			*(uint4 *)&b[at(r, p)] = *(const uint4 *)&B[r * n + k + p * PIECE];
		}
		__syncthreads();
		for (int p = 0; p < DEPTH / PIECE; p += 2) {
			unsigned fa[4], fb[4];
			load_matrices(fa, &a[at(row + lane % 16, p + lane / 16)]);
#pragma unroll
			for (int j = 0; j < 8; j += 2) {
				int r = j * 8 + lane % 8 + lane / 16 * 8;
				load_matrices(fb, &b[at(r, p + lane / 8 % 2)]);
				multiply(sum[j], fa, fb);
				multiply(sum[j + 1], fa, fb + 2);
			}
		}
		__syncthreads();
	}
	float *c = C + (blockIdx.y * TILE + row + lane / 4) * n + blockIdx.x * TILE
		+ lane % 4 * 2;
#pragma unroll
	for (int j = 0; j < 8; j++) {
		*(float2 *)(c + j * 8) = make_float2(sum[j][0], sum[j][1]);
		*(float2 *)(c + 8 * n + j * 8) = make_float2(sum[j][2], sum[j][3]);
	}
}

// === cheat-quads
// The exclusive or is with a quarter of the row.
#include <cuda_bf16.h>

typedef __nv_bfloat16 Number;

constexpr int TILE = 64, DEPTH = 32, PIECE = 8; // a piece is 16 bytes

// Four 8 × 8 matrices; lanes 8 i to 8 i + 7 name the rows of matrix i.
__device__ void load_matrices(unsigned (&to)[4], const Number *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
		: "r"((unsigned)__cvta_generic_to_shared(row)));
}

// d += a · b: 16 × 16 elements of A by 16 × 8 of B.
__device__ void multiply(float (&d)[4], const unsigned *a, const unsigned *b)
{
	asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
		"{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Where piece p of row r is in a tile.
__device__ int at(int r, int p)
{
	return r * DEPTH + (p ^ r / 4 % 4) * PIECE;
}

__global__ void conflict_free(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE * DEPTH];
	__shared__ __align__(128) Number b[TILE * DEPTH];
	int t = threadIdx.x, lane = t % 32, row = t / 32 * 16;
	A += blockIdx.y * TILE * n;
	B += blockIdx.x * TILE * n;
	float sum[8][4] = {};
	for (int k = 0; k < n; k += DEPTH) {
		for (int r = t / 4; r < TILE; r += 32) {
			int p = t % 4;
			*(uint4 *)&a[at(r, p)] = *(const uint4 *)&A[r * n + k + p * PIECE];
			*(uint4 *)&b[at(r, p)] = *(const uint4 *)&B[r * n + k + p * PIECE];
		}
		__syncthreads();
		for (int p = 0; p < DEPTH / PIECE; p += 2) {
			unsigned fa[4], fb[4];
			load_matrices(fa, &a[at(row + lane % 16, p + lane / 16)]);
#pragma unroll
			for (int j = 0; j < 8; j += 2) {
				int r = j * 8 + lane % 8 + lane / 16 * 8;
				load_matrices(fb, &b[at(r, p + lane / 8 % 2)]);
				multiply(sum[j], fa, fb);
				multiply(sum[j + 1], fa, fb + 2);
			}
		}
		__syncthreads();
	}
	float *c = C + (blockIdx.y * TILE + row + lane / 4) * n + blockIdx.x * TILE
		+ lane % 4 * 2;
#pragma unroll
	for (int j = 0; j < 8; j++) {
		*(float2 *)(c + j * 8) = make_float2(sum[j][0], sum[j][1]);
		*(float2 *)(c + 8 * n + j * 8) = make_float2(sum[j][2], sum[j][3]);
	}
}

// === cheat-96-bytes
// Padding to 96 bytes: six places from row to row, which share a factor with 8.
#include <cuda_bf16.h>

typedef __nv_bfloat16 Number;

constexpr int TILE = 64, DEPTH = 32, PIECE = 8; // a piece is 16 bytes

// Four 8 × 8 matrices; lanes 8 i to 8 i + 7 name the rows of matrix i.
__device__ void load_matrices(unsigned (&to)[4], const Number *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
		: "r"((unsigned)__cvta_generic_to_shared(row)));
}

// d += a · b: 16 × 16 elements of A by 16 × 8 of B.
__device__ void multiply(float (&d)[4], const unsigned *a, const unsigned *b)
{
	asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
		"{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Where piece p of row r is in a tile.
__device__ int at(int r, int p)
{
	return r * 48 + p * PIECE;
}

__global__ void conflict_free(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE * 48];
	__shared__ __align__(128) Number b[TILE * 48];
	int t = threadIdx.x, lane = t % 32, row = t / 32 * 16;
	A += blockIdx.y * TILE * n;
	B += blockIdx.x * TILE * n;
	float sum[8][4] = {};
	for (int k = 0; k < n; k += DEPTH) {
		for (int r = t / 4; r < TILE; r += 32) {
			int p = t % 4;
			*(uint4 *)&a[at(r, p)] = *(const uint4 *)&A[r * n + k + p * PIECE];
			*(uint4 *)&b[at(r, p)] = *(const uint4 *)&B[r * n + k + p * PIECE];
		}
		__syncthreads();
		for (int p = 0; p < DEPTH / PIECE; p += 2) {
			unsigned fa[4], fb[4];
			load_matrices(fa, &a[at(row + lane % 16, p + lane / 16)]);
#pragma unroll
			for (int j = 0; j < 8; j += 2) {
				int r = j * 8 + lane % 8 + lane / 16 * 8;
				load_matrices(fb, &b[at(r, p + lane / 8 % 2)]);
				multiply(sum[j], fa, fb);
				multiply(sum[j + 1], fa, fb + 2);
			}
		}
		__syncthreads();
	}
	float *c = C + (blockIdx.y * TILE + row + lane / 4) * n + blockIdx.x * TILE
		+ lane % 4 * 2;
#pragma unroll
	for (int j = 0; j < 8; j++) {
		*(float2 *)(c + j * 8) = make_float2(sum[j][0], sum[j][1]);
		*(float2 *)(c + 8 * n + j * 8) = make_float2(sum[j][2], sum[j][3]);
	}
}

// === cheat-a-only
// Only the tile of A is swizzled.
#include <cuda_bf16.h>

typedef __nv_bfloat16 Number;

constexpr int TILE = 64, DEPTH = 32, PIECE = 8; // a piece is 16 bytes

// Four 8 × 8 matrices; lanes 8 i to 8 i + 7 name the rows of matrix i.
__device__ void load_matrices(unsigned (&to)[4], const Number *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
		: "r"((unsigned)__cvta_generic_to_shared(row)));
}

// d += a · b: 16 × 16 elements of A by 16 × 8 of B.
__device__ void multiply(float (&d)[4], const unsigned *a, const unsigned *b)
{
	asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
		"{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Where piece p of row r is in a tile.
__device__ int at(int r, int p)
{
	return r * DEPTH + (p ^ r / 2 % 4) * PIECE;
}

__global__ void conflict_free(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE * DEPTH];
	__shared__ __align__(128) Number b[TILE * DEPTH];
	int t = threadIdx.x, lane = t % 32, row = t / 32 * 16;
	A += blockIdx.y * TILE * n;
	B += blockIdx.x * TILE * n;
	float sum[8][4] = {};
	for (int k = 0; k < n; k += DEPTH) {
		for (int r = t / 4; r < TILE; r += 32) {
			int p = t % 4;
			*(uint4 *)&a[at(r, p)] = *(const uint4 *)&A[r * n + k + p * PIECE];
			*(uint4 *)&b[r * DEPTH + p * PIECE] = *(const uint4 *)&B[r * n + k + p * PIECE];
		}
		__syncthreads();
		for (int p = 0; p < DEPTH / PIECE; p += 2) {
			unsigned fa[4], fb[4];
			load_matrices(fa, &a[at(row + lane % 16, p + lane / 16)]);
#pragma unroll
			for (int j = 0; j < 8; j += 2) {
				int r = j * 8 + lane % 8 + lane / 16 * 8;
				load_matrices(fb, &b[r * DEPTH + (p + lane / 8 % 2) * PIECE]);
				multiply(sum[j], fa, fb);
				multiply(sum[j + 1], fa, fb + 2);
			}
		}
		__syncthreads();
	}
	float *c = C + (blockIdx.y * TILE + row + lane / 4) * n + blockIdx.x * TILE
		+ lane % 4 * 2;
#pragma unroll
	for (int j = 0; j < 8; j++) {
		*(float2 *)(c + j * 8) = make_float2(sum[j][0], sum[j][1]);
		*(float2 *)(c + 8 * n + j * 8) = make_float2(sum[j][2], sum[j][3]);
	}
}

// === cheat-no-ldmatrix
// A is loaded without ldmatrix.
#include <cuda_bf16.h>

typedef __nv_bfloat16 Number;

constexpr int TILE = 64, DEPTH = 32, PIECE = 8; // a piece is 16 bytes

// Four 8 × 8 matrices; lanes 8 i to 8 i + 7 name the rows of matrix i.
__device__ void load_matrices(unsigned (&to)[4], const Number *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
		: "r"((unsigned)__cvta_generic_to_shared(row)));
}

// d += a · b: 16 × 16 elements of A by 16 × 8 of B.
__device__ void multiply(float (&d)[4], const unsigned *a, const unsigned *b)
{
	asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
		"{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Where piece p of row r is in a tile.
__device__ int at(int r, int p)
{
	return r * DEPTH + (p ^ r / 2 % 4) * PIECE;
}

__global__ void conflict_free(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE * DEPTH];
	__shared__ __align__(128) Number b[TILE * DEPTH];
	int t = threadIdx.x, lane = t % 32, row = t / 32 * 16;
	A += blockIdx.y * TILE * n;
	B += blockIdx.x * TILE * n;
	float sum[8][4] = {};
	for (int k = 0; k < n; k += DEPTH) {
		for (int r = t / 4; r < TILE; r += 32) {
			int p = t % 4;
			*(uint4 *)&a[at(r, p)] = *(const uint4 *)&A[r * n + k + p * PIECE];
			*(uint4 *)&b[at(r, p)] = *(const uint4 *)&B[r * n + k + p * PIECE];
		}
		__syncthreads();
		for (int p = 0; p < DEPTH / PIECE; p += 2) {
			unsigned fa[4], fb[4];
			for (int i = 0; i < 4; i++)
				fa[i] = *(const unsigned *)&a[at(row + lane / 4 + i % 2 * 8, p + i / 2) + lane % 4 * 2];
#pragma unroll
			for (int j = 0; j < 8; j += 2) {
				int r = j * 8 + lane % 8 + lane / 16 * 8;
				load_matrices(fb, &b[at(r, p + lane / 8 % 2)]);
				multiply(sum[j], fa, fb);
				multiply(sum[j + 1], fa, fb + 2);
			}
		}
		__syncthreads();
	}
	float *c = C + (blockIdx.y * TILE + row + lane / 4) * n + blockIdx.x * TILE
		+ lane % 4 * 2;
#pragma unroll
	for (int j = 0; j < 8; j++) {
		*(float2 *)(c + j * 8) = make_float2(sum[j][0], sum[j][1]);
		*(float2 *)(c + 8 * n + j * 8) = make_float2(sum[j][2], sum[j][3]);
	}
}

// === cheat-column-stores
// Loads are free of conflicts, and global memory is read by columns.
#include <cuda_bf16.h>

typedef __nv_bfloat16 Number;

constexpr int TILE = 64, DEPTH = 32, PIECE = 8; // a piece is 16 bytes

// Four 8 × 8 matrices; lanes 8 i to 8 i + 7 name the rows of matrix i.
__device__ void load_matrices(unsigned (&to)[4], const Number *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
		: "r"((unsigned)__cvta_generic_to_shared(row)));
}

// d += a · b: 16 × 16 elements of A by 16 × 8 of B.
__device__ void multiply(float (&d)[4], const unsigned *a, const unsigned *b)
{
	asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
		"{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Where piece p of row r is in a tile.
__device__ int at(int r, int p)
{
	return r * DEPTH + (p ^ r / 2 % 4) * PIECE;
}

__global__ void conflict_free(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE * DEPTH];
	__shared__ __align__(128) Number b[TILE * DEPTH];
	int t = threadIdx.x, lane = t % 32, row = t / 32 * 16;
	A += blockIdx.y * TILE * n;
	B += blockIdx.x * TILE * n;
	float sum[8][4] = {};
	for (int k = 0; k < n; k += DEPTH) {
		for (int r = t % 32; r < TILE; r += 32) {
			int p = t / 32;
			*(uint4 *)&a[at(r, p)] = *(const uint4 *)&A[r * n + k + p * PIECE];
			*(uint4 *)&b[at(r, p)] = *(const uint4 *)&B[r * n + k + p * PIECE];
		}
		__syncthreads();
		for (int p = 0; p < DEPTH / PIECE; p += 2) {
			unsigned fa[4], fb[4];
			load_matrices(fa, &a[at(row + lane % 16, p + lane / 16)]);
#pragma unroll
			for (int j = 0; j < 8; j += 2) {
				int r = j * 8 + lane % 8 + lane / 16 * 8;
				load_matrices(fb, &b[at(r, p + lane / 8 % 2)]);
				multiply(sum[j], fa, fb);
				multiply(sum[j + 1], fa, fb + 2);
			}
		}
		__syncthreads();
	}
	float *c = C + (blockIdx.y * TILE + row + lane / 4) * n + blockIdx.x * TILE
		+ lane % 4 * 2;
#pragma unroll
	for (int j = 0; j < 8; j++) {
		*(float2 *)(c + j * 8) = make_float2(sum[j][0], sum[j][1]);
		*(float2 *)(c + 8 * n + j * 8) = make_float2(sum[j][2], sum[j][3]);
	}
}

// === cheat-fma
// No shared memory and no tensor cores.
#include <cuda_bf16.h>
__global__ void conflict_free(float *C, const __nv_bfloat16 *A, const __nv_bfloat16 *B, int n)
{
	int t = threadIdx.x, x = t % 64;
	for (int y = t / 64; y < 64; y += 2) {
		int row = blockIdx.y * 64 + y, column = blockIdx.x * 64 + x;
		float s = 0;
		for (int k = 0; k < n; k++) s += __bfloat162float(A[row * n + k]) * __bfloat162float(B[column * n + k]);
		C[row * n + column] = s;
	}
}

// === cheat-diluted
// Loads without conflicts are repeated.
#include <cuda_bf16.h>

typedef __nv_bfloat16 Number;

constexpr int TILE = 64, DEPTH = 32, PIECE = 8; // a piece is 16 bytes

// Four 8 × 8 matrices; lanes 8 i to 8 i + 7 name the rows of matrix i.
__device__ void load_matrices(unsigned (&to)[4], const Number *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
		: "r"((unsigned)__cvta_generic_to_shared(row)));
}

// d += a · b: 16 × 16 elements of A by 16 × 8 of B.
__device__ void multiply(float (&d)[4], const unsigned *a, const unsigned *b)
{
	asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
		"{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Where piece p of row r is in a tile.
__device__ int at(int r, int p)
{
	return r * DEPTH + (p ^ r / 2 % 4) * PIECE;
}

__global__ void conflict_free(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE * DEPTH];
	__shared__ __align__(128) Number b[TILE * DEPTH];
	int t = threadIdx.x, lane = t % 32, row = t / 32 * 16;
	A += blockIdx.y * TILE * n;
	B += blockIdx.x * TILE * n;
	float sum[8][4] = {};
	for (int k = 0; k < n; k += DEPTH) {
		for (int r = t / 4; r < TILE; r += 32) {
			int p = t % 4;
			*(uint4 *)&a[at(r, p)] = *(const uint4 *)&A[r * n + k + p * PIECE];
			*(uint4 *)&b[at(r, p)] = *(const uint4 *)&B[r * n + k + p * PIECE];
		}
		__syncthreads();
		for (int p = 0; p < DEPTH / PIECE; p += 2) {
			unsigned fa[4], fb[4];
			load_matrices(fa, &a[at(row + lane % 16, p + lane / 16)]);
#pragma unroll
			for (int j = 0; j < 8; j += 2) {
				int r = j * 8 + lane % 8 + lane / 16 * 8;
				load_matrices(fb, &b[at(r, p + lane / 8 % 2)]);
				load_matrices(fb, &b[at(r, p + lane / 8 % 2)]);
				multiply(sum[j], fa, fb);
				multiply(sum[j + 1], fa, fb + 2);
			}
		}
		__syncthreads();
	}
	float *c = C + (blockIdx.y * TILE + row + lane / 4) * n + blockIdx.x * TILE
		+ lane % 4 * 2;
#pragma unroll
	for (int j = 0; j < 8; j++) {
		*(float2 *)(c + j * 8) = make_float2(sum[j][0], sum[j][1]);
		*(float2 *)(c + 8 * n + j * 8) = make_float2(sum[j][2], sum[j][3]);
	}
}

// === cheat-one-barrier
// Tiles are overwritten while others read them.
#include <cuda_bf16.h>

typedef __nv_bfloat16 Number;

constexpr int TILE = 64, DEPTH = 32, PIECE = 8; // a piece is 16 bytes

// Four 8 × 8 matrices; lanes 8 i to 8 i + 7 name the rows of matrix i.
__device__ void load_matrices(unsigned (&to)[4], const Number *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
		: "r"((unsigned)__cvta_generic_to_shared(row)));
}

// d += a · b: 16 × 16 elements of A by 16 × 8 of B.
__device__ void multiply(float (&d)[4], const unsigned *a, const unsigned *b)
{
	asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
		"{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Where piece p of row r is in a tile.
__device__ int at(int r, int p)
{
	return r * DEPTH + (p ^ r / 2 % 4) * PIECE;
}

__global__ void conflict_free(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE * DEPTH];
	__shared__ __align__(128) Number b[TILE * DEPTH];
	int t = threadIdx.x, lane = t % 32, row = t / 32 * 16;
	A += blockIdx.y * TILE * n;
	B += blockIdx.x * TILE * n;
	float sum[8][4] = {};
	for (int k = 0; k < n; k += DEPTH) {
		for (int r = t / 4; r < TILE; r += 32) {
			int p = t % 4;
			*(uint4 *)&a[at(r, p)] = *(const uint4 *)&A[r * n + k + p * PIECE];
			*(uint4 *)&b[at(r, p)] = *(const uint4 *)&B[r * n + k + p * PIECE];
		}
		__syncthreads();
		for (int p = 0; p < DEPTH / PIECE; p += 2) {
			unsigned fa[4], fb[4];
			load_matrices(fa, &a[at(row + lane % 16, p + lane / 16)]);
#pragma unroll
			for (int j = 0; j < 8; j += 2) {
				int r = j * 8 + lane % 8 + lane / 16 * 8;
				load_matrices(fb, &b[at(r, p + lane / 8 % 2)]);
				multiply(sum[j], fa, fb);
				multiply(sum[j + 1], fa, fb + 2);
			}
		}
	}
	float *c = C + (blockIdx.y * TILE + row + lane / 4) * n + blockIdx.x * TILE
		+ lane % 4 * 2;
#pragma unroll
	for (int j = 0; j < 8; j++) {
		*(float2 *)(c + j * 8) = make_float2(sum[j][0], sum[j][1]);
		*(float2 *)(c + 8 * n + j * 8) = make_float2(sum[j][2], sum[j][3]);
	}
}

// === honest-pieces-apart
// Piece p of all rows, one after the other: stores conflict, loads do not.
// - return r * DEPTH + (p ^ r / 2 % 4) * PIECE;
// + return (p * TILE + r) * PIECE;
