__global__ void row_sums(float *sums, const float *in)
{
	int first = blockIdx.x * 32, t = threadIdx.x;
	__shared__ float tile[32 * 33];
	for (int i = 0; i < 32; i++)
		tile[i * 33 + t] = in[(first + i) * 32 + t];
	__syncwarp();
	float sum = 0;
#pragma unroll
	for (int k = 0; k < 32; k++)
		sum += tile[t * 33 + k];
	sums[first + t] = sum;
}
