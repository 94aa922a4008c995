template <typename F> __device__ __forceinline__ void each(size_t n, F f)
{
	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
		f(i);
}
__global__ void scale(float *__restrict__ y, const float *__restrict__ x, float factor, int n)
{
	each(n, [=](size_t i) { y[i] = factor * __ldg(x + i); });
}
