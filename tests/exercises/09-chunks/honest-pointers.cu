// Pointers to the chunk's beginning.
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	out += first;
	in += first;
	unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
	if (k >= (unsigned)count)
		return;
	unsigned factor = first + k;
	out[k] = factor * in[k];
}
