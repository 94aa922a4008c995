// The tile is stored transposed and padded, and read along its rows.
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[32][33];
	const float *from = in + blockIdx.x * 1024 + threadIdx.x;
	for (int i = 0; i < 32; i++, from += 32)
		tile[threadIdx.x][i] = *from;
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < 32; k++)
		sum += tile[k][threadIdx.x];
	sums[blockIdx.x * 32 + threadIdx.x] = sum;
}
