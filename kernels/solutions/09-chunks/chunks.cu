// k is the thread's index in the chunk, i its element's index in the vector.
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	if (k >= count)
		return;
	int i = first + k;
	out[i] = i * in[i];
}
