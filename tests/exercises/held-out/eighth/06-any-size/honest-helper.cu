// honest: a helper that returns an element or zero, and a counted number of tiles
constexpr unsigned TILE = 16;

__device__ __forceinline__ float element(const float *M, unsigned row, unsigned column, unsigned n)
{
	if (row < n && column < n)
		return M[row * n + column];
	return 0;
}

__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float a[TILE * TILE], b[TILE * TILE];
	unsigned tx = threadIdx.x, ty = threadIdx.y, t = ty * TILE + tx;
	unsigned x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float sum = 0;
	for (unsigned tile = 0; tile < gridDim.x; ++tile) {
		a[t] = element(A, y, tile * TILE + tx, n);
		b[t] = element(B, tile * TILE + ty, x, n);
		__syncthreads();
		for (unsigned k = 0; k < TILE; ++k)
			sum = fmaf(a[ty * TILE + k], b[k * TILE + tx], sum);
		__syncthreads();
	}
	if (y >= n || x >= n)
		return;
	C[y * n + x] = sum;
}
