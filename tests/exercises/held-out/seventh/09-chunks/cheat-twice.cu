// every element twice, by two threads
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < count) { ((volatile unsigned *)out)[first + i] = 0; __threadfence(); ((volatile unsigned *)out)[first + i] = (first + i) * ((volatile const unsigned *)in)[first + i]; }
}
