// counts by eight block barriers, one per warp
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, w = threadIdx.x / 32;
	int p = data[i] > 0, mine = 0;
#pragma unroll
	for (int k = 0; k < 8; k++) { int c = __syncthreads_count(p && w == k); if (w == k) mine = c; }
	if (i % 32 == 0) counts[i / 32] = mine;
}
