// honest: casts the constants, which the compiler does once
template<typename T> __device__ T faded(T x)
{
	return T(0.299) * x + T(0.587) * (T(1) - x) + T(0.114) * x * x;
}

__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = faded<float>(in[i]);
}
