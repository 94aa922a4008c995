// two threads add 32 each
__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ int s[256];
	__shared__ bool last;
	int t = threadIdx.x, x = v[blockIdx.x * 256 + t];
	s[t] = x;
	for (int d = 128; d; d /= 2) { __syncthreads(); if (t < d) s[t] += s[t + d]; }
	if (t == 0) { sums[blockIdx.x] = s[0]; __threadfence(); last = atomicAdd(count, 1u) == gridDim.x - 1; }
	__syncthreads();
	if (!last) return;
	__threadfence();
	if (t < 2) {
		int y = 0;
		for (int k = 0; k < 32; k++) y += ((volatile int *)sums)[2 * k + t];
		y += __shfl_xor_sync(3, y, 1);
		if (t == 0) *total = y;
	}
}
