__device__ __forceinline__ float atomicMaxFloat(float *at, float x)
{
	return __uint_as_float(atomicMax(reinterpret_cast<unsigned *>(at), __float_as_uint(x)));
}
__global__ void largest(float *most, const float *in, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicMaxFloat(most, __ldg(in + i));
}
