// honest: each thread counts four consecutive words of one 16-byte load, then a tree in shared memory
constexpr int THREADS = 256;

__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned s[THREADS];
	int tid = threadIdx.x;
	uint4 w = ((const uint4 *)words)[blockIdx.x * THREADS + tid];
	s[tid] = 4 - ((w.x & 1) + (w.y & 1) + (w.z & 1) + (w.w & 1));
	__syncthreads();
	for (int d = THREADS / 2; d >= 1; d >>= 1) {
		if (tid < d)
			s[tid] += s[tid + d];
		__syncthreads();
	}
	if (tid == 0)
		counts[blockIdx.x] = s[0];
}
