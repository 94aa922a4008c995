// The words lie in shared memory; each warp finds the block's maximum there for itself.
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256];
	const int tid = threadIdx.x, lane = tid % 32;
	s[tid] = in[blockIdx.x * 256 + tid];
	__syncthreads();
	unsigned m = 0;
#pragma unroll
	for (int k = 0; k < 8; k++)
		m = max(m, s[32 * k + lane]);
#pragma unroll
	for (int d = 16; d; d >>= 1)
		m = max(m, __shfl_xor_sync(0xffffffff, m, d));
	out[blockIdx.x * 256 + tid] = m - s[tid];
}
