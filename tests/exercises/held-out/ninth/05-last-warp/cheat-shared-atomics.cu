// cheat: 64 words are added to one shared word with 32 serialized atomics instead of a tree
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
		int own = s[tid] + s[tid + 32];
		__syncwarp();
		if (tid == 0)
			s[0] = 0;
		__syncwarp();
		atomicAdd(&s[0], own);
		__syncwarp();
		if (tid == 0)
			sums[blockIdx.x] = s[0];
	}
}
