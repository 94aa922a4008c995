struct Max { __device__ int operator()(int a, int b) const { return a < b ? b : a; } };
template <class F> __device__ int tree(int *s, F f)
{
	for (unsigned n = blockDim.x; n > 1; n >>= 1) {
		__syncthreads();
		if (threadIdx.x < n / 2)
			s[threadIdx.x] = f(s[threadIdx.x], s[threadIdx.x + n / 2]);
	}
	return s[0];
}
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	s[threadIdx.x] = v[blockIdx.x * 256 + threadIdx.x];
	int m = tree(s, Max());
	if (threadIdx.x == 0)
		most[blockIdx.x] = m;
}
