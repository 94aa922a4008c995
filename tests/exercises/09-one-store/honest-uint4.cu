// 16 bytes per load, and a tree in shared memory.
__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned s[256];
	int t = threadIdx.x;
	uint4 w = ((const uint4 *)words)[blockIdx.x * 256 + t];
	s[t] = 4 - (w.x % 2 + w.y % 2 + w.z % 2 + w.w % 2);
	for (int d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (t < d)
			s[t] += s[t + d];
	}
	if (t == 0)
		counts[blockIdx.x] = s[0];
}
