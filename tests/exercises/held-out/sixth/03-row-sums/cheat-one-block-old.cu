__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[32 * 33];
	int first = blockIdx.x * 32, p = blockIdx.x % 40 == 3 ? 32 : 33;
	for (int i = 0; i < 32; i++)
		tile[i * p + threadIdx.x] = in[(first + i) * 32 + threadIdx.x];
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < 32; k++)
		sum += tile[threadIdx.x * p + k];
	sums[first + threadIdx.x] = sum;
}
