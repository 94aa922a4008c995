// Task: keep the order of the elements, without atomics.
//
// Each block of 256 threads has 257 words of out: how many of its elements are
// above the limit, then these elements.
__global__ void compact(int *out, const int *in, int limit, int n)
{
	__shared__ int count;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int *to = out + 257 * blockIdx.x;
	if (threadIdx.x == 0)
		count = 0;
	__syncthreads();
	if (i < n && in[i] > limit)
		to[1 + atomicAdd(&count, 1)] = in[i];
	__syncthreads();
	if (threadIdx.x == 0)
		to[0] = count;
}
