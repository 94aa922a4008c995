// A tree in shared memory.
__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned s[256];
	const unsigned tid = threadIdx.x;
	unsigned sum = 0;
#pragma unroll
	for (int k = 0; k < 4; k++)
		sum += ~words[blockIdx.x * 1024 + k * 256 + tid] & 1;
	s[tid] = sum;
	for (unsigned d = 128; d; d >>= 1) {
		__syncthreads();
		if (tid < d)
			s[tid] += s[tid + d];
	}
	if (!tid)
		counts[blockIdx.x] = s[0];
}
