// Shared memory as before, only with a barrier for the warp.
__global__ void warp_sums(int *sums, const int *v)
{
	__shared__ int s[256];
	int tid = threadIdx.x, lane = tid % 32, i = blockIdx.x * 256 + tid;
	s[tid] = v[i];
	__syncwarp();
	for (int d = 16; d > 0; d /= 2) {
		if (lane < d)
			s[tid] += s[tid + d];
		__syncwarp();
	}
	if (lane == 0)
		sums[i / 32] = s[tid];
}
