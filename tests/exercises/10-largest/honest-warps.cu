// The maximum of the warp first, one atomic per warp.
__global__ void largest(float *most, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = i < n ? in[i] : 0;
	for (int m = 16; m > 0; m /= 2)
		x = fmaxf(x, __shfl_xor_sync(~0u, x, m));
	if (threadIdx.x % 32 == 0)
		atomicMax((unsigned *)most, __float_as_uint(x));
}
