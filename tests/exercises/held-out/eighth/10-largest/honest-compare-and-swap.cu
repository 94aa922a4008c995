// honest: a loop around atomicCAS, which ends when the value is not smaller any more
__global__ void largest(float *most, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = in[i];
	int *word = (int *)most;
	int seen = __float_as_int(0.0f);
	while (__int_as_float(seen) < x) {
		int old = atomicCAS(word, seen, __float_as_int(x));
		if (old == seen)
			break;
		seen = old;
	}
}
