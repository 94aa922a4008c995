template <int I> __device__ void put(float *to, const float (&x)[8])
{
	if constexpr (I < 8) {
		to[I] = x[7 - I];
		put<I + 1>(to, x);
	}
}

__global__ void reversed(float *out, const float *in)
{
	const int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
	float x[8];
#pragma unroll
	for (int i = 0; i < 8; i++)
		x[i] = in[first + i] + in[first + i];
	put<0>(out + first, x);
}
