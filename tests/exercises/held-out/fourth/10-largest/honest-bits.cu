// The bits of non-negative floats are in the order of the numbers.
__global__ void largest(float *most, const float *in, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		atomicMax(reinterpret_cast<unsigned *>(most), __float_as_uint(in[i]));
}
