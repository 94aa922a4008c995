// C = A · B with tensor cores, from the portable interface to the instructions
// of a warp. A and B are n × n matrices of BF16, C is FP32, all row by row; n is
// a multiple of 128.
//
// A block of 8 warps computes 128 × 128 elements of C. Warps are in 2 rows and
// 4 columns; each computes 64 × 32 elements, 16 × 16 or 16 × 8 at a time.
#include <cuda_bf16.h>
#include <mma.h>

#include "mma.cuh"

typedef __nv_bfloat16 Number;

constexpr int TILE = 128;    // rows and columns of C for a block
constexpr int DEPTH = 32;    // columns of A and rows of B at a time
constexpr int THREADS = 256;
constexpr int PIECE = 8;     // numbers in 16 bytes, which are moved together

// --- WMMA: fragments whose layout the compiler knows -------------------------

// Every warp reads its fragments from global memory.
__global__ void __launch_bounds__(THREADS)
	wmma(float *C, const Number *A, const Number *B, int n)
{
	using namespace nvcuda::wmma;
	int warp = threadIdx.x / 32;
	size_t row = blockIdx.y * TILE + warp / 4 * 64;
	int column = blockIdx.x * TILE + warp % 4 * 32;
	fragment<accumulator, 16, 16, 16, float> sum[4][2];
	for (int i = 0; i < 8; i++)
		fill_fragment(sum[i / 2][i % 2], 0);
	for (int k = 0; k < n; k += 16) {
		fragment<matrix_a, 16, 16, 16, Number, row_major> a[4];
		fragment<matrix_b, 16, 16, 16, Number, row_major> b[2];
		for (int j = 0; j < 2; j++)
			load_matrix_sync(b[j], B + (size_t)k * n + column + j * 16, n);
		for (int i = 0; i < 4; i++)
			load_matrix_sync(a[i], A + (row + i * 16) * n + k, n);
		for (int i = 0; i < 8; i++)
			mma_sync(sum[i / 2][i % 2], a[i / 2], b[i % 2], sum[i / 2][i % 2]);
	}
	for (int i = 0; i < 8; i++)
		store_matrix_sync(C + (row + i / 2 * 16) * n + column + i % 2 * 16,
			sum[i / 2][i % 2], n, mem_row_major);
}

// The same fragments from tiles in shared memory, which all warps share.
__global__ void __launch_bounds__(THREADS)
	wmma_shared(float *C, const Number *A, const Number *B, int n)
{
	using namespace nvcuda::wmma;
	__shared__ alignas(32) Number As[TILE][DEPTH], Bs[DEPTH][TILE];
	int t = threadIdx.x, warp = t / 32, row = warp / 4 * 64;
	int column = warp % 4 * 32;
	A += (size_t)blockIdx.y * TILE * n;
	B += blockIdx.x * TILE;
	C += (size_t)blockIdx.y * TILE * n + blockIdx.x * TILE;
	fragment<accumulator, 16, 16, 16, float> sum[4][2];
	for (int i = 0; i < 8; i++)
		fill_fragment(sum[i / 2][i % 2], 0);
	for (int k = 0; k < n; k += DEPTH) {
		for (int p = t; p < TILE * DEPTH / PIECE; p += THREADS) {
			*((uint4 *)As + p) = *(const uint4 *)(A
				+ (size_t)(p / 4) * n + k + p % 4 * PIECE);
			*((uint4 *)Bs + p) = *(const uint4 *)(B
				+ (size_t)(k + p / 16) * n + p % 16 * PIECE);
		}
		__syncthreads();
		for (int part = 0; part < DEPTH; part += 16) {
			fragment<matrix_a, 16, 16, 16, Number, row_major> a[4];
			fragment<matrix_b, 16, 16, 16, Number, row_major> b[2];
			for (int j = 0; j < 2; j++)
				load_matrix_sync(b[j], &Bs[part][column + j * 16], TILE);
			for (int i = 0; i < 4; i++)
				load_matrix_sync(a[i], &As[row + i * 16][part], DEPTH);
			for (int i = 0; i < 8; i++)
				mma_sync(sum[i / 2][i % 2], a[i / 2], b[i % 2],
					sum[i / 2][i % 2]);
		}
		__syncthreads();
	}
	for (int i = 0; i < 8; i++)
		store_matrix_sync(C + (size_t)(row + i / 2 * 16) * n + column
			+ i % 2 * 16, sum[i / 2][i % 2], n, mem_row_major);
}

// --- mma.sync: fragments as PTX defines them ----------------------------------

// Tiles in shared memory, 16 bytes at a time. SWIZZLED, a row's pieces are
// permuted so that the same piece of neighboring rows is in other banks.
template <bool SWIZZLED> struct Stage {
	alignas(128) Number a[TILE][DEPTH]; // rows of 64 bytes: 4 pieces
	alignas(128) Number b[DEPTH][TILE]; // rows of 256 bytes: 16 pieces

	// Two rows of a fill all banks: 8 pieces. Pairs of rows get other orders.
	__device__ Number *a_piece(int row, int piece)
	{
		return &a[row][(SWIZZLED ? piece ^ row / 2 % 4 : piece) * PIECE];
	}
	__device__ Number *b_piece(int row, int piece)
	{
		return &b[row][(SWIZZLED ? piece ^ row % 8 : piece) * PIECE];
	}
};

// A warp's 64 × 32 sums: lane l has, of each 16 × 8, rows l / 4 and l / 4 + 8,
// columns l % 4 * 2 and the next.
typedef float Sums[4][4][4];

// The fragments of a for 16 rows, and of b for 16 columns, loaded as PTX says
// which lane has which element: 32-bit loads of pairs, and single numbers of b,
// whose pairs are in a column.
template <class S> __device__ void load_a(unsigned (&to)[4], S &s, int row,
	int piece)
{
	int l = threadIdx.x % 32;
	for (int i = 0; i < 4; i++)
		to[i] = *(const unsigned *)(s.a_piece(row + l / 4 + i % 2 * 8,
			piece + i / 2) + l % 4 * 2);
}

template <class S> __device__ void load_b(unsigned (&to)[4], S &s, int k,
	int piece)
{
	int l = threadIdx.x % 32, row = k + l % 4 * 2;
	for (int i = 0; i < 4; i++) {
		int r = row + i % 2 * 8, column = l / 4;
		Number low = s.b_piece(r, piece + i / 2)[column];
		Number high = s.b_piece(r + 1, piece + i / 2)[column];
		to[i] = __bfloat16_as_ushort(low)
			| (unsigned)__bfloat16_as_ushort(high) << 16;
	}
}

// The same with one instruction each: lane l names row l % 16 of a, or of b, in
// the left or the right piece of 8 columns.
template <class S> __device__ void ldmatrix_a(unsigned (&to)[4], S &s, int row,
	int piece)
{
	int l = threadIdx.x % 32;
	load_matrices(to, s.a_piece(row + l % 16, piece + l / 16));
}

template <class S> __device__ void ldmatrix_b(unsigned (&to)[4], S &s, int k,
	int piece)
{
	int l = threadIdx.x % 32;
	load_transposed(to, s.b_piece(k + l % 16, piece + l / 16));
}

// A warp multiplies its parts of the tiles.
template <bool LDMATRIX, class S> __device__ void multiply(Sums &sum, S &s)
{
	int warp = threadIdx.x / 32, row = warp / 4 * 64, column = warp % 4 * 32;
#pragma unroll
	for (int k = 0; k < DEPTH; k += 16) {
		unsigned a[4][4], b[2][4];
#pragma unroll
		for (int j = 0; j < 2; j++) {
			int piece = column / PIECE + j * 2;
			LDMATRIX ? ldmatrix_b(b[j], s, k, piece) : load_b(b[j], s, k, piece);
		}
#pragma unroll
		for (int i = 0; i < 4; i++)
			LDMATRIX ? ldmatrix_a(a[i], s, row + i * 16, k / PIECE)
				: load_a(a[i], s, row + i * 16, k / PIECE);
#pragma unroll
		for (int i = 0; i < 4; i++)
#pragma unroll
			for (int j = 0; j < 4; j++)
				multiply_bf16(sum[i][j], a[i], &b[j / 2][j % 2 * 2]);
	}
}

__device__ void write(float *C, int n, const Sums &sum)
{
	int warp = threadIdx.x / 32, l = threadIdx.x % 32;
	int row = blockIdx.y * TILE + warp / 4 * 64 + l / 4;
	int column = blockIdx.x * TILE + warp % 4 * 32 + l % 4 * 2;
#pragma unroll
	for (int i = 0; i < 4; i++)
#pragma unroll
		for (int j = 0; j < 4; j++) {
			float *c = C + (size_t)(row + i * 16) * n + column + j * 8;
			const float *s = sum[i][j];
			*(float2 *)c = make_float2(s[0], s[1]);
			*(float2 *)(c + 8 * n) = make_float2(s[2], s[3]);
		}
}

// Calls what(to, from) for each 16 bytes of the next tiles that this thread
// moves: two pieces of A, two of B.
template <class S, class F> __device__ void pieces(S &s, const Number *A,
	const Number *B, int n, int k, F what)
{
	int t = threadIdx.x;
	A += (size_t)blockIdx.y * TILE * n + k;
	B += (size_t)k * n + blockIdx.x * TILE;
#pragma unroll
	for (int i = 0; i < 2; i++) {
		int row = t / 4 + i * 64, piece = t % 4;
		what(s.a_piece(row, piece), A + (size_t)row * n + piece * PIECE);
		row = t / 16 + i * 16, piece = t % 16;
		what(s.b_piece(row, piece), B + (size_t)row * n + piece * PIECE);
	}
}

template <class S> __device__ void move(S &s, const Number *A, const Number *B,
	int n, int k)
{
	pieces(s, A, B, n, k, [](Number *to, const Number *from) {
		*(uint4 *)to = *(const uint4 *)from;
	});
}

// Load, wait, multiply, wait.
template <bool LDMATRIX, bool SWIZZLED>
__global__ void __launch_bounds__(THREADS)
	mma(float *C, const Number *A, const Number *B, int n)
{
	__shared__ Stage<SWIZZLED> stage;
	Sums sum = {};
	for (int k = 0; k < n; k += DEPTH) {
		move(stage, A, B, n, k);
		__syncthreads();
		multiply<LDMATRIX>(sum, stage);
		__syncthreads();
	}
	write(C, n, sum);
}

// --- Several stages of asynchronous copies ------------------------------------

constexpr int STAGES = 4;

template <class S> __device__ void start(S &s, const Number *A, const Number *B,
	int n, int k)
{
	if (k < n)
		pieces(s, A, B, n, k, [](Number *to, const Number *from) {
			copy_16_bytes(to, from);
		});
	copies_commit(); // of nothing at the end, so that the count stays right
}

// Copies for three stages are in flight while one is multiplied.
__global__ void __launch_bounds__(THREADS, 2)
	multistage(float *C, const Number *A, const Number *B, int n)
{
	extern __shared__ __align__(128) Stage<true> stage[];
	Sums sum = {};
	for (int s = 0; s < STAGES - 1; s++)
		start(stage[s], A, B, n, s * DEPTH);
	for (int i = 0; i < n / DEPTH; i++) {
		copies_wait<STAGES - 2>(); // stage i is here, as far as this thread
		__syncthreads();           // copied it; now all of it
		int next = i + STAGES - 1;
		start(stage[next % STAGES], A, B, n, next * DEPTH);
		multiply<true>(sum, stage[i % STAGES]);
	}
	write(C, n, sum);
}
