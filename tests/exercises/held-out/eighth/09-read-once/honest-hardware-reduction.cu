// honest: __reduce_max_sync for the warps, a short loop for the eight results
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned part[8];
	const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	const unsigned word = in[i];
	const unsigned top = __reduce_max_sync(0xffffffffu, word);
	if ((threadIdx.x & 31) == 0)
		part[threadIdx.x >> 5] = top;
	__syncthreads();
	unsigned most = part[0];
#pragma unroll
	for (int w = 1; w < 8; w++)
		most = max(most, part[w]);
	out[i] = most - word;
}
