// === cheat-wider-tiles
// Not one barrier per iteration but half the iterations: tiles twice as deep, filled and emptied between two barriers.
constexpr int TILE = 16;
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][TILE][TILE], Bs[2][TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * TILE + ty) * n + tx;
	const float *b = B + ty * n + blockIdx.x * TILE + tx;
	float sum = 0;
	for (int t = 0; t < n; t += 2 * TILE) {
		for (int half = 0; half < 2 && t + half * TILE < n; half++) {
			As[half][ty][tx] = a[t + half * TILE];
			Bs[half][ty][tx] = b[(t + half * TILE) * n];
		}
		__syncthreads();
		for (int half = 0; half < 2 && t + half * TILE < n; half++)
			for (int k = 0; k < TILE; k++)
				sum += As[half][ty][k] * Bs[half][k][tx];
		__syncthreads();
	}
	C[(blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx] = sum;
}

// === honest-pointers
// Two pairs of tiles in one array, and pointers that are swapped.
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float tiles[4 * 256];
	float *read = tiles, *write = tiles + 512;
	int tx = threadIdx.x, ty = threadIdx.y, at = ty * 16 + tx, y = blockIdx.y * 16 + ty, x = blockIdx.x * 16 + tx;
	write[at] = A[y * n + tx];
	write[256 + at] = B[ty * n + x];
	float sum = 0;
	for (int t = 16; t <= n; t += 16) {
		__syncthreads();
		float *swap = read;
		read = write;
		write = swap;
		if (t < n) {
			write[at] = A[y * n + t + tx];
			write[256 + at] = B[(t + ty) * n + x];
		}
		for (int k = 0; k < 16; k++)
			sum += read[ty * 16 + k] * read[256 + k * 16 + tx];
	}
	C[y * n + x] = sum;
}

// === honest-prefetch
// The next elements wait in registers during the sum.
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][16][16], Bs[2][16][16];
	int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * 16 + ty) * n + tx, *b = B + ty * n + blockIdx.x * 16 + tx;
	float next_a = a[0], next_b = b[0], sum = 0;
	int p = 0;
	for (int t = 0; t < n; t += 16, p = 1 - p) {
		As[p][ty][tx] = next_a;
		Bs[p][ty][tx] = next_b;
		__syncthreads();
		if (t + 16 < n) {
			next_a = a[t + 16];
			next_b = b[(t + 16) * n];
		}
#pragma unroll
		for (int k = 0; k < 16; k++)
			sum += As[p][ty][k] * Bs[p][k][tx];
	}
	C[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum;
}

// === honest-store-first
// Store, barrier, compute: the other pair may still be read.
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][16][16], Bs[2][16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	float sum = 0;
	for (int t = 0; t < n; t += 16) {
		int p = t / 16 % 2;
		As[p][ty][tx] = A[y * n + t + tx];
		Bs[p][ty][tx] = B[(t + ty) * n + x];
		__syncthreads();
		for (int k = 0; k < 16; k++)
			sum += As[p][ty][k] * Bs[p][k][tx];
	}
	C[y * n + x] = sum;
}

// === cheat-last-tiles-again
// The last iteration loads tiles that nothing uses.
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][16][16], Bs[2][16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty, now = 0;
	float sum = 0;
	As[0][ty][tx] = A[y * n + tx];
	Bs[0][ty][tx] = B[ty * n + x];
	__syncthreads();
	for (int b = 0; b < n; b += 16) {
		int next = min(b + 16, n - 16);
		As[1 - now][ty][tx] = A[y * n + next + tx];
		Bs[1 - now][ty][tx] = B[(next + ty) * n + x];
		for (int k = 0; k < 16; k++)
			sum += As[now][ty][k] * Bs[now][k][tx];
		__syncthreads();
		now = 1 - now;
	}
	C[y * n + x] = sum;
}
