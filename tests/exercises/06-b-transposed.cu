// === cheat-conflicts
// Coalesced, but the transposed store conflicts.
__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[32][32], Bs[32][32];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * 32, y = blockIdx.y * 32 + ty;
	float sum = 0;
	for (int b = 0; b < n; b += 32) {
		As[ty][tx] = A[y * n + b + tx];
		Bs[tx][ty] = Bt[(x + ty) * n + b + tx];
		__syncthreads();
		for (int k = 0; k < 32; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	C[y * n + x + tx] = sum;
}

// === honest-rotate
// No padding: the column of B's tile is rotated by its row.
__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float a[1024], b[1024];
	int tx = threadIdx.x, ty = threadIdx.y;
	const float *from_a = A + (blockIdx.y * 32 + ty) * n + tx, *from_b = Bt + (blockIdx.x * 32 + ty) * n + tx;
	float sum = 0;
	for (int t = 0; t < n; t += 32) {
		a[ty * 32 + tx] = from_a[t];
		b[ty * 32 + (tx + ty) % 32] = from_b[t];
		__syncthreads();
		for (int k = 0; k < 32; k++)
			sum += a[ty * 32 + k] * b[tx * 32 + (k + tx) % 32];
		__syncthreads();
	}
	C[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx] = sum;
}

// === honest-stored-transposed
// Transposed when it is stored to the tile.
__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[32][32], Bs[32][33];
	int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y = blockIdx.y * 32 + ty;
	float sum = 0;
	for (int b = 0; b < n; b += 32) {
		As[ty][tx] = A[y * n + b + tx];
		Bs[tx][ty] = Bt[(x0 + ty) * n + b + tx];
		__syncthreads();
		for (int k = 0; k < 32; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	C[y * n + x0 + tx] = sum;
}

// === honest-swizzle
// No padding: exclusive or of row and column.
__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[32][32], Bs[32][32];
	int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y = blockIdx.y * 32 + ty;
	float sum = 0;
	for (int b = 0; b < n; b += 32) {
		As[ty][tx] = A[y * n + b + tx];
		Bs[ty][tx ^ ty] = Bt[(x0 + ty) * n + b + tx];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 32; k++)
			sum += As[ty][k] * Bs[tx][k ^ tx];
		__syncthreads();
	}
	C[y * n + x0 + tx] = sum;
}

// === cheat-c-transposed
// C is turned at the end, B never is.
// - As[TILE][TILE], Bs[TILE][TILE + 1]
// + As[TILE][TILE + 1], Bs[TILE][TILE]
// - sum += As[ty][k] * Bs[tx][k];
// + sum += As[tx][k] * Bs[ty][k];
// - C[y * n + x] = sum;
// + As[tx][ty] = sum; __syncthreads(); C[y * n + x] = As[ty][tx];
