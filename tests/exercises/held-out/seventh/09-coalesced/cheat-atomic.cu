// coalesced loads, atomics on shared sums
__global__ void eights(unsigned *out, const unsigned *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ unsigned s[256]; s[tid] = 0; __syncthreads(); const unsigned *p = in + blockIdx.x * 2048; for (int k = tid; k < 2048; k += 256) atomicAdd(&s[k / 8], p[k]); __syncthreads(); out[i] = s[tid];
}
