// honest: four neighboring words per thread with one load, then a tree in shared memory
__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned s[256];
	const unsigned tid = threadIdx.x;
	const uint4 w = ((const uint4 *)words)[blockIdx.x * 256 + tid];
	s[tid] = (w.x % 2 == 0) + (w.y % 2 == 0) + (w.z % 2 == 0) + (w.w % 2 == 0);
	for (unsigned d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] += s[tid + d];
	}
	if (tid == 0)
		counts[blockIdx.x] = s[0];
}
