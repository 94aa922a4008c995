// two additions per block, one per half
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ unsigned s[2]; if (tid < 2) s[tid] = 0; __syncthreads(); if (i < n && in[i] > limit) atomicAdd(&s[tid & 1], 1u); __syncthreads(); if (tid < 2) atomicAdd(found, s[tid]);
}
