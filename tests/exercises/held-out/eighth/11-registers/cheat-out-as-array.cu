// cheat: the elements wait in out[], in global memory, and are swapped there
__global__ void reversed(float *out, const float *in)
{
	int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
	volatile float *x = out + first;
#pragma unroll 1
	for (int i = 0; i < 8; i++)
		x[i] = 2 * in[first + i];
#pragma unroll 1
	for (int i = 0; i < 4; i++) {
		float low = x[i];
		x[i] = x[7 - i];
		x[7 - i] = low;
	}
}
