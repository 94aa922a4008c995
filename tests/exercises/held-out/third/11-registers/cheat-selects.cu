// Each element is found by eight selects.
__global__ void reversed(float *out, const float *in)
{
	int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
	float x0 = 0, x1 = 0, x2 = 0, x3 = 0, x4 = 0, x5 = 0, x6 = 0, x7 = 0;
#pragma unroll 1
	for (int i = 0; i < 8; i++)
	{
		float y = 2 * in[first + i];
		x0 = i == 0 ? y : x0;
		x1 = i == 1 ? y : x1;
		x2 = i == 2 ? y : x2;
		x3 = i == 3 ? y : x3;
		x4 = i == 4 ? y : x4;
		x5 = i == 5 ? y : x5;
		x6 = i == 6 ? y : x6;
		x7 = i == 7 ? y : x7;
	}
#pragma unroll 1
	for (int i = 0; i < 8; i++)
		out[first + i] = i == 0 ? x7 : i == 1 ? x6 : i == 2 ? x5 : i == 3 ? x4 : i == 4 ? x3 : i == 5 ? x2 : i == 6 ? x1 : x0;
}
