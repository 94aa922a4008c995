// honest: a function returns an element or zero; unsigned comparisons
constexpr unsigned TILE = 16;

__device__ float element(const float *m, unsigned row, unsigned column, unsigned n)
{
	if (row >= n || column >= n)
		return 0.0f;
	return m[row * n + column];
}

__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float a[TILE][TILE], b[TILE][TILE];
	const unsigned tx = threadIdx.x, ty = threadIdx.y;
	const unsigned x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	const unsigned tiles = (n + TILE - 1) / TILE;

	float sum = 0;
	for (unsigned t = 0; t < tiles; t++) {
		a[ty][tx] = element(A, y, t * TILE + tx, n);
		b[ty][tx] = element(B, t * TILE + ty, x, n);
		__syncthreads();
#pragma unroll
		for (unsigned k = 0; k < TILE; k++)
			sum += a[ty][k] * b[k][tx];
		__syncthreads();
	}
	if (max(x, y) < n)
		C[y * n + x] = sum;
}
