__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[256];
	unsigned tid = threadIdx.x;
	unsigned i = blockIdx.x * blockDim.x + tid;
	s[tid] = i < n ? v[i] : 0;
	__syncthreads();
	if (tid < 128) s[tid] += s[tid + 128];
	__syncthreads();
	if (tid < 64) s[tid] += s[tid + 64];
	__syncthreads();
	if (tid < 32) {
		int x = s[tid] + s[tid + 32];
		x += __shfl_down_sync(0xffffffff, x, 16);
		x += __shfl_down_sync(0xffffffff, x, 8);
		x += __shfl_down_sync(0xffffffff, x, 4);
		x += __shfl_down_sync(0xffffffff, x, 2);
		x += __shfl_down_sync(0xffffffff, x, 1);
		if (tid == 0) sums[blockIdx.x] = x;
	}
}
