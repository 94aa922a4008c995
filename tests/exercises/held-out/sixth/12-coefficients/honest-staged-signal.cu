__constant__ float coefficients[32];
template <int N> __device__ __forceinline__ float dot(const float *c, const float *x)
{
	float s = 0;
#pragma unroll
	for (int k = N - 1; k >= 0; k--)
		s = fmaf(c[k], x[k], s);
	return s;
}
__global__ void filter(float *out, const float *in)
{
	__shared__ float s[256 + 32];
	const float *from = in + blockIdx.x * 256;
	for (int k = threadIdx.x; k < 288; k += 256)
		s[k] = from[k];
	__syncthreads();
	out[blockIdx.x * 256 + threadIdx.x] = dot<32>(coefficients, s + threadIdx.x);
}
