// a shared counter, then one global addition
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ unsigned s; if (tid == 0) s = 0; __syncthreads(); if (i < n && in[i] > limit) atomicAdd(&s, 1u); __syncthreads(); if (tid == 0) atomicAdd(found, s);
}
