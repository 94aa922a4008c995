// A word per thread in a register; warp maxima, eight words of shared memory, and every thread takes their maximum.
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned parts[8];
	const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
	const unsigned own = in[i];
	unsigned most = own;
#pragma unroll
	for (int d = 16; d >= 1; d >>= 1)
		most = max(most, __shfl_xor_sync(0xffffffffu, most, d));
	if (tid % 32 == 0)
		parts[tid / 32] = most;
	__syncthreads();
#pragma unroll
	for (int k = 0; k < 8; k++)
		most = max(most, parts[k]);
	out[i] = most - own;
}
