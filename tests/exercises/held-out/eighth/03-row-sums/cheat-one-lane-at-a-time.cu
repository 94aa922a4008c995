// cheat: 31 lanes wait while one reads: each request has a single wavefront because it has a single word
constexpr int ROW = 32;

__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[ROW][ROW];
	int first = blockIdx.x * ROW;
	for (int i = 0; i < ROW; i++)
		tile[i][threadIdx.x] = in[(first + i) * ROW + threadIdx.x];
	__syncthreads();

	float sum = 0;
	for (int lane = 0; lane < ROW; lane++) {
		if (threadIdx.x == lane)
			for (int k = 0; k < ROW; k++)
				sum += tile[lane][k];
		__syncwarp();
	}
	sums[first + threadIdx.x] = sum;
}
