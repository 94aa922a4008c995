// Task: this kernel was written for a whole vector, and is now launched once for
// each chunk of it: elements first .. first + count - 1. Make out[i] = i * in[i] for
// all of them, and touch no others.
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < first + count)
		out[i] = i * in[i];
}
