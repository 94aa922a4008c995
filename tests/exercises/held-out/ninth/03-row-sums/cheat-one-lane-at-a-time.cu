// cheat: each request takes one wavefront because one thread executes it: 32 times as many requests
constexpr int ROW = 32; // elements in a row, rows in a tile, threads in a block

__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[ROW][ROW];
	int first = blockIdx.x * ROW; // row of the matrix

	for (int i = 0; i < ROW; i++)
		tile[i][threadIdx.x] = in[(first + i) * ROW + threadIdx.x];
	__syncthreads();

	float sum = 0;
	for (int k = 0; k < ROW; k++)
#pragma unroll 1
		for (int lane = 0; lane < ROW; lane++)
			if (threadIdx.x == lane)
				sum += tile[threadIdx.x][k];
	sums[first + threadIdx.x] = sum;
}
