// Task: this kernel was written for a whole vector, and is now launched once per
// chunk of it: elements first .. first + count - 1. Compute out[i] = i * in[i] for
// these elements, and access no others.
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < first + count)
		out[i] = i * in[i];
}
