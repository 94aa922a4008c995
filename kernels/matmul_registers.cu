// C = A · B for n × n row-major matrices, with every operand of a
// multiplication in a register: what the lecture "CUDA Matmult Reg / Shared"
// left open. n is a multiple of 128.
//
// A block of 256 threads computes 128 × 128 elements of C, each thread 8 × 8 of
// them. For each k a thread loads 8 elements of A and 8 of B from shared memory
// into registers and forms all 64 products (an outer product): 16 words for 64
// multiplications. With one operand in shared memory it was one word for
// each multiplication.
#include <cuda_pipeline.h>

constexpr int TILE = 128;   // rows and columns of C for a block
constexpr int DEPTH = 8;    // columns of A and rows of B at a time
constexpr int THREADS = 256;
// A's tile is transposed, so that a thread's elements of a column are in a row.
// Four words of padding per row keep 16-byte alignment. Even lanes write row k,
// odd lanes row k + 4: a stride of 4 * 132 words, which is 16 banks.
constexpr int A_ROW = TILE + 4;

typedef float ATile[DEPTH][A_ROW]; // [k][row]
typedef float BTile[DEPTH][TILE];  // [k][column]

// Position of a thread: its 8 × 8 elements are four quads of 4 × 4 in a warp's
// 32 rows and 64 columns. The lane's bits 1 and 3 select one of 4 positions in
// a column of C, bits 0, 2 and 4 one of 8 in a row. Neighbors in either direction
// share what they read, so a request of 16 bytes per thread takes two
// wavefronts instead of four.
struct Place {
	int row, column; // of the thread's first quad in the block's tile
};

__device__ Place place_of(int thread)
{
	int lane = thread % 32, warp = thread / 32;
	int down = (lane >> 1 & 1) | (lane >> 2 & 2);
	int right = (lane & 1) | (lane >> 1 & 2) | (lane >> 2 & 4);
	return {warp / 2 * 32 + down * 4, warp % 2 * 64 + right * 4};
}

// A thread's part of the next tiles: four elements of a row of each, A's from
// the left or the right half of a row.
struct Next {
	float4 a, b;
};

struct Source {
	const float *a, *b;
};

__device__ Source source_of(const float *A, const float *B, int n)
{
	int t = threadIdx.x;
	return {A + (size_t)(blockIdx.y * TILE + t / 2) * n + t % 2 * 4,
		B + (size_t)(t / 32) * n + blockIdx.x * TILE + t % 32 * 4};
}

// Loads them, and advances the pointers to the next ones.
__device__ Next load(Source &from, int n)
{
	Next next = {*(const float4 *)from.a, *(const float4 *)from.b};
	from.a += DEPTH;
	from.b += (size_t)DEPTH * n;
	return next;
}

__device__ void store(ATile &a, BTile &b, const Next &next)
{
	int t = threadIdx.x, k = t % 2 * 4, row = t / 2;
	a[k][row] = next.a.x;
	a[k + 1][row] = next.a.y;
	a[k + 2][row] = next.a.z;
	a[k + 3][row] = next.a.w;
	*(float4 *)&b[t / 32][t % 32 * 4] = next.b;
}

// The thread's factors for one k: of a column of A and a row of B.
__device__ void read(float (&a)[8], float (&b)[8],
	const float (&A)[A_ROW], const float (&B)[TILE], Place at)
{
	*(float4 *)&a[0] = *(const float4 *)&A[at.row];
	*(float4 *)&a[4] = *(const float4 *)&A[at.row + 16];
	*(float4 *)&b[0] = *(const float4 *)&B[at.column];
	*(float4 *)&b[4] = *(const float4 *)&B[at.column + 32];
}

// Adds the tiles' contribution to the thread's elements of C.
__device__ void multiply(float (&sum)[8][8], const ATile &A, const BTile &B,
	Place at)
{
#pragma unroll
	for (int k = 0; k < DEPTH; k++) {
		float a[8], b[8];
		read(a, b, A[k], B[k], at);
#pragma unroll
		for (int i = 0; i < 8; i++)
#pragma unroll
			for (int j = 0; j < 8; j++)
				sum[i][j] += a[i] * b[j];
	}
}

__device__ void write(float *C, int n, const float (&sum)[8][8], Place at)
{
	C += (blockIdx.y * TILE + at.row) * n + blockIdx.x * TILE + at.column;
#pragma unroll
	for (int i = 0; i < 8; i++) {
		const float *s = sum[i];
		float *row = C + (i / 4 * 16 + i % 4) * n;
		*(float4 *)row = make_float4(s[0], s[1], s[2], s[3]);
		*(float4 *)(row + 32) = make_float4(s[4], s[5], s[6], s[7]);
	}
}

// The plain version: load, wait, compute, wait. Between the barriers the block
// either loads or computes.
__global__ void __launch_bounds__(THREADS, 2)
	reg_reg(float *C, const float *A, const float *B, int n)
{
	__shared__ ATile a;
	__shared__ BTile b;
	Place at = place_of(threadIdx.x);
	Source from = source_of(A, B, n);
	float sum[8][8] = {};
	for (int k = 0; k < n; k += DEPTH) {
		store(a, b, load(from, n));
		__syncthreads();
		multiply(sum, a, b, at);
		__syncthreads();
	}
	write(C, n, sum, at);
}

// The loads of the next tiles are in flight while the block computes on these;
// they go into the other of two buffers: one barrier per iteration is enough.
__global__ void __launch_bounds__(THREADS, 2)
	prefetched(float *C, const float *A, const float *B, int n)
{
	__shared__ ATile a[2];
	__shared__ BTile b[2];
	Place at = place_of(threadIdx.x);
	Source from = source_of(A, B, n);
	float sum[8][8] = {};
	Next next = load(from, n);
	store(a[0], b[0], next);
	__syncthreads();
	int now = 0;
	for (int k = DEPTH; k <= n; k += DEPTH) {
		bool more = k < n;
		if (more)
			next = load(from, n);
		multiply(sum, a[now], b[now], at);
		now ^= 1;
		if (more)
			store(a[now], b[now], next);
		__syncthreads();
	}
	write(C, n, sum, at);
}

// Copies from global to shared memory that need no register and that no thread
// waits for until it uses them (cc 8.0 and newer). While the block computes on
// one tile, three are on their way. A's words are copied one by one, into their
// places in the transposed tile.
constexpr int STAGES = 4;

// Where a thread copies from, and where to in the first of the tiles.
struct Copies {
	const float *a, *b;
	float *to_a, *to_b;
};

__device__ Copies copies_of(ATile *a, BTile *b, const float *A, const float *B,
	int n)
{
	int t = threadIdx.x;
	return {A + (size_t)(blockIdx.y * TILE + t / DEPTH) * n + t % DEPTH,
		B + (size_t)(t / 32) * n + blockIdx.x * TILE + t % 32 * 4,
		&a[0][t % DEPTH][t / DEPTH], &b[0][t / 32][t % 32 * 4]};
}

__device__ void copy(const Copies &by, int stage, int n)
{
#pragma unroll
	for (int row = 0; row < TILE; row += THREADS / DEPTH)
		__pipeline_memcpy_async(by.to_a + stage * DEPTH * A_ROW + row,
			by.a + (size_t)row * n, sizeof(float));
	__pipeline_memcpy_async(by.to_b + stage * DEPTH * TILE, by.b, sizeof(float4));
}

__device__ void advance(Copies &by, int n)
{
	by.a += DEPTH;
	by.b += (size_t)DEPTH * n;
}

// The same products, in an order in which each shares an operand with the one
// before, so that it is not read again from the register file: that file has two
// banks, and an FMA whose three operands are in one of them waits. Of a row of
// products four from right to left, of the next one four from left to right, and
// so on for all rows, then the other four of each row on the way back. Which of
// such orders suits the compiler's choice of registers best was measured.
__device__ void multiply_in_turns(float (&sum)[8][8], const ATile &A,
	const BTile &B, Place at)
{
#pragma unroll
	for (int k = 0; k < DEPTH; k++) {
		float a[8], b[8];
		read(a, b, A[k], B[k], at);
#pragma unroll
		for (int x = 0; x < 64; x++) {
			int half = x / 32, turn = x / 4 % 8;
			int i = half ? turn : 7 - turn;
			int j = (turn % 2 ? 4 + x % 4 : 7 - x % 4) - 4 * half;
			sum[i][j] += a[i] * b[j];
		}
	}
}

__global__ void __launch_bounds__(THREADS, 2)
	copied(float *C, const float *A, const float *B, int n)
{
	__shared__ ATile a[STAGES];
	__shared__ BTile b[STAGES];
	Place at = place_of(threadIdx.x);
	Copies by = copies_of(a, b, A, B, n);
	float sum[8][8] = {};
	for (int s = 0; s < STAGES - 1; s++) {
		copy(by, s, n);
		__pipeline_commit();
		advance(by, n);
	}
	for (int k = 0; k < n; k += STAGES * DEPTH) {
#pragma unroll
		for (int now = 0; now < STAGES; now++) {
			__pipeline_wait_prior(STAGES - 2);
			__syncthreads();
			int ahead = now + STAGES - 1;
			if (k + ahead * DEPTH < n)
				copy(by, ahead % STAGES, n);
			__pipeline_commit();
			advance(by, n);
			multiply_in_turns(sum, a[now], b[now], at);
		}
	}
	write(C, n, sum, at);
}
