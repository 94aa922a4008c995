__global__ void largest(float *most, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		int mine = __float_as_int(in[i]), seen = 0, old;
		do {
			old = seen;
			seen = atomicCAS((int *)most, old, max(old, mine));
		} while (seen != old);
	}
}
