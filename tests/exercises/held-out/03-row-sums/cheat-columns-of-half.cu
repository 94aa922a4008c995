// Lane pairs share a bank: words k and k + 16 of neighboring rows.
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[32][32];
	int first = blockIdx.x * 32, t = threadIdx.x;
	for (int i = 0; i < 32; i++)
		tile[i][t] = in[(first + i) * 32 + t];
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < 32; k++)
		sum += tile[t][(k + t / 2) % 32];
	sums[first + t] = sum;
}
