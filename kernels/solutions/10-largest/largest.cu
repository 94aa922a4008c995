// The bits of floats that are not negative are in the order of the floats.
__global__ void largest(float *most, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		atomicMax((int *)most, __float_as_int(in[i]));
}
