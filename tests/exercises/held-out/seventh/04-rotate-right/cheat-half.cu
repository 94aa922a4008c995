// tiles in the left half through shared memory, the others as before
constexpr int TILE = 32, ROWS = 8;
__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	if (blockIdx.x & 1) {
		for (int i = 0; i < TILE; i += ROWS) odata[x * n + n - 1 - (y + i)] = idata[(y + i) * n + x];
		return;
	}
	for (int i = 0; i < TILE; i += ROWS) tile[ty + i][tx] = idata[(y + i) * n + x];
	__syncthreads();
	int c = (gridDim.y - 1 - blockIdx.y) * TILE + tx, r = blockIdx.x * TILE + ty;
	for (int i = 0; i < TILE; i += ROWS) odata[(r + i) * n + c] = tile[TILE - 1 - tx][ty + i];
}
