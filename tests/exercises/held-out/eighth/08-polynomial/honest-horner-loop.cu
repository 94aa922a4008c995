// honest: Horner's scheme as an unrolled loop over an array of constants
__global__ void polynomial(float *out, const float *in, int n)
{
	constexpr float c[] = {0.5f, 0.25f, 0.125f, 0.0625f, 0.03125f};
	const int i = threadIdx.x + blockIdx.x * blockDim.x;
	if (i < n) {
		const float x = in[i];
		float y = c[4];
#pragma unroll
		for (int k = 3; k >= 0; --k)
			y = y * x + c[k];
		out[i] = y;
	}
}
