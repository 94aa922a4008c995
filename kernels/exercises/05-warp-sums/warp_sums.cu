// Task: every warp sums 32 elements in shared memory, and the whole block waits
// after each iteration. Warps exchange no data: use shuffles, without shared
// memory and without barriers.
//
// Blocks of 256 threads, one element per thread; one sum per warp.
constexpr int THREADS = 256;

__global__ void warp_sums(int *sums, const int *v)
{
	__shared__ int s[THREADS];
	int tid = threadIdx.x, lane = tid % 32;
	int i = blockIdx.x * THREADS + tid;

	s[tid] = v[i];
	__syncthreads();
	for (int d = 16; d > 0; d /= 2) {
		if (lane < d)
			s[tid] += s[tid + d];
		__syncthreads();
	}
	if (lane == 0)
		sums[i / 32] = s[tid];
}
