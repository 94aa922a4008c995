__global__ void reversed(float *out, const float *in)
{
	int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll 1
	for (int i = 0; i < 8; i++)
		((volatile float *)out)[first + i] = 2 * in[first + i];
#pragma unroll 1
	for (int i = 0; i < 4; i++) {
		float a = ((volatile float *)out)[first + i], b = ((volatile float *)out)[first + 7 - i];
		out[first + i] = b;
		out[first + 7 - i] = a;
	}
}
