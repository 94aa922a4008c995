// Each word once for its own warp, and one warp in eight reads all words again.
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned most;
	int tid = threadIdx.x, first = blockIdx.x * 256;
	unsigned own = in[first + tid];
	if (tid < 32) {
		unsigned m = 0;
		for (int k = tid; k < 256; k += 32)
			m = max(m, in[first + k]);
		for (int d = 16; d; d /= 2)
			m = max(m, __shfl_xor_sync(~0u, m, d));
		most = m;
	}
	__syncthreads();
	out[first + tid] = most - own;
}
