// honest: transposed on the way into the tile; zeros for what does not exist
constexpr int TILE = 32;
constexpr int ROWS = 8;

__device__ bool inside(int x, int y, int width, int height)
{
	return x < width && y < height;
}

__global__ void rectangle(float *odata, const float *idata, int rows,
	int columns)
{
	__shared__ float transposed[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
	for (int i = 0; i < TILE; i += ROWS)
		transposed[threadIdx.x][threadIdx.y + i] =
			inside(x, y + i, columns, rows) ? idata[x + (y + i) * columns] : 0.0f;
	__syncthreads();

	int to_x = blockIdx.y * TILE + threadIdx.x;
	int to_y = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
	for (int i = 0; i < TILE; i += ROWS)
		if (inside(to_x, to_y + i, rows, columns))
			odata[to_x + (to_y + i) * rows] = transposed[threadIdx.y + i][threadIdx.x];
}
