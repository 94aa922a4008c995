// The last warp leaves shared memory and goes on with shuffles.
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[256];
	int tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	for (int d = 128; d > 32; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] += s[tid + d];
	}
	__syncthreads();
	if (tid >= 32)
		return;
	int sum = s[tid] + s[tid + 32];
	for (int d = 1; d < 32; d *= 2)
		sum += __shfl_xor_sync(0xffffffff, sum, d);
	if (tid == 0)
		sums[blockIdx.x] = sum;
}
