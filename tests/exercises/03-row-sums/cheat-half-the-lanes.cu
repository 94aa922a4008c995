// Sixteen threads sum two rows each.
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[32][33];
	int first = blockIdx.x * 32;
	for (int i = 0; i < 32; i++)
		tile[i][threadIdx.x] = in[(first + i) * 32 + threadIdx.x];
	__syncthreads();
	if (threadIdx.x < 16)
		for (int r = threadIdx.x; r < 32; r += 16) {
			float sum = 0;
			for (int k = 0; k < 32; k++)
				sum += tile[r][k];
			sums[first + r] = sum;
		}
}
