// Only A has a tile; B comes from global memory for each product.
constexpr int TILE = 16;

__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;

	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		As[ty][tx] = y < n && b + tx < n ? A[y * n + b + tx] : 0;
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			if (b + k < n && x < n)
				sum += As[ty][k] * B[(b + k) * n + x];
		__syncthreads();
	}
	if (x < n && y < n)
		C[y * n + x] = sum;
}
