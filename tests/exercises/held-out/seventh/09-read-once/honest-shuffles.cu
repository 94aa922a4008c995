// shuffles, then the eight warps' maxima by everyone
__global__ void distance(unsigned *out, const unsigned *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ unsigned s[8]; const unsigned own = in[i]; unsigned m = own; for (int d = 16; d; d >>= 1) m = max(m, __shfl_xor_sync(~0u, m, d)); if (tid % 32 == 0) s[tid / 32] = m; __syncthreads(); m = s[tid % 8]; for (int d = 4; d; d >>= 1) m = max(m, __shfl_xor_sync(~0u, m, d)); out[i] = m - own;
}
