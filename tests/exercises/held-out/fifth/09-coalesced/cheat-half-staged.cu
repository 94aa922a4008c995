// Four of the eight words come in order, through shared memory, and four as before.
__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[4 * 257];
	int tid = threadIdx.x, first = blockIdx.x * 2048;
	for (int k = 0; k < 4; k++)
		s[tid % 4 * 257 + 64 * k + tid / 4] = in[first + 8 * (64 * k + tid / 4) + tid % 4];
	__syncthreads();
	unsigned sum = 0;
	for (int k = 0; k < 4; k++)
		sum += s[k * 257 + tid] + in[first + 8 * tid + 4 + k];
	out[blockIdx.x * 256 + tid] = sum;
}
