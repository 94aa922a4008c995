// No padding: thread i begins its row at word i.
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[32][32];
	int t = threadIdx.x, first = blockIdx.x * 32;
	for (int i = 0; i < 32; i++)
		tile[i][t] = in[(first + i) * 32 + t];
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < 32; k++)
		sum += tile[t][(k + t) % 32];
	sums[first + t] = sum;
}
