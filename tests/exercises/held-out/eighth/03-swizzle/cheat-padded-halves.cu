// cheat: padding after all: half a tile at a time, whose padded rows fit into the same words
constexpr int TILE = 32, ROWS = 8, HALF = 16;
extern __shared__ float tile[]; // used as 32 rows of 17 words

__global__ void transpose(float *odata, const float *idata, int n)
{
	for (int h = 0; h < TILE; h += HALF) { // columns of the tile
		// 16 lanes per row: two rows of the input per warp
		int tid = threadIdx.y * 32 + threadIdx.x, c = tid % HALF;
		for (int r = tid / HALF; r < TILE; r += HALF)
			tile[r * (HALF + 1) + c] = idata[blockIdx.x * TILE + h + c + (blockIdx.y * TILE + r) * n];
		__syncthreads();
		for (int i = threadIdx.y; i < HALF; i += ROWS)
			odata[blockIdx.y * TILE + threadIdx.x + (blockIdx.x * TILE + h + i) * n] =
				tile[threadIdx.x * (HALF + 1) + i];
		__syncthreads();
	}
}
