template <int N> struct Regs { float x[N]; };
template <int N> __device__ __forceinline__ Regs<N> backwards(const Regs<N> &r)
{
	Regs<N> y;
#pragma unroll
	for (int i = 0; i < N; i++)
		y.x[i] = r.x[N - 1 - i];
	return y;
}
__global__ void reversed(float *out, const float *in)
{
	size_t first = 8 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);
	Regs<8> r;
#pragma unroll
	for (int i = 0; i < 8; i++)
		r.x[i] = 2 * in[first + i];
	r = backwards(r);
#pragma unroll
	for (int i = 0; i < 8; i++)
		out[first + i] = r.x[i];
}
