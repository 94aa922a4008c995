// Two threads share a starting column: every read takes two wavefronts.
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[32][32];
	int first = blockIdx.x * 32;
	for (int i = 0; i < 32; i++)
		tile[i][threadIdx.x] = in[(first + i) * 32 + threadIdx.x];
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < 32; k++)
		sum += tile[threadIdx.x][(k + threadIdx.x / 2) % 32];
	sums[first + threadIdx.x] = sum;
}
