__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int words[256];
	const unsigned t = threadIdx.x;

	words[t] = v[256 * blockIdx.x + t];
	__syncthreads();
	if (t < 128)
		words[t] += words[t + 128];
	__syncthreads();
	if (t < 64)
		words[t] += words[t + 64];
	__syncthreads();
	if (t < 32) {
		int sum = words[t] + words[t + 32];
		for (int d = 1; d < 32; d *= 2)
			sum += __shfl_xor_sync(~0u, sum, d);
		if (t == 0)
			sums[blockIdx.x] = sum;
	}
}
