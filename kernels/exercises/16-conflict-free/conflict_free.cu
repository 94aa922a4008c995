// Task: ldmatrix reads eight rows at a time, and these rows are 64 bytes apart:
// every load of A and of B has bank conflicts. Change the layout of the tiles so
// that each 8 × 8 matrix takes one wavefront.
//
// C = A · Bᵀ for n × n matrices of BF16, with sums in FP32; n is a multiple of
// 64. A block of four warps computes 64 × 64 elements of C, each warp 16 rows.
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

// Where piece p of row r is in a tile. To which banks does each row go?
__device__ int at(int r, int p)
{
	return r * DEPTH + p * PIECE;
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
