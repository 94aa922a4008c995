// four lanes sum sixteen words each
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[256];
	int t = threadIdx.x;
	s[t] = v[blockIdx.x * 256 + t];
	__syncthreads();
	if (t < 128) s[t] += s[t + 128];
	__syncthreads();
	if (t < 64) s[t] += s[t + 64];
	__syncthreads();
	if (t < 4) {
		int x = 0;
		for (int k = 0; k < 16; k++) x += s[4 * k + t];
		x += __shfl_xor_sync(15, x, 1);
		x += __shfl_xor_sync(15, x, 2);
		if (t == 0) sums[blockIdx.x] = x;
	}
}
