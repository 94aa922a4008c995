// Swizzled columns, and a barrier for the warp.
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[1024];
	unsigned t = threadIdx.x;
	in += blockIdx.x * 1024;
	for (unsigned i = 0; i < 32; i++)
		tile[i * 32 + (t ^ i)] = in[i * 32 + t];
	__syncwarp();
	float sum = 0;
	for (unsigned k = 0; k < 32; k++)
		sum += tile[t * 32 + (k ^ t)];
	sums[blockIdx.x * 32 + t] = sum;
}
