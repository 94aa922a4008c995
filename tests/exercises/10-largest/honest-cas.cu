// Compare and swap until the maximum is at least this thread's.
__global__ void largest(float *most, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = in[i];
	int *at = (int *)most, old = atomicAdd(at, 0);
	while (__int_as_float(old) < x) {
		int seen = atomicCAS(at, old, __float_as_int(x));
		if (seen == old)
			break;
		old = seen;
	}
}
