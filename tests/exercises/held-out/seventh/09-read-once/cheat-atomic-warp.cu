// shared atomics after a warp-level pair: a half reduction
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned m;
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	unsigned v = in[i], x = max(v, __shfl_xor_sync(~0u, v, 1));
	if (tid == 0) m = 0;
	__syncthreads();
	if (tid % 2) atomicMax(&m, x);
	__syncthreads();
	out[i] = m - v;
}
