// the rows are mirrored when they are stored into the tile, transposed
constexpr int TILE = 32, ROWS = 8;
__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	const float *from = idata + (size_t)(blockIdx.y * TILE + threadIdx.y) * n + blockIdx.x * TILE + threadIdx.x;
	for (int i = threadIdx.y; i < TILE; i += ROWS, from += ROWS * n) tile[threadIdx.x][TILE - 1 - i] = *from;
	__syncthreads();
	float *to = odata + (size_t)(blockIdx.x * TILE) * n + n - (blockIdx.y + 1) * TILE + threadIdx.x;
	for (int i = threadIdx.y; i < TILE; i += ROWS) to[i * n] = tile[i][threadIdx.x];
}
