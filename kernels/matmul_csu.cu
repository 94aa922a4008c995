// C = A · B for n × n row-major matrices. A's tile is in shared memory, an
// element of B in a register, a column of C in registers: the three versions of
// the lecture "CUDA Matmult Reg / Shared". n is a multiple of 64.

// A block of 64 × 1 threads computes 64 columns and 16 rows of C. Nothing is
// unrolled, and every address is computed where it is used.
__global__ void reg_shared(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16 * 16];
	int tx = threadIdx.x;
	int x = blockIdx.x * 64 + tx, y = blockIdx.y * 16;

	float sum[16] = {};
	for (int b = 0; b < n / 16; b++) {
		for (int i = 0; i < 16; i += 4)
			As[i * 16 + tx] = A[(y + i + tx / 16) * n + b * 16 + tx % 16];
		__syncthreads();
#pragma unroll 1
		for (int k = 0; k < 16; k++) {
			float element = B[(b * 16 + k) * n + x];
			for (int i = 0; i < 16; i++)
				sum[i] += As[i * 16 + k] * element;
		}
		__syncthreads();
	}
	for (int i = 0; i < 16; i++)
		C[(y + i) * n + x] = sum[i];
}

// The same with the loop over k unrolled, pointers that are incremented instead
// of recomputed, and loop-invariant values hoisted out of the loops.
__global__ void unrolled(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][16];
	int tx = threadIdx.x, row = tx / 16, column = tx % 16;
	const float *a = A + (blockIdx.y * 16 + row) * n + column;
	const float *b = B + blockIdx.x * 64 + tx;
	int four_rows = 4 * n;

	float sum[16] = {};
	for (const float *end = a + n; a != end; a += 16) {
		const float *from = a;
#pragma unroll
		for (int i = 0; i < 16; i += 4, from += four_rows)
			As[row + i][column] = *from;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++, b += n) {
			float element = *b;
#pragma unroll
			for (int i = 0; i < 16; i++)
				sum[i] += As[i][k] * element;
		}
		__syncthreads();
	}
	float *c = C + blockIdx.y * 16 * n + blockIdx.x * 64 + tx;
#pragma unroll
	for (int i = 0; i < 16; i++, c += n)
		*c = sum[i];
}

// 64 columns and 32 rows of C, so that B is read half as often. The block has
// 16 × 4 threads, to match the 32 × 16 tile of A, which is stored transposed, so
// that a thread reads along a row of it. Rows of 33 words keep the
// stores of a half-warp, a column of the tile, free of bank conflicts.
__global__ void wide(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][33];
	int tx = threadIdx.x, ty = threadIdx.y, column = ty * 16 + tx;
	const float *a = A + (blockIdx.y * 32 + ty) * n + tx;
	const float *b = B + blockIdx.x * 64 + column;
	int four_rows = 4 * n;

	float sum[32] = {};
	for (const float *end = a + n; a != end; a += 16) {
		const float *from = a;
#pragma unroll
		for (int i = 0; i < 32; i += 4, from += four_rows)
			As[tx][ty + i] = *from;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++, b += n) {
			float element = *b;
#pragma unroll
			for (int i = 0; i < 32; i++)
				sum[i] += As[k][i] * element;
		}
		__syncthreads();
	}
	float *c = C + blockIdx.y * 32 * n + blockIdx.x * 64 + column;
#pragma unroll
	for (int i = 0; i < 32; i++, c += n)
		*c = sum[i];
}
