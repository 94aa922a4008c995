// the maximum of the block by shuffles, one atomic per block
__global__ void largest(float *most, const float *in, int n)
{
	__shared__ float s[32];
	int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
	float x = i < n ? in[i] : 0;
	for (int d = 16; d; d /= 2) x = fmaxf(x, __shfl_xor_sync(~0u, x, d));
	if (t % 32 == 0) s[t / 32] = x;
	__syncthreads();
	if (t < 32) {
		x = t < blockDim.x / 32 ? s[t] : 0;
		for (int d = 16; d; d /= 2) x = fmaxf(x, __shfl_xor_sync(~0u, x, d));
		if (t == 0) atomicMax((int *)most, __float_as_int(x));
	}
}
