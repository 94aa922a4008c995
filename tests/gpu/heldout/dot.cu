// A dot product: each thread adds up its part, warps by shuffles, blocks by one atomic addition each.
__global__ void dot(float *sum, const float *a, const float *b, int n) {
	float mine = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += a[i] * b[i];
	for (int d = 16; d; d /= 2) mine += __shfl_down_sync(0xffffffff, mine, d);
	__shared__ float warps[32];
	if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = mine;
	__syncthreads();
	if (threadIdx.x >= 32) return;
	mine = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0;
	for (int d = 16; d; d /= 2) mine += __shfl_down_sync(0xffffffff, mine, d);
	if (threadIdx.x == 0) atomicAdd(sum, mine);
}
