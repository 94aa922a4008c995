// cheat: the first block does the whole chunk, the others exit
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	if (blockIdx.x != 0)
		return;
	for (int k = threadIdx.x; k < count; k += blockDim.x)
		out[first + k] = (first + k) * in[first + k];
}
