// honest: indices are template parameters of a recursive function
template <int I>
__device__ void load(float (&x)[8], const float *in)
{
	x[I] = 2 * in[I];
	if constexpr (I < 7)
		load<I + 1>(x, in);
}

template <int I>
__device__ void store(float *out, const float (&x)[8])
{
	out[I] = x[7 - I];
	if constexpr (I < 7)
		store<I + 1>(out, x);
}

__global__ void reversed(float *out, const float *in)
{
	int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
	float x[8];
	load<0>(x, in + first);
	store<0>(out + first, x);
}
