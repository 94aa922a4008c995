// The array is in shared memory.
__global__ void reversed(float *out, const float *in)
{
	int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
	__shared__ float words[256][9];
	float *x = words[threadIdx.x];
#pragma unroll 1
	for (int i = 0; i < 8; i++)
		x[i] = 2 * in[first + i];
#pragma unroll 1
	for (int i = 0; i < 8; i++)
		out[first + i] = x[7 - i];
}
