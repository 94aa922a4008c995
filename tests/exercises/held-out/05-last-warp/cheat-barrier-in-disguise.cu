// Waits by __syncthreads_count in the tail.
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[256];
	int t = threadIdx.x;
	s[t] = v[blockIdx.x * 256 + t];
	__syncthreads();
	for (int d = 128; d > 0; d /= 2) {
		if (t < d)
			s[t] += s[t + d];
		__syncthreads_count(t);
	}
	if (t == 0)
		sums[blockIdx.x] = s[0];
}
