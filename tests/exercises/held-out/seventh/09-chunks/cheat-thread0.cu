// one thread per warp does 32 elements
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i % 32 == 0) for (int k = i; k < min(count, i + 32); k++) out[first + k] = (first + k) * in[first + k];
}
