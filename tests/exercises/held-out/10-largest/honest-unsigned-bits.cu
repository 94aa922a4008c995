// The bits of non-negative floats, compared as unsigned numbers, have their order.
__global__ void largest(float *most, const float *in, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned bits = i < n ? __float_as_uint(in[i]) : 0;
	for (int d = 16; d > 0; d /= 2)
		bits = max(bits, __shfl_down_sync(0xffffffff, bits, d));
	if (threadIdx.x % 32 == 0)
		atomicMax((unsigned *)most, bits);
}
