__global__ void largest(float *most, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float own = in[i];
		int old = *(volatile int *)most;
		while (__int_as_float(old) < own) {
			int seen = atomicCAS((int *)most, old, __float_as_int(own));
			if (seen == old)
				break;
			old = seen;
		}
	}
}
