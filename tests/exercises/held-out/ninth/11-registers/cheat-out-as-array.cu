// cheat: out[] serves as the array: the elements go to global memory, are read back, and are swapped there
__global__ void reversed(float *out, const float *in)
{
	volatile float *x = out + 8 * (blockIdx.x * blockDim.x + threadIdx.x);
	in += 8 * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll 1
	for (int i = 0; i < 8; i++)
		x[i] = 2 * in[i];
#pragma unroll 1
	for (int i = 0; i < 4; i++) {
		float left = x[i];
		x[i] = x[7 - i];
		x[7 - i] = left;
	}
}
