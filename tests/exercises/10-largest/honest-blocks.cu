// The maximum of the block in shared memory, one atomic per block.
__global__ void largest(float *most, const float *in, int n)
{
	__shared__ float s[256];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	s[t] = i < n ? in[i] : 0;
	for (int d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (t < d)
			s[t] = fmaxf(s[t], s[t + d]);
	}
	if (t == 0)
		atomicMax((int *)most, __float_as_int(s[0]));
}
