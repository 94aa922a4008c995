// an atomic maximum in shared memory
__global__ void distance(unsigned *out, const unsigned *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ unsigned m; unsigned v = in[i]; if (tid == 0) m = 0; __syncthreads(); atomicMax(&m, v); __syncthreads(); out[i] = m - v;
}
