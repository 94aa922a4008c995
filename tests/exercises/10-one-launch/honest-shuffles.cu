// Block sums by shuffles, the rest as usual.
__device__ int sum_of_block(int x)
{
	__shared__ int s[8];
	int t = threadIdx.x;
	for (int m = 16; m > 0; m /= 2)
		x += __shfl_xor_sync(~0u, x, m);
	__syncthreads();
	if (t % 32 == 0)
		s[t / 32] = x;
	__syncthreads();
	x = 0;
	for (int k = 0; k < 8; k++)
		x += s[k];
	return x;
}
__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ unsigned before;
	int t = threadIdx.x, own = sum_of_block(v[blockIdx.x * 256 + t]);
	if (t == 0) {
		sums[blockIdx.x] = own;
		__threadfence();
		before = atomicInc(count, gridDim.x - 1);
	}
	__syncthreads();
	if (before == gridDim.x - 1) {
		int all = sum_of_block(t < gridDim.x ? sums[t] : 0);
		if (t == 0)
			*total = all;
	}
}
