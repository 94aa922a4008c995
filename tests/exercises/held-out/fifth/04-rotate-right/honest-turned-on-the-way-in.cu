// The tile holds its part of the result: it is turned when written to shared memory, and copied out row by row.
constexpr int TILE = 32;
__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float turned[TILE][TILE + 1];
	const int tx = threadIdx.x, left = blockIdx.x * TILE, top = blockIdx.y * TILE;
	for (int r = threadIdx.y; r < TILE; r += blockDim.y)
		turned[tx][TILE - 1 - r] = idata[(top + r) * n + left + tx];
	__syncthreads();
	for (int r = threadIdx.y; r < TILE; r += blockDim.y)
		odata[(left + r) * n + (n - TILE - top) + tx] = turned[r][tx];
}
