__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned s[8];
	unsigned own = 0;
#pragma unroll
	for (int k = 0; k < 4; k++)
		own += !(__ldg(words + blockIdx.x * 1024 + k * 256 + threadIdx.x) & 1);
	own = __reduce_add_sync(~0u, own);
	if (threadIdx.x % 32 == 0)
		s[threadIdx.x / 32] = own;
	__syncthreads();
	if (threadIdx.x < 32) {
		own = __reduce_add_sync(~0u, threadIdx.x < 8 ? s[threadIdx.x] : 0);
		if (threadIdx.x == 0)
			counts[blockIdx.x] = own;
	}
}
