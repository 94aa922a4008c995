// C = A · B for n × n matrices stored by rows, in the lecture's steps from
// one element per thread to a product whose second operand stays in
// registers.
//
// Partial tiles are not handled. naive: n is a multiple of the block in both
// dimensions. tiled<16>: of 16. two_per_thread and transposed_b: of 32.
// one_operand: of 64.

// One element per thread. A warp of a 128 × 1 block reads consecutive elements
// of B and shares one of A; in a 1 × 128 block it shares the element of B, and
// A is read along a column.
__global__ void naive(float *C, const float *A, const float *B, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;

	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += A[y * n + k] * B[k * n + x];
	C[y * n + x] = sum;
}

// A block of TILE × TILE threads loads a tile of A and one of B, and every
// thread uses TILE elements of each.
template <int TILE>
__global__ void tiled(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;

	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		As[ty][tx] = A[y * n + b + tx];
		Bs[ty][tx] = B[(b + ty) * n + x];
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	C[y * n + x] = sum;
}

// Tiles of 32 × 32 with 32 × 16 threads: two elements per thread, and an
// element of B in a register is used for both.
__global__ void two_per_thread(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[32][32], Bs[32][32];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;

	float upper = 0, lower = 0;
	for (int b = 0; b < n; b += 32) {
		As[ty][tx] = A[y * n + b + tx];
		As[ty + 16][tx] = A[(y + 16) * n + b + tx];
		Bs[ty][tx] = B[(b + ty) * n + x];
		Bs[ty + 16][tx] = B[(b + ty + 16) * n + x];
		__syncthreads();
		for (int k = 0; k < 32; k++) {
			upper += As[ty][k] * Bs[k][tx];
			lower += As[ty + 16][k] * Bs[k][tx];
		}
		__syncthreads();
	}
	C[y * n + x] = upper;
	C[(y + 16) * n + x] = lower;
}

// The same with B's tile transposed: the addresses of a thread's words are one
// register plus constants. 33 words per row avoid the bank conflicts of the
// stores and of the loads in the inner loop, which have a stride of one row.
__global__ void transposed_b(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[32][32], Bs[32][33];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;

	float upper = 0, lower = 0;
	for (int b = 0; b < n; b += 32) {
		As[ty][tx] = A[y * n + b + tx];
		As[ty + 16][tx] = A[(y + 16) * n + b + tx];
		Bs[tx][ty] = B[(b + ty) * n + x];
		Bs[tx][ty + 16] = B[(b + ty + 16) * n + x];
		__syncthreads();
		for (int k = 0; k < 32; k++) {
			upper += As[ty][k] * Bs[tx][k];
			lower += As[ty + 16][k] * Bs[tx][k];
		}
		__syncthreads();
	}
	C[y * n + x] = upper;
	C[(y + 16) * n + x] = lower;
}

// One operand in shared memory. 64 × 1 threads compute 64 × 16 elements of C, a
// column of 16 per thread, in registers. Row by row, a thread multiplies an
// element of B in a register by a column of A's 16 × 16 tile.
__global__ void one_operand(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][16];
	int tx = threadIdx.x;
	int x = blockIdx.x * 64 + tx, y = blockIdx.y * 16;

	float sum[16] = {};
	for (int b = 0; b < n; b += 16) {
		for (int i = 0; i < 16; i += 4)
			As[i + tx / 16][tx % 16] = A[(y + i + tx / 16) * n + b + tx % 16];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			float element = B[(b + k) * n + x];
			for (int i = 0; i < 16; i++)
				sum[i] += As[i][k] * element;
		}
		__syncthreads();
	}
	for (int i = 0; i < 16; i++)
		C[(y + i) * n + x] = sum[i];
}
