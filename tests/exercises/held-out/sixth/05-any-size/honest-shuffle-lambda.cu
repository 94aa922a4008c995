__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int parts[32];
	auto sum_of = [](int x) {
#pragma unroll
		for (int d = 16; d; d /= 2)
			x += __shfl_down_sync(~0u, x, d);
		return x;
	};
	int i = blockIdx.x * 256 + threadIdx.x, x = 0;
	if (i < n)
		x = v[i];
	x = sum_of(x);
	if (threadIdx.x % 32 == 0)
		parts[threadIdx.x / 32] = x;
	__syncthreads();
	if (threadIdx.x < 32) {
		x = sum_of(threadIdx.x < 8 ? parts[threadIdx.x] : 0);
		if (threadIdx.x == 0)
			sums[blockIdx.x] = x;
	}
}
