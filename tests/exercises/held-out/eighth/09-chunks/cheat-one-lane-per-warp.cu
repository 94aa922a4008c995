// cheat: the first lane of each warp does the 32 elements of its warp
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	if (k % 32 == 0)
		for (int end = min(k + 32, count); k < end; k++)
			out[first + k] = (first + k) * in[first + k];
}
