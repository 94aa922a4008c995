// the first block does everything
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (blockIdx.x == 0) for (int k = threadIdx.x; k < count; k += blockDim.x) out[first + k] = (first + k) * in[first + k];
}
