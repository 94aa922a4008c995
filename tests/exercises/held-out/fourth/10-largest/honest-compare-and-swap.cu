// Compare and swap, after the warp's maximum by shuffles.
__global__ void largest(float *most, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float m = i < n ? in[i] : 0.0f;
	for (int d = 16; d; d /= 2)
		m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
	if (threadIdx.x % 32)
		return;
	int *top = (int *)most, seen = atomicAdd(top, 0);
	while (__int_as_float(seen) < m) {
		int before = atomicCAS(top, seen, __float_as_int(m));
		if (before == seen)
			break;
		seen = before;
	}
}
