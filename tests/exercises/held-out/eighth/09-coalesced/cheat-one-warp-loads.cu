// cheat: the requests are coalesced, but all 64 of them are issued by the first warp while seven wait
__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256 * 9];
	int tid = threadIdx.x, first = blockIdx.x * 2048;
	if (tid < 32)
		for (int w = tid; w < 2048; w += 32)
			s[w / 8 * 9 + w % 8] = in[first + w];
	__syncthreads();
	unsigned sum = 0;
	for (int k = 0; k < 8; k++)
		sum += s[tid * 9 + k];
	out[blockIdx.x * 256 + tid] = sum;
}
