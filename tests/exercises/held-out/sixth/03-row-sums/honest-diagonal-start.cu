__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[32][32];
	const int t = threadIdx.x, first = blockIdx.x * 32;
#pragma unroll 8
	for (int i = 0; i < 32; i++)
		tile[i][t] = in[(first + i) * 32 + t];
	__syncthreads();
	float sum = 0;
	for (int k = 0, c = t; k < 32; k++, c = (c + 1) & 31)
		sum += tile[t][c];
	sums[first + t] = sum;
}
