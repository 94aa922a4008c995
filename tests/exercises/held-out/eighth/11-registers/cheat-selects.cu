// cheat: the loops stay rolled, and each access goes through all eight elements with selects, which the compiler turns back into an indexed array
__global__ void reversed(float *out, const float *in)
{
	int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
	float x[8];
#pragma unroll 1
	for (int i = 0; i < 8; i++) {
		float y = 2 * in[first + i];
#pragma unroll
		for (int k = 0; k < 8; k++)
			x[k] = k == i ? y : x[k];
	}
#pragma unroll 1
	for (int i = 0; i < 8; i++) {
		float y = 0;
#pragma unroll
		for (int k = 0; k < 8; k++)
			y = k == 7 - i ? x[k] : y;
		out[first + i] = y;
	}
}
