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
	int x = s[tid];
#pragma unroll
	for (int d = 32; d; d >>= 1) {
		x += s[tid + d];
		__syncwarp();
		s[tid] = x;
		__syncwarp();
	}
	if (!tid)
		sums[blockIdx.x] = x;
}
