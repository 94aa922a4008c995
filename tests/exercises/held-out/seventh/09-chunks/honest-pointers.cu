// pointers moved to the chunk
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
out += first; in += first; if (i >= count) return; unsigned j = i; out[j] = in[j] * (j + (unsigned)first);
}
