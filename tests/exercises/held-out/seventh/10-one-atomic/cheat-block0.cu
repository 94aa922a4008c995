// the first block looks at everything
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (blockIdx.x == 0) { unsigned c = 0; int m = (n + blockDim.x - 1) / blockDim.x * blockDim.x; for (int k = tid; k < m; k += blockDim.x) c += __syncthreads_count(k < n && in[k] > limit); if (tid == 0) atomicAdd(found, c); }
}
