// honest: each row is rotated by its number
constexpr int TILE = 32, ROWS = 8;
extern __shared__ float tile[];

__device__ __forceinline__ float &element(int row, int column)
{
	return tile[row * TILE + ((column + row) & (TILE - 1))];
}

__global__ void transpose(float *odata, const float *idata, int n)
{
	const float *from = idata + blockIdx.y * TILE * n + blockIdx.x * TILE;
	float *to = odata + blockIdx.x * TILE * n + blockIdx.y * TILE;
#pragma unroll
	for (int r = threadIdx.y; r < TILE; r += ROWS)
		element(r, threadIdx.x) = from[r * n + threadIdx.x];
	__syncthreads();
#pragma unroll
	for (int r = threadIdx.y; r < TILE; r += ROWS)
		to[r * n + threadIdx.x] = element(threadIdx.x, r);
}
