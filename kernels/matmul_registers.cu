// C = A · B for n × n matrices stored by rows, every operand of a
// multiplication in a register: what the lecture "CUDA Matmult Reg / Shared"
// left open. n is a multiple of 128.
//
// A block of 256 threads computes 128 × 128 elements of C, a thread 8 × 8 of
// them. For each k it fetches 8 elements of A and 8 of B from shared memory
// into registers, and multiplies each of the ones with each of the others: 16
// words for 64 multiplications. With one operand in shared memory it was a word
// for each.
constexpr int TILE = 128;   // rows and columns of C for a block
constexpr int DEPTH = 8;    // columns of A and rows of B at a time
constexpr int THREADS = 256;
// A's tile is turned round, so that a thread's elements of a column lie in a
// row. Four spare words a row: 16 bytes still line up, and the two halves of a
// warp, which write rows four apart, find different banks.
constexpr int A_ROW = TILE + 4;

struct Tiles {
	float a[DEPTH][A_ROW]; // a[k][row]
	float b[DEPTH][TILE];  // b[k][column]
};

// Where a thread stands: its 8 × 8 elements are four quads of 4 × 4, a warp's
// 32 rows and 64 columns. The lane's bits 1 and 3 choose among 4 places in a
// column of C, bits 0, 2 and 4 among 8 in a row. So neighbours by either share
// what they read, and a request of 16 bytes a thread takes two passes instead
// of four.
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
// the left half or the right half of a row.
struct Next {
	float4 a, b;
};

__device__ Next load(const float *A, const float *B, int n, int k)
{
	int t = threadIdx.x;
	const float *a = A + (blockIdx.y * TILE + t / 2) * n + k + t % 2 * 4;
	const float *b = B + (k + t / 32) * n + blockIdx.x * TILE + t % 32 * 4;
	return {*(const float4 *)a, *(const float4 *)b};
}

__device__ void store(Tiles &s, const Next &next)
{
	int t = threadIdx.x, k = t % 2 * 4, row = t / 2;
	s.a[k][row] = next.a.x;
	s.a[k + 1][row] = next.a.y;
	s.a[k + 2][row] = next.a.z;
	s.a[k + 3][row] = next.a.w;
	*(float4 *)&s.b[t / 32][t % 32 * 4] = next.b;
}

// Adds what the tiles contribute to the thread's elements of C.
__device__ void multiply(float (&sum)[8][8], const Tiles &s, Place at)
{
#pragma unroll
	for (int k = 0; k < DEPTH; k++) {
		float a[8], b[8];
		*(float4 *)&a[0] = *(const float4 *)&s.a[k][at.row];
		*(float4 *)&a[4] = *(const float4 *)&s.a[k][at.row + 16];
		*(float4 *)&b[0] = *(const float4 *)&s.b[k][at.column];
		*(float4 *)&b[4] = *(const float4 *)&s.b[k][at.column + 32];
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

// As plain as can be: load, wait, multiply, wait. Between the barriers the
// block either fetches or computes.
__global__ void __launch_bounds__(THREADS, 2)
	reg_reg(float *C, const float *A, const float *B, int n)
{
	__shared__ Tiles s;
	Place at = place_of(threadIdx.x);
	float sum[8][8] = {};
	for (int k = 0; k < n; k += DEPTH) {
		store(s, load(A, B, n, k));
		__syncthreads();
		multiply(sum, s, at);
		__syncthreads();
	}
	write(C, n, sum, at);
}

// The next tiles are on their way into registers while these are multiplied,
// and go into the other of two buffers: one barrier a round.
__global__ void __launch_bounds__(THREADS, 2)
	prefetched(float *C, const float *A, const float *B, int n)
{
	__shared__ Tiles s[2];
	Place at = place_of(threadIdx.x);
	float sum[8][8] = {};
	store(s[0], load(A, B, n, 0));
	__syncthreads();
	int now = 0;
	for (int k = DEPTH; k < n; k += DEPTH, now ^= 1) {
		Next next = load(A, B, n, k);
		multiply(sum, s[now], at);
		store(s[now ^ 1], next);
		__syncthreads();
	}
	multiply(sum, s[now], at);
	write(C, n, sum, at);
}
