// cheat: four of the elements are in registers, the other four still in an indexed array
__global__ void reversed(float *out, const float *in)
{
	int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
	float a = 2 * in[first], b = 2 * in[first + 1], c = 2 * in[first + 2], d = 2 * in[first + 3], x[4];
#pragma unroll 1
	for (int i = 0; i < 4; i++)
		x[i] = 2 * in[first + 4 + i];
#pragma unroll 1
	for (int i = 0; i < 4; i++)
		out[first + i] = x[3 - i];
	out[first + 4] = d;
	out[first + 5] = c;
	out[first + 6] = b;
	out[first + 7] = a;
}
