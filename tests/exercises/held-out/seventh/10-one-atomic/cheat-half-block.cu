// the upper half of the threads looks at nothing, the lower half at two elements
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int tid = threadIdx.x, h = blockDim.x / 2, b = blockIdx.x * blockDim.x, c = 0;
	if (tid < h) c = (b + tid < n && in[b + tid] > limit) + (b + h + tid < n && in[b + h + tid] > limit);
	int a = __syncthreads_count(c & 1), d = __syncthreads_count(c & 2);
	if (tid == 0) atomicAdd(found, a + 2 * d);
}
