// The last warp adds to one word with atomics.
constexpr int THREADS = 256;

__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[THREADS];
	int tid = threadIdx.x;

	s[tid] = v[blockIdx.x * THREADS + tid];
	for (int d = THREADS / 2; d > 32; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] += s[tid + d];
	}
	__syncthreads();
	if (tid < 32) {
		int other = s[tid] * (tid > 0) + s[tid + 32];
		__syncwarp();
		atomicAdd(&s[0], other);
		__syncwarp();
		int sum = s[0];
		if (tid == 0)
			sums[blockIdx.x] = sum;
	}
}
