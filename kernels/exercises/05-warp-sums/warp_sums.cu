// Task: every warp adds up 32 elements in shared memory, and the whole block
// waits after each round. Nothing goes from one warp to another: do it with
// shuffles, with no shared memory and no barrier.
//
// Blocks of 256 threads, an element each; a sum for each warp.
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
