// cheat: four elements are in registers, the other four in an array that is still indexed by a variable
__global__ void reversed(float *out, const float *in)
{
	int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
	float a[4], b[4];
#pragma unroll
	for (int i = 0; i < 4; i++)
		a[i] = 2 * in[first + i];
#pragma unroll 1
	for (int i = 0; i < 4; i++)
		b[i] = 2 * in[first + 4 + i];
#pragma unroll 1
	for (int i = 0; i < 4; i++)
		out[first + i] = b[3 - i];
#pragma unroll
	for (int i = 0; i < 4; i++)
		out[first + 4 + i] = a[3 - i];
}
