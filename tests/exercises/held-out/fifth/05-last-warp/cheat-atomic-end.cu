// The last warp's words are added to one of them with atomics.
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[256], total;
	int tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	if (tid == 0)
		total = 0;
	for (int d = 128; d > 32; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] += s[tid + d];
	}
	__syncthreads();
	if (tid < 32)
		atomicAdd(&total, s[tid] + s[tid + 32]);
	__syncwarp();
	if (tid == 0)
		sums[blockIdx.x] = total;
}
