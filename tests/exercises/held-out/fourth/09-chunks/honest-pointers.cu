// Pointers to the chunk.
__global__ void ramp(unsigned *__restrict__ out, const unsigned *__restrict__ in, int first, int count)
{
	out += first;
	in += first;
	unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
	if (t >= count)
		return;
	out[t] = (t + first) * __ldg(in + t);
}
