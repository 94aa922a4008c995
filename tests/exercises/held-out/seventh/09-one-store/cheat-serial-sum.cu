// counts in shared memory, thread 0 adds 256 of them
__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned s[256];
	int tid = threadIdx.x; unsigned c = 0;
	for (int k = 0; k < 4; k++) c += words[blockIdx.x * 1024 + 256 * k + tid] % 2 == 0;
	s[tid] = c;
	__syncthreads();
	if (tid == 0) { c = 0; for (int k = 0; k < 256; k++) c += s[k]; counts[blockIdx.x] = c; }
}
