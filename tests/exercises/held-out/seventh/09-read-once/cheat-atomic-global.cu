// the maximum by atomics on out[] in global memory
__global__ void distance(unsigned *out, const unsigned *in)
{
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	unsigned v = in[i];
	if (tid == 0) out[i] = 0;
	__syncthreads();
	atomicMax(&out[i - tid], v);
	__syncthreads();
	unsigned m = ((volatile unsigned *)out)[i - tid];
	__syncthreads();
	out[i] = m - v;
}
